"""Shards on the workers of a Dask cluster, which store them in the folder of the run and send back small records.

What decides whether a worker is fit, and what it does, is in `ttrsim.runs.remote`.
"""

import asyncio
import contextlib
import logging
import re
import signal
import time
import uuid
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from itertools import islice
from multiprocessing import resource_tracker
from queue import Empty, SimpleQueue
from typing import Any

from ttrsim.errors import UsageError, UserError
from ttrsim.numerals import counted
from ttrsim.runs.local import Engine
from ttrsim.runs.make import OnMessage
from ttrsim.runs.playing import Player
from ttrsim.runs.remote import VERSIONS, Job, Unfit, check, plan_sha256, play, warm
from ttrsim.runs.store import Folder, ShardRecord

try:
    from distributed import Client, Future, KilledWorker, LocalCluster, Security
    from distributed.comm.addressing import get_address_host
    from distributed.comm.core import connect
except ModuleNotFoundError as e:
    raise UserError([f"--engine dask: needs {e.name}: pip install 'ttrsim[cluster]'"]) from None

ADDRESS = re.compile(r"((tcp|tls)://)?[^\s/]+:\d{1,5}")
AHEAD = 2
"""Shards handed out for each thread: enough that none waits, few however large the run is."""
CONNECTING = 5.0
"""Seconds until a scheduler must answer."""
GREETED = 30.0
"""Seconds until a scheduler that answered must have taken this client, on however busy a machine."""
LONELY = 60.0
"""Seconds without any worker until the run is given up."""
LOOKING = 5.0
"""Seconds without a finished shard until it is looked whether there are workers."""
STOPPING = 5.0
"""Seconds that shards which are not wanted any more have to end."""


@contextlib.contextmanager
def dask_engine(scheduler: str | None, processes: int, report: OnMessage) -> Iterator[Engine]:
    """An engine on the workers of a scheduler; without one on so many processes of this machine.

    scheduler: as `tcp://host:8786`; report: told how many workers there are.
    """
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told as errors
    with contextlib.ExitStack() as stack:
        where = stack.enter_context(_local_cluster(processes)) if scheduler is None else scheduler
        yield partial(_play, stack.enter_context(_client(where)), report)


@contextlib.contextmanager
def _local_cluster(processes: int) -> Iterator[LocalCluster]:
    with _no_ctrl_c_for_children():
        cluster = LocalCluster(
            n_workers=processes,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # without one it listens on port 8787 of all interfaces
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    with cluster:
        yield cluster


@contextlib.contextmanager
def _no_ctrl_c_for_children() -> Iterator[None]:
    """What is started within, threads and their processes, is not interrupted: this process stops it in good order."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start, which comes before that of a first process, ends such a blockade
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _client(where: str | LocalCluster) -> Client:
    if isinstance(where, str):
        if not ADDRESS.fullmatch(where):
            raise UsageError([f"--scheduler {where}: write it as tcp://host:8786, or tls://host:8786"])
        try:
            asyncio.run(_greet(where))
        except (OSError, TypeError) as e:  # TypeError: a TLS certificate is wanted and none is configured
            told = f" ({e})" if str(e) else ""
            raise UserError([f"--scheduler {where}: no Dask scheduler answers there{told}"]) from None
    try:
        return Client(where, timeout=GREETED, set_as_default=False)
    except OSError as e:  # TimeoutError is one, and says nothing
        told = str(e) or f"did not take this client in {GREETED:.0f} s"
        raise UserError([f"{where if isinstance(where, str) else where.scheduler_address}: {told}"]) from None


async def _greet(address: str) -> None:
    """Raises OSError if no scheduler answers; a Client waits for ever where something else listens."""
    security = Security().get_connection_args("client")
    async with asyncio.timeout(CONNECTING + 1):
        comm = await connect(address, timeout=CONNECTING, **security)
        await comm.close()


def _address(client: Client) -> str:
    return getattr(client.scheduler, "address", "the scheduler")  # it has none when the connection is lost


def _play(
    client: Client, report: OnMessage, player: Player, folder: Folder | None, numbers: Sequence[int]
) -> Generator[ShardRecord, None, None]:
    if folder is None:
        raise UsageError(["--engine dask: needs -o, a folder that all workers share"])
    if not numbers:
        return
    job = Job(str(folder.path.resolve()), f"session-{uuid.uuid4().hex}", plan_sha256(player.plan), VERSIONS)
    job.marker.parent.mkdir(exist_ok=True)
    job.marker.touch()
    shards = _Shards(client, job)
    try:
        _prepare(client, job, report)
        yield from shards.play(numbers)
    finally:  # also when the one who asks has had enough, or Ctrl-C was pressed
        job.marker.unlink(missing_ok=True)
        shards.stop()


def _prepare(client: Client, job: Job, report: OnMessage) -> None:
    """Check every worker, then compile on one of each machine."""
    _await_workers(client)
    _check(client, job)
    threads = client.nthreads()
    hosts = {get_address_host(address): address for address in threads}
    report(
        f"Dask workers: {len(threads)} on {counted(len(hosts), 'machine')}, {counted(sum(threads.values()), 'thread')}"
    )
    _refuse(client.run(warm, job, workers=list(hosts.values()), on_error="return"))


def _await_workers(client: Client) -> None:
    try:
        client.wait_for_workers(1, timeout=LONELY)
    except TimeoutError:
        told = f"no worker for {LONELY:.0f} s; start some with: dask worker {_address(client)}"
        raise UserError([f"{_address(client)}: {told}"]) from None


def _check(client: Client, job: Job) -> None:
    """Refuse to play with workers that are not fit."""
    _refuse(client.run(check, job, on_error="return"))


def _refuse(answers: dict[str, Any]) -> None:
    """answers: by worker, what is wrong with it, or an exception met there."""
    workers = defaultdict(list)
    for address, answer in answers.items():
        if isinstance(answer, OSError):  # it is gone
            continue
        if isinstance(answer, Exception):
            answer = [
                f"cannot run this ttrsim: {type(answer).__name__}: {answer}; install there what is installed here"
            ]
        for problem in answer:
            workers[problem].append(address)
    if workers:
        raise UserError([f"worker {_several(addresses)}: {problem}" for problem, addresses in workers.items()])


def _several(addresses: Sequence[str]) -> str:
    first, *others = sorted(addresses)
    return f"{first} and {counted(len(others), 'other')}" if others else first


class _Shards:
    """The shards that are handed out and not yet back, never many more than there are threads."""

    def __init__(self, client: Client, job: Job) -> None:
        self._client, self._job = client, job
        self._running: set[Future[ShardRecord]] = set()
        self._finished: SimpleQueue[Future[ShardRecord]] = SimpleQueue()

    def play(self, numbers: Sequence[int]) -> Generator[ShardRecord, None, None]:
        """Hand out these, and yield their records as they come back."""
        left = iter(numbers)
        while True:
            room = AHEAD * max(1, sum(self._client.nthreads().values())) - len(self._running)
            for number in islice(left, max(0, room)):
                self._hand_out(number)
            if not self._running:
                return
            yield self._record(self._next())

    def _hand_out(self, number: int) -> None:
        key = f"ttrsim-shard-{number}-{self._job.session}"
        future = self._client.submit(play, self._job, number, key=key, pure=False)
        future.add_done_callback(self._finished.put)
        self._running.add(future)

    def _next(self) -> "Future[ShardRecord]":
        while True:
            try:
                future = self._finished.get(timeout=LOOKING)
            except Empty:
                _await_workers(self._client)
            else:
                self._running.remove(future)
                return future

    def _record(self, future: "Future[ShardRecord]") -> ShardRecord:
        try:
            record: ShardRecord = future.result()
            return record
        except Unfit as e:
            _check(self._client, self._job)  # tells which worker
            raise UserError([f"a worker that is gone: {problem}" for problem in e.problems]) from None
        except (UserError, OSError):
            raise
        except KilledWorker as e:
            told = f"died while they played shard {str(future.key).split('-')[2]}; their logs tell why"
            raise UserError([f"several workers, the last {e.last_worker.address}, {told}"]) from None
        except Exception as e:
            _check(self._client, self._job)
            told = f"a shard was not played: {type(e).__name__}: {e}"
            raise UserError([f"{_address(self._client)}: {told}"]) from None

    def stop(self) -> None:
        """Let those that nobody waits for any more end: they do soon, the file of the session being gone."""
        deadline = time.monotonic() + STOPPING
        while self._running and (left := deadline - time.monotonic()) > 0:
            with contextlib.suppress(Empty):
                self._running.discard(self._finished.get(timeout=left))
        self._client.cancel(list(self._running))

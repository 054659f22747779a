"""Play shards on the workers of a Dask cluster, which store them in the run's folder and send back their records.

`ttrsim.runs.remote` has the code that runs on workers.
"""

import asyncio
import contextlib
import logging
import math
import re
import signal
import time
import uuid
from collections import defaultdict
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import CancelledError
from functools import partial
from multiprocessing import resource_tracker
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from ttrsim.errors import Unfinished, UsageError, UserError
from ttrsim.formatting import counted
from ttrsim.progress import OnMessage
from ttrsim.runs.laps import Gaps, shard_sizes
from ttrsim.runs.playing import Engine, Player, take
from ttrsim.runs.recipe import Recipe
from ttrsim.runs.remote import VERSIONS, Unfit, WorkerInput, check, play, warm
from ttrsim.runs.stored_files import ShardRecord, rename, shard_name

try:
    import dask
    from distributed import Client, Future, KilledWorker, LocalCluster, Security
    from distributed.comm.addressing import get_address_host
    from distributed.comm.core import connect
except ModuleNotFoundError as e:
    raise UserError([f"`engine` dask: needs {e.name}: pip install 'ttrsim[cluster]'"]) from None

ADDRESS = re.compile(r"((tcp|tls)://)?[^\s/]+:\d{1,5}")
AHEAD = 2
"""Shards handed out per thread: enough that none waits, but few however large the run is."""
CONNECTING = 5.0
"""Seconds until a scheduler must answer."""
GREETED = 30.0
"""Seconds until a scheduler that answered must have accepted this client, even on a busy machine."""
LONELY = 60.0
"""Seconds without any worker until the run is given up."""
LOOKING = 5.0
"""Seconds between two requests for the list of workers."""
UNWATCHED = {
    "distributed.worker.profile.enabled": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.gil.enabled": False,
}
"""Lets workers play instead of watching themselves, up to 100 times a second, for pages that nobody opens."""
STOPPING = 5.0
"""Seconds to wait for shards that are no longer wanted."""


@contextlib.contextmanager
def dask_engine(scheduler: str | None, processes: int, report: OnMessage) -> Iterator[Engine]:
    """Yield an engine on the workers of a scheduler or, without one, on `processes` processes of this machine.

    scheduler: for example `tcp://host:8786`; report: called with the number of workers.
    """
    with connected(scheduler, processes) as client:
        yield partial(_play, client, report)


@contextlib.contextmanager
def connected(scheduler: str | None, processes: int) -> Iterator[Client]:
    """Yield a client of a scheduler or, without one, of `processes` workers on this machine."""
    for name in ("distributed", "distributed.client"):  # what matters is raised as errors
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        where = stack.enter_context(_local_cluster(processes)) if scheduler is None else scheduler
        yield stack.enter_context(_client(where))


@contextlib.contextmanager
def _local_cluster(processes: int) -> Iterator[LocalCluster]:
    with _no_ctrl_c_for_children(), dask.config.set(UNWATCHED):
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
    """Keep Ctrl-C from threads and processes started within: this process stops them in good order."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it starts with the first process, which would undo this
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _client(where: str | LocalCluster) -> Client:
    if isinstance(where, str):
        if not ADDRESS.fullmatch(where):
            raise UsageError([f"`scheduler` {where}: write it as tcp://host:8786, or tls://host:8786"])
        try:
            asyncio.run(_greet(where))
        except (OSError, TypeError) as e:  # TypeError: a TLS certificate is wanted and none is configured
            reason = f" ({e})" if str(e) else ""
            raise UserError([f"`scheduler` {where}: no Dask scheduler answers there{reason}"]) from None
    try:
        return Client(where, timeout=GREETED, set_as_default=False)
    except OSError as e:  # what it says is not for people
        slow = isinstance(e, TimeoutError)
        problem = f"did not accept this client within {GREETED:.0f} s" if slow else "no Dask scheduler answers there"
        raise UserError([f"{where if isinstance(where, str) else where.scheduler_address}: {problem}"]) from None


async def _greet(address: str) -> None:
    """Raise OSError if no scheduler answers, where a Client would wait for ever if something else listens."""
    security = Security().get_connection_args("client")
    async with asyncio.timeout(CONNECTING + 1):
        comm = await connect(address, timeout=CONNECTING, **security)
        await comm.close()


def _address(client: Client) -> str:
    return getattr(client.scheduler, "address", "the scheduler")  # it has none when the connection is lost


def _play(
    client: Client, report: OnMessage, player: Player, staging: Path | None, gaps: Gaps
) -> Generator[ShardRecord, None, None]:
    if staging is None:
        raise UsageError(["`engine` dask: needs `out`, a folder that all workers share"])
    if not gaps:
        return
    where = staging.resolve()
    fewest, _ = shard_sizes(player.recipe.laps, 1)
    job = WorkerInput(str(where.parents[1]), str(where), player.recipe.model_dump_json(), fewest, VERSIONS)
    shards = _Shards(client, job, player.recipe, gaps)
    try:
        with lost(client):
            _prepare(client, job, report)
            yield from shards.play()
    finally:  # also when the generator is closed, or Ctrl-C was pressed
        shards.stop(where)


@contextlib.contextmanager
def lost(client: Client) -> Iterator[None]:
    """Raise Unfinished if the connection to the scheduler is lost."""
    try:
        yield
    except UserError:
        raise
    except Exception as e:
        cut_off = isinstance(e, CancelledError) or (isinstance(e, OSError) and not e.errno)  # one of a worker has it
        if client.status == "running" and not cut_off:
            raise
        raise Unfinished(["the connection to the Dask scheduler was lost"]) from None


def _prepare(client: Client, job: WorkerInput, report: OnMessage) -> None:
    """Check every worker, then compile on one worker of each machine."""
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
        address = _address(client)
        raise Unfinished([f"{address}: no worker for {LONELY:.0f} s; start some with: dask worker {address}"]) from None


def _check(client: Client, job: WorkerInput) -> None:
    """Refuse to play if a worker cannot play the run."""
    _refuse(client.run(check, job, on_error="return"))


def _refuse(answers: dict[str, Any]) -> None:
    """Raise UserError if a worker has problems. answers: by worker, a list of problems or an exception raised there."""
    workers = defaultdict(list)
    for address, answer in answers.items():
        if isinstance(answer, OSError):  # it is gone
            continue
        if isinstance(answer, Exception):
            answer = [f"cannot run this ttrsim: {type(answer).__name__}: {answer}; install the same versions as here"]
        for problem in answer:
            workers[problem].append(address)
    if workers:
        raise UserError([f"worker {_several(addresses)}: {problem}" for problem, addresses in workers.items()])


def _several(addresses: Sequence[str]) -> str:
    first, *others = sorted(addresses)
    return f"{first} and {counted(len(others), 'other')}" if others else first


class _Shards:
    """The shards handed out and not yet returned: at most a few per thread."""

    def __init__(self, client: Client, job: WorkerInput, recipe: Recipe, gaps: Gaps) -> None:
        self._client, self._job, self._recipe, self._gaps = client, job, recipe, gaps
        self._running: dict[Future[ShardRecord], range] = {}
        self._finished: SimpleQueue[Future[ShardRecord]] = SimpleQueue()
        self._threads, self._looked = 1, -math.inf

    def play(self) -> Generator[ShardRecord, None, None]:
        """Hand out the missing laps, and yield the records as they come back."""
        while True:
            threads = self._count_threads()
            _, most = shard_sizes(self._recipe.laps, threads)
            while len(self._running) < AHEAD * threads and (laps := take(self._recipe, self._gaps, most)):
                self._hand_out(laps)
            if not self._running:
                return
            record, laps = self._next()
            self._gaps.give_back(range(record.range.stop, laps.stop))
            yield record

    def _count_threads(self) -> int:
        """Return the number of threads of all workers, asking for it every few seconds."""
        if time.monotonic() - self._looked > LOOKING:
            self._threads = max(1, sum(self._client.nthreads().values()))
            self._looked = time.monotonic()
        return self._threads

    def _hand_out(self, laps: range) -> None:
        key = f"ttrsim-{shard_name(laps)}-{uuid.uuid4().hex}"
        future = self._client.submit(play, self._job, laps, key=key, pure=False)
        future.add_done_callback(self._finished.put)
        self._running[future] = laps

    def _next(self) -> tuple[ShardRecord, range]:
        """Return the record of the next shard that comes back and the laps handed out for it.

        The scheduler then forgets the result, as nothing refers to it any more.
        """
        while True:
            try:
                future = self._finished.get(timeout=LOOKING)
            except Empty:
                if self._client.status != "running":
                    raise CancelledError from None
                _await_workers(self._client)
            else:
                laps = self._running.pop(future)
                return self._record(future, laps), laps

    def _record(self, future: "Future[ShardRecord]", laps: range) -> ShardRecord:
        try:
            record: ShardRecord = future.result()
            return record
        except Unfit as e:
            _check(self._client, self._job)  # names the worker
            raise UserError([f"a worker that is gone: {problem}" for problem in e.problems]) from None
        except (UserError, OSError, CancelledError):
            raise
        except KilledWorker as e:
            problem = f"died while playing laps {laps.start} to {laps.stop - 1}; their logs say why"
            raise Unfinished([f"several workers, the last {e.last_worker.address}, {problem}"]) from None
        except Exception as e:
            _check(self._client, self._job)
            problem = f"a shard was not played: {type(e).__name__}: {e}"
            raise UserError([f"{_address(self._client)}: {problem}"]) from None

    def stop(self, staging: Path) -> None:
        """Cancel what is left. Shards being played end soon, because their session's folder is gone."""
        with contextlib.suppress(OSError):
            rename(staging, staging.with_name(f"{staging.name}-ended"))
        deadline = time.monotonic() + STOPPING
        while self._running and (left := deadline - time.monotonic()) > 0 and self._client.status == "running":
            with contextlib.suppress(Empty):
                self._running.pop(self._finished.get(timeout=left), None)
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._client.cancel(list(self._running))

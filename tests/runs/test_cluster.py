"""Runs on a Dask cluster: schedulers, workers and drivers as processes of their own, on the loopback interface."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from conftest import TTRSIM
from distributed import Client
from distributed.comm import Comm, CommClosedError, listen

import ttrsim as package
from runs.making import outcome, store
from ttrsim.errors import UserError
from ttrsim.files import data_folder
from ttrsim.runs.cluster import AHEAD, LOOKING, UNWATCHED, dask_engine
from ttrsim.runs.laps import Gaps
from ttrsim.runs.make import carry_out, opened
from ttrsim.runs.playing import Engine, Player
from ttrsim.runs.recipe import make_recipe
from ttrsim.runs.remote import WorkerInput
from ttrsim.runs.store import Folder

PATIENCE = 60.0
"""Seconds until something that must happen has happened, on however busy a machine."""
ASKING = 0.2
"""Seconds between two questions to a scheduler, which cost it and the test some milliseconds each."""
GAMES = 60_000
"""Enough that a run is still going on when three of its shards are there."""
FEW = ("-n", 2000)
"""For runs that nothing disturbs."""
FRUGAL = {f"DASK_{key.upper().replace('-', '_').replace('.', '__')}": str(value) for key, value in UNWATCHED.items()}
"""Environment in which schedulers and workers do not watch themselves, which is most of what idle ones do."""
SINGLE = ("--no-nanny", "--nthreads", 1, "--memory-limit", 0)
"""Options of a worker of one thread, which does not look how much memory it has."""
OPTIONS = ("--map", "usa", "--players", "random,random_kind", "-n", GAMES, "--seed", 5)


def until(condition: Callable[[], object], pause: float = 0.02) -> None:
    """Wait until a condition holds, checking it every `pause` seconds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(pause)


@contextlib.contextmanager
def dask(*arguments: object, **environment: str) -> Iterator[subprocess.Popen]:
    """Start a scheduler or worker, killed in the end."""
    here = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    command = [sys.executable, "-P", "-m", "dask", *map(str, arguments), *here]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env={**os.environ, **FRUGAL, **environment}, **pipes) as process:
        try:
            yield process
        finally:
            process.kill()


@contextlib.contextmanager
def new_scheduler(folder: Path) -> Iterator[tuple[subprocess.Popen, str]]:
    """Start a scheduler, and yield its process and its address."""
    file = folder / "scheduler.json"
    with dask("scheduler", "--port", 0, "--scheduler-file", file) as process:
        until(lambda: file.exists() and file.read_text("utf-8").endswith("}"), ASKING)
        yield process, json.loads(file.read_text("utf-8"))["address"]


@contextlib.contextmanager
def new_worker(client: Client, name: str, **environment: str) -> Iterator[tuple[subprocess.Popen, str]]:
    """Start a worker of one thread, and yield its process and its address."""
    address = client.scheduler.address
    with dask("worker", address, "--name", name, *SINGLE, **environment) as process:
        until(lambda: name in names(client), ASKING)
        yield process, names(client)[name]
    until(lambda: name not in names(client), ASKING)


@pytest.fixture(scope="module")
def client(tmp_path_factory) -> Iterator[Client]:
    """A look at a scheduler."""
    with (
        new_scheduler(tmp_path_factory.mktemp("scheduler")) as (_, address),
        Client(address, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def worker(client) -> Iterator[str]:
    """The address of a worker that stays."""
    with new_worker(client, "steady") as (_, address):
        yield address


@pytest.fixture
def scheduler(client, worker) -> str:
    """The address of a scheduler with a worker."""
    return client.scheduler.address


def names(client: Client) -> dict[str, str]:
    """Return the workers' addresses."""
    return client.run_on_scheduler(lambda dask_scheduler: {w.name: a for a, w in dask_scheduler.workers.items()})


def tasks(client: Client) -> int:
    return client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    """The run as local threads make it."""
    path = tmp_path_factory.mktemp("undisturbed") / "run"
    store(path, threads=2, games=GAMES)
    return path


def make_player() -> Player:
    return Player(*make_recipe(board="usa", players="random,random_kind", seed=5, games=GAMES))


@contextlib.contextmanager
def engine_on(scheduler: str, folder: Folder, player: Player) -> Iterator[tuple[Engine, Path]]:
    """Yield the engine, and where the shards of a run are written."""
    with dask_engine(scheduler, 0, lambda message: None) as engine, opened(folder, player, resume=True) as staging:
        yield engine, staging


def everything_of(player: Player) -> Gaps:
    return Gaps(range(player.recipe.laps))


def test_lost_worker_changes_no_result_and_nothing_is_published_twice(scheduler, client, undisturbed, tmp_path):
    folder, player = Folder(tmp_path / "run"), make_player()
    published, lost = [], []
    publish = folder.publish

    def note_and_publish(staging, record):
        publish(staging, record)
        published.append(record.range)
        if not lost and len(published) >= 5:
            victim.kill()
            lost.append(sum(map(len, published)))

    folder.publish = note_and_publish
    with new_worker(client, "victim") as (victim, _), engine_on(scheduler, folder, player) as (engine, staging):
        carry_out(player, engine, folder, staging)
    assert lost[0] < player.recipe.laps
    laps = sorted(lap for shard in published for lap in shard)
    assert laps == list(range(player.recipe.laps))
    assert outcome(folder.path) == outcome(undisturbed)


def way_on(err: str) -> list[str]:
    """Return the command that goes on with a run, as it is named; on a busy machine other lines stand before it."""
    hint = re.search(r"^[\d,]+ of 60,000 games finished and kept; continue with: ttrsim (.*)$", err, re.MULTILINE)
    assert hint, err
    return hint[1].split()


def test_dead_scheduler_ends_the_run_which_says_how_to_go_on(undisturbed, tmp_path, ttrsim):
    path = tmp_path / "run"
    with new_scheduler(tmp_path) as (process, scheduler), dask("worker", scheduler, *SINGLE):
        cluster = ("--engine", "dask", "--scheduler", scheduler)
        command = [*TTRSIM, "run", *map(str, OPTIONS), *cluster, "-o", str(path), "--quiet"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as driver:
            until(lambda: len(Folder(path).present()) >= 3)
            process.kill()
            out, err = driver.communicate(timeout=PATIENCE)
    assert (driver.returncode, out) == (1, "")
    assert way_on(err) == ["run", "--resume", "-o", str(path), *cluster]
    assert err.endswith("\nError: the connection to the Dask scheduler was lost\n")
    assert 0 < sum(map(len, Folder(path).present())) < GAMES / 2
    assert ttrsim("run", "--resume", "-o", path, "--quiet").code == 0
    assert outcome(path) == outcome(undisturbed)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signals to a single process")
@pytest.mark.parametrize("end", ["SIGKILL", "SIGINT"])
def test_run_whose_driver_ended_is_resumed_to_the_same_bytes(scheduler, client, undisturbed, tmp_path, ttrsim, end):
    path = tmp_path / "run"
    cluster = ("--engine", "dask", "--scheduler", scheduler)
    command = [*TTRSIM, "run", *map(str, OPTIONS), *cluster, "-o", str(path), "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as driver:
        until(lambda: len(Folder(path).present()) >= 3)
        driver.send_signal(signal.Signals[end])
        out, err = driver.communicate(timeout=PATIENCE)
    assert sum(map(len, Folder(path).present())) < GAMES / 2
    assert (driver.returncode, out) == (130 if end == "SIGINT" else -signal.Signals[end], "")
    if end == "SIGINT":
        assert way_on(err) == ["run", "--resume", "-o", str(path), *cluster]
    resumed = ttrsim("run", "--resume", "-o", path, *cluster)
    assert resumed.code == 0
    assert "\nDask workers: 1 on 1 machine, 1 thread\n" in resumed.err
    assert outcome(path) == outcome(undisturbed)
    assert sorted(p.name for p in path.iterdir()) == sorted(p.name for p in undisturbed.iterdir())


def other_ttrsim(folder: Path, version: str) -> str:
    """Return a copy of ttrsim with this version and another `random`; returns where Python finds it."""
    shutil.copytree(Path(package.__file__).parent, folder / "ttrsim")
    for part in ("maps", "strategies"):
        shutil.copytree(data_folder() / part, folder / part)
    init = folder / "ttrsim" / "__init__.py"
    init.write_text(f'{init.read_text("utf-8")}\n__version__ = "{version}"\n', "utf-8")
    return str(folder)


def test_worker_with_another_ttrsim_is_refused_by_name(scheduler, client, tmp_path, ttrsim):
    cluster = ("--engine", "dask", "--scheduler", scheduler, "-o", tmp_path / "run", "--quiet")
    with new_worker(client, "old", PYTHONPATH=other_ttrsim(tmp_path / "other", "0.0.9")) as (_, address):
        refused = ttrsim("run", *OPTIONS, *FEW, *cluster)
    assert (refused.code, refused.out) == (1, "")
    here = rf"{re.escape(package.__version__)} \(code \w+\)"
    expected = rf"Error: worker {address}: has ttrsim 0\.0\.9 \(code \w+\), not {here}; install .*\n"
    assert re.fullmatch(expected, refused.err)
    assert not Folder(tmp_path / "run").present()
    assert ttrsim("run", "--resume", *cluster).code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of file sizes")
def test_worker_that_cannot_write_to_the_folder_is_named_before_anything_is_compiled(client, worker, tmp_path):

    def allow_no_file() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))

    cache = tmp_path / "cache"
    options = ("--engine", "dask", "--scheduler", client.scheduler.address, "-o", tmp_path / "run", "--quiet")
    with new_worker(client, "full", TTRSIM_CACHE_DIR=str(cache)) as (_, address):
        client.run(allow_no_file, workers=[address])
        environment = {**os.environ, "TTRSIM_CACHE_DIR": str(cache)}
        command = [*TTRSIM, "run", *map(str, OPTIONS), *map(str, options)]
        refused = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    told = f"Error: worker {address}: cannot write to {(tmp_path / 'run').resolve()}: File too large\n"
    assert (refused.returncode, refused.stdout, refused.stderr) == (1, "", told)
    assert not list(cache.rglob("*.nbi"))
    assert not Folder(tmp_path / "run").present()


def test_worker_that_comes_later_is_checked_too(scheduler, client, tmp_path):
    folder, player = Folder(tmp_path / "run"), make_player()
    late = {}

    def join(shares):
        if shares.games and not late:
            late["address"] = stack.enter_context(new_worker(client, "late", PYTHONPATH=elsewhere))[1]

    elsewhere = other_ttrsim(tmp_path / "other", "0.0.9")
    refusal = pytest.raises(UserError)
    with contextlib.ExitStack() as stack, engine_on(scheduler, folder, player) as (engine, staging), refusal as refused:
        carry_out(player, engine, folder, staging, on_shard=join)
    assert refused.value.problems[0].startswith(f"worker {late['address']}: has ttrsim 0.0.9 ")


def test_worker_needs_the_files_of_the_run_and_no_others(scheduler, worker, tmp_path):
    """It plays by the copies in the run's folder where its own files are others, and is refused if these are too."""
    bot = tmp_path / "bot.py"
    text = (data_folder() / "strategies" / "random.py").read_text("utf-8")
    bot.write_text(text, "utf-8")
    player = Player(*make_recipe(board="usa", players=f"{bot},random", seed=5, games=2000))
    bot.write_text(text + "\nCHANGED = 1\n", "utf-8")
    folder, copy = Folder(tmp_path / "run"), tmp_path / "run" / "strategies" / "0_bot.py"
    with engine_on(scheduler, folder, player) as (engine, staging):
        played = engine(player, staging, everything_of(player))
        assert next(played).range.start == 0
        played.close()
    with engine_on(scheduler, folder, player) as (engine, staging):
        copy.write_text(text + "\nCHANGED = 2\n", "utf-8")
        played = engine(player, staging, everything_of(player))
        with pytest.raises(UserError) as refused, contextlib.closing(played):
            next(played)
    problem = f"{copy}: is missing, or is not the strategy of the run; restore the file, or {bot} as it was"
    assert refused.value.problems == [f"worker {worker}: {problem}"]


def test_folder_that_a_worker_does_not_see_is_told(scheduler, worker, tmp_path, monkeypatch):
    folder, player = Folder(tmp_path / "run"), make_player()
    elsewhere = str(tmp_path / "elsewhere")
    monkeypatch.setattr(
        "ttrsim.runs.cluster.WorkerInput", lambda path, staging, *others: WorkerInput(path, elsewhere, *others)
    )
    with engine_on(scheduler, folder, player) as (engine, staging), pytest.raises(UserError) as refused:
        carry_out(player, engine, folder, staging)
    told = f"does not see {elsewhere}: all machines must share the folder of the run, under the same path"
    assert refused.value.problems == [f"worker {worker}: {told}"]


def test_few_shards_are_handed_out_and_workers_are_counted_every_few_seconds(scheduler, client, tmp_path, monkeypatch):
    folder, player = Folder(tmp_path / "run"), make_player()
    gaps = Gaps(
        range(player.recipe.laps), [range(lap, lap + 1) for lap in range(1, player.recipe.laps, 2)]
    )  # every other
    asked, nthreads = [], Client.nthreads
    monkeypatch.setattr(Client, "nthreads", lambda client: (asked.append(time.monotonic()), nthreads(client))[1])
    with engine_on(scheduler, folder, player) as (engine, staging):
        played = engine(player, staging, gaps)
        for _ in range(40):
            next(played)
            assert tasks(client) <= AHEAD
        played.close()
    until(lambda: not tasks(client))
    assert len(asked) == 2 or min(b - a for a, b in pairwise(asked[1:])) > LOOKING


def test_without_a_scheduler_it_starts_a_cluster_on_this_machine(undisturbed, tmp_path, ttrsim):
    ended = ttrsim("run", *OPTIONS, "--engine", "dask", "-j", 2, "-o", tmp_path / "run")
    assert ended.code == 0
    assert "\nDask workers: 2 on 1 machine, 2 threads\n" in ended.err
    assert outcome(tmp_path / "run") == outcome(undisturbed)


@pytest.mark.parametrize("listens", [True, False])
def test_address_without_a_scheduler_is_told_within_seconds(tmp_path, ttrsim, monkeypatch, listens):
    monkeypatch.setattr("ttrsim.runs.cluster.CONNECTING", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        if not listens:
            server.close()
        ended = ttrsim("run", *OPTIONS, "--engine", "dask", "--scheduler", address, "-o", tmp_path / "run", "--quiet")
    assert (ended.code, ended.out) == (1, "")
    assert re.fullmatch(rf"Error: --scheduler {address}: no Dask scheduler answers there.*\n", ended.err)
    assert not (tmp_path / "run").exists()


@contextlib.contextmanager
def dying_scheduler() -> Iterator[str]:
    """Yield the address of what accepts clients, hears what they want, and dies."""

    async def hang_up(comm: Comm) -> None:
        with contextlib.suppress(CommClosedError):  # who only greets says nothing
            await comm.read()
        comm.abort()

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    listener = asyncio.run_coroutine_threadsafe(_listening(hang_up), loop).result()
    try:
        yield listener.contact_address
    finally:
        loop.call_soon_threadsafe(listener.stop)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _listening(handler: Callable[[Comm], Awaitable[None]]) -> Any:
    return await listen("tcp://127.0.0.1:0", handler)


def test_scheduler_that_dies_while_a_client_connects_is_named_in_plain_words(tmp_path, ttrsim):
    with dying_scheduler() as address:
        ended = ttrsim("run", *OPTIONS, "--engine", "dask", "--scheduler", address, "-o", tmp_path / "run", "--quiet")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"Error: {address}: no Dask scheduler answers there\n"
    assert not (tmp_path / "run").exists()


def test_scheduler_without_workers_is_told(tmp_path, ttrsim, monkeypatch):
    monkeypatch.setattr("ttrsim.runs.cluster.LONELY", 1.0)
    with new_scheduler(tmp_path) as (_, scheduler):
        options = ("--engine", "dask", "--scheduler", scheduler, "-o", tmp_path / "run", "--quiet")
        ended = ttrsim("run", *OPTIONS, *options)
    assert (ended.code, ended.out) == (1, "")
    assert way_on(ended.err) == ["run", "--resume", "-o", str(tmp_path / "run"), *options[:4]]
    told = f"Error: {scheduler}: no worker for 1 s; start some with: dask worker {scheduler}\n"
    assert ended.err.endswith(told)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--engine", "dask"), "--engine dask: needs -o, a folder that all workers share"),
        (("--engine", "dask", "--scheduler", "x", "-o", "run"), "--scheduler x: write it as tcp://host:8786"),
        (("--engine", "dask", "--scheduler", "", "-o", "run"), "--scheduler : write it as tcp://host:8786"),
        (("--engine", "dask", "--scheduler", "a:1", "-j", 2, "-o", "run"), "-j 2: has no effect with --scheduler"),
        (("--scheduler", "tcp://127.0.0.1:8786"), "--scheduler tcp://127.0.0.1:8786: needs --engine dask"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(tmp_path, ttrsim, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    ended = ttrsim("run", *OPTIONS, *options, "--quiet")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"Error: {message}")
    assert ended.err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_missing_extra_is_told_in_a_line_and_not_missed_without_it(tmp_path, ttrsim, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)  # as if it were not installed
    monkeypatch.delitem(sys.modules, "ttrsim.runs.cluster")
    ended = ttrsim("run", *OPTIONS, "--engine", "dask", "-o", tmp_path / "run", "--quiet")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == "Error: --engine dask: needs distributed: pip install 'ttrsim[cluster]'\n"
    assert ttrsim("run", *OPTIONS, *FEW, "-o", tmp_path / "run", "--quiet").code == 0

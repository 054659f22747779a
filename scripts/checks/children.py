"""Commands, schedulers and workers as processes that are forked from this one, which has all loaded that they need."""

import json
import os
import pickle
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

PATIENCE = 300.0
"""Seconds until a process must have ended."""
BROKEN = 70
"""Exit code of a process that ended by an exception."""
ANYWHERE = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]

Result = TypeVar("Result")


class Hangs(Exception):
    """A process that must have ended goes on."""


@dataclass
class Child:
    """A process, and the file of what it says, which has no name."""

    pid: int
    log: IO[bytes]
    code: int | None = None  # None while it runs; negative: the signal that ended it

    @property
    def running(self) -> bool:
        """Return whether it is still running."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.code = os.waitstatus_to_exitcode(status) if pid else None
        return self.code is None

    def kill(self) -> bool:
        """Kill it, and return whether it was that which ended it."""
        if self.running:
            os.kill(self.pid, signal.SIGKILL)
            self.wait()
        return self.code == -signal.SIGKILL

    def wait(self) -> int:
        """Return its exit code when it has ended."""
        deadline = time.monotonic() + PATIENCE
        while self.running:
            if time.monotonic() > deadline:
                os.kill(self.pid, signal.SIGKILL)
                raise Hangs(f"it did not end within {PATIENCE:.0f} s, having said: {self.said}")
            time.sleep(0.005)
        return self.code or 0

    @property
    def said(self) -> str:
        """Return the output of the process, from stdout or stderr."""
        written = self.log.fileno()  # whose place in the file the process shares
        return os.pread(written, os.fstat(written).st_size, 0).decode("utf-8", errors="replace")


def fork(work: Callable[[], int | None]) -> Child:
    """Do some work in a process of its own."""
    log = tempfile.TemporaryFile()  # noqa: SIM115 - it is open as long as the Child is there
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return Child(pid, log)
    code = BROKEN
    try:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        code = work() or 0
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def command(words: Sequence[object]) -> Child:
    """Start a ttrsim command."""
    from ttrsim.cli import main

    return fork(lambda: main([*map(str, words)]))


def ended(words: Sequence[object]) -> Child:
    """Return a ttrsim command that has come to its end."""
    child = command(words)
    child.wait()
    return child


def result_of(work: Callable[[], Result]) -> Result:
    """Return what a function returns in a process of its own: libraries start threads, with which nothing can fork."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "result"
        child = fork(lambda: file.write_bytes(pickle.dumps(work())) and 0)
        if child.wait():
            raise RuntimeError(child.said)
        result: Result = pickle.loads(file.read_bytes())
        return result


class Cluster:
    """A Dask scheduler and its workers, of one thread each."""

    def __init__(self, workers: int) -> None:
        self._folder = tempfile.TemporaryDirectory()
        file = Path(self._folder.name) / "scheduler.json"
        self.scheduler = fork(lambda: _dask("scheduler", "--port", "0", "--scheduler-file", file, *ANYWHERE))
        deadline = time.monotonic() + PATIENCE
        while not file.exists() or not file.read_text("utf-8").endswith("}"):
            if not self.scheduler.running or time.monotonic() > deadline:
                raise Hangs(f"no scheduler starts: {self.scheduler.said}")
            time.sleep(0.05)
        self.address = json.loads(file.read_text("utf-8"))["address"]
        self.workers = [self._worker() for _ in range(workers)]

    def _worker(self) -> Child:
        local = ["--no-nanny", "--nthreads", "1", "--local-directory", self._folder.name]
        return fork(lambda: _dask("worker", self.address, *local, *ANYWHERE))

    def kill_worker(self, number: int) -> bool:
        """Kill a worker, let another take its place, and return whether it had not ended before."""
        killed, self.workers[number] = self.workers[number].kill(), self._worker()
        return killed

    def end(self) -> None:
        """End all of it."""
        for child in (*self.workers, self.scheduler):
            child.kill()
        self._folder.cleanup()


def _dask(what: str, *words: Any) -> None:
    from distributed.cli import dask_scheduler, dask_worker

    program = {"scheduler": dask_scheduler, "worker": dask_worker}[what]
    program.main([*map(str, words)], standalone_mode=False)

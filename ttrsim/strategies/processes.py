"""Run a job in a separate Python process, which can have another environment and may hang or crash."""

import importlib
import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import IO, Any

STARTING = 600.0
"""Seconds that a process may be silent before its first message, because it may have to compile."""
CHILD = "from ttrsim.strategies.processes import serve; serve()"


class Silent(Exception):
    """The process was silent for too long."""


class Died(Exception):
    """The process ended before its job was done. The message has the end of its stderr."""


def talk(job: str, request: object, patience: float, **environment: str) -> Iterator[Any]:
    """Call a job in another process and yield the messages that it sends.

    job: "module:function", called with the request and a function that sends messages. patience: seconds that it may
    be silent after the first message.
    """
    with tempfile.TemporaryFile() as stderr:
        command = [sys.executable, "-P", "-c", CHILD]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": stderr}
        with subprocess.Popen(command, env={**os.environ, **environment}, **pipes) as child:
            try:
                yield from _conversation(child, (job, request), patience, stderr)
            finally:
                child.kill()


def _conversation(
    child: "subprocess.Popen[bytes]", task: tuple[str, object], patience: float, stderr: IO[bytes]
) -> Iterator[Any]:
    assert child.stdin is not None
    messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(child.stdout, messages), daemon=True).start()
    seconds = STARTING
    try:
        pickle.dump(task, child.stdin)
        child.stdin.close()
    except OSError:  # it died at once; its messages and stderr say why
        pass
    while True:
        try:
            label, message = messages.get(timeout=seconds)
        except queue.Empty:
            raise Silent from None
        if label == "done":
            return
        if label == "end":
            code = child.wait()
            stderr.seek(0)
            raise Died(f"exit code {code}: {stderr.read().decode(errors='replace').strip()[-500:]}")
        yield message
        seconds = patience


def _listen(pipe: IO[bytes], messages: "queue.SimpleQueue[Any]") -> None:
    """Put everything that comes through the pipe, pairs of a label and a message, into the queue."""
    try:
        while True:
            messages.put(pickle.load(pipe))
    except (EOFError, OSError, ValueError, pickle.UnpicklingError):
        messages.put(("end", None))


def serve() -> None:
    """Do one job; runs in the other process."""
    with os.fdopen(os.dup(1), "wb") as pipe:
        os.dup2(2, 1)  # what a strategy prints must not end up among the messages

        def send(message: object, label: str = "message") -> None:
            pickle.dump((label, message), pipe)
            pipe.flush()

        job, request = pickle.load(sys.stdin.buffer)
        module, _, name = job.partition(":")
        function: Callable[[Any, Callable[[object], None]], None] = getattr(importlib.import_module(module), name)
        function(request, send)
        send(None, "done")

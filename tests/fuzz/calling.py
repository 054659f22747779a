"""The command line called with anything, and what it promises whatever that was."""

import contextlib
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from conftest import Ended
from hypothesis import HealthCheck, settings

from ttrsim.cli import main

MORE = int(os.environ.get("TTRSIM_FUZZ", "0"))
"""The factor for the number of examples are tried, which then are others each time; 0: the usual ones."""
SECONDS = 120
"""Of the processor: no command of these tests should take nearly so long, also if the game must be compiled first."""


def examples(number: int) -> Callable[[Any], Any]:
    """Return settings of a test with this many examples, always the same unless more are requested."""
    return settings(
        max_examples=number * max(MORE, 1),
        derandomize=not MORE,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


class TooLong(BaseException):
    """A command that does not come to its end; no part of ttrsim catches this."""


def call(*arguments: object) -> Ended:
    """Return the command line with these arguments, and with streams that take UTF-8 as those of a terminal do."""
    out, err = _stream("strict"), _stream("backslashreplace")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _watched():
        code = main([str(a) for a in arguments])
    return Ended(code, _text(out), _text(err))


def _stream(errors: str) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", errors=errors, newline="\n", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8", "backslashreplace")  # type: ignore[attr-defined]


@contextlib.contextmanager
def _watched() -> Iterator[None]:
    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return

    def late(number: int, frame: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def check(ended: Ended, arguments: tuple[object, ...], codes: tuple[int, ...] = (0, 1, 2, 3)) -> None:
    """Check that a command ended with a documented code and, unless it is 0 or 3, with errors of a line each."""
    told = f"{arguments} ended with {ended.code}\n{ended.err[-2000:]}"
    assert ended.code in codes, told
    assert "Traceback (most recent" not in ended.out + ended.err, told
    if ended.code in (1, 2) and "\nCommands:\n" not in ended.err:  # a group without a command prints its help
        lines = ended.err.splitlines()
        first = next((i for i, line in enumerate(lines) if line.startswith("Error: ")), None)
        assert first is not None, told
        assert all(line.startswith("Error: ") for line in lines[first:]), told
        assert all(len(line) > len("Error: ") + 5 and not line.endswith(": None") for line in lines[first:]), told


def promised(*arguments: object, codes: tuple[int, ...] = (0, 1, 2, 3)) -> Ended:
    """Return the command, called and checked."""
    ended = call(*arguments)
    check(ended, arguments, codes)
    return ended


@contextlib.contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Work in a folder, in which commands may leave what they like."""
    before, recursion = Path.cwd(), sys.getrecursionlimit()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        assert sys.getrecursionlimit() == recursion


def places_in(told: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in JSON, as what holds it and the key."""
    for key in told if isinstance(told, dict) else range(len(told)):
        yield told, key
        if isinstance(told[key], dict | list):
            yield from places_in(told[key])

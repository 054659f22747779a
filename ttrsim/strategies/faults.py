"""Find out what goes wrong when a strategy is run or compiled, and report it in one message with file and line.

Compiled code names no lines and cannot be interrupted. Plain Python does and can, but is about a hundred times slower.
So decisions are made again in plain Python, in a process of its own.
"""

import ast
import hashlib
import importlib
import os
import re
import sys
import threading
import time
import traceback
import types
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.core import constants as c
from ttrsim.core import records
from ttrsim.core.records import BOARD, GAME, HAND, MIND, ROOM, TABLE, record
from ttrsim.errors import did_you_mean
from ttrsim.strategies.allowed import WRITING_HINT, record_name, unknown_field
from ttrsim.strategies.processes import Died, Silent, talk
from ttrsim.strategies.source import Source, StrategyError, at, param_places

TRIAL = 10.0
"""Seconds of uncompiled play to find the real exception behind numba's message."""
PLACE = re.compile(r'File "([^"]+)", line (\d+)|at (.+?) \((\d+)\)')
"""Pattern of places in numba's messages."""
HINTS = {
    r"NRT required|Only accept returning of array|reflected list|DictType|unicode_type|\blist\(|\bset\(": (
        "makes a list, a dict, a string or an array, which is impossible during a game: use a tuple, "
        "a set as the bits of a number, or mind.memory"
    ),
    r"array index type float64": "an index is a fraction: use // or int(…)",
    r"Cannot unify": "a name has values of different types: use two names",
    r"missing a required argument|too many positional|unexpected keyword": "these are not the arguments that it takes",
    r"nestedarray.*to int64": "returns an array, not an action",
}
"""Meanings of numba's messages, by pattern, the most specific first."""


def running_fault(source: Source, error: Exception) -> StrategyError:
    """Return the error of a file that fails when it runs as a module."""
    line = exception_place(source, error)[0] or 1
    return StrategyError([at(source.path, line, f"fails when it is loaded: {exception_words(error)}")])


def exception_place(source: Source, error: BaseException) -> tuple[int | None, str | None]:
    """Return the innermost line and function of this file in which an exception occurred."""
    path = str(source.path.resolve())
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return (frames[-1].lineno, frames[-1].name) if frames else (None, None)


def exception_words(error: BaseException) -> str:
    """Put an exception into words, with a remedy where one is known."""
    if isinstance(error, AttributeError) and isinstance(error.obj, np.record):
        return unknown_field(record_name(error.obj.dtype), str(error.name), error.obj.dtype)
    if isinstance(error, ImportError):
        return _import_words(error)
    if "read-only" in str(error):
        return f"changes what it is shown: {WRITING_HINT}"
    text = str(error)
    if isinstance(error, RuntimeWarning):  # numpy's; compiled code says nothing
        return f"{text}; compiled code would continue with inf, nan or a meaningless number"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _import_words(error: ImportError) -> str:
    wanted = re.search(r"cannot import name '(\w+)' from '([\w.]+)'", str(error))
    if not wanted:
        return str(error)
    return f"{wanted[2]} has no {wanted[1]!r}{did_you_mean(wanted[1], dir(importlib.import_module(wanted[2])))}"


def compile_fault(source: Source, error: Exception) -> StrategyError:
    """Return the error of a file that numba cannot compile: the exception of plain Python, or numba's message."""
    fault = first_fault(source.path, source.text, tuple(p.default for p in source.params), TRIAL)
    if fault is not None and fault.line and not fault.endless:
        return StrategyError([at(source.path, fault.line, f"{fault.function}: {fault.problem}")])
    return StrategyError([_numba_words(source, error)])


def _numba_words(source: Source, error: Exception) -> str:
    if isinstance(error, KeyError):  # how numba reports a missing field of a record
        return _field_words(source, str(error.args[0]))
    message = str(error)
    lines = [text.strip() for text in message.splitlines()]
    essence = next((text for text in lines if text and "pipeline (step" not in text), type(error).__name__)
    hint = next((words for pattern, words in HINTS.items() if re.search(pattern, message)), "cannot be compiled")
    return at(source.path, _numba_line(source.path, message) or 1, f"{hint} (numba: {_cut(essence)})")


def _cut(text: str) -> str:
    text = re.sub(r"Record\(.*\)", "a record", text)
    return text if len(text) < 160 else text[:150] + " …"


def _field_words(source: Source, field: str) -> str:
    """Say that a record has no such field. The types do not show which record, so similar fields of all are named."""
    places = [n for n in ast.walk(source.tree) if isinstance(n, ast.Attribute) and n.attr == field]
    line = places[0].lineno if places else 1
    owner = ast.unparse(places[0].value) if places else "a record"
    known = {n for r in (records.BOARD, records.TABLE, records.HAND, records.MIND, records.WORK) for n in r.names or ()}
    return at(source.path, line, f"{owner} has no field {field!r}{did_you_mean(field, known)}")


def _numba_line(path: Path, message: str) -> int | None:
    """Return the first line of the file that numba's message names, which is the innermost place."""
    for match in PLACE.finditer(message):
        if Path(match[1] or match[3]).name == path.name:
            return int(match[2] or match[4])
    return None


Array = npt.NDArray[Any]
Send = Callable[[object], None]

DECISION = record(("board", BOARD), ("table", TABLE), ("hand", HAND), ("mind", MIND))
"""A decision to be made, with everything that the strategy may look at."""

LEAST, PATIENCE = 12, 10.0
"""The decisions that are made again however little time there is (more than there are phases), and the seconds that
each of them may take: even a busy machine must check something."""
GRACE = 60.0
"""Seconds beyond its time after which a process is abandoned; it should have ended by itself by then."""


@dataclass(frozen=True)
class Fault:
    """A fault of a strategy."""

    line: int | None  # of its file
    function: str | None
    problem: str  # the exception in words, or that it never ends
    seat: int = 0
    turn: int = 0  # turns that ended before
    phase: int = c.TURN
    endless: bool = False


@dataclass(frozen=True)
class Choice:
    """The choice of a strategy."""

    action: int
    mind: bytes  # `digest` of its mind afterwards


def pack(decision: Array) -> bytes:
    """Compress a DECISION, an array of one; most of it is zeros."""
    return zlib.compress(decision.tobytes(), 1)


def unpack(packed: bytes) -> Array:
    """Return the DECISION, a read-only array of one."""
    return np.frombuffer(zlib.decompress(packed), DECISION)


def digest(mind: Any) -> bytes:
    """Hash what a strategy keeps in its mind, without the kit's working space."""
    return hashlib.sha256(b"".join(np.asarray(mind[name]).tobytes() for name in ("rng", "params", "memory"))).digest()


def choices(
    path: Path, text: str, decisions: Sequence[bytes], seconds: float, patience: float = PATIENCE
) -> Iterator[Choice | Fault]:
    """Yield what the strategy chooses in packed DECISIONs, up to the first fault.

    seconds: for all but the first few of them, each of which may take `patience` seconds. The decision during
    which time runs out counts as endless.
    """
    yield from _ask("make_decisions", (path, text, decisions, seconds, patience), seconds)


def first_fault(path: Path, text: str, params: tuple[float, ...], seconds: float) -> Fault | None:
    """Find the first fault in uncompiled games of the strategy with itself, within this many seconds."""
    return next(_ask("play_games", (path, text, params, seconds), seconds), None)


def _ask(job: str, request: tuple[Any, ...], seconds: float) -> Iterator[Any]:
    """Yield what the other process sends, except None."""
    try:
        for message in talk(f"{__name__}:{job}", request, seconds + GRACE, NUMBA_DISABLE_JIT="1"):
            if message is not None:
                yield message
    except (Silent, Died):  # then nothing can be learnt from it
        return


# Everything below runs in the other process.


def make_decisions(request: tuple[Path, str, Sequence[bytes], float, float], send: Send) -> None:
    """Send None at the beginning, then a Choice for each decision; end with the first Fault."""
    path, text, decisions, seconds, patience = request
    strategy = _Timed(path, text, send)
    _raise_warnings()
    send(None)
    end = time.monotonic() + seconds
    for number, array in enumerate(map(unpack, decisions)):
        decision, mind = array[0], array["mind"].copy()
        left = max(end - time.monotonic(), patience if number < LEAST else 0)
        outcome = strategy.ask(decision.board, decision.table, decision.hand, mind[0], left)
        send(outcome if isinstance(outcome, Fault) else Choice(outcome, digest(mind)))
        if isinstance(outcome, Fault):
            return


def _raise_warnings() -> None:
    """Turn numpy's warnings about a strategy's own lines, such as a division by zero, into exceptions.

    Except for overflow of single numbers: random streams and hashes rely on it in 64-bit words.
    """
    warnings.filterwarnings("error", category=RuntimeWarning, module="ttrsim_strategy_")
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)


def play_games(request: tuple[Path, str, tuple[float, ...], float], send: Send) -> None:
    """Play on several boards until time runs out or something goes wrong; send the fault."""
    path, text, params, seconds = request
    strategy = _Timed(path, text, send)
    send(None)
    end = time.monotonic() + seconds
    for name in ("usa", "europe", "old_west:alvin", "san_francisco"):
        fault = _play(strategy, name, params, end)
        if fault:
            send(fault)
        if fault or time.monotonic() > end:
            return


def _play(strategy: "_Timed", board_name: str, params: tuple[float, ...], end: float) -> Fault | None:
    """Play one game of the strategy with itself."""
    from ttrsim.boards import load_board
    from ttrsim.core.apply import apply
    from ttrsim.core.deal import deal
    from ttrsim.core.play import ready_minds
    from ttrsim.encode import encode_board

    board = encode_board(load_board(board_name))
    game, minds = np.zeros(1, GAME)[0], np.zeros(c.SEATS, MIND)
    values = np.zeros((1, c.PARAMS))
    values[0, param_places(strategy.source.params)] = params
    deal(board, game, np.uint64(0), 0, 2)
    ready_minds(game, minds, values, [0, 0])
    while game.table.phase != c.OVER and time.monotonic() < end:
        seat = int(game.table.seat)
        outcome = strategy.ask(board, game.table, game.hands[seat], minds[seat], end - time.monotonic())
        if isinstance(outcome, Fault):
            return outcome
        if not apply(board, game, outcome):
            return None
    return None


class _Timed:
    """Calls a strategy's function with a time limit and turns what goes wrong into a Fault."""

    def __init__(self, path: Path, text: str, send: Send) -> None:
        from ttrsim.strategies.building import build
        from ttrsim.strategies.source import read_source

        self.source, self.send = read_source(path, text), send
        self.function = build(path, text, guarded=False)  # without copies: the records it gets are read-only here

    def ask(self, board: Any, table: Any, hand: Any, mind: Any, patience: float) -> int | Fault:
        """Return the strategy's action, or its fault. If it takes too long, send that and end the process."""

        with self._watched(patience, table):
            try:
                action: Any = self.function(board, table, hand, mind, np.zeros(1, ROOM)[0])
            except Exception as e:
                return self._fault(table, *exception_place(self.source, e), exception_words(e))
        if not isinstance(action, int | np.integer) or isinstance(action, bool):
            from ttrsim.strategies.mistakes import WHOLE_NUMBER_HINT

            name = self.source.answers(int(table.phase))
            function = self.source.functions.get(name)
            line = function.lineno if function else None
            return self._fault(table, line, name, f"returned {action!r}: {WHOLE_NUMBER_HINT}")
        return int(action)

    def _fault(self, table: Any, line: int | None, function: str | None, problem: str, endless: bool = False) -> Fault:
        return Fault(line, function, problem, int(table.seat), int(table.turn), int(table.phase), endless)

    @contextmanager
    def _watched(self, patience: float, table: Any) -> Iterator[None]:
        """Have another thread send where the strategy is, and end the process, if this takes too long."""
        main, lock, done = threading.get_ident(), threading.Lock(), threading.Event()

        def give_up() -> None:
            with lock:
                if done.is_set():
                    return
                place = _place_of(sys._current_frames()[main], str(self.source.path.resolve()))
                self.send(self._fault(table, *place, f"has not ended after {patience:.0f} s", endless=True))
                os._exit(0)

        timer = threading.Timer(max(patience, 0), give_up)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            with lock:  # either an action is sent or that there is none, never both
                done.set()
            timer.cancel()


def _place_of(frame: types.FrameType | None, file: str) -> tuple[int | None, str | None]:
    """Return line and function of the innermost frame that runs the file."""
    while frame is not None:
        if frame.f_code.co_filename == file:
            return frame.f_lineno, frame.f_code.co_name
        frame = frame.f_back
    return None, None

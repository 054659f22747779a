"""A strategy's decisions taken again in plain Python, in a process of its own, in which mistakes come to light.

Compiled code tells no lines and cannot be interrupted. Plain Python does and can, but is some hundred times as slow.
"""

import hashlib
import os
import sys
import threading
import time
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
from ttrsim.core.records import BOARD, GAME, HAND, MIND, ROOM, TABLE, record
from ttrsim.strategies.processes import Died, Silent, talk

Array = npt.NDArray[Any]
Send = Callable[[object], None]

DECISION = record(("board", BOARD), ("table", TABLE), ("hand", HAND), ("mind", MIND))
"""A decision that is wanted, with everything that the strategy may look at."""

LEAST, PATIENCE = 12, 10.0
"""So many decisions are taken again whatever the time, more than there are phases, if each takes no longer than so many
seconds: on a busy machine, too, something must be looked at."""
GRACE = 60.0
"""Seconds beyond its time after which a process is abandoned; it should have ended by itself before."""


@dataclass(frozen=True)
class Fault:
    """A fault of a strategy."""

    line: int | None  # of its file
    function: str | None
    problem: str  # the exception in words, or that there is no end
    seat: int = 0
    turn: int = 0  # turns ended before
    phase: int = c.TURN
    endless: bool = False


@dataclass(frozen=True)
class Answer:
    """An answer of a strategy."""

    action: int
    mind: bytes  # `digest` of its mind afterwards


def pack(decision: Array) -> bytes:
    """Return a DECISION, an array of one, as few bytes: most of it is zeros."""
    return zlib.compress(decision.tobytes(), 1)


def unpack(packed: bytes) -> Array:
    """Return the DECISION, an array of one, as read-only."""
    return np.frombuffer(zlib.decompress(packed), DECISION)


def digest(mind: Any) -> bytes:
    """Return a hash of what a strategy keeps in its mind, without the kit's working space."""
    return hashlib.sha256(b"".join(np.asarray(mind[name]).tobytes() for name in ("rng", "params", "memory"))).digest()


def answers(
    path: Path, text: str, decisions: Sequence[bytes], seconds: float, patience: float = PATIENCE
) -> Iterator[Answer | Fault]:
    """Yield the strategy's answers to packed DECISIONs, up to the first fault.

    seconds: for all but the first few of them, each of which may take `patience` seconds; the decision at which time is
    up is an endless fault.
    """
    yield from _ask("answer_decisions", (path, text, decisions, seconds, patience), seconds)


def first_fault(path: Path, text: str, params: tuple[float, ...], seconds: float) -> Fault | None:
    """Find the first fault in uncompiled games of the strategy with itself, within this many seconds."""
    return next(_ask("play_games", (path, text, params, seconds), seconds), None)


def _ask(job: str, request: tuple[Any, ...], seconds: float) -> Iterator[Any]:
    """Yield what the other process sends, except None."""
    try:
        for message in talk(f"{__name__}:{job}", request, seconds + GRACE, NUMBA_DISABLE_JIT="1"):
            if message is not None:
                yield message
    except (Silent, Died):  # then there is nothing to be learnt from it
        return


# What follows runs in the other process.


def answer_decisions(request: tuple[Path, str, Sequence[bytes], float, float], send: Send) -> None:
    """Send None at the beginning, then an Answer for each decision, and end with the first Fault."""
    path, text, decisions, seconds, patience = request
    strategy = _Guarded(path, text, send)
    _mind_warnings()
    send(None)
    end = time.monotonic() + seconds
    for number, array in enumerate(map(unpack, decisions)):
        decision, mind = array[0], array["mind"].copy()
        left = max(end - time.monotonic(), patience if number < LEAST else 0)
        outcome = strategy.ask(decision.board, decision.table, decision.hand, mind[0], left)
        send(outcome if isinstance(outcome, Fault) else Answer(outcome, digest(mind)))
        if isinstance(outcome, Fault):
            return


def _mind_warnings() -> None:
    """Let numpy's warnings of a strategy's own lines, as of a division by zero, be exceptions.

    But not of overflow of single numbers: for 64-bit words, in which chance and hashes are reckoned, it is meant.
    """
    warnings.filterwarnings("error", category=RuntimeWarning, module="ttrsim_strategy_")
    warnings.filterwarnings("ignore", "overflow encountered in scalar", RuntimeWarning)


def play_games(request: tuple[Path, str, tuple[float, ...], float], send: Send) -> None:
    """Play on several boards until time is up or something goes wrong; send what."""
    path, text, params, seconds = request
    strategy = _Guarded(path, text, send)
    send(None)
    end = time.monotonic() + seconds
    for name in ("usa", "europe", "old_west:alvin", "san_francisco"):
        fault = _play(strategy, name, params, end)
        if fault:
            send(fault)
        if fault or time.monotonic() > end:
            return


def _play(strategy: "_Guarded", board_name: str, params: tuple[float, ...], end: float) -> Fault | None:
    """Play one game of the strategy with itself."""
    from ttrsim.boards import load_board
    from ttrsim.core.apply import apply
    from ttrsim.core.deal import deal
    from ttrsim.core.play import ready_minds
    from ttrsim.encode import encode_board

    board = encode_board(load_board(board_name))
    game, minds = np.zeros(1, GAME)[0], np.zeros(c.SEATS, MIND)
    values = np.zeros((1, c.PARAMS))
    values[0, : len(params)] = params
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


class _Guarded:
    """The strategy's function, called under guard."""

    def __init__(self, path: Path, text: str, send: Send) -> None:
        from ttrsim.strategies.building import build
        from ttrsim.strategies.source import read_source

        self.source, self.send = read_source(path, text), send
        self.function = build(path, text, guarded=False)  # without copies: what is shown cannot be written to

    def ask(self, board: Any, table: Any, hand: Any, mind: Any, patience: float) -> int | Fault:
        """Return the strategy's answer, or its fault. If it takes too long, send that and end the process."""
        from ttrsim.strategies.faults import exception_place, exception_words

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
        """If this takes longer than it may, another thread sends where the strategy is and ends the process."""
        main, lock, done = threading.get_ident(), threading.Lock(), threading.Event()

        def give_up() -> None:
            with lock:
                if done.is_set():
                    return
                place = _place_of(sys._current_frames()[main], str(self.source.path.resolve()))
                self.send(self._fault(table, *place, f"is still at it after {patience:.0f} s", endless=True))
                os._exit(0)

        timer = threading.Timer(max(patience, 0), give_up)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            with lock:  # an answer is sent, or that there is none, never both
                done.set()
            timer.cancel()


def _place_of(frame: types.FrameType | None, file: str) -> tuple[int | None, str | None]:
    """Return line and function of the innermost frame that runs the file."""
    while frame is not None:
        if frame.f_code.co_filename == file:
            return frame.f_lineno, frame.f_code.co_name
        frame = frame.f_back
    return None, None

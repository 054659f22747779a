"""A strategy's decisions taken again in a process of its own, in which mistakes come to light.

Compiled code has no bounds checks, tells no lines and cannot be interrupted. Plain Python does and can, but is some
hundred times as slow; compiled with bounds checks a strategy is nearly as fast, but tells no lines.
"""

import hashlib
import os
import sys
import threading
import time
import types
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
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
"""A decision that is wanted, with all that the strategy may look at."""

PLAIN, CHECKED = {"NUMBA_DISABLE_JIT": "1"}, {"NUMBA_BOUNDSCHECK": "1"}
"""Environments in which strategies run as plain Python, or are compiled with bounds checks."""
PATIENCE = 600.0
"""Seconds after which a process is given up that should have given itself up before."""


@dataclass(frozen=True)
class Fault:
    """What a strategy did wrong."""

    line: int | None  # of its file
    function: str | None
    problem: str  # the exception in words, or that there is no end
    seat: int = 0
    turn: int = 0  # turns ended before
    phase: int = c.TURN
    endless: bool = False


@dataclass(frozen=True)
class Answer:
    """What a strategy answered."""

    action: int
    mind: bytes  # digest of what it then was


def pack(decision: Array) -> bytes:
    """A DECISION, array of one, as few bytes: most of it are zeros."""
    return zlib.compress(decision.tobytes(), 1)


def unpack(packed: bytes) -> Array:
    """The DECISION, array of one, which cannot be changed."""
    return np.frombuffer(zlib.decompress(packed), DECISION)


def digest(mind: Any) -> bytes:
    """Equal for equal minds."""
    return hashlib.sha256(mind.tobytes()).digest()


def answers(
    path: Path, text: str, decisions: Sequence[bytes], patience: float, how: Mapping[str, str] = PLAIN
) -> Iterator[Answer | Fault]:
    """What the strategy answers to each of these packed DECISIONs, PLAIN or CHECKED, up to the first fault.

    patience: seconds after which a decision is a fault.
    """
    yield from _ask("answer_decisions", (path, text, decisions, patience), how)


def first_fault(path: Path, text: str, params: tuple[float, ...], seconds: float) -> Fault | None:
    """The first thing that goes wrong in games of the strategy with itself, played uncompiled for some seconds."""
    return next(iter(_ask("play_games", (path, text, params, seconds), PLAIN)), None)


def _ask(job: str, request: tuple[Any, ...], how: Mapping[str, str]) -> Iterator[Any]:
    try:
        yield from talk(f"{__name__}:{job}", request, PATIENCE, **how)
    except (Silent, Died):  # then there is nothing to be learnt from it
        return


# What follows runs in the other process.


def answer_decisions(request: tuple[Path, str, Sequence[bytes], float], send: Send) -> None:
    """Send an Answer for each decision, and end with the first Fault."""
    path, text, decisions, patience = request
    strategy = _Guarded(path, text, send)
    for array in map(unpack, decisions):
        decision, mind = array[0], np.zeros(1, MIND)  # a copy would have anything between its fields
        mind[:] = array["mind"]
        outcome = strategy.ask(decision.board, decision.table, decision.hand, mind[0], patience)
        send(outcome if isinstance(outcome, Fault) else Answer(outcome, digest(mind)))
        if isinstance(outcome, Fault):
            return


def play_games(request: tuple[Path, str, tuple[float, ...], float], send: Send) -> None:
    """Play on several boards until time is up or something goes wrong; send what."""
    path, text, params, seconds = request
    strategy = _Guarded(path, text, send)
    end = time.monotonic() + seconds
    for name in ("usa", "europe", "old_west:alvin", "san_francisco"):
        fault = _play(strategy, name, params, end)
        if fault:
            send(fault)
        if fault or time.monotonic() > end:
            return


def _play(strategy: "_Guarded", board_name: str, params: tuple[float, ...], end: float) -> Fault | None:
    """One game of the strategy with itself."""
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
        self.function = build(path, text)
        self.room = np.zeros(1, ROOM)[0]

    def ask(self, board: Any, table: Any, hand: Any, mind: Any, patience: float) -> int | Fault:
        """Its answer, or what went wrong. If it takes too long the process ends, after sending so."""
        from ttrsim.strategies.faults import exception_place, exception_words

        with self._watched(patience, table):
            try:
                action: Any = self.function(board, table, hand, mind, self.room)
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
        """Should this take longer than it may, another thread looks where the strategy is and ends the process."""
        main = threading.get_ident()

        def give_up() -> None:
            place = _place_of(sys._current_frames()[main], str(self.source.path.resolve()))
            self.send(self._fault(table, *place, f"is still at it after {patience:.0f} s", endless=True))
            os._exit(0)

        timer = threading.Timer(patience, give_up)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def _place_of(frame: types.FrameType | None, file: str) -> tuple[int | None, str | None]:
    """Line and function of the innermost frame that runs the file."""
    while frame is not None:
        if frame.f_code.co_filename == file:
            return frame.f_lineno, frame.f_code.co_name
        frame = frame.f_back
    return None, None

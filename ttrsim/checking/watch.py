"""A strategy's function under watch: some of its decisions are kept, and it must leave what it is shown unchanged."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.core.records import ROOM
from ttrsim.strategies.uncompiled import DECISION, Answer, digest, pack

SAMPLES = 30
"""Decisions of a game that are kept, at most."""


@dataclass(frozen=True)
class Sample:
    """A decision and its answer."""

    phase: int
    decision: bytes  # packed
    answer: Answer


class Changed(Exception):
    """The strategy wrote into what it was shown; the field is named."""


class Enough(Exception):
    """The strategy has used up its time in this game, which is broken off."""


class Watch:
    """Stands before a strategy's function in games played decision by decision.

    function: of a guarded strategy. Each decision gets a new room, so what lies there can make no difference when it is
    taken again.
    file: holds the decision being taken, should the process hang or crash; it must exist. limit: seconds of processor
    time for all decisions, which the last may overrun; alive: is called about once a second.
    """

    def __init__(
        self, function: Callable[..., int], board: Any, file: Path, limit: float, alive: Callable[[], None]
    ) -> None:
        self.function, self.limit, self.alive = function, limit, alive
        self.last = np.memmap(file, DECISION, "r+", shape=(1,))  # Windows lets no file be made anew that is mapped
        self.last[:] = np.zeros(1, DECISION)
        self.last["board"][0] = board
        self.samples: list[Sample] = []
        self.seen: dict[int, int] = {}  # decisions of each phase
        self.seconds, self.decisions, self.told = 0.0, 0, time.monotonic()

    def __call__(self, board: Any, table: Any, hand: Any, mind: Any, room: Any) -> int:
        if self.seconds > self.limit:
            raise Enough
        last = self.last
        last["table"][0], last["hand"][0], last["mind"][0] = table, hand, mind
        packed = pack(last) if self._wanted(int(table.phase)) else None
        room = np.zeros(1, ROOM)[0]
        room.board = board
        started = time.thread_time()
        action = self.function(board, table, hand, mind, room)
        self.seconds += time.thread_time() - started
        self.decisions += 1
        for name in ("board", "table", "hand"):  # what it is shown are the copies in its room
            if room[name].tobytes() != last[name].tobytes():
                raise Changed(f"{name}.{_changed_field(last[name], room[name])}")
        if packed:
            self.samples.append(Sample(int(table.phase), packed, Answer(int(action), digest(mind))))
        if time.monotonic() > self.told + 1:
            self.alive()
            self.told = time.monotonic()
        return action

    def _wanted(self, phase: int) -> bool:
        """Return the first decisions of each phase, then each fifth."""
        self.seen[phase] = self.seen.get(phase, 0) + 1
        return len(self.samples) < SAMPLES and (self.seen[phase] <= 2 or self.seen[phase] % 5 == 0)


def _changed_field(before: npt.NDArray[Any], after: Any) -> str:
    names = before.dtype.names or ()
    return next((name for name in names if before[name].tobytes() != np.asarray(after[name]).tobytes()), "?")

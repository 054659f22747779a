"""When a run ends: with its last game, or earlier, as soon as its question is answered.

A run that may stop is looked at after fixed numbers of laps, whatever its number of games. A look takes in nothing
beyond those laps. So where the run ends does not depend on threads, engines, interruptions or whether it was made
longer.
"""

from collections.abc import Sequence

import numpy as np

from ttrsim.runs.duel import games_of_both
from ttrsim.runs.plan import Plan, Sprt, UntilCi
from ttrsim.runs.shard_files import ShardRecord
from ttrsim.runs.shares import Share, Shares
from ttrsim.runs.sprt import Blocks, SprtState
from ttrsim.schedule import is_look


class Watch:
    """Takes shards in any order, examines them in the order of laps, and determines where the run ends."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.shares = Shares(plan)  # of the laps looked at
        self.looked = 0  # laps looked at, from the first on
        self.end: int | None = None if plan.stop else plan.laps
        """The number of laps of the run; None as long as it is not known."""
        self._waiting: dict[int, ShardRecord] = {}
        self._blocks = np.zeros(3, np.int64)  # laps, sum and sum of squares of `duel.by_lap`

    @property
    def early(self) -> bool:
        """Whether the run ends before its last game."""
        return self.end is not None and self.end < self.plan.laps

    def add(self, record: ShardRecord) -> None:
        """Add a finished shard."""
        self._waiting[record.first_lap] = record
        while self.looked in self._waiting and self.looked != self.end:
            self._look(self._waiting.pop(self.looked))

    def _look(self, record: ShardRecord) -> None:
        self.looked = record.range.stop
        self.shares.add(record)
        for piece in record.pieces:
            self._blocks += (piece.laps, *(piece.difference or (0, 0)))
        if self.looked == self.plan.laps or (self.plan.stop and is_look(self.looked) and self._answered()):
            self.end = self.looked

    def _answered(self) -> bool:
        match self.plan.stop:
            case UntilCi(half_width=wanted):
                return _all_within(self.shares.estimates(), wanted)
            case Sprt():
                state = self.sprt
                return state is not None and state.accepted is not None
        return False

    @property
    def sprt(self) -> SprtState | None:
        """The state of the sequential test; None for other runs."""
        if not isinstance(stop := self.plan.stop, Sprt):
            return None
        number, total, squares = self._blocks.tolist()
        return SprtState.after(stop, Blocks(number, total, squares, games_of_both(self.plan, stop)))


def _all_within(shares: Sequence[Share], half_width: float) -> bool:
    return all(share.half_width is not None and share.half_width <= half_width for share in shares)

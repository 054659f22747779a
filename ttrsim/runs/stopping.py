"""When a run ends: with its last game, or earlier, as soon as it has answered what it was made for.

It is looked at after each batch with all its games, in the order of batches and never at anything beyond. So where a
run ends depends neither on threads nor on engines, nor on whether it was interrupted.
"""

from collections.abc import Sequence

import numpy as np

from ttrsim.runs.duel import games_of_both
from ttrsim.runs.plan import Plan, Sprt, UntilCi
from ttrsim.runs.shares import FEWEST_BATCHES, Share, Shares
from ttrsim.runs.sprt import Blocks, SprtState
from ttrsim.runs.store import ShardRecord


class Watch:
    """Takes the shards of a run as they come, looks at them in their order, and says where the run ends."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.schedule = plan, plan.schedule
        self.shares = Shares(plan.names)  # of the shards looked at
        self.looked = 0  # shards looked at
        self.end: int | None = None if plan.stop else self.schedule.shards
        """The run is the shards below; None as long as that is not known."""
        self._waiting: dict[int, ShardRecord] = {}
        self._blocks = np.zeros(3, np.int64)  # laps, sum and sum of squares of `duel.by_lap`

    @property
    def batches(self) -> int:
        """Batches that are whole among the shards looked at."""
        return self.schedule.whole_batches(self.looked)

    @property
    def early(self) -> bool:
        """Whether the run ends before its last game."""
        return self.end is not None and self.end < self.schedule.shards

    def add(self, record: ShardRecord) -> None:
        """A further finished shard."""
        self._waiting[record.shard] = record
        while self.looked in self._waiting and self.looked != self.end:
            self._look(self._waiting.pop(self.looked))

    def _look(self, record: ShardRecord) -> None:
        self.looked += 1
        self.shares.add(record)
        for batch in record.batches:
            laps = batch.games // self.schedule.lap_games
            self._blocks += (laps, *(batch.difference or (0, 0)))
        answered = self.schedule.ends_batch(self.looked) and self._answered()
        if answered or self.looked == self.schedule.shards:
            self.end = self.looked

    def _answered(self) -> bool:
        match self.plan.stop:
            case UntilCi(half_width=wanted):
                return self.batches >= FEWEST_BATCHES and _all_within(self.shares.estimates(), wanted)
            case Sprt():
                state = self.sprt
                return state is not None and state.accepted is not None
        return False

    @property
    def sprt(self) -> SprtState | None:
        """The sequential test, if the run is one."""
        if not isinstance(stop := self.plan.stop, Sprt):
            return None
        number, total, squares = self._blocks.tolist()
        return SprtState.after(stop, Blocks(number, total, squares, games_of_both(self.plan, stop)))


def _all_within(shares: Sequence[Share], half_width: float) -> bool:
    return all(share.half_width is not None and share.half_width <= half_width for share in shares)

"""How much more one strategy of a run won than another, lap by lap: what a sequential test looks at."""

from collections.abc import Sequence

import numpy as np

from ttrsim.core.tally import WHOLE_WIN
from ttrsim.runs.plan import Plan, Sprt
from ttrsim.runs.tally import Array
from ttrsim.simulation import Results


class Duel:
    """Sums over the laps of each batch, if the plan has a sequential test."""

    def __init__(self, plan: Plan, batches: Sequence[int]) -> None:
        self.plan, self.test = plan, plan.stop
        self._sums = dict.fromkeys(batches, (0, 0))

    def add(self, batch: int, results: Results) -> None:
        """Further whole laps of a batch."""
        if isinstance(self.test, Sprt):
            laps = by_lap(self.plan, self.test, results)
            total, squares = self._sums[batch]
            self._sums[batch] = (total + int(laps.sum()), squares + int((laps**2).sum()))

    def sums(self, batch: int) -> tuple[int, int] | None:
        """Of the laps of a batch: the sum of their differences, and of the squares of those."""
        return self._sums[batch] if isinstance(self.test, Sprt) else None


def pair_of(plan: Plan, test: Sprt) -> list[int]:
    """The two strategies by their place in the plan."""
    return [plan.names.index(name) for name in (test.first, test.second)]


def games_of_both(plan: Plan, test: Sprt) -> int:
    """Games of a lap in which at least one of the two strategies plays."""
    return int(
        np.isin(plan.schedule.where(np.arange(plan.schedule.lap_games))[1], pair_of(plan, test)).any(axis=1).sum()
    )


def by_lap(plan: Plan, test: Sprt, results: Results) -> Array:
    """(laps,): what the first strategy won more than the second, in 60ths. `make_plan` sees that their seats match."""
    first, second = pair_of(plan, test)
    won = (results.seats["rank"] == 1) * (WHOLE_WIN // results.games["winners"].astype(np.int64))[:, None]
    strategy = results.seats["strategy"]
    more = won * (np.int64(1) * (strategy == first) - (strategy == second))
    laps: Array = more.reshape(len(more) // plan.schedule.lap_games, -1).sum(axis=1)
    return laps

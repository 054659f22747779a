"""Compare the wins of two strategies of a run lap by lap, for sequential tests."""

import numpy as np

from ttrsim.games import Results
from ttrsim.runs.plan import Plan, Sprt
from ttrsim.runs.tally import Array


def pair_of(plan: Plan, test: Sprt) -> list[int]:
    """Return the numbers of the two strategies in the plan."""
    return [plan.names.index(name) for name in (test.first, test.second)]


def games_of_both(plan: Plan, test: Sprt) -> int:
    """Return the number of games of a lap in which at least one of the two strategies plays."""
    return int(
        np.isin(plan.schedule.where(np.arange(plan.schedule.lap_games))[1], pair_of(plan, test)).any(axis=1).sum()
    )


def by_lap(plan: Plan, test: Sprt, results: Results) -> Array:
    """Return how much more the first strategy won than the second in each lap, in 60ths.

    Both have the same seats, as `make_plan` has checked.
    """
    first, second = pair_of(plan, test)
    strategy = results.seats["strategy"]
    more = results.win60 * (np.int64(1) * (strategy == first) - (strategy == second))
    laps: Array = more.reshape(len(more) // plan.schedule.lap_games, -1).sum(axis=1)
    return laps

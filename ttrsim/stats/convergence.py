"""How win shares became known as a run went on."""

from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, Interval, share
from ttrsim.core.tally import WHOLE_WIN
from ttrsim.stats.frames import Column, Table, build, sums
from ttrsim.stats.strategies import PLAYERS, STRATEGIES, STRATEGY

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

FIRST_STEP = 5
"""Batches at the first step: with fewer an interval says little."""
STEPS = 40

CONVERGENCE = Table(
    "convergence",
    "A row is a strategy after so many games of the run.",
    (
        PLAYERS,
        STRATEGY,
        Column("games", "count", "games", "Games until then.", "Games"),
        STRATEGIES.column("win_share"),
    ),
    "",
)


def convergence(run: "Run") -> "pd.DataFrame":
    """The win share of each strategy after more and more games, at even steps of their logarithm; none if too few."""
    s = sums(run, "seats")
    wins, seated = s["win60"].sum(axis=2) / WHOLE_WIN, s["games"].sum(axis=2)  # (batches, strategies)
    games = sums(run, "games")["games"].sum(axis=1).cumsum()
    ends = steps(len(games))
    shape = (len(ends), len(run.strategies))
    return build(
        CONVERGENCE,
        {
            "players": np.full(shape, run.plan.seats),
            "strategy": np.broadcast_to(np.array(run.strategies, object), shape),
            "games": np.broadcast_to(games[ends - 1, None], shape),
            "win_share": _stacked([share(wins[:end], seated[:end]) for end in ends], shape),
        },
    )


def steps(batches: int) -> Array:
    """After how many batches it is looked at."""
    if batches < FIRST_STEP:
        return np.empty(0, int)
    return np.unique(np.geomspace(FIRST_STEP, batches, STEPS).round().astype(int))


def _stacked(parts: list[Interval], shape: tuple[int, ...]) -> Interval:
    return Interval(*(np.array([part[i] for part in parts]).reshape(shape) for i in range(3)))

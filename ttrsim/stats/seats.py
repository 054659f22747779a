"""Seats: whether who plays first, second or last matters."""

from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import LEVEL, Estimate, ratio
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.stats.frames import Column, Table, build, sums
from ttrsim.stats.strategies import PLAYERS, SEAT
from ttrsim.stats.verdicts import verdicts

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

MARGIN = 0.01
"""A win share off by less than this does not matter: one point in a hundred."""

SEATS = Table(
    "seats",
    "A row is a seat, over all strategies.",
    (
        PLAYERS,
        SEAT,
        Column("games", "count", "games", "Games played.", "Games"),
        Column("win_share", "estimate", "share", "Mean win share of who sits there.", "Wins ±"),
        Column(
            "advantage",
            "estimate",
            "share difference",
            "The win share less the fair one, 1 / players.",
            "Advantage ±",
        ),
        Column("score", "estimate", "points", "Mean final score of who sits there.", "Score ±"),
        Column(
            "verdict",
            "number",
            "",
            "balanced: the interval of the advantage lies within the margin (1 point of win share unless declared "
            "otherwise) on both sides of 0; imbalanced: it lies outside; undecided: neither; not rotated: strategies "
            "did not sit in all seats equally often, so seats cannot be told from strategies.",
            "Verdict",
        ),
        Column(
            "more_games",
            "number",
            "games",
            "About how many games more would decide an undecided verdict.",
            "More games",
        ),
    ),
    "",
    "The intervals of each column hold for all seats at once.",
)


def seats(run: "Run", margin: float = MARGIN, level: float = LEVEL) -> "pd.DataFrame":
    """Return the win share of each seat, and whether it is balanced, by intervals of a level."""
    s = sums(run, "seats")
    games = s["games"].sum(axis=1)
    shares = ratio(s["win60"].sum(axis=1) / WHOLE_WIN, games)
    scores = ratio(s["score"].sum(axis=1), games)
    fair = 1 / run.plan.seats
    shares = shares.frequent(s["win60"].sum(axis=(0, 1)) / WHOLE_WIN, games.sum(axis=0)).varied()
    advantage = Estimate(shares.value - fair, shares.replicates - fair)
    interval = advantage.simultaneous(level=level)
    verdict, more = verdicts(interval, margin, run.games_played)
    sat = s["games"].sum(axis=0)
    rotated = (sat == sat[:, :1]).all()
    return build(
        SEATS,
        {
            "players": np.full(run.plan.seats, run.plan.seats),
            "seat": np.arange(run.plan.seats),
            "games": games.sum(axis=0),
            "win_share": shares.simultaneous(level=level),
            "advantage": interval,
            "score": scores.simultaneous(level=level),
            "verdict": verdict if rotated else np.full(run.plan.seats, "not rotated"),
            "more_games": more if rotated else np.full(run.plan.seats, np.nan),
        },
    )

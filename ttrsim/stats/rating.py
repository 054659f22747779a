"""Rate all strategies on one scale, from the orders in which they finish, with their ranks, at one table or several."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import LEVEL, Array, Estimate, Interval, jackknife
from ttrsim.stats.frames import Column, Definition, build, interval_of, joined, sums
from ttrsim.stats.standings import PLAYERS, STRATEGIES, STRATEGY, differences_at_once, strategies, win_shares

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

MOST_STEPS, SETTLED = 10_000, 1e-10  # steps of a fit, and the relative change at which it has settled

STRENGTH = Definition(
    "strength",
    "A row is a strategy.",
    (
        PLAYERS,
        STRATEGY,
        Column(
            "strength",
            "estimate",
            "log odds",
            "Bradley–Terry strength; the difference of two is the logarithm of the odds that the one finishes before "
            "the other, fitted to all pairs of seats of different strategies, a tie as half of each; the mean is 0.",
            "Strength ±",
        ),
        Column("rank", "number", "rank", "Rank of its win share, 1 the largest.", "Rank"),
        Column(
            "rank_low",
            "number",
            "rank",
            "The best rank it can have: one more than the number of strategies that clearly win more often.",
            "Best",
        ),
        Column(
            "rank_high",
            "number",
            "rank",
            "The worst rank it can have: the number of strategies, less those that clearly win less often.",
            "Worst",
        ),
    ),
    "strength",
    "The interval of a strength holds on its own. The ranges of ranks hold for all strategies at once: clearly means "
    "by the simultaneous intervals of all differences of win shares, which allow for unlike batches where nothing "
    "varies.",
)


def strength(run: "Run", level: float = LEVEL) -> "pd.DataFrame":
    """Return the strength of each strategy and the range of its rank."""
    shares = win_shares(run)
    low, high = _rank_range(differences_at_once(run, level))
    return build(
        STRENGTH,
        {
            "players": np.full(len(low), run.plan.seats),
            "strategy": np.array(run.strategies),
            "strength": strengths(run).interval(),
            "rank": 1 + (shares.value[:, None] < shares.value).sum(axis=1),
            "rank_low": low,
            "rank_high": high,
        },
    )


def _rank_range(apart: Interval) -> tuple[Array, Array]:
    """Return the best and the worst rank of each strategy, from the differences of win shares, (k, k)."""
    better = apart.low > 0  # the first clearly better than the second
    return 1 + better.sum(axis=0), len(better) - better.sum(axis=1)


def strengths(run: "Run") -> Estimate:
    """Return Bradley–Terry strengths, (strategies,); NaN where some strategies never finished before others."""
    s = sums(run, "versus")
    return jackknife(_fits, s["ahead"] + s["tied"] / 2)


def _fits(ahead: Array) -> Array:
    """Fit strengths (n, k) to each of (n, k, k) matrices of how often one finishes before the other.

    Fits to the pairs of an order agree with those to the whole of it (Plackett–Luce) when that model holds, and unlike
    these they can do with ties and with sums.
    """
    fits = np.full(ahead.shape[:2], np.nan)
    comparable = _comparable(ahead)
    fits[comparable] = _fit(ahead[comparable])
    return fits


def _fit(ahead: Array) -> Array:
    """Fit strengths (n, k) to matrices (n, k, k) in which all can be compared.

    By the iteration of M. E. J. Newman, Efficient computation of rankings from pairwise comparisons (JMLR 24, 2023).
    """
    odds: Array = np.ones(ahead.shape[:2])
    for _ in range(MOST_STEPS):
        before = odds.copy()
        for i in range(odds.shape[1]):
            sums_of_odds = odds + odds[:, i, None]
            won = (ahead[:, i] * odds / sums_of_odds).sum(axis=1)
            odds[:, i] = won / (ahead[:, :, i] / sums_of_odds).sum(axis=1)
        odds /= np.exp(np.log(odds).mean(axis=1, keepdims=True))
        if np.allclose(odds, before, rtol=SETTLED, atol=0):
            break
    return np.log(odds)


def _comparable(ahead: Array) -> Array:
    """Return for which matrices every strategy finished ahead of every other one, directly or through others."""
    reached = (ahead > 0) | np.eye(ahead.shape[1], dtype=bool)
    for _ in range(ahead.shape[1].bit_length()):
        reached = reached @ reached
    return np.asarray(reached.all(axis=(1, 2)))


RANKS = ["rank", "rank_low", "rank_high"]

ACROSS = Definition(
    "across",
    "A row is a strategy in a run.",
    (
        Column("board", "key", "", "The board.", "Board"),
        replace(PLAYERS, head="Players"),
        Column("design", "key", "", "Which line-ups were played.", "Design"),
        Column("games", "count", "games", "Games of the run.", "Games"),
        STRATEGY,
        STRATEGIES.column("win_share"),
        Column("fair_share", "number", "share", "One win for all seats of a table.", "Fair"),
        STRATEGIES.column("score"),
        *(STRENGTH.column(name) for name in RANKS),
    ),
    "",
    "Intervals hold each on its own; ranges of ranks hold for all strategies of a run at once.",
)


def table_name(board: str, players: int, design: str) -> str:
    """Return the name of a table.

    >>> table_name("usa", 4, "mixed"), table_name("usa", 4, "mirror")
    ('usa, 4 players', 'usa, 4 players, mirror')
    """
    return f"{board}, {players} players" + (f", {design}" if design in ("mirror", "focal") else "")


def across(runs: "Sequence[Run]", level: float = LEVEL) -> "pd.DataFrame":
    """Return how each strategy does in each of the runs, with ranks by intervals of a level."""
    return build(ACROSS, joined([_of_run(run, level) for run in runs]))


def _of_run(run: "Run", level: float) -> dict[str, object]:
    ranks = strength(run, level)[["strategy", *RANKS]]
    frame = strategies(run).drop(columns=RANKS).merge(ranks, on="strategy")  # there they are mean ranks at the table
    same = {
        "board": run.board.id,
        "players": run.plan.seats,
        "design": run.plan.design,
        "games": run.games_played,
        "fair_share": 1 / run.plan.seats,
    }
    return {
        **{name: np.full(len(frame), value) for name, value in same.items()},
        **{name: frame[name].to_numpy() for name in ("strategy", *RANKS)},
        **{name: interval_of(frame, name) for name in ("win_share", "score")},
    }

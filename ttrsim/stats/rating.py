"""Rate all strategies on one scale, from the orders in which they finish, with their ranks.

Also win shares by line-up, a table for game theory (OpenSpiel's heuristic payoff table).
"""

import csv
from io import StringIO
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import LEVEL, Array, Estimate, Interval, jackknife, ratio
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.files import write_file
from ttrsim.stats.frames import Column, Definition, build, sums
from ttrsim.stats.standings import PLAYERS, STRATEGY, differences_at_once, win_shares

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
            "players": np.full(len(low), run.recipe.seats),
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


def payoffs(run: "Run") -> "pd.DataFrame":
    """Return a row per line-up: the seats of each strategy (`seats of …`), then its mean win share (`wins of …`).

    A strategy that does not sit there wins 0, as OpenSpiel has it.
    """
    import pandas as pd

    line_ups = np.array(run.recipe.line_ups)
    s = sums(run, "line_ups")
    played = s["seats"].sum(axis=(0, 2)) > 0
    wins = np.nan_to_num(ratio(s["win60"] / WHOLE_WIN, s["seats"]).value)
    names = run.strategies
    seated = {f"seats of {name}": (line_ups == i).sum(axis=1)[played] for i, name in enumerate(names)}
    return pd.DataFrame(seated | {f"wins of {name}": wins[played, i] for i, name in enumerate(names)})


def missing_line_ups(run: "Run") -> int:
    """Count the compositions of a table that the run lacks: a full payoff table has all (`--design mixed`)."""
    compositions = {tuple(sorted(line_up)) for line_up in run.recipe.line_ups}
    return comb(len(run.strategies) + run.recipe.seats - 1, run.recipe.seats) - len(compositions)


def write_payoffs(run: "Run", path: Path) -> None:
    """Write the table as CSV, its header after a #, so that `numpy.loadtxt(path, delimiter=",")` reads it."""
    table, text = payoffs(run), StringIO(newline="")
    text.write("# ")
    csv.writer(text, lineterminator="\n").writerow(table.columns)
    csv.writer(text, lineterminator="\n").writerows(table.to_numpy(object).tolist())
    write_file(path, text.getvalue())

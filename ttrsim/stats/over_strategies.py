"""Measure how much an effect depends on who plays: its spread over strategies, and a prediction for one not tested.

The strategies of a run are taken as a sample of those that could play (random effects). What they differ by is partly
chance. Strategies at one table share deals, so their estimates are correlated, and what is taken off is the variance of
the differences between them: from the jackknife over batches, with all covariances.

With k strategies, their variance s² about their mean, and v and c, the means of the variances and of the covariances of
chance: τ² = s² − (v − c), at least 0, is the variance between strategies. Where the chance of all is equal and
independent, that is the estimate of DerSimonian and Laird and of Paule and Mandel.

The interval for a further strategy is the mean ± t √(s² (1 + 1/k) + max(0, 2c − v)), with k − 1 degrees of freedom. No
chance is taken off s², for what is left has no t distribution: intervals by τ² hold in as few as 79 of 100 cases where
chance is as large as τ. So this one holds at least as often as it says, and is wider than it must be where chance is
large.
"""

import numpy as np

from ttrsim.batches import LEVEL, Array, Estimate, Interval, sidak
from ttrsim.stats.frames import Column

FEWEST = 3
"""Fewest strategies for a prediction: with two it would be 22 times as wide as they are apart."""
DEPENDS = "depends"


def columns(name: str, unit: str, what: str, head: str = "") -> tuple[Column, ...]:
    """Return the columns on how an effect varies over strategies. what: the effect, such as `The offer effect`."""
    return (
        Column(
            f"{name}_spread",
            "number",
            unit,
            f"{what} of one strategy: its standard deviation over strategies, with chance taken off.",
        ),
        Column(
            f"{name}_new",
            "prediction",
            unit,
            f"{what} of a strategy that was not tested: the mean over those tested, each counted once, and the "
            f"interval for 95 of 100 new ones, if those tested are a fair sample. Needs at least {FEWEST} strategies.",
            head,
        ),
    )


def sign_column(name: str, what: str, head: str = "") -> Column:
    """Return the column that marks effects whose sign depends on who plays."""
    return Column(
        f"{name}_sign",
        "number",
        "",
        f"{DEPENDS}: {what} is clearly above 0 for one strategy and clearly below 0 for another, by intervals that "
        "hold at once for all rows and strategies.",
        head,
    )


def over_strategies(name: str, effects: Estimate) -> dict[str, Array | Interval]:
    """Return the values of `columns`. effects: of each strategy, (strategies, rows); NaN where there is none."""
    known = np.isfinite(effects.value) & np.isfinite(effects.deviations).all(axis=0)
    number = known.sum(axis=0)
    value, chance = np.where(known, effects.value, 0), np.where(known, effects.deviations, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = value.sum(axis=0) / number
        apart = (np.where(known, value - mean, 0) ** 2).sum(axis=0) / (number - 1)
        own = (chance**2).sum(axis=(0, 1)) / number
        shared = ((chance.sum(axis=1) ** 2).sum(axis=0) / number - own) / (number - 1)
        between = np.where(number > 1, np.maximum(0, apart - (own - shared)), np.nan)
        error = np.sqrt(apart * (1 + 1 / number) + np.maximum(0, 2 * shared - own))
    critical = np.array([sidak(1, strategies - 1) if strategies >= FEWEST else np.nan for strategies in number])
    half = critical * error
    return {f"{name}_spread": np.sqrt(between), f"{name}_new": Interval(mean, mean - half, mean + half)}


def signs(effects: Estimate, level: float = LEVEL) -> Array:
    """Return `depends` where one strategy is clearly above 0 and another clearly below, (rows,), else an empty text."""
    interval = effects.simultaneous(level=level)
    both = (interval.low > 0).any(axis=0) & (interval.high < 0).any(axis=0)
    return np.where(both, DEPENDS, "").astype(object)


def within(interval: Interval, low: float, high: float) -> Interval:
    """Return the interval cut off at the ends of what is possible."""
    return Interval(interval.value, np.maximum(interval.low, low), np.minimum(interval.high, high))

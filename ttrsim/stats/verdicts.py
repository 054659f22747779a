"""Verdicts: where an interval lies with respect to a bound that was declared beforehand."""

import numpy as np

from ttrsim.batches import LEVEL, Array, Estimate, Interval


def verdicts(deviation: Interval, margin: float, games: int) -> tuple[Array, Array]:
    """Judge intervals of deviations from what is fair; return verdicts, and how many more games undecided ones need."""
    return judged(deviation, -margin, margin, games)


def judged(interval: Interval, least: float, most: float, games: int) -> tuple[Array, Array]:
    """balanced: the interval lies between the bounds; imbalanced: beyond one of them; undecided: neither.

    With about how many more games undecided ones need: a verdict falls when the half width is less than the distance
    of the estimate from the next bound, and half widths shrink with the root of the number of games. NaN: decided, or
    not to be told.
    """
    value, low, high = interval
    inside, outside = (low >= least) & (high <= most), (low > most) | (high < least)
    verdict = np.where(inside, "balanced", np.where(outside, "imbalanced", "undecided"))
    distance = np.minimum(np.abs(value - least), np.abs(value - most))
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = games * (np.maximum(high - value, value - low) / distance) ** 2
    more = np.where((verdict == "undecided") & np.isfinite(needed), needed - games, np.nan)
    return verdict, rounded(more)


def enough_for_half(more: Array) -> float:
    """Return how many more games decide half of what is undecided, as the last of it may lie next to a bound.

    more: of each thing, as `judged` tells it; NaN where all are NaN.

    >>> enough_for_half(np.array([np.nan, 900.0, 200.0]))
    200.0
    """
    known = np.sort(more[~np.isnan(more)])
    return float(known[(len(known) - 1) // 2]) if len(known) else np.nan


def rounded(numbers: Array | float) -> Array:
    """To two digits, upwards, for more would feign knowledge."""
    with np.errstate(divide="ignore", invalid="ignore"):
        step = 10.0 ** np.maximum(np.floor(np.log10(numbers)) - 1, 0)
    return np.asarray(np.ceil(numbers / step) * step)


def share_interval(estimate: Estimate, events: Array, chances: Array, blocks: Array, level: float = LEVEL) -> Interval:
    """Intervals of shares, each for itself, that hold also where there are few or no events, or few but events."""
    value, low, high = estimate.frequent(events, chances).interval(level)
    rare = rare_share(events, chances, blocks, level)
    return Interval(value, np.where(np.isnan(low), rare.low, low), np.where(np.isnan(high), rare.high, high))


def rare_share(events: Array, chances: Array, blocks: Array, level: float = LEVEL) -> Interval:
    """Return intervals of Clopper and Pearson for shares that have no error from batches.

    Each block, whose games share a deal, counts as one chance: a share of games is at most the share of blocks in
    which it happens at all. Likewise for what fails to happen.
    """
    least = 1 - most_likely(chances - events, blocks, level)
    return Interval(events / chances, least, most_likely(events, blocks, level))


def most_likely(events: Array, blocks: Array | int, level: float = LEVEL) -> Array:
    """Return the largest share of blocks that is likely given this many events."""
    from scipy.special import betaincinv

    events = np.minimum(events, blocks)
    return np.where(events < blocks, betaincinv(events + 1, np.maximum(blocks - events, 1), (1 + level) / 2), 1.0)

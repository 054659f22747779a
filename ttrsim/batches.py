"""Estimate errors of rates, differences, ratios and fits alike, by the jackknife over the batches of a run.

The games of a block share a deal and so depend on each other; blocks do not, and a batch is a range of whole blocks.
So the error of any estimate that is a function of sums over games comes from leaving out one batch after the other:
`jackknife`. For a mean of equal batches that is the textbook standard error of their means, for a regression
it is the cluster-robust error. Intervals use Student's t with one degree of freedom fewer than there are batches.

A *family* is a set of intervals that are all to hold at once, in 95 of 100 runs: `Estimate.simultaneous`. Its width
comes from the largest |t| of the family (max-t), simulated with the correlation that the batches show. That is exact
for families whose members are nearly the same (the two seats of a duel), where Šidák's bound is too wide, and equal
to that bound where they are independent (the tickets). With few batches correlations are not known and the bound
itself is used. Batches are taken to be normal, unless rare outcomes count much, as when one game in a hundred loses 200
points: where by chance there was none the estimate is too high and its error too small. Then max-t comes from batches
drawn again from those there are (the bootstrap of t, symmetric).
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ttrsim.core.sums import WHOLE_WIN

Array = npt.NDArray[Any]

LEVEL = 0.95
FEWEST_EVENTS = 10
"""Fewest wins, and losses, for which a share has an error: with fewer, batches without any make it too small."""
FEWEST_BATCHES = 20
"""With fewer, an error is too uncertain to stop a run by it, predict a number of games, or combine it with another."""
ROUNDING = 1e-12
"""Errors up to this size come from rounding alone."""
FEWEST_CORRELATED = 50
"""Batches from which on correlations of estimates are taken from them."""
DRAWS = 10_000
"""Simulated runs for max-t: its 95 % quantile is then known to about 0.015."""


class Interval(NamedTuple):
    """Estimates with the ends of their intervals, arrays of one shape."""

    value: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class Estimate:
    """One estimate or an array of them, (...), and what they are without each of the batches, (batches, ...)."""

    value: Array
    replicates: Array
    fewest: Array | int | None = (
        None  # events behind the error, where they are fewer than batches; of each estimate or all
    )

    @property
    def freedom(self) -> Array:
        """Degrees of freedom of the errors: one fewer than there are batches, or events behind them.

        Of several runs the one with fewest batches counts, which may have most of the error; of what comes up in few
        deals, those deals.
        """
        batches = len(self.replicates)
        return np.asarray(np.minimum(batches, batches if self.fewest is None else self.fewest)) - 1

    @cached_property
    def deviations(self) -> Array:
        """(batches, ...): what each batch adds to the error; their squares sum to that of `error`."""
        batches = len(self.replicates)
        return np.asarray((self.replicates - self.replicates.mean(axis=0)) * np.sqrt((batches - 1) / batches))

    @cached_property
    def error(self) -> Array:
        """Standard errors; NaN with fewer than two batches."""
        if len(self.replicates) < 2:
            return np.full(np.shape(self.value), np.nan)
        return np.asarray(np.sqrt((self.deviations**2).sum(axis=0)))

    def scaled(self, factor: float) -> "Estimate":
        """Return the same in another unit."""
        return replace(self, value=self.value * factor, replicates=self.replicates * factor)

    def frequent(self, events: Array, chances: Array) -> "Estimate":
        """Return the same with errors only where events, and chances without them, are at least FEWEST_EVENTS."""
        return self._where(frequent(events, chances))

    def of_share(self, events: Array, chances: Array) -> Interval:
        """Return intervals of shares, each on its own, within 0 and 1; NaN where events are few or nothing varies."""
        value, low, high = self.frequent(events, chances).varied().interval()
        return Interval(value, np.maximum(low, 0), np.minimum(high, 1))

    def varied(self) -> "Estimate":
        """Return the same with errors only where batches differ: elsewhere how much they could is not known."""
        with np.errstate(invalid="ignore"):
            return self._where(self.error > ROUNDING * np.maximum(1, np.abs(self.value)))

    def _where(self, known: Array) -> "Estimate":
        """Return the same with errors only where they are known."""
        return replace(self, replicates=np.where(known, self.replicates, np.nan))

    def pooled(self, unit: Array) -> "Estimate":
        """Return the same with no error smaller than that of all estimates along the last axis together.

        Of estimates from few deals some errors come out far too small by chance, and these would stand out.
        unit: what the variance of each would be if that of an outcome were 1.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            outcome = self.error**2 / unit
            weight = np.where(np.isnan(outcome), 0, self.freedom)
            together = np.nansum(outcome * weight, axis=-1, keepdims=True) / weight.sum(axis=-1, keepdims=True)
            wider = np.sqrt(np.maximum(1, together / outcome))
        middle = self.replicates.mean(axis=0)
        return replace(self, replicates=middle + (self.replicates - middle) * wider)

    def interval(self, level: float = LEVEL) -> Interval:
        """Return intervals that each hold for themselves."""
        return self._within(sidak(1, self.freedom, level))

    def simultaneous(self, keep: int = 0, level: float = LEVEL, *, rare: bool = False) -> Interval:
        """Return intervals that hold all at once; with `keep`, a family for each place along the first `keep` axes.

        Intervals of tickets, (strategies, tickets), with keep=1 hold at once for all tickets of a strategy.
        rare: whether rare outcomes may count much; then every estimate must come from many batches.
        """
        shape = np.shape(self.value)
        families = self.deviations.reshape(len(self.replicates), int(np.prod(shape[:keep])), -1)
        critical = np.array([max_t(families[:, i], self.freedom, level, rare=rare) for i in range(families.shape[1])])
        return self._within(critical.reshape(*shape[:keep], *(1 for _ in shape[keep:])))

    def confidence(self) -> Array:
        """Return the confidence that the true value is above 0: 0.5 for an estimate of 0, 0.975 at an interval end."""
        from scipy.special import stdtr

        return np.asarray(stdtr(self.freedom, self.t), float)

    @property
    def t(self) -> Array:
        """Return the distance of the estimate from 0 in standard errors; 0 where both are 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where((self.value == 0) & (self.error == 0), 0.0, self.value / self.error)

    def p_values(self) -> Array:
        """Return the chance of an estimate at least this far from 0 if the true value were 0."""
        from scipy.special import stdtr

        return np.asarray(2 * stdtr(self.freedom, -np.abs(self.t)), float)

    def _within(self, critical: Array | float) -> Interval:
        width = critical * self.error
        return Interval(self.value, self.value - width, self.value + width)


def frequent(events: Array, chances: Array) -> Array:
    """Return where there are enough events, and chances without them, to estimate how much their share varies."""
    return np.asarray((events >= FEWEST_EVENTS) & (chances - events >= FEWEST_EVENTS))


def jackknife(function: Callable[..., Array], *sums: Array) -> Estimate:
    """Return the estimate that `function` makes of sums over all batches, and of those without each batch.

    sums: arrays with the batches along the first axis. function: is handed the totals of each, with one leading axis
    more (first of length 1, then the batches left out), and returns an array with that axis first.

    >>> jackknife(lambda wins, games: wins / games, np.array([6, 4]), np.array([10, 10])).value
    array(0.5)
    """
    totals = [array.sum(axis=0) for array in sums]
    with np.errstate(divide="ignore", invalid="ignore"):
        value = function(*(total[None] for total in totals))[0]
        if len(sums[0]) < 2:
            return Estimate(np.asarray(value), np.asarray(value)[None])
        replicates = function(*(total - array for total, array in zip(totals, sums, strict=True)))
    return Estimate(np.asarray(value), replicates)


def ratio(above: Array, below: Array) -> Estimate:
    """Return the ratio of two sums over games."""
    return jackknife(np.divide, above, below)


def mean_of(estimates: Sequence[Estimate]) -> Estimate:
    """Return the mean of estimates from unrelated games."""
    return estimates[0] if len(estimates) == 1 else combined(lambda values: np.mean(values, axis=0), estimates)


def combined(function: Callable[[Sequence[Array]], Array], estimates: Sequence[Estimate]) -> Estimate:
    """Apply a function to estimates from unrelated games: squares of their errors add up.

    Degrees of freedom do not; those of the estimate with the fewest batches make intervals that hold whichever has most
    of the error.
    """
    values = [estimate.value for estimate in estimates]
    value = np.asarray(function(values))
    changed = [
        np.array([function([*values[:place], one, *values[place + 1 :]]) for one in estimate.replicates])
        for place, estimate in enumerate(estimates)
    ]
    deviations = np.concatenate([Estimate(value, replicates).deviations for replicates in changed])
    batches = len(deviations)
    if batches < 2:
        return Estimate(value, value[None])
    fewest = min(len(estimate.replicates) for estimate in estimates)
    return Estimate(value, value + deviations * np.sqrt(batches / (batches - 1)), fewest)


def share(events: Array, chances: Array) -> Interval:
    """Return intervals of shares: sums of events over games, divided by those of the chances for them."""
    return ratio(events, chances).of_share(events.sum(axis=0), chances.sum(axis=0))


def luck_of_first(effects: Estimate) -> float:
    """Return by about how much luck overstates the largest of many effects; NaN if that is not known.

    Chance is added to the effects again and again, and what comes out on top exceeds what it was made of by this on
    average. True effects are less far apart than those estimated, so where many are nearly alike the overstatement is
    somewhat larger.
    """
    known = np.isfinite(effects.error) & np.isfinite(effects.value)
    value, error = effects.value[known], effects.error[known]
    if not len(value):
        return float("nan")
    drawn = value + error * np.random.default_rng(1).standard_normal((2000, len(value)))
    return float((drawn.max(axis=1) - value[drawn.argmax(axis=1)]).mean())


def in_shares(interval: Interval) -> Interval:
    """Convert an interval of 60ths of a win to win shares."""
    return Interval(*(end / WHOLE_WIN for end in interval))


def sidak(family: int, freedom: Array | int, level: float = LEVEL) -> Array:
    """Return the half width, in standard errors, for a family of intervals to hold at once, however correlated."""
    from scipy.special import stdtrit

    known = np.asarray(freedom) >= 1
    return np.where(known, stdtrit(np.maximum(freedom, 1), (1 + level ** (1 / max(1, family))) / 2), np.nan)


def level_of_each(families: int, level: float = LEVEL) -> float:
    """Return the level at which each of several families must hold for all to hold together at this level.

    >>> level_of_each(5)
    0.99
    """
    return 1 - (1 - level) / families


def max_t(deviations: Array, freedom: Array | int, level: float = LEVEL, *, rare: bool = False) -> float:
    """Return the half width, in standard errors, for a family of intervals to hold at once.

    deviations: (batches, family), of an `Estimate`, as is their freedom. What has no error, or none that is known,
    does not count. rare: as for `simultaneous`.
    """
    norms = np.sqrt((deviations**2).sum(axis=0))
    known = norms > ROUNDING
    bound = float(sidak(int(known.sum()), freedom, level))
    if freedom + 1 < FEWEST_CORRELATED or known.sum() < 2:
        return bound
    units = np.ascontiguousarray(deviations[:, known] / norms[known])
    if rare:
        return _resampled(units.tobytes(), len(units), level)
    return min(_simulated(units.tobytes(), len(units), int(freedom), level), bound)


@lru_cache(128)
def _simulated(units: bytes, batches: int, freedom: int, level: float) -> float:
    """Return the quantile of the largest |t| of a family, given its deviations in units of their errors.

    Tables, plots and sentences about the same games ask for the same again.
    """
    normal, dice = _draws(batches)
    errors = np.sqrt(deepcopy(dice).chisquare(freedom, DRAWS) / freedom)
    largest = np.abs(normal @ np.frombuffer(units).reshape(batches, -1)).max(axis=1) / errors
    return float(np.quantile(largest, level))


@lru_cache(128)
def _resampled(units: bytes, batches: int, level: float) -> float:
    """Return the same from batches drawn again: the largest distance of their mean from that of all, in their errors.

    It is at most the bound with five batches, for those drawn may be all alike.
    """
    weights, deviations = _drawn_again(batches), np.frombuffer(units).reshape(batches, -1)
    moved = weights @ deviations
    squares = weights @ deviations**2 - moved**2 / batches
    with np.errstate(divide="ignore"):
        largest = np.abs(moved) / np.sqrt(np.maximum(squares, 0) * batches / (batches - 1))
    bound = sidak(deviations.shape[1], 4, level)
    return float(np.quantile(np.minimum(largest, bound).max(axis=1), level))


@lru_cache(4)
def _drawn_again(batches: int) -> Array:
    """Draw as many batches as there are, each any of them; return how often each came, (DRAWS, batches)."""
    drawn = np.random.default_rng(1).integers(0, batches, (DRAWS, batches)) + batches * np.arange(DRAWS)[:, None]
    return np.bincount(drawn.ravel(), minlength=DRAWS * batches).reshape(DRAWS, batches).astype(float)


@lru_cache(4)  # up to 16 MB each
def _draws(batches: int) -> tuple[Array, np.random.Generator]:
    """Draw (DRAWS, batches) normal numbers, and return the dice to draw their errors with."""
    dice = np.random.default_rng(1)
    return dice.standard_normal((DRAWS, batches)), dice


def discoveries(p_values: Array) -> Array:
    """Raise p-values so that of those below 0.05 at most 5 % are expected to be false (Benjamini, Hochberg).

    What has no p-value (NaN) stays so and does not count.
    """
    known = ~np.isnan(p_values)
    found = p_values[known]
    falling = np.argsort(found)[::-1]
    # Not by `scipy.stats`, whose import takes longer than any table of statistics.
    scaled = found[falling] * len(found) / np.arange(len(found), 0, -1)
    found[falling] = np.minimum.accumulate(np.minimum(scaled, 1))
    raised = np.full(p_values.shape, np.nan)
    raised[known] = found
    return raised

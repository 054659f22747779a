"""A sequential test of whether one strategy is better than another: play until the answer is known.

What is tested is the *normalised Elo* of the difference between the two: its mean over its standard deviation, in one
game, times 800 / ln 10. It tells how many games it takes to see the difference, whatever the rules, the number of
players and the number of draws. H0 says it is `elo0`, H1 says it is `elo1`. What is observed is one number a block,
the sum of the differences in its games: the games of a block share a deal, blocks do not share anything. In a block of
g games the mean over the standard deviation is √g times that of a game, if games were independent; so blocks in which
rotation cancels luck count for what they tell.

The likelihoods are those of normal numbers whose standard deviation is not known, each with the one that makes it
largest (a generalised sequential probability ratio test). Over the thousands of blocks that such tests take, sums are
normal whatever the blocks are.

Where all blocks come to the same, their estimated deviation is 0, and normalised Elo, which divides by it, is beyond
all measure: the estimate is infinite. The test needs no remedy for that, as others have that add a thousandth of a
result to those that did not occur. Its likelihoods know the blocks by their mean over their root mean square, which
is never more than 1, so a block never tells more than one whose hypothesis it fits best, and H1 is accepted after as
many blocks as it takes. Where no block differs from 0 at all, nothing is learnt.
"""

import math
from dataclasses import dataclass

import numpy as np

from ttrsim.games import Results
from ttrsim.runs.plan import Plan, Sprt
from ttrsim.runs.tally import Array

ELO = 800 / math.log(10)
"""Normalised Elo of a difference as large as its standard deviation in a game."""
ROUNDING = 1e-12
"""A share of the mean square that is no larger comes from computing with rounded numbers."""


@dataclass(frozen=True)
class Blocks:
    """Sums over blocks of the number observed in each."""

    number: int
    total: float  # of the numbers
    squares: float  # of their squares
    games: int  # of a block

    @property
    def normalised_elo(self) -> float:
        """The estimate from these blocks; infinite if all have the same number other than 0, NaN if all have 0."""
        variance = self.squares * self.number - self.total**2
        if variance > ROUNDING * self.squares * self.number:
            return ELO * self.total / math.sqrt(variance * self.games)
        return math.copysign(math.inf, self.total) if self.squares else math.nan


def log_likelihood_ratio(blocks: Blocks, elo0: float, elo1: float) -> float:
    """Return the log-likelihood ratio of H1 to H0.

    >>> pairs = [365, 16618, 36229, 16974, 390]  # of games in chess that brought 0, ½, 1, 1½ and 2 points
    >>> total = sum(n * (i - 2) for i, n in enumerate(pairs))
    >>> squares = sum(n * (i - 2) ** 2 for i, n in enumerate(pairs))
    >>> round(log_likelihood_ratio(Blocks(sum(pairs), total, squares, games=2), 0, 2), 2)
    2.25
    """
    if blocks.squares == 0:  # nothing differed in any block
        return 0.0
    scale = math.sqrt(blocks.games) / ELO
    return blocks.number * (_log_likelihood(blocks, elo1 * scale) - _log_likelihood(blocks, elo0 * scale))


def _log_likelihood(blocks: Blocks, ratio: float) -> float:
    """Return the log-likelihood per block of a mean that is `ratio` times the standard deviation, up to a constant.

    The standard deviation is the likeliest one.

    With u = root mean square / standard deviation it is log u − (u² − 2·ratio·lean·u + ratio²) / 2, largest where its
    derivative 1/u − u + ratio·lean is 0. `lean` is the mean over the root mean square.
    """
    lean = blocks.total / math.sqrt(blocks.squares * blocks.number)
    u = (ratio * lean + math.sqrt((ratio * lean) ** 2 + 4)) / 2
    return math.log(u) - (u * u - 2 * ratio * lean * u + ratio * ratio) / 2


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return the log-likelihood ratios at which H0 and H1 are accepted.

    alpha: how often H1 is accepted where H0 holds; beta: how often H0 is accepted where H1 holds.
    """
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


@dataclass(frozen=True)
class SprtState:
    """The state of a sequential test."""

    first: str
    second: str
    ratio: float  # log-likelihood ratio of H1 to H0
    low: float  # where H0 is accepted
    high: float  # where H1 is accepted
    blocks: int  # number of blocks so far
    normalised_elo: float  # of the first over the second, as they played; infinite or NaN as `Blocks` has it

    @classmethod
    def after(cls, test: Sprt, blocks: Blocks) -> "SprtState":
        """Return the state of a test after these blocks."""
        ratio = log_likelihood_ratio(blocks, test.elo0, test.elo1)
        low, high = bounds(test.alpha, test.beta)
        return cls(test.first, test.second, ratio, low, high, blocks.number, blocks.normalised_elo)

    @property
    def accepted(self) -> str | None:
        """The hypothesis accepted, `H0` or `H1`; None as long as the test is open."""
        return "H0" if self.ratio <= self.low else "H1" if self.ratio >= self.high else None

    @property
    def more_blocks(self) -> float:
        """About how many more blocks an open test needs if they go on like this; NaN if they favour neither."""
        if self.accepted or not self.ratio:
            return math.nan
        return self.blocks * ((self.high if self.ratio > 0 else self.low) / self.ratio - 1)


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

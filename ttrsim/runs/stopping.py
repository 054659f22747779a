"""Decide when a run ends: with its last game, or earlier, as soon as its question is answered; and its outcome.

A run that may stop is examined after fixed numbers of laps, whatever its number of games. Such a look includes nothing
beyond those laps. So where the run ends does not depend on threads, engines, interruptions or whether it was made
longer. The looks use the win shares of strategies, with errors, from the records of shards.

The sequential test of two strategies (`--sprt`) is about the *normalised Elo* of their difference: its mean over its
standard deviation, in one game, times 800 / ln 10. That determines how many games it takes to see the difference,
whatever the rules, the number of players and the number of draws. H0 says it is `elo0`, H1 says it is `elo1`. The test
observes one number per block, the sum of the differences in its games: the games of a block share a deal, and blocks
share nothing. If games were independent, the mean over the standard deviation of a block of g games would be √g times
that of one game; where rotation cancels luck it is larger, and the test gains by it.

The likelihoods are those of a normal distribution whose standard deviation is unknown and chosen to maximise each (a
generalised sequential probability ratio test). Such tests take thousands of blocks, and the sum of so many is close to
normal whatever their distribution.

Where all blocks are equal, their estimated deviation is 0, and normalised Elo, which divides by it, is infinite. Other
tests avoid that by adding a thousandth of a result to those that did not occur; this one has no need to. Its
likelihoods depend on the blocks only through their mean over their root mean square, which is never more than 1, so no
block counts for more than one that fits its hypothesis best. Where every block is 0, nothing is learnt.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import ValidationError

from ttrsim.batches import ratio, sidak
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.errors import UsageError
from ttrsim.games import Results
from ttrsim.runs.recipe import Recipe, Sprt, UntilCi
from ttrsim.runs.stored_files import ShardRecord
from ttrsim.runs.tally import Array
from ttrsim.schedule import MOST_BATCHES, is_look
from ttrsim.strategies.loading import tidy_spec

HYPOTHESES = ("elo0", "elo1", "alpha", "beta")
"""The parameters of a sequential test: its hypotheses, and how often each may be wrongly accepted."""


def make_stop(
    until_ci: float | None, sprt: str | Sequence[str] | None, hypotheses: Mapping[str, float]
) -> UntilCi | Sprt | None:
    """Return what ends a run early, if anything. until_ci: the half width; sprt: two strategies."""
    if until_ci is not None and sprt is not None:
        raise UsageError(["`until_ci`, `sprt`: a run stops for one reason; give only one of them"])
    if hypotheses and sprt is None:
        raise UsageError([f"`{next(iter(hypotheses))}`: needs `sprt`"])
    if sprt is not None:
        return make_sprt(parse_pair("sprt", sprt), hypotheses)
    if until_ci is None:
        return None
    if not 0 < until_ci <= 0.5:
        raise UsageError([f"`until_ci` {until_ci}: must be above 0 and at most 0.5, a fraction of 1"])
    return UntilCi(half_width=until_ci)


def make_sprt(names: tuple[str, str], hypotheses: Mapping[str, float]) -> Sprt:
    """Return the test of two strategies, with those of its HYPOTHESES that are given."""
    try:
        return Sprt(first=names[0], second=names[1], **hypotheses)
    except ValidationError as e:
        error = e.errors()[0]
        which = f"`{error['loc'][0]}` {error['input']:g}" if error["loc"] else "`sprt`"
        raise UsageError([f"{which}: {error['msg'].lower().removeprefix('value error, ')}"]) from None


def parse_pair(parameter: str, value: str | Sequence[str]) -> tuple[str, str]:
    """Split `planner,random` into two strategies as a run's tables call them, parameters in parentheses included."""
    names = [tidy_spec(name) for name in (re.split(r",(?![^(]*\))", value) if isinstance(value, str) else value)]
    if len(names) != 2:
        raise UsageError([f"`{parameter}` {value}: write two strategies, for example planner,random"])
    return names[0], names[1]


ELO = 800 / math.log(10)
"""Normalised Elo of a difference as large as its standard deviation in a game."""
ROUNDING = 1e-12
"""The largest variance, as a share of the mean square, that may be rounding error alone."""


@dataclass(frozen=True)
class Blocks:
    """Sums over blocks of the number observed in each."""

    number: int
    total: float  # of the numbers
    squares: float  # of their squares
    games: int  # of a block

    @property
    def normalised_elo(self) -> float:
        """The estimate from these blocks; infinite if all have the same number, NaN if that is 0."""
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


def pair_of(recipe: Recipe, test: Sprt) -> list[int]:
    """Return the numbers of the two strategies in the recipe."""
    return [recipe.names.index(name) for name in (test.first, test.second)]


def games_of_both(recipe: Recipe, test: Sprt) -> int:
    """Return the number of games of a lap in which at least one of the two strategies plays."""
    return int(
        np.isin(recipe.schedule.where(np.arange(recipe.schedule.lap_games))[1], pair_of(recipe, test)).any(axis=1).sum()
    )


def by_lap(recipe: Recipe, test: Sprt, results: Results) -> Array:
    """Return how much more the first strategy won than the second in each lap, in 60ths.

    Both have the same seats, as `make_recipe` has checked.
    """
    first, second = pair_of(recipe, test)
    strategy = results.seats["strategy"]
    more = results.win60 * (np.int64(1) * (strategy == first) - (strategy == second))
    laps: Array = more.reshape(len(more) // recipe.schedule.lap_games, -1).sum(axis=1)
    return laps


@dataclass(frozen=True)
class Share:
    """The results of a strategy."""

    strategy: str
    seats: int  # summed over games
    win_share: float
    half_width: float | None  # of the 95 % interval of the win share; None if not known
    score: float  # mean


class Shares:
    """Sums by batch, to which shards are added."""

    def __init__(self, recipe: Recipe) -> None:
        self.strategies, self.games = recipe.names, 0
        self._lap_games = recipe.schedule.lap_games
        self._batch_laps = recipe.batch_laps_at(0)
        self._batches: dict[int, np.ndarray[tuple[int, int], np.dtype[np.int64]]] = {}  # (3, strategies)

    def add(self, record: ShardRecord) -> None:
        """Add a shard, and join batches in pairs as long as there are too many."""
        self.games += record.laps * self._lap_games
        for piece in record.pieces:
            self._add(piece.first_lap // self._batch_laps, np.array([piece.seats, piece.win60, piece.score], np.int64))
        while len(self._batches) > MOST_BATCHES:
            before, self._batches = self._batches, {}
            self._batch_laps *= 2
            for batch, sums in before.items():
                self._add(batch // 2, sums)

    def _add(self, batch: int, sums: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> None:
        self._batches[batch] = self._batches.get(batch, 0) + sums

    def estimates(self) -> list[Share]:
        """Return the results of each strategy so far.

        An error is not known with fewer than two batches, fewer than 10 wins or losses, or where all batches have the
        same share.
        """
        if not self._batches:
            return []
        seats, win60, score = np.array(list(self._batches.values())).transpose(1, 0, 2)  # each (batches, strategies)
        wins = ratio(win60 / WHOLE_WIN, seats)
        known = wins.frequent(win60.sum(axis=0) / WHOLE_WIN, seats.sum(axis=0)).varied()
        half_widths = (sidak(1, known.freedom) * known.error).tolist()
        return [
            Share(
                name,
                int(seats[:, i].sum()),
                float(wins.value[i]),
                None if math.isnan(half_widths[i]) else half_widths[i],
                float(score[:, i].sum() / seats[:, i].sum()),
            )
            for i, name in enumerate(self.strategies)
        ]


class Watch:
    """Takes shards in any order, examines them in the order of laps, and determines where the run ends."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.shares = Shares(recipe)  # of the laps looked at
        self.looked = 0  # laps looked at, from the first on
        self.end: int | None = None if recipe.stop else recipe.laps
        """The number of laps of the run; None as long as it is not known."""
        self._waiting: dict[int, ShardRecord] = {}
        self._blocks = np.zeros(3, np.int64)  # laps, sum and sum of squares of `sprt.by_lap`

    @property
    def early(self) -> bool:
        """Return whether the run ends before its last game."""
        return self.end is not None and self.end < self.recipe.laps

    def add(self, record: ShardRecord) -> None:
        """Add a finished shard."""
        self._waiting[record.first_lap] = record
        while self.looked in self._waiting and self.looked != self.end:
            self._look(self._waiting.pop(self.looked))

    def _look(self, record: ShardRecord) -> None:
        self.looked = record.range.stop
        self.shares.add(record)
        for piece in record.pieces:
            self._blocks += (piece.laps, *(piece.difference or (0, 0)))
        if self.looked == self.recipe.laps or (self.recipe.stop and is_look(self.looked) and self._answered()):
            self.end = self.looked

    def _answered(self) -> bool:
        match self.recipe.stop:
            case UntilCi(half_width=wanted):
                return _all_within(self.shares.estimates(), wanted)
            case Sprt():
                state = self.sprt
                return state is not None and state.accepted is not None
        return False

    @property
    def sprt(self) -> SprtState | None:
        """The state of the sequential test; None for other runs."""
        if not isinstance(stop := self.recipe.stop, Sprt):
            return None
        number, total, squares = self._blocks.tolist()
        return SprtState.after(stop, Blocks(number, total, squares, games_of_both(self.recipe, stop)))


@dataclass(frozen=True)
class Outcome:
    """The outcome of a run, finished or not."""

    shares: Shares
    digest: str | None  # None as long as laps are missing
    watch: Watch  # has looked at all shards of a finished run
    missing: int = 0  # laps that are not played yet

    @classmethod
    def of(cls, recipe: Recipe, records: Iterable[ShardRecord], digest: str | None) -> "Outcome":
        """Return the outcome of these shards; digest: of the run, if it is finished."""
        watch, shares, laps = Watch(recipe), Shares(recipe), 0
        for record in records:
            watch.add(record)
            shares.add(record)
            laps += record.laps
        missing = 0 if digest else (watch.end or recipe.laps) - laps
        return cls(watch.shares if digest else shares, digest, watch, missing)

    @property
    def answered(self) -> bool | None:
        """Return whether a run that could stop ended with an answer to its question; None if it has not ended."""
        if self.digest is None or self.watch.early:
            return True if self.digest else None
        if self.watch.sprt:
            return self.watch.sprt.accepted is not None
        return self.more_games is None and self._widest is not None

    @property
    def more_games(self) -> float | None:
        """About how many more games an ended run would have needed for an answer; None if not known."""
        stop, state, games, more = self.watch.recipe.stop, self.watch.sprt, self.shares.games, math.nan
        if self.digest and not self.watch.early:
            if state:
                more = games * state.more_blocks / state.blocks
            elif isinstance(stop, UntilCi) and (width := self._widest):
                more = games * ((width / stop.half_width) ** 2 - 1)
        return more if math.isfinite(more) and more > 0 else None

    @property
    def _widest(self) -> float | None:
        """The largest half width of a win share; None if one is not known."""
        widths = [share.half_width for share in self.shares.estimates()]
        return max((width for width in widths if width is not None), default=None) if None not in widths else None


def _all_within(shares: Sequence[Share], half_width: float) -> bool:
    return all(share.half_width is not None and share.half_width <= half_width for share in shares)

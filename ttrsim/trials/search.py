"""Search for the points at which holding any ticket is worth as much as holding any other, without diverging.

Each round of games measures the effect of holding each ticket with that round's points. For each ticket a line is
fitted through its rounds: rounds with points nearer to where the line crosses 0 weigh more, and the games give a rough
slope in advance. So one round yields a Newton step, two yield a secant, and a wrong slope is detected rather than
followed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ttrsim.batches import Array, Estimate, Interval, mean_of, ratio
from ttrsim.boards import Board
from ttrsim.boards.board import find_tickets
from ttrsim.boards.file import MOST
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.errors import UsageError
from ttrsim.trials.tickets import dealt, held, share
from ttrsim.trials.trial import OnGames, Trial, TrialResults

CURVATURE = 0.3
"""Fraction of its height by which a line may be off, so rounds with points further away say less."""
SLOPE_SPREAD = 0.5
"""Standard deviation of a ticket's true slope, as a fraction of the expected one."""
STEEPEST = 3.0
"""The factor by which a line may be steeper or flatter than expected."""
PASSES = 8
"""The number of times the line is refitted, with weights that depend on its own crossing."""
FEWEST_COMPLETED = 0.6
"""Share of games in which a ticket must be completed; below it, an extra point changes too little to find a fair
value."""
LEAST_GAIN = 0.002
"""The least win share that an extra point of score is assumed to bring, even if the games suggest less."""
PRINTED = "test: printed points"
SURE = 0.95
"""Confidence with which new points must be better than the printed ones in the test to take their place."""
PATIENCE = 2
"""Number of rounds without improvement after which the search ends."""


@dataclass(frozen=True)
class Limits:
    """The points that a ticket may have."""

    least: int = 1
    most: int = MOST
    step: int = 1
    hold_level: bool = True  # keep the sum over the tickets of each deck

    def __post_init__(self) -> None:
        if not 1 <= self.step <= self.most or not 0 <= self.least <= self.most <= MOST:
            raise UsageError(
                [
                    f"points from {self.least} to {self.most} in steps of {self.step}: least and most must be from 0 "
                    f"to {MOST}, the least at most as large as the most, and the step from 1 to the most"
                ]
            )
        if -(-self.least // self.step) > self.most // self.step:
            raise UsageError([f"there is no multiple of {self.step} from {self.least} to {self.most}"])

    def rounded(self, targets: Array, printed: Array, decks: Array) -> Array:
        """Return the allowed points nearest to the targets: multiples of the step, with the printed sums."""
        low, high = -(-self.least // self.step), self.most // self.step
        steps = targets / self.step
        whole = np.clip(np.rint(steps), low, high).astype(int)
        if self.hold_level:
            for deck in np.unique(decks):
                members = np.flatnonzero(decks == deck)
                _balance(whole, steps, members, round(printed[members].sum() / self.step), low, high)
        return whole * self.step


def _balance(whole: Array, steps: Array, members: Array, level: int, low: int, high: int) -> None:
    """Move the members that suffer least by one step each, until they sum to the level or none can move."""
    while missing := level - whole[members].sum():
        towards = int(np.sign(missing))
        free = [i for i in members if low <= whole[i] + towards <= high]
        if not free:
            return
        whole[min(free, key=lambda i: towards * (whole[i] - steps[i]))] += towards


@dataclass(frozen=True)
class Round:
    """The measured effects of holding each ticket with some points, (tickets,) each."""

    points: Array
    effect: Array
    error: Array  # of the effect
    slope: Array  # how much an extra point on the ticket should add to its effect

    @property
    def rms(self) -> float:
        """The root mean square of the true effects, that is, with noise subtracted."""
        return float(np.sqrt(self.variance))

    @property
    def variance(self) -> float:
        """The mean square of the true effects, with noise subtracted."""
        return max(0.0, float((self.effect**2 - self.error**2).sum() / max(1, len(self.points))))

    @property
    def noise(self) -> float:
        """The root mean square of the errors of the effects."""
        return float(np.sqrt((self.error**2).sum() / max(1, len(self.points))))


def crossings(rounds: Sequence[Round], printed: Array, decks: Array, limits: Limits) -> tuple[Array, Array]:
    """Return for each ticket the points at which its effect should be 0, and their standard error.

    They are shrunk towards the printed points, the more so the less the first round separates true effects from noise.
    The sum of each deck stays as printed if the limits say so.
    """
    expected = np.mean([r.slope for r in rounds], axis=0)
    points, errors = (np.array([getattr(r, name) for r in rounds], float) for name in ("points", "error"))
    effects = np.array([r.effect - (_common(r.effect, expected, decks) if limits.hold_level else 0) for r in rounds])
    found = points[-1] - effects[-1] / expected
    for _ in range(PASSES):
        weights = 1 / (errors**2 + (CURVATURE * expected * (points - found)) ** 2)
        total = weights.sum(axis=0)
        middle, height = ((weights * x).sum(axis=0) / total for x in (points, effects))
        sure = 1 / (SLOPE_SPREAD * expected) ** 2
        along, across = points - middle, effects - height
        slope = (expected * sure + (weights * along * across).sum(axis=0)) / (sure + (weights * along**2).sum(axis=0))
        slope = np.clip(slope, expected / STEEPEST, expected * STEEPEST)
        free, precision = middle - height / slope, slope**2 * total
        prior = np.mean(expected) ** 2 / max(rounds[0].variance, 1e-9)
        found = (precision * free + prior * printed) / (precision + prior)
    error = 1 / np.sqrt(precision)
    if limits.hold_level:
        for deck in np.unique(decks):
            of = decks == deck
            found[of] += (printed[of].sum() - found[of].sum()) * (1 / slope[of]) / (1 / slope[of]).sum()
    return np.clip(found, limits.least, limits.most), error


def _common(effect: Array, slope: Array, decks: Array) -> Array:
    """Return the common effect that the tickets of each deck must have for their points to keep their sum."""
    common = np.zeros(len(effect))
    for deck in np.unique(decks):
        of = decks == deck
        common[of] = (effect[of] / slope[of]).sum() / (1 / slope[of]).sum()
    return common


@dataclass(frozen=True)
class Effects:
    """The effects of holding each ticket with some points on some deals, (tickets,) each."""

    points: Array
    score: Estimate
    win: Estimate
    completed: Interval
    slope: Array  # how much an extra point on the ticket adds to the score; NaN where it is completed too rarely


@dataclass(frozen=True)
class Solution:
    """The result of a search."""

    rounds: list[Effects]
    tests: dict[str, Effects]  # by the name of the points tested; the printed ones first
    after: Effects  # the test of the new points, which may be the printed ones
    value: Array  # (tickets,): fair values, NaN where there is none
    error: Array  # of them
    floor: float  # root mean square of the effects that remain because points are whole, or multiples of the step

    @property
    def before(self) -> Effects:
        """The test of the printed points."""
        return self.tests[PRINTED]


class Search:
    """A search at one or more tables of a board: the effects that should vanish are means over the tables."""

    def __init__(
        self,
        tables: Sequence[Trial],
        tickets: Sequence[str] | None,
        objective: str,
        limits: Limits,
        threads: int,
        on_games: OnGames,
    ) -> None:
        board = tables[0].board
        self.tables, self.objective = tables, objective
        self.threads, self.on_games = threads, on_games
        self.chosen = dealt(board, find_tickets(board, tickets))
        every = len(self.chosen) == len(dealt(board, find_tickets(board, None)))
        self.limits = replace(limits, hold_level=limits.hold_level and every)  # the others keep their points
        self.indices = [ticket for ticket, _ in self.chosen]
        self.decks = np.array([deck for _, deck in self.chosen])
        self.overruled = 0  # games in which the strategy left out the ticket that it had to keep
        self.printed = np.array([board.tickets[ticket].points for ticket in self.indices])

    def run(self, most_rounds: int) -> Solution:
        """Search until points stop improving, then test the printed and the new points on fresh deals."""
        rounds = [self.measure(self.printed, 0)]
        self.free = ~np.isnan(rounds[0].slope)
        while len(rounds) < most_rounds and not self._ended(rounds):
            rounds.append(self.measure(self.proposal(rounds), len(rounds)))
        value, error = (np.full(len(self.printed), np.nan) for _ in range(2))
        floor = 0.0
        if self.free.any():
            value[self.free], error[self.free] = self._crossings(rounds)
            off = (self.proposal(rounds) - value)[self.free] * self.round(rounds[0]).slope  # of larger effects
            floor = float(np.sqrt((off**2).mean()))
        best = min(rounds, key=lambda measured: self.round(measured).variance)
        tests = {PRINTED: self.measure(self.printed, most_rounds)}
        for name, points in (("all rounds", self.proposal(rounds)), ("the best round", best.points)):
            if all((points != tested.points).any() for tested in tests.values()):
                tests[f"test: points of {name}"] = self.measure(points, most_rounds)
        best = min(tests.values(), key=lambda measured: self.round(measured).variance)
        after = best if self.surely_better(best, tests[PRINTED]) else tests[PRINTED]
        return Solution(rounds, tests, after, value, error, floor)

    def surely_better(self, new: Effects, old: Effects) -> bool:
        """Return whether effects on the same deals are smaller with new points, by more than chance explains."""
        (smaller, of_new), (larger, of_old) = (
            (self.round(effects).variance, getattr(effects, self.objective).replicates) for effects in (new, old)
        )
        if smaller >= larger:
            return False
        without = (of_old**2 - of_new**2)[:, self.free].mean(axis=1)
        return bool(Estimate(np.asarray(larger - smaller), without).confidence() > SURE)

    def proposal(self, rounds: Sequence[Effects]) -> Array:
        """Return the points to try after these rounds."""
        points, free = self.printed.copy(), self.free
        if free.any():
            points[free] = self.limits.rounded(self._crossings(rounds)[0], self.printed[free], self.decks[free])
        return points

    def round(self, measured: Effects) -> Round:
        """Return the effects of the tickets that can have a fair value, on scores or on win shares."""
        effect, slope = measured.score, np.nan_to_num(measured.slope, nan=FEWEST_COMPLETED)
        if self.objective == "win":
            effect = measured.win
            gain = (effect.value * measured.score.value).sum() / max((measured.score.value**2).sum(), 1e-9)
            slope = slope * max(gain, LEAST_GAIN)
        unknown = np.isnan(effect.error)  # too few games: it may all be chance
        error = np.where(unknown, np.abs(effect.value) + 1, effect.error)
        return Round(*(array[self.free] for array in (measured.points, effect.value, error, slope)))

    def _ended(self, rounds: Sequence[Effects]) -> bool:
        """Return whether to stop: no effect is left, no round was better for a while, or points would be repeated."""
        variances = [self.round(measured).variance for measured in rounds]
        best = int(np.argmin(variances))
        tried = self.proposal(rounds)
        return (
            variances[best] == 0
            or len(rounds) - 1 - best >= PATIENCE
            or any((tried == measured.points).all() for measured in rounds)
        )

    def _crossings(self, rounds: Sequence[Effects]) -> tuple[Array, Array]:
        played = [self.round(measured) for measured in rounds]
        return crossings(played, self.printed[self.free], self.decks[self.free], self.limits)

    def measure(self, points: Array, stage: int) -> Effects:
        """Play all tables with these points, on the deals of a stage."""
        new = dict(zip(self.indices, points.tolist(), strict=True))
        found = [self._measure(table.at(repriced(table.board, new), stage)) for table in self.tables]
        scores, wins, completed, slopes = zip(*found, strict=True)
        shares = Interval(*(np.mean(ends, axis=0) for ends in zip(*completed, strict=True)))
        return Effects(points, mean_of(scores), mean_of(wins), shares, np.mean(slopes, axis=0))

    def _measure(self, trial: Trial) -> tuple[Estimate, Estimate, Interval, Array]:
        """Return the effects on score and win share, the shares completed, and the slopes."""
        played, mine, base = held(trial, self.chosen, self.threads, self.on_games)
        self.overruled += played.overruled
        win = played.change("win60", mine, base)
        done, games = played.of_tickets("completed", mine, self.indices), played.of("games", mine)
        return (
            played.change("score", mine, base),
            win.scaled(1 / WHOLE_WIN),
            share(trial, ratio(done, games), done, games),
            self._slopes(played, mine, base),
        )

    def _slopes(self, played: TrialResults, mine: Sequence[int], base: Sequence[int]) -> Array:
        """Return how much an extra point on each ticket adds to the score, all else being equal.

        It adds one where the ticket is completed and takes one where it fails, also in the games compared with, in some
        of which the seat holds the ticket as well.
        """
        kept, done = (
            (played.of_tickets(fate, mine, self.indices) - played.of_tickets(fate, base, self.indices)).sum(axis=0)
            for fate in ("kept", "completed")
        )
        games = played.of("games", mine).sum(axis=0)
        often = played.of_tickets("completed", mine, self.indices).sum(axis=0) >= FEWEST_COMPLETED * games
        return np.where(often & (2 * done > kept), (2 * done - kept) / games, np.nan)


def repriced(board: Board, points: dict[int, int]) -> Board:
    """Return the board with other points on some tickets."""
    tickets = (replace(t, points=points.get(t.index, t.points)) for t in board.tickets)
    return replace(board, tickets=tuple(tickets))

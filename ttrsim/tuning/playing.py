"""Play a tuning: the search, generation by generation, then the tests of what it found, each on deals of its own."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ttrsim.batches import Array, Interval, mean_of
from ttrsim.errors import UsageError, UserError
from ttrsim.progress import Listener, Progress
from ttrsim.runs.stopping import Share
from ttrsim.tuning.contest import Contest, Engine, Measured, Values, measure
from ttrsim.tuning.search import CANDIDATES, Search, Space
from ttrsim.tuning.stored import Line, Plan, Settings, Stage

BATCHES = 100
"""Batches of a test, from which its errors are computed."""
SHARES = {"search": 0.55, "test": 0.2, "worth": 0.15, "near": 0.1}
"""How the games are divided among the stages."""
USUAL_GAMES = 250
"""Games of a candidate in a generation, at a single table; at each of several fewer, for their mean is less noisy.
Fewer, in more generations, lead sooner away from bad values; but a call of the core takes a moment, with fewer than
these more than a tenth of the time."""
FEW_GENERATIONS, MOST_GENERATIONS = 30, 250
"""With fewer generations candidates have fewer games, and with more they have more."""
FEWEST_GENERATIONS = 5
"""A search with fewer is refused."""
FEWEST_GAMES = 20
"""Games of a candidate in a generation, at the least."""
MOST_TESTS = 100
"""How many times the test goes on, at most, if it is not precise enough."""
RECENT = 0.2
"""The last share of generations, over whose means the result is averaged: one mean alone wanders by chance."""
START, MEAN = -2, -1
"""The arms of a generation that are no candidates: the strategy as it starts, and the mean of the search."""


def make_plan(games: int, contests: Sequence[Contest], near: int, params: int) -> Plan:
    """Divide a number of games among the stages. near: how many neighbouring tables."""
    tables, arms = len(contests), CANDIDATES + 2
    of_search = SHARES["search"] * games / (tables * arms)  # of each arm at each table, in all generations
    lap = max(contest.lap_games for contest in contests)
    usual = min(USUAL_GAMES / math.sqrt(tables), of_search / FEW_GENERATIONS)
    of_generation = max(usual, of_search / MOST_GENERATIONS, FEWEST_GAMES, lap)
    if (generations := int(of_search / of_generation)) < FEWEST_GENERATIONS:
        least = math.ceil(max(FEWEST_GAMES, lap) * FEWEST_GENERATIONS * tables * arms / SHARES["search"])
        raise UsageError([f"`games` {games}: too few for a search at these tables; at least {least:,}"])
    return Plan(
        generations=generations,
        candidates=CANDIDATES,
        games=int(of_generation),
        test=max(1, int(SHARES["test"] * games / (2 * tables))),
        worth=max(1, int(SHARES["worth"] * games / ((1 + params) * tables))),
        near=max(1, int(SHARES["near"] * games / (2 * max(near, 1)))),
    )


@dataclass
class Task:
    """A tuning as it is played."""

    settings: Settings
    space: Space
    contests: list[Contest]
    near: list[Contest]
    lines: list[Line] = field(default_factory=list)  # finished

    @property
    def plan(self) -> Plan:
        """The numbers of games."""
        return self.settings.plan

    @property
    def searched(self) -> list[Line]:
        """The generations that are finished."""
        return self.of("search")

    def of(self, stage: Stage) -> list[Line]:
        """Return the finished parts of a stage."""
        return [line for line in self.lines if line.stage == stage]

    @property
    def finished(self) -> bool:
        """Whether everything is played."""
        if not tested(self):
            return False
        several = len(self.space.put_back(self.of("test")[0].arms[0])) > 1
        return bool(self.of("worth") or not several) and bool(self.of("near") or not self.near)

    @property
    def games(self) -> int:
        """About the number of games in all."""
        plan = self.plan
        search = plan.generations * (plan.candidates + 2) * _rounded(self.contests, plan.games, 1)
        tests = max(1, len(self.of("test"))) * 2 * _rounded(self.contests, plan.test, BATCHES)
        worth = (1 + len(self.space.names)) * _rounded(self.contests, plan.worth, BATCHES)
        return search + tests + worth + 2 * _rounded(self.near, plan.near, BATCHES)


def _rounded(contests: Sequence[Contest], games: int, batches: int) -> int:
    return sum(contest.laps(games, batches) * contest.lap_games for contest in contests)


def carry_out(task: Task, engine: Engine, listener: Listener, on_line: Callable[[], None]) -> None:
    """Play what is not finished. on_line: called after each finished part."""
    counter = _Counter(task, listener)

    def play(stage: Stage, contests: list[Contest], arms: list[Values], rival: Values, games: int, batches: int) -> Line:  # fmt: skip  # noqa: E501
        first = _first(task.lines, contests, near=stage == "near")
        found = measure(contests, arms, rival, first, games, batches, engine, counter.played)
        task.lines.append(Line.of(stage, arms, found))
        on_line()
        counter.finished()
        return task.lines[-1]

    plan, start = task.plan, task.space.start
    search = Search(task.space, task.settings.seed)
    finished = iter(task.searched)
    for number in range(plan.generations):
        arms, rival = [*search.ask(), start, search.mean], search.mean
        line = next(finished, None)
        if line is None:
            line = play("search", task.contests, arms, rival, plan.games, 1)
        elif line.arms != tuple(arms):
            why = "was searched with another version of cma or numpy, or altered; begin the tuning anew"
            raise UserError([f"generation {number}: {why}"])
        search.tell(objective(line.measured, worst=task.settings.worst).tolist())
    tuned = result(task)
    while not tested(task):
        play("test", task.contests, [tuned, start], start, plan.test, BATCHES)
    if not task.of("worth") and len(back := task.space.put_back(tuned)) > 1:
        play("worth", task.contests, [tuned, *(values for _, values in back)], start, plan.worth, BATCHES)
    if not task.of("near") and task.near:
        play("near", task.near, [tuned, start], start, plan.near, BATCHES)


def _first(lines: Sequence[Line], contests: Sequence[Contest], *, near: bool) -> list[int]:
    """Return the first lap at each table that no finished part has."""
    before = [line for line in lines if (line.stage == "near") == near]
    return [line + laps for line, laps in zip(before[-1].first, before[-1].laps, strict=True)] if before else [0] * len(contests)  # fmt: skip  # noqa: E501


def objective(found: Measured, *, worst: bool) -> Array:
    """Return what the candidates of a generation are judged by: (candidates,).

    It is the mean of their gains on the start at all tables or, with `worst`, the least of them.
    """
    shares = found.shares()
    gains: Array = shares[:, :START] - shares[:, [START]]
    return np.asarray(gains.min(axis=0) if worst else gains.mean(axis=0))


def tested(task: Task) -> bool:
    """Return whether the test of what was found is finished."""
    lines, precision = task.of("test"), task.settings.precision
    if not lines or not precision or len(lines) == MOST_TESTS:
        return bool(lines)
    _, low, high = gain(task)
    return bool(np.isnan(high).all() or (high - low <= 2 * precision).all())


def gain(task: Task) -> Interval:
    """Return the gain that decides: the mean over the tables searched or, for the worst, that of the worst table."""
    found = joined(task.of("test"))
    gains = [found.gains(table, [0], 1) for table in range(len(found.wins))]
    if not task.settings.worst:
        return mean_of(gains).interval()
    return min((of_table.interval() for of_table in gains), key=lambda interval: float(interval.low[0]))


def joined(lines: Sequence[Line]) -> Measured:
    """Return the parts of a test as one."""
    parts = [line.measured for line in lines]
    wins = tuple(np.concatenate(of_table, axis=1) for of_table in zip(*(part.wins for part in parts), strict=True))
    laps = tuple(map(sum, zip(*(part.laps for part in parts), strict=True)))
    return Measured(parts[0].first, laps, wins, parts[0].games)


def recent(generations: Sequence[Line]) -> Sequence[Line]:
    """Return the last of these generations."""
    return generations[-max(1, math.ceil(RECENT * len(generations))) :]


def result(task: Task) -> Values:
    """Return what the search has found: the average of its last means."""
    means = np.array([line.arms[MEAN] for line in recent(task.searched)])
    return task.space.rounded(means.mean(axis=0))


class _Counter:
    """Reports how many games are played, and how good what was found is so far."""

    def __init__(self, task: Task, listener: Listener) -> None:
        self.task, self.listener = task, listener
        self._done = 0
        self._shares: list[Share] = []
        self.finished()

    def played(self, games: int) -> None:
        """Count more games; called by threads."""
        self._done += games
        self._report()

    def finished(self) -> None:
        """Take a finished part."""
        self._done = sum(line.played for line in self.task.lines)
        if self.listener.counts and (generations := self.task.searched):
            last = [line.measured.shares()[:, START:].mean(axis=0) for line in recent(generations)]
            self._shares = _shares(np.array(last), self.task.plan.games)
            self._report()

    def _report(self) -> None:
        of = max(self.task.games, self._done)
        self.listener.progress(Progress(games=self._done, of=of, shares=self._shares))


def _shares(shares: Array, games: int) -> list[Share]:
    """Return the win shares of start and mean in some generations, (generations, 2), with what they may be off by."""
    halves = 1.96 * shares.std(axis=0, ddof=1) / len(shares) ** 0.5 if len(shares) > 2 else [None, None]
    return [
        Share(name, games * len(shares), float(share), None if half is None else float(half), 0.0)
        for name, share, half in zip(("at the start", "best so far"), shares.mean(axis=0), halves, strict=True)
    ]

"""Play a tuning: the search, generation by generation, then the tests of what it found, each on deals of its own."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ttrsim.batches import Array, Interval, mean_of
from ttrsim.errors import UsageError, UserError
from ttrsim.progress import GameCounter, Listener
from ttrsim.runs.stopping import Share
from ttrsim.tuning.match import ArmResults, Engine, Match, Values, measure
from ttrsim.tuning.search import CANDIDATES, Search, Space
from ttrsim.tuning.stored import Stage, StageGames, Step, TuningRecipe

BATCHES = 100
"""Batches of a test, from which its errors are computed."""
SHARES = {"search": 0.55, "test": 0.2, "worth": 0.15, "near": 0.1}
"""Shares of the games by stage."""
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
"""The most times that the test is played on if it is not precise enough."""
RECENT = 0.2
"""The last share of generations, over whose means the result is averaged: one mean alone wanders by chance."""
START, MEAN = -2, -1
"""The arms of a generation that are no candidates: the strategy as it starts, and the mean of the search."""


def divide_games(games: int, matches: Sequence[Match], near: int, params: int) -> StageGames:
    """Divide a number of games among the stages. near: how many neighbouring tables."""
    tables, arms = len(matches), CANDIDATES + 2
    of_search = SHARES["search"] * games / (tables * arms)  # of each arm at each table, in all generations
    lap = max(match.lap_games for match in matches)
    usual = min(USUAL_GAMES / math.sqrt(tables), of_search / FEW_GENERATIONS)
    of_generation = max(usual, of_search / MOST_GENERATIONS, FEWEST_GAMES, lap)
    if (generations := int(of_search / of_generation)) < FEWEST_GENERATIONS:
        least = math.ceil(max(FEWEST_GAMES, lap) * FEWEST_GENERATIONS * tables * arms / SHARES["search"])
        raise UsageError([f"`games` {games}: too few for a search at these tables; at least {least:,}"])
    return StageGames(
        generations=generations,
        candidates=CANDIDATES,
        games=int(of_generation),
        test=max(1, int(SHARES["test"] * games / (2 * tables))),
        worth=max(1, int(SHARES["worth"] * games / ((1 + params) * tables))),
        near=max(1, int(SHARES["near"] * games / (2 * max(near, 1)))),
    )


@dataclass
class TuningState:
    """A tuning as it is played."""

    recipe: TuningRecipe
    space: Space
    matches: list[Match]
    near: list[Match]
    steps: list[Step] = field(default_factory=list)  # finished

    @property
    def searched(self) -> list[Step]:
        """The generations that are finished."""
        return self.of("search")

    def of(self, stage: Stage) -> list[Step]:
        """Return the finished steps of a stage."""
        return [step for step in self.steps if step.stage == stage]

    @property
    def finished(self) -> bool:
        """Return whether everything is played."""
        if not tested(self):
            return False
        several = len(self.space.put_back(self.of("test")[0].arms[0])) > 1
        return bool(self.of("worth") or not several) and bool(self.of("near") or not self.near)

    @property
    def games(self) -> int:
        """About the number of games in all."""
        stages = self.recipe.stages
        search = stages.generations * (stages.candidates + 2) * _rounded(self.matches, stages.games, 1)
        tests = max(1, len(self.of("test"))) * 2 * _rounded(self.matches, stages.test, BATCHES)
        worth = (1 + len(self.space.names)) * _rounded(self.matches, stages.worth, BATCHES)
        return search + tests + worth + 2 * _rounded(self.near, stages.near, BATCHES)


def _rounded(matches: Sequence[Match], games: int, batches: int) -> int:
    return sum(match.laps(games, batches) * match.lap_games for match in matches)


def carry_out(state: TuningState, engine: Engine, listener: Listener, on_step: Callable[[], None]) -> None:
    """Play what is not finished. on_step: called after each finished step."""
    counter = GameCounter(listener, state.games, about=True)
    _report(state, counter)

    def play(stage: Stage, matches: list[Match], arms: list[Values], rival: Values, games: int, batches: int) -> Step:  # fmt: skip  # noqa: E501
        first = _first(state.steps, matches, near=stage == "near")
        found = measure(matches, arms, rival, first, games, batches, engine, counter.played)
        state.steps.append(Step.of(stage, arms, found))
        on_step()
        _report(state, counter)
        return state.steps[-1]

    stages, start = state.recipe.stages, state.space.start
    search = Search(state.space, state.recipe.seed)
    finished = iter(state.searched)
    for number in range(stages.generations):
        arms, rival = [*search.ask(), start, search.mean], search.mean
        step = next(finished, None)
        if step is None:
            step = play("search", state.matches, arms, rival, stages.games, 1)
        elif step.arms != tuple(arms):
            why = "was searched with another version of cma or numpy, or altered; begin the tuning anew"
            raise UserError([f"generation {number}: {why}"])
        search.tell(objective(step.measured, worst=state.recipe.worst).tolist())
    tuned = result(state)
    while not tested(state):
        play("test", state.matches, [tuned, start], start, stages.test, BATCHES)
    if not state.of("worth") and len(back := state.space.put_back(tuned)) > 1:
        play("worth", state.matches, [tuned, *(values for _, values in back)], start, stages.worth, BATCHES)
    if not state.of("near") and state.near:
        play("near", state.near, [tuned, start], start, stages.near, BATCHES)


def _first(steps: Sequence[Step], matches: Sequence[Match], *, near: bool) -> list[int]:
    """Return the first lap at each table that no finished step has."""
    before = [step for step in steps if (step.stage == "near") == near]
    return [first + laps for first, laps in zip(before[-1].first, before[-1].laps, strict=True)] if before else [0] * len(matches)  # fmt: skip  # noqa: E501


def objective(found: ArmResults, *, worst: bool) -> Array:
    """Return what the candidates of a generation are judged by: (candidates,).

    It is the mean of their gains on the start at all tables or, with `worst`, the least of them.
    """
    shares = found.shares()
    gains: Array = shares[:, :START] - shares[:, [START]]
    return np.asarray(gains.min(axis=0) if worst else gains.mean(axis=0))


def tested(state: TuningState) -> bool:
    """Return whether the test of what was found is finished."""
    steps, precision = state.of("test"), state.recipe.precision
    if not steps or not precision or len(steps) == MOST_TESTS:
        return bool(steps)
    _, low, high = gain(state)
    return bool(np.isnan(high).all() or (high - low <= 2 * precision).all())


def gain(state: TuningState) -> Interval:
    """Return the gain that decides: the mean over the tables searched or, for the worst, that of the worst table."""
    found = joined(state.of("test"))
    gains = [found.gains(table, [0], 1) for table in range(len(found.wins))]
    if not state.recipe.worst:
        return mean_of(gains).interval()
    return min((of_table.interval() for of_table in gains), key=lambda interval: float(interval.low[0]))


def joined(steps: Sequence[Step]) -> ArmResults:
    """Return the steps of a test as one."""
    parts = [step.measured for step in steps]
    wins = tuple(np.concatenate(of_table, axis=1) for of_table in zip(*(part.wins for part in parts), strict=True))
    laps = tuple(map(sum, zip(*(part.laps for part in parts), strict=True)))
    return ArmResults(parts[0].first, laps, wins, parts[0].games)


def recent(generations: Sequence[Step]) -> Sequence[Step]:
    """Return the last of these generations."""
    return generations[-max(1, math.ceil(RECENT * len(generations))) :]


def result(state: TuningState) -> Values:
    """Return what the search has found: the average of its last means."""
    means = np.array([step.arms[MEAN] for step in recent(state.searched)])
    return state.space.rounded(means.mean(axis=0))


def _report(state: TuningState, counter: GameCounter) -> None:
    """Report how many games are finished, and how good what was found is so far."""
    if generations := state.searched:
        last = [step.measured.shares()[:, START:].mean(axis=0) for step in recent(generations)]
        counter.finished(sum(step.played for step in state.steps), _shares(np.array(last), state.recipe.stages.games))


def _shares(shares: Array, games: int) -> list[Share]:
    """Return the win shares of start and mean in some generations, (generations, 2), with what they may be off by."""
    halves = 1.96 * shares.std(axis=0, ddof=1) / len(shares) ** 0.5 if len(shares) > 2 else [None, None]
    return [
        Share(name, games * len(shares), float(share), None if half is None else float(half), 0.0)
        for name, share, half in zip(("at the start", "best so far"), shares.mean(axis=0), halves, strict=True)
    ]

"""A match: the games at one table in which variants of a strategy are measured, all on the same deals.

Variants differ in the values of the strategy's parameters, which are data of its compiled function, so none of them is
compiled. A variant sits in one seat, in each seat in turn, against every combination of the opponents.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from ttrsim.batches import Array, Estimate, jackknife
from ttrsim.boards import Board
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.games import HIGHEST_GAME, Games
from ttrsim.progress import OnGames
from ttrsim.schedule import Schedule, make_line_ups
from ttrsim.strategies import Strategy
from ttrsim.threads import on_threads

SELF = "self"
"""The name of the best variant so far in a list of opponents."""
VARIANT = 0
"""The number of the strategy that is measured."""
JOB_GAMES = 2000
"""About how many games of a variant a thread plays at a time."""

Values = tuple[float, ...]
"""The values of a strategy's parameters."""


@dataclass(frozen=True)
class Match:
    """A table at which variants of a strategy are measured."""

    board: Board
    seats: int
    strategy: Strategy
    against: tuple[Strategy | None, ...]  # the opponents; None: the strategy itself, as the best variant so far
    seed: int

    @cached_property
    def games(self) -> Games:
        """The games, with the strategy as it starts in the seat that is measured."""
        line_ups = make_line_ups("focal", range(1 + len(self.against)), self.seats)
        schedule = Schedule(tuple(line_ups), "cyclic", HIGHEST_GAME)
        return Games(self.board, self._players(self.strategy.values, self.strategy.values), schedule, self.seed)

    @property
    def lap_games(self) -> int:
        """The number of games of a lap: a block of each line-up."""
        return self.games.schedule.lap_games

    @property
    def title(self) -> str:
        """The table in words: `usa, 2 players`."""
        return f"{self.board.id}, {self.seats} players"

    def laps(self, games: float, batches: int = 1) -> int:
        """Return the number of laps with at least this many games, a multiple of `batches`."""
        return batches * max(1, -int(-games // (self.lap_games * batches)))

    def play(
        self,
        values: Values,
        rival: Values,
        laps: range,
        stopped: Callable[[], bool] = lambda: False,
        on_games: Callable[[int], None] = lambda games: None,
    ) -> Array:
        """Play laps with a variant; return its wins, in 60ths, and its points in each of them, (laps, 2).

        rival: the best variant so far.
        """
        games = self.games.played_by(self._players(values, rival))
        results = games.play(games.schedule.games_of(laps), stopped, on_games)
        self.games.call_games = max(self.games.call_games, games.call_games)
        own = results.seats["strategy"] == VARIANT
        sums = [(of * own).sum(axis=1) for of in (results.win60, results.seats["score"].astype(np.int64))]
        return np.stack([of_games.reshape(len(laps), -1).sum(axis=1) for of_games in sums], axis=1)

    def _players(self, values: Values, rival: Values) -> list[Strategy]:
        itself = replace(self.strategy, values=rival)
        return [replace(self.strategy, values=values), *(other or itself for other in self.against)]


@dataclass(frozen=True)
class ArmLaps:
    """Some laps of one variant at one table, which a thread or a worker plays at a time."""

    table: int
    arm: int
    values: Values
    rival: Values
    laps: range


Engine = Callable[[Sequence[Match], Sequence[ArmLaps], OnGames], Generator[tuple[ArmLaps, Array], None, None]]
"""Plays jobs and yields them with the wins and points in each lap, in any order."""


def local_engine(threads: int) -> Engine:
    """Return an engine that plays on threads of this machine."""
    return partial(_play, threads)


def _play(
    threads: int, matches: Sequence[Match], jobs: Sequence[ArmLaps], on_games: OnGames
) -> Generator[tuple[ArmLaps, Array], None, None]:
    def work(job: ArmLaps, stopped: Callable[[], bool]) -> tuple[ArmLaps, Array]:
        return job, matches[job.table].play(job.values, job.rival, job.laps, stopped, on_games)

    yield from on_threads(threads, work, jobs)


@dataclass(frozen=True)
class ArmResults:
    """Win shares and scores of variants at some tables, all on the same deals."""

    first: tuple[int, ...]  # lap of each table
    laps: tuple[int, ...]  # number of laps of each table
    wins: tuple[Array, ...]  # (arms, batches) at each table, in 60ths
    games: tuple[int, ...]  # in a batch, at each table
    points: tuple[Array, ...] = ()  # (arms, batches) at each table, if they are known

    def shares(self) -> Array:
        """Return the win share of each arm at each table, (tables, arms)."""
        games = zip(self.wins, self.games, strict=True)
        return np.array([wins.sum(axis=1) / (WHOLE_WIN * of * wins.shape[1]) for wins, of in games])

    def share(self, table: int, arm: int) -> Estimate:
        """Return the win share of an arm at a table."""
        return self._estimate(table, self.wins[table][arm])

    def gains(self, table: int, arms: Sequence[int], base: int) -> Estimate:
        """Return how much more often each of some arms wins at a table than the arm `base`, (arms,)."""
        wins = self.wins[table]
        return self._estimate(table, (wins[list(arms)] - wins[base]).T)

    def more_points(self, table: int, arms: Sequence[int], base: int) -> Estimate:
        """Return how many more points each of some arms scores at a table than the arm `base`, (arms,)."""
        points = self.points[table]
        return self._estimate(table, WHOLE_WIN * (points[list(arms)] - points[base]).T)

    def _estimate(self, table: int, wins: Array) -> Estimate:
        """Return the share that wins by batch amount to; wins: (batches,) or (batches, arms)."""
        games = np.full(wins.shape, WHOLE_WIN * self.games[table])
        return jackknife(np.divide, wins, games).varied()


def measure(
    matches: Sequence[Match],
    arms: Sequence[Values],
    rival: Values,
    first: Sequence[int],
    games: int,
    batches: int,
    engine: Engine,
    on_games: OnGames,
) -> ArmResults:
    """Play about `games` games of each arm at each table, from lap `first` of that table on."""
    laps = tuple(match.laps(games, batches) for match in matches)
    sums = [np.zeros((len(arms), number, 2), np.int64) for number in laps]
    with closing(engine(matches, _jobs(matches, arms, rival, first, laps), on_games)) as played:
        for job, of_laps in played:
            start = job.laps.start - first[job.table]
            sums[job.table][job.arm, start : start + len(job.laps)] = of_laps
    of_batches = [of_table.reshape(len(arms), batches, -1, 2).sum(axis=2) for of_table in sums]
    return ArmResults(
        tuple(first),
        laps,
        tuple(of_table[..., 0] for of_table in of_batches),
        tuple(number // batches * match.lap_games for number, match in zip(laps, matches, strict=True)),
        tuple(of_table[..., 1] for of_table in of_batches),
    )


def _jobs(
    matches: Sequence[Match], arms: Sequence[Values], rival: Values, first: Sequence[int], laps: Sequence[int]
) -> list[ArmLaps]:
    """Divide the games of all arms, so that arms follow each other on the same deals."""
    jobs = []
    for table, match in enumerate(matches):
        size, end = match.laps(JOB_GAMES), first[table] + laps[table]
        for start in range(first[table], end, size):
            part = range(start, min(start + size, end))
            jobs += [ArmLaps(table, arm, values, rival, part) for arm, values in enumerate(arms)]
    return jobs

"""Play trials: the same games once for every *arm*, as dealt and with each change to be tested.

The effect of a change is the difference between two arms, batch by batch: both play the same blocks, so the luck of the
deal cancels.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from ttrsim.batches import Array, Estimate, jackknife
from ttrsim.boards import Board, load_board
from ttrsim.encode import Intervention, bits
from ttrsim.errors import UsageError
from ttrsim.games import Games, Results
from ttrsim.runs.laps import pieces, power_below
from ttrsim.schedule import Schedule
from ttrsim.strategies import Strategy, load_line_up
from ttrsim.strategies.loading import numbered
from ttrsim.threads import on_threads

MOST_GAMES = 10**9
SHARD_GAMES = 100
"""Games of each arm that a thread plays at a time: few, because there may be a hundred arms."""
FOCAL = 0
"""The number of the strategy in the focal seat, the one for which something is changed."""


@dataclass(frozen=True)
class Trial:
    """The games that every arm plays: those of a run in which the focal strategy is kept apart from its copies."""

    board: Board
    line_up: tuple[Strategy, ...]  # the focal seat's first
    games: int
    seed: int
    first: int = 0  # lap

    def __post_init__(self) -> None:
        self.board.check_players(len(self.line_up))
        if not 1 <= self.games <= MOST_GAMES:
            raise UsageError([f"`games` {self.games}: must be from 1 to {MOST_GAMES:,}"])
        _ = self.unchanged

    @cached_property
    def unchanged(self) -> Games:
        """The games as dealt. Copies of the focal seat's strategy have a number of their own."""
        others, numbers = numbered(self.line_up[1:])
        line_up = (FOCAL, *(1 + number for number in numbers))
        laps = -(-self.games // len(line_up))
        return Games(self.board, [self.line_up[0], *others], Schedule((line_up,), "cyclic", laps), self.seed)

    @property
    def schedule(self) -> Schedule:
        """The schedule of `games` games; the trial's own begin with lap `first`."""
        return self.unchanged.schedule

    @property
    def strategies(self) -> list[str]:
        """The different strategies of the line-up."""
        return list(dict.fromkeys(strategy.spec for strategy in self.line_up))

    @property
    def groups(self) -> list[list[int]]:
        """Whose outcomes are summed: the focal seat's, then those of each strategy, as numbers of strategies."""
        specs = [strategy.spec for strategy in self.unchanged.strategies]
        return [[FOCAL], *([number for number, s in enumerate(specs) if s == spec] for spec in self.strategies)]

    def at(self, board: Board, stage: int) -> "Trial":
        """Return this trial on a board with other points or routes; each stage has as many games, from other deals."""
        return replace(self, board=board, first=self.first + stage * self.schedule.laps)

    def games_of(self, laps: range) -> range:
        """Return the numbers of the games of these laps, counted from the trial's first."""
        return self.schedule.games_of(range(self.first + laps.start, self.first + laps.stop))


def make_trial(*, board: Board | str, players: Sequence[Strategy | str] | str, games: int, seed: int = 0) -> Trial:
    """Return a trial. games: per arm, rounded up to whole blocks; the first player is the focal seat's strategy.

    >>> trial = make_trial(board="usa", players="planner,one_step", games=4000)
    """
    loaded = load_board(board) if isinstance(board, str) else board
    return Trial(loaded, tuple(load_line_up(players, loaded)), games, seed)


COLUMNS = ("games", "win60", "score", "completed", "turns", "win60_changed", "score_changed", "overruled")
"""Sums over games and seats, for each group of strategies: 1; win share in 60ths; score; tickets completed; turns of
all seats; whether the group's win shares and scores differ from the first arm's in that game; tickets that had to be
kept and were left out."""
OUTCOME, CHANGED = slice(1, 3), slice(5, 7)
FATES = ("kept", "completed")
"""Sums over games, for each ticket: whether the focal seat kept it and whether it completed it."""

Measure = Callable[[Intervention, Array, Array], Array]
"""Called with an arm's change and the rows of some of its games, SEAT_RESULT of the focal seat and GAME_RESULT; returns
whole numbers, (games, k), of which the sums are kept."""

OnGames = Callable[[int, int], None]
"""Called with the number of games played so far and the total."""


def nobody_listens(played: int, games: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True)
class TrialResults:
    """The results of a trial."""

    sums: Array  # (arms, batches, groups of the trial, COLUMNS)
    fates: Array  # (arms, batches, tickets, FATES)
    measured: Array  # (arms, batches, k): what the caller's measure returned; k is 0 without one

    def of(self, column: str, arms: Sequence[int], group: int = 0) -> Array:
        """Return a column for some arms and one group, (batches, arms); group 0 is the focal seat."""
        return np.asarray(self.sums[list(arms), :, group, COLUMNS.index(column)].T)

    def of_tickets(self, fate: str, arms: Sequence[int], tickets: Sequence[int]) -> Array:
        """Return a fate of a ticket in each arm, (batches, arms)."""
        return np.asarray(self.fates[list(arms), :, list(tickets), FATES.index(fate)].T)

    @property
    def overruled(self) -> int:
        """The number of games in which the focal seat left out a ticket that it had to keep."""
        return int(self.of("overruled", range(len(self.sums))).sum())

    def change(self, column: str, arms: Sequence[int], base: Sequence[int], group: int = 0) -> Estimate:
        """Return the means of `arms` less those of `base`, (arms,), with errors where enough games changed."""
        above, below = self.of(column, arms, group), self.of(column, base, group)
        estimate = jackknife(lambda a, b, n: (a - b) / n, above, below, self.of("games", arms, group))
        if column not in ("win60", "score"):
            return estimate
        changed = self.of(f"{column}_changed", arms, group).sum(axis=0)
        # Games that differ from the first arm need not differ from the base.
        return estimate.frequent(changed, np.full(len(changed), np.inf)).varied()


def nothing_more(arm: Intervention, seats: Array, games: Array) -> Array:
    """Measure nothing besides outcomes and fates."""
    return np.zeros((len(seats), 0), np.int64)


def play(
    trial: Trial,
    arms: Sequence[Intervention],
    threads: int = 1,
    on_games: OnGames = nobody_listens,
    measure: Measure = nothing_more,
) -> TrialResults:
    """Play all arms; the others are compared with the first, usually the unchanged deals.

    measure: numbers of which the sums are kept in addition.
    """
    trial.unchanged.compile()
    batches = trial.schedule.batches
    sums = np.zeros((len(arms), batches, len(trial.groups), len(COLUMNS)), np.int64)
    fates = np.zeros((len(arms), batches, len(trial.board.tickets), len(FATES)), np.int64)
    measured: Array = np.zeros((len(arms), batches, 0), np.int64)
    played, games = 0, trial.schedule.games * len(arms)
    on_games(played, games)
    play_shard = partial(_play_shard, trial, [trial.unchanged.changed(arm) for arm in arms], measure)
    size = power_below(max(1, SHARD_GAMES // trial.schedule.lap_games))
    with closing(on_threads(threads, play_shard, pieces(range(trial.schedule.laps), size))) as shards:
        for laps, of_seats, of_tickets, of_measure in shards:
            places = [piece.start // trial.schedule.batch_laps for piece in _by_batch(trial, laps)]
            sums[:, places] += of_seats
            fates[:, places] += of_tickets
            if not measured.size:  # only now is known how many numbers are measured
                measured = np.zeros((len(arms), batches, of_measure.shape[-1]), np.int64)
            measured[:, places] += of_measure
            played += len(laps) * trial.schedule.lap_games * len(arms)
            on_games(played, games)
    return TrialResults(sums, fates, measured)


def _play_shard(
    trial: Trial, arms: Sequence[Games], measure: Measure, laps: range, stopped: Callable[[], bool]
) -> tuple[range, Array, Array, Array]:
    """Play some laps; return them with the sums, fates and measures of every arm, by batch."""
    numbers = trial.games_of(laps)
    starts = [trial.games_of(piece).start - numbers.start for piece in _by_batch(trial, laps)]
    _, seatings = trial.schedule.where(np.arange(numbers.start, numbers.stop))
    members = np.stack([np.isin(seatings, group) for group in trial.groups], axis=1).astype(np.int64)
    unchanged: Array | None = None
    sums, fates, measured = [], [], []
    for arm in arms:
        results = arm.play(numbers, stopped)
        outcomes = members @ _outcomes(results)  # (games, groups, COLUMNS)
        unchanged = outcomes if unchanged is None else unchanged
        outcomes[..., CHANGED] = outcomes[..., OUTCOME] != unchanged[..., OUTCOME]
        mine = results.seats[seatings == FOCAL]
        sums.append(np.add.reduceat(outcomes, starts, axis=0))
        fates.append(np.add.reduceat(_fates(mine, len(trial.board.tickets)), starts, axis=0))
        measured.append(np.add.reduceat(measure(arm.intervention, mine, results.games), starts, axis=0))
    return laps, np.array(sums), np.array(fates), np.array(measured)


def _by_batch(trial: Trial, laps: range) -> list[range]:
    """Divide laps at the bounds of batches."""
    return pieces(laps, trial.schedule.batch_laps)


def _outcomes(results: Results) -> Array:
    """Return the outcomes, (games, seats, COLUMNS), with 0 in the columns of changes."""
    seats = results.seats
    turns = np.broadcast_to(results.games["turns"][:, None], seats.shape)
    completed = np.bitwise_count(seats["completed"]).sum(axis=-1)
    one, nothing = np.ones(seats.shape, np.int64), np.zeros(seats.shape, np.int64)
    columns = [one, results.win60, seats["score"], completed, turns, nothing, nothing, seats["overruled"]]
    return np.stack(columns, axis=-1).astype(np.int64)


def _fates(seats: Array, tickets: int) -> Array:
    """Return the fates of tickets, (games, tickets, FATES), for seats (games,)."""
    sets = np.stack([seats[fate] for fate in FATES], axis=1)
    return np.swapaxes(bits(sets)[..., :tickets], 1, 2).astype(np.int64)

"""Playing the arms of a trial, and what came of each, summed by batch.

What a change does is the difference of two arms, batch by batch: as both are of the same blocks, the luck of the deal
cancels.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial

import numpy as np

from ttrsim.batches import Array, Estimate, jackknife
from ttrsim.encode import bits
from ttrsim.games import Games, Results
from ttrsim.intervention import Intervention
from ttrsim.runs.laps import pieces, power_below
from ttrsim.threads import on_threads
from ttrsim.trials.trial import FOCAL, SHARD_GAMES, Trial

COLUMNS = ("games", "win60", "score", "completed", "turns", "win60_changed", "score_changed")
"""Sums over games and seats, for each group of strategies: 1; win share in 60ths; score; tickets completed; turns of
all seats. Sums over games: whether the group's win shares and scores differ from the first arm's."""
OUTCOME, CHANGED = slice(1, 3), slice(5, 7)
FATES = ("kept", "completed")
"""Sums over games, for each ticket: whether the focal seat kept it, and whether it completed it."""

OnGames = Callable[[int, int], None]
"""Is told how many games are played, and of how many."""


def nobody_listens(played: int, games: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True)
class Played:
    """The results of a trial."""

    sums: Array  # (arms, batches, groups of the trial, COLUMNS)
    fates: Array  # (arms, batches, tickets, FATES)

    def of(self, column: str, arms: Sequence[int], group: int = 0) -> Array:
        """(batches, arms): a column of some arms, of a group; 0 is the focal seat."""
        return np.asarray(self.sums[list(arms), :, group, COLUMNS.index(column)].T)

    def of_tickets(self, fate: str, arms: Sequence[int], tickets: Sequence[int]) -> Array:
        """(batches, arms): a fate of a ticket in each arm."""
        return np.asarray(self.fates[list(arms), :, list(tickets), FATES.index(fate)].T)

    def change(self, column: str, arms: Sequence[int], base: Sequence[int], group: int = 0) -> Estimate:
        """(arms,): what means of arms are more than those of other arms, with errors where games enough changed."""
        above, below = self.of(column, arms, group), self.of(column, base, group)
        estimate = jackknife(lambda a, b, n: (a - b) / n, above, below, self.of("games", arms, group))
        if column not in ("win60", "score"):
            return estimate
        changed = self.of(f"{column}_changed", arms, group).sum(axis=0)
        # That many differ from the first arm does not mean that they differ from the base.
        return estimate.frequent(changed, np.full(len(changed), np.inf)).varied()


def play(trial: Trial, arms: Sequence[Intervention], threads: int = 1, on_games: OnGames = nobody_listens) -> Played:
    """Play all arms; the first is what the others are compared with, usually the deals unchanged."""
    trial.unchanged.compile()
    batches = trial.schedule.batches
    sums = np.zeros((len(arms), batches, len(trial.groups), len(COLUMNS)), np.int64)
    fates = np.zeros((len(arms), batches, len(trial.board.tickets), len(FATES)), np.int64)
    played, games = 0, trial.schedule.games * len(arms)
    on_games(played, games)
    play_shard = partial(_play_shard, trial, [trial.unchanged.changed(arm) for arm in arms])
    size = power_below(max(1, SHARD_GAMES // trial.schedule.lap_games))
    with closing(on_threads(threads, play_shard, pieces(range(trial.schedule.laps), size))) as shards:
        for laps, of_seats, of_tickets in shards:
            places = [piece.start // trial.schedule.batch_laps for piece in _by_batch(trial, laps)]
            sums[:, places] += of_seats
            fates[:, places] += of_tickets
            played += len(laps) * trial.schedule.lap_games * len(arms)
            on_games(played, games)
    return Played(sums, fates)


def _play_shard(
    trial: Trial, arms: Sequence[Games], laps: range, stopped: Callable[[], bool]
) -> tuple[range, Array, Array]:
    """Return the laps with their sums and fates: of all arms, and of their batches."""
    numbers = trial.games_of(laps)
    starts = [trial.games_of(piece).start - numbers.start for piece in _by_batch(trial, laps)]
    _, seatings = trial.schedule.where(np.arange(numbers.start, numbers.stop))
    members = np.stack([np.isin(seatings, group) for group in trial.groups], axis=1).astype(np.int64)
    unchanged: Array | None = None
    sums, fates = [], []
    for arm in arms:
        results = arm.play(numbers, stopped)
        outcomes = members @ _outcomes(results)  # (games, groups, COLUMNS)
        unchanged = outcomes if unchanged is None else unchanged
        outcomes[..., CHANGED] = outcomes[..., OUTCOME] != unchanged[..., OUTCOME]
        sums.append(np.add.reduceat(outcomes, starts, axis=0))
        fates.append(
            np.add.reduceat(_fates(results.seats[seatings == FOCAL], len(trial.board.tickets)), starts, axis=0)
        )
    return laps, np.array(sums), np.array(fates)


def _by_batch(trial: Trial, laps: range) -> list[range]:
    """Divide laps at the bounds of batches."""
    return pieces(laps, trial.schedule.batch_laps)


def _outcomes(results: Results) -> Array:
    """(games, seats, COLUMNS): but for what changed."""
    seats = results.seats
    turns = np.broadcast_to(results.games["turns"][:, None], seats.shape)
    completed = np.bitwise_count(seats["completed"]).sum(axis=-1)
    one, nothing = np.ones(seats.shape, np.int64), np.zeros(seats.shape, np.int64)
    columns = [one, results.win60, seats["score"], completed, turns, nothing, nothing]
    return np.stack(columns, axis=-1).astype(np.int64)


def _fates(seats: Array, tickets: int) -> Array:
    """(games, tickets, FATES): of the seats (games,)."""
    sets = np.stack([seats[fate] for fate in FATES], axis=1)
    return np.swapaxes(bits(sets)[..., :tickets], 1, 2).astype(np.int64)

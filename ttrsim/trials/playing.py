"""Playing the arms of a trial, and what came of each, summed by batch.

What a change does is the difference of two arms, batch by batch: as both are of the same blocks, the luck of the deal
cancels.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np

from ttrsim.core.tally import WHOLE_WIN
from ttrsim.intervention import UNCHANGED, Intervention
from ttrsim.runs.schedule import Shard
from ttrsim.simulation import Results
from ttrsim.stats.batches import Array, Estimate, Interval, jackknife
from ttrsim.trials.trial import FOCAL, Trial

COLUMNS = ("games", "win60", "score", "completed", "held", "done", "turns", "win60_changed", "score_changed")
"""Sums over games, for each place of the line-up: 1; win share in 60ths; score; tickets completed; whether it kept and
whether it completed the arm's ticket; turns of all seats; whether win share and score differ from the first arm's."""

OnGames = Callable[[int, int], None]
"""Is told how many games are played, and of how many."""


def nobody_listens(played: int, games: int) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True)
class Played:
    """What came of a trial."""

    sums: Array  # (arms, batches, places, COLUMNS)

    def of(self, column: str, arms: Sequence[int], places: Sequence[int] = (FOCAL,)) -> Array:
        """(batches, arms): a column of some arms, over these places."""
        return np.asarray(self.sums[list(arms)][:, :, list(places), COLUMNS.index(column)].sum(axis=2).T)

    def change(
        self, column: str, arms: Sequence[int], base: Sequence[int], places: Sequence[int] = (FOCAL,)
    ) -> Estimate:
        """(arms,): what means of arms are more than those of other arms, with errors where games enough changed."""
        above, below = self.of(column, arms, places), self.of(column, base, places)
        estimate = jackknife(lambda a, b, n: (a - b) / n, above, below, self.of("games", arms, places))
        if column not in ("win60", "score"):
            return estimate
        changed = self.of(f"{column}_changed", arms, places).sum(axis=0)
        return estimate.frequent(changed, np.full(len(changed), np.inf))


def play(trial: Trial, arms: Sequence[Intervention], threads: int = 1, on_games: OnGames = nobody_listens) -> Played:
    """Play all arms; the first is what the others are compared with, usually the deals unchanged."""
    for strategy in trial.line_up:
        _ = strategy.compiled  # before threads start, each of which would compile it
    trial.play(0, 0, UNCHANGED)
    sums = np.zeros((len(arms), trial.schedule.batches, len(trial.line_up), len(COLUMNS)), np.int64)
    played, games = 0, trial.schedule.games * len(arms)
    on_games(played, games)
    for shard, of_shard in _shards(trial, arms, threads):
        sums[:, [piece.batch for piece in shard.pieces]] += of_shard
        played += shard.laps * trial.schedule.lap_games * len(arms)
        on_games(played, games)
    return Played(sums)


def _shards(trial: Trial, arms: Sequence[Intervention], threads: int) -> Iterator[tuple[Shard, Array]]:
    """Shards as they are finished, each with its sums (arms, batches of the shard, places, COLUMNS)."""
    stop = threading.Event()
    pool = ThreadPoolExecutor(threads)
    left = trial.schedule.all_shards()
    running: dict[Future[Array], Shard] = {}
    try:
        while True:
            for shard in left:
                running[pool.submit(_play_shard, trial, arms, shard, stop)] = shard
                if len(running) > threads:
                    break
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:  # also when Ctrl-C was pressed
        stop.set()
        pool.shutdown(cancel_futures=True)


def _play_shard(trial: Trial, arms: Sequence[Intervention], shard: Shard, stop: threading.Event) -> Array:
    lap = trial.schedule.lap_games
    first, games = shard.first * lap, shard.laps * lap
    starts = [(piece.first - shard.first) * lap for piece in shard.pieces]
    seatings = np.tile(trial.schedule.seatings, (shard.laps, 1))
    unchanged, parts = None, []
    for arm in arms:
        if stop.is_set():
            break
        of_games = _columns(trial.play(first, games, arm), seatings, arm.ticket)
        unchanged = of_games if unchanged is None else unchanged
        for name in ("win60", "score"):
            place = COLUMNS.index(name)
            of_games[..., COLUMNS.index(f"{name}_changed")] = of_games[..., place] != unchanged[..., place]
        parts.append(np.add.reduceat(of_games, starts, axis=0))
    return np.array(parts)


def _columns(results: Results, seatings: Array, ticket: int | None) -> Array:
    """(games, places, COLUMNS): but for what changed."""
    seats = np.take_along_axis(results.seats, np.argsort(seatings, axis=1), axis=1)  # by place
    shape = seats.shape
    winners = results.games["winners"].astype(np.int64)[:, None]
    columns = {
        "games": np.ones(shape, np.int64),
        "win60": (seats["rank"] == 1) * (WHOLE_WIN // winners),
        "score": seats["score"],
        "completed": np.bitwise_count(seats["completed"]).sum(axis=-1),
        "turns": np.broadcast_to(results.games["turns"][:, None], shape),
    }
    if ticket is not None:
        columns |= {"held": _holds(seats["kept"], ticket), "done": _holds(seats["completed"], ticket)}
    nothing = np.zeros(shape, np.int64)
    return np.stack([columns.get(name, nothing) for name in COLUMNS], axis=-1).astype(np.int64)


def _holds(tickets: Array, ticket: int) -> Array:
    """Whether sets of tickets, words along the last axis, hold a ticket."""
    return np.asarray(tickets[..., ticket >> 6] >> np.uint64(ticket & 63) & np.uint64(1))


def in_shares(interval: Interval) -> Interval:
    """Win shares from 60ths."""
    return Interval(*(end / WHOLE_WIN for end in interval))

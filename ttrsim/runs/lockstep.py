"""Play two runs in step, look by look, until the question about both is answered."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np

from ttrsim.progress import OnMessage
from ttrsim.runs.laps import Gaps
from ttrsim.runs.make import opened, sound_shards
from ttrsim.runs.playing import Engine, Player
from ttrsim.runs.stopping import Shares
from ttrsim.runs.store import Folder
from ttrsim.runs.tally import Array
from ttrsim.schedule import batch_laps, next_look

LOOKS_AT_ONCE = 4
"""The number of looks ahead to play at a time: enough work for several threads."""

Wins = tuple[Array, Array]
"""By batch, the win share of a strategy in 60ths, and its number of seats."""


def _ignore(shares: Shares) -> None:
    """Ignore the sums."""


def play_in_step(
    players: Sequence[Player],
    folders: Sequence[Folder],
    engine: Engine,
    strategies: Sequence[int],
    answered: Callable[[Wins, Wins], bool],
    on_shard: Callable[[Shares], None] = _ignore,
    report: OnMessage = lambda message: None,
) -> int:
    """Play runs that stop by `InStep` until `answered` is true at a look. Return the number of laps of both.

    strategies: for each run, the number of the strategy whose wins are passed to `answered`; on_shard: called with the
    sums of the last run after each shard; report: called with messages about damaged shards. Where the runs end
    depends on nothing but their games.
    """
    with ExitStack() as stack:
        stagings = [
            stack.enter_context(opened(folder, player, resume=True, report=report))
            for player, folder in zip(players, folders, strict=True)
        ]
        listeners = [*(_ignore for _ in players[1:]), on_shard]
        sides = [_Side(*side, report) for side in zip(players, folders, stagings, strategies, listeners, strict=True)]
        laps = min(player.recipe.laps for player in players)
        end = 0
        while end < laps:
            looks = _next_looks(end, laps)
            for side in sides:
                side.play(looks[-1], engine)
            for end in looks:
                if answered(*(side.wins(end) for side in sides)):
                    for side in sides:
                        side.end(end)
                    return end
    return laps


def _next_looks(laps: int, most: int) -> list[int]:
    looks = [min(most, next_look(laps))]
    while len(looks) < LOOKS_AT_ONCE and looks[-1] < most:
        looks.append(min(most, next_look(looks[-1])))
    return looks


class _Side:
    """One of the runs, with its shards."""

    def __init__(
        self,
        player: Player,
        folder: Folder,
        staging: Path,
        strategy: int,
        on_shard: Callable[[Shares], None],
        report: OnMessage,
    ) -> None:
        self.player, self.folder, self.staging = player, folder, staging
        self.strategy, self.on_shard = strategy, on_shard
        self.shares = Shares(player.recipe)
        self.records = sound_shards(folder, player.recipe, report)
        for record in self.records:
            self.shares.add(record)

    def play(self, end: int, engine: Engine) -> None:
        """Play the missing laps before `end`."""
        gaps = Gaps(range(end), sorted((record.range for record in self.records), key=lambda laps: laps.start))
        with closing(engine(self.player, self.staging, gaps)) as played:
            for record in played:
                self.folder.publish(self.staging, record)
                self.records.append(record)
                self.shares.add(record)
                self.on_shard(self.shares)

    def wins(self, end: int) -> Wins:
        """Return the wins of the strategy before `end`, by the batches of a run of that length."""
        size = batch_laps(end)
        won, seats = np.zeros((2, -(-end // size)), np.int64)
        for piece in (piece for record in self.records for piece in record.pieces if piece.first_lap < end):
            won[piece.first_lap // size] += piece.win60[self.strategy]
            seats[piece.first_lap // size] += piece.seats[self.strategy]
        return won, seats

    def end(self, laps: int) -> None:
        """End the run after `laps`, removing the shards beyond."""
        for shard in self.folder.present():
            if shard.start >= laps:
                self.folder.remove(shard)

"""Two runs played in step, batch by batch, until what is asked of both is answered."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing

import numpy as np

from ttrsim.runs.local import Engine
from ttrsim.runs.make import OnMessage, opened, sound_shards
from ttrsim.runs.plan import Plan
from ttrsim.runs.playing import Player
from ttrsim.runs.shares import Shares
from ttrsim.runs.store import Folder, ShardRecord
from ttrsim.runs.tally import Array

BATCHES_AT_ONCE = 4
"""Batches played before each of them is looked at in turn: enough for threads to share."""

Wins = tuple[Array, Array]
"""By batch, what a strategy won in 60ths, and its seats."""


def _nobody_listens(shares: Shares) -> None:
    """Nobody wants to know."""


def in_step(plan: Plan) -> Plan:
    """The same plan with a shard for each batch."""
    schedule = plan.schedule
    return plan.changed(shard_games=-(-schedule.games // schedule.batches))


def play_in_step(
    players: Sequence[Player],
    folders: Sequence[Folder],
    engine: Engine,
    strategies: Sequence[int],
    answered: Callable[[Wins, Wins], bool],
    on_shard: Callable[[Shares], None] = _nobody_listens,
    report: OnMessage = lambda message: None,
) -> int:
    """Plays runs of plans as `in_step` makes them, to the first batch after which `answered` says so.

    strategies: the one of each run, by its number, that `answered` is told the wins of, up to a batch; on_shard:
    told how the last run comes along; report: told of damaged shards. Returns how many batches both runs have. Where
    they end depends on nothing but the games.
    """
    with ExitStack() as stack:
        for player, folder in zip(players, folders, strict=True):
            stack.enter_context(opened(folder, player, resume=True))
        listeners = [*(_nobody_listens for _ in players[1:]), on_shard]
        sides = [_Side(*side, report) for side in zip(players, folders, strategies, listeners, strict=True)]
        batches = min(player.schedule.batches for player in players)
        for first in range(0, batches, BATCHES_AT_ONCE):
            several = range(first, min(first + BATCHES_AT_ONCE, batches))
            for side in sides:
                side.play(several, engine)
            for batch in several:
                if answered(*(side.wins(batch + 1) for side in sides)):
                    for side in sides:
                        side.end(batch + 1)
                    return batch + 1
    return batches


class _Side:
    """One of the runs and the shards there are of it."""

    def __init__(
        self, player: Player, folder: Folder, strategy: int, on_shard: Callable[[Shares], None], report: OnMessage
    ) -> None:
        self.player, self.folder, self.strategy, self.on_shard = player, folder, strategy, on_shard
        self.shares = Shares(player.plan.names)
        self.records = {record.shard: record for record in sound_shards(folder, player.plan, report)}
        for record in self.records.values():
            self.shares.add(record)

    def play(self, batches: range, engine: Engine) -> None:
        """What is missing of these batches, each of which is a shard."""
        missing = [batch for batch in batches if batch not in self.records]
        with closing(engine(self.player, self.folder, missing)) as played:
            for record in played:
                self.records[record.shard] = record
                self.shares.add(record)
                self.on_shard(self.shares)

    def wins(self, batches: int) -> Wins:
        """Of the strategy in the first batches."""
        parts = [self._batch(self.records[number]) for number in range(batches)]
        won, seats = np.array(parts, np.int64).T
        return won, seats

    def _batch(self, record: ShardRecord) -> tuple[int, int]:
        return record.batches[0].win60[self.strategy], record.batches[0].seats[self.strategy]

    def end(self, batches: int) -> None:
        """Remove what lies beyond."""
        for number in self.folder.present():
            if number >= batches:
                self.folder.remove(number)

"""Play shards on the threads of this machine.

An engine is a function `engine(player, staging, gaps)` that plays the missing laps of a run and yields the record of
each shard as it is finished, in any order. It takes ranges out of the gaps and gives back the laps that it did not
play. The files of a shard are in the folder `staging`, if there is one, before its record is yielded. Closing an engine
stops the shards that are still being played.
"""

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

from ttrsim.runs.laps import Gaps, shard_sizes
from ttrsim.runs.plan import Plan
from ttrsim.runs.playing import Player
from ttrsim.runs.shard import play_shard
from ttrsim.runs.shard_files import ShardRecord
from ttrsim.schedule import next_look
from ttrsim.threads import while_any

Engine = Callable[[Player, Path | None, Gaps], Generator[ShardRecord, None, None]]


def local_engine(threads: int) -> Engine:
    """Return an engine that plays on `threads` threads."""
    return partial(_play, threads)


def _play(threads: int, player: Player, staging: Path | None, gaps: Gaps) -> Generator[ShardRecord, None, None]:
    player.compile()
    fewest, most = shard_sizes(player.plan.laps, threads)

    def work(laps: range, stopped: Callable[[], bool]) -> tuple[range, ShardRecord]:
        return laps, play_shard(player, laps, staging, stopped, fewest)

    for laps, record in while_any(threads, work, lambda: take(player.plan, gaps, most)):
        gaps.give_back(range(record.range.stop, laps.stop))
        yield record


def take(plan: Plan, gaps: Gaps, most: int) -> range | None:
    """Take the next range to play out of the gaps; return None if nothing is left.

    A run that may stop early ends at a look, so none of its shards reaches beyond the next look.
    """
    if not gaps:
        return None
    if plan.stop:
        most = min(most, next_look(gaps.first) - gaps.first)
    return gaps.take(most)

"""Putting together the parts of a run that several jobs played, each into its own folder."""

from collections.abc import Generator, Sequence

from ttrsim.errors import UserError
from ttrsim.runs.make import OnMessage, Outcome, carry_out, check_same, checked, sound_shards
from ttrsim.runs.playing import Player
from ttrsim.runs.store import DamagedShard, Folder, ShardRecord


def take_shards(target: Folder, player: Player, parts: Sequence[Folder], report: OnMessage) -> None:
    """Copy into the target, which is locked, every shard of the parts that it has not, or has damaged."""
    here = {record.shard for record in sound_shards(target, player.plan, report)}
    for part in parts:
        check_same(part, player.plan)
        for number in part.present():
            if number not in here:
                try:
                    record = checked(part, player.plan, number)
                except DamagedShard as e:
                    raise UserError([f"{e}; play that part again with --resume"]) from None
                target.publish(record, {name: (part.shard(number) / name).read_bytes() for name in record.files})
                here.add(number)


def _no_engine(player: Player, folder: Folder | None, numbers: Sequence[int]) -> Generator[ShardRecord, None, None]:
    """An engine that plays nothing."""
    yield from ()


def merge_parts(
    target: Folder, player: Player, parts: Sequence[Folder], report: OnMessage
) -> tuple[Outcome, list[int]]:
    """Take all shards, and sum up if none is missing. Returns what the run came to and the shards that are missing."""
    take_shards(target, player, parts, report)
    outcome = carry_out(player, _no_engine, target, report=report)
    missing = [] if outcome.digest else sorted(set(range(player.schedule.shards)) - set(target.present()))
    return outcome, missing

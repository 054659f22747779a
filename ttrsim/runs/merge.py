"""Put together the parts of a run that several jobs played, each into its own folder."""

import shutil
from collections.abc import Generator, Sequence
from pathlib import Path

from ttrsim.errors import UserError
from ttrsim.progress import Listener
from ttrsim.runs.laps import Gaps, around
from ttrsim.runs.make import OnMessage, carry_out, check_same, checked, opened, sound_shards
from ttrsim.runs.playing import Player
from ttrsim.runs.read import Run, load_player
from ttrsim.runs.shard_files import DamagedShard, ShardRecord, staged_path
from ttrsim.runs.store import Folder


def take_shards(target: Folder, staging: Path, player: Player, parts: Sequence[Folder], report: OnMessage) -> None:
    """Copy from the parts every shard that the target, which is locked, lacks or has damaged."""
    here = {record.range for record in sound_shards(target, player.plan, report)}
    for part in parts:
        check_same(part, player.plan)
        for laps in part.present():
            if any(wider in here for wider in around(laps)):
                continue
            try:
                record = checked(part, player.plan, laps)
            except DamagedShard as e:
                raise UserError([f"{e}; play that part again with --resume"]) from None
            shutil.copytree(part.shard(laps), staged_path(staging, record))
            target.publish(staging, record)
            here.add(laps)


def _no_engine(player: Player, staging: Path | None, gaps: Gaps) -> Generator[ShardRecord, None, None]:
    """Play nothing: an engine for runs whose shards come from elsewhere."""
    yield from ()


def merge(out: Path, paths: Sequence[Path], listener: Listener) -> Run:
    """Take the shards of all parts into the folder `out`, sum up if none is missing, and return the run."""
    parts, target = [Folder(path) for path in paths], Folder(out)
    longest = max(parts, key=lambda part: part.read().plan.laps)
    player = load_player(longest, longest.read().plan)
    listener.doing("Putting the shards together ...")
    with opened(target, player, resume=True, report=listener.warn) as staging:
        take_shards(target, staging, player, parts, listener.warn)
        outcome = carry_out(player, _no_engine, target, staging, report=listener.warn)
    return Run(target, player, outcome)

"""Checking a stored run: every file by its hash, and a sample of its games by playing them again."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ttrsim.runs.make import checked
from ttrsim.runs.plan import Plan
from ttrsim.runs.playing import Player
from ttrsim.runs.shard import probe
from ttrsim.runs.stopping import Watch
from ttrsim.runs.store import DamagedShard, Folder, ShardRecord, digest_of
from ttrsim.runs.summary import summary_problem


@dataclass(frozen=True)
class Verdict:
    """What was found."""

    shards: int  # sound ones
    missing: int  # shards not played yet, if the run does not stop before
    games_replayed: int
    digest: str | None  # of a whole run
    problems: list[str]


def verify_run(folder: Folder, player: Player, sample: int) -> Verdict:
    """Hash every file, and play again a lap of each of `sample` shards."""
    plan = player.plan
    records, problems = _hashed(folder, plan)
    chosen = _spread(records, sample)
    for record in chosen:
        if probe(player, record.probe_lap) != record.probe_sha256:
            first = record.probe_lap * plan.schedule.lap_games
            last = first + plan.schedule.lap_games - 1
            problems.append(
                f"{folder.shard(record.shard)}: games {first} to {last} come out otherwise when played again"
            )
    watch = Watch(plan)
    for record in records:
        watch.add(record)
    missing = len(set(range(watch.end or plan.schedule.shards)) - set(folder.present()))
    digest = digest_of([r.content_sha256 for r in records[: watch.end]]) if watch.looked == watch.end else None
    if digest and (found := summary_problem(folder, plan, records[: watch.end], digest)):
        problems.append(f"{found}; ttrsim run --resume makes it again")
    problems += _altered_copies(folder, plan)
    return Verdict(len(records), missing, len(chosen) * plan.schedule.lap_games, digest, problems)


def _hashed(folder: Folder, plan: Plan) -> tuple[list[ShardRecord], list[str]]:
    records, problems = [], []
    for number in folder.present():
        try:
            records.append(checked(folder, plan, number))
        except DamagedShard as e:
            problems.append(f"{e}; ttrsim run --resume plays shard {number} again")
    return records, problems


def _altered_copies(folder: Folder, plan: Plan) -> list[str]:
    """What is wrong with the copies of the board and the strategies; the run may have been read without them."""
    copies = {folder.path / "board.toml": plan.board.sha256}
    copies |= {folder.path / "strategies" / s.copy_name: s.sha256 for s in plan.strategies}
    return [
        f"{path}: is missing, or was altered; ttrsim run --resume copies it again"
        for path, sha256 in copies.items()
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256
    ]


def _spread(records: Sequence[ShardRecord], sample: int) -> list[ShardRecord]:
    """So many of them, evenly."""
    places = np.linspace(0, len(records) - 1, min(sample, len(records))).round().astype(int)
    return [records[place] for place in places]

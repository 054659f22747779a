"""Check a stored run: hash every file, and play a sample of its games again."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ttrsim.errors import UserError
from ttrsim.runs.copies import altered_copies
from ttrsim.runs.make import checked
from ttrsim.runs.playing import Player, digest_of, replay_hash
from ttrsim.runs.recipe import Recipe
from ttrsim.runs.stopping import Watch
from ttrsim.runs.store import Folder
from ttrsim.runs.stored_files import DamagedShard, ShardRecord
from ttrsim.runs.summary import summary_problem


@dataclass(frozen=True)
class Verdict:
    """The findings."""

    shards: int  # undamaged ones
    games: int  # of these shards
    missing: int  # games not played yet, if the run does not stop before
    games_replayed: int
    digest: str | None  # of a whole run
    problems: list[str]


def verify_run(folder: Folder, player: Player, sample: int | None) -> Verdict:
    """Hash every file, and play a lap of each of `sample` shards again; every game if `sample` is None."""
    recipe = player.recipe
    records, problems = _hashed(folder, recipe)
    games_replayed, differences = _replay(folder, player, records, sample)
    problems += differences
    watch = Watch(recipe)
    for record in records:
        watch.add(record)
    end = watch.end or recipe.laps
    missing = end - sum(len(laps) for laps in folder.present() if laps.stop <= end)
    digest = None
    if watch.looked == watch.end:
        whole = [record for record in records if record.first_lap < watch.looked]
        digest = digest_of(whole)
        if found := summary_problem(folder, recipe, whole, digest):
            problems.append(f"{found}; ttrsim run --resume makes it again")
    problems += [f"{problem}; ttrsim run --resume writes it again" for problem in folder.run_problems()]
    problems += altered_copies(folder, recipe)
    lap_games = player.schedule.lap_games
    games = sum(record.laps for record in records) * lap_games
    return Verdict(len(records), games, missing * lap_games, games_replayed, digest, problems)


def _replay(
    folder: Folder, player: Player, records: Sequence[ShardRecord], sample: int | None
) -> tuple[int, list[str]]:
    """Play a lap of each of `sample` shards again, or every lap; return how many games that were, and the problems."""
    games_replayed, problems = 0, []
    for record in records if sample is None else _spread(records, sample):
        laps, wanted = record.range, record.content_sha256
        if sample is not None:
            laps, wanted = range(record.probe_lap, record.probe_lap + 1), record.probe_sha256
        games = player.schedule.games_of(laps)
        games_replayed += len(games)
        if replay_hash(player, laps) != wanted:
            problem = f"games {games.start} to {games.stop - 1} have other results when played again"
            problems.append(f"{folder.shard(record.range)}: {problem}")
    return games_replayed, problems


def _hashed(folder: Folder, recipe: Recipe) -> tuple[list[ShardRecord], list[str]]:
    records, problems = [], []
    for laps in folder.present():
        try:
            records.append(checked(folder, recipe, laps))
        except DamagedShard as e:
            problems.append(f"{e}; ttrsim run --resume plays it again")
        except UserError as e:
            problems += e.problems
    return records, problems


def _spread(records: Sequence[ShardRecord], sample: int) -> list[ShardRecord]:
    """Return `sample` of them, evenly."""
    places = np.linspace(0, len(records) - 1, min(sample, len(records))).round().astype(int)
    return [records[place] for place in places]

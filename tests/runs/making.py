"""Making small runs, and what they come to."""

from pathlib import Path
from typing import Any

import pandas as pd

from ttrsim.runs import Run
from ttrsim.runs.make import Outcome, carry_out, opened
from ttrsim.runs.playing import Player, local_engine, play_shard
from ttrsim.runs.recipe import make_recipe
from ttrsim.runs.store import Folder

RANDOM = {"board": "usa", "players": "random,random_kind", "seed": 5}
"""Options of a run, but for its length."""
GAMES = 8000
"""Games of the fixture `undisturbed`."""
BOT = """
from ttrsim.kit.chance import any_kind


def decide(board, table, hand, mind):
    return any_kind(board, table, hand, mind)
"""
"""The file of a strategy that plays at random."""


def make_player(**options: Any) -> Player:
    """Return what plays a small run."""
    return Player(*make_recipe(**{**RANDOM, **options}))


def store(path: Path, threads: int = 1, *, resume: bool = False, **options: Any) -> Run:
    """Make a run in a folder."""
    play(make_player(**options), path, local_engine(threads), resume=resume)
    return Run.open(path)


def play(player: Player, path: Path, engine: Any, *, resume: bool = False, **options: Any) -> Outcome:
    """Make a run in a folder by an engine."""
    folder = Folder(path)
    with opened(folder, player, resume=resume) as staging:
        return carry_out(player, engine, folder, staging, **options)


def in_order(*ranges: range) -> Any:
    """Return an engine that plays just these shards, one after the other."""

    def engine(player, staging, gaps):
        return (play_shard(player, laps, staging) for laps in ranges)

    return engine


def content(folder: Path) -> dict[str, bytes]:
    """Return every file of the shards and the summary."""
    parts = [path for part in ("shards", "summary") for path in (folder / part).rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in parts}


def everything(folder: Path) -> dict[str, bytes | None]:
    """Return every file below a folder, and None for every folder."""
    return {
        path.relative_to(folder).as_posix(): None if path.is_dir() else path.read_bytes() for path in folder.rglob("*")
    }


def results(folder: Path) -> dict[str, bytes]:
    """Return every file of the summary: what a run says, however it is stored."""
    return {name: data for name, data in content(folder).items() if name.startswith("summary/")}


def outcome(path: Path) -> dict[str, bytes]:
    """Return what a finished run came to, which is the same however it is stored: its summary, and its rows."""
    run = Run.open(path)
    assert run.summary, f"{path} is not finished"
    files = {name: (run.folder.summary / name).read_bytes() for name in ("summary.json", *run.summary.files)}
    rows = {table: pd.util.hash_pandas_object(run.rows(table)).to_numpy().tobytes() for table in run.recipe.record}
    return {"digest": run.summary.digest.encode(), **files, **rows}

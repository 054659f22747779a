"""Making small runs."""

from pathlib import Path

from ttrsim.runs import Run
from ttrsim.runs.local import local_engine
from ttrsim.runs.make import carry_out, opened
from ttrsim.runs.plan import make_plan
from ttrsim.runs.playing import Player
from ttrsim.runs.store import Folder


def store(path: Path, threads: int = 1, *, resume: bool = False, **options) -> Run:
    """Make a run in a folder."""
    player = Player(*make_plan(**{"board": "usa", "players": "random,random_kind", "seed": 5, **options}))
    folder = Folder(path)
    with opened(folder, player, resume=resume):
        carry_out(player, local_engine(threads), folder)
    return Run.open(path)

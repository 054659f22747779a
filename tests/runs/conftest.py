"""Small stored runs that several tests look at."""

from pathlib import Path

import pytest

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


RUNS = {
    "usa": {"board": "usa", "players": "random,random_kind,random", "games": 600},
    "europe": {"board": "europe", "players": "random_kind,random", "games": 400},
    "old_west": {
        "board": "old_west:alvin",
        "players": "random,random_kind",
        "design": "mixed",
        "seats": 4,
        "games": 300,
    },
    "san_francisco": {"board": "san_francisco", "rotate": "none", "games": 400},
}


@pytest.fixture(scope="session", params=RUNS)
def recorded(request, tmp_path_factory) -> Run:
    """A run of which everything was recorded."""
    path = tmp_path_factory.mktemp("runs") / request.param
    return store(path, record=("games", "players", "tickets", "claims"), **RUNS[request.param])

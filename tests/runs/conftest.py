"""Small stored runs that several tests look at."""

from pathlib import Path

import pytest

from runs.making import GAMES, store
from ttrsim.runs import Run

RUNS = {
    "usa": {"board": "usa", "players": "random,random_kind,random", "games": 240},
    "europe": {"board": "europe", "players": "random_kind,random", "games": 240},
    "old_west": {
        "board": "old_west:alvin",
        "players": "random,random_kind",
        "design": "mixed",
        "seats": 4,
        "games": 120,
    },
    "san_francisco": {"board": "san_francisco", "rotate": "none", "games": 240},
}


@pytest.fixture(scope="session", params=RUNS)
def recorded(request, tmp_path_factory) -> Run:
    """A run of which everything was recorded."""
    path = tmp_path_factory.mktemp("runs") / request.param
    return store(path, record=("games", "players", "tickets", "claims"), **RUNS[request.param])


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory) -> Path:
    """A run of GAMES games that nothing disturbed; copy it before changing it."""
    path = tmp_path_factory.mktemp("undisturbed") / "run"
    store(path, games=GAMES)
    return path

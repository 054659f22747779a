"""Small stored runs of which everything was recorded."""

import pytest
from runs.making import store

from ttrsim.runs import Run

RUNS = {
    "usa": {"board": "usa", "players": "random,random_kind,random", "games": 1200},
    "europe": {"board": "europe", "players": "random_kind,random", "games": 1200},
    "old_west": {
        "board": "old_west:alvin",
        "players": "random,random_kind",
        "design": "mixed",
        "seats": 4,
        "games": 240,
    },
}


@pytest.fixture(scope="session", params=RUNS)
def recorded(request, tmp_path_factory) -> Run:
    """A run with all its rows."""
    path = tmp_path_factory.mktemp("runs") / request.param
    return store(path, record=("games", "players", "tickets", "claims"), **RUNS[request.param])

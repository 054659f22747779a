"""Searches on a Dask cluster come out as on threads."""

import pytest

import ttrsim
from ttrsim.core.jit import COMPILED

pytest.importorskip("distributed")
pytestmark = pytest.mark.skipif(not COMPILED, reason="plain Python plays too slowly for so many games")

TUNING = {"board": "usa", "seats": 2, "against": "planner", "params": "alarm,patience", "games": 8000, "seed": 1}
FAULTY = "san_francisco[ticket Castro–Japanese Garden = 14]"
SEARCH = {"players": "random", "judges": "random_kind", "seats": [2, 3], "goal": "tickets", "games": 10_000, "seed": 1}


@pytest.fixture(scope="module")
def cluster():
    """Options that have a cluster of one worker play."""
    from ttrsim.runs.cluster import connected

    with connected(None, 1) as client:
        yield {"engine": "dask", "scheduler": client.scheduler.address}


def test_workers_tune_as_threads_do(cluster):
    said = []
    found = ttrsim.tune("planner(alarm=90, patience=0)", **TUNING, **cluster, message=said.append)
    assert found.state.steps == ttrsim.tune("planner(alarm=90, patience=0)", **TUNING, threads=2).state.steps
    assert "Dask workers: 1, 1 thread" in said


def test_workers_improve_as_threads_do(cluster):
    counted = []
    found = ttrsim.improve(FAULTY, **SEARCH, **cluster, progress=lambda progress: counted.append(progress.games))
    assert found.steps == ttrsim.improve(FAULTY, **SEARCH, threads=2).steps
    assert max(counted) >= sum(step.games for step in found.steps) > 0

"""Tunings short enough for tests."""

import pytest

import ttrsim
from ttrsim.core.jit import COMPILED

SPOILT = "planner(alarm=90, patience=0)"
QUICK = {"board": "usa", "seats": 2, "against": "planner", "params": "alarm,patience", "games": 12_000, "seed": 1}
"""A planner that was spoilt, against the planner."""


def pytest_collection_modifyitems(items):
    if not COMPILED:
        for item in items:
            item.add_marker(pytest.mark.skip(reason="plain Python plays too slowly for so many games"))


@pytest.fixture(scope="package")
def kept(tmp_path_factory):
    """The folder of a finished tuning, and the tuning."""
    path = tmp_path_factory.mktemp("tuning") / "tuned"
    return path, ttrsim.tune(SPOILT, **QUICK, out=path, threads=2)

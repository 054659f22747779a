"""A board with two planted faults, and a search on it."""

from pathlib import Path

import pytest

import ttrsim
from ttrsim.core.jit import COMPILED

from .star import star

QUICK = {"players": "planner", "judges": "hoarder", "seats": 2, "goal": "tickets,seats", "seed": 1, "games": 40_000}
FAULTY = "san_francisco[ticket Castro–Japanese Garden = 14; rules.hand = [5, 3, 3, 3]]"


def pytest_collection_modifyitems(items):
    for item in items:
        if "improving" in item.path.parts and not COMPILED:
            item.add_marker(pytest.mark.skip(reason="plain Python plays too slowly for so many games"))


@pytest.fixture(scope="package")
def boards(tmp_path_factory) -> Path:
    """A folder with the fair board."""
    folder = tmp_path_factory.mktemp("boards")
    (folder / "star.toml").write_text(f"# The fair board.\n{star()}", "utf-8", newline="\n")
    return folder


@pytest.fixture(scope="package")
def kept(boards):
    """The search on the board with the faults, kept in a folder."""
    if not COMPILED:
        pytest.skip("plain Python plays too slowly for so many games")
    folder = boards / "kept"
    return folder, ttrsim.improve(FAULTY, **QUICK, keep=["routes"], out=folder)

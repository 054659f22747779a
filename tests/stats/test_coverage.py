"""Intervals hold the truth as often as they say; `scripts/verify.py coverage` looks closer."""

import pytest
from conftest import SMALL_BOARD

from stats.coverage import coverage, make_player


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """A hundred runs of 50 batches."""
    board = tmp_path_factory.mktemp("coverage") / "small.toml"
    board.write_text(SMALL_BOARD, "utf-8")
    return {c.what: c for c in coverage(make_player(str(board), "random,random_kind", 100, 50, 4), 50, 4)}


@pytest.mark.parametrize(
    "what",
    [
        "win share",
        "difference of win shares",
        "strength",
        "offer effect on the score",
        "offer effect on the win share",
        "synergy in the score",
    ],
)
def test_intervals_hold_the_truth_in_95_of_100_runs(found, what):
    assert 0.88 <= found[what].alone <= 0.99


@pytest.mark.parametrize(
    "what",
    ["difference of win shares", "offer effect on the score", "offer effect on the win share", "advantage of seats"],
)
def test_families_hold_it_together(found, what):
    assert 0.88 <= found[what].family <= 0.99

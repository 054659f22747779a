"""Intervals hold the truth as often as they say; `scripts/verify.py coverage` looks closer."""

import pytest
from conftest import SMALL_BOARD

from stats.coverage import coverage, coverage_of_trials, drawn, make_player, runs, together
from stats.nulls import false_pair, found_planted, null_pages, null_sums


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    """The file of a small board."""
    path = tmp_path_factory.mktemp("coverage") / "small.toml"
    path.write_text(SMALL_BOARD, "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def found(board):
    """Two hundred runs of 50 batches, drawn from those of 40."""
    player = make_player(board, "random,random_kind", 40, 50, 4)
    played = list(runs(player, 50, 4))
    return {c.what: c for c in coverage(drawn(played, 200), together(player, played))}


@pytest.mark.parametrize(
    "what",
    [
        "win share",
        "difference of win shares",
        "strength",
        "offer effect on the score",
        "offer effect on the win share",
        "parts of the variance of scores",
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


def test_pairs_of_tickets_hardly_ever_stand_out_by_chance_in_small_runs():
    """By errors of batches alone they do on nine pages of ten."""
    player = make_player("usa", "random,random_kind", 1, 1, 500)
    assert sum(map(false_pair, null_pages(player, 500, 20))) <= 3


def test_null_pages_have_the_same_sums_if_no_game_is_counted_again():
    player = make_player("usa", "random,random_kind,long_route", 1, 1, 60)
    for page, quick in zip(null_pages(player, 60, 2), null_sums(player, 60, 2), strict=True):
        for table, columns in (
            ("seats", ["games", "score", "win60"]),
            ("tickets", ["offered", "offered_score", "offered_win60"]),
        ):
            assert (page.array(table)[columns] == quick.array(table)[columns]).all()


def test_pair_that_is_worth_more_together_is_found(board):
    assert found_planted(make_player(board, "random,random_kind", 1, 1, 4000), 4000, 3) == 1


def test_intervals_of_trials_hold_it_too(board):
    difficulty, effect = coverage_of_trials(board, "random,random_kind", 200, 400, 20)
    assert 0.88 <= difficulty.alone <= 0.99
    assert 0.88 <= effect.family <= 0.99

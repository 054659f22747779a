"""Parts of sentences."""

import numpy as np
import pytest

from ttrsim.report.answers import games_wanted
from ttrsim.report.prose import at_most, estimate, in_pp, size, some
from ttrsim.report.size_words import size_words

NAN = float("nan")


@pytest.mark.parametrize(("margin", "words"), [(0.01, "1 pp"), (0.005, "0.5 pp"), (0.025, "2.5 pp"), (0.07, "7 pp")])
def test_a_margin_is_told_as_it_was_given(margin, words):
    assert in_pp(margin) == words


def of(value, low, high):
    return estimate({"x": value, "x_low": low, "x_high": high}, "x", "share")


def test_an_interval_is_told_by_its_half_only_where_the_estimate_is_in_its_middle():
    assert of(0.25, 0.2, 0.3) == "25.0 ± 5.0 %"
    assert of(0.004, 0.001, 0.015) == "0.4 [0.1 to 1.5] %"
    assert of(0.25, NAN, NAN) == "25.0 %"


def test_an_estimate_is_told_as_exactly_as_its_interval():
    assert of(0.36742, 0.36702, 0.36782) == "36.74 ± 0.04 %"
    assert of(-0.0004, -0.0084, 0.0076) == "0.0 ± 0.8 %"
    assert of(0.5, 0.5, 0.5) == "50.0 ± 0.0 %"


@pytest.mark.parametrize(
    ("more", "undecided", "words"),
    [
        ([NAN, 9_000.0, 200.0], 2, " (at least 200 more games would settle half of those)"),
        ([9_000.0, 200.0, 5_000.0], 3, " (at least 5,000 more games would settle half of those)"),
        ([NAN, 200.0], 1, " (at least 200 more games would settle it)"),
        ([NAN, 2e7], 1, ""),
        ([NAN, NAN], 0, ""),
    ],
)
def test_so_many_games_more_are_told_as_decide_half_of_what_is_undecided(more, undecided, words):
    assert games_wanted(np.array(more), undecided) == words


def test_of_how_large_a_fall_is_the_ends_change_places():
    assert size({"x": -0.004, "x_low": -0.015, "x_high": -0.001}, "x", "share") == "0.4 [0.1 to 1.5] %"


def test_more_things_than_a_sentence_names_are_counted():
    assert some(["a", "b", "c"]) == "a, b and c"
    assert some(["a", "b", "c", "d"]) == "a, b and c; 4 in all"


@pytest.mark.parametrize(("half", "words"), [(0.42, "0.5"), (0.4, "0.4"), (3.01, "3.1"), (0.042, "0.05"), (0.0, "0.0")])
def test_a_bound_is_rounded_up(half, words):
    assert at_most(half) == words


def test_a_size_that_is_not_known_is_a_dash():
    assert size_words({"unit": "share difference", "size": NAN, "size_low": NAN, "size_high": NAN}) == "–"

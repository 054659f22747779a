"""The size of what is unfair is free of noise, and stands beside the sizes of the published boards."""

import dataclasses

import numpy as np
import pytest
from conftest import SMALL_BOARD
from runs.making import store

from ttrsim.batches import Interval, ratio
from ttrsim.boards import load_board
from ttrsim.choices import BALANCE_PLAYERS
from ttrsim.stats import published_boards as published
from ttrsim.stats.balance import BOUNDS, LIKE_PUBLISHED, balance
from ttrsim.stats.effects import UNITS, Dead, Mean, effects, mean_square, mean_square_interval, together
from ttrsim.stats.sizes import ALL, overall, sizes, to_decide


@pytest.mark.parametrize(("family", "true"), [(2, 0.0), (2, 3.0), (5, 1.0), (30, 0.0), (30, 1.0), (30, 4.0)])
def test_mean_square_is_unbiased_and_its_interval_holds(family, true):
    dice = np.random.default_rng(family)
    effect = dice.standard_normal(family)
    effect *= true / np.sqrt((effect**2).mean())
    batches = 120
    found, missed = [], 0
    for _ in range(400):
        noise = dice.standard_normal((batches, family))
        noise -= 0.9 * noise.mean(axis=1, keepdims=True)  # the effects of a family nearly cancel
        estimate = ratio(effect + noise * np.sqrt(batches), np.ones((batches, family)))
        found.append(mean_square(estimate).value)
        interval = mean_square_interval(estimate)
        missed += not interval.low - 1e-9 <= true**2 <= interval.high + 1e-9
    assert abs(np.mean(found) - true**2) < 4 * np.std(found) / np.sqrt(len(found))
    assert missed / len(found) < 0.09


def test_effects_without_a_known_error_do_not_count():
    dice = np.random.default_rng(1)
    sums = dice.standard_normal((50, 4))
    some, fewer = ratio(sums, np.ones(sums.shape)), ratio(sums[:, :2], np.ones((50, 2)))
    unknown = dataclasses.replace(some, replicates=np.where([True, True, False, False], some.replicates, np.nan))
    assert mean_square(unknown).value == mean_square(fewer).value
    assert np.allclose(mean_square_interval(unknown), mean_square_interval(fewer))


def test_over_several_tables_squares_are_averaged_and_a_place_is_dead_if_it_is_at_all():
    tables = [Mean(Interval(*np.array([value, value - 1, value + 1])), root=True) for value in (1.0, 7.0)]
    assert float(together(tables).size.value) == 2.0
    assert float(together(tables).mean.high) == pytest.approx(4 + np.sqrt(2) / 2)
    dead = [Dead(frozenset(), frozenset("ab"), frozenset("abc")), Dead(frozenset("b"), frozenset("b"), frozenset("bc"))]
    assert [float(end) for end in together(dead).size] == [1, 0, 2]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sizes")
    board = folder / "board.toml"
    board.write_text(SMALL_BOARD, "utf-8")
    options = {"board": str(board), "players": "random,long_route", "games": 2000, "record": ()}
    return [
        store(folder / f"{n}-{design}", design=design, seats=n, **options)
        for n in (2, 3)
        for design in ("mirror", "mixed")
    ]


def boards_of(tickets, error):
    """Return published boards whose tickets have this size, and nothing else is known."""
    size = Mean.from_size(Interval(*np.array([tickets, tickets - error, tickets + error])), root=True)
    of_board = {("tickets", 2): size, ("tickets", 3): size}
    return published.PublishedBoards(["random"], 1, 1, {"usa": of_board}, {"usa": {}})


def test_a_size_is_judged_by_a_quarter_more_than_the_largest_published_one_with_its_error(runs, monkeypatch):
    frame = balance(runs)
    own = sizes(runs, frame).set_index(["question", "players"])["size"]["tickets", ALL]

    def verdict(tickets, error):
        for module in ("balance", "sizes"):
            monkeypatch.setattr(f"ttrsim.stats.{module}.published_boards", lambda: boards_of(tickets, error))
        rows = sizes(runs, frame).set_index(["question", "players"])
        assert rows["bound"]["tickets", ALL] == pytest.approx(1.25 * tickets)
        assert rows["usa"]["tickets", ALL] == tickets
        return rows["verdict"]["tickets", ALL]

    assert verdict(3 * own, 0.0) == "balanced"
    assert verdict(own / 3, 0.0) == "imbalanced"
    assert verdict(own / 1.25, 0.0) == "undecided"
    assert verdict(3 * own, 3 * own) == verdict(own / 3, own) == "undecided"


def test_own_bounds_leave_sizes_without_a_verdict(runs):
    frame = balance(runs, BOUNDS)
    of_board = sizes(runs, frame, BOUNDS)
    assert set(of_board["verdict"]) == {""}
    assert of_board["bound"].isna().all()
    assert len(to_decide(frame, of_board, BOUNDS)) == len(frame)


def test_one_dead_place_counts_by_the_number_of_them(runs):
    frame = balance(runs, LIKE_PUBLISHED)
    of_board = sizes(runs, frame)
    decided = to_decide(frame, of_board, LIKE_PUBLISHED)
    assert set(decided["question"]) == {"seats", "tickets", "strategies", "sizes"}
    assert set(decided[decided["question"] == "strategies"]["verdict"]) == {""}  # others than on the published boards
    sound = decided.assign(verdict="balanced")
    assert (
        overall(sound[sound["question"] != "sizes"], of_board.assign(verdict="balanced"), LIKE_PUBLISHED) == "balanced"
    )
    worse = of_board["verdict"].mask(of_board["question"] == "routes", "imbalanced")
    assert overall(frame.assign(verdict="balanced"), of_board.assign(verdict=worse), LIKE_PUBLISHED) == "imbalanced"


def test_each_question_has_a_row_for_each_number_of_players_and_over_all(runs):
    found = sizes(runs, balance(runs, LIKE_PUBLISHED))
    assert {(q, str(p)) for q, p in zip(found["question"], found["players"], strict=True)} == {
        (question, players) for question in UNITS for players in (ALL, "2", "3")
    }
    mixed = runs[1]
    names, found_effects = effects(mixed, "tickets")
    assert len(names) == len(mixed.board.tickets)
    row = found[(found["question"] == "tickets") & (found["players"] == 2)].iloc[0]
    assert 0 < row["size"] < np.sqrt((found_effects.value**2).mean())
    assert row["size_low"] <= row["size"] <= row["size_high"]


def test_stored_sizes_are_of_the_standard_examination_of_all_tables_of_boards_that_are_published():
    stored = published.published_boards()
    assert list(stored.strategies) == BALANCE_PLAYERS.split(",")
    assert set(stored.sizes) == set(published.NAMES)
    for name in published.NAMES:
        board = load_board(name)
        fewest, most = board.rules.players
        assert board.status == "published"
        assert {players for _, players in stored.sizes[name]} == {*range(fewest, most + 1)}
        assert {question for question, _ in stored.sizes[name]} == set(UNITS)


def test_what_is_stored_is_what_was_measured(runs, tmp_path):
    frame = balance(runs, BOUNDS, published.LEVEL)
    path = tmp_path / "sizes.json"
    published.write_published_boards({"small": (runs, frame)}, path)
    stored = published.read_published_boards(path)
    of_board = sizes(runs, frame, BOUNDS, published.LEVEL).set_index(["question", "players"])
    for question in UNITS:
        for players in ([2], [3], [2, 3]):
            found = stored.sizes_over(question, players)["small"]
            row = of_board.loc[(question, ALL if len(players) > 1 else players[0])]
            assert float(found.value) == pytest.approx(row["size"], abs=2e-6)
    assert stored.unlike(runs[0]) == ""
    assert stored.itself(runs[0]) == ""
    own = dataclasses.replace(stored, sizes={runs[0].board.id: stored.sizes["small"]})
    assert own.itself(runs[0]).endswith("is itself one of the published boards that set the bounds.")
    others = dataclasses.replace(stored, strategies=["planner"], rules_version=0)
    assert "were measured with other bots (planner) and with rules version 0, " in others.unlike(runs[0])

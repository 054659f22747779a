"""A match plays the games that everything else plays, with variants that need no compiling."""

from dataclasses import replace

import numpy as np
import pytest

from ttrsim.boards import load_board
from ttrsim.games import simulate
from ttrsim.strategies import load_strategy
from ttrsim.tuning.match import Match, local_engine, measure

USA = load_board("usa")
PLANNER = load_strategy("planner")
HASTY = load_strategy("planner", {"alarm": 40.0})
HOARDER = load_strategy("hoarder")


def test_variants_share_what_is_compiled():
    assert HASTY.compiled is PLANNER.compiled


@pytest.mark.parametrize("opponent", [HOARDER, PLANNER])
def test_games_are_those_of_a_run_with_the_variant(opponent):
    match = Match(USA, 2, PLANNER, (opponent,), 7)
    sums = match.play(HASTY.values, PLANNER.values, range(3, 20))
    played = simulate(board=USA, players=[HASTY, opponent], games=40, seed=7)
    for found, of in zip(sums.T, (played.win60, played.seats["score"]), strict=True):
        of_variant = (of * (played.seats["strategy"] == 0)).sum(axis=1).reshape(20, 2).sum(axis=1)
        np.testing.assert_array_equal(found, of_variant[3:])


def test_itself_plays_with_the_values_of_the_best_so_far():
    fixed, moving = (Match(USA, 2, PLANNER, (opponent,), 7) for opponent in (HASTY, None))
    laps = range(10)
    np.testing.assert_array_equal(
        moving.play(PLANNER.values, HASTY.values, laps), fixed.play(PLANNER.values, PLANNER.values, laps)
    )


def test_equal_variants_at_a_table_of_their_own_kind_win_their_share_exactly():
    match = Match(USA, 3, PLANNER, (PLANNER,), 7)
    assert match.play(PLANNER.values, PLANNER.values, range(8))[:, 0].sum() == 60 * 8


def test_every_combination_of_opponents_plays():
    match = Match(USA, 3, PLANNER, (HOARDER, None), 7)
    assert match.lap_games == 9  # three pairs of opponents, three seats
    assert match.laps(100, batches=10) == 20


@pytest.mark.parametrize("threads", [1, 2])
def test_measured_shares_are_those_of_the_games(threads):
    tables = [Match(USA, seats, PLANNER, (HOARDER,), 7) for seats in (2, 3)]
    arms = [PLANNER.values, HASTY.values]
    found = measure(tables, arms, arms[0], [5, 0], 60, 10, local_engine(threads), lambda games: None)
    for table, (match, first) in enumerate(zip(tables, (5, 0), strict=True)):
        laps = range(first, first + found.laps[table])
        for arm, values in enumerate(arms):
            share = match.play(values, values, laps)[:, 0].sum() / 60 / (len(laps) * match.lap_games)
            assert found.shares()[table, arm] == pytest.approx(share)
            assert found.share(table, arm).value == pytest.approx(share)
        gain = found.gains(table, [1], 0)
        assert gain.value[0] == pytest.approx(np.diff(found.shares()[table])[0])


def test_copies_of_opponents_are_other_strategies_than_the_variant():
    """A variant with an opponent's values is still counted apart from it."""
    match = Match(USA, 2, replace(PLANNER, values=HASTY.values), (HASTY,), 7)
    assert match.play(HASTY.values, HASTY.values, range(4))[:, 0].sum() == 60 * 4

"""Batches and looks: a run that grows keeps the bounds of both."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ttrsim.runs.laps import MOST_LAPS, pieces
from ttrsim.runs.tally import Level
from ttrsim.schedule import FIRST_LOOK, MOST_BATCHES, Schedule, batch_laps, is_look, look_spacing, next_look

many = st.integers(1, MOST_LAPS)
few = st.integers(1, 5000)


def of(laps):
    return Schedule(((0, 1),), "cyclic", laps)


@given(many)
def test_a_run_has_101_to_200_batches_or_one_a_lap(laps):
    schedule = of(laps)
    if laps <= MOST_BATCHES:
        assert (schedule.batch_laps, schedule.batches) == (1, laps)
    else:
        assert 101 <= schedule.batches <= 200
        assert schedule.batch_laps & schedule.batch_laps - 1 == 0


@given(few)
def test_batches_are_all_laps_in_order_and_all_but_the_last_are_equal(laps):
    schedule = of(laps)
    batches = [schedule.batch(number) for number in range(schedule.batches)]
    assert batches == pieces(range(laps), schedule.batch_laps)
    assert {len(batch) for batch in batches[:-1]} <= {schedule.batch_laps}


@given(many, many)
def test_bounds_of_batches_stay_when_a_run_grows(laps, more):
    before, after = batch_laps(laps), batch_laps(laps + more)
    assert after % before == 0


@given(st.integers(0, MOST_LAPS), few)
def test_batches_and_groups_of_a_lap_become_those_of_a_larger_run(lap, more):
    before, after = batch_laps(lap + 1), batch_laps(lap + more)
    for level in (Level.BATCH, Level.GROUP):
        assert level.number(lap, after) == level.number(lap, before) // (after // before)


def test_looks_are_32_an_octave_from_32_laps_on():
    looks = [laps for laps in range(1, 4097) if is_look(laps)]
    assert looks[0] == FIRST_LOOK
    assert [sum(low < look <= 2 * low for look in looks) for low in (32, 64, 512, 2048)] == [32] * 4


@given(st.integers(0, MOST_LAPS))
def test_the_next_look_is_the_first_after_so_many_laps(laps):
    look = next_look(laps)
    assert look > laps
    assert is_look(look)
    between = range(laps + 1, look, max(1, look_spacing(laps) // 4))
    assert not any(is_look(lap) for lap in between)


@given(st.integers(FIRST_LOOK, MOST_LAPS))
def test_a_run_that_stops_at_a_look_ends_with_a_whole_batch(laps):
    look = next_look(laps)
    assert look % batch_laps(look) == 0


@given(few, few)
def test_games_of_a_run_are_the_first_of_a_longer_one(laps, more):
    short, long = of(laps), of(laps + more)
    games = np.arange(min(short.games, 50))
    for one, other in zip(short.where(games), long.where(games), strict=True):
        assert one.tolist() == other.tolist()

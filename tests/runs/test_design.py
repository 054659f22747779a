"""Line-ups of each design, and how games are numbered and divided."""

from collections import Counter
from itertools import permutations
from math import comb, factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttrsim.errors import UsageError
from ttrsim.schedule import Schedule, make_line_ups, make_seatings

line_up = st.lists(st.integers(0, 3), min_size=3, max_size=3).map(tuple)
schedules = st.builds(
    Schedule,
    st.lists(line_up, min_size=1, max_size=5).map(tuple),
    st.sampled_from(["cyclic", "all", "none"]),
    st.integers(1, 1500),
)


@pytest.mark.parametrize(("strategies", "seats"), [(1, 4), (2, 2), (4, 4), (5, 3)])
def test_mixed_has_each_composition_once(strategies, seats):
    line_ups = make_line_ups("mixed", range(strategies), seats)
    assert len(line_ups) == comb(strategies + seats - 1, seats)
    assert len({tuple(sorted(x)) for x in line_ups}) == len(line_ups)


def test_mirror_seats_each_strategy_against_itself():
    assert make_line_ups("mirror", [0, 1, 0], 3) == [(0, 0, 0), (1, 1, 1)]


def test_focal_seats_the_first_player_once_against_every_field():
    line_ups = make_line_ups("focal", [2, 0, 1, 1], 4)
    assert {tuple(sorted(x)) for x in line_ups} == {(0, 0, 0, 2), (0, 0, 1, 2), (0, 1, 1, 2), (1, 1, 1, 2)}


@pytest.mark.parametrize(
    ("design", "players", "seats", "message"),
    [
        ("fixed", [0, 1], 3, "`seats` 3: design fixed seats the 2 players"),
        ("mixed", [0, 1], None, "`design` mixed: needs `seats`"),
        ("focal", [0, 0], 3, "needs a field: list other players"),
        ("mixed", list(range(20)), 6, "20 strategies make 177100 line-ups; a run can have at most 2000"),
        ("focal", list(range(20)), 6, "20 strategies make 33649 line-ups; a run can have at most 2000"),
    ],
)
def test_designs_that_make_no_sense_are_refused(design, players, seats, message):
    with pytest.raises(UsageError, match=message):
        make_line_ups(design, players, seats)


def tuples(seatings):
    return [tuple(seating) for seating in seatings.tolist()]


@given(line_up)
def test_every_rotation_is_played_once(line_up):
    cyclic, (everything,) = make_seatings(line_up, "cyclic"), map(tuples, make_seatings(line_up, "all"))
    repeats = [factorial(n) for n in Counter(line_up).values()]
    assert set(everything) == set(permutations(line_up))
    assert len(everything) == factorial(3) // np.prod(repeats)
    for order in map(tuples, cyclic):
        assert len(set(order)) == len(order) == (1 if len(set(line_up)) == 1 else 3)
    assert make_seatings(line_up, "none").tolist() == [[list(line_up)]]
    assert tuples(cyclic[0])[0] == everything[0] == line_up


@given(st.lists(st.integers(0, 5), min_size=2, max_size=6).map(tuple), st.integers(0, 3))
def test_everybody_plays_after_every_other_one_equally_often(line_up, repeats):
    laps = len(make_seatings(line_up, "cyclic")) * (repeats + 1)
    schedule = Schedule((line_up,), "cyclic", laps)
    seatings = schedule.where(np.arange(schedule.games))[1]
    after = Counter(zip(np.roll(seatings, 1, axis=1).ravel().tolist(), seatings.ravel().tolist(), strict=True))
    alike = Counter(line_up)
    for one, other in permutations(alike, 2):
        for third in alike:
            if alike[third] == alike[other] and third != one:
                assert after[one, third] == after[one, other]
        assert after[one, other] == after[other, one]


@given(st.lists(st.sampled_from("abcd"), min_size=2, max_size=5), st.randoms())
def test_whole_rounds_of_the_orders_are_the_same_seatings_however_strategies_are_listed(listed, random):
    def seatings(listed):
        names = list(dict.fromkeys(listed))
        line_up = tuple(map(names.index, listed))
        schedule = Schedule((line_up,), "cyclic", len(make_seatings(line_up, "cyclic")))
        found = schedule.where(np.arange(schedule.games))[1].tolist()
        return Counter(tuple(names[strategy] for strategy in seating) for seating in found)

    assert seatings(listed) == seatings(random.sample(listed, len(listed)))


@pytest.mark.parametrize(
    ("orders", "first"),
    [
        (1, [(0, 1)]),
        (2, [(0, 1, 2), (0, 2, 1)]),
        (6, [(0, 1, 2, 3), (0, 1, 3, 2), (0, 2, 1, 3)]),
        (24, [(0, 1, 2, 3, 4), (0, 2, 1, 4, 3), (0, 3, 2, 1, 4)]),
        (120, [(0, 1, 2, 3, 4, 5), (0, 2, 3, 1, 5, 4), (0, 3, 4, 2, 1, 5)]),
    ],
)
def test_orders_begin_with_the_one_listed_and_are_alike_on_every_machine(orders, first):
    """The same seed gives other games with others."""
    found = make_seatings(tuple(range(len(first[0]))), "cyclic")
    assert len(found) == orders
    assert [min(tuples(order)) for order in found[: len(first)]] == first


@pytest.mark.parametrize("line_up", [(0, 1, 2, 3), (0, 0, 1, 1, 2), (0, 0, 1, 2, 2, 3), (0, 1, 2, 3, 4, 5)])
def test_a_few_laps_have_unlike_orders_at_the_table(line_up):
    laps = make_seatings(line_up, "cyclic")[:4].tolist()
    after_first = [{(seating[seat - 1], seating[seat]) for seat in range(len(seating))} for seating, *_ in laps]
    assert len(set.intersection(*after_first)) <= 1


@given(schedules)
def test_the_games_of_a_block_are_the_seatings_of_one_order_of_one_line_up(schedule):
    blocks, seatings = schedule.where(np.arange(min(schedule.games, 200)))
    for block in set(blocks.tolist()):
        here = blocks == block
        if not here[-1]:  # the last block may be cut off
            line_up = schedule.line_ups[block % len(schedule.line_ups)]
            assert tuples(seatings[here]) in [tuples(order) for order in make_seatings(line_up, schedule.rotate)]

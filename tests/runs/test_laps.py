"""Ranges of laps: shards are nested or apart, gaps and parts lose nothing and have nothing twice."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttrsim.runs.laps import (
    MOST_LAPS,
    SHARDS_OF_THREAD,
    Gaps,
    Portion,
    aligned,
    around,
    cover,
    is_aligned,
    pieces,
    shard_sizes,
)

shards = st.builds(
    lambda power, place: range(place << power, place + 1 << power), st.integers(0, 6), st.integers(0, 40)
)


@given(shards, shards)
def test_two_aligned_ranges_are_nested_or_have_nothing_in_common(one, other):
    assert is_aligned(one)
    common = set(one) & set(other)
    assert common in (set(), set(one), set(other))


@given(st.integers(0, 10_000), st.integers(1, 5000))
def test_an_aligned_range_is_the_largest_that_begins_there(first, most):
    laps = aligned(first, most)
    assert laps.start == first
    assert is_aligned(laps)
    assert 1 <= len(laps) <= most
    assert 2 * len(laps) > most or not is_aligned(range(first, first + 2 * len(laps)))


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(1, 500))
def test_pieces_are_the_laps_divided_at_multiples(first, length, size):
    laps = range(first, first + length + 1)
    found = pieces(laps, size)
    assert [lap for piece in found for lap in piece] == list(laps)
    assert all(piece.start % size == 0 for piece in found[1:])
    assert all(piece.start // size == piece[-1] // size for piece in found)


@given(st.lists(shards, max_size=12))
def test_shards_that_lie_within_others_are_not_counted(stored):
    found = cover(stored)
    assert {lap for laps in found for lap in laps} == {lap for laps in stored for lap in laps}
    assert all(before.stop <= after.start for before, after in pairwise(found))
    assert set(found) <= set(stored)


@given(shards)
def test_around_a_shard_are_itself_and_all_that_it_lies_in(laps):
    wider = list(around(laps))
    assert wider[0] == laps
    for inner, outer in pairwise(wider):
        assert is_aligned(outer)
        assert len(outer) == 2 * len(inner)
        assert outer.start <= inner.start < inner.stop <= outer.stop
    assert len(wider[-1]) >= MOST_LAPS


@given(st.integers(1, 300), st.lists(shards, max_size=8), st.integers(0, 2**32))
def test_what_is_taken_out_of_gaps_and_not_given_back_was_missing_and_comes_once(laps, stored, seed):
    dice = Random(seed)
    done = cover(stored)
    missing = set(range(laps)) - {lap for shard in done for lap in shard}
    gaps, taken = Gaps(range(laps), done), []
    while gaps:
        assert len(gaps) == len(missing) - len(taken)
        first = gaps.first
        part = gaps.take(dice.randint(1, 70))
        assert part.start == first == min(missing - set(taken))
        assert is_aligned(part)
        played = part[: dice.randint(0, len(part))]
        gaps.give_back(range(played.stop, part.stop))
        taken += played
    assert sorted(taken) == sorted(missing)
    assert len(gaps) == 0


@given(st.integers(2, 200), st.data())
def test_what_is_given_back_in_any_order_is_there_again(laps, data):
    gaps, out = Gaps(range(laps)), []
    while gaps:
        out.append(gaps.take(16))
    for part in data.draw(st.permutations(out)):
        gaps.give_back(part)
    assert (len(gaps), gaps.first) == (laps, 0)
    assert [gaps.take(laps)] == [aligned(0, laps)]


@given(st.integers(1, 3000), st.integers(1, 4000))
def test_portions_are_all_laps_each_once_for_any_number_of_jobs(laps, of):
    found = [Portion(number, of).laps(laps) for number in range(1, of + 1)]
    assert [lap for part in found for lap in part] == list(range(laps))
    if laps >= of:
        assert all(found)


@given(st.integers(1, 500), st.integers(1, 200))
def test_portions_are_about_equally_large(of, more):
    laps = 64 * of + more
    sizes = [len(Portion(number, of).laps(laps)) for number in range(1, of + 1)]
    assert max(sizes) - min(sizes) <= 2 + laps // (32 * of)


def test_more_portions_than_laps_leave_some_with_nothing_to_do():
    found = [Portion(number, 7).laps(3) for number in range(1, 8)]
    assert sorted(map(len, found)) == [0, 0, 0, 0, 1, 1, 1]
    assert len(Portion(60, 100).laps(500_000)) > 4900


def test_a_thousand_million_games_of_a_slow_bot_are_enough_shards_for_a_thousand_workers():
    """Planned, not played: two games per lap, and a maximum of laps per shard."""
    laps, threads = 500_000_000, 1000 * 8
    fewest, most = shard_sizes(laps, threads)
    assert (fewest, most) == (4096, 4096)
    assert laps / most >= SHARDS_OF_THREAD * threads


@pytest.mark.parametrize("threads", [1, 2, 50, 8000])
@pytest.mark.parametrize("laps", [1, 7, 1000, 250_000, 10**12])
def test_no_run_has_many_more_than_100_000_shards_nor_fewer_than_ten_a_thread_if_it_has_laps(laps, threads):
    fewest, most = shard_sizes(laps, threads)
    assert laps / fewest <= 200_000
    assert 1 <= fewest <= most
    assert laps / most >= min(10 * threads, laps / fewest)

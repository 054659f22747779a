"""Digests: against a plain definition by halves, and the same however laps are put together."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttrsim.core.records import GAME_RESULT, SEAT_RESULT
from ttrsim.games import Results
from ttrsim.runs.laps import aligned
from ttrsim.runs.playing import Tree, joined_hash, lap_hashes

leaves = st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=70)


def plain(hashes):
    """Hash several laps: join the hash of the largest power of two of them that leaves a rest with that of the rest."""
    if len(hashes) == 1:
        return hashes[0]
    half = 1 << (len(hashes) - 1).bit_length() - 1
    return hashlib.sha256(b"\1" + plain(hashes[:half]) + plain(hashes[half:])).digest()


def whole(hashes, first=0):
    tree = Tree(first)
    tree.add_laps(hashes)
    return tree.hexdigest()


@given(leaves)
def test_it_is_the_hash_of_halves(hashes):
    assert whole(hashes) == plain(hashes).hex()


@given(leaves, st.data())
def test_it_does_not_depend_on_how_laps_are_stored_together(hashes, data):
    tree, first = Tree(), 0
    while first < len(hashes):
        laps = aligned(first, data.draw(st.integers(1, len(hashes) - first)))
        tree.add(len(laps), bytes.fromhex(whole(hashes[laps.start : laps.stop], first)))
        first = laps.stop
    assert tree.hexdigest() == whole(hashes)


@given(leaves, st.data())
def test_every_bit_of_every_lap_and_their_order_count(hashes, data):
    place, bit = data.draw(st.integers(0, len(hashes) - 1)), data.draw(st.integers(0, 255))
    changed = list(hashes)
    changed[place] = bytes(byte ^ (1 << bit % 8) * (i == bit // 8) for i, byte in enumerate(hashes[place]))
    assert whole(changed) != whole(hashes)
    other = data.draw(st.permutations(hashes))
    assert (whole(other) == whole(hashes)) == (other == hashes)
    assert whole([*hashes, hashes[-1]]) != whole(hashes)


def results(games, players=2):
    dice = np.random.default_rng(1)
    return Results(
        np.frombuffer(dice.bytes(games * GAME_RESULT.itemsize), GAME_RESULT).copy(),
        np.frombuffer(dice.bytes(games * players * SEAT_RESULT.itemsize), SEAT_RESULT).copy().reshape(games, players),
    )


def test_the_hash_of_a_lap_is_of_its_games_and_its_seats_alone():
    played = results(12)
    hashes = lap_hashes(played, 3)
    assert len(set(hashes)) == 4
    for lap, found in enumerate(hashes):
        games = slice(3 * lap, 3 * lap + 3)
        part = Results(played.games[games], played.seats[games])
        assert lap_hashes(part, 3) == [found]
        assert found == hashlib.sha256(b"\0" + part.games.tobytes() + part.seats.tobytes()).digest()


@pytest.mark.parametrize("where", ["games", "seats"])
def test_one_changed_byte_changes_one_lap(where):
    played, before = results(12), lap_hashes(results(12), 3)
    array = getattr(played, where)
    array.view(np.uint8).reshape(-1)[array.nbytes // 2] ^= 1
    after = lap_hashes(played, 3)
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, True, False, True]


def test_no_lap_has_the_hash_of_two():
    """Otherwise two laps could pass for one whose rows are the two hashes."""
    left, right = bytes(32), bytes(range(32))
    assert joined_hash(left, right) != hashlib.sha256(b"\0" + left + right).digest()

"""Random streams: each part of a name makes another one, and none betrays where it began or what the others are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ttrsim.core import constants as c
from ttrsim.core.streams import GOLDEN, block_key, mix, next_word, siphash, start_stream

MASK = 2**64 - 1
words = st.integers(0, MASK)
Stream = tuple[int, int, int, int]
streams = st.tuples(words, st.integers(0, 2**40), st.integers(0, 4), st.integers(0, 999))


def first_words(stream: Stream) -> list[int]:
    seed, block, purpose, index = stream
    state = np.zeros(4, np.uint64)
    start_stream(state, np.uint64(block_key(np.uint64(seed), np.uint64(block))), purpose, index)
    return [int(next_word(state)) for _ in range(3)]


@given(streams, streams)
def test_another_seed_block_purpose_or_index_is_another_stream(one: Stream, other: Stream) -> None:
    assert (first_words(one) == first_words(other)) == (one == other)


@given(streams, st.integers(0, 3))
def test_a_stream_changes_with_each_part_of_its_name(stream: Stream, part: int) -> None:
    neighbour = tuple(value ^ (i == part) for i, value in enumerate(stream))
    assert not set(first_words(stream)) & set(first_words((neighbour[0], neighbour[1], neighbour[2], neighbour[3])))


def test_the_generators_give_their_published_first_numbers() -> None:
    assert int(mix(GOLDEN)) == 0xE220A8397B1DCDAF  # splitmix64 from 0
    state = np.array([1, 2, 3, 4], np.uint64)
    published = [41943041, 58720359, 3588806011781223, 3591011842654386]  # xoshiro256++
    assert [int(next_word(state)) for _ in published] == published


# The same from the paper on SipHash (Aumasson and Bernstein, 2012), of bytes, and from that on splitmix64.


def plain_siphash(key: bytes, message: bytes) -> int:
    """SipHash-2-4."""
    k0, k1 = (int.from_bytes(key[i : i + 8], "little") for i in (0, 8))
    v = [k ^ int.from_bytes(text, "big") for k, text in zip((k0, k1, k0, k1), CONSTANTS, strict=True)]
    padded = message + bytes(-(len(message) + 1) % 8) + bytes([len(message) % 256])
    for i in range(0, len(padded), 8):
        word = int.from_bytes(padded[i : i + 8], "little")
        v[3] ^= word
        rounds(v, 2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(v, 4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


CONSTANTS = (b"somepseu", b"dorandom", b"lygenera", b"tedbytes")


def rounds(v: list[int], many: int) -> None:
    for _ in range(many):
        for a, b, turn, half in ((0, 1, 13, True), (2, 3, 16, False), (0, 3, 21, False), (2, 1, 17, True)):
            v[a] = (v[a] + v[b]) & MASK
            v[b] = left(v[b], turn) ^ v[a]
            if half:
                v[a] = left(v[a], 32)


def left(word: int, bits: int) -> int:
    return (word << bits | word >> 64 - bits) & MASK


def eight(*numbers: int) -> bytes:
    """Return each number as eight bytes."""
    return b"".join(number.to_bytes(8, "little") for number in numbers)


def plain_mix(x: int) -> int:
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def test_siphash_gives_its_published_numbers() -> None:
    assert plain_siphash(bytes(range(16)), bytes(range(15))) == 0xA129CA6149BE45E5
    key = (int.from_bytes(bytes(range(i, i + 8)), "little") for i in (0, 8))
    word = int.from_bytes(bytes(range(8)), "little")
    published = 0x93F5F5799A932462
    assert plain_siphash(bytes(range(16)), bytes(range(8))) == published
    assert int(siphash(*(np.uint64(half) for half in key), np.uint64(word))) == published


@given(words, words, st.integers(0, 4), st.integers(0, 999))
def test_a_stream_begins_with_a_siphash_under_the_key_of_its_block_and_that_is_one_under_the_seed(
    seed: int, block: int, purpose: int, index: int
) -> None:
    key = plain_siphash(eight(seed, seed), eight(block))
    assert int(block_key(np.uint64(seed), np.uint64(block))) == key
    state = np.zeros(4, np.uint64)
    start_stream(state, np.uint64(key), purpose, index)
    word = plain_siphash(eight(key, key), eight(purpose << 32 | index))
    golden = 0x9E3779B97F4A7C15
    assert state.tolist() == [plain_mix((word + golden * (i + 1)) & MASK) for i in range(4)]


def undone(x: int) -> int:
    """Undo the mix."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        x ^= x >> shift ^ x >> 2 * shift
        x = x * pow(factor, -1, 2**64) & MASK
    return x


@given(words, st.integers(0, 5))
def test_undoing_the_mix_of_a_strategys_stream_gives_no_key(key: int, seat: int) -> None:
    golden, state = int(GOLDEN), np.zeros(4, np.uint64)
    start_stream(state, np.uint64(key), c.STRATEGY_STREAM, seat)
    word = (undone(int(state[0])) - golden) & MASK
    assert plain_mix((word + golden) & MASK) == state[0]
    for purpose in (c.STRATEGY_STREAM << 16 | seat, c.STRATEGY_STREAM << 32 | seat, 0):
        assert (undone(word) - golden * purpose) & MASK != key
        assert word ^ purpose != key

"""Random numbers: xoshiro256++ streams, one for each purpose, each four 64-bit words of state.

The top 32 bits of a draw, scaled, choose among n: for n up to 2**16 no outcome is favoured by more than one part
in 2**16.
"""

import numpy as np

from ttrsim.core.jit import inline_kernel, kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S17, S23, S27, S30, S31 = np.uint64(17), np.uint64(23), np.uint64(27), np.uint64(30), np.uint64(31)
S16, S19, S32, S41, S45 = (np.uint64(n) for n in (16, 19, 32, 41, 45))
LOW_32 = np.uint64(0xFFFFFFFF)


@kernel
def mix(x):
    """A bijection of 64-bit words that scatters them (the finaliser of splitmix64)."""
    x = (x ^ (x >> S30)) * MIX_1
    x = (x ^ (x >> S27)) * MIX_2
    return x ^ (x >> S31)


@kernel
def block_key(seed, block):
    """The key of all streams of a block; no two blocks of a seed have the same."""
    return mix(mix(np.uint64(seed) + GOLDEN) ^ np.uint64(block))


@kernel
def start_stream(state, key, purpose, index):
    """Set a stream to its beginning. key: of the block; index: a seat, or the number of a reshuffle."""
    word = mix(key + GOLDEN * (np.uint64(purpose) << S16 | np.uint64(index)))
    for i in range(4):
        word += GOLDEN
        state[i] = mix(word)


@inline_kernel
def next_word(state):
    """The next 64 random bits of a stream."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    total = s0 + s3
    result = (total << S23 | total >> S41) + s0
    s2 ^= s0
    s3 ^= s1
    state[0] = s0 ^ s3
    state[1] = s1 ^ s2
    state[2] = s2 ^ (s1 << S17)
    state[3] = s3 << S45 | s3 >> S19
    return result


@inline_kernel
def below(state, n):
    """A random whole number from 0 to n - 1, for n from 1 to 2**31."""
    return np.int64((next_word(state) >> S32) * np.uint64(n) >> S32)


@kernel
def shuffle(items, size, state):
    """Put the first `size` items of an array into random order; each 64 random bits serve two swaps."""
    i = size - 1
    while i > 0:
        word = next_word(state)
        j = np.int64((word >> S32) * np.uint64(i + 1) >> S32)
        items[i], items[j] = items[j], items[i]
        j = np.int64((word & LOW_32) * np.uint64(i) >> S32)
        items[i - 1], items[j] = items[j], items[i - 1]
        i -= 2

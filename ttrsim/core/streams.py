"""Random numbers: xoshiro256++ streams, one per purpose, each with four 64-bit words of state.

Where a stream begins is a SipHash of a secret, so a strategy that sees its own stream learns nothing about the
deck's without trying 2**64 secrets. The seed is the secret of the blocks' keys, a block's key that of its streams.

The top 32 bits of a draw, scaled, choose among n: for n up to 2**16 no outcome is favoured by more than one part
in 2**16.
"""

import numpy as np

from ttrsim.core.jit import inline_kernel, kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S13, S16, S17, S19, S21, S23, S27, S30, S31, S32, S41, S43, S45, S47, S48, S51 = (
    np.uint64(n) for n in (13, 16, 17, 19, 21, 23, 27, 30, 31, 32, 41, 43, 45, 47, 48, 51)
)
LOW_32, LOW_8 = np.uint64(0xFFFFFFFF), np.uint64(0xFF)
SIP_0, SIP_1 = np.uint64(0x736F6D6570736575), np.uint64(0x646F72616E646F6D)
SIP_2, SIP_3 = np.uint64(0x6C7967656E657261), np.uint64(0x7465646279746573)
EIGHT_BYTES = np.uint64(8 << 56)  # the last word of a message of one word: its length


@kernel
def mix(x):
    """Scatter 64-bit words by a bijection (the finaliser of splitmix64)."""
    x = (x ^ (x >> S30)) * MIX_1
    x = (x ^ (x >> S27)) * MIX_2
    return x ^ (x >> S31)


@inline_kernel
def sip_round(v0, v1, v2, v3):
    """Do one round of SipHash."""
    v0 += v1
    v2 += v3
    v1 = (v1 << S13 | v1 >> S51) ^ v0
    v3 = (v3 << S16 | v3 >> S48) ^ v2
    v0 = v0 << S32 | v0 >> S32
    v2 += v1
    v0 += v3
    v1 = (v1 << S17 | v1 >> S47) ^ v2
    v3 = (v3 << S21 | v3 >> S43) ^ v0
    return v0, v1, v2 << S32 | v2 >> S32, v3


@kernel
def siphash(key_0, key_1, word):
    """Return the SipHash-2-4 of a 64-bit word under a key of two words, which hashes do not reveal."""
    v0, v1, v2, v3 = key_0 ^ SIP_0, key_1 ^ SIP_1, key_0 ^ SIP_2, key_1 ^ SIP_3
    for part in (word, EIGHT_BYTES):
        v3 ^= part
        v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
        v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
        v0 ^= part
    v2 ^= LOW_8
    for _ in range(4):
        v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


@kernel
def block_key(seed, block):
    """Return the key of all streams of a block, from which the seed cannot be computed."""
    return siphash(np.uint64(seed), np.uint64(seed), np.uint64(block))


@kernel
def start_stream(state, key, purpose, index):
    """Set a stream to its beginning, from which neither the key nor another stream can be computed.

    key: of the block; index: a seat, or the number of a reshuffle.
    """
    word = siphash(key, key, np.uint64(purpose) << S32 | np.uint64(index))
    for i in range(4):
        word += GOLDEN
        state[i] = mix(word)


@inline_kernel
def next_word(state):
    """Return the next 64 random bits of a stream."""
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
    """Return a random whole number from 0 to n - 1, for n from 1 to 2**31."""
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

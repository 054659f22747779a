"""Sets of routes and of tickets: a few 64-bit words, bit i for member i."""

import numpy as np

from ttrsim.core.constants import NO_BITS, ONE_BIT
from ttrsim.core.jit import kernel


@kernel
def bit(i):
    """The word in which only bit i is set."""
    return ONE_BIT << np.uint64(i)


@kernel
def holds(word, i):
    """Whether bit i of a word is set."""
    return word >> np.uint64(i) & ONE_BIT != NO_BITS


@kernel
def add(words, i):
    """Put member i into the set."""
    words[i >> 6] |= bit(i & 63)


@kernel
def remove(words, i):
    """Take member i out of the set."""
    words[i >> 6] &= ~bit(i & 63)

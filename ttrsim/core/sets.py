"""Sets of routes and of tickets: a few 64-bit words, bit i for member i."""

import numpy as np

from ttrsim.core.constants import NO_BITS, NOBODY, ONE_BIT
from ttrsim.core.jit import count, kernel, lowest


@kernel
def bit(i):
    """Return the word in which only bit i is set."""
    return ONE_BIT << np.uint64(i)


@kernel
def holds(word, i):
    """Return whether bit i of a word is set."""
    return word >> np.uint64(i) & ONE_BIT != NO_BITS


@kernel
def add(words, i):
    """Add member i to the set."""
    words[i >> 6] |= bit(i & 63)


@kernel
def remove(words, i):
    """Remove member i from the set."""
    words[i >> 6] &= ~bit(i & 63)


@kernel
def contains(words, i):
    """Return whether member i is in the set."""
    return holds(words[i >> 6], i & 63)


@kernel
def size_of(words):
    """Return how many members the set has."""
    size = np.int64(0)
    for w in range(len(words)):
        size += count(words[w])
    return size


@kernel
def next_member(words, after):
    """Return the first member of the set after `after`, or NOBODY at the end; `after=NOBODY` finds the first of all.

    >>> def take_turn(board, table, hand, mind):
    ...     route = next_member(table.open, NOBODY)
    ...     while route != NOBODY:
    ...         route = next_member(table.open, route)
    """
    first = np.int64(after) + 1
    for w in range(first >> 6, len(words)):
        word = words[w]
        if w == first >> 6:
            word &= ~(bit(first & 63) - ONE_BIT)
        if word != NO_BITS:
            return 64 * np.int64(w) + lowest(word)
    return np.int64(NOBODY)


@kernel
def next_bit(word, after):
    """Return the first bit set above `after`, or NOBODY, as `next_member` does: a walk over a set of cities."""
    if after >= 63:
        return np.int64(NOBODY)
    word &= ~(bit(np.int64(after) + 1) - ONE_BIT)
    return lowest(word) if word != NO_BITS else np.int64(NOBODY)

"""What simple strategies write down in `mind.memory`: sets of routes, and what has happened since they last looked.

Each takes places of the memory, numbers that the strategy chooses and gives names.

>>> PLAN, STAMP = 0, 3
>>> def take_turn(board, table, hand, mind):
...     if claimed_since(table, mind, STAMP):
...         find_path(board, table, hand, mind, ends)
...         remember(mind, PLAN, mind.work.path)
"""

import numpy as np

from ttrsim.core.constants import ROUTE_WORDS
from ttrsim.core.jit import count, kernel


@kernel
def claimed_since(table, mind, place):
    """Whether anybody has claimed a route since this was asked last; the answer takes a place of `mind.memory`.

    At first it is yes, and again after `mind.memory[place] = 0`.
    """
    stamp = 1 + count(table.open[0]) + count(table.open[1]) + count(table.open[2])
    if mind.memory[place] == stamp:
        return False
    mind.memory[place] = stamp
    return True


@kernel
def remember(mind, place, routes):
    """Write a set of routes into `mind.memory`, where it takes ROUTE_WORDS places."""
    for w in range(ROUTE_WORDS):
        mind.memory[place + w] = np.int64(routes[w])


@kernel
def remembered_word(mind, place, w):
    """Word w of a set of routes in the memory."""
    return np.uint64(mind.memory[place + w])

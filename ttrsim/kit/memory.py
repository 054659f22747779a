"""What simple strategies keep in `mind.memory`: sets of routes, and whether one was claimed since they last looked.

Each function is told the place in the memory, a number that the strategy chooses and names.

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
    """Whether anybody has claimed a route since this was last asked. It uses one place of `mind.memory`.

    The first answer is yes, and so is the one after `mind.memory[place] = 0`.
    """
    stamp = 1 + count(table.open[0]) + count(table.open[1]) + count(table.open[2])
    if mind.memory[place] == stamp:
        return False
    mind.memory[place] = stamp
    return True


@kernel
def remember(mind, place, routes):
    """Write a set of routes into `mind.memory`, in ROUTE_WORDS places from this one on."""
    for w in range(ROUTE_WORDS):
        mind.memory[place + w] = np.int64(routes[w])


@kernel
def remembered_word(mind, place, w):
    """Word w of the set of routes that `remember` wrote at this place."""
    return np.uint64(mind.memory[place + w])

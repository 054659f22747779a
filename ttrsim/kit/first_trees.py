"""Trees for one ticket and for two on a board where nobody has any route: they are the same in every game.

Most plans at the opening are for such pairs, or begin with one. A mind keeps them, by the order in which they are
taken, until prices change or another pair wants their place.
"""

from ttrsim.core.constants import PAIRS, ROUTE_WORDS, TICKETS
from ttrsim.core.jit import inline_kernel, kernel


@kernel
def forget_pairs(work):
    """Let no tree be known."""
    for place in range(PAIRS):
        work.pair[place] = 0


@inline_kernel
def place_of(board, a, b):
    """Return where the tree for two tickets, taken in this order, is kept; with a == b the one for a ticket alone."""
    return a * board.tickets + b & (PAIRS - 1)


@inline_kernel
def knows_pair(board, work, a, b):
    """Return whether that tree is kept, and the seat's board is still one where nobody has any route."""
    return work.untouched and work.pair[place_of(board, a, b)] == 1 + a * TICKETS + b


@kernel
def recall_pair(board, work, a, b):
    """Write that tree into `work.tree`; return its price. Needs `knows_pair`."""
    place = place_of(board, a, b)
    for w in range(ROUTE_WORDS):
        work.tree[w] = work.pair_tree[place, w]
    return work.pair_price[place]


@kernel
def keep_pair(board, work, a, b, price):
    """Keep `work.tree` as that tree, if nobody has any route."""
    if work.untouched:
        place = place_of(board, a, b)
        work.pair[place], work.pair_price[place] = 1 + a * TICKETS + b, price
        for w in range(ROUTE_WORDS):
            work.pair_tree[place, w] = work.tree[w]

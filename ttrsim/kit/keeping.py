"""Keep tickets of an offer by one measure: the order of the deal, points, or points per train.

>>> def keep_opening(board, table, hand, mind):
...     return keep_first(board, table, hand, 3)
"""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.jit import count, kernel
from ttrsim.core.legal import keeps_wrong_number
from ttrsim.core.sets import bit
from ttrsim.kit.fewest import missing_route, passable, path_to_finish
from ttrsim.kit.paths import connected

TRAINS_IF_LOST = 50
"""Trains that a ticket which cannot be completed is taken to need."""


@kernel
def keep_first(board, table, hand, many):
    """Keep the first `many` tickets in the order dealt; more if more must be kept, fewer if too many are long."""
    kept, wanted = np.int64(hand.must_keep), max(many, np.int64(hand.keep_least))
    for i in range(hand.offered):
        if not kept >> i & 1 and count(np.uint64(kept)) < wanted and may_join(board, table, kept, i):
            kept |= 1 << i
    return np.int64(c.KEEP + kept)


@kernel
def keep_lowest(board, table, hand):
    """Keep the tickets of the fewest points, as few as may be; of equals the first dealt."""
    kept = np.int64(hand.must_keep)
    for _ in range(hand.keep_least - count(hand.must_keep)):
        best, fewest = c.NOBODY, np.int64(0)
        for i in range(hand.offered):
            points = np.int64(board.ticket_points[hand.offer[i]])
            if not kept >> i & 1 and may_join(board, table, kept, i) and (best == c.NOBODY or points < fewest):
                best, fewest = i, points
        if best != c.NOBODY:
            kept |= 1 << best
    return np.int64(c.KEEP + kept)


@kernel
def may_join(board, table, kept, i):
    """Return whether the i-th ticket may be kept with these: the opening limits long ones, the first of the offer."""
    if table.phase != c.OPENING or i >= board.long_deal:
        return True
    return count(np.uint64(kept) & (bit(board.long_deal) - np.uint64(1))) < board.long_keep_at_most


@kernel
def keep_best_ratio(board, table, hand, mind, many, shortest):
    """Keep the set of at least `many` tickets with the most points per train that the trains left allow.

    The trains are those that a path of the fewest routes still takes for each ticket, where routes to be claimed have
    at least `shortest` spaces. A ticket that cannot be completed counts minus its points. If nothing that may be kept
    scores or fits, the tickets of the fewest points are kept.
    """
    best, best_points, best_trains = c.NOBODY, np.int64(0), np.int64(1)
    for size in range(max(many, np.int64(hand.keep_least)), hand.offered + 1):
        for place in range(subsets(hand)):
            kept = in_order_dealt(hand, place)
            if count(np.uint64(kept)) == size and not keeps_wrong_number(board, table, hand, np.uint64(kept)):
                points, trains = measure(board, table, hand, mind, kept, shortest)
                if trains <= table.trains[hand.seat] and points * best_trains > best_points * trains:
                    best, best_points, best_trains = kept, points, trains
    return keep_lowest(board, table, hand) if best == c.NOBODY else np.int64(c.KEEP + best)


@kernel
def subsets(hand):
    """Return how many sets of offered tickets there are."""
    return 1 << np.int64(hand.offered)


@kernel
def in_order_dealt(hand, place):
    """Return a set of offered tickets by its place: of those of equal size the one with earlier tickets is first."""
    code, kept = subsets(hand) - 1 - place, 0
    for i in range(hand.offered):
        if code >> (hand.offered - 1 - i) & 1:
            kept |= 1 << i
    return kept


@kernel
def measure(board, table, hand, mind, kept, shortest):
    """Return the points of some offered tickets, less those of lost ones, and the trains that their paths take."""
    points, trains = np.int64(0), np.int64(0)
    for i in range(hand.offered):
        if kept >> i & 1:
            needed = trains_to_finish(board, table, hand, mind, hand.offer[i], shortest)
            worth = np.int64(board.ticket_points[hand.offer[i]])
            points += worth if needed != c.NOWHERE else -worth
            trains += needed if needed != c.NOWHERE else TRAINS_IF_LOST
    return points, trains


@kernel
def trains_to_finish(board, table, hand, mind, ticket, shortest):
    """Return the trains that a path of the fewest routes to finish a ticket still takes, or NOWHERE."""
    if connected(board, table, hand, mind, board.ticket_ends[ticket]):
        return np.int64(0)
    routes = passable(board, table, hand, shortest)
    steps, trains = path_to_finish(board, table, hand, mind, routes, ticket), np.int64(0)
    if steps == c.NOWHERE:
        return np.int64(c.NOWHERE)
    for i in range(steps):
        route = missing_route(board, table, hand, mind, routes, i)
        if route != c.NOBODY:
            trains += board.route_length[route]
    return trains

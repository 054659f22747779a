"""Cheapest trees: the routes that complete several tickets together, as few and short as can be found.

Tickets are taken up one after the other, each joined by a cheapest path to what is planned already: once beginning with
the cheapest and once with the dearest. The cheaper plan stands. A set of tickets is given as its two words.
"""

import numpy as np

from ttrsim.core.constants import NO_BITS, NOBODY, NOWHERE, ONE_BIT, ROUTE_WORDS
from ttrsim.core.jit import count, kernel, lowest
from ttrsim.core.network import connects, group_of, join
from ttrsim.core.sets import bit
from ttrsim.kit.paths import look, spread, trace

CHEAPEST, DEAREST = 1, -1
"""Which ticket is taken up next."""


@kernel
def plan_tree(board, table, hand, mind, first, second):
    """Plan the routes to claim for a set of tickets (two words); return the price, and leave them in `mind.work.tree`.

    Tickets that can no longer be completed are passed over; `planned` tells which ones the tree completes.

    >>> def take_turn(board, table, hand, mind):
    ...     set_prices(mind, 2, 1, 1)
    ...     price = plan_tree(board, table, hand, mind, hand.tickets[0], hand.tickets[1])
    """
    look(board, table, hand, mind)
    work = mind.work
    best = grow(board, work, first, second, np.int64(CHEAPEST))
    if count(first) + count(second) < 2:
        return best
    for w in range(ROUTE_WORDS):
        work.best_tree[w] = work.tree[w]
    price = grow(board, work, first, second, np.int64(DEAREST))
    if price < best:
        return price
    for w in range(ROUTE_WORDS):
        work.tree[w] = work.best_tree[w]
    merge(board, work)
    return best


@kernel
def planned(board, mind, ticket):
    """Whether the seat's routes and its tree, as last planned, complete a ticket."""
    return connects(mind.work.merged, mind.work.merged_count, board.ticket_ends[ticket])


@kernel
def grow(board, work, first, second, order):
    """Grow a tree ticket by ticket, the CHEAPEST or the DEAREST next; return its price."""
    for w in range(ROUTE_WORDS):
        work.tree[w] = NO_BITS
    merge(board, work)
    total = 0
    while first or second:
        next_ticket, next_price = NOBODY, 0
        for w in range(2):
            left = first if w == 0 else second
            while left:
                ticket = 64 * w + lowest(left)
                left &= left - ONE_BIT
                price = ticket_price(board, work, board.ticket_ends[ticket])
                if price <= 0:  # complete, or not to be completed
                    if w == 0:
                        first &= ~bit(ticket)
                    else:
                        second &= ~bit(ticket - 64)
                elif next_ticket == NOBODY or order * price < order * next_price:
                    next_ticket, next_price = ticket, price
        if next_ticket == NOBODY:
            return total
        total += add_ticket(board, work, board.ticket_ends[next_ticket])
        if next_ticket < 64:
            first &= ~bit(next_ticket)
        else:
            second &= ~bit(next_ticket - 64)
    return total


@kernel
def merge(board, work):
    """What the seat's routes and the tree connect."""
    for i in range(work.group_count):
        work.merged[i] = work.groups[i]
    work.merged_count = work.group_count
    for w in range(ROUTE_WORDS):
        routes = work.tree[w]
        while routes:
            ends = board.route_ends[64 * w + lowest(routes)]
            work.merged_count = join(work.merged, work.merged_count, ends)
            routes &= routes - ONE_BIT


@kernel
def ticket_price(board, work, ends):
    """What it costs to connect two cities, with what is merged for nothing; NOWHERE if they cannot be."""
    source = ends & (~ends + ONE_BIT)
    if not board.own_network or work.merged_count == 0:
        return spread(board, work, work.merged, work.merged_count, source, ends & ~source)
    total = 0  # both must be joined to the network
    for _ in range(2):
        price = spread(board, work, work.merged, work.merged_count, work.merged[0], source)
        if price == NOWHERE:
            return NOWHERE
        total += price
        source = ends & ~source
    return total


@kernel
def add_ticket(board, work, ends):
    """Add to the tree what connects two cities, which can be; return its price."""
    source = ends & (~ends + ONE_BIT)
    if not board.own_network or work.merged_count == 0:
        return add_path(board, work, source, ends & ~source)
    price = add_path(board, work, work.merged[0], source)
    return price + add_path(board, work, work.merged[0], ends & ~source)


@kernel
def add_path(board, work, sources, targets):
    """Add a cheapest path between two sets of cities to the tree; return its price."""
    price = spread(board, work, work.merged, work.merged_count, sources, targets)
    if price <= 0:
        return 0
    for w in range(ROUTE_WORDS):
        work.path[w] = NO_BITS
    touched = trace(board, work, work.merged, work.merged_count, price, targets)
    for w in range(ROUTE_WORDS):
        work.tree[w] |= work.path[w]
    touched |= group_of(work.merged, work.merged_count, targets)
    work.merged_count = join(work.merged, work.merged_count, touched)
    return price

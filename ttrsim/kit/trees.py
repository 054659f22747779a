"""Cheap trees: routes that complete several tickets together.

Tickets are taken one after the other, and each is joined by a cheapest path to what is planned already: once beginning
with the cheapest ticket and once with the dearest; the cheaper tree stands. Sets of tickets are given as two words.
"""

import numpy as np

from ttrsim.core.constants import NO_BITS, NOWHERE, ONE_BIT, ROUTE_WORDS, TICKET_WORDS
from ttrsim.core.jit import inline_kernel, kernel, lowest
from ttrsim.core.network import connects, group_of, join
from ttrsim.core.sets import add, holds
from ttrsim.kit.first_trees import keep_pair, knows_pair, recall_pair
from ttrsim.kit.paths import look, spread, trace


@kernel
def plan_tree(board, table, hand, mind, first, second):
    """Plan the routes to claim for a set of tickets (two words); return the price, and leave them in `mind.work.tree`.

    Tickets that can no longer be completed are left out; `planned` says which ones the tree completes.

    >>> def take_turn(board, table, hand, mind):
    ...     set_prices(board, mind, 2, 1, 1)
    ...     price = plan_tree(board, table, hand, mind, hand.tickets[0], hand.tickets[1])
    """
    work = mind.work
    tickets = order_tickets(board, table, hand, mind, first, second)
    best = grow(board, work, 0, tickets, 1)
    if tickets > 1:
        for w in range(ROUTE_WORDS):
            work.best_tree[w] = work.tree[w]
        price = grow(board, work, tickets - 1, -1, -1)
        if price < best:
            best = price
        else:
            for w in range(ROUTE_WORDS):
                work.tree[w] = work.best_tree[w]
    merge(board, work)
    return best


@kernel
def planned(board, mind, ticket):
    """Return whether the seat's routes and its tree, as last planned, complete a ticket."""
    return connects(mind.work.merged, mind.work.merged_count, board.ticket_ends[ticket])


@kernel
def ticket_price(board, table, hand, mind, ticket):
    """Return what it still costs to complete a ticket; 0 if it is complete, NOWHERE if it cannot be completed.

    It is kept until the seat claims a route or one of the path is lost, so asking again costs nothing: what others
    close elsewhere makes no path cheaper. The routes are then in `mind.work.ticket_path`.

    >>> def take_turn(board, table, hand, mind):
    ...     lost = ticket_price(board, table, hand, mind, 5) == NOWHERE
    """
    look(board, table, hand, mind)
    work = mind.work
    if not holds(work.priced[ticket >> 6], ticket & 63) or lost_path(work, ticket):
        add(work.priced, ticket)
        if knows_pair(board, work, ticket, ticket):
            work.ticket_price[ticket] = recall_pair(board, work, ticket, ticket)
        else:
            clear_tree(board, work)
            work.ticket_price[ticket] = add_ticket(board, work, board.ticket_ends[ticket])
            keep_pair(board, work, ticket, ticket, work.ticket_price[ticket])
        for w in range(ROUTE_WORDS):
            work.ticket_path[ticket, w] = work.tree[w]
    return work.ticket_price[ticket]


@inline_kernel
def lost_path(work, ticket):
    """Return whether a route of a ticket's path is no longer available."""
    for w in range(ROUTE_WORDS):
        if work.ticket_path[ticket, w] & ~work.usable[w]:
            return True
    return False


@kernel
def clear_tree(board, work):
    """Empty the tree."""
    for w in range(ROUTE_WORDS):
        work.tree[w] = NO_BITS
    merge(board, work)


@kernel
def order_tickets(board, table, hand, mind, first, second):
    """Write the tickets of a set that still cost something into `mind.work.order`, cheapest first; return how many."""
    order, known = mind.work.order, mind.work.ticket_price
    size = 0
    for w in range(TICKET_WORDS):
        word = first if w == 0 else second
        while word:
            ticket = 64 * w + lowest(word)
            word &= word - ONE_BIT
            price = ticket_price(board, table, hand, mind, ticket)
            if price > 0:
                i = size
                while i > 0 and known[order[i - 1]] > price:
                    order[i] = order[i - 1]
                    i -= 1
                order[i] = ticket
                size += 1
    return size


@kernel
def grow(board, work, start, end, step):
    """Grow a tree by the tickets `work.order[start]` up to before `end`, in such steps; return its price.

    `work.merged` may be left without the last of them.
    """
    if start == end:
        clear_tree(board, work)
        return 0
    first, i = work.order[start], start + step
    for w in range(ROUTE_WORDS):
        work.tree[w] = work.ticket_path[first, w]
    total = np.int64(work.ticket_price[first])
    if i != end and knows_pair(board, work, first, work.order[i]):
        total = np.int64(recall_pair(board, work, first, work.order[i]))
        i += step
    if i != end:
        merge(board, work)
    for j in range(i, end, step):
        total += add_ticket(board, work, board.ticket_ends[work.order[j]])
        if j == start + step:
            keep_pair(board, work, first, work.order[j], total)
    return total


@kernel
def merge(board, work):
    """Write the groups of cities that the seat's routes and the tree connect into `work.merged`."""
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
def add_ticket(board, work, ends):
    """Add to the tree what connects two cities; return its price, or NOWHERE if they cannot be connected."""
    source = ends & (~ends + ONE_BIT)
    if not board.own_network or work.merged_count == 0:
        return add_path(board, work, source, ends & ~source)
    price = add_path(board, work, work.merged[0], source)
    rest = add_path(board, work, work.merged[0], ends & ~source)
    return NOWHERE if price == NOWHERE or rest == NOWHERE else price + rest


@kernel
def add_path(board, work, sources, targets):
    """Add a cheapest path between two sets of cities to the tree; return its price, or NOWHERE."""
    price = spread(board, work, work.merged, work.merged_count, sources, targets)
    if price <= 0:
        return price
    for w in range(ROUTE_WORDS):
        work.path[w] = NO_BITS
    touched = trace(board, work, work.merged, work.merged_count, price, targets)
    for w in range(ROUTE_WORDS):
        work.tree[w] |= work.path[w]
    touched |= group_of(work.merged, work.merged_count, targets)
    work.merged_count = join(work.merged, work.merged_count, touched)
    return price

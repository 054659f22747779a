"""The best use of stations at the end of a game.

Each station lends its owner one route of an opponent that ends in its city. The search goes station by station and leaves a branch as soon
as all routes that the remaining stations could borrow, taken together, would not beat the best assignment found.
"""

from ttrsim.core.constants import ONE_BIT, ROUTE_WORDS, TICKET_WORDS
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.network import group_of, is_completed, join
from ttrsim.core.sets import bit

TICKET = 256
"""Weight of a ticket point against a completed ticket when assignments are compared: points come first."""


@kernel
def worth(board, groups, size, tickets):
    """How good these groups are for a set of tickets: points of those completed, then their number."""
    total = 0
    for w in range(TICKET_WORDS):
        word = tickets[w]
        while word:
            ticket = 64 * w + lowest(word)
            word &= word - ONE_BIT
            if is_completed(board, groups, size, ticket):
                total += TICKET * board.ticket_points[ticket] + 1
    return total


@kernel
def list_loans(board, table, seat, city, groups, size, loans):
    """Write the city pairs a station could connect by a borrowed route, one for each group it leads to; return how many."""
    found = 0
    seen = group_of(groups, size, bit(city))
    for w in range(ROUTE_WORDS):
        word = board.at_city[city, w] & ~table.owned[seat, w]
        while word:
            route = 64 * w + lowest(word)
            word &= word - ONE_BIT
            far_end = board.route_ends[route] & ~bit(city)
            if table.owner[route] >= 0 and not seen & far_end:
                loans[found] = board.route_ends[route]
                seen |= group_of(groups, size, far_end)
                found += 1
    return found


@kernel
def copy_groups(source, size, target):
    """Copy the first `size` groups."""
    for i in range(size):
        target[i] = source[i]


@kernel
def borrow_best(board, table, seat, tickets, size, scratch):
    """Improve `scratch.groups` (of which there are `size`) by the best use of a seat's stations; return how many groups there are."""
    levels = 0  # stations that can borrow anything
    cities = table.stations[seat]
    while cities:
        found = list_loans(board, table, seat, lowest(cities), scratch.groups, size, scratch.loans[levels])
        cities &= cities - ONE_BIT
        if found:
            scratch.loan_count[levels] = found
            levels += 1
    best, best_size = worth(board, scratch.groups, size, tickets), size
    copy_groups(scratch.groups, size, scratch.level_groups[0])
    scratch.level_size[0] = size
    scratch.next_loan[0] = 0
    level = 0
    while level >= 0:
        if level == levels or scratch.next_loan[level] == scratch.loan_count[level]:
            level -= 1
            continue
        groups = scratch.level_groups[level + 1]
        copy_groups(scratch.level_groups[level], scratch.level_size[level], groups)
        reached = join(groups, scratch.level_size[level], scratch.loans[level, scratch.next_loan[level]])
        scratch.next_loan[level] += 1
        scratch.level_size[level + 1] = reached
        value = worth(board, groups, reached, tickets)
        if value > best:
            best, best_size = value, reached
            copy_groups(groups, reached, scratch.groups)
        if could_beat(board, scratch, level + 1, levels, tickets, best):
            level += 1
            scratch.next_loan[level] = 0
    return best_size


@kernel
def could_beat(board, scratch, level, levels, tickets, best):
    """Whether all loans of the stations from this level on, taken together, would be worth more than the best so far."""
    if level == levels:
        return False
    groups, size = scratch.bound_groups, scratch.level_size[level]
    copy_groups(scratch.level_groups[level], size, groups)
    for i in range(level, levels):
        for k in range(scratch.loan_count[i]):
            size = join(groups, size, scratch.loans[i, k])
    return worth(board, groups, size, tickets) > best

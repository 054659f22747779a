"""Groups of cities, as 64-bit words, that a seat's routes connect, and that its stations connect at the end.

Each station lends its owner one route of an opponent that ends in its city. The search for the best use goes station by
station and leaves a branch as soon as all routes that the remaining stations could borrow, taken together, would not
beat the best assignment found. The best assignment has the most ticket points, then the most tickets; of
assignments that are still equal, it has the lowest-numbered ticket that the other lacks.
"""

from ttrsim.core.constants import NO_BITS, ONE_BIT, ROUTE_WORDS, TICKET_WORDS
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.sets import bit, holds

POINT_WEIGHT = 256
"""Weight of a ticket point against that of a completed ticket, 1: points come first whatever the number of tickets."""


@kernel
def join(groups, size, cities):
    """Merge these cities and all groups that share one with them into one group; return how many groups there are."""
    kept = 0
    for i in range(size):
        if groups[i] & cities:
            cities |= groups[i]
        else:
            groups[kept] = groups[i]
            kept += 1
    groups[kept] = cities
    return kept + 1


@kernel
def find_groups(board, routes, scratch):
    """Write the groups of cities that a set of routes connects into `scratch.groups`; return how many."""
    links = scratch.links
    for city in range(board.cities):
        links[city] = NO_BITS
    left = NO_BITS
    for w in range(ROUTE_WORDS):
        word = routes[w]
        while word:
            route = 64 * w + lowest(word)
            word &= word - ONE_BIT
            ends = board.route_ends[route]
            links[board.route_a[route]] |= ends
            links[board.route_b[route]] |= ends
            left |= ends
    size = 0
    while left:
        group = fresh = left & (~left + ONE_BIT)
        while fresh:
            found = links[lowest(fresh)] & ~group
            fresh = fresh & (fresh - ONE_BIT) | found
            group |= found
        scratch.groups[size] = group
        size += 1
        left &= ~group
    return size


@kernel
def connects(groups, size, ends):
    """Return whether one of the groups holds all these cities, such as the two ends of a ticket."""
    for i in range(size):
        if groups[i] & ends == ends:
            return True
    return False


@kernel
def completed_tickets(board, groups, size, tickets, w):
    """Return the tickets of word w of a set that the groups connect."""
    done = NO_BITS
    word = tickets[w]
    while word:
        lowest_bit = word & (~word + ONE_BIT)
        if connects(groups, size, board.ticket_ends[64 * w + lowest(word)]):
            done |= lowest_bit
        word ^= lowest_bit
    return done


@kernel
def group_of(groups, size, city_bit):
    """Return the group that holds a city, or the city alone."""
    for i in range(size):
        if groups[i] & city_bit:
            return groups[i]
    return city_bit


@kernel
def weigh_tickets(board, groups, size, tickets, done):
    """Write the tickets of a set that the groups complete into `done`; return their value, by points, then number."""
    total = 0
    for w in range(TICKET_WORDS):
        done[w] = completed_tickets(board, groups, size, tickets, w)
        word = done[w]
        while word:
            total += POINT_WEIGHT * board.ticket_points[64 * w + lowest(word)] + 1
            word &= word - ONE_BIT
    return total


@kernel
def is_better(value, done, best, best_done):
    """Return whether one assignment is better than another, each with its value and its tickets completed."""
    if value != best:
        return value > best
    for w in range(TICKET_WORDS):
        differ = done[w] ^ best_done[w]
        if differ:
            return holds(done[w], lowest(differ))
    return False


@kernel
def list_loans(board, table, seat, city, groups, size, loans):
    """Write the pairs of cities that a station could connect, one for each group it leads to; return how many."""
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
def borrow_best(board, table, seat, tickets, size, scratch):
    """Find the best use of a seat's stations, given the `size` groups it has; write `scratch.best_done`."""
    levels = 0  # stations that can borrow anything
    cities = table.stations[seat]
    while cities:
        found = list_loans(board, table, seat, lowest(cities), scratch.groups, size, scratch.loans[levels])
        cities &= cities - ONE_BIT
        if found:
            scratch.loan_count[levels] = found
            levels += 1
    best = weigh_tickets(board, scratch.groups, size, tickets, scratch.best_done)
    copy_groups(scratch.groups, size, scratch.level_groups[0])
    scratch.level_size[0] = size
    scratch.next_loan[0] = 0
    level = 0 if could_beat(board, scratch, 0, levels, tickets, best) else -1
    while level >= 0:
        if scratch.next_loan[level] == scratch.loan_count[level]:
            level -= 1
            continue
        groups = scratch.level_groups[level + 1]
        copy_groups(scratch.level_groups[level], scratch.level_size[level], groups)
        size = join(groups, scratch.level_size[level], scratch.loans[level, scratch.next_loan[level]])
        scratch.level_size[level + 1] = size
        scratch.next_loan[level] += 1
        value = weigh_tickets(board, groups, size, tickets, scratch.done)
        if is_better(value, scratch.done, best, scratch.best_done):
            best = value
            for w in range(TICKET_WORDS):
                scratch.best_done[w] = scratch.done[w]
        if could_beat(board, scratch, level + 1, levels, tickets, best):
            level += 1
            scratch.next_loan[level] = 0


@kernel
def copy_groups(source, size, target):
    """Copy the first `size` groups."""
    for i in range(size):
        target[i] = source[i]


@kernel
def could_beat(board, scratch, level, levels, tickets, best):
    """Return whether all loans of the stations from this level on, taken together, would beat the best so far."""
    if level == levels:
        return False
    groups, size = scratch.bound_groups, scratch.level_size[level]
    copy_groups(scratch.level_groups[level], size, groups)
    for i in range(level, levels):
        for k in range(scratch.loan_count[i]):
            size = join(groups, size, scratch.loans[i, k])
    value = weigh_tickets(board, groups, size, tickets, scratch.done)
    return is_better(value, scratch.done, best, scratch.best_done)

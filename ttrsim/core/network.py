"""Which cities a seat's routes connect: groups of cities as 64-bit words."""

from ttrsim.core.constants import NO_BITS, ONE_BIT, ROUTE_WORDS
from ttrsim.core.jit import kernel, lowest


@kernel
def join(groups, size, cities):
    """Merge into one group these cities and all groups that share one with them; return how many groups there are."""
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
    """Write into `scratch.groups` the groups of cities that a set of routes connects; return how many."""
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
    """Whether one of the groups holds all these cities, as the two ends of a ticket."""
    for i in range(size):
        if groups[i] & ends == ends:
            return True
    return False


@kernel
def completed_tickets(board, groups, size, tickets, w):
    """Those tickets of word w of a set that the groups connect."""
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
    """The group that holds a city, or the city alone."""
    for i in range(size):
        if groups[i] & city_bit:
            return groups[i]
    return city_bit

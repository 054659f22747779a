"""Paths of the fewest routes, the seat's own among them, as the published strategies search for them.

`ttrsim.kit.paths` asks what a path still costs; here only its number of routes matters, so one wave of cities a step
is enough. A set of routes is passed as a tuple of its words.

>>> def take_turn(board, table, hand, mind):
...     routes = passable(board, table, hand, 1)
...     steps, first = path_to_finish(board, table, hand, mind, routes, ticket)
"""

from ttrsim.core.constants import NO_BITS, NOBODY, NOWHERE, ONE_BIT, ROUTE_WORDS
from ttrsim.core.jit import inline_kernel, kernel, lowest
from ttrsim.core.sets import add, bit, holds
from ttrsim.kit.paths import usable_word


@kernel
def passable(board, table, hand, shortest):
    """The seat's routes and those it may still claim, of at least so many spaces."""
    return (
        passable_word(board, table, hand.seat, shortest, 0),
        passable_word(board, table, hand.seat, shortest, 1),
        passable_word(board, table, hand.seat, shortest, 2),
    )


@inline_kernel
def passable_word(board, table, seat, shortest, w):
    """Word w of the routes that `passable` returns."""
    return (usable_word(board, table, seat, w) | table.owned[seat, w]) & ~board.up_to[shortest - 1, w]


@kernel
def path_to_finish(board, table, hand, mind, routes, ticket):
    """Write into `mind.work.path` a path of the fewest routes that finishes a ticket, found among these routes.

    It leads from the ticket's first city (by the board's order) to its second; on boards where claims must join the
    seat's network, from the network to the nearer missing city. Returns how many routes it has, own ones among them,
    and the first on it that the seat does not own; (NOWHERE, NOBODY) if there is no such path.
    """
    ends, network = board.ticket_ends[ticket], table.network[hand.seat]
    start = ends & (~ends + ONE_BIT)
    if board.own_network and network:
        start = network
    steps = count_steps(board, mind.work, routes, start, ends & ~start)
    return steps, walk(board, mind.work, routes, start, table.owned[hand.seat], steps)


@kernel
def count_steps(board, work, routes, start, goal):
    """The fewest routes from one of these cities to one of those, or NOWHERE.

    Leaves in `work.wave` which cities are how many routes away from the goal.
    """
    wave, steps = goal, 0
    seen = work.wave[0] = goal
    while not wave & start:
        near = at_cities(board, routes, wave)
        wave = ends_of(board, near) & ~seen
        if not wave:
            return NOWHERE
        routes = routes[0] & ~near[0], routes[1] & ~near[1], routes[2] & ~near[2]  # nothing new lies at their ends
        steps += 1
        seen |= wave
        work.wave[steps] = wave
    return steps


@inline_kernel
def at_cities(board, routes, cities):
    """Those of some routes that end in one of these cities, as a tuple of words."""
    first, second, third = NO_BITS, NO_BITS, NO_BITS
    while cities:
        routes_there = board.at_city[lowest(cities)]
        cities &= cities - ONE_BIT
        first |= routes_there[0]
        second |= routes_there[1]
        third |= routes_there[2]
    return first & routes[0], second & routes[1], third & routes[2]


@inline_kernel
def ends_of(board, routes):
    """The cities where some routes end."""
    found = NO_BITS
    for w in range(ROUTE_WORDS):
        word = routes[w]
        while word:
            found |= board.route_ends[64 * w + lowest(word)]
            word &= word - ONE_BIT
    return found


@kernel
def walk(board, work, routes, start, owned, steps):
    """Write the path found by `count_steps` into `work.path`; return the first route on it that is not owned.

    Of cities and routes that are equally near the first in the board's order is taken.
    """
    for w in range(ROUTE_WORDS):
        work.path[w] = NO_BITS
    if steps == NOWHERE:
        return NOBODY
    city, first = lowest(work.wave[steps] & start), NOBODY
    for step in range(steps - 1, -1, -1):
        other = lowest(ends_of(board, at_cities(board, routes, bit(city))) & work.wave[step])
        route = route_between(board, routes, city, other)
        if first == NOBODY and not holds(owned[route >> 6], route & 63):
            first = route
        add(work.path, route)
        city = other
    return first


@kernel
def route_between(board, routes, a, b):
    """The first of these routes that joins two cities, or NOBODY."""
    for w in range(ROUTE_WORDS):
        word = board.at_city[a, w] & board.at_city[b, w] & routes[w]
        if word:
            return 64 * w + lowest(word)
    return NOBODY

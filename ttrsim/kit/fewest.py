"""Paths with the fewest routes, including the seat's own, as the published strategies search for them.

`ttrsim.kit.paths` asks what a path still costs; here only its number of routes matters. A route counts even if the seat
has too few trains left for it. A set of routes is passed as a tuple of its words.

>>> def take_turn(board, table, hand, mind):
...     routes = passable(board, table, hand, 1)
...     for i in range(path_to_finish(board, table, hand, mind, routes, 5)):
...         route = missing_route(board, table, hand, mind, routes, i)
"""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.jit import inline_kernel, kernel, lowest
from ttrsim.core.sets import bit, holds
from ttrsim.kit.dictionaries import list_neighbours
from ttrsim.kit.paths import begin


@kernel
def passable(board, table, hand, shortest):
    """Return the seat's routes and the free ones of at least `shortest` spaces."""
    return (
        passable_word(board, table, hand.seat, shortest, 0),
        passable_word(board, table, hand.seat, shortest, 1),
        passable_word(board, table, hand.seat, shortest, 2),
    )


@inline_kernel
def passable_word(board, table, seat, shortest, w):
    """Return word w of the routes that `passable` returns."""
    return table.open[w] & ~table.barred[seat, w] & ~board.up_to[shortest - 1, w] | table.owned[seat, w]


@kernel
def path_to_finish(board, table, hand, mind, routes, ticket):
    """Find a path of the fewest routes that finishes a ticket among these routes; return how many it has, or NOWHERE.

    It leads from the ticket's first city, as printed, to its second; on boards where claims must join the seat's
    network, from the network to the nearer missing city. Its cities are written into `mind.work.way`.
    """
    ends, network = board.ticket_ends[ticket], table.network[hand.seat]
    start = board.ticket_start[ticket]
    if board.own_network and network:
        start = network
    if mind.work.fresh:
        begin(board, mind.work)
    look_near(board, mind.work, routes)
    return search(board, table, hand.seat, mind.work, start, ends & ~start)


@kernel
def look_near(board, work, routes):
    """Write the cities that these routes lead to from each city into `work.near`."""
    for w in range(c.ROUTE_WORDS):
        changed = routes[w] ^ work.near_routes[w]
        work.near_routes[w] = routes[w]
        while changed:
            route = 64 * w + lowest(changed)
            changed &= changed - c.ONE_BIT
            a, b = np.int64(board.route_a[route]), np.int64(board.route_b[route])
            if route_between(board, routes, a, b) == c.NOBODY:
                work.near[a] &= ~bit(b)
                work.near[b] &= ~bit(a)
            else:
                work.near[a] |= bit(b)
                work.near[b] |= bit(a)


@kernel
def search(board, table, seat, work, start, goal):
    """Search from both ends at once for a path of the fewest steps by `work.near`; return how many, or NOWHERE.

    The side with fewer cities at its edge goes on by a step, the start's if they are equal: from each of them in the
    order of being found to the next cities in the order of a dictionary, until one of the other side's is next. So of
    equally short paths it finds that of the published program.
    """
    first_0, last_0 = 0, list_ends(work, 0, start)
    first_1, last_1 = 0, list_ends(work, 1, goal)
    while first_0 < last_0 and first_1 < last_1:
        if last_0 - first_0 <= last_1 - first_1:
            met, size = go_on(board, table, seat, work, 0, first_0, last_0)
            if met != c.NOBODY:
                return write_way(work, size, met)
            first_0, last_0 = last_0, size
        else:
            met, size = go_on(board, table, seat, work, 1, first_1, last_1)
            if met != c.NOBODY:
                return write_way(work, met, size)
            first_1, last_1 = last_1, size
    return np.int64(c.NOWHERE)


@inline_kernel
def list_ends(work, side, cities):
    """Begin the search of a side from some cities; return how many there are."""
    size, work.seen[side] = np.int64(0), cities
    while cities:
        city = lowest(cities)
        cities &= cities - c.ONE_BIT
        work.found[side, size], work.came_from[side, city] = city, c.NOBODY
        size += 1
    return size


@kernel
def go_on(board, table, seat, work, side, first, last):
    """Continue the search of a side from the cities that it found at some places.

    Returns (NOBODY, how many cities it has found), or where it meets the other side that side's city and its own.
    """
    size = np.int64(last)
    for i in range(first, last):
        city = np.int64(work.found[side, i])
        near, seen = work.near[city], work.seen[1 - side]
        new = near & ~work.seen[side]
        wanted = near & seen if near & seen else new
        if wanted:
            slots = order_of(board, table, seat, work, near, city, wanted)
            while slots:
                other = np.int64(work.way[lowest(slots)])
                slots &= slots - c.ONE_BIT
                if holds(near & seen, other):
                    return other, city
                if holds(new, other):
                    work.found[side, size], work.came_from[side, other] = other, city
                    size += 1
            work.seen[side] |= new
    return np.int64(c.NOBODY), size


@inline_kernel
def order_of(board, table, seat, work, near, city, wanted):
    """Write the cities near a city into places of `work.way`, which ascend in their order; return these places.

    wanted: those that matter; one alone needs no order.
    """
    if wanted & (wanted - c.ONE_BIT) == c.NO_BITS:
        work.way[0] = lowest(wanted)
        return c.ONE_BIT
    return list_neighbours(board, table, seat, near, city, work.way)


@kernel
def write_way(work, near_start, near_goal):
    """Write the path through two cities where the sides met into `work.way`; return how many steps it has."""
    steps, city = np.int64(0), np.int64(work.came_from[0, near_start])
    while city != c.NOBODY:
        steps += 1
        city = np.int64(work.came_from[0, city])
    place, city = steps, near_start
    while city != c.NOBODY:
        work.way[place] = city
        place -= 1
        city = np.int64(work.came_from[0, city])
    city = near_goal
    while city != c.NOBODY:
        steps += 1
        work.way[steps] = city
        city = np.int64(work.came_from[1, city])
    return steps


@kernel
def missing_route(board, table, hand, mind, routes, i):
    """Return the first route of step i of the path found by `path_to_finish`; NOBODY if the seat owns one there."""
    a, b = np.int64(mind.work.way[i]), np.int64(mind.work.way[i + 1])
    owned = table.owned[hand.seat]
    if route_between(board, (owned[0], owned[1], owned[2]), a, b) != c.NOBODY:
        return c.NOBODY
    return route_between(board, routes, a, b)


@inline_kernel
def route_between(board, routes, a, b):
    """Return the first of these routes that joins two cities, or NOBODY."""
    for w in range(c.ROUTE_WORDS):
        word = board.at_city[a, w] & board.at_city[b, w] & routes[w]
        if word:
            return 64 * w + lowest(word)
    return np.int64(c.NOBODY)

"""The longest trail where nothing but cycles, with branches on their cities, is left after peeling: so most games end.

A trail goes once around and takes both branches of one city, or it goes the longer way from one city's branch to that
of another.
"""

import numpy as np

from ttrsim.core.constants import NO_BITS, ONE_BIT, ROUTE_WORDS
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.sets import bit, holds


@kernel
def is_cycles(scratch, core):
    """Whether each city of a core has two edges, no more."""
    while core:
        if scratch.degree[lowest(core)] != 2:
            return False
        core &= core - ONE_BIT
    return True


@kernel
def search_cycles(board, routes, scratch, core, best):
    """The longest trail over the cycles of a core, or `best` if that is longer."""
    for w in range(ROUTE_WORDS):
        word = routes[w]
        while word:
            route = 64 * w + lowest(word)
            word &= word - ONE_BIT
            if board.route_ends[route] & ~core == NO_BITS:
                cycle, best = go_around(board, scratch, route, best)
                core &= ~cycle
    return best


@kernel
def go_around(board, scratch, route, best):
    """Go around the cycle of a route; return its cities, and the longest trail over it or `best`."""
    stops, way, double_branch, cities = 0, 0, 0, NO_BITS
    city = np.int64(board.route_a[route])
    while not holds(cities, city):
        first, second = scratch.branch[city, 0], scratch.branch[city, 1]
        double_branch = max(double_branch, first + second)
        if first > 0:
            scratch.stop_way[stops], scratch.stop_branch[stops] = way, first
            stops += 1
        cities |= bit(city)
        way += board.route_length[route]
        city = np.int64(board.route_a[route] ^ board.route_b[route]) ^ city
        route = scratch.only_edge[city] ^ route
    best = max(best, way + double_branch)
    for i in range(stops):
        for j in range(i):
            between = scratch.stop_way[i] - scratch.stop_way[j]
            ends = scratch.stop_branch[i] + scratch.stop_branch[j]
            best = max(best, ends + max(between, way - between))
    return cities, best

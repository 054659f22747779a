"""The longest trail: the most trains on one continuous path that uses no route twice. Exact and iterative.

*Peel.* Cities with one edge are taken off, one after the other; each city keeps the lengths of the two longest
branches that hung on it. A piece that is a tree is then gone, and the best pair of branches met on the way was
its longest trail. In what is left, the core, only the two longest branches at each city can matter.

*Go around.* Mostly the core is nothing but cycles. A trail goes once around one and takes both branches of one city,
or it goes the longer way from one city's branch to that of another.

*Split.* A trail crosses a bridge at most once. So any other core is taken apart at its bridges into blocks, outermost
first: the best trail inside a block is one answer, and the best that begins at its bridge is a branch on the
city beyond. Bridges are found by depth-first search with low points (Tarjan): a city from whose subtree no edge leads
further up than itself is the root of a block, and the edge by which it was reached is a bridge.

*Search.* What is left to search is one block with its branches, see `trail_search`.
"""

import numpy as np

from ttrsim.core.constants import NO_BITS, NOBODY, ONE_BIT, ROUTE_WORDS
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.sets import bit, holds
from ttrsim.core.trail_search import add_edge, list_edges, next_edge, search_block

BEYOND = 10_000
"""Length of an edge that a trail is made to begin with: longer than all others together.

It is passed on as np.int64, because numba would compile the search once more for a literal."""


@kernel
def longest_trail(board, routes, scratch):
    """Return the length in trains of the longest trail in a set of routes."""
    cities = load(board, routes, scratch)
    core, best = peel(board, scratch, cities)
    if core == NO_BITS:
        return best
    if is_cycles(scratch, core):
        return search_cycles(board, routes, scratch, core, best)
    blocks = find_blocks(board, routes, scratch, core)
    for i in range(blocks):
        best = take_block(board, routes, scratch, i, best)
    return best


@kernel
def take_block(board, routes, scratch, i, best):
    """Return the longest trail in a block, or `best`, and make the block a branch on the city beyond its bridge."""
    cities, root, beyond = scratch.block[i], scratch.block_root[i], scratch.block_beyond[i]
    reach = scratch.branch[root, 0]
    if cities != bit(root):
        edges = list_block(board, routes, scratch, cities)
        best = search_block(scratch, edges, best)
        if beyond != NOBODY:
            scratch.first_edge[beyond] = NOBODY
            add_edge(scratch, edges, root, beyond, BEYOND)
            reach = search_block(scratch, edges + 1, np.int64(BEYOND)) - BEYOND
    if beyond != NOBODY:
        best = hang(scratch, beyond, root, reach + scratch.block_bridge[i], best)
    return best


@kernel
def load(board, routes, scratch):
    """Write down the edges at each city; return the set of all cities."""
    for city in range(board.cities):
        scratch.degree[city] = scratch.only_edge[city] = 0
        scratch.branch[city, 0] = scratch.branch[city, 1] = 0
    cities = NO_BITS
    for w in range(ROUTE_WORDS):
        word = routes[w]
        while word:
            route = 64 * w + lowest(word)
            word &= word - ONE_BIT
            cities |= board.route_ends[route]
            a, b = board.route_a[route], board.route_b[route]
            scratch.degree[a] += 1
            scratch.degree[b] += 1
            scratch.only_edge[a] ^= route
            scratch.only_edge[b] ^= route
    return cities


@kernel
def peel(board, scratch, cities):
    """Take off all branches; return the cities of the core, and the length of the longest trail of branches alone."""
    degree, only_edge, branch = scratch.degree, scratch.only_edge, scratch.branch
    leaves = NO_BITS
    rest = cities
    while rest:
        city = lowest(rest)
        rest &= rest - ONE_BIT
        leaves |= np.uint64(degree[city] == 1) << np.uint64(city)
    core = cities
    best = 0
    while leaves:
        leaf = lowest(leaves)
        route = only_edge[leaf]
        stem = board.route_a[route] ^ board.route_b[route] ^ leaf
        length = branch[leaf, 0] + board.route_length[route]
        best = hang(scratch, stem, leaf, length, best)
        degree[stem] -= 1
        only_edge[stem] ^= route
        core &= ~(bit(leaf) | np.uint64(degree[stem] == 0) << np.uint64(stem))
        leaves = (leaves | np.uint64(degree[stem] == 1) << np.uint64(stem)) & core
    return core, best


@kernel
def hang(scratch, stem, leaf, length, best):
    """Hang a branch on a city, which keeps its two longest; return the longest trail over that city, or `best`."""
    branch, tip = scratch.branch, scratch.tip
    first, second = branch[stem, 0], branch[stem, 1]
    is_first, is_second = length > first, length > second
    branch[stem, 1] = first if is_first else max(second, length)
    tip[stem, 1] = tip[stem, 0] if is_first else leaf if is_second else tip[stem, 1]
    branch[stem, 0] = max(first, length)
    tip[stem, 0] = leaf if is_first else tip[stem, 0]
    return max(best, first + length)


@kernel
def list_block(board, routes, scratch, cities):
    """List the edges between the cities of a block, and their branches as single edges; return how many."""
    edges = list_edges(board, routes, scratch, cities)
    left = cities
    while left:
        city = lowest(left)
        left &= left - ONE_BIT
        for i in range(2):
            if scratch.branch[city, i] > 0:
                scratch.first_edge[scratch.tip[city, i]] = NOBODY
                add_edge(scratch, edges, city, scratch.tip[city, i], scratch.branch[city, i])
                edges += 1
    return edges


@kernel
def is_cycles(scratch, core):
    """Return whether each city of a core has two edges, no more."""
    while core:
        if scratch.degree[lowest(core)] != 2:
            return False
        core &= core - ONE_BIT
    return True


@kernel
def search_cycles(board, routes, scratch, core, best):
    """Return the longest trail over the cycles of a core, or `best` if that is longer."""
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


@kernel
def find_blocks(board, routes, scratch, core):
    """Write the blocks of a core, in order, with their bridges; return how many."""
    list_edges(board, routes, scratch, core)
    left = core
    while left:
        scratch.order[lowest(left)] = NOBODY
        left &= left - ONE_BIT
    blocks = 0
    while core:
        blocks = explore(scratch, lowest(core), blocks)
        for i in range(blocks):
            core &= ~scratch.block[i]
    return blocks


@kernel
def explore(scratch, start, blocks):
    """Search one connected piece from a city; append its blocks, and return how many there are now."""
    order, low, path = scratch.order, scratch.low, scratch.path
    seen, depth, open_cities = 1, 0, bit(start)
    path[0], order[start], low[start] = start, 0, 0
    scratch.way_in[start], scratch.way_on[start] = NOBODY, scratch.first_edge[start]
    while depth >= 0:
        city = path[depth]
        edge = scratch.way_on[city]
        if edge == NOBODY:
            depth -= 1
            if low[city] == order[city]:
                open_cities = close_block(scratch, city, open_cities, blocks)
                blocks += 1
            else:
                low[path[depth]] = min(low[path[depth]], low[city])
            continue
        scratch.way_on[city] = next_edge(scratch, edge, city)
        if edge == scratch.way_in[city]:
            continue
        other = scratch.edge_a[edge] ^ scratch.edge_b[edge] ^ city
        if order[other] == NOBODY:
            depth += 1
            path[depth], order[other], low[other] = other, seen, seen
            scratch.way_in[other], scratch.way_on[other] = edge, scratch.first_edge[other]
            open_cities |= bit(other)
            seen += 1
        else:
            low[city] = min(low[city], order[other])
    return blocks


@kernel
def close_block(scratch, root, open_cities, i):
    """Write block i, all open cities found since its root; return the cities that stay open."""
    block = NO_BITS
    left = open_cities
    while left:
        city = lowest(left)
        left &= left - ONE_BIT
        if scratch.order[city] >= scratch.order[root]:
            block |= bit(city)
    bridge = scratch.way_in[root]
    scratch.block[i], scratch.block_root[i] = block, root
    scratch.block_beyond[i], scratch.block_bridge[i] = NOBODY, 0
    if bridge != NOBODY:
        scratch.block_beyond[i] = scratch.edge_a[bridge] ^ scratch.edge_b[bridge] ^ root
        scratch.block_bridge[i] = scratch.edge_length[bridge]
    return open_cities & ~block

"""The longest trail: the most trains on one continuous path that uses no route twice. Exact and iterative.

*Peel.* Cities with one edge are taken off, one after the other; each city keeps the lengths of the two longest
branches that hung on it. A piece that is a tree is then gone, and the best pair of branches met on the way was
its longest trail. In what is left, the core, only the two longest branches at each city can matter.

*Split.* A trail crosses a bridge at most once. So the core is taken apart at its bridges into blocks, outermost
first: the best trail inside a block is one answer, and the best that begins at its bridge is a branch on the
city beyond.

*Search.* What is left to search is one block with its branches, see `trail_search`.
"""

import numpy as np

from ttrsim.core.bridges import find_blocks
from ttrsim.core.constants import NO_BITS, NOBODY, ONE_BIT, ROUTE_WORDS
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.sets import bit
from ttrsim.core.trail_cycles import is_cycles, search_cycles
from ttrsim.core.trail_search import add_edge, list_edges, search_block

BEYOND = 10_000
"""Length of an edge that a trail is made to begin with: longer than all others together.

It is passed on as np.int64, because numba would compile the search once more for a literal."""


@kernel
def longest_trail(board, routes, scratch):
    """Length in trains of the longest trail in a set of routes."""
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
    """The longest trail in a block, or `best`; the block becomes a branch on the city beyond its bridge."""
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
    """Note the edges at each city; return the set of all cities."""
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

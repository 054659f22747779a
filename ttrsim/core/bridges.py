"""Taking a graph apart at its bridges: the blocks between them, each block after all those beyond its other bridges.

Depth-first search with low points (Tarjan): a city from whose subtree no edge leads further up than itself is
the root of a block, and the edge by which it was reached is a bridge.
"""

from ttrsim.core.constants import NO_BITS, NOBODY, ONE_BIT
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.sets import bit
from ttrsim.core.trail_search import list_edges, next_edge


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

"""The longest trail: the most trains on one continuous path that uses no route twice. Exact and iterative.

A connected piece with at most two odd cities is Eulerian: all of it is one trail. Two steps lead there.

*Peel.* Cities with one edge are taken off, one after the other; each city keeps the lengths of the two longest branches that hung
on it. A piece that is a tree is then gone, and the best pair of branches met on the way was its longest trail. In what is left,
the core, only the two longest branches at each city can matter, and they become single edges.

*Thin out.* A longest trail is all of a core but for some edges left out; without them at most two cities are odd. At an odd city that is
not an end of the trail some edge is left out. So: choose an odd city; either it is an end (two can be), or one of its edges is left
out, each in turn, those tried before being kept. When no odd city remains, each connected piece is a trail. A branch of
this search is given up when the edges left out, and at each odd city half of its shortest edge (all of it if the other city is
even), come to as much as the best found leaves out. Few edges are ever left out, so the search is shallow however many trails there are.
"""

import numpy as np

from ttrsim.core.constants import NO_BITS, NOBODY, ONE_BIT, ROUTE_WORDS
from ttrsim.core.jit import count, kernel, lowest
from ttrsim.core.sets import bit, holds

FREE, GONE, KEPT = 0, 1, 2  # states of an edge; kept by the choice of level n: KEPT + n
NOT_TRIED, AS_END, EXHAUSTED = -3, -2, -1  # choices at a level; from 0 on: an edge is left out
MANY = 30_000  # more than any length


@kernel
def longest_trail(board, routes, scratch):
    """Length in trains of the longest trail in a set of routes."""
    cities = load(board, routes, scratch)
    core, best = peel(board, scratch, cities)
    if core != NO_BITS:
        edges = build_core(board, routes, scratch, core)
        while core:
            piece = piece_of(scratch, lowest(core))
            core &= ~piece
            best = thin_out(scratch, edges, piece, best)
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
        best = max(best, branch[stem, 0] + length)
        hang(scratch, stem, leaf, length)
        degree[stem] -= 1
        only_edge[stem] ^= route
        core &= ~(bit(leaf) | np.uint64(degree[stem] == 0) << np.uint64(stem))
        leaves = (leaves | np.uint64(degree[stem] == 1) << np.uint64(stem)) & core
    return core, best


@kernel
def hang(scratch, stem, leaf, length):
    """A branch hangs on a city; only its two longest are remembered."""
    branch, tip = scratch.branch, scratch.tip
    first, second = branch[stem, 0], branch[stem, 1]
    is_first, is_second = length > first, length > second
    branch[stem, 1] = first if is_first else max(second, length)
    tip[stem, 1] = tip[stem, 0] if is_first else leaf if is_second else tip[stem, 1]
    branch[stem, 0] = max(first, length)
    tip[stem, 0] = leaf if is_first else tip[stem, 0]


@kernel
def build_core(board, routes, scratch, core):
    """List the edges of the core, its branches as single edges; return how many."""
    cities = core
    while cities:
        scratch.first_edge[lowest(cities)] = NOBODY
        cities &= cities - ONE_BIT
    edges = 0
    for w in range(ROUTE_WORDS):
        word = routes[w]
        while word:
            route = 64 * w + lowest(word)
            word &= word - ONE_BIT
            if board.route_ends[route] & ~core == NO_BITS:
                add_edge(scratch, edges, board.route_a[route], board.route_b[route], board.route_length[route])
                edges += 1
    cities = core
    while cities:
        city = lowest(cities)
        cities &= cities - ONE_BIT
        for i in range(2):
            if scratch.branch[city, i] > 0:
                scratch.first_edge[scratch.tip[city, i]] = NOBODY
                add_edge(scratch, edges, city, scratch.tip[city, i], scratch.branch[city, i])
                edges += 1
    return edges


@kernel
def add_edge(scratch, edge, a, b, length):
    """Put an edge into the lists of its two cities."""
    scratch.edge_a[edge], scratch.edge_b[edge], scratch.edge_length[edge] = a, b, length
    scratch.edge_next[edge, 0], scratch.edge_next[edge, 1] = scratch.first_edge[a], scratch.first_edge[b]
    scratch.first_edge[a] = scratch.first_edge[b] = edge
    scratch.edge_state[edge] = FREE


@kernel
def next_edge(scratch, edge, city):
    """The edge after this one in a city's list, or NOBODY."""
    return scratch.edge_next[edge, 0] if scratch.edge_a[edge] == city else scratch.edge_next[edge, 1]


@kernel
def piece_of(scratch, city):
    """Set of the cities connected with a city by edges that are not gone."""
    piece = bit(city)
    fresh = piece
    while fresh:
        here = lowest(fresh)
        fresh &= fresh - ONE_BIT
        edge = scratch.first_edge[here]
        while edge != NOBODY:
            if scratch.edge_state[edge] != GONE:
                other = bit(scratch.edge_a[edge] ^ scratch.edge_b[edge] ^ here)
                fresh |= other & ~piece
                piece |= other
            edge = next_edge(scratch, edge, here)
    return piece


@kernel
def weigh(scratch, edges, piece):
    """Length of all edges of a connected piece that are not gone."""
    length = 0
    for edge in range(edges):
        if scratch.edge_state[edge] != GONE and holds(piece, scratch.edge_a[edge]):
            length += scratch.edge_length[edge]
    return length


@kernel
def odd_cities(scratch, edges, piece):
    """Set of the cities of a piece with an odd number of edges."""
    odd = NO_BITS
    for edge in range(edges):
        odd ^= bit(scratch.edge_a[edge]) ^ bit(scratch.edge_b[edge])
    return odd & piece


@kernel
def heaviest_piece(scratch, edges, cities):
    """Length of the heaviest connected piece that the edges not gone make of these cities."""
    best = 0
    while cities:
        piece = piece_of(scratch, lowest(cities))
        cities &= ~piece
        best = max(best, weigh(scratch, edges, piece))
    return best


@kernel
def choose_city(scratch, odd, ends_left):
    """The odd city where leaving an edge out costs most, and the least that all odd cities together cost, doubled."""
    chosen, dearest, second, total = NOBODY, 0, 0, 0
    cities = odd
    while cities:
        city = lowest(cities)
        cities &= cities - ONE_BIT
        cheapest = MANY
        edge = scratch.first_edge[city]
        while edge != NOBODY:
            if scratch.edge_state[edge] == FREE:
                other = scratch.edge_a[edge] ^ scratch.edge_b[edge] ^ city
                shared = holds(odd, other)
                cheapest = min(cheapest, scratch.edge_length[edge] * (1 if shared else 2))
            edge = next_edge(scratch, edge, city)
        total += cheapest
        if cheapest > dearest:
            chosen, dearest, second = city, cheapest, dearest
        else:
            second = max(second, cheapest)
    if ends_left > 0:
        total -= dearest
    if ends_left > 1:
        total -= second
    return chosen, total


@kernel
def thin_out(scratch, edges, piece, best):
    """The longest trail of a piece of the core, or `best` if that is longer."""
    whole = weigh(scratch, edges, piece)
    odd = odd_cities(scratch, edges, piece)
    if whole <= best or count(odd) <= 2:
        return max(best, whole)
    level, ends, left_out = 0, NO_BITS, 0
    scratch.level_choice[0] = NOT_TRIED
    scratch.level_city[0], _ = choose_city(scratch, odd, 2)
    while level >= 0:
        city, choice = scratch.level_city[level], scratch.level_choice[level]
        # Take back what this level chose last.
        if choice == AS_END:
            ends &= ~bit(city)
        elif choice >= 0:
            left_out -= scratch.edge_length[choice]
            odd ^= bit(scratch.edge_a[choice]) ^ bit(scratch.edge_b[choice])
            scratch.edge_state[choice] = KEPT + level
        choice = next_choice(scratch, city, choice, count(ends))
        scratch.level_choice[level] = choice
        if choice == EXHAUSTED:
            free_kept(scratch, city, level)
            level -= 1
            continue
        if choice == AS_END:
            ends |= bit(city)
        else:
            left_out += scratch.edge_length[choice]
            odd ^= bit(scratch.edge_a[choice]) ^ bit(scratch.edge_b[choice])
            scratch.edge_state[choice] = GONE
        city, cost = choose_city(scratch, odd & ~ends, 2 - count(ends))
        if 2 * (whole - best - left_out) - 1 <= cost:
            continue
        if city == NOBODY:
            best = max(best, heaviest_piece(scratch, edges, piece))
            continue
        level += 1
        scratch.level_city[level], scratch.level_choice[level] = city, NOT_TRIED
    return best


@kernel
def next_choice(scratch, city, choice, ends):
    """What a level tries after `choice`: its city as an end, then each free edge left out."""
    if choice == NOT_TRIED and ends < 2:
        return AS_END
    edge = scratch.first_edge[city] if choice < 0 else next_edge(scratch, choice, city)
    while edge != NOBODY and scratch.edge_state[edge] != FREE:
        edge = next_edge(scratch, edge, city)
    return EXHAUSTED if edge == NOBODY else edge


@kernel
def free_kept(scratch, city, level):
    """Edges that a level kept are free again."""
    edge = scratch.first_edge[city]
    while edge != NOBODY:
        if scratch.edge_state[edge] == KEPT + level:
            scratch.edge_state[edge] = FREE
        edge = next_edge(scratch, edge, city)

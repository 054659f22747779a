"""The longest trail in a block: a connected set of edges without bridges, but for branches that hang on its cities.

With at most two odd cities it is Eulerian: all of it is one trail. Otherwise a longest trail leaves some edges
out; without them at most two cities are odd. At an odd city that is not an end of the trail
some edge is left out. So: choose an odd city; either it is an end (two can be), or one of its edges is left
out, each in turn, those tried before being kept. When no odd city remains, each connected piece is a trail. A
branch of this search is given up when the edges lost, and at each odd city half of its shortest edge (all of it
if the other city is even), come to as much as the best found loses. An edge left out that is a bridge by then
costs everything behind it. Few edges are ever left out, so the search is shallow however many trails there
are.
"""

from ttrsim.core.constants import NO_BITS, NOBODY, ONE_BIT, ROUTE_WORDS
from ttrsim.core.jit import count, kernel, lowest
from ttrsim.core.sets import bit, holds

FREE, GONE, KEPT = 0, 1, 2  # states of an edge; kept by the choice of level n: KEPT + n
NOT_TRIED, AS_END, EXHAUSTED = -3, -2, -1  # choices at a level; from 0 on: an edge is left out
MANY = 30_000  # more than any length, doubled


@kernel
def add_edge(scratch, edge, a, b, length):
    """Put an edge into the lists of its two cities."""
    scratch.edge_a[edge], scratch.edge_b[edge], scratch.edge_length[edge] = a, b, length
    scratch.edge_next[edge, 0], scratch.edge_next[edge, 1] = scratch.first_edge[a], scratch.first_edge[b]
    scratch.first_edge[a] = scratch.first_edge[b] = edge
    scratch.edge_state[edge] = FREE


@kernel
def list_edges(board, routes, scratch, cities):
    """List the edges between these cities, none of which has one in its list yet; return how many."""
    left = cities
    while left:
        scratch.first_edge[lowest(left)] = NOBODY
        left &= left - ONE_BIT
    edges = 0
    for w in range(ROUTE_WORDS):
        word = routes[w]
        while word:
            route = 64 * w + lowest(word)
            word &= word - ONE_BIT
            if board.route_ends[route] & ~cities == NO_BITS:
                add_edge(scratch, edges, board.route_a[route], board.route_b[route], board.route_length[route])
                edges += 1
    return edges


@kernel
def next_edge(scratch, edge, city):
    """Return the edge after this one in a city's list, or NOBODY."""
    return scratch.edge_next[edge, 0] if scratch.edge_a[edge] == city else scratch.edge_next[edge, 1]


@kernel
def piece_of(scratch, city):
    """Return the set of cities connected with a city by edges that are not gone."""
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
    """Return the length of all edges of a connected piece that are not gone."""
    length = 0
    for edge in range(edges):
        if scratch.edge_state[edge] != GONE and holds(piece, scratch.edge_a[edge]):
            length += scratch.edge_length[edge]
    return length


@kernel
def odd_cities(scratch, edges, piece):
    """Return the set of cities of a piece with an odd number of edges."""
    odd = NO_BITS
    for edge in range(edges):
        odd ^= bit(scratch.edge_a[edge]) ^ bit(scratch.edge_b[edge])
    return odd & piece


@kernel
def heaviest_piece(scratch, edges, cities):
    """Return the length of the heaviest connected piece that the edges not gone make of these cities."""
    best = 0
    while cities:
        piece = piece_of(scratch, lowest(cities))
        cities &= ~piece
        best = max(best, weigh(scratch, edges, piece))
    return best


@kernel
def choose_odd_city(scratch, odd, ends_left):
    """Return the odd city where leaving an edge out costs most, and twice the least that all odd cities cost."""
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
def can_reach(whole, lost, cost):
    """Return the most that can be left of the whole, less the lost. cost: twice the least cost of the odd cities."""
    return whole - lost - (cost + 1) // 2


@kernel
def search_block(scratch, edges, best):
    """Return the longest trail among the edges listed, which are connected, or `best` if that is longer."""
    piece = piece_of(scratch, scratch.edge_a[0])
    whole = weigh(scratch, edges, piece)
    odd = odd_cities(scratch, edges, piece)
    if whole <= best or count(odd) <= 2:
        return max(best, whole)
    city, cost = choose_odd_city(scratch, odd, 2)
    hoped, step = can_reach(whole, 0, cost), 1
    while hoped - step > best:
        open_level(scratch, 0, city, piece, odd, NO_BITS, 0)
        found = search_above(scratch, edges, whole, hoped - step)
        if found > hoped - step:
            return found
        step *= 2
    open_level(scratch, 0, city, piece, odd, NO_BITS, 0)
    return search_above(scratch, edges, whole, best)


@kernel
def search_above(scratch, edges, whole, best):
    """Return the longest trail that is longer than `best`, or `best`, from level 0 on.

    A search that has to beat nearly the best length possible is short, whether it finds something or not; one that has
    little to beat gets lost among poor trails.
    """
    level = 0
    while level >= 0:
        choice = next_choice(scratch, level)
        if choice == EXHAUSTED:
            free_kept(scratch, level)
            level -= 1
            continue
        alive, odd = scratch.level_alive[level], scratch.level_odd[level]
        ends, lost = scratch.level_ends[level], scratch.level_lost[level]
        if choice == AS_END:
            ends |= bit(scratch.level_city[level])
        else:
            lost += scratch.edge_length[choice]
            odd ^= bit(scratch.edge_a[choice]) ^ bit(scratch.edge_b[choice])
        city, cost = choose_odd_city(scratch, odd & ~ends, 2 - count(ends))
        if can_reach(whole, lost, cost) <= best:
            continue
        if choice != AS_END:
            side = lost_side(scratch, edges, choice, best)
            if side != NO_BITS:
                if holds_kept(scratch, edges, side):
                    continue
                lost += weigh(scratch, edges, side)
                alive, odd, ends = alive & ~side, odd & ~side, ends & ~side
                city, cost = choose_odd_city(scratch, odd & ~ends, 2 - count(ends))
                if can_reach(whole, lost, cost) <= best:
                    continue
        if city == NOBODY:
            best = max(best, heaviest_piece(scratch, edges, alive))
            continue
        level += 1
        open_level(scratch, level, city, alive, odd, ends, lost)
    return best


@kernel
def open_level(scratch, level, city, alive, odd, ends, lost):
    """Begin a level of the search, which decides on an odd city."""
    scratch.level_city[level], scratch.level_choice[level] = city, NOT_TRIED
    scratch.level_alive[level], scratch.level_odd[level] = alive, odd
    scratch.level_ends[level], scratch.level_lost[level] = ends, lost


@kernel
def lost_side(scratch, edges, edge, best):
    """Return the cities lost to any trail better than `best` by leaving an edge out: none if it was no bridge."""
    a, b = scratch.edge_a[edge], scratch.edge_b[edge]
    side = piece_of(scratch, b)  # first, because a branch has its tip there and nothing behind
    if holds(side, a):
        return NO_BITS
    if weigh(scratch, edges, side) <= best:
        return side
    side = piece_of(scratch, a)
    return side if weigh(scratch, edges, side) <= best else NO_BITS


@kernel
def holds_kept(scratch, edges, side):
    """Return whether an edge that is to be kept lies on this side."""
    for edge in range(edges):
        if scratch.edge_state[edge] >= KEPT and holds(side, scratch.edge_a[edge]):
            return True
    return False


@kernel
def next_choice(scratch, level):
    """Return a level's next choice: its city as an end, then each of its free edges left out; those tried are kept."""
    city, choice = scratch.level_city[level], scratch.level_choice[level]
    if choice == NOT_TRIED and count(scratch.level_ends[level]) < 2:
        scratch.level_choice[level] = AS_END
        return AS_END
    if choice >= 0:
        scratch.edge_state[choice] = KEPT + level
    edge = next_edge(scratch, choice, city) if choice >= 0 else scratch.first_edge[city]
    while edge != NOBODY and scratch.edge_state[edge] != FREE:
        edge = next_edge(scratch, edge, city)
    if edge == NOBODY:
        return EXHAUSTED
    scratch.edge_state[edge] = GONE
    scratch.level_choice[level] = edge
    return edge


@kernel
def free_kept(scratch, level):
    """Free the edges that a level kept."""
    city = scratch.level_city[level]
    edge = scratch.first_edge[city]
    while edge != NOBODY:
        if scratch.edge_state[edge] == KEPT + level:
            scratch.edge_state[edge] = FREE
        edge = next_edge(scratch, edge, city)

"""A tree through many cities, grown from the two of them that lie farthest apart, as `destination_hungry` plans.

The two are the seeds of two halves. The other cities, in the board's order, are attached by a cheapest path to the
nearer half; at last a cheapest path joins the halves. Prices are as `set_prices` says; the seat's own routes are free.

Cities come in groups, such as the ends of each ticket offered, so that distances are measured once for any choice of
groups.

>>> measure_groups(board, table, hand, mind, GROUPS, 4, PAIRS)  # the cities of four groups are in mind.memory
>>> price = join_groups(board, mind, GROUPS, 4, PAIRS, 0b1011)  # through those of groups 0, 1 and 3
"""

import numpy as np

from ttrsim.core.constants import FLOOD_WAVES, FLOODS, NO_BITS, NOWHERE, ONE_BIT, ROUTE_WORDS
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.sets import bit, holds
from ttrsim.kit.paths import look, spread, trace

CITY_BITS = 6  # of a city in the note of a pair, which is the distance, then each city taken from LAST_CITY
LAST_CITY = 63


@kernel
def measure_groups(board, table, hand, mind, groups, many, pairs):
    """For each pair of groups, also of a group with itself, find the two cities, one of each, that lie farthest apart.

    groups, pairs: the places in `mind.memory` where `many` words of cities begin, one for each group, and where the
    many · (many + 1) / 2 pairs are to be written.
    """
    look(board, table, hand, mind)
    memory, work, every = mind.memory, mind.work, NO_BITS
    for i in range(many):
        every |= np.uint64(memory[groups + i])
    for i in range(many * (many + 1) // 2):
        memory[pairs + i] = 0
    while every & (every - ONE_BIT):  # the last city's distances are known by then
        city = lowest(every)
        every &= every - ONE_BIT
        end = flood(board, work, city)
        note_farthest(mind, groups, many, pairs, city, every, end)


@kernel
def flood(board, work, city):
    """Search the whole board from a city, or recall the waves of that search; return the highest price in it."""
    known = work.flood_of[city]
    if known:
        end = work.flood_end[known - 1]
        for t in range(end + 1):
            work.wave[t] = work.flood[known - 1, t]
        return np.int64(end)
    spread(board, work, work.groups, work.group_count, bit(city), NO_BITS)
    i, end = work.floods, work.farthest
    if i < FLOODS and end < FLOOD_WAVES:
        work.floods, work.flood_of[city], work.flood_end[i] = i + 1, i + 1, end
        for t in range(end + 1):
            work.flood[i, t] = work.wave[t]
    return np.int64(end)


@kernel
def reach(board, work, city, targets):
    """As `spread` from one city with the seat's own groups, but by the waves of `flood` if it was called before."""
    known = work.flood_of[city]
    if not known:
        return spread(board, work, work.groups, work.group_count, bit(city), targets)
    for t in range(work.flood_end[known - 1] + 1):
        work.wave[t] = work.flood[known - 1, t]
        if work.wave[t] & targets:
            return t
    return NOWHERE


@kernel
def can_connect(board, table, hand, mind, ends):
    """Whether two cities, given as a set, are connected or can be. Floods from the first."""
    look(board, table, hand, mind)
    city = lowest(ends)
    flood(board, mind.work, city)
    return reach(board, mind.work, city, ends & ~bit(city)) != NOWHERE


@kernel
def note_farthest(mind, groups, many, pairs, city, others, end):
    """For each pair of groups note the city that lies farthest from this one, unless a higher note is there.

    others: the cities to go through; end: the highest price at which one is reached by `mind.work.wave`.
    """
    memory, wave = mind.memory, mind.work.wave
    for v in range(many):
        cities, distance = np.uint64(memory[groups + v]) & others, end
        while distance >= 0 and not wave[distance] & cities:
            distance -= 1
        if distance >= 0:
            other = lowest(wave[distance] & cities)
            note = ((distance << CITY_BITS) + LAST_CITY - city << CITY_BITS) + LAST_CITY - other
            for u in range(many):
                if holds(np.uint64(memory[groups + u]), city):
                    place = pairs + pair_place(u, v)
                    memory[place] = max(memory[place], note)


@kernel
def pair_place(u, v):
    """Index of a pair of groups among all pairs."""
    return max(u, v) * (max(u, v) + 1) // 2 + min(u, v)


@kernel
def is_connected(mind, pairs, u):
    """Whether the two cities of a group, such as a ticket's ends, can be connected. Needs `measure_groups`."""
    return mind.memory[pairs + pair_place(u, u)] > 0


@kernel
def join_groups(board, mind, groups, many, pairs, chosen):
    """Write a tree through all cities of the chosen groups (bits of a number) into `mind.work.path`; return its price.

    Cities that cannot be reached are left out. `measure_groups` must have come before, in the same decision.
    """
    work, memory = mind.work, mind.memory
    cities, note = NO_BITS, np.int64(0)
    for u in range(many):
        if chosen >> u & 1:
            cities |= np.uint64(memory[groups + u])
            for v in range(u + 1):
                if chosen >> v & 1:
                    note = max(note, memory[pairs + pair_place(u, v)])
    for w in range(ROUTE_WORDS):
        work.path[w] = NO_BITS
    if note >> 2 * CITY_BITS == 0:
        return 0
    one = with_own(work, bit(LAST_CITY - (note >> CITY_BITS & LAST_CITY)))
    other = with_own(work, bit(LAST_CITY - (note & LAST_CITY)))
    return join_cities(board, work, cities, one, other)


@kernel
def join_cities(board, work, cities, one, other):
    """Attach each of these cities to the nearer of two halves, then join these; return the price."""
    total = 0
    while cities & ~(one | other):
        left = cities & ~(one | other)
        city = left & (~left + ONE_BIT)
        cities &= ~city
        price = reach(board, work, lowest(city), one | other)
        if price != NOWHERE:
            total += price
            if work.wave[price] & one:
                one |= with_own(work, city | trace(board, work, work.groups, work.group_count, price, one))
            else:
                other |= with_own(work, city | trace(board, work, work.groups, work.group_count, price, other))
    price = spread(board, work, work.groups, work.group_count, one, other)
    if price > 0:
        trace(board, work, work.groups, work.group_count, price, other)
    return total + max(0, price)


@kernel
def with_own(work, cities):
    """These cities and all that the seat's own routes connect with them."""
    for i in range(work.group_count):
        if work.groups[i] & cities:
            cities |= work.groups[i]
    return cities

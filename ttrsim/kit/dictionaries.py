"""The order in which a dictionary of Python 2.7 lists cities, by which the published program breaks ties.

A dictionary keeps its keys in a table of slots and lists them slot by slot. A key goes to the slot that the last bits
of its hash name, and if that is taken, to the first free one of a walk that its other bits direct. A table has 8 slots
for up to 5 keys, 32 for up to 21, then 128. So the order of a city's neighbours depends on which of them there are and,
where two want the same slot, on which came first. The program builds its graph anew for each decision: of the free
routes, in the order in which a dictionary lists all cities, and then of the seat's own.

The hash of a city is `board.city_name`, which is that of Python 2.7. Started with its option -R, it draws other hashes
for each process, so the order is as arbitrary as any.
"""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.jit import count, inline_kernel, kernel, lowest
from ttrsim.core.sets import bit, holds

SLOTS_FOR_ALL = 128
"""Slots of the dictionary of all cities: it has so many for 22 to 85 keys."""
HASH_BITS = 5
"""Bits of a hash that each step of a walk leaves behind."""


@kernel
def list_neighbours(board, table, seat, near, city, slots):
    """Enter the cities near a city into the slots of a dictionary; return the set of slots taken.

    The dictionary lists them in ascending order of these slots.
    """
    size, taken, left = slots_for(count(near)), c.NO_BITS, near
    while left:
        other = lowest(left)
        left &= left - c.ONE_BIT
        slot = last_bits(board.city_name[other], size)
        if holds(taken, slot):
            return enter_in_order(board, table, seat, near, city, slots, size)
        slots[slot] = other
        taken |= bit(slot)
    return taken


@kernel
def enter_in_order(board, table, seat, near, city, slots, size):
    """Do the same where several want one slot: those come last that only the seat's own routes lead to."""
    last = near & owned_only(board, table, seat, city)
    taken = enter_all(board, near & ~last, slots, size, c.NO_BITS)
    return enter_all(board, last, slots, size, taken)


@inline_kernel
def slots_for(keys):
    """Return how many slots a dictionary of some keys has; 64 stand for 128, as no city has more neighbours."""
    if keys <= 5:
        return 8
    return 32 if keys <= 21 else 64


@inline_kernel
def enter_all(board, cities, slots, size, taken):
    """Enter cities into a dictionary, in the order in which that of all cities lists them; return the slots taken."""
    while cities:
        city = first_of_all(board, cities)
        cities &= ~bit(city)
        slot = free_slot(board.city_name[city], size, taken)
        slots[slot] = city
        taken |= bit(slot)
    return taken


@inline_kernel
def first_of_all(board, cities):
    """Return the city of a set that comes first among all cities; where two want the same slot, the lower number."""
    best, first = np.int64(0), SLOTS_FOR_ALL
    while cities:
        city = lowest(cities)
        cities &= cities - c.ONE_BIT
        slot = last_bits(board.city_name[city], SLOTS_FOR_ALL)
        if slot < first:
            best, first = city, slot
    return best


@inline_kernel
def free_slot(hashed, size, taken):
    """Return the first slot on the walk of a hash that is not taken."""
    slot = last_bits(hashed, size)
    while holds(taken, slot):
        slot = 5 * slot + last_bits(hashed, size) + 1 & size - 1
        hashed >>= np.uint64(HASH_BITS)
    return slot


@inline_kernel
def last_bits(hashed, size):
    """Return the slot, of `size`, that a hash names."""
    return np.int64(hashed & np.uint64(size - 1))


@inline_kernel
def owned_only(board, table, seat, city):
    """Return the cities to which the seat's own routes lead from a city, and no free track beside them."""
    found = c.NO_BITS
    for w in range(c.ROUTE_WORDS):
        left = board.at_city[city, w] & table.owned[seat, w]
        while left:
            route = 64 * w + lowest(left)
            left &= left - c.ONE_BIT
            if not any_free_beside(board, table, route):
                found |= board.route_ends[route] & ~bit(city)
    return found


@inline_kernel
def any_free_beside(board, table, route):
    """Return whether a track beside a route is nobody's."""
    for w in range(c.ROUTE_WORDS):
        if board.twins[route, w] & table.open[w]:
            return True
    return False

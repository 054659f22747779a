"""Actions by name: each function returns the code of an action.

>>> def take_turn(board, table, hand, mind):
...     if can_claim(board, table, hand, route, WILD, 2):
...         return claim(route, WILD, 2)
...     return take(WILD)

They do not check whether the action is legal. A payment is `wilds` wilds and cards of `kind` for the rest; a payment in
wilds alone has the kind WILD.
"""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.jit import kernel
from ttrsim.core.legal import claimable_word, may_claim
from ttrsim.core.sets import holds


@kernel
def take(kind):
    """Take a face-up card of a kind."""
    return c.TAKE + np.int64(kind)


@kernel
def keep(offered):
    """Keep some of the tickets offered: those whose places in `hand.offer` are the bits of this number."""
    return c.KEEP + np.int64(offered)


@kernel
def claim(route, kind, wilds):
    """Claim a route with this payment."""
    return with_payment(c.CLAIM, route, kind, wilds)


@kernel
def pay(wilds):
    """Pay the extra cards of a tunnel, with `wilds` wilds among them."""
    return c.PAY + np.int64(wilds)


@kernel
def station(city, kind, wilds):
    """Build a station in a city with this payment."""
    return with_payment(c.STATION, city, kind, wilds)


@kernel
def marker(city, kind, wilds):
    """Place a further marker on a city with this payment."""
    return with_payment(c.PLACE_MARKER, city, kind, wilds)


@kernel
def choose_city(city):
    """Choose a city: to start from, for a stack or for Alvin, or the end of a route whose token to take."""
    return c.CITY + np.int64(city)


@kernel
def with_payment(base, place, kind, wilds):
    """Return the action `base` at a route or city with this payment."""
    return base + 100 * np.int64(place) + 10 * np.int64(kind) + np.int64(wilds)


@kernel
def can_claim(board, table, hand, route, kind, wilds):
    """Return whether the seat may claim a route in its turn, and holds this payment."""
    return may_claim(board, table, hand, np.int64(route), np.int64(kind), np.int64(wilds))


@kernel
def claimable(board, table, seat, route):
    """Return whether a seat may claim a route, cards aside: open, not barred, in reach, with trains enough."""
    return holds(claimable_word(board, table, seat, route >> 6), route & 63)

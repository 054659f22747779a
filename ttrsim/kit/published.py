"""Where the files of the published program list cities or tracks in another order than the board does.

The published strategies read a ticket from its first city and take the first of equal tracks; these facts are those of
gameContent in fernandomsilva/Ticket-to-Ride-Engine a24afc5. Everything else is in the board's order.
"""

from ttrsim.core import constants as c
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.names import name_key


def keys(*pairs):
    """Pairs of cities as pairs of `name_key`."""
    return tuple((name_key(a), name_key(b)) for a, b in pairs)


TICKETS_READ_BACKWARDS = keys(
    ("Atlanta", "Montréal"),
    ("Atlanta", "New York"),
    ("Atlanta", "San Francisco"),
    ("Chicago", "Los Angeles"),
    ("Houston", "Kansas City"),
    ("Houston", "Winnipeg"),
    ("Little Rock", "Winnipeg"),
    ("Los Angeles", "Seattle"),
    ("Miami", "Toronto"),
    ("Montréal", "Vancouver"),
    ("Nashville", "Portland"),
    ("Nashville", "Sault St. Marie"),
    ("New York", "Seattle"),
    ("Oklahoma City", "Sault St. Marie"),
    ("Phoenix", "Portland"),
    ("Santa Fe", "Vancouver"),
    ("Angora", "Athína"),
    ("Athína", "Edinburgh"),
    ("Berlin", "London"),
    ("Brindisi", "Zágráb"),
    ("Brindisi", "Zürich"),
    ("Bucuresti", "Riga"),
    ("Budapest", "Zürich"),
    ("Constantinople", "Palermo"),
    ("Constantinople", "Venezia"),
    ("Danzig", "Lisboa"),
    ("Dieppe", "Madrid"),
    ("Erzurum", "København"),
    ("Erzurum", "Rostov"),
    ("Essen", "Marseille"),
    ("Moskva", "Palermo"),
    ("Rostov", "Smolensk"),
    ("Smolensk", "Warszawa"),
    ("Smyrna", "Sofia"),
)
"""Tickets that name the second of these cities first."""
TRACKS_LISTED_BACKWARDS = keys(
    ("Atlanta", "New Orleans"),
    ("Boston", "New York"),
    ("Chicago", "Pittsburgh"),
    ("Chicago", "Saint Louis"),
    ("New York", "Pittsburgh"),
    ("New York", "Washington"),
    ("Portland", "San Francisco"),
    ("Salt Lake City", "San Francisco"),
    ("Bruxelles", "Paris"),
    ("Edinburgh", "London"),
    ("Frankfurt", "Paris"),
    ("København", "Stockholm"),
)
"""Connections of two colours whose second track comes first."""


@kernel
def first_city(board, ends):
    """The city, as a set, that a ticket with these ends names first."""
    second = ends & (ends - c.ONE_BIT)
    return second if is_pair(board, ends, TICKETS_READ_BACKWARDS) else ends & ~second


@kernel
def last_track_first(board, route):
    """Whether the tracks of a route's connection are listed in the other order."""
    twins = board.twins[route, 0] | board.twins[route, 1] | board.twins[route, 2]
    return twins != c.NO_BITS and is_pair(board, board.route_ends[route], TRACKS_LISTED_BACKWARDS)


@kernel
def is_pair(board, ends, pairs):
    """Whether two cities have the names of one of these pairs."""
    a, b = board.city_name[lowest(ends)], board.city_name[lowest(ends & (ends - c.ONE_BIT))]
    for first, second in pairs:
        if a == first and b == second:
            return True
    return False

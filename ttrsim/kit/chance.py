"""Random legal actions, as the yardstick strategies play them."""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.cards import can_draw
from ttrsim.core.jit import count, inline_kernel, kernel, nth
from ttrsim.core.legal import (
    city_choices,
    claimable_word,
    extra_wilds,
    keeps_wrong_number,
    marker_cities,
    station_cost,
    station_sites,
)
from ttrsim.core.streams import below

DRAWS = (c.DRAW_BLIND, *(c.TAKE + kind for kind in range(c.KINDS)), c.DRAW_TICKETS)
"""The ways to draw something, cards and tickets."""
CARD_DRAWS = np.uint64((1 << c.KINDS + 1) - 1)
"""The set of those that draw a card."""
SECOND_DRAWS = np.uint64((1 << c.WILD + 1) - 1)
"""The set of those that may follow a first card."""


@inline_kernel
def any_action(board, table, hand, mind):
    """Return one of the legal actions, each equally likely.

    >>> def decide(board, table, hand, mind):
    ...     return any_action(board, table, hand, mind)
    """
    if table.phase == c.TURN:
        return any_turn(board, table, hand, mind)
    if table.phase == c.SECOND:
        draws = draw_choices(table) & SECOND_DRAWS
        return DRAWS[nth(draws, below(mind.rng, count(draws)))]
    if table.phase == c.OPENING or table.phase == c.KEEPING:
        return any_keep(board, table, hand, mind)
    return any_other(board, table, hand, mind)


@kernel
def any_other(board, table, hand, mind):
    """Return a random legal action of a rare decision: a city, a tunnel, a marker."""
    if table.phase == c.TUNNEL:
        fewest, most = extra_wilds(table, hand)
        n = below(mind.rng, most - fewest + 2)
        return c.DECLINE if n == 0 else c.PAY + fewest + n - 1
    if table.phase == c.MARKER:
        sites = marker_cities(board, table)
        n = below(mind.rng, count(sites) * gray_payments(board, hand, board.marker_cards) + 1)
        return c.DECLINE if n == 0 else any_build(board, hand, sites, board.marker_cards, c.PLACE_MARKER, n - 1)
    cities = city_choices(board, table)
    return c.CITY + nth(cities, below(mind.rng, count(cities)))


@kernel
def any_keep(board, table, hand, mind):
    """Return a random set of offered tickets that may be kept, drawing sets until one may."""
    while True:
        kept = below(mind.rng, 1 << hand.offered)
        if not keeps_wrong_number(board, table, hand, np.uint64(kept)):
            return c.KEEP + kept


@inline_kernel
def draw_choices(table):
    """Return the ways to draw something, as a set of indices of DRAWS."""
    kinds = table.face_up << np.uint64(1)
    return kinds | np.uint64(can_draw(table)) | np.uint64(table.tickets_left > 0) << np.uint64(c.KINDS + 1)


@inline_kernel
def claimable_routes(board, table, seat):
    """Return the set of routes a seat may claim, cards aside, as a tuple of words."""
    return (
        claimable_word(board, table, seat, 0),
        claimable_word(board, table, seat, 1),
        claimable_word(board, table, seat, 2),
    )


@inline_kernel
def count_without_wilds(board, hand, claimable):
    """Count the claims without wilds. Kinds not held are counted too, to have no branch to mispredict."""
    claims = 0
    for kind in range(c.WILD):
        most = np.uint8(min(hand.cards[kind], c.LENGTHS - 1))
        claims += count(claimable[0] & board.taking[kind, most, 0])
        claims += count(claimable[1] & board.taking[kind, most, 1])
    if claimable[2]:
        for kind in range(c.WILD):
            most = np.uint8(min(hand.cards[kind], c.LENGTHS - 1))
            claims += count(claimable[2] & board.taking[kind, most, 2])
    return claims


@inline_kernel
def routes_paid_with(board, hand, claimable, kind, wilds):
    """Return the claimable routes payable with `wilds` wilds and one or more cards of a kind."""
    most = np.uint8(min(wilds + hand.cards[kind], c.LENGTHS - 1))
    more, less, ferries = board.taking[kind, most], board.taking[kind, wilds], board.ferries_up_to[wilds]
    return (
        claimable[0] & more[0] & ~less[0] & ferries[0],
        claimable[1] & more[1] & ~less[1] & ferries[1],
        claimable[2] & more[2] & ~less[2] & ferries[2],
    )


@inline_kernel
def wild_routes(board, hand, claimable):
    """Return the claimable routes payable with wilds alone."""
    short = board.up_to[np.uint8(min(hand.cards[c.WILD], c.LENGTHS - 1))]
    return claimable[0] & short[0], claimable[1] & short[1], claimable[2] & short[2]


@inline_kernel
def count_routes(routes):
    """Count the routes in a set given as a tuple of words."""
    return count(routes[0]) + count(routes[1]) + count(routes[2])


@inline_kernel
def nth_member(routes, n):
    """Return the n-th route in such a set, from 0."""
    first, second = count(routes[0]), count(routes[1])
    if n < first:
        return nth(routes[0], n)
    if n < first + second:
        return 64 + nth(routes[1], n - first)
    return 128 + nth(routes[2], n - first - second)


@inline_kernel
def usable_wilds(board, hand):
    """Return how many wilds can stand beside a coloured card."""
    return min(hand.cards[c.WILD], board.longest_route - 1)


@kernel
def count_with_wilds(board, hand, claimable):
    """Count the claims with wilds among the payment."""
    claims = count_routes(wild_routes(board, hand, claimable))
    for wilds in range(1, usable_wilds(board, hand) + 1):
        for kind in range(c.WILD):
            claims += count_routes(routes_paid_with(board, hand, claimable, kind, wilds))
    return claims


@inline_kernel
def count_claims(board, hand, claimable):
    """Count the claims, each way to pay as one."""
    claims = count_without_wilds(board, hand, plain_routes(board, claimable))
    return claims + count_with_wilds(board, hand, claimable) if hand.cards[c.WILD] > 0 else claims


@inline_kernel
def plain_routes(board, claimable):
    """Return the claimable routes that are no ferries."""
    ferries = board.ferries_up_to
    return claimable[0] & ferries[0, 0], claimable[1] & ferries[0, 1], claimable[2] & ferries[0, 2]


@inline_kernel
def nth_claim(board, hand, claimable, n):
    """Return the n-th of the claims that `count_claims` counts, from 0, as an action."""
    for wilds in range(usable_wilds(board, hand) + 1):
        for kind in range(board.colours):
            routes = routes_paid_with(board, hand, claimable, kind, wilds)
            found = count_routes(routes)
            if n < found:
                return c.CLAIM + 100 * nth_member(routes, n) + 10 * kind + wilds
            n -= found
    route = nth_member(wild_routes(board, hand, claimable), n)
    return c.CLAIM + 100 * route + 10 * c.WILD + board.route_length[route]


@kernel
def gray_payments(board, hand, cost):
    """Count the ways to pay `cost` with cards of any one colour, or wilds alone."""
    ways = np.int64(hand.cards[c.WILD] >= cost)
    for kind in range(board.colours):
        ways += max(0, min(cost - 1, hand.cards[c.WILD]) - max(0, cost - hand.cards[kind]) + 1)
    return ways


@kernel
def nth_gray_payment(board, hand, cost, n):
    """Return `10·kind + wilds` of the n-th, from 0, of the ways that `gray_payments` counts."""
    for kind in range(board.colours):
        fewest = max(0, cost - hand.cards[kind])
        ways = max(0, min(cost - 1, hand.cards[c.WILD]) - fewest + 1)
        if n < ways:
            return 10 * kind + fewest + n
        n -= ways
    return 10 * c.WILD + cost


@kernel
def station_choices(board, table, hand):
    """Count the ways to build a station: sites, and payments for each."""
    cost = station_cost(board, table)
    if cost == 0:
        return 0
    return count(station_sites(board, table)) * gray_payments(board, hand, cost)


@kernel
def any_build(board, hand, sites, cost, base, n):
    """Return the n-th way, from 0, to build on one of these cities. base: STATION or PLACE_MARKER."""
    ways = gray_payments(board, hand, cost)
    return base + 100 * nth(sites, n // ways) + nth_gray_payment(board, hand, cost, n % ways)


@inline_kernel
def any_turn(board, table, hand, mind):
    """Return one of the legal actions of a turn, each equally likely."""
    draws = draw_choices(table)
    claimable = claimable_routes(board, table, hand.seat)
    claims = count_claims(board, hand, claimable)
    stations = station_choices(board, table, hand)
    choices = count(draws) + claims + stations
    if choices == 0:
        return c.PASS
    n = below(mind.rng, choices)
    if n < claims:
        return nth_claim(board, hand, claimable, n)
    n -= claims
    if n < stations:
        return any_build(board, hand, station_sites(board, table), station_cost(board, table), c.STATION, n)
    return DRAWS[nth(draws, n - stations)]


@kernel
def any_kind(board, table, hand, mind):
    """Return in a turn one action of a random kind (card, tickets, claim, station); else the same as `any_action`."""
    if table.phase != c.TURN:
        return any_action(board, table, hand, mind)
    draws = draw_choices(table)
    cards = count(draws & CARD_DRAWS)
    claimable = claimable_routes(board, table, hand.seat)
    claims = count_claims(board, hand, claimable)
    stations = station_choices(board, table, hand)
    kinds = np.int64(cards > 0) + (table.tickets_left > 0) + (claims > 0) + (stations > 0)
    if kinds == 0:
        return c.PASS
    n = below(mind.rng, kinds)
    if cards > 0:
        if n == 0:
            return DRAWS[nth(draws, below(mind.rng, cards))]
        n -= 1
    if claims > 0:
        if n == 0:
            return nth_claim(board, hand, claimable, below(mind.rng, claims))
        n -= 1
    if stations > 0 and n == 0:
        sites, cost = station_sites(board, table), station_cost(board, table)
        return any_build(board, hand, sites, cost, c.STATION, below(mind.rng, stations))
    return c.DRAW_TICKETS

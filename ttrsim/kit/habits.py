"""Plain habits of simple strategies: pay with one colour, take the longest route, remember sets of routes.

>>> def take_turn(board, table, hand, mind):
...     action = claim_with(board, table, hand, route, 6)
...     return action if action != PASS else draw_blind(board, table, hand, mind)

What is remembered lies in `mind.memory`, at a place that the strategy chooses and names.

>>> PLAN, STAMP = 0, 3
>>> def take_turn(board, table, hand, mind):
...     if claimed_since(table, mind, STAMP):
...         find_path(board, table, hand, mind, ends)
...         remember(mind, PLAN, mind.work.path)
"""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.cards import can_draw
from ttrsim.core.jit import count, inline_kernel, kernel, lowest
from ttrsim.core.legal import affordable, claimable_word
from ttrsim.core.sets import bit, holds
from ttrsim.kit.actions import claim, take
from ttrsim.kit.chance import any_action
from ttrsim.kit.hands import KIND_BITS, any_face_up, kinds_for
from ttrsim.kit.paths import length_word

CLAIM_ORDER = (6, 4, 2, 0, 1, 3, 5, 7, 8)
"""The order in which colours are tried: red, orange, blue, pink, white, yellow, black, green, on boards that number
these eight as USA does; then the ninth."""


@kernel
def claim_with(board, table, hand, route, kind):
    """Return the claim of a route, or a twin of it, with cards of a colour and wilds for those missing; else PASS."""
    for w in range(c.ROUTE_WORDS):
        word = tracks_word(board, route, w) & claimable_word(board, table, hand.seat, w)
        word &= board.taking[kind, c.LENGTHS - 1, w]
        if word:
            return claim_route_with(board, hand, 64 * w + lowest(word), kind)
    return c.PASS


@kernel
def claim_in_order(board, table, hand, route):
    """Return the claim of a route, or a twin of it, with the first colour in CLAIM_ORDER that pays; else PASS."""
    for kind in CLAIM_ORDER:
        if kind < board.colours:
            action = claim_with(board, table, hand, route, kind)
            if action != c.PASS:
                return action
    return c.PASS


@inline_kernel
def tracks_word(board, route, w):
    """Return word w of a route and its twins."""
    return board.twins[route, w] | (bit(route & 63) if route >> 6 == w else c.NO_BITS)


@kernel
def any_track(board, route, routes):
    """Return whether a route or a twin of it is among these."""
    found = c.NO_BITS
    for w in range(c.ROUTE_WORDS):
        found |= tracks_word(board, route, w) & routes[w]
    return found != c.NO_BITS


@kernel
def can_claim(board, table, hand, route):
    """Return whether the seat may claim a route, or a twin of it, and can pay."""
    for w in range(c.ROUTE_WORDS):
        word = tracks_word(board, route, w) & claimable_word(board, table, hand.seat, w)
        while word:
            r = 64 * w + lowest(word)
            word &= word - c.ONE_BIT
            if affordable(board, hand.cards, board.route_colour[r], board.route_length[r], board.route_ferry[r]):
                return True
    return False


@kernel
def claim_route_with(board, hand, route, kind):
    """Return the same as `claim_with`, but for this very route and none of its twins."""
    length = np.int64(board.route_length[route])
    wilds = max(np.int64(board.route_ferry[route]), length - hand.cards[kind])
    if wilds > hand.cards[c.WILD]:
        return c.PASS
    if wilds >= length:
        return claim(route, c.WILD, length)
    return claim(route, kind, wilds)


@kernel
def payable_routes(board, table, hand):
    """Return the routes that the seat may claim and can pay for, as a tuple of words."""
    seat, wilds, longest = hand.seat, np.int64(hand.cards[c.WILD]), np.int64(board.longest_route)
    first, second, third = c.NO_BITS, c.NO_BITS, c.NO_BITS
    for kind in range(board.colours):
        takers = board.taking[kind, np.uint8(min(hand.cards[kind] + wilds, longest))]
        first |= takers[0]
        second |= takers[1]
        third |= takers[2]
    ferries = board.ferries_up_to[np.uint8(min(wilds, longest))]
    return (
        first & ferries[0] & claimable_word(board, table, seat, 0),
        second & ferries[1] & claimable_word(board, table, seat, 1),
        third & ferries[2] & claimable_word(board, table, seat, 2),
    )


@kernel
def longest_of(board, routes):
    """Return the longest of some routes, the first of equals; NOBODY if there are none."""
    for length in range(board.longest_route, 0, -1):
        route = first_of_length(board, routes, length)
        if route != c.NOBODY:
            return route
    return c.NOBODY


@kernel
def first_of_length(board, routes, length):
    """Return the first of some routes that has this many spaces, or NOBODY."""
    for w in range(c.ROUTE_WORDS):
        word = routes[w] & length_word(board, length, w)
        if word:
            return 64 * w + lowest(word)
    return c.NOBODY


@kernel
def most_held(board, hand, kinds):
    """Return the colour of a set (bits of a number) held most, the first of equals; NOBODY if the set is empty."""
    most = 0
    for kind in range(c.WILD):
        held = (hand.cards[kind] << KIND_BITS) + c.WILD - kind
        most = max(most, held if kinds >> kind & 1 else 0)
    return c.WILD - (most & (1 << KIND_BITS) - 1) if most else c.NOBODY


@kernel
def held_most(board, table, hand, route):
    """Return the colour held most of those of a route and its twins that are free, of equals that of the first track.

    It is GRAY if one of them is gray, NOBODY if none is free.
    """
    best, most = np.int64(c.NOBODY), np.int64(-1)
    for w in range(c.ROUTE_WORDS):
        word = tracks_word(board, route, w) & table.open[w] & ~table.barred[hand.seat, w]
        while word:
            colour = np.int64(board.route_colour[64 * w + lowest(word)])
            word &= word - c.ONE_BIT
            if colour == c.GRAY:
                return np.int64(c.GRAY)
            held = np.int64(hand.cards[colour])
            if held > most or (held == most and board.route_backwards[route]):
                best, most = colour, held
    return best


@kernel
def draw_blind(board, table, hand, mind):
    """Draw blind, else take a face-up card, else claim the longest payable route, else do whatever is legal."""
    if can_draw(table):
        return c.DRAW_BLIND
    action = any_face_up(board, table)
    if action != c.PASS or table.phase != c.TURN:
        return action
    if holds(table.face_up, c.WILD):
        return take(c.WILD)
    route = longest_of(board, payable_routes(board, table, hand))
    if route == c.NOBODY:
        return any_action(board, table, hand, mind)
    return claim_with(board, table, hand, route, most_held(board, hand, kinds_for(board, table, hand.seat, route)))


@kernel
def claimed_since(table, mind, place):
    """Return whether anybody has claimed a route since this was last asked. It uses one place of `mind.memory`.

    The first answer is yes, and so is the one after `mind.memory[place] = 0`.
    """
    stamp = 1 + count(table.open[0]) + count(table.open[1]) + count(table.open[2])
    if mind.memory[place] == stamp:
        return False
    mind.memory[place] = stamp
    return True


@kernel
def remember(mind, place, routes):
    """Write a set of routes into `mind.memory`, in ROUTE_WORDS places from this one on."""
    for w in range(c.ROUTE_WORDS):
        mind.memory[place + w] = np.int64(routes[w])


@kernel
def remembered_word(mind, place, w):
    """Return word w of the set of routes that `remember` wrote at this place."""
    return np.uint64(mind.memory[place + w])

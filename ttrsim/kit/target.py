"""Going for one route at a time, as One Step Thinking and Long Route do: choose the target, pay for it, draw for it.

The target stands until somebody claims a route or the seat gets tickets. It is a route or any of its twins. The last
seven places of `mind.memory` belong to this module.

>>> def take_turn(board, table, hand, mind):
...     if stale(table, mind) and not aim_at_ticket(board, table, hand, mind, 1):
...         aim_at_longest(board, table, hand, mind, False)
...     return claim_or_draw(board, table, hand, mind, True)
"""

import numpy as np

from ttrsim.core.constants import GRAY, NO_BITS, NOBODY, ONE_BIT, PASS, ROUTE_WORDS, TAKE, TICKET_WORDS, TURN, WILD
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.legal import claimable_word
from ttrsim.core.sets import holds
from ttrsim.kit.fewest import passable, path_to_finish
from ttrsim.kit.habits import can_claim, claim_with, claimed_since, draw_blind, remember, remembered_word
from ttrsim.kit.hands import kinds_for
from ttrsim.kit.paths import connected, length_word
from ttrsim.kit.special_rules import just_withdrew
from ttrsim.kit.tickets import without

STAMP, TARGET, TICKET, LONGEST, PATH = 57, 58, 59, 60, 61
"""Places in the memory: the stamp of the target, see `claimed_since`; its route, or NOBODY; the ticket it is for, or
NOBODY; 1 if `aim_at_longest` chose it; the path it lies on, in ROUTE_WORDS places."""

COLOUR_ORDER = (6, 4, 2, 0, 1, 3, 5, 7, 8)
"""The order in which kinds are tried: red, orange, blue, pink, white, yellow, black, green, on boards that number these
eight colours as USA does; then the ninth."""


@kernel
def stale(table, mind):
    """Whether the target has to be chosen anew: somebody claimed a route since, or `forget` was called."""
    return claimed_since(table, mind, STAMP)


@kernel
def forget(mind):
    """Let the target be chosen anew next time, whatever it was."""
    for place in range(STAMP, PATH + ROUTE_WORDS):
        mind.memory[place] = 0


@kernel
def aim_at_ticket(board, table, hand, mind, shortest):
    """Aim at the first missing route of a path for the ticket worth most of those that can still be completed.

    The path has the fewest routes, own ones counted, all of at least `shortest` spaces. Returns whether there is one.
    """
    routes = passable(board, table, hand, shortest)
    if is_still_best(board, table, hand, mind, routes):
        return True
    first, second = hand.tickets[0], hand.tickets[1]
    while first or second:
        ticket = most_worth(board, first, second)
        first, second = without(first, second, ticket)
        if not connected(board, table, hand, mind, board.ticket_ends[ticket]):
            route = path_to_finish(board, table, hand, mind, routes, ticket)[1]
            if route != NOBODY:
                remember(mind, PATH, mind.work.path)
                return set_target(mind, route, ticket, 0)
    set_target(mind, NOBODY, NOBODY, 0)
    return False


@kernel
def is_still_best(board, table, hand, mind, routes):
    """Whether a search would find the same target: its path is open, and what closes makes no other path shorter."""
    route, ticket, known = mind.memory[TARGET], mind.memory[TICKET], NO_BITS
    for w in range(ROUTE_WORDS):
        word = remembered_word(mind, PATH, w)
        known |= word
        if word & ~routes[w]:
            return False
    if known == NO_BITS or ticket == NOBODY or holds(table.owned[hand.seat, route >> 6], route & 63):
        return False
    return not connected(board, table, hand, mind, board.ticket_ends[ticket])


@kernel
def most_worth(board, first, second):
    """The ticket of most points in a set of tickets (two words), the first of equals."""
    best, most = NOBODY, np.int64(-1)
    for w in range(TICKET_WORDS):
        left = first if w == 0 else second
        while left:
            ticket = 64 * w + lowest(left)
            left &= left - ONE_BIT
            if board.ticket_points[ticket] > most:
                best, most = ticket, np.int64(board.ticket_points[ticket])
    return best


@kernel
def set_target(mind, route, ticket, longest):
    """Write the target into the memory. Returns True, that there is one."""
    mind.memory[TARGET], mind.memory[TICKET], mind.memory[LONGEST] = route, ticket, longest
    return True


@kernel
def aim_at_longest(board, table, hand, mind, gray_first):
    """Aim at the longest route that may be claimed, or at NOBODY if none may.

    Of equally long ones: one payable without wilds, else one payable with wilds, else the one that lacks the fewest
    cards. gray_first: gray routes payable in one colour without wilds go before all others.
    """
    seat = hand.seat
    if gray_first:
        for w in range(ROUTE_WORDS):
            word = claimable_word(board, table, seat, w) & plain_gray_word(board, hand, w)
            if word:
                return set_target(mind, 64 * w + lowest(word), NOBODY, 1)
    for length in range(min(board.longest_route, table.trains[seat]), 0, -1):
        best, fewest = NOBODY, 0
        for w in range(ROUTE_WORDS):
            word = claimable_word(board, table, seat, w) & length_word(board, length, w)
            while word:
                route = 64 * w + lowest(word)
                word &= word - ONE_BIT
                lacks = lacking(board, hand, route)
                if best == NOBODY or lacks < fewest:
                    best, fewest = route, lacks
        if best != NOBODY:
            return set_target(mind, best, NOBODY, 1)
    return set_target(mind, NOBODY, NOBODY, 1)


@kernel
def plain_gray_word(board, hand, w):
    """Word w of the gray routes that the hand pays with one colour and no wilds."""
    gray, payable = board.all_routes[w] & board.ferries_up_to[0, w], NO_BITS
    longest = board.longest_route
    for kind in range(board.colours):
        gray &= board.taking[kind, longest, w]
        payable |= board.taking[kind, min(hand.cards[kind], longest), w]
    return gray & payable


@kernel
def lacking(board, hand, route):
    """0 if a route can be paid without wilds, 1 if with wilds; else one more than the cards that are lacking."""
    length, ferry = np.int64(board.route_length[route]), np.int64(board.route_ferry[route])
    colour, held = board.route_colour[route], np.int64(0)
    for kind in range(board.colours):
        if colour == GRAY or colour == kind:
            held = max(held, np.int64(hand.cards[kind]))
    if held >= length and ferry == 0:
        return 0
    return 1 + max(0, max(ferry, length - held) - hand.cards[WILD])


@kernel
def claim_or_draw(board, table, hand, mind, straight):
    """Claim the target with the first colour that can pay; if none can, or the seat just withdrew from a tunnel, draw.

    straight: as for `draw_for_target`.
    """
    route = mind.memory[TARGET]
    if just_withdrew(table, hand, mind):
        return draw_for_target(board, table, hand, mind, straight)
    if route != NOBODY and can_claim(board, table, hand, route):
        for kind in COLOUR_ORDER:
            if kind < board.colours:
                action = claim_with(board, table, hand, route, kind)
                if action != PASS:
                    return action
    return draw_for_target(board, table, hand, mind, straight)


@kernel
def draw_for_target(board, table, hand, mind, straight):
    """Draw the wanted colour face up, else a wild, else blind.

    straight: for a gray target that `aim_at_longest` chose, go straight to a wild, else blind.
    """
    route = mind.memory[TARGET]
    if route != NOBODY and not (straight and mind.memory[LONGEST] and board.route_colour[route] == GRAY):
        kind = wanted_kind(board, table, hand, route)
        if table.display[kind] > 0 and (kind != WILD or table.phase == TURN):
            return np.int64(TAKE + kind)
    if table.phase == TURN and table.display[WILD] > 0:
        return np.int64(TAKE + WILD)
    return draw_blind(board, table, hand, mind)


@kernel
def wanted_kind(board, table, hand, route):
    """Of the colours of a route and its twins the one held most, the first in order; for a gray one it may be WILD."""
    kinds, best = kinds_for(board, table, hand.seat, route), WILD
    most = np.int64(-1)
    for kind in COLOUR_ORDER:
        if kind < board.colours and kinds >> kind & 1 and hand.cards[kind] > most:
            best, most = kind, np.int64(hand.cards[kind])
    if board.route_colour[route] == GRAY and hand.cards[WILD] > most:
        return WILD
    return best

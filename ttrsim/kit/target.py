"""Going for one route at a time, as One Step Thinking and Long Route do: choose a target, pay for it, draw for it.

The target and the kind of card wanted for it stand until somebody scores points for a route or the seat gets tickets.
The target is a connection, given by one of its routes. The places of `mind.memory` from MARK on belong to this module.

>>> def take_turn(board, table, hand, mind):
...     if outdated(table, mind) and not aim_at_ticket(board, table, hand, mind, 1):
...         aim_at_longest(board, table, hand, mind, 10, True)
...     return claim_or_draw(board, table, hand, mind, True)
"""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.cards import can_draw
from ttrsim.core.jit import count, kernel, lowest, nth
from ttrsim.core.sets import bit, holds
from ttrsim.core.streams import below
from ttrsim.kit.chance import CARD_DRAWS, DRAWS, SECOND_DRAWS, any_action, draw_choices
from ttrsim.kit.fewest import missing_route, passable, path_to_finish
from ttrsim.kit.habits import can_claim, claim_in_order, held_most, payable_routes
from ttrsim.kit.paths import connected, length_word
from ttrsim.kit.special_rules import would_lay_out_again
from ttrsim.kit.tickets import without

MARK, TARGET, WANTED, GOT = 20, 21, 22, 23
"""Places in the memory, where 0 is nothing: 1 + the sum of all players' route points when the target was chosen; 1 +
its route; 1 + the kind wanted for it, which may be ANY_COLOUR; and from GOT on 1 + each ticket, in the order got."""
ANY_COLOUR = c.KINDS
"""The kind wanted for a gray route that `aim_at_longest` chose: it is no card, so only wilds are taken face up."""

IN_HAND = (2, 0, 5, 3, 4, 7, 1, c.WILD, 6, 8)
"""The order in which equal kinds in a hand are preferred: that of the published program, for boards that number their
colours as USA does."""
PAYABLE, PAYABLE_WITH_WILDS = 10, 9  # ranks of routes of equal length


@kernel
def route_points(table):
    """Return the points of all players for routes."""
    points = np.int64(0)
    for seat in range(table.players):
        points += table.parts[seat, c.POINTS_ROUTES] + table.parts[seat, c.POINTS_MARKERS]
    return points


@kernel
def outdated(table, mind):
    """Return whether the target has to be chosen anew: somebody scored for a route, or `forget` was called."""
    mark = 1 + route_points(table)
    if mind.memory[MARK] >= mark:
        return False
    mind.memory[MARK] = mark
    return True


@kernel
def forget(mind):
    """Have the target chosen anew next time."""
    mind.memory[MARK] = 0


@kernel
def note_kept(hand, mind, action):
    """Note the tickets that an action keeps: of tickets of equal points the one got first comes first."""
    kept, place = action - c.KEEP, GOT
    for i in range(hand.offered):
        if kept >> i & 1:
            while place < c.MEMORY and mind.memory[place] != 0:
                place += 1
            if place < c.MEMORY:
                mind.memory[place] = 1 + hand.offer[i]


@kernel
def aim_at_ticket(board, table, hand, mind, shortest):
    """Aim at the first missing route of a path for the ticket worth most of those that can still be completed.

    The path has the fewest routes, own ones counted; the others have at least `shortest` spaces. Returns whether there
    is such a ticket.
    """
    routes = passable(board, table, hand, shortest)
    first, second = hand.tickets[0], hand.tickets[1]
    while first or second:
        ticket = most_worth(board, mind, first, second)
        first, second = without(first, second, ticket)
        if not connected(board, table, hand, mind, board.ticket_ends[ticket]):
            steps = path_to_finish(board, table, hand, mind, routes, ticket)
            if steps != c.NOWHERE:
                set_target(board, table, hand, mind, next_missing(board, table, hand, mind, routes, steps))
                return True
    return False


@kernel
def most_worth(board, mind, first, second):
    """Return the ticket of most points in a set of tickets (two words), of equals the one got first."""
    best, most, place = c.NOBODY, np.int64(-1), GOT
    while place < c.MEMORY and mind.memory[place] != 0:
        ticket = mind.memory[place] - 1
        place += 1
        word = first if ticket < 64 else second
        if word & bit(ticket & 63) and board.ticket_points[ticket] > most:
            best, most = ticket, np.int64(board.ticket_points[ticket])
    for w in range(c.TICKET_WORDS):
        left = first if w == 0 else second
        while left:
            ticket = 64 * w + lowest(left)
            left &= left - c.ONE_BIT
            if board.ticket_points[ticket] > most:
                best, most = ticket, np.int64(board.ticket_points[ticket])
    return best


@kernel
def next_missing(board, table, hand, mind, routes, steps):
    """Return the first route that the seat lacks on the path found by `path_to_finish`, or NOBODY."""
    for i in range(steps):
        route = missing_route(board, table, hand, mind, routes, i)
        if route != c.NOBODY:
            return route
    return c.NOBODY


@kernel
def set_target(board, table, hand, mind, route):
    """Aim at a connection, and want the colour of its free tracks held most; if one is gray, the kind held most."""
    colour = held_most(board, table, hand, route)
    mind.memory[TARGET] = 1 + route
    mind.memory[WANTED] = 1 + (most_in_hand(board, hand, True) if colour == c.GRAY else colour)


@kernel
def most_in_hand(board, hand, wilds_too):
    """Return the kind held most; of equals the first in the order IN_HAND."""
    best, most = np.int64(IN_HAND[0]), np.int64(-1)
    for kind in IN_HAND:
        if (kind < board.colours or (wilds_too and kind == c.WILD)) and hand.cards[kind] > most:
            best, most = np.int64(kind), np.int64(hand.cards[kind])
    return best


@kernel
def aim_at_longest(board, table, hand, mind, plain_gray, slips):
    """Aim at the longest free route that the trains left allow, or at none; of equally long ones at the highest rank.

    plain_gray: the rank of a gray route that one colour pays for without wilds. slips: as for `rank`.
    """
    mind.memory[TARGET] = mind.memory[WANTED] = 0
    for length in range(min(board.longest_route, table.trains[hand.seat]), 0, -1):
        best, highest = c.NOBODY, np.int64(0)
        for w in range(c.ROUTE_WORDS):
            word = free_word(board, table, hand.seat, w) & length_word(board, length, w)
            while word:
                route = 64 * w + lowest(word)
                word &= word - c.ONE_BIT
                found = rank(board, hand, route, plain_gray, slips)
                if best == c.NOBODY or found > highest:
                    best, highest = route, found
        if best != c.NOBODY:
            mind.memory[TARGET] = 1 + best
            colour = np.int64(board.route_colour[best])
            mind.memory[WANTED] = 1 + (ANY_COLOUR if colour == c.GRAY else colour)
            return


@kernel
def free_word(board, table, seat, w):
    """Return word w of the routes that nobody has claimed, also where the seat owns the track beside."""
    word = table.open[w]
    return word & table.reach[seat, w] if board.own_network else word


@kernel
def rank(board, hand, route, plain_gray, slips):
    """Return how well the hand suits a route: whether it pays for it, without wilds or with them, else how nearly.

    slips: for a coloured route that it cannot pay count, as the published program does, cards of the colour held most.
    """
    length, colour, wilds = np.int64(board.route_length[route]), board.route_colour[route], np.int64(hand.cards[c.WILD])
    most = np.int64(hand.cards[most_in_hand(board, hand, False)])
    held = most if colour == c.GRAY else np.int64(hand.cards[colour])
    if held >= length:
        return plain_gray if colour == c.GRAY else PAYABLE
    if held + wilds >= length:
        return PAYABLE_WITH_WILDS
    if colour == c.GRAY:
        return PAYABLE - length + held
    return PAYABLE_WITH_WILDS - length + (most if slips else held)


@kernel
def claim_or_draw(board, table, hand, mind, slips):
    """Claim the target with the first colour that pays, or draw for it. slips: as for `draw_for_target`."""
    route = mind.memory[TARGET] - 1
    if route != c.NOBODY and can_claim(board, table, hand, route) and not would_lay_out_again(table, hand, mind):
        return claim_in_order(board, table, hand, route)
    return draw_for_target(board, table, hand, mind, slips)


@kernel
def draw_for_target(board, table, hand, mind, slips):
    """Draw the wanted kind face up, else a wild, else blind; without a target or any of these any card.

    slips: with a gray target that `aim_at_longest` chose, want no colour; else the one held most.
    """
    if mind.memory[TARGET] == 0:
        return any_card(board, table, hand, mind)
    kind = mind.memory[WANTED] - 1
    if kind == ANY_COLOUR and not slips:
        kind = most_in_hand(board, hand, False)
    if kind < c.WILD and holds(table.face_up, kind):
        return np.int64(c.TAKE + kind)
    if table.phase == c.TURN and holds(table.face_up, c.WILD):
        return np.int64(c.TAKE + c.WILD)
    if can_draw(table):
        return np.int64(c.DRAW_BLIND)
    return any_card(board, table, hand, mind)


@kernel
def any_card(board, table, hand, mind):
    """Draw a card at random, blind or of a kind face up; else claim a route at random; else do anything."""
    ways = draw_choices(table) & (CARD_DRAWS if table.phase == c.TURN else SECOND_DRAWS)
    if ways == c.NO_BITS:
        return any_claim(board, table, hand, mind)
    return np.int64(DRAWS[nth(ways, below(mind.rng, count(ways)))])


@kernel
def any_claim(board, table, hand, mind):
    """Claim a route at random, of those that can be paid; else do anything that is legal."""
    routes = payable_routes(board, table, hand) if table.phase == c.TURN else (c.NO_BITS, c.NO_BITS, c.NO_BITS)
    size = np.int64(0)
    for w in range(c.ROUTE_WORDS):
        size += count(routes[w])
    if size == 0:
        return any_action(board, table, hand, mind)
    left = below(mind.rng, size)
    for w in range(c.ROUTE_WORDS):
        if left < count(routes[w]):
            return claim_in_order(board, table, hand, 64 * w + nth(routes[w], left))
        left -= count(routes[w])
    return np.int64(c.PASS)  # never

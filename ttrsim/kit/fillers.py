"""Fillers: routes beside the plan, claimed for their points with cards and trains to spare.

>>> def take_turn(board, table, hand, mind):
...     trains = keep_plan(board, table, hand, mind)
...     route = best_filler(board, table, hand, mind, table.trains[hand.seat] - trains, 0.3, 0.5)
...     return spare_claim(board, mind, route) if route != NOBODY else PASS
"""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.jit import count, inline_kernel, kernel, lowest
from ttrsim.core.sets import bit
from ttrsim.kit.actions import claim, take
from ttrsim.kit.chance import claimable_routes
from ttrsim.kit.game_clock import rounds_left
from ttrsim.kit.hands import best_draw, most_missed
from ttrsim.kit.paths import length_word

JOINS = 1.0
"""Points that a route is worth beyond its own if it continues the seat's network: it may lengthen the longest trail."""


@kernel
def best_filler(board, table, hand, mind, trains, slow, weight):
    """Return the route beside the plan, of at most `trains` trains, worth most for the turns and trains it takes.

    slow: turns per missing card; weight: turns that a train is worth. `count_needs` must have found the cards
    to spare. Returns NOBODY if no such route can be claimed before the likely end.
    """
    work, wilds = mind.work, np.int64(mind.work.spare[c.WILD])
    most = max_spare(work)
    find_edge(board, work, table.network[hand.seat])
    time, longest = rounds_left(board, table, mind), np.int64(board.longest_route)
    claimable = claimable_routes(board, table, hand.seat)
    joining = worth_of_joining(mind)
    alike = board.markers == 0 and table.alvin_city == c.NOWHERE and table.stacks == c.NO_BITS
    best, best_value = c.NOBODY, 0.0
    for length in range(min(trains, longest), 0, -1):
        bound = most_claim_value(board, length)
        if best_value > bound / (1.0 + weight * length):
            continue
        some = c.NO_BITS
        for w in range(c.ROUTE_WORDS):
            work.left[w] = claimable[w] & ~work.plan[w] & length_word(board, length, w)
            some |= work.left[w]
        if not some:
            continue
        for missing in range(max(0, length - most - wilds), length + 1):
            turns = 1.0 + slow * missing
            cost = turns + weight * length
            if turns > time or (alike and best_value > bound / cost):
                break
            ferries = min(wilds + missing, longest)
            payable = payers(board, work, length - wilds - missing)
            for w in range(c.ROUTE_WORDS):
                word = work.left[w] & payable[w] & board.ferries_up_to[ferries, w]
                work.left[w] &= ~word
                if alike and word:
                    word = best_alike(word, work.edge[w] if joining > 0.0 else c.NO_BITS)
                while word:
                    route = 64 * w + lowest(word)
                    word &= word - c.ONE_BIT
                    value = claim_value(board, table, hand.seat, route, joining) / cost
                    first = value == best_value and route < best and board.route_length[best] == length
                    if value > best_value or first:
                        best, best_value = route, value
    return best


@inline_kernel
def best_alike(word, edge):
    """Return the first of the best routes of a word, where only continuing the network makes a difference."""
    if word & edge:
        word &= edge
    return word & (~word + c.ONE_BIT)


@inline_kernel
def max_spare(work):
    """Return the most spare cards of one colour."""
    most = np.int64(0)
    for kind in range(c.WILD):
        most = max(most, np.int64(work.spare[kind]))
    return most


@inline_kernel
def payers(board, work, held):
    """Return the routes that any colour with `held` or more spare cards can pay for, as a tuple of words."""
    longest = np.int64(board.longest_route)
    first, second, third = c.NO_BITS, c.NO_BITS, c.NO_BITS
    for kind in range(board.colours):
        if work.spare[kind] >= held:
            takers = board.taking[kind, longest]
            first |= takers[0]
            second |= takers[1]
            third |= takers[2]
    return first, second, third


@kernel
def find_edge(board, work, network):
    """Write into `work.edge` the routes with just one end in a network, unless it is there already."""
    if work.edge_of == network:
        return
    work.edge_of = network
    for w in range(c.ROUTE_WORDS):
        work.edge[w] = c.NO_BITS
    while network:
        city = lowest(network)
        network &= network - c.ONE_BIT
        for w in range(c.ROUTE_WORDS):
            work.edge[w] ^= board.at_city[city, w]


@kernel
def most_claim_value(board, length):
    """Return an upper bound of `claim_value` for routes of a length, where a token adds at most four points."""
    points = board.length_points[length] * (2 if board.markers else 1) + JOINS
    return points + max(0, board.capture_points) + (4 if board.symbols else 0)


@inline_kernel
def claim_value(board, table, seat, route, joining):
    """Return what claiming a route brings at once: its points less those others get, Alvin, a token, and `joining`."""
    ends = board.route_ends[route]
    value = float(board.route_points[route])
    if board.markers:
        mine = count(table.markers[seat] & ends)
        others = 0
        for other in range(table.players):
            others += count(table.markers[other] & ends)
        if others:
            value *= mine - (others - mine) / (table.players - 1)
    if table.alvin_city != c.NOWHERE and table.alvin_holder != seat and ends & bit(table.alvin_city):
        value += board.capture_points
    if ends & table.stacks:
        value += next_token(board, table, seat, ends)
    return value + joining if count(table.network[seat] & ends) == 1 else value


@inline_kernel
def worth_of_joining(mind):
    """Return the points that continuing the network is worth to a seat: JOINS unless it ignores the longest trail."""
    return 0.0 if mind.params[c.IGNORES_TRAIL] else JOINS


@kernel
def next_token(board, table, seat, ends):
    """Return the points that a token from one of two cities adds; 0 if there is none that the seat lacks."""
    cities, have = ends & table.stacks, count(np.uint64(table.tokens[seat]))
    while cities:
        if not table.tokens[seat] >> table.stack_symbol[lowest(cities)] & 1:
            return max(1, board.token_points[have + 1] - board.token_points[have])
        cities &= cities - c.ONE_BIT
    return 0


@kernel
def spare_claim(board, mind, route):
    """Return the action that claims a route with spare cards alone; else PASS."""
    colour, length, ferry = board.route_colour[route], board.route_length[route], board.route_ferry[route]
    spare = mind.work.spare
    best, lowest_cost = c.PASS, 0
    for kind in range(board.colours):
        if colour == c.GRAY or colour == kind:
            wilds = max(ferry, length - spare[kind])
            if wilds <= spare[c.WILD] and wilds < length:
                cost = 10 * wilds + spare[kind]
                if best == c.PASS or cost < lowest_cost:
                    best, lowest_cost = claim(route, kind, wilds), cost
    if best == c.PASS and spare[c.WILD] >= length:
        return claim(route, c.WILD, length)
    return best


@kernel
def draw_for_both(board, table, hand, mind, trains, slow, weight):
    """Return the card to draw for a plan that takes `trains` trains, or for a filler if none for the plan is shown."""
    kind = most_missed(table, mind)
    if kind != c.NOBODY:
        return take(kind)
    route = best_filler(board, table, hand, mind, table.trains[hand.seat] - trains, slow, weight)
    return draw_beside(board, table, hand, mind, route)


@kernel
def draw_beside(board, table, hand, mind, route):
    """Return the same as `draw_for_both`, for the filler that `best_filler` returned, or NOBODY."""
    if route != c.NOBODY and most_missed(table, mind) == c.NOBODY:
        need_for(board, mind, route)
    return best_draw(board, table, hand, mind)


@kernel
def collects(board, table, hand, mind, full, share, alarm):
    """Return whether to keep collecting cards: the hand is not full, and the likely end over `alarm` rounds away.

    A hand is full with `full` cards for each train left, or with `share` times a player's even share of all cards. A
    full hand leaves more choice of what to pay with, and until then rivals see nothing of the plan.
    """
    if mind.params[c.CLAIMS_AT_ONCE]:
        return False
    most = min(full * table.trains[hand.seat], share * board.cards / table.players)
    return table.hand_cards[hand.seat] < most and rounds_left(board, table, mind) > alarm


@inline_kernel
def need_for(board, mind, route):
    """Add to `mind.work.need` the cards that a filler lacks."""
    spare, need = mind.work.spare, mind.work.need
    kind = np.int64(board.route_colour[route])
    if kind == c.GRAY:
        kind = 0
        for other in range(board.colours):
            if spare[other] > spare[kind]:
                kind = other
    need[kind] += max(0, board.route_length[route] - spare[kind])

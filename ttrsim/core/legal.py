"""Legal actions: list all of the current decision, and check a single one."""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.cards import can_draw
from ttrsim.core.jit import count, inline_kernel, kernel, lowest
from ttrsim.core.sets import bit, holds


@inline_kernel
def claimable_word(board, table, seat, w):
    """Return word w of the routes a seat may claim, cards aside: open, not barred, enough trains, at its network."""
    word = (
        table.open[w] & ~table.barred[seat, w] & board.up_to[np.uint8(min(table.trains[seat], board.longest_route)), w]
    )
    return word & table.reach[seat, w] if board.own_network else word


@inline_kernel
def can_pay(cards, kind, cost, wilds, fewest_wilds):
    """Return whether `cost - wilds` cards of a kind and `wilds` wilds are a way to pay, and the hand holds them."""
    if wilds < fewest_wilds or wilds > cost or cards[c.WILD] < wilds:
        return False
    return wilds == cost if kind == c.WILD else wilds < cost and cards[kind] >= cost - wilds


@kernel
def list_payments(board, cards, colour, cost, fewest_wilds, code, out, size):
    """Append `code + 10·kind + wilds` for each way to pay `cost` cards of a colour (GRAY: any one)."""
    for kind in range(board.colours):
        if colour == c.GRAY or colour == kind:
            for wilds in range(max(fewest_wilds, cost - cards[kind]), min(cost - 1, cards[c.WILD]) + 1):
                out[size] = code + 10 * kind + wilds
                size += 1
    if cards[c.WILD] >= cost:
        out[size] = code + 10 * c.WILD + cost
        size += 1
    return size


@kernel
def affordable(board, cards, colour, cost, fewest_wilds):
    """Return whether there is any way to pay `cost` cards of a colour (GRAY: any one)."""
    if cards[c.WILD] < fewest_wilds:
        return False
    if colour != c.GRAY:
        return cards[colour] + cards[c.WILD] >= cost
    most = 0
    for kind in range(board.colours):
        most = max(most, cards[kind])
    return most + cards[c.WILD] >= cost


@kernel
def station_sites(board, table):
    """Return the set of cities where a station may be built: those without one."""
    taken = c.NO_BITS
    for seat in range(table.players):
        taken |= table.stations[seat]
    return board.all_cities & ~taken


@kernel
def marker_sites(board, table):
    """Return the set of cities for a marker: those without one, but never the city where Alvin starts."""
    taken = c.NO_BITS
    for seat in range(table.players):
        taken |= table.markers[seat]
    if board.alvin_city != c.NOWHERE:
        taken |= bit(board.alvin_city)
    return board.all_cities & ~taken


@kernel
def keeps_wrong_number(board, table, hand, kept):
    """Return whether a set of offered tickets may not be kept: too few, or one that must be kept is not among them.

    At the opening, too many long ones may not be kept either.
    """
    if count(kept) < hand.keep_least or hand.must_keep & ~kept:
        return True
    if table.phase == c.KEEPING:
        return False
    return count(kept & (bit(board.long_deal) - c.ONE_BIT)) > board.long_keep_at_most


@kernel
def marker_cities(board, table):
    """Return the set of ends of the route just claimed where a further marker may be placed."""
    if table.markers_left[table.seat] == 0:
        return c.NO_BITS
    return marker_sites(board, table) & board.route_ends[table.route]


@kernel
def token_cities(board, table):
    """Return the set of ends of the route just claimed with a token whose symbol the seat lacks."""
    found = c.NO_BITS
    ends = board.route_ends[table.route] & table.stacks
    while ends:
        city = lowest(ends)
        ends &= ends - c.ONE_BIT
        if not table.tokens[table.seat] >> table.stack_symbol[city] & 1:
            found |= bit(city)
    return found


@kernel
def city_choices(board, table):
    """Return the set of cities that a START, STACK, ALVIN or TOKEN decision chooses from."""
    if table.phase == c.ALVIN:
        return table.markers[table.seat]
    if table.phase == c.TOKEN:
        return token_cities(board, table)
    if table.phase == c.STACK:
        return board.all_cities & ~table.stacks
    return marker_sites(board, table)


@kernel
def list_cities(cities, out, size):
    """Append the action that chooses each of these cities."""
    while cities:
        out[size] = c.CITY + lowest(cities)
        size += 1
        cities &= cities - c.ONE_BIT
    return size


@kernel
def list_cards(table, wilds_too, out, size):
    """Append the ways to draw one train card."""
    if can_draw(table):
        out[size] = c.DRAW_BLIND
        size += 1
    for kind in range(c.KINDS if wilds_too else c.WILD):
        if holds(table.face_up, kind):
            out[size] = c.TAKE + kind
            size += 1
    return size


@kernel
def list_claims(board, table, hand, out, size):
    """Append each claim with each payment."""
    for w in range(c.ROUTE_WORDS):
        routes = claimable_word(board, table, table.seat, w)
        while routes:
            route = 64 * w + lowest(routes)
            routes &= routes - c.ONE_BIT
            length, ferry = board.route_length[route], board.route_ferry[route]
            code = c.CLAIM + 100 * route
            size = list_payments(board, hand.cards, board.route_colour[route], length, ferry, code, out, size)
    return size


@kernel
def list_builds(board, hand, cities, cost, base, out, size):
    """Append the ways to put a station or a marker on each of these cities."""
    while cities:
        size = list_payments(board, hand.cards, c.GRAY, cost, 0, base + 100 * lowest(cities), out, size)
        cities &= cities - c.ONE_BIT
    return size


@kernel
def station_cost(board, table):
    """Return how many cards the deciding seat's next station costs; 0 if it has none left."""
    left = table.stations_left[table.seat]
    return board.stations - left + 1 if left else 0


@kernel
def list_turn(board, table, hand, out):
    """List all actions of a TURN."""
    size = list_cards(table, True, out, 0)
    if table.tickets_left:
        out[size] = c.DRAW_TICKETS
        size += 1
    size = list_claims(board, table, hand, out, size)
    cost = station_cost(board, table)
    if cost:
        size = list_builds(board, hand, station_sites(board, table), cost, c.STATION, out, size)
    if size == 0:
        out[size] = c.PASS
        size += 1
    return size


@kernel
def extra_wilds(table, hand):
    """Return the fewest and the most wilds with which the extra cards of a tunnel can be paid."""
    coloured = 0 if table.laid_kind == c.WILD else hand.cards[table.laid_kind]
    return max(0, table.extra - coloured), min(table.extra, hand.cards[c.WILD])


@kernel
def list_tunnel(table, hand, out):
    """List all actions of a TUNNEL: withdraw, or pay with each possible number of wilds."""
    out[0] = c.DECLINE
    size = 1
    fewest, most = extra_wilds(table, hand)
    for wilds in range(fewest, most + 1):
        out[size] = c.PAY + wilds
        size += 1
    return size


@kernel
def list_keeps(board, table, hand, out):
    """List all actions of OPENING and KEEPING: each set of offered tickets that may be kept."""
    size = 0
    for kept in range(1 << hand.offered):
        if not keeps_wrong_number(board, table, hand, np.uint64(kept)):
            out[size] = c.KEEP + kept
            size += 1
    return size


@kernel
def list_actions(board, table, hand, out):
    """Write all legal actions of the current decision into `out`; return how many.

    `hand` is that of the seat to decide. `out` needs room for MOST_ACTIONS.
    """
    phase = table.phase
    if phase == c.TURN:
        return list_turn(board, table, hand, out)
    if phase == c.SECOND:
        return list_cards(table, False, out, 0)
    if phase == c.TUNNEL:
        return list_tunnel(table, hand, out)
    if phase == c.OPENING or phase == c.KEEPING:
        return list_keeps(board, table, hand, out)
    if phase == c.MARKER:
        out[0] = c.DECLINE
        return list_builds(board, hand, marker_cities(board, table), board.marker_cards, c.PLACE_MARKER, out, 1)
    if phase == c.OVER:
        return 0
    return list_cities(city_choices(board, table), out, 0)


@inline_kernel
def may_claim(board, table, hand, route, kind, wilds):
    """Return whether the deciding seat may claim a route with `wilds` wilds and the rest of a kind."""
    if route >= board.routes or not holds(claimable_word(board, table, table.seat, route >> 6), route & 63):
        return False
    colour = board.route_colour[route]
    if kind != c.WILD and kind != colour and (colour != c.GRAY or kind >= board.colours):
        return False
    return can_pay(hand.cards, kind, board.route_length[route], wilds, board.route_ferry[route])


@kernel
def may_build(board, hand, cities, cost, city, kind, wilds):
    """Return whether a station or marker of this cost may be put on a city, one of `cities`, with this payment."""
    if city >= board.cities or not holds(cities, city):
        return False
    return (kind == c.WILD or kind < board.colours) and can_pay(hand.cards, kind, cost, wilds, 0)


@inline_kernel
def may_take(table, action):
    """Return whether an action draws a train card that may be drawn, in TURN or SECOND."""
    if action == c.DRAW_BLIND:
        return can_draw(table)
    kind = action - c.TAKE
    return 0 <= kind < c.KINDS and holds(table.face_up, kind) and (kind != c.WILD or table.phase == c.TURN)


@kernel
def is_legal_turn(board, table, hand, action):
    """Return whether an action is legal in TURN."""
    if action < 0 or action >= c.ACTIONS_END:
        return False
    kind, wilds = action // 10 % 10, action % 10
    if action >= c.STATION:
        cost, city = station_cost(board, table), (action - c.STATION) // 100
        return cost > 0 and may_build(board, hand, station_sites(board, table), cost, city, kind, wilds)
    if action >= c.CLAIM:
        return may_claim(board, table, hand, (action - c.CLAIM) // 100, kind, wilds)
    if action == c.DRAW_TICKETS:
        return table.tickets_left > 0
    if action == c.PASS:
        return not can_act(board, table, hand)
    return may_take(table, action)


@kernel
def can_act(board, table, hand):
    """Return whether anything but passing is legal in TURN."""
    if can_draw(table) or table.face_up or table.tickets_left:
        return True
    cost = station_cost(board, table)
    if cost and station_sites(board, table) != c.NO_BITS and affordable(board, hand.cards, c.GRAY, cost, 0):
        return True
    for w in range(c.ROUTE_WORDS):
        routes = claimable_word(board, table, table.seat, w)
        while routes:
            r = 64 * w + lowest(routes)
            routes &= routes - c.ONE_BIT
            if affordable(board, hand.cards, board.route_colour[r], board.route_length[r], board.route_ferry[r]):
                return True
    return False


@kernel
def is_legal(board, table, hand, action):
    """Return whether an action is legal in the current decision. `hand` is that of the deciding seat."""
    phase = table.phase
    if phase == c.TURN:
        return is_legal_turn(board, table, hand, action)
    if phase == c.SECOND:
        return may_take(table, action)
    if phase == c.OPENING or phase == c.KEEPING:
        kept = action - c.KEEP
        return 0 <= kept < 1 << hand.offered and not keeps_wrong_number(board, table, hand, np.uint64(kept))
    if phase == c.TUNNEL:
        fewest, most = extra_wilds(table, hand)
        return action == c.DECLINE or fewest <= action - c.PAY <= most
    if phase == c.MARKER:
        if action < c.PLACE_MARKER:
            return action == c.DECLINE
        city, kind, wilds = (action - c.PLACE_MARKER) // 100, action // 10 % 10, action % 10
        return may_build(board, hand, marker_cities(board, table), board.marker_cards, city, kind, wilds)
    city = action - c.CITY
    return phase != c.OVER and 0 <= city < board.cities and holds(city_choices(board, table), city)

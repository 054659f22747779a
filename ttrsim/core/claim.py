"""Claim routes: tunnels, points, and what may follow in the same turn (Alvin, a marker, a token)."""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.cards import can_draw, discard, draw, fill_display, lay_out, pay_cards, take_back
from ttrsim.core.ending import add_points, end_turn
from ttrsim.core.jit import count, inline_kernel, kernel, lowest
from ttrsim.core.legal import affordable, extra_wilds, marker_cities, token_cities
from ttrsim.core.sets import add, bit, remove


@inline_kernel
def claim_route(board, game, route, kind, wilds):
    """Claim a route with `wilds` wilds and the rest of a kind."""
    table = game.table
    table.route, table.laid_kind, table.laid_wilds = route, kind, wilds
    if board.route_tunnel[route]:
        enter_tunnel(board, game)
    else:
        pay_cards(board, game, table.seat, kind, board.route_length[route] - wilds, wilds)
        own_route(board, game)


@kernel
def enter_tunnel(board, game):
    """Lay out the payment, turn cards up, and ask whether to pay the extra ones if the hand has them."""
    table = game.table
    kind, wilds = table.laid_kind, table.laid_wilds
    lay_out(game, table.seat, kind, board.route_length[table.route] - wilds, wilds)
    for k in range(c.KINDS):
        table.revealed[k] = 0
    for _ in range(board.tunnel_cards):
        if can_draw(table):
            table.revealed[draw(game)] += 1
    table.extra = table.revealed[kind] + (0 if kind == c.WILD else table.revealed[c.WILD])
    fewest, most = extra_wilds(table, game.hands[table.seat])
    if table.extra == 0:
        decide_tunnel(board, game, np.int64(0))
    elif fewest > most:
        decide_tunnel(board, game, c.NO_PAYMENT)
    else:
        table.phase = c.TUNNEL


@kernel
def decide_tunnel(board, game, extra_wilds):
    """Pay the extra cards with `extra_wilds` wilds among them and own the route, or withdraw (NO_PAYMENT)."""
    table = game.table
    seat, kind, wilds = table.seat, table.laid_kind, table.laid_wilds
    coloured = board.route_length[table.route] - wilds
    for k in range(c.KINDS):
        table.discards[k] += table.revealed[k]
        table.discard_cards += table.revealed[k]
    if extra_wilds == c.NO_PAYMENT:
        take_back(game, seat, kind, coloured, wilds)
        table.counts[seat, c.WITHDRAWN] += 1
        fill_display(board, game)
        end_turn(board, game)
        return
    extra_coloured = table.extra - extra_wilds
    lay_out(game, seat, kind, extra_coloured, extra_wilds)
    discard(board, game, kind, coloured + extra_coloured, wilds + extra_wilds)
    own_route(board, game)


@inline_kernel
def own_route(board, game):
    """Give the route, which is now paid for, to the seat, and score it."""
    table = game.table
    seat, route = table.seat, table.route
    table.claimed[route] = table.turn
    table.trains[seat] -= board.route_length[route]
    table.counts[seat, c.CLAIMS] += 1
    take_over(board, table, seat, route)
    if not board.markers_count_at_once:
        score_route(board, table)
    go_on_after_claim(board, game, c.ALVIN)


@inline_kernel
def take_over(board, table, seat, route):
    """Make a route the seat's, and bar its twins to that seat or close them to all."""
    table.owner[route] = seat
    table.network[seat] |= board.route_ends[route]
    add(table.owned[seat], route)
    remove(table.open, route)
    shared = table.players >= board.parallel_open_from
    for w in range(c.ROUTE_WORDS):
        if shared:
            table.barred[seat, w] |= board.twins[route, w]
        else:
            table.open[w] &= ~board.twins[route, w]
    if board.own_network:
        for w in range(c.ROUTE_WORDS):
            ends = board.at_city[board.route_a[route], w] | board.at_city[board.route_b[route], w]
            table.reach[seat, w] |= ends


@inline_kernel
def score_route(board, table):
    """Score the route just claimed: for its claimer, or for the owner of each marker on its ends."""
    seat, points = table.seat, board.route_points[table.route]
    controlled = False
    if board.markers:
        for other in range(table.players):
            ends = count(table.markers[other] & board.route_ends[table.route])
            if ends:
                controlled = True
                add_points(table, other, c.POINTS_ROUTES if other == seat else c.POINTS_MARKERS, ends * points)
    if not controlled:
        add_points(table, seat, c.POINTS_ROUTES, points)


@kernel
def go_on_after_claim(board, game, step):
    """Go through what may follow a claim, from a step on (ALVIN, MARKER, TOKEN), and then end the turn.

    Stops where a decision is wanted, after which it is called again from the next step. Where a marker counts for the
    claim that it follows, the route is scored only when the marker has been decided on.
    """
    table = game.table
    if step == c.ALVIN and alvin_is_captured(board, table):
        table.alvin_holder = table.seat
        add_points(table, table.seat, c.POINTS_CAPTURES, board.capture_points)
        table.phase = c.ALVIN
        return
    if step != c.TOKEN and board.markers and can_build_marker(board, game):
        table.phase = c.MARKER
        return
    if board.markers_count_at_once:
        score_route(board, table)
    if table.stacks != c.NO_BITS:
        cities = token_cities(board, table)
        if cities & (cities - c.ONE_BIT):
            table.phase = c.TOKEN
            return
        if cities:
            take_token(board, game, lowest(cities))
            return
    end_turn(board, game)


@kernel
def alvin_is_captured(board, table):
    """Return whether the route just claimed leads to Alvin, and its claimer does not hold him yet."""
    if table.alvin_city == c.NOWHERE or table.alvin_holder == table.seat:
        return False
    return board.route_ends[table.route] & bit(table.alvin_city) != c.NO_BITS


@kernel
def can_build_marker(board, game):
    """Return whether the claimer has a marker left, a free end of the route for it, and the cards to pay."""
    table = game.table
    if marker_cities(board, table) == c.NO_BITS:
        return False
    return affordable(board, game.hands[table.seat].cards, c.GRAY, board.marker_cards, 0)


@kernel
def put_alvin(board, game, city):
    """Move Alvin to a city, and go on with the turn."""
    game.table.alvin_city = city
    go_on_after_claim(board, game, c.MARKER)


@kernel
def put_marker(table, seat, city):
    """Put a marker of a seat on a city."""
    table.markers[seat] |= bit(city)
    table.markers_left[seat] -= 1


@kernel
def take_token(board, game, city):
    """Give the claimer a token from a city, and end the turn."""
    table = game.table
    table.tokens[table.seat] |= 1 << table.stack_symbol[city]
    table.stack_tokens[city] -= 1
    if table.stack_tokens[city] == 0:
        table.stacks &= ~bit(city)
    end_turn(board, game)

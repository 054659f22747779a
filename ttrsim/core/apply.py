"""Apply actions: the only way a game changes after the deal."""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.cards import can_draw, draw, give, pay_cards, take_face_up
from ttrsim.core.claim import claim_route, decide_tunnel, go_on_after_claim, put_alvin, put_marker, take_token
from ttrsim.core.deal import put_stack, put_under, take_top_ticket
from ttrsim.core.ending import begin_turn, end_turn, score_game
from ttrsim.core.jit import count, inline_kernel, kernel
from ttrsim.core.legal import is_legal, is_legal_turn, may_claim, may_take, station_cost
from ttrsim.core.sets import add, bit, holds
from ttrsim.core.streams import shuffle, start_stream


@inline_kernel
def apply(board, game, action):
    """Apply an action if it is legal, and return whether it is.

    Afterwards `game.table` has the next decision, or the phase OVER and the final scores.
    """
    if game.table.phase == c.TURN:
        legal = apply_turn(board, game, action)
    else:
        legal = apply_decision(board, game, action)
    if game.table.phase == c.OVER and legal:
        score_game(board, game)
    return legal


@kernel
def apply_decision(board, game, action):
    """Apply an action of any phase but TURN, if it is legal."""
    phase = game.table.phase
    if phase == c.OPENING:
        action = insist(board, game.hands[game.table.seat], action)
    if not is_legal(board, game.table, game.hands[game.table.seat], action):
        return False
    if phase == c.SECOND:
        draw_card(board, game, action)
    elif phase == c.TUNNEL:
        decide_tunnel(board, game, c.NO_PAYMENT if action == c.DECLINE else action - c.PAY)
    elif phase == c.MARKER:
        build_marker(board, game, action)
    elif phase == c.ALVIN:
        put_alvin(board, game, action - c.CITY)
    elif phase == c.TOKEN:
        take_token(board, game, action - c.CITY)
    elif phase == c.KEEPING:
        settle_drawn(board, game, np.uint64(action - c.KEEP))
    elif phase == c.OPENING:
        settle_opening(board, game, np.uint64(action - c.KEEP))
    elif phase == c.START:
        start_at(board, game, action - c.CITY)
    elif phase == c.STACK:
        add_stack(board, game, action - c.CITY)
    return True


@inline_kernel
def apply_turn(board, game, action):
    """Apply the action of a turn if it is legal. The most common ones, drawing and claiming, are tried first."""
    table = game.table
    hand = game.hands[table.seat]
    if may_take(table, action):
        draw_card(board, game, action)
    elif c.CLAIM <= action < c.STATION:
        route, kind, wilds = np.uint8((action - c.CLAIM) // 100), np.uint8(action // 10 % 10), action % 10
        if not may_claim(board, table, hand, route, kind, wilds):
            return False
        claim_route(board, game, route, kind, wilds)
    elif not is_legal_turn(board, table, hand, action):
        return False
    elif action == c.PASS:
        pass_turn(board, game)
        return True
    elif action == c.DRAW_TICKETS:
        draw_tickets(board, game)
    else:
        build_station(board, game, (action - c.STATION) // 100, action // 10 % 10, action % 10)
    table.passes_in_a_row = 0
    return True


@kernel
def pass_turn(board, game):
    """Pass, because nothing else is legal."""
    table = game.table
    table.counts[table.seat, c.PASSES] += 1
    table.passes_in_a_row += 1
    end_turn(board, game)


@inline_kernel
def draw_card(board, game, action):
    """Draw the first or the second train card of a turn."""
    table = game.table
    seat = table.seat
    if action == c.DRAW_BLIND:
        give(game, seat, draw(game))
        table.counts[seat, c.BLIND] += 1
    else:
        take_face_up(board, game, seat, np.uint8(action - c.TAKE))
        table.counts[seat, c.FACE_UP] += 1
        table.counts[seat, c.WILDS_TAKEN] += action == c.TAKE + c.WILD
    more = can_draw(table) or (board.draw_when_dry and table.display_cards > table.display[c.WILD])
    if table.phase == c.TURN and action != c.TAKE + c.WILD and more:
        table.phase = c.SECOND
    else:
        end_turn(board, game)


@kernel
def build_station(board, game, city, kind, wilds):
    """Build a station in a city."""
    table = game.table
    seat = table.seat
    pay_cards(board, game, seat, kind, station_cost(board, table) - wilds, wilds)
    table.stations[seat] |= bit(city)
    table.stations_left[seat] -= 1
    end_turn(board, game)


@kernel
def build_marker(board, game, action):
    """Place a marker, or none, on an end of the route just claimed."""
    table = game.table
    if action != c.DECLINE:
        kind, wilds = action // 10 % 10, action % 10
        pay_cards(board, game, table.seat, kind, board.marker_cards - wilds, wilds)
        put_marker(table, table.seat, (action - c.PLACE_MARKER) // 100)
    go_on_after_claim(board, game, c.TOKEN)


@kernel
def draw_tickets(board, game):
    """Offer tickets from the top of the deck."""
    table = game.table
    hand = game.hands[table.seat]
    hand.offered = min(board.draw, table.tickets_left)
    hand.keep_least = min(board.draw_keep, hand.offered)
    for i in range(hand.offered):
        hand.offer[i] = take_top_ticket(game)
        add(hand.drawn, hand.offer[i])
    table.counts[table.seat, c.TICKET_DRAWS] += 1
    table.phase = c.KEEPING


@kernel
def settle_drawn(board, game, kept):
    """Keep the drawn tickets in this subset of the offer; the others go under the deck."""
    hand = game.hands[game.table.seat]
    for i in range(hand.offered):
        if holds(kept, i):
            keep_ticket(game, hand, hand.offer[i])
        else:
            put_under(game, hand.offer[i])
    hand.offered = 0
    end_turn(board, game)


@kernel
def keep_ticket(game, hand, ticket):
    """Put a ticket into a hand for good."""
    add(hand.tickets, ticket)
    game.table.kept_tickets[hand.seat] += 1


@kernel
def settle_opening(board, game, kept):
    """Keep the dealt tickets in this subset of the offer; then the next seat decides, or the opening continues."""
    table, deck = game.table, game.deck
    hand = game.hands[table.seat]
    for i in range(hand.offered):
        ticket = hand.offer[i]
        if holds(kept, i):
            keep_ticket(game, hand, ticket)
        elif board.rejected == c.BOTTOM:
            put_under(game, ticket)
        elif board.rejected == c.SHUFFLED:
            deck.rejects[deck.rejected] = ticket
            deck.rejected += 1
    hand.offered, hand.must_keep = 0, c.NO_BITS
    table.seat += 1
    if table.seat == table.players:
        put_rejects_under(game)
        table.seat = table.players - 1
        table.phase = c.START
        if board.markers == 0:
            want_stack(board, table)


@kernel
def insist(board, hand, action):
    """Return an OPENING action with the ticket that must be kept added; count it as overruled if it was missing.

    If that makes one long ticket too many, another one is dropped.
    """
    kept, long = np.uint64(action - c.KEEP), bit(board.long_deal) - c.ONE_BIT
    if not hand.must_keep & ~kept or not 0 <= action - c.KEEP < 1 << hand.offered:
        return action
    hand.overruled += 1
    others = kept & long
    if hand.must_keep & long and count(others) >= board.long_keep_at_most:
        kept ^= others & (~others + c.ONE_BIT)
    return c.KEEP + np.int64(kept | hand.must_keep)


@kernel
def put_rejects_under(game):
    """Shuffle the rejected opening tickets together, and put them under the deck."""
    deck = game.deck
    start_stream(game.scratch.stream, deck.key, c.REJECTS_STREAM, 0)
    shuffle(deck.rejects, deck.rejected, game.scratch.stream)
    for i in range(deck.rejected):
        put_under(game, deck.rejects[i])


@kernel
def start_at(board, game, city):
    """Put the first marker on the start city; then the previous seat decides."""
    table = game.table
    seat = table.seat
    put_marker(table, seat, city)
    table.network[seat] |= bit(city)
    if board.own_network:
        for w in range(c.ROUTE_WORDS):
            table.reach[seat, w] |= board.at_city[city, w]
    if seat > 0:
        table.seat = seat - 1
    else:
        want_stack(board, table)


@kernel
def want_stack(board, table):
    """Ask for the next souvenir stack that a player places, or begin the first turn."""
    players = table.players
    if table.placed < board.placed_stacks[players]:
        table.phase, table.seat = c.STACK, board.placed_by[players, table.placed]
    else:
        begin_turn(board, table, np.uint8(0))


@kernel
def add_stack(board, game, city):
    """Place another souvenir stack in a city."""
    table = game.table
    put_stack(table, board.fixed_stacks + table.placed, city, board.placed_height[table.players])
    table.placed += 1
    want_stack(board, table)

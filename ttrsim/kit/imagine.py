"""Imagined games: deal again what a seat cannot see, and play the game to its end.

`imagine` deals hidden cards and tickets at random, consistent with everything the seat has seen; `play_out` plays such
a game with the defaults in every seat. `room.game` is the game, `room.minds` are the minds of its players.

>>> def take_turn(board, table, hand, mind, room):
...     imagine(board, table, hand, room, next_word(mind.rng))
...     value = play_out(board, room, DRAW_BLIND, hand.seat)
"""

import math

from ttrsim.core import constants as c
from ttrsim.core.apply import apply
from ttrsim.core.deal import offer_opening
from ttrsim.core.jit import copy_record, count, kernel, lowest
from ttrsim.core.sets import add, bit, holds
from ttrsim.core.streams import below, shuffle, start_stream
from ttrsim.kit.defaults import default_answer
from ttrsim.kit.hands import unseen
from ttrsim.kit.paths import begin

IMAGINED_STREAM = 0
SURE_LEAD = 20.0
"""A lead in points that wins nearly three games of four."""
TRIES = 3
"""Tickets drawn for each one given to a rival, who gets the one that fits its network best."""


@kernel
def imagine(board, table, hand, room, key):
    """Set up `room.game`: the table and the seat's hand as they are, the rest at random; one game for each key.

    For an OPENING, TURN, SECOND or KEEPING decision of the seat.
    """
    game = room.game
    copy_record(game.table, table)
    for seat in range(table.players):
        game.hands[seat].seat = seat
        game.hands[seat].offered = 0
        game.hands[seat].must_keep = c.NO_BITS
    copy_record(game.hands[hand.seat], hand)
    game.deck.key = key
    for seat in range(table.players):
        start_stream(room.minds[seat].rng, key, IMAGINED_STREAM, seat)
    stream = room.minds[0].rng
    imagine_cards(board, table, hand, game, stream)
    imagine_tickets(board, table, hand, game, stream)
    for seat in range(table.players):
        work = room.minds[seat].work
        begin(board, work)
        work.failures = table.counts[seat, c.WITHDRAWN]


@kernel
def imagine_cards(board, table, hand, game, stream):
    """Deal the cards the seat has not seen to the other hands, beside those they surely hold, and to the deck."""
    cards = game.deck.cards
    size = 0
    for kind in range(c.KINDS):
        for _ in range(unseen(board, table, hand, kind)):
            cards[size] = kind
            size += 1
    shuffle(cards, size, stream)
    for seat in range(table.players):
        if seat != hand.seat:
            other = game.hands[seat]
            known = 0
            for kind in range(c.KINDS):
                other.cards[kind] = table.known[seat, kind]
                known += table.known[seat, kind]
            for _ in range(table.hand_cards[seat] - known):
                size -= 1
                other.cards[cards[size]] += 1


@kernel
def imagine_tickets(board, table, hand, game, stream):
    """Deal tickets the seat has not seen to the other hands and the deck, and put its own rejects under that."""
    deck, returned = game.deck, game.scratch.done
    deck.ticket_top = deck.rejected = 0
    size, long = list_unseen(board, hand, deck.tickets)
    for seat in range(table.players):
        if seat != hand.seat:
            long = imagine_long(board, table, hand, game, seat, size, long, stream)
    shuffle(deck.tickets, size, stream)
    count_returned(board, hand, returned)
    for seat in range(table.players):
        if seat != hand.seat:
            other = game.hands[seat]
            for _ in range(table.kept_tickets[seat] - count(other.tickets[0]) - count(other.tickets[1])):
                if size == 0:  # others have drawn what the seat put back
                    size = draw_returned(returned, deck.tickets)
                if size > 0:
                    size = give_ticket(board, table, other, deck.tickets, size, stream)
    if table.phase == c.OPENING:
        size = imagine_opening(board, table, hand, game, size)
    own = count(returned[0]) + count(returned[1])
    size = min(size, max(0, table.tickets_left - own))
    game.table.tickets_left = put_under_all(board, deck.tickets, size, returned, table.tickets_left)


@kernel
def list_unseen(board, hand, tickets):
    """Write the tickets never offered to the seat into an array, regular ones first; return how many of each deck."""
    size = 0
    for ticket in range(board.long_tickets, board.tickets):
        if not was_offered(hand, ticket):
            tickets[size] = ticket
            size += 1
    regular = size
    for ticket in range(board.long_tickets):
        if not was_offered(hand, ticket):
            tickets[size] = ticket
            size += 1
    return regular, size - regular


@kernel
def was_offered(hand, ticket):
    """Return whether a ticket was ever offered to the seat."""
    return holds(hand.dealt[ticket >> 6] | hand.drawn[ticket >> 6], ticket & 63)


@kernel
def imagine_long(board, table, hand, game, seat, size, long, stream):
    """Take all tickets from another seat, and give or offer it long ones; return how many of these are left.

    It gets one as likely as not, and surely if it holds more tickets than it was dealt regular ones. If it is still to
    choose, it is offered as many as are dealt. The `long` long tickets lie behind the first `size` in the deck.
    """
    tickets, other = game.deck.tickets, game.hands[seat]
    for w in range(c.TICKET_WORDS):
        other.tickets[w] = other.dealt[w] = other.drawn[w] = c.NO_BITS
    if board.long_deal == 0:
        return long
    kept = table.kept_tickets[seat]
    if kept > 0 and (kept > board.deal or below(stream, 2) == 0):
        long = take_long(tickets, size, long, stream)
        add(other.tickets, tickets[size + long])
    if table.phase == c.OPENING and seat > hand.seat:
        for _ in range(board.long_deal):
            long = take_long(tickets, size, long, stream)
            offer_opening(game, seat, tickets[size + long])
    return long


@kernel
def take_long(tickets, size, long, stream):
    """Bring one of the long tickets behind the first `size` to their end; return how many are left before it."""
    i, last = size + below(stream, long), size + long - 1
    tickets[i], tickets[last] = tickets[last], tickets[i]
    return long - 1


@kernel
def draw_returned(returned, tickets):
    """Move a ticket from a set to the beginning of an array; return how many were moved, 1 or 0."""
    for w in range(c.TICKET_WORDS):
        if returned[w]:
            tickets[0] = 64 * w + lowest(returned[w])
            returned[w] &= returned[w] - c.ONE_BIT
            return 1
    return 0


@kernel
def give_ticket(board, table, other, tickets, size, stream):
    """Give a hand one of the first `size` tickets that fits its network; return how many of them are left."""
    best, best_ends = 0, -1
    for _ in range(TRIES):
        i = below(stream, size)
        ends = count(board.ticket_ends[tickets[i]] & table.network[other.seat])
        if ends > best_ends:
            best, best_ends = i, ends
    add(other.tickets, tickets[best])
    tickets[best] = tickets[size - 1]
    return size - 1


@kernel
def imagine_opening(board, table, hand, game, size):
    """Offer tickets to seats that are still to choose, and put aside what others sent back; return how many are left.

    Both are regular tickets, the last of the first `size` in the deck.
    """
    deck = game.deck
    for seat in range(hand.seat + 1, table.players):
        for _ in range(board.deal):
            size -= 1
            offer_opening(game, seat, deck.tickets[size])
        game.hands[seat].keep_least = board.keep
    if board.rejected == c.SHUFFLED:
        for seat in range(hand.seat):
            rejects = board.long_deal + board.deal - table.kept_tickets[seat]
            for _ in range(min(rejects, size)):  # long ones, too, are imagined as regular ones
                size -= 1
                deck.rejects[deck.rejected] = deck.tickets[size]
                deck.rejected += 1
    return size


@kernel
def count_returned(board, hand, returned):
    """Write into a set the tickets that the seat put back under the deck."""
    for w in range(c.TICKET_WORDS):
        offered = hand.drawn[w] if board.rejected == c.REMOVED else hand.drawn[w] | hand.dealt[w]
        returned[w] = offered & ~hand.tickets[w]
    for i in range(hand.offered):
        ticket = hand.offer[i]
        returned[ticket >> 6] &= ~bit(ticket & 63)


@kernel
def put_under_all(board, tickets, size, returned, most):
    """Put a set of tickets under the first `size`, until there are `most`; return how many there are."""
    for ticket in range(board.tickets):
        if size < most and holds(returned[ticket >> 6], ticket & 63):
            tickets[size] = ticket
            size += 1
    return size


@kernel
def play_out(board, room, action, seat):
    """Apply an action in the imagined game, play it out with the defaults, and return its `outcome` for a seat."""
    game = room.game
    table = game.table
    while apply(board, game, action):
        if table.phase == c.OVER:
            return outcome(game, seat)
        other = table.seat
        action = default_answer(board, table, game.hands[other], room.minds[other], room)
    return 0.0


@kernel
def play_out_by(policy, board, mind, room, action, seat):
    """Play out a game like `play_out`, with a function of the strategy's file in every seat.

    It is called as `policy(board, table, hand, mind, room)`. Each mind has the parameters of this one, and a memory of
    zeros to begin with. A policy that looks at `hand.seat` can play otherwise in some seats. An illegal action of the
    policy counts as a lost game.
    """
    game = room.game
    table = game.table
    for other in range(table.players):
        for i in range(c.PARAMS):
            room.minds[other].params[i] = mind.params[i]
        for i in range(c.MEMORY):
            room.minds[other].memory[i] = 0
    while apply(board, game, action):
        if table.phase == c.OVER:
            return outcome(game, seat)
        other = table.seat
        action = policy(board, table, game.hands[other], room.minds[other], room)
    return 0.0


@kernel
def outcome(game, seat):
    """Return the chance to win that a lead is worth: nearly 1 far ahead of the best other, nearly 0 far behind.

    A few games say more by this than by who wins each.
    """
    table = game.table
    best = -100_000
    for other in range(table.players):
        if other != seat:
            best = max(best, table.score[other])
    return 1.0 / (1.0 + math.exp((best - table.score[seat]) / SURE_LEAD))

"""The end of a game: whether to end it, and which claims still bring points.

>>> def take_turn(board, table, hand, mind):
...     trains = keep_plan(board, table, hand, mind)
...     action = finish(board, table, hand, mind, 8, 14.0, 10.0) if trains == 0 else PASS
"""

from ttrsim.core.constants import (
    DRAW_TICKETS,
    NEVER_DRAWS_TICKETS,
    NOBODY,
    ONE_BIT,
    PASS,
    ROUTE_WORDS,
    TICKET_WORDS,
)
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.legal import claimable_word
from ttrsim.core.network import completed_tickets, group_of
from ttrsim.core.sets import bit
from ttrsim.kit.fillers import claim_value, worth_of_joining
from ttrsim.kit.game_clock import lead, rounds_left
from ttrsim.kit.habits import any_track, payable_routes
from ttrsim.kit.hands import best_claim
from ttrsim.kit.paths import look
from ttrsim.kit.tickets import points_between


@kernel
def finish(board, table, hand, mind, trains, rounds, a_ticket):
    """End the game if ahead with all tickets completed, or draw tickets with this many trains and rounds left.

    a_ticket: points that others are assumed to have for each ticket. PASS if neither is to be done.
    """
    action = end_if_ahead(board, table, hand, mind, a_ticket)
    if action != PASS:
        return action
    if mind.params[NEVER_DRAWS_TICKETS]:
        return PASS
    if table.tickets_left and table.trains[hand.seat] >= trains and rounds_left(board, table, mind) >= rounds:
        return DRAW_TICKETS
    return PASS


@kernel
def end_if_ahead(board, table, hand, mind, a_ticket):
    """Return the claim that begins the last round, if the seat is ahead; else PASS. a_ticket: as for `lead`."""
    if table.turns_to_go != NOBODY or lead(board, table, hand, mind, a_ticket) <= 0:
        return PASS
    return closing_claim(board, table, hand, mind)


@kernel
def closing_claim(board, table, hand, mind):
    """Return the best claim that leaves few enough trains for the last round to begin; else PASS."""
    best, best_value = PASS, 0.0
    least = table.trains[hand.seat] - board.last_round_at
    payable, joining = payable_routes(board, table, hand), worth_of_joining(mind)
    for w in range(ROUTE_WORDS):
        word = claimable_word(board, table, hand.seat, w)
        while word:
            route = 64 * w + lowest(word)
            word &= word - ONE_BIT
            if board.route_length[route] >= least and any_track(board, route, payable):
                value = claim_value(board, table, hand.seat, route, joining)
                if best == PASS or value > best_value:
                    action = best_claim(board, table, hand, mind, route)
                    if action != PASS:
                        best, best_value = action, value
    return best


@kernel
def last_claim(board, table, hand, mind):
    """Return the claim that brings most at once, tickets included, for the last turn; PASS if there is none."""
    look(board, table, hand, mind)
    best, best_value = PASS, 0.0
    payable, waiting = payable_routes(board, table, hand), holds_open_ticket(board, hand, mind)
    joining = worth_of_joining(mind)
    for w in range(ROUTE_WORDS):
        word = claimable_word(board, table, hand.seat, w)
        while word:
            route = 64 * w + lowest(word)
            word &= word - ONE_BIT
            if any_track(board, route, payable):
                value = claim_value(board, table, hand.seat, route, joining)
                if waiting:
                    value += 2 * points_completed(board, hand, mind, route)
                if best == PASS or value > best_value:
                    action = best_claim(board, table, hand, mind, route)
                    if action != PASS:
                        best, best_value = action, value
    return best


@kernel
def holds_open_ticket(board, hand, mind):
    """Return whether the seat holds a ticket that its routes do not complete."""
    groups, size, tickets = mind.work.groups, mind.work.group_count, hand.tickets
    for w in range(TICKET_WORDS):
        if completed_tickets(board, groups, size, tickets, w) != tickets[w]:
            return True
    return False


@kernel
def points_completed(board, hand, mind, route):
    """Return the points of the held tickets that a route would complete."""
    groups, size = mind.work.groups, mind.work.group_count
    a = group_of(groups, size, bit(board.route_a[route]))
    b = group_of(groups, size, bit(board.route_b[route]))
    return points_between(board, hand, a, b)

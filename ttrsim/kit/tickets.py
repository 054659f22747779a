"""Tickets: value sets of them, and choose which of those offered to keep.

>>> def keep_drawn(board, table, hand, mind):
...     return choose_tickets(board, table, hand, mind, 3.0, 2.5)
"""

import numpy as np

from ttrsim.core.constants import NOBODY, ONE_BIT, OPENING, OPENING_TICKETS, TICKET_WORDS
from ttrsim.core.jit import count, kernel, lowest
from ttrsim.core.legal import keeps_wrong_number
from ttrsim.core.sets import bit, next_member
from ttrsim.kit.actions import keep
from ttrsim.kit.game_clock import rounds_left
from ttrsim.kit.paths import points_for, set_prices, trains_for
from ttrsim.kit.trees import plan_tree, planned

BEYOND_TRAINS = 3.0
"""Points taken off for each train that a plan takes beyond those left."""
OTHER_NUMBER = 1e6
"""Points taken off for each ticket more or fewer than the seat must keep at the opening, by its switch."""


@kernel
def price_turns(board, mind):
    """Set prices in half-turns: one for each card, one more for a tunnel or a ferry, and four for each route.

    A claim takes two; it counts double because plans of few routes do better.
    """
    set_prices(board, mind, 4, 1, 1)


@kernel
def points_between(board, hand, a, b):
    """Return the points of held tickets with an end in each of two groups of cities; 0 if these are the same."""
    if a == b:
        return 0
    points = 0
    ticket = next_member(hand.tickets, NOBODY)
    while ticket != NOBODY:
        ends = board.ticket_ends[ticket]
        if ends & a and ends & b:
            points += board.ticket_points[ticket]
        ticket = next_member(hand.tickets, ticket)
    return points


@kernel
def choose_tickets(board, table, hand, mind, thrift, haste):
    """Return the action that keeps the tickets worth most together with those held; see `tickets_value`."""
    return choose_for_bonus(board, table, hand, mind, thrift, haste, 0.0)


@kernel
def choose_for_bonus(board, table, hand, mind, thrift, haste, bonus):
    """Return the same as `choose_tickets`, with `bonus` points more for each ticket that the plan completes.

    So a strategy can count a share of the points for the most completed tickets.
    """
    best, best_value = NOBODY, 0.0
    wanted = mind.params[OPENING_TICKETS] if table.phase == OPENING else 0.0
    for kept in range(1 << hand.offered):
        if not keeps_wrong_number(board, table, hand, np.uint64(kept)):
            first, second = with_offered(hand, kept)
            value = value_with_bonus(board, table, hand, mind, first, second, thrift, haste, bonus)
            if wanted:
                value -= OTHER_NUMBER * abs(wanted - count(np.uint64(kept)))
            if best == NOBODY or value > best_value:
                best, best_value = kept, value
    return keep(best)


@kernel
def with_offered(hand, kept):
    """Return the tickets held and those of the offer that a set (bits of a number) keeps, as two words."""
    first, second = hand.tickets[0], hand.tickets[1]
    for i in range(hand.offered):
        if kept >> i & 1:
            if hand.offer[i] < 64:
                first |= bit(hand.offer[i])
            else:
                second |= bit(hand.offer[i] - 64)
    return first, second


@kernel
def without(first, second, ticket):
    """Return a set of tickets (two words) without one of them."""
    if ticket < 64:
        return first & ~bit(ticket), second
    return first, second & ~bit(ticket - 64)


@kernel
def tickets_value(board, table, hand, mind, first, second, thrift, haste):
    """Return the worth of a set of tickets (two words): points of tickets and routes, less the costs of the plan.

    thrift: points taken off for each turn of the plan; haste: further points for each of its turns past the likely end.
    Leaves the plan in `mind.work.tree`.
    """
    return value_with_bonus(board, table, hand, mind, first, second, thrift, haste, 0.0)


@kernel
def value_with_bonus(board, table, hand, mind, first, second, thrift, haste, bonus):
    """Return the same as `tickets_value`, with `bonus` points more for each ticket that the plan completes."""
    price_turns(board, mind)
    turns = plan_tree(board, table, hand, mind, first, second) / 2
    tree = mind.work.tree
    lacking = max(0, trains_for(board, tree) - table.trains[hand.seat])
    value = points_for(board, tree) - thrift * turns
    value -= haste * max(0.0, turns - rounds_left(board, table, mind)) + BEYOND_TRAINS * lacking
    for w in range(TICKET_WORDS):
        word = first if w == 0 else second
        while word:
            ticket = 64 * w + lowest(word)
            word &= word - ONE_BIT
            done = lacking == 0 and planned(board, mind, ticket)
            value += board.ticket_points[ticket] + bonus if done else -board.ticket_points[ticket]
    return value

"""Plans: the routes a seat means to claim for its tickets, kept in `mind.work.plan` until one is lost.

>>> def take_turn(board, table, hand, mind):
...     trains = keep_plan(board, table, hand, mind)
...     action = claim_planned(board, table, hand, mind)
...     return action if action != PASS else best_draw(board, table, hand, mind)
"""

import numpy as np

from ttrsim.core.constants import IGNORES_RIVALS, NO_BITS, NOBODY, ONE_BIT, PASS, ROUTE_WORDS, TICKET_WORDS
from ttrsim.core.jit import count, inline_kernel, kernel, lowest
from ttrsim.kit.game_clock import contest, rounds_left
from ttrsim.kit.hands import best_claim, count_needs
from ttrsim.kit.paths import trains_for, usable_word
from ttrsim.kit.tickets import price_turns, without
from ttrsim.kit.trees import plan_tree, planned

NEAR_THE_END = 8.0
"""Rounds left to the likely end below which a plan must also be feasible in time."""

WILD_COST = 2.0
"""Spaces that a planned route counts less for each wild that it takes, when the first to claim is chosen."""


@kernel
def keep_plan(board, table, hand, mind):
    """Make a new plan if necessary, count the cards for planned routes not yet owned, and return the trains they take.

    Those routes are then in `mind.work.path`.
    """
    work = mind.work
    if not plan_holds(board, table, hand, mind):
        make_plan(board, table, hand, mind)
    missing = count_plan(board, table, hand, mind)
    if work.path[0] | work.path[1] | work.path[2] == NO_BITS:
        return 0
    if not in_time(board, table, mind, missing):
        make_plan(board, table, hand, mind)
        count_plan(board, table, hand, mind)
    return np.int64(work.counted_trains)


@kernel
def count_plan(board, table, hand, mind):
    """Write planned routes not yet owned into `mind.work.path`, and `count_needs` of them; return the cards missing."""
    work = mind.work
    for w in range(ROUTE_WORDS):
        work.path[w] = work.plan[w] & ~table.owned[hand.seat, w]
    return count_needs(board, table, hand, mind, work.path)


@inline_kernel
def plan_holds(board, table, hand, mind):
    """Return whether the plan was made for the tickets now held and every route of it is owned or can be claimed."""
    work = mind.work
    if work.fresh or work.planned_for != table.kept_tickets[hand.seat]:
        return False
    for w in range(ROUTE_WORDS):
        word = work.plan[w] & ~table.owned[hand.seat, w]
        if word and word & ~usable_word(board, table, hand.seat, w):
            return False
    return True


@inline_kernel
def in_time(board, table, mind, missing):
    """Return whether the routes in `mind.work.path`, which lack `missing` cards, can be claimed in time."""
    left = rounds_left(board, table, mind)
    if left > NEAR_THE_END:
        return True
    routes = count(mind.work.path[0]) + count(mind.work.path[1]) + count(mind.work.path[2])
    return routes + missing / 2 <= left + 0.5


@kernel
def make_plan(board, table, hand, mind):
    """Plan for the tickets held, dropping the `least_worth` of them while the plan takes too many trains or turns."""
    work = mind.work
    price_turns(board, mind)
    first, second = hand.tickets[0], hand.tickets[1]
    plan_tree(board, table, hand, mind, first, second)
    while not feasible(board, table, hand, mind):
        ticket = least_worth(board, table, hand, mind, first, second)
        first, second = without(first, second, ticket)
        plan_tree(board, table, hand, mind, first, second)
    for w in range(ROUTE_WORDS):
        work.plan[w] = work.tree[w]
    work.planned_for = table.kept_tickets[hand.seat]


@kernel
def feasible(board, table, hand, mind):
    """Return whether there are enough trains and time for the tree."""
    work = mind.work
    if work.tree[0] | work.tree[1] | work.tree[2] == NO_BITS:
        return True
    if trains_for(board, work.tree) > table.trains[hand.seat]:
        return False
    for w in range(ROUTE_WORDS):
        work.path[w] = work.tree[w]
    missing = count_needs(board, table, hand, mind, work.path)
    return in_time(board, table, mind, missing)


@kernel
def least_worth(board, table, hand, mind, first, second):
    """Return the uncompleted ticket of a set (two words) with the fewest points per train saved by dropping it."""
    price = plan_tree(board, table, hand, mind, first, second)
    worst, worst_value = NOBODY, 0.0
    for w in range(TICKET_WORDS):
        word = first if w == 0 else second
        while word:
            ticket = 64 * w + lowest(word)
            mine = word & (~word + ONE_BIT)
            word ^= mine
            without = plan_tree(
                board, table, hand, mind, first ^ mine if w == 0 else first, second ^ mine if w == 1 else second
            )
            saved = max(0, price - without)  # trees are not always the cheapest: dropping a ticket may make one dearer
            value = 1e6 if planned(board, mind, ticket) else board.ticket_points[ticket] / (saved + 1.0)
            if worst == NOBODY or value < worst_value:
                worst, worst_value = ticket, value
    return worst


@kernel
def claim_planned(board, table, hand, mind):
    """Return the claim of a planned route that the hand can pay, the most contested and longest first; else PASS.

    Call `keep_plan` first.
    """
    return claim_contested(board, table, hand, mind, 0)


@kernel
def claim_contested(board, table, hand, mind, least):
    """Return the same as `claim_planned`, but only for routes whose `contest` is at least `least`."""
    return claim_sparing(board, table, hand, mind, least, WILD_COST)


@kernel
def claim_sparing(board, table, hand, mind, least, cost):
    """Return the same as `claim_contested`, where a wild among the payment counts as this many spaces less.

    The higher the cost, the later come routes that take wilds.
    """
    best, best_value = PASS, 0.0
    for w in range(ROUTE_WORDS):
        word = mind.work.path[w]
        while word:
            route = 64 * w + lowest(word)
            word &= word - ONE_BIT
            interest = 0 if mind.params[IGNORES_RIVALS] else contest(board, table, hand.seat, route)
            most = 2 * interest + board.route_length[route]
            if interest >= least and (best == PASS or most > best_value):
                action = best_claim(board, table, hand, mind, route)
                value = most - cost * (action % 10)
                if action != PASS and (best == PASS or value > best_value):
                    best, best_value = action, value
    return best

"""Lays the longest routes and ends the game when ahead.

A style of ttrsim's own, for contrast, after players who go for six-train routes and a fast end. It keeps as few tickets
as it can, those that take the fewest turns, and never draws more. It ignores a ticket that still takes too many turns;
the others are errands, done cheapest first, and without wilds as long as there is time. All other cards and trains go
into routes, the longer the better: it aims at one route, takes its colour face up, and otherwise draws blind.
"""

from ttrsim.bot import (
    DRAW_BLIND,
    NO_BITS,
    NOBODY,
    PASS,
    ROUTE_WORDS,
    anything,
    best_draw,
    best_filler,
    can_draw,
    choose_tickets,
    claim_planned,
    count_needs,
    end_if_ahead,
    just_withdrew,
    last_turn,
    need_for,
    needed_card_shown,
    next_member,
    price_turns,
    rounds_left,
    spare_claim,
    ticket_price,
    trains_for,
)

NAME = "long_hauler"
PARAMS = {
    "thrift": (2, 0, 10),  # worth of a turn when tickets are chosen, as a share of what the best routes bring
    "errand": (11, 0, 40),  # turns that a ticket may take before it is ignored
    "late": (12, 0, 60),  # rounds to the likely end from which on wilds may go into errands
    "slow": (0.5, 0, 5),  # turns that a missing card of a long route takes
    "weight": (0.25, 0, 10),  # turns that a train is worth; the more, the longer the routes it waits for
    "rival": (10, 0, 40),  # points that others are taken to have for each ticket, when it asks whether it is ahead
}
SWITCHES = (
    "opening_tickets",
    "draws_blind",
    "ignores_trail",
    "never_builds_stations",
)


def keep_opening(board, table, hand, mind):
    return choose_tickets(board, table, hand, mind, mind.params["thrift"] * board.turn_points, 0.0)


def take_turn(board, table, hand, mind):
    rounds = rounds_left(board, table, mind)
    if rounds <= 1.0:
        return last_turn(board, table, hand, mind)
    action = end_if_ahead(board, table, hand, mind, mind.params["rival"])
    if action != PASS:
        return action
    trains = plan_errand(board, table, hand, mind)
    if just_withdrew(table, hand, mind):
        return draw(board, table, hand, mind, long_route(board, table, hand, mind, trains))
    action = claim_planned(board, table, hand, mind)
    if action != PASS and (action % 10 == 0 or rounds <= mind.params["late"]):  # paid without wilds, or late
        return action
    route = long_route(board, table, hand, mind, trains)
    if route != NOBODY:
        action = spare_claim(board, mind, route)
        if action != PASS:
            return action
    return draw(board, table, hand, mind, route)


def plan_errand(board, table, hand, mind):
    """Plan the routes of the unfinished ticket that takes the fewest turns, if few enough; return their trains."""
    price_turns(board, mind)
    best, fewest = NOBODY, 2 * mind.params["errand"]
    work, ticket = mind.work, next_member(hand.tickets, NOBODY)
    while ticket != NOBODY:
        half_turns = ticket_price(board, table, hand, mind, ticket)
        if 0 < half_turns <= fewest and trains_for(board, work.ticket_path[ticket]) <= table.trains[hand.seat]:
            best, fewest = ticket, half_turns
        ticket = next_member(hand.tickets, ticket)
    for w in range(ROUTE_WORDS):
        work.plan[w] = work.path[w] = NO_BITS if best == NOBODY else work.ticket_path[best, w]
    count_needs(board, table, hand, mind, work.plan)
    return trains_for(board, work.plan)


def long_route(board, table, hand, mind, trains):
    """Return the route to aim at beside the errand, or NOBODY."""
    left = table.trains[hand.seat] - trains
    return best_filler(board, table, hand, mind, left, mind.params["slow"], mind.params["weight"])


def draw(board, table, hand, mind, route):
    """Draw a face-up card that the errand lacks; else one for the route; else blind. Never a wild alone."""
    if route != NOBODY and not needed_card_shown(table, mind):
        need_for(board, mind, route)
    if can_draw(table) and not needed_card_shown(table, mind):
        return DRAW_BLIND
    action = best_draw(board, table, hand, mind)
    return action if action != PASS else anything(board, table, hand, mind)


def second_card(board, table, hand, mind):
    trains = plan_errand(board, table, hand, mind)
    return draw(board, table, hand, mind, long_route(board, table, hand, mind, trains))

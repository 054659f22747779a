"""The decisions that a strategy's file leaves out: one function each, and one for all.

Each takes what a strategy sees (board, table, hand, mind) and returns a legal action. Together they play a sound game:
keep the tickets that together are worth the routes they take, draw the cards that these routes lack, claim them when
they can be paid for, add long routes with spare cards, and take more tickets once all are completed and there is time.
"""

from ttrsim.core import constants as c
from ttrsim.core.jit import kernel
from ttrsim.core.legal import city_choices
from ttrsim.core.sets import holds
from ttrsim.kit.actions import choose_city, take
from ttrsim.kit.chance import any_action
from ttrsim.kit.endgame import finish, last_claim
from ttrsim.kit.fillers import best_filler, collects, draw_beside, draw_for_both, spare_claim
from ttrsim.kit.game_clock import rounds_left
from ttrsim.kit.hands import best_draw
from ttrsim.kit.plans import claim_contested, claim_planned, keep_plan
from ttrsim.kit.special_rules import (
    cheapest_extra,
    just_withdrew,
    paying_marker,
    quietest,
    rarest_token,
    stack_on_way,
    start_on_plan,
    useful_station,
)
from ttrsim.kit.tickets import choose_tickets

THRIFT = 0.7
"""The worth of a turn when tickets are chosen, as a share of the points per turn of the best routes."""
HASTE = 2.5
"""Points feared for each turn of a plan past the likely end of the game."""
SLOW, WEIGHT = 0.5, 0.25
"""Parameters of fillers: the turns that a missing card takes, and the turns that a train is worth."""
LONG = 6
"""Spaces that a filler must have to be claimed while the plan is unfinished."""
FULL, SHARE, ALARM, NERVE = 0.92, 1.25, 12.0, 3
"""Bounds for collecting cards: up to FULL per train left, or SHARE times an even share of all cards, and while the
likely end is over ALARM rounds away. Routes whose `contest` is NERVE or more are claimed all the same."""
SPARE_TRAINS, TEMPO, HUNGER = 5, 20.0, 17.0
"""Trains and rounds that must be left to draw more tickets, and how many rounds fewer with a bonus for the most
tickets."""
RIVAL = 10.0
"""Points that others are assumed to have for each ticket, where the seat asks whether it is ahead."""


@kernel
def keep_opening(board, table, hand, mind):
    """Answer OPENING: choose which dealt tickets to keep."""
    return choose_tickets(board, table, hand, mind, THRIFT * board.turn_points, HASTE)


@kernel
def choose_start(board, table, hand, mind):
    """Answer START: choose the start city."""
    return start_on_plan(board, table, hand, mind)


@kernel
def place_stack(board, table, hand, mind):
    """Answer STACK: choose a place for a further souvenir stack."""
    return stack_on_way(board, table, hand)


@kernel
def take_turn(board, table, hand, mind):
    """Answer TURN: choose the turn's action."""
    if rounds_left(board, table, mind) <= 1.0:
        return last_turn(board, table, hand, mind)
    trains = keep_plan(board, table, hand, mind)
    action = c.PASS
    if just_withdrew(table, hand, mind):
        action = draw_for_both(board, table, hand, mind, trains, SLOW, WEIGHT)
    elif collects(board, table, hand, mind, FULL, SHARE, ALARM):
        action = claim_contested(board, table, hand, mind, NERVE)
        if action == c.PASS:
            action = draw_for_both(board, table, hand, mind, trains, SLOW, WEIGHT)
    if action == c.PASS:
        action = claim_planned(board, table, hand, mind)
    if action == c.PASS and trains == 0:
        tempo = TEMPO - HUNGER if board.most_tickets_bonus > 0 else TEMPO
        action = finish(board, table, hand, mind, SPARE_TRAINS, tempo, RIVAL)
    return action if action != c.PASS else fill(board, table, hand, mind, trains)


@kernel
def fill(board, table, hand, mind, trains):
    """Claim a filler with what is to spare beside the plan, or draw for both."""
    route = best_filler(board, table, hand, mind, table.trains[hand.seat] - trains, SLOW, WEIGHT)
    if route != c.NOBODY and (trains == 0 or board.route_length[route] >= LONG):
        action = spare_claim(board, mind, route)
        if action != c.PASS:
            return action
    action = draw_beside(board, table, hand, mind, route)
    return action if action != c.PASS else anything(board, table, hand, mind)


@kernel
def last_turn(board, table, hand, mind):
    """Take the seat's last turn: do whatever brings points at once."""
    action = last_claim(board, table, hand, mind)
    if board.stations and not mind.params[c.NEVER_BUILDS_STATIONS]:
        station = useful_station(board, table, hand, mind)
        if station != c.PASS:
            return station
    if action != c.PASS:
        return action
    for kind in range(c.KINDS):
        mind.work.need[kind] = 0
    action = best_draw(board, table, hand, mind)
    return action if action != c.PASS else anything(board, table, hand, mind)


@kernel
def anything(board, table, hand, mind):
    """Take a wild where no other card can be drawn; else claim, else do anything legal; PASS if nothing is."""
    if holds(table.face_up, c.WILD):
        return take(c.WILD)
    action = last_claim(board, table, hand, mind)
    return action if action != c.PASS else any_action(board, table, hand, mind)


@kernel
def second_card(board, table, hand, mind):
    """Answer SECOND: draw the second card, by what is needed since the turn began."""
    trains = keep_plan(board, table, hand, mind)
    return draw_for_both(board, table, hand, mind, trains, SLOW, WEIGHT)


@kernel
def pay_tunnel(board, table, hand, mind):
    """Answer TUNNEL: pay the extra cards, or withdraw."""
    return cheapest_extra(table, hand)


@kernel
def move_alvin(board, table, hand, mind):
    """Answer ALVIN: move him to the city that is hardest for others to reach."""
    return choose_city(quietest(board, table, city_choices(board, table)))


@kernel
def place_marker(board, table, hand, mind):
    """Answer MARKER: place a further marker, or none."""
    return paying_marker(board, table, hand, mind)


@kernel
def choose_token(board, table, hand, mind):
    """Answer TOKEN: choose the end of the route whose token to take."""
    return rarest_token(board, table)


@kernel
def keep_drawn(board, table, hand, mind):
    """Answer KEEPING: choose which drawn tickets to keep."""
    return choose_tickets(board, table, hand, mind, THRIFT * board.turn_points, HASTE)


@kernel
def default_answer(board, table, hand, mind, room):
    """Return the action of the defaults for the current decision."""
    phase = table.phase
    if phase == c.TURN:
        return take_turn(board, table, hand, mind)
    if phase == c.SECOND:
        return second_card(board, table, hand, mind)
    if phase == c.TUNNEL:
        return pay_tunnel(board, table, hand, mind)
    if phase == c.KEEPING:
        return keep_drawn(board, table, hand, mind)
    if phase == c.MARKER:
        return place_marker(board, table, hand, mind)
    if phase == c.ALVIN:
        return move_alvin(board, table, hand, mind)
    if phase == c.OPENING:
        return keep_opening(board, table, hand, mind)
    if phase == c.START:
        return choose_start(board, table, hand, mind)
    if phase == c.STACK:
        return place_stack(board, table, hand, mind)
    return choose_token(board, table, hand, mind)

"""Plans the routes that complete its tickets together, and claims, draws and takes more tickets by that plan.

A heuristic of ttrsim's own. It keeps the tickets whose joint cheapest tree pays for the turns it takes, plans again
when a route of it is gone, claims what it can pay (contested routes first), draws the colours it lacks, fills in long
routes with cards and trains to spare, takes more tickets once all are done and there is time, and ends the game when
ahead.
What is special to a board (tunnels, stations, markers, Alvin, tokens) it does as ttrsim's defaults do.
"""

import numpy as np

from ttrsim.core.constants import DRAW_TICKETS, NOBODY, PASS
from ttrsim.kit.defaults import anything, last_turn
from ttrsim.kit.fillers import best_filler, closing_claim, need_for, spare_claim
from ttrsim.kit.hands import best_draw, needed_card_shown
from ttrsim.kit.plans import claim_contested, claim_planned, keep_plan
from ttrsim.kit.signs import lead, rounds_left
from ttrsim.kit.tickets import choose_tickets

NAME = "planner"
PARAMS = {
    "thrift": (0.95, 0, 5),  # worth of a turn when tickets are chosen, as a share of what the best routes bring
    "risk": (2.5, 0, 20),  # points feared for each turn of a plan past the likely end
    "trains": (8, 0, 60),  # to be left for more tickets
    "tempo": (8, 0, 60),  # rounds to be left for more tickets
    "full": (1.0, 0, 3),  # cards of a full hand, for each train left, up to which it only collects
    "alarm": (12, 0, 100),  # rounds to the likely end at which it collects no more
    "nerve": (2, 0, 20),  # interest of rivals (see `contest`) at which it claims a planned route all the same
    "envy": (1, 0, 60),  # tickets that a rival may hold more, and it takes more itself
    "patience": (6, 0, 9),  # spaces of the shortest filler while a plan is unfinished
    "slow": (0.5, 0, 5),  # turns that a missing card of a filler takes
    "weight": (0.25, 0, 5),  # turns that a train is worth
    "rival": (10, 0, 40),  # points that others are taken to have for each ticket, when it asks whether it is ahead
}


def keep_opening(board, table, hand, mind):
    return choose_tickets(board, table, hand, mind, mind.params["thrift"] * board.turn_points, mind.params["risk"])


def keep_drawn(board, table, hand, mind):
    return keep_opening(board, table, hand, mind)


def take_turn(board, table, hand, mind):
    rounds = rounds_left(board, table, mind)
    if rounds <= 1.0:
        return last_turn(board, table, hand, mind)
    trains = keep_plan(board, table, hand, mind)
    if collects(board, table, hand, mind, rounds):
        action = claim_contested(board, table, hand, mind, int(mind.params["nerve"]))
        if action == PASS:
            action = collect(board, table, hand, mind, trains)
        if action != PASS:
            return action
    action = claim_planned(board, table, hand, mind)
    if action != PASS:
        return action
    if trains == 0:
        if table.turns_to_go == NOBODY and lead(board, table, hand, mind, mind.params["rival"]) > 0:
            action = closing_claim(board, table, hand, mind)
            if action != PASS:
                return action
        if wants_tickets(table, hand, mind, rounds):
            return np.int64(DRAW_TICKETS)
    return fill(board, table, hand, mind, trains)


def collects(board, table, hand, mind, rounds):
    """Whether it still gathers cards: from a full hand it chooses better what to pay with, and shows nothing."""
    return table.hand_cards[hand.seat] < mind.params["full"] * table.trains[hand.seat] and rounds > mind.params["alarm"]


def collect(board, table, hand, mind, trains):
    route = np.int64(NOBODY) if needed_card_shown(table, mind) else filler(board, table, hand, mind, trains)
    if route != NOBODY:
        need_for(board, mind, route)
    return best_draw(board, table, hand, mind)


def wants_tickets(table, hand, mind, rounds):
    """Whether there is time for more tickets. Who holds fewer than a rival does better to end the game before those
    are done.
    """
    if table.tickets_left == 0 or table.trains[hand.seat] < mind.params["trains"] or rounds < mind.params["tempo"]:
        return False
    for seat in range(table.players):
        if table.kept_tickets[seat] > table.kept_tickets[hand.seat] + mind.params["envy"]:
            return False
    return True


def fill(board, table, hand, mind, trains):
    """Claim a filler with what is to spare beside the plan, or draw for both."""
    route = np.int64(NOBODY)
    if trains == 0 or not needed_card_shown(table, mind):
        route = filler(board, table, hand, mind, trains)
    if route != NOBODY:
        action = spare_claim(board, hand, mind, route)
        if action != PASS and (trains == 0 or board.route_length[route] >= mind.params["patience"]):
            return action
    return draw(board, table, hand, mind, route)


def filler(board, table, hand, mind, trains):
    left = table.trains[hand.seat] - trains
    return best_filler(board, table, hand, mind, left, mind.params["slow"], mind.params["weight"])


def draw(board, table, hand, mind, route):
    if route != NOBODY and not needed_card_shown(table, mind):
        need_for(board, mind, route)
    action = best_draw(board, table, hand, mind)
    return action if action != PASS else anything(board, table, hand, mind)


def second_card(board, table, hand, mind):
    trains = keep_plan(board, table, hand, mind)
    route = np.int64(NOBODY) if needed_card_shown(table, mind) else filler(board, table, hand, mind, trains)
    return draw(board, table, hand, mind, route)

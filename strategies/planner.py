"""Plans the routes that complete its tickets together, and claims, draws and takes more tickets by that plan.

A heuristic of ttrsim's own. It keeps the tickets whose joint cheapest tree is worth the turns it takes, and plans again
when a route of that tree is lost. First it gathers the colours it lacks, and claims only routes that rivals seem to
want too. With a full hand, or near the end, it claims what it can pay for, and adds long routes with spare cards and
trains. It takes more tickets once all are done and there is time, and ends the game when ahead.
The special rules of boards (tunnels, stations, Alvin, tokens) are left to ttrsim's defaults; so are start cities and
markers, unless parameters say otherwise.
"""

from ttrsim.bot import (
    NOBODY,
    PASS,
    anything,
    best_filler,
    choose_for_bonus,
    claim_sparing,
    collects,
    draw_beside,
    draw_for_both,
    finish,
    just_withdrew,
    keep_plan,
    last_turn,
    marker_for_points,
    paying_marker,
    rounds_left,
    spare_claim,
    start_for_points,
    start_on_plan,
)

NAME = "planner"
PARAMS = {
    "thrift": (0.75, 0, 5),  # worth of a turn when tickets are chosen, as a share of what the best routes bring
    "risk": (7, 0, 20),  # points feared for each turn of a plan past the likely end
    "trains": (2, 0, 60),  # to be left for more tickets
    "tempo": (22, 0, 60),  # rounds to be left for more tickets
    "hunger": (28, 0, 60),  # how many fewer it asks where the most tickets bring a bonus
    "full": (0.83, 0, 3),  # cards per train left up to which it only collects
    "share": (2.3, 0, 10),  # or up to this many times an even share of all cards
    "alarm": (13.5, 0, 100),  # rounds to the likely end at which it collects no more
    "nerve": (5, 0, 20),  # interest of rivals (see `contest`) at which it claims a planned route all the same
    "patience": (6, 0, 9),  # spaces of the shortest filler while a plan is unfinished
    "slow": (0.6, 0, 5),  # turns that a missing card of a filler takes
    "weight": (0.2, 0, 5),  # turns that a train is worth
    "rival": (10, 0, 40),  # points that others are taken to have for each ticket, when it asks whether it is ahead
    "wild": (2, 0, 20),  # spaces that a planned route counts less for each wild it takes, when it chooses which first
    "bonus": (0, 0, 20),  # points that completing a ticket is worth beside its own, towards the most tickets
    "start": (0, 0, 1, int),  # 1: it starts at the planned city whose open routes score most; 0: that has most of them
    "marker": (0, 0, 80),  # points of the open routes at a city that it places a marker for; 0: three routes will do
}
SWITCHES = (
    "never_draws_tickets",
    "opening_tickets",
    "never_takes_wilds",
    "draws_blind",
    "claims_at_once",
    "ignores_rivals",
    "ignores_trail",
    "never_builds_stations",
)


def keep_opening(board, table, hand, mind):
    thrift = mind.params["thrift"] * board.turn_points
    return choose_for_bonus(board, table, hand, mind, thrift, mind.params["risk"], mind.params["bonus"])


def keep_drawn(board, table, hand, mind):
    return keep_opening(board, table, hand, mind)


def choose_start(board, table, hand, mind):
    if mind.params["start"]:
        return start_for_points(board, table, hand, mind)
    return start_on_plan(board, table, hand, mind)


def place_marker(board, table, hand, mind):
    if mind.params["marker"] == 0:
        return paying_marker(board, table, hand, mind)
    return marker_for_points(board, table, hand, mind, mind.params["marker"])


def take_turn(board, table, hand, mind):
    if rounds_left(board, table, mind) <= 1.0:
        return last_turn(board, table, hand, mind)
    trains = keep_plan(board, table, hand, mind)
    action = collect(board, table, hand, mind, trains)
    if action == PASS:
        action = claim_sparing(board, table, hand, mind, 0, mind.params["wild"])
    if action == PASS and trains == 0:
        tempo = mind.params["tempo"] - (mind.params["hunger"] if board.most_tickets_bonus > 0 else 0.0)
        action = finish(board, table, hand, mind, mind.params["trains"], tempo, mind.params["rival"])
    return action if action != PASS else fill(board, table, hand, mind, trains)


def collect(board, table, hand, mind, trains):
    """Draw a card, or claim a route that others want too, while gathering cards and after withdrawing from a tunnel."""
    if just_withdrew(table, hand, mind):
        return draw(board, table, hand, mind, trains)
    if not collects(board, table, hand, mind, mind.params["full"], mind.params["share"], mind.params["alarm"]):
        return PASS
    action = claim_sparing(board, table, hand, mind, int(mind.params["nerve"]), mind.params["wild"])
    return action if action != PASS else draw(board, table, hand, mind, trains)


def fill(board, table, hand, mind, trains):
    """Claim a filler with what is to spare beside the plan, or draw for both."""
    left = table.trains[hand.seat] - trains
    route = best_filler(board, table, hand, mind, left, mind.params["slow"], mind.params["weight"])
    if route != NOBODY and (trains == 0 or board.route_length[route] >= mind.params["patience"]):
        action = spare_claim(board, mind, route)
        if action != PASS:
            return action
    action = draw_beside(board, table, hand, mind, route)
    return action if action != PASS else anything(board, table, hand, mind)


def draw(board, table, hand, mind, trains):
    """Draw a card for the plan, which takes `trains` trains, or for a filler."""
    return draw_for_both(board, table, hand, mind, trains, mind.params["slow"], mind.params["weight"])


def second_card(board, table, hand, mind):
    return draw(board, table, hand, mind, keep_plan(board, table, hand, mind))

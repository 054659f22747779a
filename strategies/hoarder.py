"""Collects cards until it could pay for all its trains, none are left or the end is near, and then only claims.

A style of ttrsim's own, for contrast. Nobody sees what it plans until it has most of its cards; it chooses what to
pay with from a full hand, and the cards it draws for its plan fit other plans too. In return it comes late to routes
that others also want. It plans for its tickets and draws what the plan lacks. Once it has begun to claim, it plays like
ttrsim's defaults, and like them it takes more tickets when all are done early.
"""

from ttrsim.bot import HASTE, PASS, choose_tickets, default_second_card, default_take_turn, rounds_left

NAME = "hoarder"
PARAMS = {
    "full": (1, 0.2, 2),  # cards that make a full hand, per train that a player starts with
    "alarm": (12, 0, 60),  # rounds to the likely end at which it collects no more
    "thrift": (0.85, 0, 5),  # worth of a turn when tickets are chosen, as a share of what the best routes bring
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

BEGUN = 0
"""Place in the memory: 1 once it claims."""


def keep_opening(board, table, hand, mind):
    return choose_tickets(board, table, hand, mind, mind.params["thrift"] * board.turn_points, HASTE)


def keep_drawn(board, table, hand, mind):
    return keep_opening(board, table, hand, mind)


def take_turn(board, table, hand, mind):
    if not mind.memory[BEGUN]:
        action = collect(board, table, hand, mind)
        if action != PASS:
            return action
        mind.memory[BEGUN] = 1
    return default_take_turn(board, table, hand, mind)


def collect(board, table, hand, mind):
    """Draw a card for the plan, or for long routes beside it; PASS if it is time to claim or no card can be drawn."""
    if mind.params["claims_at_once"]:
        return PASS
    if table.hand_cards[hand.seat] >= mind.params["full"] * board.trains:
        return PASS
    if rounds_left(board, table, mind) <= mind.params["alarm"]:
        return PASS
    return default_second_card(board, table, hand, mind)

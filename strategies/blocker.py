"""Plans for its tickets, and takes short routes that a rival needs to join what it has built.

A style of ttrsim's own, for contrast. Where a short route would join two parts of a rival's network and nobody could
use a parallel one any more, it asks how much farther the rival's cheapest way around is. If that costs enough, it
claims the route, with cards and trains that its own plan does not need, and without wilds. Harming one rival of many
gains less, so the detour must cost more the more players there are. With up to three players there is more to block,
because a claim closes the parallel route. Where every network is in one piece, as in Old West, there is nothing to
block. It ends the game when ahead, and otherwise plays like ttrsim's defaults. With two players blocking gains about
what it costs; with more it loses wins.
"""

from ttrsim.bot import (
    HASTE,
    NO_BITS,
    NOBODY,
    NOWHERE,
    ONE_BIT,
    PASS,
    ROUTE_WORDS,
    bit,
    choose_tickets,
    claim_planned,
    claimable_word,
    connects,
    default_second_card,
    default_take_turn,
    end_if_ahead,
    group_of,
    holds,
    join,
    just_withdrew,
    keep_plan,
    last_turn,
    lowest,
    next_member,
    price_turns,
    rounds_left,
    spare_claim,
    spread,
    usable_word,
)

NAME = "blocker"
PARAMS = {
    "thrift": (0.9, 0, 5),  # worth of a turn when tickets are chosen, as a share of what the best routes bring
    "short": (4, 0, 8),  # spaces of the longest route that it takes from a rival
    "harm": (1, 0, 20),  # turns that the way around must cost one rival, per rival at the table
    "rival": (10, 0, 40),  # points that others are taken to have for each ticket, when it asks whether it is ahead
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

LOST = 40
"""Half-turns that a rival is assumed to lose where there is no way around."""


def keep_opening(board, table, hand, mind):
    return choose_tickets(board, table, hand, mind, mind.params["thrift"] * board.turn_points, HASTE)


def keep_drawn(board, table, hand, mind):
    return keep_opening(board, table, hand, mind)


def take_turn(board, table, hand, mind):
    if rounds_left(board, table, mind) <= 1.0:
        return last_turn(board, table, hand, mind)
    action = PASS
    if just_withdrew(table, hand, mind):
        action = default_second_card(board, table, hand, mind)
    if action == PASS:
        trains = keep_plan(board, table, hand, mind)
        action = block(board, table, hand, mind, table.trains[hand.seat] - trains)
        if action == PASS:
            if trains > 0:
                action = claim_planned(board, table, hand, mind)
            else:
                action = end_if_ahead(board, table, hand, mind, mind.params["rival"])
    return action if action != PASS else default_take_turn(board, table, hand, mind)


def block(board, table, hand, mind, trains):
    """Return the claim, with spare cards and trains, that costs a rival most; PASS if none costs enough."""
    if mind.params["ignores_rivals"]:
        return PASS
    price_turns(board, mind)
    best, most = PASS, 2 * mind.params["harm"] * (table.players - 1)
    for other in range(table.players):
        if other != hand.seat:
            parts = find_parts(board, table, mind, other)
            for w in range(ROUTE_WORDS):
                word = within_reach(board, table, hand, mind, other, trains, w)
                while word:
                    route = 64 * w + lowest(word)
                    word &= word - ONE_BIT
                    if joins_parts(board, table, mind, parts, other, route) and is_last(board, table, route):
                        action = spare_claim(board, mind, route)
                        lost = way_around(board, mind, parts, route) - mind.work.price[board.route_grade[route]]
                        if action != PASS and action % 10 == 0 and lost > most:  # paid without wilds
                            best, most = action, lost
    return best


def within_reach(board, table, hand, mind, other, trains, w):
    """Return word w of the short routes that both the seat, with this many trains, and another may claim."""
    short = board.up_to[max(0, min(trains, int(mind.params["short"]))), w]
    return claimable_word(board, table, hand.seat, w) & usable_word(board, table, other, w) & short


def find_parts(board, table, mind, seat):
    """Write the parts of a seat's network into `mind.work.merged`, as cities its routes connect; return how many."""
    parts, route = 0, next_member(table.owned[seat], NOBODY)
    while route != NOBODY:
        parts = join(mind.work.merged, parts, board.route_ends[route])
        route = next_member(table.owned[seat], route)
    return parts


def joins_parts(board, table, mind, parts, seat, route):
    """Return whether a route would join two parts of a seat's network."""
    ends = board.route_ends[route]
    return table.network[seat] & ends == ends and not connects(mind.work.merged, parts, ends)


def is_last(board, table, route):
    """Return whether nobody could use a parallel route once this one is claimed."""
    if table.players < board.parallel_open_from:
        return True
    twins = NO_BITS
    for w in range(ROUTE_WORDS):
        twins |= board.twins[route, w] & table.open[w]
    return twins == NO_BITS


def way_around(board, mind, parts, route):
    """Return the half-turns of the cheapest way between the two parts that a route would join, if it were closed."""
    work, a, b = mind.work, board.route_a[route], board.route_b[route]
    closed = 0
    for grade in range(board.grades):
        if holds(work.links[a, grade], b):
            closed |= 1 << grade
            work.links[a, grade] &= ~bit(b)
            work.links[b, grade] &= ~bit(a)
    ends = group_of(work.merged, parts, bit(a)), group_of(work.merged, parts, bit(b))
    half_turns = spread(board, work, work.merged, parts, ends[0], ends[1])
    for grade in range(board.grades):
        if closed >> grade & 1:
            work.links[a, grade] |= bit(b)
            work.links[b, grade] |= bit(a)
    return LOST if half_turns == NOWHERE else half_turns

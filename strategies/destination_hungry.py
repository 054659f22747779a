"""Destination Hungry: plans for all its tickets at once, and takes more of them as long as the plan is small.

One of the four agents of F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen, "AI-based Playtesting of
Contemporary Board Games" (FDG 2017). It plays as their program really does, because their findings rest on that.

For each set of tickets that it may keep it plans a tree through the cities of that set and of the tickets it holds:
the two farthest apart are the seeds of two halves, the others are attached by cheapest paths to the nearer half, and
the halves are joined by a cheapest path. It keeps the set whose points, of tickets and routes, divided by trains are
highest, among plans that leave it 5 trains; else that whose plan takes the fewest trains, if it has them; else that
of the fewest ticket points. A turn begins with drawing tickets if the plan needs fewer trains than it has left
beyond 8. Else it claims any planned route that it can pay, gray ones only in a colour that it does not need
elsewhere; with nothing planned, the longest route that it can pay. Else it draws the colour showing most copies face
up if it needs it; else, if most of what it needs is gray, a colour with two copies or more face up; else blind.

With `slips` (the default) it repeats what was a slip in the program: whether to draw tickets it judges by the plan
of the last set it evaluated, not of the one it chose.

The description leaves some things open. Here a path is as cheap as the trains it still takes, and a route longer
than the trains left is not free; sets are evaluated in the order of their bits, so that the last one has all
tickets; the points of a set are those of the tickets held as well; cities are attached in the board's order; tickets
held that cannot be finished any more are left out, and a set with such a ticket fits no trains. A plan stands until
somebody takes a connection of it; then one for the tickets held takes the place of it and of the last one evaluated.
It claims the first planned route in the board's order, in the colour held most, with wilds for cards that lack. What
it needs are the cards that planned coloured routes lack, and all cards of gray ones.

The paper knows the USA board only. Elsewhere the tree also joins the network where claims must; after a tunnel that
came to nothing it draws first; stations are built only when nothing else can be done; and all other decisions are
the defaults.
"""

import numpy as np

from ttrsim.bot import (
    DRAW_TICKETS,
    GRAY,
    KEEP,
    KINDS,
    NO_BITS,
    NOBODY,
    ONE_BIT,
    PASS,
    ROUTE_WORDS,
    TAKE,
    any_track,
    bit,
    can_connect,
    claim_with,
    claimed_since,
    draw_blind,
    is_connected,
    join_groups,
    just_withdrew,
    keeps_wrong_number,
    kinds_for,
    longest_of,
    lowest,
    measure_groups,
    most_held,
    payable_routes,
    points_for,
    remember,
    remembered_word,
    set_prices,
    trains_for,
    usable_word,
)

NAME = "destination_hungry"
PARAMS = {"slips": (1, 0, 1)}

PLAN, LAST, STAMP, GROUPS, PAIRS = 0, 3, 6, 7, 16
"""Places in the memory: the routes of its plan; those of the plan evaluated last; see `claimed_since`; the
cities of the tickets held, and of each ticket offered; see `measure_groups`."""
HELD = 1  # the first group alone, as bits
WELL, BADLY, NOT = 2, 1, 0  # how a plan fits the trains left: with some to spare, without, or not at all
SPARE_TRAINS = 5
SPARE_TRAINS_FOR_TICKETS = 8


def keep_opening(board, table, hand, mind):
    return keep_fittest(board, table, hand, mind)


def keep_drawn(board, table, hand, mind):
    return keep_fittest(board, table, hand, mind)


def keep_fittest(board, table, hand, mind):
    """Keep the set of tickets whose plan is best, and remember its plan and the last one."""
    mind.memory[STAMP] = 0
    points = measure_tickets(board, table, hand, mind, hand.offered)
    best, best_fit, best_top, best_bottom = 0, -1, 0, 1
    for kept in range(1 << hand.offered):
        if not keeps_wrong_number(board, table, hand, np.uint64(kept)):
            trains = join_groups(board, mind, GROUPS, 1 + hand.offered, PAIRS, 2 * kept + HELD)
            remember(mind, LAST, mind.work.path)
            fit, top, bottom = fitness(board, table, hand, mind, kept, trains, points)
            if fit > best_fit or (fit == best_fit and top * best_bottom > best_top * bottom):
                best, best_fit, best_top, best_bottom = kept, fit, top, bottom
                remember(mind, PLAN, mind.work.path)
    return KEEP + best


def measure_tickets(board, table, hand, mind, offered):
    """Write the groups of cities and their distances into the memory; return the points of the tickets held."""
    set_prices(board, mind, 0, 1, 0)
    points, cities = 0, NO_BITS
    for w in range(len(hand.tickets)):
        left = hand.tickets[w]
        while left:
            ticket = 64 * w + lowest(left)
            left &= left - ONE_BIT
            if can_connect(board, table, hand, mind, board.ticket_ends[ticket]):
                cities |= board.ticket_ends[ticket]
                points += board.ticket_points[ticket]
    if board.own_network:
        network = table.network[hand.seat]
        cities |= network & (~network + ONE_BIT)
    mind.memory[GROUPS] = np.int64(cities)
    for i in range(offered):
        mind.memory[GROUPS + 1 + i] = np.int64(board.ticket_ends[hand.offer[i]])
    measure_groups(board, table, hand, mind, GROUPS, 1 + offered, PAIRS)
    return points


def fitness(board, table, hand, mind, kept, trains, points):
    """How a set fits, and what to compare it by among sets that fit alike: a fraction, the higher the better."""
    offered, possible = 0, True
    for i in range(hand.offered):
        if kept >> i & 1:
            offered += board.ticket_points[hand.offer[i]]
            if not is_connected(mind, PAIRS, 1 + i):
                possible = False
    if possible and trains <= table.trains[hand.seat] - SPARE_TRAINS:
        if trains == 0:
            return WELL, (offered + points) * board.trains, 1
        return WELL, offered + points + points_for(board, mind.work.path), trains
    if possible and trains <= table.trains[hand.seat]:
        return BADLY, -trains, 1
    return NOT, -offered, 1


def take_turn(board, table, hand, mind):
    if claimed_since(table, mind, STAMP):
        mend_plans(board, table, hand, mind)
        count_wanted(board, table, hand, mind, missing(table, hand, mind, PLAN))
    plan = missing(table, hand, mind, PLAN)
    judged = missing(table, hand, mind, LAST) if mind.params["slips"] != 0 else plan
    if table.tickets_left > 0 and trains_for(board, judged) < table.trains[hand.seat] - SPARE_TRAINS_FOR_TICKETS:
        return DRAW_TICKETS
    action = PASS if just_withdrew(table, hand, mind) else claim(board, table, hand, mind, plan)
    return action if action != PASS else draw(board, table, hand, mind)


def mend_plans(board, table, hand, mind):
    """Put twins in place of planned routes that are gone; if the plan lost a connection, make a new one."""
    settle(board, table, hand, mind, LAST)
    if not settle(board, table, hand, mind, PLAN):
        measure_tickets(board, table, hand, mind, 0)
        join_groups(board, mind, GROUPS, 1, PAIRS, HELD)
        remember(mind, PLAN, mind.work.path)
        remember(mind, LAST, mind.work.path)


def settle(board, table, hand, mind, place):
    """Put twins in place of the routes of a plan that are neither owned nor free; return whether none is lost."""
    whole = True
    for w in range(ROUTE_WORDS):
        gone = remembered_word(mind, place, w)
        if gone:
            gone &= ~hers(board, table, hand, w)
        while gone:
            i = lowest(gone)
            gone &= gone - ONE_BIT
            twin = twin_of(board, table, hand, 64 * w + i)
            if twin == NOBODY:
                whole = False
            else:
                mind.memory[place + w] = np.int64(remembered_word(mind, place, w) & ~bit(i))
                v = twin >> 6
                mind.memory[place + v] = np.int64(remembered_word(mind, place, v) | bit(twin & 63))
    return whole


def hers(board, table, hand, w):
    """Word w of the routes that the seat owns or may still claim."""
    return usable_word(board, table, hand.seat, w) | table.owned[hand.seat, w]


def twin_of(board, table, hand, route):
    """A twin of a route that the seat owns or may still claim, or NOBODY."""
    for w in range(ROUTE_WORDS):
        twins = board.twins[route, w] & hers(board, table, hand, w)
        if twins:
            return 64 * w + lowest(twins)
    return NOBODY


def missing(table, hand, mind, place):
    """The routes of a plan that the seat does not own, as a tuple of words."""
    owned = table.owned[hand.seat]
    return (
        remembered_word(mind, place, 0) & ~owned[0],
        remembered_word(mind, place, 1) & ~owned[1],
        remembered_word(mind, place, 2) & ~owned[2],
    )


def claim(board, table, hand, mind, plan):
    """Claim the first planned route that can be paid; with nothing planned, the longest; else PASS."""
    payable = payable_routes(board, table, hand)
    if not (plan[0] | plan[1] | plan[2]):
        route = longest_of(board, payable)
        return PASS if route == NOBODY else claim_in(board, table, hand, route, colours_of(board, table, hand, route))
    for w in range(ROUTE_WORDS):
        left = plan[w]
        while left:
            route = 64 * w + lowest(left)
            left &= left - ONE_BIT
            if any_track(board, route, payable):
                kinds = colours_of(board, table, hand, route)
                if board.route_colour[route] == GRAY:
                    kinds &= ~colours_needed(board, mind)
                action = claim_in(board, table, hand, route, kinds)
                if action != PASS:
                    return action
    return PASS


def colours_of(board, table, hand, route):
    """The colours, as bits of a number, in which a route or a twin of it can be paid."""
    return np.int64(kinds_for(board, table, hand.seat, route))


def claim_in(board, table, hand, route, kinds):
    """Claim a route with that of these colours of which most is held, and wilds; else PASS."""
    kind = most_held(board, hand, kinds)
    return PASS if kind == NOBODY else claim_with(board, table, hand, route, kind)


def count_wanted(board, table, hand, mind, plan):
    """Write the spaces of the planned routes, by colour, into `mind.work.wanted`, to stand until a route is claimed."""
    wanted = mind.work.wanted
    for kind in range(KINDS):
        wanted[kind] = 0
    for w in range(ROUTE_WORDS):
        left = plan[w]
        while left:
            route = 64 * w + lowest(left)
            left &= left - ONE_BIT
            kind = GRAY
            if board.route_colour[route] != GRAY:
                kind = most_held(board, hand, colours_of(board, table, hand, route))
            wanted[kind] += board.route_length[route]


def colours_needed(board, mind):
    """The colours, as bits, that planned coloured routes want."""
    needed = 0
    for kind in range(board.colours):
        if mind.work.wanted[kind] > 0:
            needed |= 1 << kind
    return needed


def draw(board, table, hand, mind):
    """Draw the colour showing most copies if it is needed, or if most needs are gray and it shows two; else blind."""
    wanted, lacking, most = mind.work.wanted, 0, 0
    for kind in range(board.colours):
        lacking += max(0, wanted[kind] - hand.cards[kind])
        most = max(most, table.display[kind])
    if most > 0:
        for kind in range(board.colours):
            if table.display[kind] == most and wanted[kind] > hand.cards[kind]:
                return TAKE + kind
    if most >= 2 and wanted[GRAY] > lacking:
        for kind in range(board.colours):
            if table.display[kind] == most:
                return TAKE + kind
    return draw_blind(board, table, hand, mind)


def second_card(board, table, hand, mind):
    return draw(board, table, hand, mind)

"""Destination Hungry: plans for all its tickets at once, and takes more of them as long as the plan is small.

One of the four agents of F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen, "AI-based Playtesting of
Contemporary Board Games" (FDG 2017). It decides as their program does (fernandomsilva/Ticket-to-Ride-Engine a24afc5,
and its fork by R. T. Witter and A. Lyford, rtealw/Ticket-to-Ride-Engine bdebb08), because their findings rest on that.

For each set of tickets that it may keep it plans a tree through the cities of that set and of the tickets it holds,
finished ones too: see `plan_through` of `ttrsim.bot`. A plan's trains are those of the routes that it lacks, whatever
cards it holds. Among plans that leave it 5 trains it looks for the most points per train, of tickets and routes; among
others that take fewer trains than it has for the fewest trains. If no plan will do it keeps the tickets of fewest
points and the plan it had. It plans anew for the tickets it holds when others or itself have scored for routes.

A turn begins with drawing tickets if the plan by which it last chose tickets takes fewer trains than it has left beyond
8, so it may draw every turn until none is left. Else it claims the first planned route that it can pay, a gray one only
in a colour that no planned route wants; with nothing planned, the longest route that it can pay. Else it draws: of the
kind showing most cards face up, if it is wanted, or if gray routes want most and two cards show; else blind.

With `slips` (the default) it repeats what were slips in the program. A city joins the plan where the one before did,
unless it lies nearer than all before. A connection may be counted twice. The last set of tickets that passes one of the
two tests is kept; meant was the second test only if none passes the first. Whether to draw tickets is judged by the
plan of the last set looked at; meant was the one kept. After choosing tickets it waits with a new plan until others
have scored as much again. And the kind most wanted is not looked for face up before all else.

Where the program goes by the order of a dictionary, this goes by the board's order of cities and tracks, and by the
order that the program has for kinds on USA. Decisions on boards that the program does not know: the tree also joins the
network where claims must; no stations are built unless nothing else can be done; extra cards of a tunnel are paid
whenever the hand can; and all others are the defaults.
"""

import numpy as np

from ttrsim.bot import (
    CLAIM_ORDER,
    DRAW_BLIND,
    DRAW_TICKETS,
    GRAY,
    KEEP,
    KINDS,
    NO_BITS,
    NO_PLAN,
    NOBODY,
    ONE_BIT,
    PASS,
    POINTS_MARKERS,
    POINTS_ROUTES,
    ROUTE_WORDS,
    TAKE,
    TURN,
    WILD,
    WILD_NEEDS,
    any_action,
    any_track,
    can_draw,
    claim_in_order,
    claim_with,
    count,
    holds,
    in_graph,
    in_order_dealt,
    keep_lowest,
    keeps_wrong_number,
    longest_of,
    lowest,
    measure_distances,
    payable_routes,
    plan_through,
    remember,
    remembered_word,
    subsets,
    would_lay_out_again,
)

NAME = "destination_hungry"
PARAMS = {"slips": (1, 0, 1)}

PLAN, NEEDS, THRESHOLD, COUNTER = 0, 3, 14, 15
"""Places in the memory: the routes of its plan; the trains that it takes, by kind, gray ones at GRAY and the wilds of
ferries at WILD_NEEDS; the trains by which it judges whether to draw tickets; the route points up to which the plan
stands."""
SPARE_TRAINS = 5
SPARE_TRAINS_FOR_TICKETS = 8
FACE_UP = (2, 0, 3, WILD, 5, 4, 7, 1, 6, 8)
WANTED = (2, 0, 7, 3, GRAY, 4, 5, 1, WILD_NEEDS, 6, 8)
"""Of equal kinds the first in these orders is taken: face up, and among the needs."""


def keep_opening(board, table, hand, mind):
    return keep_fittest(board, table, hand, mind)


def keep_drawn(board, table, hand, mind):
    return keep_fittest(board, table, hand, mind)


def keep_fittest(board, table, hand, mind):
    """Keep the set of tickets that fits best, with its plan."""
    slips = mind.params["slips"] != 0
    held, points = held_tickets(board, table, hand)
    cities = held
    for i in range(hand.offered):
        cities |= in_graph(board, table, hand, board.ticket_ends[hand.offer[i]])
    measure_distances(board, table, hand, mind, cities)
    chosen, chosen_trains, trains = NOBODY, np.int64(0), np.int64(0)
    best_points, best_trains, least = np.int64(0), np.int64(1), np.int64(table.trains[hand.seat])
    well = False  # whether a set was chosen for its points per train
    for size in range(hand.keep_least, hand.offered + 1):
        for place in range(subsets(hand)):
            kept = in_order_dealt(hand, place)
            if count(np.uint64(kept)) != size or keeps_wrong_number(board, table, hand, np.uint64(kept)):
                continue
            worth, trains = plan_with(board, table, hand, mind, held, kept)
            worth += points
            passes = False
            if NO_PLAN < trains <= table.trains[hand.seat] - SPARE_TRAINS:
                passes = worth * best_trains > best_points * trains
                if passes:
                    best_points, best_trains, well = worth, trains, True
            elif NO_PLAN < trains < least and (slips or not well):
                least, passes = trains, True
            if passes:
                chosen, chosen_trains = kept, trains
                note_plan(mind)
    if chosen == NOBODY:
        return keep_lowest(board, table, hand)
    mind.memory[THRESHOLD] = trains if slips else chosen_trains
    mind.memory[COUNTER] = others_points(table, hand) + (mind.memory[COUNTER] if slips else own_points(table, hand))
    return KEEP + chosen


def held_tickets(board, table, hand):
    """Return the cities of the tickets held, and their points; not of tickets with a city that no route leads to."""
    cities, points = NO_BITS, np.int64(0)
    for w in range(len(hand.tickets)):
        left = hand.tickets[w]
        while left:
            ticket = 64 * w + lowest(left)
            left &= left - ONE_BIT
            ends = board.ticket_ends[ticket]
            if in_graph(board, table, hand, ends) == ends:
                cities |= ends
                points += board.ticket_points[ticket]
    if board.own_network:
        network = table.network[hand.seat]
        cities |= network & (~network + ONE_BIT)
    return cities, points


def plan_with(board, table, hand, mind, held, kept):
    """Plan for some tickets offered with those held; return the points of these and of the plan, and its trains."""
    cities, points = held, np.int64(0)
    for i in range(hand.offered):
        if kept >> i & 1:
            cities |= in_graph(board, table, hand, board.ticket_ends[hand.offer[i]])
            points += board.ticket_points[hand.offer[i]]
    trains = plan_through(board, table, hand, mind, cities, mind.params["slips"] != 0)
    return points + mind.work.plan_points, trains


def note_plan(mind):
    """Write the plan made last into the memory."""
    remember(mind, PLAN, mind.work.path)
    for kind in range(KINDS + 1):
        mind.memory[NEEDS + kind] = mind.work.needs[kind]


def own_points(table, hand):
    """Return the seat's points for routes."""
    return np.int64(table.parts[hand.seat, POINTS_ROUTES] + table.parts[hand.seat, POINTS_MARKERS])


def others_points(table, hand):
    """Return the other players' points for routes."""
    points = np.int64(0)
    for seat in range(table.players):
        if seat != hand.seat:
            points += table.parts[seat, POINTS_ROUTES] + table.parts[seat, POINTS_MARKERS]
    return points


def take_turn(board, table, hand, mind):
    renew_plan(board, table, hand, mind)
    if table.tickets_left > 0 and mind.memory[THRESHOLD] < table.trains[hand.seat] - SPARE_TRAINS_FOR_TICKETS:
        return DRAW_TICKETS
    action = PASS if would_lay_out_again(table, hand, mind) else claim(board, table, hand, mind)
    return action if action != PASS else draw(board, table, hand, mind)


def second_card(board, table, hand, mind):
    renew_plan(board, table, hand, mind)
    return draw(board, table, hand, mind)


def renew_plan(board, table, hand, mind):
    """Plan anew for the tickets held if more was scored for routes than up to which the plan stands."""
    scored = own_points(table, hand) + others_points(table, hand)
    if mind.memory[COUNTER] < scored:
        mind.memory[COUNTER] = scored
        cities, _ = held_tickets(board, table, hand)
        measure_distances(board, table, hand, mind, cities)
        if plan_through(board, table, hand, mind, cities, mind.params["slips"] != 0) == NO_PLAN:
            for place in range(PLAN, NEEDS + KINDS + 1):
                mind.memory[place] = 0
        else:
            note_plan(mind)


def claim(board, table, hand, mind):
    """Claim the first planned route that can be paid; with nothing planned the longest; else PASS."""
    payable = payable_routes(board, table, hand)
    plan = remembered_word(mind, PLAN, 0), remembered_word(mind, PLAN, 1), remembered_word(mind, PLAN, 2)
    if not (plan[0] | plan[1] | plan[2]):
        route = longest_of(board, payable)
        return PASS if route == NOBODY else claim_in_order(board, table, hand, route)
    unwanted = unwanted_colours(board, mind)
    for w in range(ROUTE_WORDS):
        left = payable[w]
        while left:
            route = 64 * w + lowest(left)
            left &= left - ONE_BIT
            if any_track(board, route, plan):
                action = claim_planned_track(board, table, hand, route, planned_colours(board, route, plan, unwanted))
                if action != PASS:
                    return action
    return PASS


def unwanted_colours(board, mind):
    """Return the colours, as bits of a number, that no planned route but gray ones wants."""
    found = 0
    for kind in range(board.colours):
        if mind.memory[NEEDS + kind] <= 0:
            found |= 1 << kind
    return found


def planned_colours(board, route, plan, unwanted):
    """Return the colours, as bits, under which a connection is planned; for a gray route the unwanted ones."""
    found = 0
    for w in range(ROUTE_WORDS):
        left = plan[w] & (board.twins[route, w] | (ONE_BIT << np.uint64(route & 63) if route >> 6 == w else NO_BITS))
        while left:
            colour = np.int64(board.route_colour[64 * w + lowest(left)])
            left &= left - ONE_BIT
            found |= unwanted if colour == GRAY else 1 << colour
    return found


def claim_planned_track(board, table, hand, route, kinds):
    """Claim a route with the first of some colours that pays; else PASS."""
    for kind in CLAIM_ORDER:
        if kinds >> kind & 1:
            action = claim_with(board, table, hand, route, kind)
            if action != PASS:
                return action
    return PASS


def draw(board, table, hand, mind):
    """Draw the kind showing most if it is wanted, or if gray routes want most and two cards show; else blind."""
    wanted = most_wanted(board, mind)
    if wanted != NOBODY:
        if mind.params["slips"] == 0 and wanted < GRAY and holds(table.face_up, wanted):
            return TAKE + wanted
        kind = most_shown(board, table)
        if holds(table.face_up, kind) and (kind != WILD or table.phase == TURN):
            needed = mind.memory[NEEDS + (WILD_NEEDS if kind == WILD else kind)] > 0
            if needed or (wanted == GRAY and table.display[kind] >= 2):
                return TAKE + kind
    return DRAW_BLIND if can_draw(table) else any_action(board, table, hand, mind)


def most_wanted(board, mind):
    """Return the kind for which the plan takes most trains, GRAY and WILD_NEEDS among them; NOBODY if it takes none."""
    best, most = NOBODY, np.int64(0)
    for kind in WANTED:
        if mind.memory[NEEDS + kind] > most:
            best, most = np.int64(kind), mind.memory[NEEDS + kind]
    return best


def most_shown(board, table):
    """Return the kind of which most cards lie face up."""
    best = np.int64(FACE_UP[0])
    for kind in FACE_UP:
        if table.display[kind] > table.display[best]:
            best = np.int64(kind)
    return best

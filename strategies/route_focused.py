"""Route Focused: wants the routes that are worth most, by their own points and those of the ticket they serve.

One of the four agents of F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen, "AI-based Playtesting of
Contemporary Board Games" (FDG 2017). It decides as their program does (fernandomsilva/Ticket-to-Ride-Engine a24afc5,
and its fork by R. T. Witter and A. Lyford, rtealw/Ticket-to-Ride-Engine bdebb08), because their findings rest on that.

It keeps the first three tickets of the opening and never draws more. For each unfinished ticket that can still be
finished it looks at the path with the fewest routes, its own ones counted. The connections of such paths where it owns
nothing and that are strictly shorter than its trains left go on a list, with a priority of route points + 2 × ticket
points; those of equal priority by the names of their cities, in the direction of the path. With nothing on the list it
looks at all free connections that are strictly shorter than its trains left. It claims the first that it can pay with
one colour and wilds: the track's colour, of two tracks that held more, of a gray one the colour held most. Else it
draws.

With `slips` (the default) it repeats what were slips in the program: with nothing on the list it begins with the
free connections of fewest points, meant were those of most; and it always draws blind, meant was the colour of the
first connection, if face up.

Of paths with equally few routes the program takes one that depends on the order of its dictionaries, and this takes
one in the same way, see `ttrsim.kit.dictionaries`. Decisions on boards that the program does not know: paths begin at
the network where claims must join it; tickets are drawn and stations built only when nothing else can be done; extra
cards of a tunnel are paid whenever the hand can; and all others are the defaults.
"""

import numpy as np

from ttrsim.bot import (
    CLAIM_ORDER,
    DRAW_BLIND,
    GRAY,
    MEMORY,
    NOBODY,
    ONE_BIT,
    PASS,
    ROUTE_WORDS,
    TAKE,
    TICKET_WORDS,
    TURN,
    WILD,
    any_action,
    any_track,
    can_draw,
    claim_with,
    claimed_since,
    connected,
    held_most,
    holds,
    keep_first,
    keep_lowest,
    lowest,
    missing_route,
    passable,
    path_to_finish,
    payable_routes,
    would_lay_out_again,
)

NAME = "route_focused"
PARAMS = {"slips": (1, 0, 1)}

OPENING_TICKETS = 3
ANY_LENGTH = 1
STAMP, LIST = 0, 1
"""Places in the memory, which only spare it work: see `claimed_since`; the list, best first, until a 0."""
CITY_BITS, ROUTE_BITS = 6, 8
"""An entry of the list is a number: the priority, then how far from the end of the alphabet each city of the connection
comes, then the route; so the first entry is the highest number."""
LAST_CITY = (1 << CITY_BITS) - 1
MOST_POINTS = 1 << 20  # more than any route scores


def keep_opening(board, table, hand, mind):
    return keep_first(board, table, hand, OPENING_TICKETS)


def keep_drawn(board, table, hand, mind):
    """Keep the tickets of fewest points; it draws tickets only where nothing else can be done."""
    mind.memory[STAMP] = 0
    return keep_lowest(board, table, hand)


def take_turn(board, table, hand, mind):
    make_list(board, table, hand, mind)
    action = PASS
    if not would_lay_out_again(table, hand, mind):
        action = claim_listed(board, table, hand, mind) if mind.memory[LIST] else claim_any(board, table, hand, mind)
    return action if action != PASS else draw(board, table, hand, mind)


def second_card(board, table, hand, mind):
    make_list(board, table, hand, mind)
    return draw(board, table, hand, mind)


def make_list(board, table, hand, mind):
    """Make the list anew if a route was claimed since."""
    if not claimed_since(table, mind, STAMP):
        return
    mind.memory[LIST] = 0
    routes = passable(board, table, hand, ANY_LENGTH)
    for w in range(TICKET_WORDS):
        left = hand.tickets[w]
        while left:
            ticket = 64 * w + lowest(left)
            left &= left - ONE_BIT
            if not connected(board, table, hand, mind, board.ticket_ends[ticket]):
                list_path(board, table, hand, mind, routes, ticket)


def list_path(board, table, hand, mind, routes, ticket):
    """Put the missing connections of the path for a ticket on the list."""
    for i in range(path_to_finish(board, table, hand, mind, routes, ticket)):
        route = missing_route(board, table, hand, mind, routes, i)
        if route != NOBODY and board.route_length[route] < table.trains[hand.seat]:
            priority = board.route_points[route] + 2 * board.ticket_points[ticket]
            first, second = board.city_place[mind.work.way[i]], board.city_place[mind.work.way[i + 1]]
            insert(mind, entry(priority, first, second, route))


def entry(priority, first, second, route):
    """Return a connection as an entry of the list. first, second: the places of its cities in alphabetical order."""
    code = (np.int64(priority) << CITY_BITS) + LAST_CITY - np.int64(first)
    return (((code << CITY_BITS) + LAST_CITY - np.int64(second)) << ROUTE_BITS) + np.int64(route)


def insert(mind, new):
    """Put an entry in its place on the list; what the memory has no room for falls off the end."""
    place = LIST
    while new and place < MEMORY - 1:
        old = mind.memory[place]
        if new > old:
            mind.memory[place] = new
            new = old
        place += 1
    mind.memory[place] = 0


def route_of(mind, place):
    """Return the route of the entry at a place of the memory."""
    return mind.memory[place] & (1 << ROUTE_BITS) - 1


def claim_listed(board, table, hand, mind):
    """Claim the first connection on the list that its colour pays for, else PASS."""
    place, payable = LIST, payable_routes(board, table, hand)
    while mind.memory[place]:
        route = route_of(mind, place)
        place += 1
        if any_track(board, route, payable):
            action = claim_with(board, table, hand, route, colour_for(board, table, hand, route))
            if action != PASS:
                return action
    return PASS


def claim_any(board, table, hand, mind):
    """Claim the free connection of fewest points, without slips of most, that its colour pays for, else PASS."""
    routes, best, highest = payable_routes(board, table, hand), PASS, np.int64(0)
    for w in range(ROUTE_WORDS):
        left = routes[w]
        while left:
            route = 64 * w + lowest(left)
            left &= left - ONE_BIT
            value = value_of(board, table, hand, mind, route)
            if value > highest:
                action = claim_with(board, table, hand, route, colour_for(board, table, hand, route))
                if action != PASS:
                    best, highest = action, value
    return best


def value_of(board, table, hand, mind, route):
    """Return what comes first where nothing is on the list; 0 for a route that takes all trains left."""
    if board.route_length[route] >= table.trains[hand.seat]:
        return np.int64(0)
    points = np.int64(board.route_points[route])
    priority = points if mind.params["slips"] == 0 else MOST_POINTS - points
    a, b = board.city_place[board.route_a[route]], board.city_place[board.route_b[route]]
    return entry(priority, min(a, b), max(a, b), route)


def colour_for(board, table, hand, route):
    """Return the colour to pay a connection with: of its tracks' colours, or for a gray one of all, that held most."""
    colour = held_most(board, table, hand, route)
    if colour != GRAY:
        return colour
    best = np.int64(CLAIM_ORDER[0])
    for kind in CLAIM_ORDER:
        if kind < board.colours and hand.cards[kind] > hand.cards[best]:
            best = np.int64(kind)
    return best


def draw(board, table, hand, mind):
    """Draw blind; without slips first the colour for the first connection, if face up. If no card is left, a wild."""
    if mind.params["slips"] == 0:
        route = route_of(mind, LIST) if mind.memory[LIST] else best_free(board, table, hand, mind)
        if route != NOBODY:
            kind = colour_for(board, table, hand, route)
            if holds(table.face_up, kind):
                return TAKE + kind
    if can_draw(table):
        return DRAW_BLIND
    if table.phase == TURN and holds(table.face_up, WILD):
        return TAKE + WILD
    return any_action(board, table, hand, mind)


def best_free(board, table, hand, mind):
    """Return the free connection of most points that is shorter than the trains left, or NOBODY."""
    best, highest = NOBODY, np.int64(0)
    for w in range(ROUTE_WORDS):
        left = table.open[w] & ~table.barred[hand.seat, w]
        while left:
            route = 64 * w + lowest(left)
            left &= left - ONE_BIT
            value = value_of(board, table, hand, mind, route)
            if value > highest:
                best, highest = route, value
    return best

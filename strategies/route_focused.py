"""Route Focused: wants the routes that are worth most, by their own points and those of the ticket they serve.

One of the four agents of F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen, "AI-based Playtesting of
Contemporary Board Games" (FDG 2017). It plays as their program really does, because their findings rest on that.

It keeps all tickets of the opening and never draws more. For each unfinished ticket that can still be finished it
looks at the path with the fewest routes, its own ones counted. The routes of such paths that it lacks and that are
strictly shorter than its trains left go on a list, with a priority of route points + 2 × ticket points. It claims
the first route on the list that it can pay, with the colour of it that it holds most of. With nothing on the list it
claims any free route that it can pay so. Else it draws.

With `slips` (the default) it repeats what were slips in the program: with nothing on the list it begins with the
free routes of fewest points, meant were those of most; and it always draws blind, meant were the colours it needs,
face up.

The description leaves some things open. Here a route longer than the trains left is not free; the list is made when
somebody has claimed a route; of equal paths, routes and colours the first in the board's order is taken; a longer
route is taken to have more points; cards that lack are paid in wilds; the colours it needs are those that its routes
lack, each the one it holds most of, in the order of priority.

The paper knows the USA board only. Elsewhere the path begins at the network where claims must join it; of long
tickets as many are kept as may be; after a tunnel that came to nothing it draws first; tickets are drawn and
stations built only when nothing else can be done; and all other decisions are the defaults.
"""

import numpy as np

from ttrsim.bot import (
    NO_BITS,
    NOBODY,
    ONE_BIT,
    ROUTE_WORDS,
    TAKE,
    TICKET_WORDS,
    any_track,
    bit,
    claim_with,
    claimed_since,
    connected,
    draw_blind,
    first_of_length,
    just_withdrew,
    keep_all,
    keep_best_value,
    kinds_for,
    longest_of,
    lowest,
    most_held,
    passable,
    path_to_finish,
    payable_routes,
    remember,
    remembered_word,
)

NAME = "route_focused"
PARAMS = {"slips": (1, 0, 1)}

STAMP, DONE, PATHS = 0, 1, 2
"""Places in the memory: see `claimed_since`; the tickets, by their order in the hand, that are finished or cannot
be; the path for each ticket."""
MOST_TICKETS = 20  # in a hand that are looked at: the memory has room for the paths of no more


def keep_opening(board, table, hand, mind):
    return keep_all(board, table, hand, mind)


def keep_drawn(board, table, hand, mind):
    """It draws none; but where nothing else can be done it must."""
    mind.memory[STAMP] = mind.memory[DONE] = 0
    for place in range(PATHS, PATHS + ROUTE_WORDS * MOST_TICKETS):
        mind.memory[place] = 0
    return keep_best_value(board, table, hand, mind, 1)


def take_turn(board, table, hand, mind):
    if claimed_since(table, mind, STAMP):
        find_paths(board, table, hand, mind)
    if just_withdrew(table, hand, mind):
        return draw(board, table, hand, mind)
    payable = payable_routes(board, table, hand)
    route = first_on_list(board, table, hand, mind, payable)
    if route == NOBODY and nothing_on_list(board, table, hand, mind):
        route = any_route(board, mind, payable)
    if route == NOBODY:
        return draw(board, table, hand, mind)
    return claim_with(board, table, hand, route, colour_for(board, table, hand, route))


def find_paths(board, table, hand, mind):
    """Find the path for each ticket, unless it is known and still open: it has still the fewest routes then."""
    routes = passable(board, table, hand, 1)
    i = 0
    for w in range(TICKET_WORDS):
        left = hand.tickets[w]
        while left and i < MOST_TICKETS:
            ticket = 64 * w + lowest(left)
            left &= left - ONE_BIT
            if not mind.memory[DONE] >> i & 1:
                find_path_for(board, table, hand, mind, routes, ticket, i)
            i += 1


def find_path_for(board, table, hand, mind, routes, ticket, i):
    """Find the path for the i-th ticket in hand, or note that there is none to find."""
    place = PATHS + ROUTE_WORDS * i
    if connected(board, table, hand, mind, board.ticket_ends[ticket]):
        close(mind, i)
    elif not is_open(table, hand, mind, place, routes):
        if path_to_finish(board, table, hand, mind, routes, ticket)[1] == NOBODY:
            close(mind, i)
        else:
            remember(mind, place, mind.work.path)


def close(mind, i):
    """The i-th ticket is finished or cannot be."""
    mind.memory[DONE] |= 1 << i
    for w in range(ROUTE_WORDS):
        mind.memory[PATHS + ROUTE_WORDS * i + w] = 0


def is_open(table, hand, mind, place, routes):
    """Whether a path is known that has only these routes, and some that the seat lacks."""
    lost, lacking = NO_BITS, NO_BITS
    for w in range(ROUTE_WORDS):
        word = remembered_word(mind, place, w)
        lost |= word & ~routes[w]
        lacking |= word & ~table.owned[hand.seat, w]
    return lacking != NO_BITS and lost == NO_BITS


def listed_word(board, table, hand, mind, i, w):
    """Word w of the routes that the i-th ticket puts on the list."""
    shorter = board.up_to[np.uint8(min(board.longest_route, max(0, table.trains[hand.seat] - 1))), w]
    return remembered_word(mind, PATHS + ROUTE_WORDS * i, w) & ~table.owned[hand.seat, w] & shorter


def nothing_on_list(board, table, hand, mind):
    """Whether no ticket puts a route on the list."""
    for i in range(MOST_TICKETS):
        for w in range(ROUTE_WORDS):
            if listed_word(board, table, hand, mind, i, w):
                return False
    return True


def first_on_list(board, table, hand, mind, routes):
    """Of the routes on the list that are among these, or have a twin there, that of the highest priority; or NOBODY."""
    best, highest, i = NOBODY, -1, 0
    for v in range(TICKET_WORDS):
        tickets = hand.tickets[v]
        while tickets and i < MOST_TICKETS:
            points = board.ticket_points[64 * v + lowest(tickets)]
            tickets &= tickets - ONE_BIT
            for w in range(ROUTE_WORDS):
                left = listed_word(board, table, hand, mind, i, w)
                while left:
                    route = 64 * w + lowest(left)
                    left &= left - ONE_BIT
                    priority = board.route_points[route] + 2 * points
                    if priority > highest and any_track(board, route, routes):
                        best, highest = route, priority
            i += 1
    return best


def any_route(board, mind, routes):
    """With nothing on the list: the first of these routes that scores fewest points; without slips, most."""
    if mind.params["slips"] == 0:
        return longest_of(board, routes)
    for length in range(1, board.longest_route + 1):
        route = first_of_length(board, routes, length)
        if route != NOBODY:
            return route
    return NOBODY


def colour_for(board, table, hand, route):
    """The colour of a route and its twins that is held most."""
    return most_held(board, hand, kinds_for(board, table, hand.seat, route))


def draw(board, table, hand, mind):
    """Draw blind; without slips first a colour face up that a route on the list lacks."""
    if mind.params["slips"] == 0:
        route = first_on_list(board, table, hand, mind, routes_for_face_up(board, table, hand, mind))
        if route != NOBODY:
            return TAKE + np.int64(colour_for(board, table, hand, route))
    return draw_blind(board, table, hand, mind)


def routes_for_face_up(board, table, hand, mind):
    """The routes on the list whose colour, the one held most, lies face up and is lacking, as a tuple of words."""
    first, second, third = NO_BITS, NO_BITS, NO_BITS
    for i in range(MOST_TICKETS):
        for w in range(ROUTE_WORDS):
            left = listed_word(board, table, hand, mind, i, w)
            while left:
                route = 64 * w + lowest(left)
                left &= left - ONE_BIT
                kind = colour_for(board, table, hand, route)
                if table.display[kind] > 0 and hand.cards[kind] < board.route_length[route]:
                    first |= bit(route) if w == 0 else NO_BITS
                    second |= bit(route - 64) if w == 1 else NO_BITS
                    third |= bit(route - 128) if w == 2 else NO_BITS
    return first, second, third


def second_card(board, table, hand, mind):
    return draw(board, table, hand, mind)

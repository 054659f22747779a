"""Decisions that only some boards have: tunnels and stations, start cities and markers, Alvin, souvenirs.

>>> def take_turn(board, table, hand, mind):
...     action = useful_station(board, table, hand, mind)
...     return action if action != PASS else best_draw(board, table, hand, mind)
"""

from ttrsim.core import constants as c
from ttrsim.core.jit import count, kernel, lowest
from ttrsim.core.legal import city_choices, extra_wilds, marker_cities, station_cost, station_sites
from ttrsim.core.network import group_of, join
from ttrsim.core.sets import bit, next_member
from ttrsim.kit.actions import choose_city, pay, with_payment
from ttrsim.kit.paths import look
from ttrsim.kit.tickets import points_between, price_turns
from ttrsim.kit.trees import plan_tree

FEW_CARDS = 15
"""Cards in deck and discards below which a tunnel that asked too much is not tried again at once."""
BUSY = 3
"""Open routes that a city must have for a marker there to be likely to pay."""


@kernel
def just_withdrew(table, hand, mind):
    """Return whether the seat has withdrawn from a tunnel since this was last asked.

    A strategy that then draws a card does not lay out the same cards for ever at a tunnel that always asks for more.
    """
    failures = table.counts[hand.seat, c.WITHDRAWN]
    if mind.work.fresh or mind.work.failures == failures:
        return False
    mind.work.failures = failures
    return True


@kernel
def would_lay_out_again(table, hand, mind):
    """Return whether the seat has just withdrawn from a tunnel that may ask the same for ever, for lack of cards."""
    return table.deck_cards + table.discard_cards < FEW_CARDS and just_withdrew(table, hand, mind)


@kernel
def cheapest_extra(table, hand):
    """Pay the extra cards of a tunnel with as few wilds as possible."""
    fewest, _ = extra_wilds(table, hand)
    return pay(fewest)


@kernel
def build_payment(board, mind, base, city, cost):
    """Return the action that builds (base: STATION or PLACE_MARKER) with spare cards, few wilds first; else PASS."""
    spare = mind.work.spare
    for wilds in range(min(cost, spare[c.WILD] + 1)):
        best = c.NOBODY
        for kind in range(board.colours):
            if spare[kind] >= cost - wilds and (best == c.NOBODY or spare[kind] > spare[best]):
                best = kind
        if best != c.NOBODY:
            return with_payment(base, city, best, wilds)
    if spare[c.WILD] >= cost:
        return with_payment(base, city, c.WILD, cost)
    return c.PASS


@kernel
def useful_station(board, table, hand, mind):
    """Return a station whose borrowed route completes tickets worth more than an unused station; else PASS.

    It is paid with any cards, so it is for late in the game, or for tickets that can be completed in no other way.
    """
    cost = station_cost(board, table)
    if cost == 0:
        return c.PASS
    look(board, table, hand, mind)
    for kind in range(c.WILD + 1):
        mind.work.spare[kind] = hand.cards[kind]
    best, best_points = c.PASS, board.unused_station_points
    sites = station_sites(board, table)
    for other in range(table.players):
        if other != hand.seat:
            route = next_member(table.owned[other], c.NOBODY)
            while route != c.NOBODY:
                ends = board.route_ends[route] & sites
                if ends:
                    points = 2 * points_by_loan(board, table, hand, mind, route)
                    if points > best_points:
                        action = build_payment(board, mind, c.STATION, lowest(ends), cost)
                        if action != c.PASS:
                            best, best_points = action, points
                route = next_member(table.owned[other], route)
    return best


@kernel
def points_by_loan(board, table, hand, mind, route):
    """Return the points of held tickets that borrowing this route completes, beyond what built stations may do."""
    work = mind.work
    size = work.group_count
    for i in range(size):
        work.merged[i] = work.groups[i]
    size = borrow_any(board, table, hand.seat, work.merged, size)
    a = group_of(work.merged, size, bit(board.route_a[route]))
    b = group_of(work.merged, size, bit(board.route_b[route]))
    return points_between(board, hand, a, b)


@kernel
def borrow_any(board, table, seat, groups, size):
    """Join every route that a station of the seat could borrow to the groups, as if it could borrow them all.

    Returns how many groups there are.
    """
    if table.stations[seat]:
        for other in range(table.players):
            if other != seat:
                route = next_member(table.owned[other], c.NOBODY)
                while route != c.NOBODY:
                    if board.route_ends[route] & table.stations[seat]:
                        size = join(groups, size, board.route_ends[route])
                    route = next_member(table.owned[other], route)
    return size


@kernel
def open_routes(board, table, city):
    """Count the routes at a city that nobody has claimed."""
    routes = 0
    for w in range(c.ROUTE_WORDS):
        routes += count(table.open[w] & board.at_city[city, w])
    return routes


@kernel
def start_on_plan(board, table, hand, mind):
    """Choose the start city: the busiest free city, on the plan for the tickets held if possible."""
    return choose_city(busiest(board, table, start_cities(board, table, hand, mind)))


@kernel
def start_for_points(board, table, hand, mind):
    """Choose the start city like `start_on_plan`, but that whose open routes score most."""
    return choose_city(richest(board, table, hand, mind, start_cities(board, table, hand, mind)))


@kernel
def start_cities(board, table, hand, mind):
    """Return the free cities on the plan for the tickets held; all free ones if there are none."""
    price_turns(board, mind)
    plan_tree(board, table, hand, mind, hand.tickets[0], hand.tickets[1])
    touched = c.NO_BITS
    route = next_member(mind.work.tree, c.NOBODY)
    while route != c.NOBODY:
        touched |= board.route_ends[route]
        route = next_member(mind.work.tree, route)
    sites = city_choices(board, table)
    return touched & sites if touched & sites else sites


@kernel
def busiest(board, table, cities):
    """Return the city of a set with the most open routes."""
    best, most = c.NOBODY, -1
    while cities:
        city = lowest(cities)
        cities &= cities - c.ONE_BIT
        routes = open_routes(board, table, city)
        if routes > most:
            best, most = city, routes
    return best


@kernel
def richest(board, table, hand, mind, cities):
    """Return the city of a set whose open routes beside the plan score most; see `points_at`."""
    best, most = c.NOBODY, -1
    while cities:
        city = lowest(cities)
        cities &= cities - c.ONE_BIT
        points = points_at(board, table, hand, mind, city)
        if points > most:
            best, most = city, points
    return best


@kernel
def points_at(board, table, hand, mind, city):
    """Return the points of the open routes at a city that the seat does not plan: others may score them for it."""
    points = 0
    for w in range(c.ROUTE_WORDS):
        word = table.open[w] & ~table.barred[hand.seat, w] & board.at_city[city, w] & ~mind.work.plan[w]
        while word:
            points += board.route_points[64 * w + lowest(word)]
            word &= word - c.ONE_BIT
    return points


@kernel
def quietest(board, table, cities):
    """Return the city of a set with the fewest open routes."""
    best, fewest = c.NOBODY, 0
    while cities:
        city = lowest(cities)
        cities &= cities - c.ONE_BIT
        routes = open_routes(board, table, city)
        if best == c.NOBODY or routes < fewest:
            best, fewest = city, routes
    return best


@kernel
def paying_marker(board, table, hand, mind):
    """Place a marker on the busier end of the route just claimed, if enough open routes lead there; else none."""
    city = busiest(board, table, marker_cities(board, table))
    return mark(board, hand, mind, city) if open_routes(board, table, city) >= BUSY else c.DECLINE


@kernel
def marker_for_points(board, table, hand, mind, least):
    """Place a marker on the end of the route just claimed where open routes score most, at least this; else none.

    Routes of the seat's plan do not count: the marker brings it points when others claim routes there.
    """
    city = richest(board, table, hand, mind, marker_cities(board, table))
    return mark(board, hand, mind, city) if points_at(board, table, hand, mind, city) >= least else c.DECLINE


@kernel
def mark(board, hand, mind, city):
    """Place a marker on a city with two cards of the colour held most, without wilds, if possible."""
    for kind in range(c.WILD):
        mind.work.spare[kind] = hand.cards[kind]
    mind.work.spare[c.WILD] = 0
    action = build_payment(board, mind, c.PLACE_MARKER, city, board.marker_cards)
    return action if action != c.PASS else c.DECLINE


@kernel
def stack_on_way(board, table, hand):
    """Place a souvenir stack on the busiest free city, at an end of a ticket held if possible."""
    places = city_choices(board, table)
    wanted = c.NO_BITS
    ticket = next_member(hand.tickets, c.NOBODY)
    while ticket != c.NOBODY:
        wanted |= board.ticket_ends[ticket]
        ticket = next_member(hand.tickets, ticket)
    return choose_city(busiest(board, table, places & wanted if places & wanted else places))


@kernel
def rarest_token(board, table):
    """Take the token at the end of the route with the fewest tokens left."""
    cities = city_choices(board, table)
    best, fewest = c.NOBODY, 0
    while cities:
        city = lowest(cities)
        cities &= cities - c.ONE_BIT
        if best == c.NOBODY or table.stack_tokens[city] < fewest:
            best, fewest = city, table.stack_tokens[city]
    return choose_city(best)

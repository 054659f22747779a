"""Cheapest paths for a seat: its own routes are free, and those it can no longer claim are closed.

A search spreads waves of cities, one for each price, as 64-bit words: all cities first reached at price t are wave t.
The links between cities stay in `mind.work` and change only where the table did, so a search costs a few dozen
ANDs and ORs per city. Prices are set once in a decision and hold for every later search of the seat:

>>> def take_turn(board, table, hand, mind):
...     set_prices(board, mind, 0, 1, 0)  # a path costs its trains
...     trains = path_price(board, table, hand, mind, board.ticket_ends[0])
"""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.jit import count, inline_kernel, kernel, lowest
from ttrsim.core.network import connects, group_of, join
from ttrsim.core.sets import bit, next_member
from ttrsim.kit.first_trees import forget_pairs

MOST_PRICE = 31
"""The highest price of one route. A search ends that many waves before the last."""


@kernel
def set_prices(board, mind, a_route, a_train, hard):
    """Set the price of a route: `a_route`, plus `a_train` for each of its spaces, plus `hard` for a tunnel or a ferry.

    Whole numbers, in all from 1 to MOST_PRICE. (1, 0, 0) finds paths of the fewest routes, (0, 1, 0) of the fewest
    trains, (2, 1, 1) of about the fewest turns: a turn claims a route or draws two cards.
    """
    work = mind.work
    changed, least, most = False, MOST_PRICE, 1
    for grade in range(board.grades):
        price = a_route + a_train * board.grade_length[grade] + hard * board.grade_hard[grade]
        changed |= price != work.price[grade]
        work.price[grade] = price
        least, most = min(least, price), max(most, price)
    work.least_price, work.most_price, work.own_prices = least, most, 0
    if changed:
        forget_prices(work)
        forget_pairs(work)


@kernel
def set_route_prices(board, mind, prices):
    """Set a price for each route, by its index in an array.

    Whole numbers from 1 to MOST_PRICE; others count as the nearest of these. They hold until `set_prices` is called, as
    `price_turns`, `choose_tickets`, `keep_plan` and the defaults do.

    >>> def take_turn(board, table, hand, mind):
    ...     for route in range(board.routes):
    ...         mind.integers[route] = 1 + 2 * contest(board, table, hand.seat, route)
    ...     set_route_prices(board, mind, mind.integers)
    ...     price = plan_tree(board, table, hand, mind, hand.tickets[0], hand.tickets[1])
    """
    work = mind.work
    if work.fresh:
        begin(board, work)
    changed, least, most = not work.own_prices, MOST_PRICE, 1
    for route in range(board.routes):
        price = min(max(np.int64(prices[route]), 1), MOST_PRICE)
        changed |= price != work.route_price[route]
        work.route_price[route] = price
        least, most = min(least, price), max(most, price)
    work.least_price, work.most_price = least, most
    if changed:
        forget_prices(work)
        forget_pairs(work)
        forget_own_prices(board, work)
        work.own_prices = 1


@kernel
def forget_own_prices(board, work):
    """Drop the prices of single routes and those by grade, so that `set_prices` sees a change."""
    work.own_prices = 0
    for grade in range(board.grades):
        work.price[grade] = 0


@kernel
def forget_prices(work):
    """Mark the prices of tickets as unknown."""
    for w in range(c.TICKET_WORDS):
        work.priced[w] = c.NO_BITS


@inline_kernel
def usable_word(board, table, seat, w):
    """Return word w of the routes that a seat may claim some day: open, not barred, no longer than its trains."""
    short = board.up_to[min(table.trains[seat], board.longest_route), w]
    return table.open[w] & ~table.barred[seat, w] & short


@inline_kernel
def length_word(board, length, w):
    """Return word w of the routes of exactly this many spaces."""
    return board.up_to[length, w] & ~board.up_to[length - 1, w]


@inline_kernel
def look(board, table, hand, mind):
    """Bring the seat's links and groups up to date with the table. Functions below that need it do it themselves."""
    look_at_own(board, table, hand, mind)
    for w in range(c.ROUTE_WORDS):
        usable = usable_word(board, table, hand.seat, w)
        if usable != mind.work.usable[w]:
            unlink(board, mind.work, usable, w)


@inline_kernel
def look_at_own(board, table, hand, mind):
    """Bring the seat's groups up to date, which is enough where no path is searched for."""
    work, seat = mind.work, hand.seat
    if work.fresh:
        begin(board, work)
    for w in range(c.ROUTE_WORDS):
        if table.owned[seat, w] != work.own[w]:
            connect(board, work, table.owned[seat, w], w)
    if board.own_network and work.group_count == 0 and table.network[seat]:
        work.groups[0] = table.network[seat]
        work.group_count = 1
        work.untouched = 0
        forget_prices(work)


@kernel
def connect(board, work, owned, w):
    """Join to the groups the routes of word w that the seat owns since the last look."""
    new = owned & ~work.own[w]
    work.own[w] = owned
    work.untouched = 0
    while new:
        work.group_count = join(work.groups, work.group_count, board.route_ends[64 * w + lowest(new)])
        new &= new - c.ONE_BIT
    forget_prices(work)


@kernel
def begin(board, work):
    """Set the links and groups to those of a seat without routes, on a board where nobody has any."""
    for city in range(board.cities):
        work.near[city] = c.NO_BITS
        for grade in range(board.grades):
            work.links[city, grade] = board.links[city, grade]
            work.near[city] |= board.links[city, grade]
    for w in range(c.ROUTE_WORDS):
        work.usable[w] = work.near_routes[w] = board.all_routes[w]
        work.own[w] = work.plan[w] = work.edge[w] = c.NO_BITS
    work.edge_of = c.NO_BITS
    forget_prices(work)
    if work.own_prices:
        forget_own_prices(board, work)
        forget_pairs(work)
    work.group_count = work.planned_for = work.failures = 0
    work.rounds_at = c.NOBODY
    work.fresh = work.listed = 0
    work.untouched = 1


@kernel
def unlink(board, work, usable, w):
    """Remove the routes of word w that are no longer usable from the links.

    What tickets cost stays known where none of these routes is on their path, see `ticket_price`.
    """
    gone = work.usable[w] & ~usable
    work.usable[w] = usable
    work.untouched = 0
    while gone:
        route = 64 * w + lowest(gone)
        gone &= gone - c.ONE_BIT
        a, b, grade = board.route_a[route], board.route_b[route], board.route_grade[route]
        if find_route(board, work, a, b, grade) == c.NOBODY:
            work.links[a, grade] &= ~bit(b)
            work.links[b, grade] &= ~bit(a)


@kernel
def find_route(board, work, a, b, grade):
    """Return a usable route of a grade between two cities, or NOBODY."""
    for w in range(c.ROUTE_WORDS):
        routes = board.at_city[a, w] & board.at_city[b, w] & work.usable[w]
        while routes:
            route = 64 * w + lowest(routes)
            if board.route_grade[route] == grade:
                return route
            routes &= routes - c.ONE_BIT
    return c.NOBODY


@kernel
def spread(board, work, groups, size, sources, targets):
    """Spread waves from a set of cities until one of the targets is reached; return its price, or NOWHERE.

    groups, size: the groups of cities that are connected already, so that within one every path is free. Once a target
    is seen ahead, waves that are nearer to it than the cheapest route lead to nothing and are left out.
    """
    wave, price, links, grades = work.wave, work.price, work.links, board.grades
    least, most = work.least_price, work.most_price
    for t in range(most):
        wave[t] = c.NO_BITS
    wave[0] = sources
    seen, ends = c.NO_BITS, targets
    for i in range(size):
        if groups[i] & targets:
            ends |= groups[i]
    t, last, goal = 0, 0, c.WAVES
    while t <= last and t < c.WAVES - MOST_PRICE:
        if t > goal - least and goal < c.WAVES - MOST_PRICE:
            t = goal
        wave[t + most] = c.NO_BITS
        fresh = wave[t] & ~seen
        if fresh:
            for i in range(size):
                if groups[i] & fresh:
                    fresh |= groups[i]
            wave[t] = fresh
            if fresh & targets:
                return t
            seen |= fresh
            last, ahead = t + most, c.NO_BITS
            while fresh:
                city = lowest(fresh)
                fresh &= fresh - c.ONE_BIT
                if work.own_prices:
                    ahead |= spread_by_route(board, work, city, t)
                    continue
                for grade in range(grades):
                    wave[t + price[grade]] |= links[city, grade]
                    ahead |= links[city, grade]
            if ahead & ends:
                goal = t + 1
                while not wave[goal] & ends:
                    goal += 1
        else:
            wave[t] = c.NO_BITS
        t += 1
    work.farthest = last - most
    return c.NOWHERE


@kernel
def spread_by_route(board, work, city, t):
    """Spread from a city reached at price t where routes have prices of their own; return the cities seen ahead."""
    ahead = c.NO_BITS
    for w in range(c.ROUTE_WORDS):
        routes = board.at_city[city, w] & work.usable[w]
        while routes:
            route = 64 * w + lowest(routes)
            routes &= routes - c.ONE_BIT
            other = board.route_ends[route] & ~bit(city)
            work.wave[t + work.route_price[route]] |= other
            ahead |= other
    return ahead


@inline_kernel
def trace(board, work, groups, size, t, targets):
    """Add to `work.path` the routes by which the waves reached a target at price t; return the cities they touch."""
    touched = c.NO_BITS
    city = lowest(work.wave[t] & targets)
    while t > 0:
        t, city, route = step_back(board, work, group_of(groups, size, bit(city)), t)
        work.path[route >> 6] |= bit(route & 63)
        touched |= board.route_ends[route]
    return touched


@inline_kernel
def step_back(board, work, group, t):
    """Return the price and the city before a group reached at price t, and the route between. Long routes first."""
    if work.own_prices:
        return step_back_by_route(board, work, group, t)
    for grade in range(board.grades):
        before = t - work.price[grade]
        if before >= 0:
            members = group
            while members:
                city = lowest(members)
                members &= members - c.ONE_BIT
                others = work.links[city, grade] & work.wave[before]
                if others:
                    other = lowest(others)
                    return before, other, find_route(board, work, city, other, grade)
    return 0, 0, 0  # never: a wave has come from somewhere


@kernel
def step_back_by_route(board, work, group, t):
    """Return the same as `step_back`, where routes have prices of their own."""
    while group:
        city = lowest(group)
        group &= group - c.ONE_BIT
        for w in range(c.ROUTE_WORDS):
            routes = board.at_city[city, w] & work.usable[w]
            while routes:
                route = 64 * w + lowest(routes)
                routes &= routes - c.ONE_BIT
                before, other = t - work.route_price[route], board.route_ends[route] & ~bit(city)
                if before >= 0 and work.wave[before] & other:
                    return before, lowest(other), route
    return 0, 0, 0  # never


@kernel
def path_price(board, table, hand, mind, ends):
    """Return what it still costs to connect two cities, given as a set; NOWHERE if that is impossible.

    >>> def take_turn(board, table, hand, mind):
    ...     set_prices(board, mind, 0, 1, 0)
    ...     trains = path_price(board, table, hand, mind, bit(3) | bit(7))
    """
    look(board, table, hand, mind)
    work = mind.work
    source = ends & (~ends + c.ONE_BIT)
    return spread(board, work, work.groups, work.group_count, source, ends & ~source)


@kernel
def find_path(board, table, hand, mind, ends):
    """Return the `path_price`, and write the routes of a cheapest path not yet owned into `mind.work.path`."""
    price = path_price(board, table, hand, mind, ends)
    work = mind.work
    for w in range(c.ROUTE_WORDS):
        work.path[w] = c.NO_BITS
    if price > 0:
        source = ends & (~ends + c.ONE_BIT)
        trace(board, work, work.groups, work.group_count, price, ends & ~source)
    return price


@kernel
def connected(board, table, hand, mind, ends):
    """Return whether the seat's own routes connect two cities, given as a set."""
    look_at_own(board, table, hand, mind)
    return connects(mind.work.groups, mind.work.group_count, ends)


@kernel
def trains_for(board, routes):
    """Return how many trains a set of routes takes."""
    trains = 0
    for w in range(c.ROUTE_WORDS):
        word, length = routes[w], 0
        while word:
            trains += count(word)
            length += 1
            word &= ~board.up_to[length, w]
    return trains


@kernel
def points_for(board, routes):
    """Return the points that a set of routes scores."""
    points = 0
    route = next_member(routes, c.NOBODY)
    while route != c.NOBODY:
        points += board.route_points[route]
        route = next_member(routes, route)
    return points

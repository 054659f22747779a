"""Plans through many cities, grown from the two of them that lie farthest apart, as `destination_hungry` makes them.

The two are the first cities of two sides. The other cities, in the board's order, are led by a cheapest path to a city
of one of the sides and join it; at last a cheapest path joins the sides. Here a path is as long as the trains it takes,
own routes are free, and a route counts even if the seat has too few trains left for it.

>>> def take_turn(board, table, hand, mind):
...     measure_distances(board, table, hand, mind, cities)
...     trains = plan_through(board, table, hand, mind, cities, True)
"""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.jit import count, inline_kernel, kernel, lowest
from ttrsim.core.network import group_of
from ttrsim.core.sets import add, bit, holds
from ttrsim.kit.fewest import look_near, search
from ttrsim.kit.paths import look_at_own, unlink

NO_PLAN = -(1 << 20)
"""In place of the trains of a plan: there is none."""
WILD_NEEDS = c.KINDS
"""The place for the wilds that ferries ask for, after the colours and gray."""
FARTHEST = 1 << 14  # farther than any two cities


@kernel
def in_graph(board, table, hand, cities):
    """Return those of some cities where a route is free or the seat's own."""
    found, left = cities, cities
    while left:
        city = lowest(left)
        left &= left - c.ONE_BIT
        routes = c.NO_BITS
        for w in range(c.ROUTE_WORDS):
            routes |= board.at_city[city, w] & (free_word(table, hand.seat, w) | table.owned[hand.seat, w])
        if routes == c.NO_BITS:
            found &= ~bit(city)
    return found


@inline_kernel
def free_word(table, seat, w):
    """Return word w of the routes that nobody has claimed and the seat is not barred from."""
    return table.open[w] & ~table.barred[seat, w]


@kernel
def measure_distances(board, table, hand, mind, cities):
    """Find the distances from each of these cities to the others, for `plan_through` in the same decision."""
    look_at_own(board, table, hand, mind)
    work = mind.work
    for w in range(c.ROUTE_WORDS):
        free = free_word(table, hand.seat, w)
        if free != work.usable[w]:
            unlink(board, work, free, w)
    left = cities
    while left:
        city = lowest(left)
        joined = group_of(work.groups, work.group_count, bit(city)) & left  # they have the same distances
        left &= ~joined
        measure_from(board, work, city, cities)
        joined &= joined - c.ONE_BIT
        while joined:
            other = lowest(joined)
            joined &= joined - c.ONE_BIT
            for end in range(board.cities):
                work.distance[other, end] = work.distance[city, end]


@kernel
def measure_from(board, work, city, cities):
    """Write the distances from a city to others, from the nearest on until all of some cities are reached.

    All that lies nearer than the farthest of these is written, and NOWHERE for the rest.
    """
    wave, longest, seen = work.wave, np.int64(board.longest_route), c.NO_BITS
    for other in range(board.cities):
        work.distance[city, other] = c.NOWHERE
    for t in range(longest):
        wave[t] = c.NO_BITS
    wave[0], t, last = bit(city), 0, 0
    while t <= last and t < c.WAVES - longest and cities & ~seen:
        wave[t + longest] = c.NO_BITS
        fresh = wave[t] & ~seen
        if fresh:
            for i in range(work.group_count):
                if work.groups[i] & fresh:
                    fresh |= work.groups[i]
            seen |= fresh
            last = t + longest
            while fresh:
                near = lowest(fresh)
                fresh &= fresh - c.ONE_BIT
                work.distance[city, near] = t
                for grade in range(board.grades):
                    wave[t + board.grade_length[grade]] |= work.links[near, grade]
        t += 1


@kernel
def plan_through(board, table, hand, mind, cities, slips):
    """Plan a tree through some cities; return the trains it takes, or NO_PLAN.

    Writes into `mind.work` the routes (`path`), the trains by colour (`needs`, gray ones at GRAY, the wilds of ferries
    at WILD_NEEDS) and the points of the routes (`plan_points`). `measure_distances` must have been called for these
    cities or more in the same decision. slips: as for `attach_all` and `enter`.
    """
    work = mind.work
    clear(work)
    if cities == c.NO_BITS:
        return np.int64(0)
    one, other = farthest_pair(work, cities)
    if one == c.NOBODY:
        return np.int64(NO_PLAN)
    work.side[0, 0], work.side[1, 0] = one, other
    work.side_size[0] = work.side_size[1] = 1
    if not attach_all(board, table, hand, work, cities & ~(bit(one) | bit(other)), slips):
        return np.int64(NO_PLAN)
    one, other = closest_pair(work)
    enter_path(board, table, hand, work, other, one, slips)
    return count_plan(board, table, hand, work)


@kernel
def clear(work):
    """Empty the plan."""
    for w in range(c.ROUTE_WORDS):
        work.path[w] = c.NO_BITS
    for kind in range(c.KINDS + 1):
        work.needs[kind] = 0
    for city in range(c.CITIES):
        work.entered[city] = c.NO_BITS
    work.plan_points = 0


@kernel
def farthest_pair(work, cities):
    """Return the two of some cities that lie farthest apart, the first of equals; NOBODY if no two lie apart."""
    one, other, most = c.NOBODY, c.NOBODY, 0
    while cities:
        city = lowest(cities)
        cities &= cities - c.ONE_BIT
        others = cities
        while others:
            b = lowest(others)
            others &= others - c.ONE_BIT
            if work.distance[city, b] > most:
                one, other, most = city, b, work.distance[city, b]
    return one, other


@kernel
def attach_all(board, table, hand, work, cities, slips):
    """Attach each of some cities to a side by a cheapest path to a city there; return whether all found a side.

    A city is led to the nearest of those that have joined. slips: only if that is nearer than all those before were to
    theirs; else to where the city before was led.
    """
    nearest, goal, side = FARTHEST, c.NOBODY, 0
    while cities:
        city = lowest(cities)
        cities &= cities - c.ONE_BIT
        if not slips:
            nearest, goal = FARTHEST, c.NOBODY
        for i in range(2):
            for j in range(work.side_size[i]):
                distance = np.int64(work.distance[city, work.side[i, j]])
                if distance != c.NOWHERE and distance < nearest:
                    nearest, goal, side = distance, np.int64(work.side[i, j]), i
        if goal != c.NOBODY:
            work.side[side, work.side_size[side]] = city
            work.side_size[side] += 1
            enter_path(board, table, hand, work, city, goal, slips)
        elif slips:
            return False
    return True


@kernel
def closest_pair(work):
    """Return the two cities, one of each side, that lie closest to each other, the first of equals."""
    one, other, nearest = c.NOBODY, c.NOBODY, FARTHEST
    for i in range(work.side_size[0]):
        for j in range(work.side_size[1]):
            a, b = np.int64(work.side[0, i]), np.int64(work.side[1, j])
            distance = np.int64(work.distance[a, b])
            if distance != c.NOWHERE and distance < nearest:
                one, other, nearest = a, b, distance
    return one, other


@kernel
def enter_path(board, table, hand, work, start, goal, slips):
    """Enter the connections of a cheapest path between two cities, own ones too; none if there is no path.

    Of equally cheap paths it is the one that Dijkstra's search from the start finds: into each city, going back from
    the goal, leads the longest route that can, and own routes only where no other can.
    """
    city, distance = goal, np.int64(work.distance[start, goal])
    while distance > 0:
        route = way_in(board, table, hand, work, start, city, distance)
        if route == c.NOBODY:
            entries = ways_in(board, table, hand, work, start, city, distance)
            city = enter_own_path(board, table, hand, work, city, entries, slips)
            route = way_in(board, table, hand, work, start, city, distance)
        other = lowest(board.route_ends[route] & ~bit(city))
        enter(board, work, city, other, slips)
        city = other
        distance -= board.route_length[route]
    if distance == 0 and city != start:
        enter_own_path(board, table, hand, work, city, bit(start), slips)


@kernel
def way_in(board, table, hand, work, start, city, distance):
    """Return the longest free route by which a cheapest path from the start comes to a city, or NOBODY."""
    best, longest = c.NOBODY, np.int64(0)
    for w in range(c.ROUTE_WORDS):
        routes = board.at_city[city, w] & free_word(table, hand.seat, w)
        while routes:
            route = 64 * w + lowest(routes)
            routes &= routes - c.ONE_BIT
            length, other = np.int64(board.route_length[route]), lowest(board.route_ends[route] & ~bit(city))
            if longest < length <= distance and work.distance[start, other] == distance - length:
                best, longest = route, length
    return best


@kernel
def ways_in(board, table, hand, work, start, city, distance):
    """Return the cities connected with a city by own routes to which such a route leads."""
    found, members = c.NO_BITS, group_of(work.groups, work.group_count, bit(city))
    while members:
        member = lowest(members)
        members &= members - c.ONE_BIT
        if way_in(board, table, hand, work, start, member, distance) != c.NOBODY:
            found |= bit(member)
    return found


@kernel
def enter_own_path(board, table, hand, work, city, goals, slips):
    """Enter the connections of the seat's own that lead from a city to the nearest of some others; return that one."""
    owned = table.owned[hand.seat, 0], table.owned[hand.seat, 1], table.owned[hand.seat, 2]
    look_near(board, work, owned)
    steps = search(board, table, hand.seat, work, bit(city), goals)
    for i in range(steps):
        enter(board, work, np.int64(work.way[i]), np.int64(work.way[i + 1]), slips)
    return np.int64(work.way[steps])


@kernel
def enter(board, work, a, b, slips):
    """Enter a connection at one of its cities, to be counted once for each city where it stands.

    It goes where its first city, in alphabetical order, has an entry already or neither has; else to the second.
    slips: it may stand at the second already when it is entered at the first; else it is entered once.
    """
    first, second = (a, b) if board.city_place[a] < board.city_place[b] else (b, a)
    if not slips and (holds(work.entered[first], second) or holds(work.entered[second], first)):
        return
    if work.entered[first] != c.NO_BITS or work.entered[second] == c.NO_BITS:
        work.entered[first] |= bit(second)
    else:
        work.entered[second] |= bit(first)


@kernel
def count_plan(board, table, hand, work):
    """Count the trains of what was entered, first where one track is free, then where there is a choice."""
    trains = np.int64(0)
    for choice in range(2):
        for city in range(board.cities):
            others = work.entered[city]
            while others:
                other = lowest(others)
                others &= others - c.ONE_BIT
                trains += count_connection(board, table, hand, work, city, other, choice == 1)
    return trains


@kernel
def count_connection(board, table, hand, work, a, b, choice):
    """Count a connection if the seat owns nothing there, and if there is a choice of tracks or not; return its trains.

    Of several tracks that of the colour needed least is planned, of equals the one listed first.
    """
    best, least, tracks = c.NOBODY, np.int64(0), np.int64(0)
    for w in range(c.ROUTE_WORDS):
        both = board.at_city[a, w] & board.at_city[b, w]
        if both & table.owned[hand.seat, w]:
            return np.int64(0)
        word = both & free_word(table, hand.seat, w)
        tracks += count(word)
        while word:
            route = 64 * w + lowest(word)
            word &= word - c.ONE_BIT
            needed = np.int64(work.needs[np.int64(board.route_colour[route])])
            if best == c.NOBODY or needed < least or (needed == least and board.route_backwards[route]):
                best, least = route, needed
    if best == c.NOBODY or (tracks > 1) != choice:
        return np.int64(0)
    add(work.path, best)
    work.needs[np.int64(board.route_colour[best])] += board.route_length[best]
    work.needs[WILD_NEEDS] += board.route_ferry[best]
    work.plan_points += board.route_points[best]
    return np.int64(board.route_length[best]) + np.int64(board.route_ferry[best])

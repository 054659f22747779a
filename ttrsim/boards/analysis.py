"""Analyse a board before a game is played: paths and cuts of tickets, traffic, and its sizes beside published boards.

Everything is counted in trains on the empty board: colours, ferries and tunnels do not matter here, and the parallel
routes of a connection count as one. A *cheapest path* of a ticket joins its two cities with the fewest trains.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import networkx as nx
import numpy as np
import pandas as pd

from ttrsim.boards.board import Board, Ticket
from ttrsim.boards.reading import load_board
from ttrsim.formatting import decimal

SLACK = 2
"""The extra trains that a *near-cheapest* path may take; `_near_paths` relies on its being 2."""


def connection_graph(board: Board) -> "nx.Graph[int]":
    """Return a graph of cities by index, with an edge per connection: its `length`, and its index as `connection`."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(board.cities)))
    for i, routes in enumerate(board.connections):
        route = board.routes[routes[0]]
        graph.add_edge(route.a, route.b, length=route.length, connection=i)
    return graph


def cheapest_trains(board: Board) -> list[int]:
    """Return the trains that a cheapest path of each ticket costs."""
    graph = connection_graph(board)
    return [CheapestPaths.of(graph, ticket.a, ticket.b).trains for ticket in board.tickets]


def ticket_table(board: Board) -> pd.DataFrame:
    """Return a table with one row per ticket in play.

    ticket, long, points    as printed
    trains                  what a cheapest path costs
    points_per_train        points / trains: what a completed ticket adds to each train of a cheapest path
    points_minus_trains     by how much the ticket is priced above (+) or below (−) its cheapest path
    cheapest_paths          in how many ways it can be completed at that cost
    alternatives            how many other paths, no city twice, cost at most 2 trains more than the one shown
    smallest_cut            the fewest connections that must be closed to make the ticket impossible
    path                    the cities of the cheapest path; of several, the one with fewest connections, then the
                            first by city
    """
    graph = connection_graph(board)
    return pd.DataFrame([_ticket_row(board, graph, ticket) for ticket in board.tickets])


def route_table(board: Board) -> pd.DataFrame:
    """Return a table with one row per route.

    route, length, colour   as printed; routes with the same name are numbered
    parallel                how many routes the connection has
    connection_share        of all ticket points, the share whose cheapest path uses this connection,
                            a ticket split evenly over its cheapest paths
    share                   the same, split evenly over the connection's routes
    """
    connections, _, _ = _traffic(board)
    table = pd.DataFrame(
        {
            "route": board.route_name(r),
            "length": r.length,
            "colour": board.colour_name(r.colour),
            "parallel": len(board.connections[r.connection]),
            "connection_share": connections[r.connection],
        }
        for r in board.routes
    )
    return table.assign(share=table["connection_share"] / table["parallel"])


def city_table(board: Board) -> pd.DataFrame:
    """Return a table with one row per city.

    city                as printed
    connections         how many it has
    ends                of all ticket points, the share of tickets that begin or end here
    through             the share whose cheapest path passes here between its ends, split evenly over cheapest paths
    share               both together: the share whose cheapest path touches this city
    """
    _, ends, through = _traffic(board)
    graph = connection_graph(board)
    table = pd.DataFrame(
        {"city": c.name, "connections": graph.degree[c.index], "ends": ends[c.index], "through": through[c.index]}
        for c in board.cities
    )
    return table.assign(share=table["ends"] + table["through"])


@dataclass(frozen=True)
class CheapestPaths:
    """All cheapest paths between two cities, counted without listing them."""

    start: int
    end: int
    trains: int
    left: dict[int, int]  # trains from each city to the end
    onward: dict[int, list[int]]  # next cities on cheapest paths, for each city that lies on one
    ways: dict[int, int]  # cheapest paths from each of those cities to the end
    visits: dict[int, int]  # of all cheapest paths, how many go through each of those cities

    @classmethod
    def of(cls, graph: "nx.Graph[int]", start: int, end: int) -> "CheapestPaths":
        distances = nx.single_source_dijkstra_path_length(graph, end, weight="length")
        left = {city: int(trains) for city, trains in distances.items()}
        onward = _onward(graph, left, start)
        ways = {end: 1}
        for city in sorted(onward, key=left.__getitem__):
            if city != end:
                ways[city] = sum(ways[n] for n in onward[city])
        visits = dict.fromkeys(onward, 0) | {start: ways[start]}
        for city in sorted(onward, key=left.__getitem__, reverse=True):
            for n in onward[city]:
                visits[n] += visits[city] * ways[n] // ways[city]
        return cls(start, end, left[start], left, onward, ways, visits)

    @property
    def count(self) -> int:
        return self.ways[self.start]

    def uses(self) -> dict[tuple[int, int], int]:
        """Map each step from a city to the next to the number of cheapest paths that take it."""
        return {
            (city, n): self.visits[city] * self.ways[n] // self.ways[city]
            for city, onward in self.onward.items()
            for n in onward
        }

    def shown(self) -> list[int]:
        """Return the path with fewest connections; of several such, the first by city index."""
        best = {self.end: [self.end]}
        for city in sorted(self.onward, key=self.left.__getitem__):
            if city != self.end:
                best[city] = [city, *min((best[n] for n in self.onward[city]), key=lambda p: (len(p), p))]
        return best[self.start]


def _onward(graph: "nx.Graph[int]", left: dict[int, int], start: int) -> dict[int, list[int]]:
    onward: dict[int, list[int]] = {}
    open_cities = [start]
    while open_cities:
        city = open_cities.pop()
        if city not in onward:
            steps = ((n, edge["length"]) for n, edge in graph[city].items())
            onward[city] = sorted(n for n, length in steps if left[n] + length == left[city])
            open_cities += onward[city]
    return onward


def _ticket_row(board: Board, graph: "nx.Graph[int]", ticket: Ticket) -> dict[str, object]:
    paths = CheapestPaths.of(graph, ticket.a, ticket.b)
    return {
        "ticket": board.ticket_name(ticket),
        "long": ticket.long,
        "points": ticket.points,
        "trains": paths.trains,
        "points_per_train": ticket.points / paths.trains,
        "points_minus_trains": ticket.points - paths.trains,
        "cheapest_paths": paths.count,
        "alternatives": _near_paths(graph, paths) - 1,
        "smallest_cut": len(nx.minimum_edge_cut(graph, ticket.a, ticket.b)),
        "path": "–".join(board.cities[c].name for c in paths.shown()),
    }


def _near_paths(graph: "nx.Graph[int]", paths: CheapestPaths) -> int:
    """Count the paths without a repeated city that cost at most 2 trains more than the cheapest.

    Walks are counted by the trains they waste, city by city in order of the distance to the end. A walk that wastes at
    most 2 trains and repeats a city is a cheapest path with one detour along a connection of length 1 and back: those
    are counted and subtracted. This needs no list of paths, of which a large board could have millions.
    """
    walks: dict[tuple[int, int], int] = {}
    for wasted in range(SLACK + 1):
        for city in sorted(paths.left, key=paths.left.__getitem__):
            count = 1 if (city, wasted) == (paths.end, 0) else 0
            for n, edge in graph[city].items():
                waste = edge["length"] + paths.left[n] - paths.left[city]
                count += walks.get((n, wasted - waste), 0)
            walks[city, wasted] = count
    ones = {city: sum(edge["length"] == 1 for edge in graph[city].values()) for city in paths.onward}
    detours: int = sum(paths.visits[city] * ones[city] for city in paths.onward)
    # A detour back and forth over a step of the path itself is the same walk from either of its ends.
    detours -= sum(n for (a, b), n in paths.uses().items() if graph.edges[a, b]["length"] == 1)
    return sum(walks[paths.start, wasted] for wasted in range(SLACK + 1)) - detours


def _traffic(board: Board) -> tuple[list[float], list[float], list[float]]:
    """Return shares of ticket points: through each connection, ending in each city, and passing through each city."""
    graph = connection_graph(board)
    connections = [0.0] * len(board.connections)
    ends, through = [0.0] * len(board.cities), [0.0] * len(board.cities)
    points = sum(ticket.points for ticket in board.tickets)
    for ticket in board.tickets:
        weight = ticket.points / points
        paths = CheapestPaths.of(graph, ticket.a, ticket.b)
        for (a, b), n in paths.uses().items():
            connections[graph.edges[a, b]["connection"]] += weight * n / paths.count
        for city, n in paths.visits.items():
            (ends if city in {ticket.a, ticket.b} else through)[city] += weight * n / paths.count
    return connections, ends, through


PUBLISHED = ("usa", "europe", "old_west")
"""San Francisco is a reconstruction, so it sets no standard."""
SHARES = (0.1, 0.5, 0.9)
"""The percentiles of routes and tickets that are compared."""

NAMED = 3
"""The most sizes outside the range that the answer names."""


def beside_published(board: Board) -> pd.DataFrame:
    """Return a table with one row per size of a board.

    size                what is measured; of routes and tickets, what 10, 50 and 90 % of them reach at most
    value               of this board
    lowest, highest     of USA, Europe and Old West
    verdict             within their range, below it or above it, to the decimals that are printed
    """
    rows = []
    for name, value in _sizes(board).items():
        others = [_published(other)[name] for other in PUBLISHED]
        row = {"size": name, "value": value, "lowest": min(others), "highest": max(others)}
        rows.append({**row, "verdict": _verdict(value, min(others), max(others))})
    return pd.DataFrame(rows)


def answer(board: Board, table: pd.DataFrame) -> str:
    """Return in a sentence how a board compares, with the first sizes in which it is outside the range."""
    outside = table[table.verdict != "within"].to_dict("records")
    count = f"in {len(table) - len(outside)} of {len(table)} sizes"
    whole = f"{board.name} is within the range of USA, Europe and Old West {count}"
    named = [
        f"{row['size']}: {shown(row['value'])} ({row['verdict']} {shown(row['lowest'], row['highest'])})"
        for row in outside[:NAMED]
    ]
    more = f"; {len(outside) - NAMED} more are in the table" if len(outside) > NAMED else ""
    return f"{whole}; outside are {'; '.join(named)}{more}." if outside else f"{whole}."


def shown(low: float, high: float | None = None) -> str:
    """Return a number or a range as text.

    >>> shown(2.0), shown(0.656, 0.75)
    ('2', '0.66–0.75')
    """
    first, last = _number(low), _number(low if high is None else high)
    return first if first == last else f"{first}–{last}"


def _number(value: float) -> str:
    rounded = round(value, 2)
    return decimal(value, 0 if rounded == int(rounded) else 2 if value < 10 else 1)


def _verdict(value: float, lowest: float, highest: float) -> str:
    if round(value, 2) < round(lowest, 2):
        return "below"
    return "above" if round(value, 2) > round(highest, 2) else "within"


@lru_cache
def _published(name: str) -> dict[str, float]:
    return _sizes(load_board(name))


def _sizes(board: Board) -> dict[str, float]:
    """Return the sizes of a board by their names."""
    rules, routes = board.rules, board.routes
    spaces = [route.length for route in routes]
    narrow = sum(routes[connection[0]].length for connection in board.connections)
    open_spaces = sum(spaces) if rules.parallel_open_from <= rules.players[0] else narrow
    of_colour: Counter[int | None] = Counter()
    for route in routes:
        of_colour[route.colour] += route.length
    asked = [(colour.cards, of_colour[colour.index]) for colour in board.colours if of_colour[colour.index]]
    trains = cheapest_trains(board)
    regular = sum(not ticket.long for ticket in board.tickets)
    per_train = [ticket.points / needed for ticket, needed in zip(board.tickets, trains, strict=True)]
    loads = [space / cards for cards, space in asked] or [1.0]
    return {
        "trains a space, most players": rules.trains * rules.players[1] / sum(spaces),
        "trains a space, fewest players": rules.trains * rules.players[0] / open_spaces,
        "connections of a city": 2 * len(board.connections) / len(board.cities),
        "parallel routes, % of connections": 100 * sum(len(c) > 1 for c in board.connections) / len(board.connections),
        **_spread("spaces of a route", spaces),
        **_spread("trains of a ticket", trains),
        **_spread("points a train of a ticket", per_train),
        "regular tickets a player": regular / rules.players[1],
        "gray spaces, % of spaces": 100 * of_colour[None] / sum(spaces),
        "colours: most to least spaces a card": max(loads) / min(loads),
        "cards a space, scarcest colour": 1 / max(loads),
    }


def _spread(name: str, values: Sequence[float]) -> dict[str, float]:
    numbers = np.quantile(values, SHARES, method="inverted_cdf")
    return {f"{name}, {100 * share:.0f} %": float(number) for share, number in zip(SHARES, numbers, strict=True)}

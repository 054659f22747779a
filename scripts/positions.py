"""Positions in which the longest trail is hard to find: what its search is timed on."""

from random import Random

import networkx as nx

from ttrsim.boards import Board

TRIALS = 100
"""Positions grown for each one that is kept."""


def hard_positions(board: Board, many: int = 20, seed: int = 1) -> list[list[int]]:
    """Return sets of routes that a player's trains can build, each a list of route indices; the same at each call.

    What makes the search long is cities with an odd number of routes, among which the trail must choose its ends. So
    dense networks of short routes are grown at random, and of each TRIALS the one with the most such cities is kept.

    >>> len(hard_positions(load_board("usa"), many=3))
    3
    """
    rng = Random(seed)
    return [max((grown(board, rng) for _ in range(TRIALS)), key=lambda own: hardness(board, own)) for _ in range(many)]


def hardness(board: Board, own: list[int]) -> int:
    """Return how many cities have an odd number of routes when those that lie on no cycle are taken off."""
    graph = nx.Graph((board.routes[r].a, board.routes[r].b) for r in own)
    return sum(degree % 2 for _, degree in nx.k_core(graph, 2).degree)


def grown(board: Board, rng: Random) -> list[int]:
    """Return routes for all trains, one of a connection, grown from one; most of the time between cities already
    met.
    """
    trains = board.rules.trains
    own: list[int] = []
    met: set[int] = set()
    closed: set[int] = set()
    while True:
        open_routes = [r for r in board.routes if r.connection not in closed and r.length <= trains]
        near = [r for r in open_routes if r.a in met or r.b in met] if met else open_routes
        inner = [r for r in near if r.a in met and r.b in met]
        choices = inner if inner and rng.random() < 0.5 else near
        if not choices:
            return own
        route = rng.choices(choices, [r.length**-1.5 for r in choices])[0]
        own.append(route.index)
        met |= {route.a, route.b}
        closed.add(route.connection)
        trains -= route.length

"""The longest trail by two other ways than the core's, and the graphs to compare them on."""

from collections.abc import Iterable
from functools import cache
from random import Random
from typing import Any

import networkx as nx
import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp  # type: ignore[import-untyped]

from ttrsim.boards import Board, Route
from ttrsim.core.records import BOARD, GAME
from ttrsim.core.trail import longest_trail
from ttrsim.encode import words

Edge = tuple[int, int, int]
"""Two cities and a length. Edges may be parallel."""

SCRATCH = np.zeros(1, GAME)[0].scratch


def core_trail(record: Any, routes: Iterable[int]) -> int:
    """Return the core's answer for a set of routes of a board record."""
    return int(longest_trail(record, words(routes, 3), SCRATCH))


def trail(edges: list[Edge]) -> int:
    """Return the core's answer for a graph."""
    return core_trail(record_of(edges), range(len(edges)))


def record_of(edges: list[Edge]) -> Any:
    """Return a board record with these edges as its routes, in this order, and nothing else."""
    record = np.zeros(1, BOARD)[0]
    record.routes, record.cities = len(edges), 1 + max((max(a, b) for a, b, _ in edges), default=0)
    for i, (a, b, length) in enumerate(edges):
        record.route_a[i], record.route_b[i], record.route_length[i] = a, b, length
        record.route_ends[i] = words([a, b], 1)[0]
    return record


def edges_of(routes: Iterable[Route]) -> list[Edge]:
    return [(r.a, r.b, r.length) for r in routes]


def by_walking(edges: list[Edge]) -> int:
    """Walk every trail there is: for at most about 14 edges. `by_walking([(0, 1, 2), (1, 2, 3)]) == 5`."""

    @cache
    def from_here(city: int, unused: frozenset[int]) -> int:
        steps = [e for e in unused if city in edges[e][:2]]
        return max((edges[e][2] + from_here(sum(edges[e][:2]) - city, unused - {e}) for e in steps), default=0)

    cities = {city for a, b, _ in edges for city in (a, b)}
    return max((from_here(city, frozenset(range(len(edges)))) for city in cities), default=0)


def by_programming(edges: list[Edge], cuts: tuple[frozenset[int], ...] = (), beat: int = 0) -> int:
    """Return the longest trail by integer programming, or `beat` if that is longer: for graphs that are too large to
    walk.

    The heaviest choice of edges with at most two odd cities that crosses each cut (a set of edges). If it falls into
    pieces, a longest trail lies inside a piece, or outside of it, or crosses the cut around it.
    """
    used = heaviest_even(edges, cuts)
    if sum(edges[e][2] for e in used) <= beat:
        return beat
    pieces = list(nx.connected_components(nx.Graph([edges[e][:2] for e in used])))
    if len(pieces) <= 1:
        return sum(edges[e][2] for e in used)
    piece = min(pieces, key=len)
    inside = [e for e in edges if {*e[:2]} <= piece]
    outside = [e for e in edges if not {*e[:2]} & piece]
    across = frozenset(i for i, e in enumerate(edges) if len({*e[:2]} & piece) == 1)
    beat = by_programming(inside, (), beat)
    beat = by_programming(outside, (), beat)
    return by_programming(edges, (*cuts, across), beat) if across else beat


def heaviest_even(edges: list[Edge], cuts: tuple[frozenset[int], ...]) -> list[int]:
    """Return indices of the heaviest set of edges with at most two odd cities and an edge in each cut; empty if there
    is none.

    Unknowns: each edge (0 or 1), then for each city whether it is odd (0 or 1) and half of its other edges (whole).
    """
    cities = sorted({city for a, b, _ in edges for city in (a, b)})
    m, n = len(edges), len(cities)
    if m == 0:
        return []
    parity = np.zeros((n, m + 2 * n))
    for e, (a, b, _) in enumerate(edges):
        parity[cities.index(a), e] = parity[cities.index(b), e] = 1
    parity[:, m : m + n], parity[:, m + n :] = -np.eye(n), -2 * np.eye(n)
    two_ends = np.concatenate([np.zeros(m), np.ones(n), np.zeros(n)])
    rows = [LinearConstraint(parity, 0, 0), LinearConstraint(two_ends, 0, 2)]
    rows += [LinearConstraint([1 if i in cut else 0 for i in range(m + 2 * n)], 1, m) for cut in cuts]
    upper = np.concatenate([np.ones(m + n), np.full(n, m)])
    weights = np.concatenate([[-length for *_, length in edges], np.zeros(2 * n)])
    solution = milp(weights, integrality=np.ones(m + 2 * n), bounds=Bounds(0, upper), constraints=rows)
    return [] if solution.x is None else [e for e in range(m) if solution.x[e] > 0.5]


# Graphs


def renumbered(edges: list[Edge], rng: Random) -> list[Edge]:
    """Return the same graph with edges in another order and direction, and cities with other numbers up to 63."""
    number = rng.sample(range(64), 64)
    turned = [(number[a], number[b], n) if rng.random() < 0.5 else (number[b], number[a], n) for a, b, n in edges]
    return rng.sample(turned, len(turned))


def random_graph(rng: Random, cities: int, edges: int, longest: int = 8) -> list[Edge]:
    """Return random edges between some cities, many of them parallel where the cities are few."""
    pairs = [rng.sample(range(cities), 2) for _ in range(edges)]
    return [(a, b, rng.randint(1, longest)) for a, b in pairs]


def cycle(cities: list[int], length: int = 1) -> list[Edge]:
    """Return a closed way through these cities; of two cities a pair of parallel edges."""
    return [(a, b, length) for a, b in zip(cities, cities[1:] + cities[:1], strict=True)]


def grid(width: int, height: int, length: int = 1) -> list[Edge]:
    """Return streets and avenues; of height 2 a ladder."""
    across = [(y * width + x, y * width + x + 1, length) for y in range(height) for x in range(width - 1)]
    down = [(y * width + x, (y + 1) * width + x, length) for y in range(height - 1) for x in range(width)]
    return across + down


# Sets of routes that a player might own


def grown(board: Board, rng: Random, routes: int, *, parallel: bool = False, closing: float = 0.0) -> list[int]:
    """Return connected routes, grown from one; `closing` is how often a route between cities already met is
    preferred.
    """
    own = [rng.choice(board.routes)]
    while len(own) < routes:
        met = {city for r in own for city in (r.a, r.b)}
        taken = {r.connection for r in own}
        near = [r for r in board.routes if r not in own and (parallel or r.connection not in taken)]
        near = [r for r in near if {r.a, r.b} & met]
        inner = [r for r in near if {r.a, r.b} <= met]
        choices = inner if inner and rng.random() < closing else near
        if not choices:
            break
        own.append(rng.choice(choices))
    return [r.index for r in own]


def scattered(board: Board, rng: Random, routes: int) -> list[int]:
    """Return any routes."""
    return rng.sample(range(len(board.routes)), routes)


def forest(board: Board, rng: Random, routes: int) -> list[int]:
    """Return routes without a cycle."""
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(c.index for c in board.cities)
    own: list[int] = []
    for r in rng.sample(board.routes, len(board.routes)):
        if len(own) < routes and not nx.has_path(graph, r.a, r.b):
            graph.add_edge(r.a, r.b)
            own.append(r.index)
    return own

"""The longest trail of the core, against other ways to find it and against facts."""

import json
from collections.abc import Callable
from functools import partial
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttrsim.boards import Board, load_board
from ttrsim.encode import encode_board

from .trails import (
    Edge,
    by_programming,
    by_walking,
    core_trail,
    cycle,
    edges_of,
    forest,
    grid,
    grown,
    random_graph,
    record_of,
    renumbered,
    scattered,
    trail,
)

KNOWN: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "known_trails.json").read_text("utf-8"))
BOARDS = ["usa", "europe", "old_west", "san_francisco"]
SHAPES: dict[str, Callable[[Board, Random, int], list[int]]] = {
    "grown": grown,
    "clump": partial(grown, closing=0.8),
    "parallel": partial(grown, parallel=True, closing=0.5),
    "forest": forest,
    "scattered": scattered,
}


def total(edges: list[Edge]) -> int:
    return sum(length for *_, length in edges)


@pytest.mark.parametrize("fact", KNOWN["trails"], ids=lambda fact: f"{len(fact['routes'])} routes")
def test_known_trails(fact: dict[str, Any]) -> None:
    board = load_board("usa")
    edges = [(board.city(a), board.city(b), length) for a, b, length in fact["routes"]]
    assert trail(edges) == fact["longest"]


@pytest.mark.parametrize("name", KNOWN["whole_boards"])
def test_whole_boards(name: str) -> None:
    board, fact = load_board(name), KNOWN["whole_boards"][name]
    record = encode_board(board)
    assert core_trail(record, [connection[0] for connection in board.connections]) == fact["one_route_a_connection"]
    assert core_trail(record, range(len(board.routes))) == fact["all_routes"]


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_sets_of_routes_as_by_walking(name: str, shape: str) -> None:
    board, rng = load_board(name), Random(f"{name} {shape}")
    record = encode_board(board)
    for _ in range(300):
        routes = SHAPES[shape](board, rng, rng.randint(1, 12))
        edges = edges_of(board.routes[r] for r in routes)
        assert core_trail(record, routes) == by_walking(edges), edges


@pytest.mark.parametrize("name", BOARDS)
def test_all_that_trains_can_build_as_by_programming(name: str) -> None:
    board, rng = load_board(name), Random(name)
    record = encode_board(board)
    for trial in range(15):
        routes = grown(board, rng, rng.randint(12, 30), parallel=trial % 3 == 0, closing=0.7)
        edges = edges_of(board.routes[r] for r in routes)
        assert core_trail(record, routes) == by_programming(edges), edges


edge = st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(1, 8)).filter(lambda e: e[0] != e[1])


@settings(max_examples=300)
@given(st.lists(edge, max_size=12))
def test_any_small_graph_as_by_walking(edges: list[Edge]) -> None:
    assert trail(edges) == by_walking(edges)


@settings(max_examples=40)
@given(st.lists(edge, min_size=15, max_size=30))
def test_any_larger_graph_as_by_programming(edges: list[Edge]) -> None:
    assert trail(edges) == by_programming(edges)


def test_the_two_other_ways_agree() -> None:
    rng = Random(5)
    for _ in range(60):
        edges = random_graph(rng, rng.randint(2, 9), rng.randint(1, 11))
        assert by_walking(edges) == by_programming(edges), edges


@pytest.mark.parametrize("name", BOARDS)
def test_numbering_does_not_matter(name: str) -> None:
    board, rng = load_board(name), Random(name)
    for _ in range(100):
        edges = edges_of(board.routes[r] for r in grown(board, rng, 18, parallel=True, closing=0.6))
        assert len({trail(edges), *(trail(renumbered(edges, rng)) for _ in range(3))}) == 1, edges


def test_the_last_cities_and_routes_of_a_record() -> None:
    edges = [(0, 1, 1)] * 186 + [(62, 63, 8), (61, 63, 8), (60, 62, 8), (60, 61, 8), (60, 63, 7), (59, 63, 6)]
    record = record_of(edges)
    assert core_trail(record, range(186, 192)) == 45
    assert core_trail(record, range(192)) == 186


def test_no_routes_have_no_trail() -> None:
    assert trail([]) == 0
    assert core_trail(encode_board(load_board("usa")), []) == 0


@pytest.mark.parametrize("seed", range(20))
def test_an_eulerian_graph_is_all_one_trail(seed: int) -> None:
    rng = Random(seed)
    way = [0]
    while len(way) < 40:
        way.append(rng.choice([city for city in range(9) if city != way[-1]]))
    edges = [(a, b, rng.randint(1, 8)) for a, b in pairwise(way)]
    assert trail(edges) == total(edges)


@pytest.mark.parametrize("seed", range(20))
def test_the_longest_trail_of_a_tree_is_its_diameter(seed: int) -> None:
    rng = Random(seed)
    edges = [(rng.randrange(city), city, rng.randint(1, 8)) for city in range(1, 40)]
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from(edges)
    distances = dict(nx.all_pairs_dijkstra_path_length(graph))
    assert trail(edges) == max(d for from_here in distances.values() for d in from_here.values())


def test_a_star_gives_its_two_longest_rays() -> None:
    assert trail([(0, ray, ray) for ray in range(1, 9)]) == 7 + 8


@pytest.mark.parametrize("seed", range(20))
def test_cycles_joined_at_cities_are_all_one_trail(seed: int) -> None:
    rng = Random(seed)
    edges, cities = [], 1
    while cities < 55:
        more = rng.randint(1, 5)
        edges += cycle([rng.randrange(cities), *range(cities, cities + more)], rng.randint(1, 6))
        cities += more
    assert trail(edges) == total(edges)


@pytest.mark.parametrize("beads", [1, 2, 7, 15])
@pytest.mark.parametrize("length", [1, 4])
def test_a_trail_takes_all_of_a_necklace_of_cycles_joined_by_bridges(beads: int, length: int) -> None:
    """A bead entered and left by one city is taken whole; of one crossed from end to end the shorter way is lost."""
    by_one_city = [e for i in range(beads) for e in cycle([i, 16 + 3 * i, 17 + 3 * i, 18 + 3 * i])]
    by_one_city += [(i, i + 1, length) for i in range(beads - 1)]
    assert trail(by_one_city) == 4 * beads + length * (beads - 1)
    by_two = [e for i in range(beads) for e in [(2 * i, 2 * i + 1, 3), (2 * i, 2 * i + 1, 2)]]
    by_two += [(2 * i + 1, 2 * i + 2, length) for i in range(beads - 1)]
    assert trail(by_two) == total(by_two) - 2 * max(0, beads - 2)


def test_bridges_between_blocks_are_crossed_once() -> None:
    rng = Random(8)
    for _ in range(300):
        edges: list[Edge] = []
        for block in range(3):
            edges += [(a + 4 * block, b + 4 * block, n) for a, b, n in random_graph(rng, 4, 3, 4)]
        edges += [(rng.randrange(4), 4 + rng.randrange(4), 1), (4 + rng.randrange(4), 8 + rng.randrange(4), 1)]
        assert trail(edges) == by_walking(edges), edges


@pytest.mark.parametrize("steps", [2, 3, 4, 5])
def test_ladders_as_by_walking(steps: int) -> None:
    assert trail(grid(steps, 2)) == by_walking(grid(steps, 2))
    assert trail(grid(steps, 2, 5)) == 5 * trail(grid(steps, 2))


@pytest.mark.parametrize(("width", "height"), [(3, 3), (4, 3), (4, 4), (5, 4), (5, 5), (12, 2)])
def test_grids_as_by_programming(width: int, height: int) -> None:
    assert trail(grid(width, height)) == by_programming(grid(width, height))


@pytest.mark.parametrize("cities", [2, 3, 4, 5, 6, 7, 8, 9])
def test_complete_graphs(cities: int) -> None:
    """Return the longest trail of a complete graph: with an even number of cities all but two must lose an edge."""
    edges = [(a, b, 3) for a, b in combinations(range(cities), 2)]
    left_out = max(0, (cities - 2) // 2) if cities % 2 == 0 else 0
    assert trail(edges) == 3 * (len(edges) - left_out)


@pytest.mark.parametrize("seed", range(20))
def test_complete_graphs_with_parallel_edges_of_several_lengths(seed: int) -> None:
    rng = Random(seed)
    pairs = [*combinations(range(4), 2)] * 2 if seed % 2 else [*combinations(range(5), 2)]
    edges = [(a, b, rng.randint(1, 8)) for a, b in pairs]
    assert trail(edges) == by_walking(edges)


def test_the_better_of_two_pieces_counts() -> None:
    triangle, far = cycle([0, 1, 2], 4), [(5, 6, 6), (6, 7, 5)]
    assert trail(triangle + far) == 12
    assert trail([*triangle, *far, (7, 8, 2)]) == 13
    assert trail([*far, *((a + 8, b + 8, n) for a, b, n in triangle)]) == 12

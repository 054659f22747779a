"""Plans grown from two sides: distances, what is counted, and what the slips of the published program change."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from ttrsim.core import constants as c
from ttrsim.encode import members
from ttrsim.kit.two_sides import NO_PLAN, WILD_NEEDS, in_graph, measure_distances, plan_through

from .games import TABLES, Game, bits, decisions, free, fresh_mind, own_routes, some


def joint_graph(game: Game) -> nx.Graph:
    """Free routes whatever trains are left, by their trains, and own ones at no cost."""
    found = nx.Graph()
    found.add_edges_from((r.a, r.b, {"length": r.length}) for r in free(game, game.seat))
    found.add_edges_from((r.a, r.b, {"length": 0}) for r in own_routes(game, game.seat))
    return found


@pytest.mark.parametrize("table", [t for t in TABLES if not t[0].startswith("old_west")])
def test_distances_are_trains_on_free_routes_where_own_ones_cost_nothing(table):
    rng = np.random.default_rng(3)
    for game in some(decisions(*table), 9, c.TURN):
        mind, graph = fresh_mind(), joint_graph(game)
        every = bits(range(len(game.board.cities)))
        assert members(np.array([in_graph(game.record, game.table, game.hand, every)], np.uint64)) == sorted(graph)
        cities = rng.choice(len(game.board.cities), 5, replace=False).tolist()
        game.ask(measure_distances, mind, bits(cities))
        for city in cities:
            lengths = (
                nx.single_source_dijkstra_path_length(graph, city, weight="length") if city in graph else {city: 0}
            )
            for other in cities:
                assert mind.work.distance[city, other] == lengths.get(other, c.NOWHERE)


@pytest.mark.parametrize("slips", [True, False])
@pytest.mark.parametrize("table", [t for t in TABLES if not t[0].startswith("old_west")])
def test_a_plan_counts_free_routes_that_with_own_ones_join_all_its_cities(table, slips):
    rng, planned, twice = np.random.default_rng(1), 0, 0
    for game in some(decisions(*table), 5, c.TURN):
        mind, graph = fresh_mind(), joint_graph(game)
        largest = sorted(max(nx.connected_components(graph), key=len))
        cities = rng.choice(largest, 5, replace=False).tolist()
        game.ask(measure_distances, mind, bits(cities))
        trains = game.ask(plan_through, mind, bits(cities), slips)
        own = nx.Graph([(r.a, r.b) for r in own_routes(game, game.seat)])
        own.add_nodes_from(cities)
        if trains == NO_PLAN:
            assert all(nx.has_path(own, a, b) for a, b in pairwise(cities))
            continue
        routes = [game.board.routes[r] for r in members(mind.work.path)]
        own.add_edges_from((r.a, r.b) for r in routes)
        assert all(nx.has_path(own, a, b) for a, b in pairwise(cities))
        assert all(graph.edges[r.a, r.b]["length"] == r.length for r in routes)
        assert trains == mind.work.needs.sum() >= sum(r.length + r.ferry for r in routes)
        assert mind.work.needs[WILD_NEEDS] >= sum(r.ferry for r in routes)
        once = trains == sum(r.length + r.ferry for r in routes)
        assert once or slips
        planned, twice = planned + 1, twice + (not once)
    assert planned > 3


def test_no_cities_make_an_empty_plan_and_cities_that_own_routes_join_none():
    for game in some(decisions("usa", 2), 9, c.TURN):
        for r in own_routes(game, game.seat):
            mind = fresh_mind()
            game.ask(measure_distances, mind, bits([r.a, r.b]))
            assert game.ask(plan_through, mind, np.uint64(0), True) == 0
            assert game.ask(plan_through, mind, bits([r.a, r.b]), True) == NO_PLAN

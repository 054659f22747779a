"""Cheapest paths, against Dijkstra's on a graph of the same prices; and that what is remembered is still true."""

from collections.abc import Iterable
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from ttrsim.boards import Route
from ttrsim.core import constants as c
from ttrsim.encode import members
from ttrsim.kit.fewest import missing_route, passable, path_to_finish
from ttrsim.kit.paths import MOST_PRICE, connected, find_path, points_for, set_prices, set_route_prices, trains_for
from ttrsim.kit.trees import plan_tree, ticket_price

from .games import TABLES, Game, Mind, bits, decisions, free, fresh_mind, graph, own_routes, some, usable

PRICES = [(1, 0, 0), (0, 1, 0), (2, 1, 1), (4, 1, 1), (0, 3, 7), (31, 0, 0)]
"""Prices of a route, each of its spaces, and a tunnel or a ferry."""
UNREACHED = c.WAVES - MOST_PRICE
"""Paths of this price and more need not be found."""


Prices = tuple[int, int, int] | np.ndarray
"""Prices as above, or one for each route."""


def set_all(game: Game, mind: Mind, prices: Prices) -> None:
    if isinstance(prices, tuple):
        set_prices(game.record, mind, *prices)
    else:
        set_route_prices(game.record, mind, prices)


def price_of(route: Route, prices: Prices) -> int:
    if not isinstance(prices, tuple):
        return int(prices[route.index])
    hard = route.tunnel or route.ferry > 0
    return prices[0] + prices[1] * route.length + prices[2] * hard


def priced(game: Game, prices: Prices, free: Iterable[Route] = ()) -> nx.Graph:
    """Return the network that a seat can still build, with prices; its own routes and those of `free` cost nothing."""
    found = graph(game.board, [])
    routes = [(r, price_of(r, prices)) for r in usable(game, game.seat)]
    for r, price in [*routes, *((r, 0) for r in [*own_routes(game, game.seat), *free])]:
        if not found.has_edge(r.a, r.b) or found[r.a][r.b]["price"] > price:
            found.add_edge(r.a, r.b, price=price)
    return found


def cheapest(priced_graph: nx.Graph, a: int, b: int) -> int:
    """Return the price of a cheapest path, or NOWHERE."""
    try:
        price = int(nx.dijkstra_path_length(priced_graph, a, b, "price"))
    except nx.NetworkXNoPath:
        return c.NOWHERE
    return price if price < UNREACHED else c.NOWHERE


def some_pairs(game: Game, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Return some cities that one might want to connect, also such as the seat has connected."""
    pairs = [rng.choice(len(game.board.cities), 2, replace=False) for _ in range(8)]
    return [*((int(a), int(b)) for a, b in pairs), *((r.a, r.b) for r in own_routes(game, game.seat)[:3])]


@pytest.mark.parametrize("table", TABLES)
def test_a_path_costs_what_dijkstra_says_and_consists_of_routes_to_be_had(table):
    rng, seen = np.random.default_rng(4), set()
    for game, prices in zip(some(decisions(*table), 21), PRICES * 99, strict=False):
        mind = fresh_mind()
        if rng.random() < 0.5:
            prices = rng.integers(1, MOST_PRICE + 1, c.ROUTES)
        set_all(game, mind, prices)
        found, can_have = priced(game, prices), {r.index for r in usable(game, game.seat)}
        for a, b in some_pairs(game, rng):
            price = game.ask(find_path, mind, bits([a, b]))
            assert price == cheapest(found, a, b)
            path = members(mind.work.path)
            assert set(path) <= can_have
            assert sum(price_of(game.board.routes[r], prices) for r in path) == max(0, price)
            both = graph(game.board, [*path, *own_routes(game, game.seat)])
            assert nx.has_path(both, a, b) == (price != c.NOWHERE)
            seen.add(min(1, price))
    assert seen >= {0, 1}


@pytest.mark.parametrize("table", TABLES)
def test_connected_is_what_own_routes_connect(table):
    rng, seen = np.random.default_rng(5), set()
    for game in some(decisions(*table), 21):
        mind, own = fresh_mind(), graph(game.board, own_routes(game, game.seat))
        for a, b in some_pairs(game, rng):
            wanted = nx.has_path(own, a, b)
            assert game.ask(connected, mind, bits([a, b])) == wanted
            seen.add(wanted)
    assert seen == {True, False}


@pytest.mark.parametrize("table", [t for t in TABLES if not t[0].startswith("old_west")])
def test_a_ticket_costs_its_cheapest_path(table):
    for game in some(decisions(*table), 25):
        mind = fresh_mind()
        set_prices(game.record, mind, 2, 1, 1)
        found = priced(game, (2, 1, 1))
        for ticket in game.board.tickets:
            assert game.ask(ticket_price, mind, ticket.index) == cheapest(found, ticket.a, ticket.b)


@pytest.mark.parametrize("table", [t for t in TABLES if t[0].startswith("old_west")])
def test_where_claims_must_join_the_network_a_ticket_costs_joining_both_cities_to_it(table):
    """Not less than the cheapest way to join network and cities at any place, not more than a path to each city."""
    for game in some(decisions(*table), 25, c.TURN):
        mind = fresh_mind()
        set_prices(game.record, mind, 2, 1, 1)
        found, start = priced(game, (2, 1, 1)), game.starts[game.seat]
        far = {city: nx.single_source_dijkstra_path_length(found, city, weight="price") for city in found}
        for ticket in game.board.tickets:
            price = game.ask(ticket_price, mind, ticket.index)
            ends = (start, ticket.a, ticket.b)
            best = min((sum(far[e][v] for e in ends) for v in found if all(v in far[e] for e in ends)), default=-1)
            if best == -1:
                assert price == c.NOWHERE
            else:
                assert best <= price <= far[start][ticket.a] + far[start][ticket.b]


@pytest.mark.parametrize("table", TABLES)
def test_a_mind_that_has_seen_the_whole_game_tells_what_a_fresh_one_does(table):
    minds, rng = [fresh_mind() for _ in range(table[1])], np.random.default_rng(1)

    def told(game: Game, mind: Mind, prices: Prices, tickets: list[int]) -> list[object]:
        set_all(game, mind, prices)
        said = [game.ask(ticket_price, mind, t) for t in tickets]
        said += [game.ask(find_path, mind, game.record.ticket_ends[t]) for t in tickets] + [mind.work.path.tolist()]
        said += [game.ask(plan_tree, mind, *game.hand.tickets), mind.work.tree.tolist()]
        return said

    routes_cost = rng.integers(1, 9, (2, c.ROUTES))
    numbered = enumerate(decisions(*table))
    for game in (game for i, game in numbered if game.table.turn < game.players or i % 15 == 0):
        prices: Prices = PRICES[rng.integers(len(PRICES))] if rng.random() < 0.2 else PRICES[2]
        if rng.random() < 0.3:
            prices = routes_cost[rng.integers(2)]
        tickets = [2 * game.seat, int(rng.integers(len(game.board.tickets)))]
        kept = minds[game.seat]
        assert told(game, kept, prices, tickets) == told(game, fresh_mind(), prices, tickets)
        assert game.ask(ticket_price, kept, tickets[0]) == game.ask(ticket_price, kept, tickets[0])


def test_prices_of_routes_beyond_the_bounds_count_as_the_nearest():
    game, mind = next(decisions(*TABLES[0])), fresh_mind()
    set_route_prices(game.record, mind, np.resize([-5, 0, 1, MOST_PRICE, MOST_PRICE + 1, 10**9], c.ROUTES))
    assert mind.work.route_price[:6].tolist() == [1, 1, 1, MOST_PRICE, MOST_PRICE, MOST_PRICE]


@pytest.mark.parametrize("by_grade", [(2, 1, 1), None])
def test_prices_of_routes_end_with_the_game(by_grade):
    game, mind, ends = next(decisions(*TABLES[0])), fresh_mind(), bits([0, 9])
    set_route_prices(game.record, mind, np.full(c.ROUTES, 7))
    first = game.ask(ticket_price, mind, 0)
    game.ask(plan_tree, mind, *game.hand.dealt)
    mind.work.fresh = 1
    fresh = fresh_mind()
    for each in (mind, fresh):
        if by_grade:
            set_prices(game.record, each, *by_grade)
    assert first % 7 == 0
    assert game.ask(find_path, mind, ends) == game.ask(find_path, fresh, ends)
    assert game.ask(plan_tree, mind, *game.hand.dealt) == game.ask(plan_tree, fresh, *game.hand.dealt)
    assert mind.work.tree.tolist() == fresh.work.tree.tolist()


@pytest.mark.parametrize("table", TABLES)
def test_trains_and_points_of_routes_are_their_sums(table):
    rng = np.random.default_rng(2)
    game = next(decisions(*table))
    for _ in range(20):
        some_routes = [r for r in game.board.routes if rng.random() < 0.3]
        words = np.zeros(c.ROUTE_WORDS, np.uint64)
        for r in some_routes:
            words[r.index // 64] |= np.uint64(1 << r.index % 64)
        assert trains_for(game.record, words) == sum(r.length for r in some_routes)
        assert points_for(game.record, words) == sum(game.board.rules.route_points[r.length] for r in some_routes)


@pytest.mark.parametrize("table", [t for t in TABLES if not t[0].startswith("old_west")])
def test_the_path_of_the_fewest_routes_counts_own_ones_and_passes_over_short_free_ones(table):
    for game in some(decisions(*table), 25):
        mind, shortest = fresh_mind(), 1 + game.seat % 2
        words = passable(game.record, game.table, game.hand, shortest)
        routes = tuple(np.uint64(word) for word in words)  # compiled code returns them as Python's integers
        claimable = [r for r in free(game, game.seat) if r.length >= shortest]
        found = graph(game.board, claimable + own_routes(game, game.seat))
        own = {(r.a, r.b) for r in own_routes(game, game.seat)}
        for ticket in game.board.tickets[::4]:
            steps = game.ask(path_to_finish, mind, routes, ticket.index)
            if nx.has_path(found, ticket.a, ticket.b):
                assert steps == nx.shortest_path_length(found, ticket.a, ticket.b)
                way = mind.work.way[: steps + 1].tolist()
                assert {way[0], way[-1]} == {ticket.a, ticket.b}
                for i, (a, b) in enumerate(pairwise(way)):
                    route = game.ask(missing_route, mind, routes, i)
                    assert (route == c.NOBODY) == bool({(a, b), (b, a)} & own)
                    if route != c.NOBODY:
                        assert {game.board.routes[route].a, game.board.routes[route].b} == {a, b}
                        assert game.board.routes[route].length >= shortest
            else:
                assert steps == c.NOWHERE


def test_a_path_for_a_ticket_leads_from_the_city_that_it_names_first():
    game, mind = next(decisions("usa", 2)), fresh_mind()
    routes = tuple(np.uint64(word) for word in passable(game.record, game.table, game.hand, 1))
    for first, second in (("Seattle", "New York"), ("Boston", "Miami"), ("Winnipeg", "Little Rock")):
        ends = {game.board.city(first), game.board.city(second)}
        ticket = next(t for t in game.board.tickets if {t.a, t.b} == ends)
        steps = game.ask(path_to_finish, mind, routes, ticket.index)
        assert (mind.work.way[0], mind.work.way[steps]) == (game.board.city(first), game.board.city(second))

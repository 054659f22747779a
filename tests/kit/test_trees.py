"""Trees for several tickets: what they join, of what they consist, and that they cost what the docstring says."""

import networkx as nx
import numpy as np
import pytest

from ttrsim.core import constants as c
from ttrsim.encode import members, words
from ttrsim.kit.paths import set_prices
from ttrsim.kit.trees import plan_tree, planned

from .games import TABLES, Game, Mind, decisions, fresh_mind, graph, own_routes, some, usable
from .test_paths import cheapest, price_of, priced

PRICES = (4, 1, 1)
ANYWHERE = [table for table in TABLES if not table[0].startswith("old_west")]
"""Tables where claims need not join the network."""


def plan(game: Game, mind: Mind, tickets: list[int]) -> tuple[int, list[int]]:
    """Return the price and the routes of a tree."""
    price = game.ask(plan_tree, mind, *words(tickets, c.TICKET_WORDS))
    return int(price), members(mind.work.tree)


def pick(game: Game, rng: np.random.Generator, many: int) -> list[int]:
    return [int(t) for t in rng.choice(len(game.board.tickets), many, replace=False)]


@pytest.mark.parametrize("table", TABLES)
def test_a_tree_completes_all_that_can_be_completed_of_routes_to_be_had(table):
    rng = np.random.default_rng(1)
    for game in some(decisions(*table), 13, c.TURN):
        mind, tickets = fresh_mind(), pick(game, rng, int(rng.integers(1, 7)))
        set_prices(game.record, mind, *PRICES)
        price, tree = plan(game, mind, tickets)
        can_have, own = usable(game, game.seat), own_routes(game, game.seat)
        assert set(tree) <= {r.index for r in can_have}
        assert sum(price_of(game.board.routes[r], PRICES) for r in tree) == price
        done, possible = graph(game.board, [*tree, *own]), graph(game.board, [*can_have, *own])
        reached = nx.node_connected_component(possible, game.starts[game.seat]) if game.starts else set(possible)
        for t in tickets:
            a, b = game.board.tickets[t].a, game.board.tickets[t].b
            assert nx.has_path(done, a, b) == (nx.has_path(possible, a, b) and {a, b} <= reached)
        for t in range(len(game.board.tickets)):
            a, b = game.board.tickets[t].a, game.board.tickets[t].b
            assert planned(game.record, mind, t) == nx.has_path(done, a, b)


@pytest.mark.parametrize("table", [table for table in TABLES if table not in ANYWHERE])
def test_where_claims_must_join_the_network_so_does_the_tree(table):
    rng = np.random.default_rng(2)
    for game in some(decisions(*table), 13, c.TURN):
        mind = fresh_mind()
        set_prices(game.record, mind, *PRICES)
        tree = plan(game, mind, pick(game, rng, 4))[1]
        whole = graph(game.board, [*tree, *own_routes(game, game.seat)])
        joined = nx.node_connected_component(whole, game.starts[game.seat])
        assert {city for r in tree for city in (game.board.routes[r].a, game.board.routes[r].b)} <= joined


@pytest.mark.parametrize("table", TABLES)
def test_trees_known_from_other_games_are_those_that_a_fresh_mind_plans(table):
    rng, minds, known = np.random.default_rng(5), [fresh_mind() for _ in range(table[1])], 0
    for block in range(3):
        for mind in minds:
            mind.work.fresh = 1
        for game in some((g for g in decisions(*table, block) if g.table.turn < 5 * g.players), 3):
            kept, fresh = minds[game.seat], fresh_mind()
            tickets = sorted(rng.choice(6, int(rng.integers(1, 5)), replace=False).tolist())
            prices = PRICES if rng.random() < 0.9 else (0, 1, 0)
            for mind in (kept, fresh):
                set_prices(game.record, mind, *prices)
            before = np.count_nonzero(kept.work.pair)
            assert plan(game, kept, tickets) == plan(game, fresh, tickets)
            for t in range(len(game.board.tickets)):
                assert planned(game.record, kept, t) == planned(game.record, fresh, t)
            known += before > 0 and kept.work.untouched
    assert known > 0


@pytest.mark.parametrize("table", TABLES)
def test_a_tree_costs_at_least_its_dearest_ticket_and_at_most_the_cheapest_paths_of_all_laid_together(table):
    rng = np.random.default_rng(3)
    for game in some(decisions(*table), 13, c.TURN):
        mind, tickets = fresh_mind(), pick(game, rng, 6)
        set_prices(game.record, mind, *PRICES)
        alone = [plan(game, mind, [t]) for t in tickets]
        together = {r for _, path in alone for r in path}
        least = max(price for price, _ in alone) if table in ANYWHERE else 0  # else one may pay for cities of others
        most = sum(price_of(game.board.routes[r], PRICES) for r in together)
        assert least <= plan(game, mind, tickets)[0] <= most


@pytest.mark.parametrize("table", ANYWHERE)
def test_two_tickets_cost_the_one_and_what_it_leaves_of_the_other_whichever_order_is_cheaper(table):
    rng, saved = np.random.default_rng(4), 0
    for game in some(decisions(*table), 5, c.TURN):
        mind, pair = fresh_mind(), pick(game, rng, 2)
        set_prices(game.record, mind, *PRICES)
        alone = {t: plan(game, mind, [t]) for t in pair}
        totals = []
        for first, second in (pair, pair[::-1]):
            price, path = alone[first]
            ends = game.board.tickets[second].a, game.board.tickets[second].b
            rest = cheapest(priced(game, PRICES, [game.board.routes[r] for r in path]), *ends)
            totals.append(price + max(0, rest))
        assert plan(game, mind, pair)[0] == min(totals)
        saved += min(totals) < alone[pair[0]][0] + alone[pair[1]][0]
    assert saved > 0

"""Bots keep good tickets, plan routes for them, and see how the game goes."""

from collections import Counter

import networkx as nx
import numpy as np
import pytest

from ttrsim.core import constants as c
from ttrsim.encode import members, words
from ttrsim.kit.game_clock import contest, lead, rounds_left
from ttrsim.kit.plans import WILD_COST, claim_contested, claim_planned, claim_sparing, keep_plan
from ttrsim.kit.tickets import choose_for_bonus, choose_tickets, tickets_value, value_with_bonus

from .games import (
    TABLES,
    Game,
    Mind,
    claimable,
    decisions,
    fresh_mind,
    graph,
    joined,
    network,
    own_routes,
    route_of,
    some,
    usable,
)


def value_by_hand(game: Game, mind: Mind, tickets: list[int], thrift: float, haste: float, bonus: float) -> float:
    """Return the worth of the tickets with the tree planned last, and a bonus for each completed."""
    board = game.board
    tree = [board.routes[r] for r in members(mind.work.tree)]
    turns = sum(4 + r.length + (r.tunnel or r.ferry > 0) for r in tree) / 2
    lacking = max(0, sum(r.length for r in tree) - int(game.table.trains[game.seat]))
    value = sum(board.rules.route_points[r.length] for r in tree) - thrift * turns - 3 * lacking
    value -= haste * max(0.0, turns - rounds_left(game.record, game.table, mind))
    for t in tickets:
        done = not lacking and joined(board, [*tree, *own_routes(game, game.seat)], t)
        value += board.tickets[t].points + bonus if done else -board.tickets[t].points
    return value


@pytest.mark.parametrize("table", TABLES)
def test_what_tickets_are_worth_is_the_sum_of_what_their_plan_brings_and_takes(table):
    rng = np.random.default_rng(1)
    for game in some(decisions(*table), 25, c.TURN, c.KEEPING):
        mind, tickets = fresh_mind(), sorted(rng.choice(len(game.board.tickets), 3, replace=False).tolist())
        both, (thrift, haste) = words(tickets, c.TICKET_WORDS), rng.uniform(0, 4, 2)
        value = game.ask(tickets_value, mind, *both, thrift, haste)
        assert value == pytest.approx(value_by_hand(game, mind, tickets, thrift, haste, 0))
        value = game.ask(value_with_bonus, mind, *both, thrift, haste, 6.0)
        assert value == pytest.approx(value_by_hand(game, mind, tickets, thrift, haste, 6))


@pytest.mark.parametrize("table", TABLES)
def test_the_tickets_kept_are_those_worth_most_of_all_that_may_be_kept(table):
    kept_less = False
    for game in some(decisions(*table), 3, c.OPENING, c.KEEPING):
        legal, worth, with_bonus = game.legal(), {}, {}
        for action in legal:
            kept = [int(t) for i, t in enumerate(game.hand.offer[: game.hand.offered]) if action - c.KEEP >> i & 1]
            both = words([*kept, *game.tickets(game.seat)], c.TICKET_WORDS)
            worth[action] = game.ask(tickets_value, fresh_mind(), *both, 3.0, 2.5)
            with_bonus[action] = game.ask(value_with_bonus, fresh_mind(), *both, 3.0, 2.5, 6.0)
        action, for_bonus = (
            game.ask(choose_tickets, fresh_mind(), 3.0, 2.5),
            game.ask(choose_for_bonus, fresh_mind(), 3.0, 2.5, 6.0),
        )
        assert {action, for_bonus} <= set(legal)
        assert worth[action] == max(worth.values())
        assert with_bonus[for_bonus] == max(with_bonus.values())
        kept_less |= action != max(legal)
    assert kept_less


@pytest.mark.parametrize("table", TABLES)
def test_what_is_planned_is_owned_or_can_be_had_and_completes_tickets_within_the_trains(table):
    completed = Counter[bool]()
    for game in some(decisions(*table), 31, c.TURN, c.SECOND):
        mind = fresh_mind()
        trains = game.ask(keep_plan, mind)
        plan = [game.board.routes[r] for r in members(mind.work.plan)]
        own, can_have = own_routes(game, game.seat), usable(game, game.seat)
        assert {r.index for r in plan} <= {r.index for r in own + can_have}
        assert trains == sum(r.length for r in plan if r not in own) <= game.table.trains[game.seat]
        completed.update(joined(game.board, [*plan, *own], t) for t in game.tickets(game.seat))
    assert completed[True] > completed[False] / 4


@pytest.mark.parametrize("table", TABLES)
def test_a_plan_kept_through_a_game_stays_one_of_routes_owned_or_to_be_had(table):
    minds = [fresh_mind() for _ in range(table[1])]
    for game in some(decisions(*table), 15, c.TURN):
        mind = minds[game.seat]
        trains = game.ask(keep_plan, mind)
        own, can_have = own_routes(game, game.seat), usable(game, game.seat)
        plan = {game.board.routes[r] for r in members(mind.work.plan)}
        assert plan <= {*own, *can_have}
        assert set(members(mind.work.path)) == {r.index for r in plan - set(own)}
        assert trains == sum(r.length for r in plan - set(own))


@pytest.mark.parametrize("table", TABLES)
def test_claims_of_planned_routes_are_legal_and_made_whenever_one_is(table):
    for game in some(decisions(*table), 25, c.TURN):
        mind, legal = fresh_mind(), game.legal()
        game.ask(keep_plan, mind)
        wanted = {t for r in members(mind.work.path) for t in twins_as_long(game, r)}
        ways = {a for a in legal if c.CLAIM <= a < c.STATION and route_of(a) in wanted}
        action = game.ask(claim_planned, mind)
        assert action in ways or (action == c.PASS and not ways)
        hot = game.ask(claim_contested, mind, 2)
        assert hot == c.PASS or (hot in ways and wanted_by_others(game, route_of(hot)) >= 2)


def test_a_claim_that_spares_wilds_takes_no_more_of_them_and_sometimes_fewer():
    wilds = []
    for game in some((g for table in TABLES for g in decisions(*table)), 3, c.TURN):
        mind = fresh_mind()
        game.ask(keep_plan, mind)
        sparing, usual = (game.ask(claim_sparing, mind, 0, cost) for cost in (100.0, WILD_COST))
        assert usual == game.ask(claim_planned, mind)
        assert (sparing == c.PASS) == (usual == c.PASS)
        wilds.append((sparing % 10, usual % 10))
    assert all(sparing <= usual for sparing, usual in wilds)
    assert any(sparing < usual for sparing, usual in wilds)


def twins_as_long(game: Game, route: int) -> list[int]:
    """Return a route and those beside it that are as long and as hard."""
    r = game.board.routes[route]
    beside = [game.board.routes[t] for t in game.board.connections[r.connection]]
    return [t.index for t in beside if (t.length, t.tunnel, t.ferry > 0) == (r.length, r.tunnel, r.ferry > 0)]


def wanted_by_others(game: Game, route: int) -> int:
    """Return ends of the route that each other seat has reached, added up."""
    ends = {game.board.routes[route].a, game.board.routes[route].b}
    return sum(len(ends & network(game, seat)) for seat in range(game.players) if seat != game.seat)


@pytest.mark.parametrize("table", TABLES)
def test_a_route_is_contested_by_those_who_have_reached_its_ends(table):
    for game in some(decisions(*table), 25, c.TURN):
        for r in claimable(game, game.seat)[::3]:
            told = contest(game.record, game.table, game.hand.seat, r.index)
            assert told == wanted_by_others(game, r.index)


@pytest.mark.parametrize("table", TABLES)
def test_in_the_last_round_the_turns_left_are_exact(table):
    told = list[tuple[int, float]]()  # seats in the order of their last turns, and what they were told
    for game in decisions(*table):
        if game.phase == c.TURN and game.table.turns_to_go != c.NOBODY:
            told.append((game.seat, rounds_left(game.record, game.table, fresh_mind())))
    assert told
    for i, (seat, left) in enumerate(told):
        assert left == sum(later == seat for later, _ in told[i:])


@pytest.mark.parametrize("table", TABLES)
def test_the_lead_is_in_points_with_own_tickets_and_a_guess_of_those_of_others(table):
    for game in some(decisions(*table), 25, c.TURN):
        own = graph(game.board, own_routes(game, game.seat))
        mine = int(game.table.score[game.seat])
        for t in (game.board.tickets[t] for t in game.tickets(game.seat)):
            mine += t.points if nx.has_path(own, t.a, t.b) else -t.points
        others = set(range(game.players)) - {game.seat}
        best = max(int(game.table.score[s]) + 9 * len(game.tickets(s)) for s in others)
        assert game.ask(lead, fresh_mind(), 9.0) == mine - best

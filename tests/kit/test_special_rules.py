"""Fillers, and the decisions of some boards only: legal, and as good as their descriptions say."""

from collections import Counter

import networkx as nx
import pytest

from ttrsim.boards import Route
from ttrsim.core import constants as c
from ttrsim.core.apply import apply
from ttrsim.encode import members
from ttrsim.kit import special_rules
from ttrsim.kit.defaults import default_answer
from ttrsim.kit.endgame import closing_claim, finish, last_claim
from ttrsim.kit.fillers import JOINS, best_filler, claim_value, most_claim_value, spare_claim
from ttrsim.kit.game_clock import lead, rounds_left
from ttrsim.kit.habits import can_claim, draw_blind, payable_routes
from ttrsim.kit.keeping import keep_best_ratio, keep_first, keep_lowest
from ttrsim.kit.plans import keep_plan

from .games import (
    DRAWS,
    TABLES,
    Game,
    Mind,
    claimable,
    claims,
    decisions,
    free,
    fresh_mind,
    graph,
    network,
    own_routes,
    payment_of,
    route_of,
    some,
)


def completed(game: Game, routes: list[Route], more: list[Route]) -> int:
    """Return points of the tickets held that these routes do not connect, but with some more do."""
    before, after = graph(game.board, routes), graph(game.board, [*routes, *more])
    tickets = [game.board.tickets[t] for t in game.tickets(game.seat)]
    return sum(t.points for t in tickets if nx.has_path(after, t.a, t.b) and not nx.has_path(before, t.a, t.b))


def test_a_helper_that_changed_what_it_is_shown_would_be_found_out():
    """So each call in these tests holds that helpers change nothing but the mind."""
    game = next(decisions("usa", 2))
    for change in (
        lambda board, table, hand, mind: setattr(board, "trains", 1),
        lambda board, table, hand, mind: setattr(table, "turn", 1),
        lambda board, table, hand, mind: table.known.fill(1),
        lambda board, table, hand, mind: hand.tickets.fill(1),
    ):
        with pytest.raises(ValueError, match="read-only"):
            game.ask(change, fresh_mind())


@pytest.mark.parametrize("table", TABLES)
def test_every_default_is_legal(table):
    minds = [fresh_mind() for _ in range(table[1])]
    for game in some(decisions(*table), 11):
        assert game.ask(default_answer, minds[game.seat], None) in game.legal()


# Fillers


@pytest.mark.parametrize("table", TABLES)
def test_a_claim_is_worth_what_it_scores_at_once_less_what_it_gives_to_others(table):
    """And a point where it lengthens the network; a token is worth what one more symbol adds, at least a point."""
    tried = 0
    for game in some(decisions(*table), 17, c.TURN):
        for route, actions in list(claims(game).items())[::3]:
            r = game.board.routes[route]
            if not r.tunnel:
                after = game.copy()
                assert apply(game.record, after, actions[0])
                gains = [int(after.table.score[s] - game.table.score[s]) for s in range(game.players)]
                worth = gains[game.seat] - (sum(gains) - gains[game.seat]) / (game.players - 1)
                worth += JOINS * (len({r.a, r.b} & network(game, game.seat)) == 1) + token(game, r)
                told = claim_value(game.record, game.table, game.seat, route, JOINS)
                assert told == pytest.approx(worth)
                assert told <= most_claim_value(game.record, r.length)
                tried += 1
    assert tried > 0


def token(game: Game, r: Route) -> int:
    """Return what a token at an end of the route adds."""
    rules, table = game.board.rules.souvenirs, game.table
    lacks = [
        e for e in (r.a, r.b) if table.stack_tokens[e] and not table.tokens[game.seat] >> table.stack_symbol[e] & 1
    ]
    if not rules or not lacks:
        return 0
    have = int(table.tokens[game.seat]).bit_count()
    return max(1, rules.points[have + 1] - rules.points[have])


@pytest.mark.parametrize("table", TABLES)
def test_the_filler_is_the_longest_and_then_first_of_the_routes_beside_the_plan_worth_most(table):
    slow, weight = 0.5, 0.25
    found, minds = 0, [fresh_mind() for _ in range(table[1])]
    for game in some(decisions(*table), 7, c.TURN):
        mind = minds[game.seat]
        trains = int(game.table.trains[game.seat]) - game.ask(keep_plan, mind)
        spare, plan = mind.work.spare, set(members(mind.work.plan))
        most, time = max(map(int, spare[: c.WILD])), rounds_left(game.record, game.table, mind)
        worth = {c.NOBODY: 0.0}
        for r in claimable(game, game.seat):
            lacking = max(0, r.length - (most if r.colour is None else int(spare[r.colour])) - int(spare[c.WILD]))
            turns = 1 + slow * max(lacking, r.ferry - int(spare[c.WILD]))
            if r.length <= trains and r.index not in plan and turns <= time:
                value = claim_value(game.record, game.table, game.seat, r.index, JOINS)
                worth[r.index] = value / (turns + weight * r.length)
        route = int(game.ask(best_filler, mind, trains, slow, weight))
        best = [r for r, value in worth.items() if value == max(worth.values())]
        assert route == min(best, key=lambda r: (r != c.NOBODY and -game.board.routes[r].length, r))
        found += route != c.NOBODY
    assert found > 0


@pytest.mark.parametrize("table", TABLES)
def test_a_filler_is_claimed_with_spare_cards_whenever_they_pay(table):
    made = 0
    for game in some(decisions(*table), 17, c.TURN):
        mind = fresh_mind()
        game.ask(keep_plan, mind)
        spare = Counter({kind: int(many) for kind, many in enumerate(mind.work.spare)})
        for route, actions in claims(game).items():
            ways = [a for a in actions if payment_of(game.board, a) <= spare]
            action = spare_claim(game.record, mind, route)
            assert action in ways or (action == c.PASS and not ways)
            made += action != c.PASS
    assert made > 0


@pytest.mark.parametrize("table", TABLES)
def test_the_last_claim_brings_most_of_all_with_the_tickets_it_completes(table):
    for game in some(decisions(*table), 17, c.TURN):
        own = own_routes(game, game.seat)
        worth = {
            route: claim_value(game.record, game.table, game.seat, route, JOINS)
            + 2 * completed(game, own, [game.board.routes[route]])
            for route in claims(game)
        }
        action = game.ask(last_claim, fresh_mind())
        if worth:
            assert action in claims(game)[route_of(action)]
            assert worth[route_of(action)] == pytest.approx(max(worth.values()))
        else:
            assert action == c.PASS


@pytest.mark.parametrize("table", TABLES)
def test_who_is_ahead_begins_the_last_round_if_a_claim_can_else_takes_tickets_if_there_is_time(table):
    made = 0
    for game in some((g for g in decisions(*table) if g.table.trains[g.seat] < 8), 1, c.TURN):
        trains = int(game.table.trains[game.seat])
        least = trains - game.board.rules.last_round_at
        ways = {route for route in claims(game) if game.board.routes[route].length >= least}
        action = game.ask(closing_claim, fresh_mind())
        if ways:
            assert action in claims(game)[route_of(action)]
            assert route_of(action) in ways
        else:
            assert action == c.PASS
        made += bool(ways)
        end = game.ask(finish, fresh_mind(), 3, 4.0, 9.0)
        time = rounds_left(game.record, game.table, fresh_mind())
        more = c.DRAW_TICKETS if c.DRAW_TICKETS in game.legal() and trains >= 3 and time >= 4 else c.PASS
        ahead = game.ask(lead, fresh_mind(), 9.0) > 0 and game.table.turns_to_go == c.NOBODY
        assert end == (action if ahead and ways else more)
    assert made > 0


# Habits


@pytest.mark.parametrize("table", TABLES)
def test_routes_called_payable_are_those_of_the_legal_claims(table):
    for game in some(decisions(*table), 7, c.TURN):
        payable = set(claims(game))
        assert set(members(payable_routes(game.record, game.table, game.hand))) == payable
        for r in game.board.routes:
            told = can_claim(game.record, game.table, game.hand, r.index)
            assert told == bool(payable & set(game.board.connections[r.connection]))


@pytest.mark.parametrize("table", TABLES)
def test_habits_of_keeping_and_drawing_are_legal(table):
    for game in some(decisions(*table), 2, c.OPENING, c.KEEPING):
        legal, record = game.legal(), game.record
        fewest = keep_lowest(record, game.table, game.hand)
        some_first = [keep_first(record, game.table, game.hand, many) for many in (1, 3, 9)]
        best = [game.ask(keep_best_ratio, fresh_mind(), many, 1) for many in (1, 2)]
        assert {fewest, *some_first, *best} <= set(legal)
        sizes = [(a - c.KEEP).bit_count() for a in legal]
        assert (fewest - c.KEEP).bit_count() == min(sizes)
        for many, action in zip((1, 3, 9), some_first, strict=True):
            assert (action - c.KEEP).bit_count() == max(min(sizes), min(many, max(sizes)))
    for game in some(decisions(*table), 17, c.TURN, c.SECOND):
        assert game.ask(draw_blind, fresh_mind()) in game.legal()


@pytest.mark.parametrize("table", TABLES)
def test_where_no_card_can_be_drawn_who_waits_for_cards_claims_a_longest_route_or_does_what_can_be_done(table):
    claimed = 0
    for game in some(decisions(*table), 29, c.TURN):
        bare = game.copy()
        for name in ("deck_cards", "display_cards", "discard_cards", "face_up"):
            setattr(bare.table, name, 0)
        bare.table.display[:] = bare.table.discards[:] = 0
        legal = set(game.legal()) - DRAWS
        action = draw_blind(game.record, bare.table, bare.hands[game.seat], fresh_mind())
        assert action in (legal or {c.PASS})
        lengths = {claim: game.board.routes[route_of(claim)].length for claim in legal if c.CLAIM <= claim < c.STATION}
        assert not lengths or lengths[action] == max(lengths.values())
        claimed += bool(lengths)
        bare.table.display[c.WILD] = bare.table.display_cards = 1
        bare.table.face_up = 1 << c.WILD
        assert draw_blind(game.record, bare.table, bare.hands[game.seat], fresh_mind()) == c.TAKE + c.WILD
    assert claimed > 0


# Decisions of some boards only


def test_the_extra_cards_of_a_tunnel_are_paid_with_the_fewest_wilds():
    asked = 0
    for game in some((g for n in range(2) for g in decisions("europe", 3, n)), 1, c.TUNNEL):
        assert special_rules.cheapest_extra(game.table, game.hand) == min(set(game.legal()) - {c.DECLINE})
        asked += 1
    assert asked > 0


def test_a_tunnel_given_up_is_told_of_once():
    minds, before = [fresh_mind() for _ in range(3)], [0, 0, 0]
    for game in some(decisions("europe", 3), 1, c.TURN):
        game.ask(keep_plan, minds[game.seat])  # a mind that begins with this call knows of none
        failures = int(game.table.counts[game.seat, c.WITHDRAWN])
        assert special_rules.just_withdrew(game.table, game.hand, minds[game.seat]) == (failures > before[game.seat])
        assert not special_rules.just_withdrew(game.table, game.hand, minds[game.seat])
        before[game.seat] = failures
    assert sum(before) > 0


def loans(game: Game, city: int) -> list[list[Route]]:
    """Return the routes that a station in a city could borrow."""
    others = [r for r in game.board.routes if game.owners()[r.index] not in (c.NOBODY, game.seat)]
    return [[r] for r in others if city in (r.a, r.b)]


def test_a_station_completes_tickets_worth_more_than_itself_by_one_loan_and_the_most_of_all():
    """Return the network with all routes that the stations could borrow."""
    built = 0
    for game in some(decisions("europe", 3), 4, c.TURN):
        game.hold(range(len(game.board.tickets)))
        own = own_routes(game, game.seat)
        for city in members(game.table.stations[[game.seat]]):
            own += [r for loan in loans(game, city) for r in loan]
        sites = {(a - c.STATION) // 100 for a in game.legal() if c.STATION <= a < c.PLACE_MARKER}
        worth = {s: max((2 * completed(game, own, loan) for loan in loans(game, s)), default=0) for s in sites}
        action = game.ask(special_rules.useful_station, fresh_mind())
        best = max(worth.values(), default=0)
        if best > game.board.rules.stations.unused_points:
            assert action in game.legal()
            assert worth[(action - c.STATION) // 100] == best
            built += 1
        else:
            assert action == c.PASS
    assert built > 0


def test_no_station_is_built_where_there_is_none_left():
    game = next(some(decisions("europe", 3), 1, c.TURN))
    bare = game.copy()
    bare.table.stations_left[:] = 0
    assert special_rules.useful_station(game.record, bare.table, bare.hands[game.seat], fresh_mind()) == c.PASS


def test_a_station_is_paid_with_wilds_alone_only_where_coloured_cards_do_not_do():
    game, mind = next(decisions("europe", 3)), fresh_mind()
    for red, wilds, paid in ((3, 3, 0), (2, 3, 1), (0, 3, 3), (0, 2, None), (1, 1, None)):
        mind.work.spare[:] = 0
        mind.work.spare[[6, c.WILD]] = red, wilds
        action = special_rules.build_payment(game.record, mind, c.STATION, 5, 3)
        kind = c.WILD if paid == 3 else 6
        assert action == (c.PASS if paid is None else c.STATION + 100 * 5 + 10 * kind + paid)


def planned_cities(game: Game, mind: Mind) -> set[int]:
    """Return the cities on the tree that was planned last."""
    return {e for r in members(mind.work.tree) for e in (game.board.routes[r].a, game.board.routes[r].b)}


def busiest(game: Game, cities: set[int]) -> set[int]:
    """Return those of some cities from which most routes lead that nobody has closed."""
    owner, shared = game.owners(), game.players >= game.board.rules.parallel_open_from
    is_open = [owner[r.index] == c.NOBODY for r in game.board.routes]
    untaken = [shared or all(is_open[t] for t in game.board.connections[r.connection]) for r in game.board.routes]
    routes = [r for r in game.board.routes if is_open[r.index] and untaken[r.index]]
    many = {city: sum(city in (r.a, r.b) for r in routes) for city in cities}
    return {city for city in cities if many[city] == max(many.values())}


@pytest.mark.parametrize("table", [t for t in TABLES if t[0].startswith("old_west")])
def test_one_starts_at_the_busiest_city_of_the_plan(table):
    asked = 0
    for game in some((g for n in range(2) for g in decisions(*table, n)), 1, c.START):
        mind, free = fresh_mind(), {a - c.CITY for a in game.legal()}
        city = game.ask(special_rules.start_on_plan, mind) - c.CITY
        planned = planned_cities(game, mind)
        assert planned
        assert city in busiest(game, planned & free or free)
        asked += 1
    assert asked > 0


def points_at(game: Game, mind: Mind, city: int) -> int:
    """Return the points of the routes at a city that the seat may still claim and does not plan."""
    routes = [r for r in free(game, game.seat) if r.index not in members(mind.work.plan)]
    return sum(game.board.rules.route_points[r.length] for r in routes if city in (r.a, r.b))


@pytest.mark.parametrize("table", [t for t in TABLES if t[0].startswith("old_west")])
def test_one_may_start_where_the_routes_score_most_of_the_cities_of_the_plan(table):
    elsewhere = 0
    for game in some((g for n in range(4) for g in decisions(*table, n)), 1, c.START):
        mind, legal = fresh_mind(), {a - c.CITY for a in game.legal()}
        city = game.ask(special_rules.start_for_points, mind) - c.CITY
        planned = planned_cities(game, mind)
        assert points_at(game, mind, city) == max(points_at(game, mind, other) for other in planned & legal or legal)
        elsewhere += city != game.ask(special_rules.start_on_plan, fresh_mind()) - c.CITY
    assert elsewhere > 0


@pytest.mark.parametrize("table", [t for t in TABLES if t[0].startswith("old_west")])
def test_a_marker_for_points_goes_to_the_end_where_others_may_score_most_if_that_is_enough(table):
    placed = Counter[bool]()
    for game in some((g for n in range(2) for g in decisions(*table, n)), 1, c.MARKER):
        ways = {a: (a - c.PLACE_MARKER) // 100 for a in game.legal() if a != c.DECLINE}
        mind = fresh_mind()
        game.ask(keep_plan, mind)
        most = max(points_at(game, mind, city) for city in ways.values())
        action = game.ask(special_rules.marker_for_points, mind, float(most))
        assert game.ask(special_rules.marker_for_points, mind, most + 0.5) == c.DECLINE
        if action != c.DECLINE:
            assert action % 10 == 0
            assert points_at(game, mind, ways[action]) == most
        placed[action != c.DECLINE] += 1
    assert placed[True] > placed[False]


@pytest.mark.parametrize("table", [t for t in TABLES if t[0].startswith("old_west")])
def test_a_marker_goes_to_the_busier_end_without_wilds_or_nowhere(table):
    placed = 0
    for game in some((g for n in range(2) for g in decisions(*table, n)), 1, c.MARKER):
        ways = {a: (a - c.PLACE_MARKER) // 100 for a in game.legal() if a != c.DECLINE}
        mind = fresh_mind()
        mind.work.spare[:] = 9  # whatever was counted before
        action = game.ask(special_rules.paying_marker, mind)
        if action != c.DECLINE:
            assert action % 10 == 0
            assert ways[action] in busiest(game, set(ways.values()))
            placed += 1
    assert placed > 0


def test_stacks_and_tokens_are_legal_and_as_described():
    seen = Counter[int]()
    for game in (g for n in range(6) for g in decisions("san_francisco", 3, n)):
        if game.phase == c.STACK:
            action = special_rules.stack_on_way(game.record, game.table, game.hand)
            ends = {e for t in game.tickets(game.seat) for e in (game.board.tickets[t].a, game.board.tickets[t].b)}
            free = {a for a in game.legal() if a - c.CITY in ends}
            assert action in (free or game.legal())
        elif game.phase == c.TOKEN:
            action = special_rules.rarest_token(game.record, game.table)
            left = {a: int(game.table.stack_tokens[a - c.CITY]) for a in game.legal()}
            assert left[action] == min(left.values())
        seen[game.phase] += 1
    assert seen[c.STACK] > 0
    assert seen[c.TOKEN] > 0

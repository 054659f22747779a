"""The published agents play as they are described: their decisions on USA, worked out again with networkx.

Where the description leaves a choice between equal things, every choice is right here.
"""

from itertools import combinations, pairwise
from typing import Any

import networkx as nx
import numpy as np
import pytest
from core.scene import Scene
from strategies.looks import AGENTS, GAMES, USA, Look, claims, graph, looks, tracks, watch

from ttrsim.boards import Route, load_board
from ttrsim.core import constants as c
from ttrsim.core.records import MIND, ROOM
from ttrsim.encode import members
from ttrsim.games import make_games
from ttrsim.strategies import load_strategy

BOARDS = ("usa", "usa:mega", "europe", "europe:mega", "old_west", "old_west:alvin", "san_francisco")
ORDER = [
    next(k.index for k in USA.colours if k.name == name)
    for name in ("red", "orange", "blue", "pink", "white", "yellow", "black", "green")
]


def first_missing(look: Look, shortest: int) -> set[int] | None:
    """The connections that come first, of those missing, on a shortest path for the best ticket; None without one."""
    passable = graph([r for r in look.mine + look.free if r.length >= shortest])
    own = graph([r for r in look.mine if r.length >= shortest])
    for ticket in sorted((USA.tickets[t] for t in look.unfinished), key=lambda t: -t.points):
        if nx.has_path(passable, ticket.a, ticket.b):
            steps = nx.shortest_path_length(passable, ticket.a, ticket.b)
            to_b = nx.single_source_shortest_path_length(passable, ticket.b)
            walked = nx.single_source_shortest_path_length(own, ticket.a)
            return {
                connection
                for u, v, connection in passable.to_directed().edges(data="connection")
                if u in walked and v in to_b and walked[u] + 1 + to_b[v] == steps and not own.has_edge(u, v)
            }
    return None


def longest(look: Look, gray_first: bool) -> set[int]:
    """The connections that the longest-route rule allows."""

    def rank(r: Route) -> tuple[int, int]:
        held = max(look.cards[: c.WILD]) if r.colour is None else look.cards[r.colour]
        lacks = max(0, r.length - held - look.cards[c.WILD])
        ahead = gray_first and r.colour is None and held >= r.length
        return 15 if ahead else r.length, 1 if held >= r.length else -lacks

    best = max(map(rank, look.free), default=None)
    return {r.connection for r in look.free if rank(r) == best}


def one_step_actions(look: Look, connection: int, straight: bool) -> set[int]:
    """What One Step Thinking may do for a target. straight: no colours for a gray one."""
    routes = tracks(look, connection)
    if look.phase == c.TURN:
        for kind in ORDER:
            if found := claims(look, connection, kind):
                return found
    gray = any(r.colour is None for r in routes)
    kinds = [k for k in ORDER if gray or k in {r.colour for r in routes}] + [c.WILD] * gray
    wanted = max(kinds, key=lambda k: look.cards[k])
    for kind in [c.WILD] if straight and gray else [wanted, c.WILD]:
        if look.table.display[kind] > 0 and (kind != c.WILD or look.phase == c.TURN):
            return {c.TAKE + kind}
    return {c.DRAW_BLIND}


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("slips", [1, 0])
@pytest.mark.parametrize("name", ["one_step", "long_route"])
def test_one_step_and_long_route_go_for_the_next_route_of_the_best_ticket(name: str, slips: int, players: int) -> None:
    seen = tuple[Any, ...]()
    targets, by_rule = set[int](), False
    by_ticket = checked = 0
    for look in looks(name, slips, players):
        if look.phase not in (c.TURN, c.SECOND) or not look.can_draw:
            continue
        now = (*look.owner, *look.hand.tickets)
        if look.phase == c.TURN and now != seen:
            seen = now
            found = first_missing(look, min(3, look.trains) if name == "long_route" else 1)
            may_draw = min(look.table.trains[:players]) >= 8 and look.table.tickets_left > 0 and name == "one_step"
            if found is None and may_draw:
                assert look.action == c.DRAW_TICKETS
                continue
            by_rule = found is None
            targets = longest(look, name == "long_route") if found is None else found
        assert targets or not look.free
        allowed = [one_step_actions(look, target, bool(slips and by_rule)) for target in targets]
        if allowed:
            assert look.action in set.union(*allowed)
            checked += 1
            by_ticket += not by_rule
    assert checked > by_ticket > 100


def test_one_step_and_route_focused_keep_all_tickets_of_the_opening() -> None:
    for name in ("one_step", "route_focused"):
        openings = [look for look in looks(name, 1) if look.phase == c.OPENING]
        assert [len(look.kept) for look in openings] == [3] * GAMES


def value(look: Look, ticket: int) -> float:
    """Points of a ticket a train of its cheapest path, own routes free."""
    t = USA.tickets[ticket]
    roads = graph(look.free)
    roads.add_edges_from((r.a, r.b, {"length": 0}) for r in look.mine)
    trains = nx.shortest_path_length(roads, t.a, t.b, "length") if nx.has_path(roads, t.a, t.b) else np.inf
    return float(t.points / trains) if trains else np.inf


@pytest.mark.parametrize(("name", "phase", "many"), [("one_step", c.KEEPING, 1), ("long_route", c.OPENING, 2)])
def test_slips_keep_the_lowest_tickets_and_without_them_the_best_a_train(name: str, phase: int, many: int) -> None:
    for slips in (1, 0):
        decisions = [look for look in looks(name, slips) if look.phase == phase]
        assert decisions
        for look in decisions:
            worth = {t: -USA.tickets[t].points if slips else value(look, t) for t in look.offer}
            assert sorted(worth[t] for t in look.kept) == sorted(worth.values())[-many:]


def most_held(look: Look, connection: int) -> list[int]:
    """The colours of a connection that are held most."""
    colours = {r.colour for r in tracks(look, connection)}
    kinds = ORDER if None in colours else [k for k in ORDER if k in colours]
    most = max(look.cards[k] for k in kinds)
    return [k for k in kinds if look.cards[k] == most]


@pytest.mark.parametrize("slips", [1, 0])
def test_route_focused_claims_the_first_payable_route_of_its_list(slips: int) -> None:
    """Where the paths are the only shortest ones, so that there is one list."""
    listed = unlisted = drawn = 0
    for look in looks("route_focused", slips):
        if look.phase != c.TURN or not look.can_draw:
            continue
        passable, priority = graph(look.mine + look.free), dict[int, int]()
        tickets = [USA.tickets[t] for t in look.unfinished]
        paths = [
            (t, list(nx.all_shortest_paths(passable, t.a, t.b))) for t in tickets if nx.has_path(passable, t.a, t.b)
        ]
        if any(len(found) > 1 for _, found in paths):
            continue
        for ticket, (path,) in paths:
            for edge in pairwise(path):
                connection, length = passable.edges[edge]["connection"], passable.edges[edge]["length"]
                if tracks(look, connection) and length < look.trains:
                    points = USA.rules.route_points[length] + 2 * ticket.points
                    priority[connection] = max(points, priority.get(connection, 0))
        sign = -1 if slips else 1
        every = {r.connection: sign * USA.rules.route_points[r.length] for r in look.free}
        wishes = priority or every
        payable = {n: set.union(*(claims(look, n, kind) for kind in most_held(look, n))) for n in wishes}
        best = max((wishes[n] for n in wishes if payable[n]), default=None)
        if best is None:
            drawn += 1
            if slips:
                assert look.action == c.DRAW_BLIND
            elif look.action != c.DRAW_BLIND:
                assert any(look.action - c.TAKE in most_held(look, n) for n in priority)
        else:
            listed += bool(priority)
            unlisted += not priority
            assert look.action in set.union(*(payable[n] for n in wishes if wishes[n] == best))
    assert min(listed, unlisted, drawn) > 3


def decide(scene: Scene, name: str) -> int:
    """What a strategy does at once in a situation, as seat 0."""
    strategy, minds = load_strategy(name), np.zeros(1, MIND)
    minds["work"]["fresh"] = 1
    minds["params"][0, : len(strategy.values)] = strategy.values
    game = scene.games[0]
    return int(strategy.compiled(scene.boards[0], game.table, game.hands[0], minds[0], np.zeros(1, ROOM)[0]))


def test_route_focused_counts_ticket_points_twice() -> None:
    scene = Scene("usa", 2)
    scene.hold(0, ("Dallas", "New York"), ("Calgary", "Salt Lake City"))
    scene.give(0, "4 black, 2 white")  # Calgary-Helena: 7 + 2 * 7; the ends of the other path: 2 + 2 * 11
    ends = {scene.route("Dallas", "Little Rock"), scene.route("New York", "Pittsburgh", "white")}
    assert (decide(scene, "route_focused") - c.CLAIM) // 100 in ends


def test_route_focused_lists_no_route_that_takes_all_its_trains() -> None:
    scene = Scene("usa", 2)
    scene.hold(0, ("Calgary", "Salt Lake City"))
    scene.give(0, "4 black")
    for trains, action in [
        (5, c.CLAIM + 100 * scene.route("Calgary", "Helena") + 10 * scene.kind("black")),
        (4, c.DRAW_BLIND),
    ]:
        scene.table.trains[0] = trains
        assert decide(scene, "route_focused") == action


def test_route_focused_draws_no_tickets_and_with_slips_no_card_face_up() -> None:
    actions = {slips: [look.action for look in looks("route_focused", slips)] for slips in (1, 0)}
    assert c.DRAW_TICKETS not in actions[0] + actions[1]
    assert not [a for a in actions[1] if c.TAKE <= a < c.PAY]
    assert [a for a in actions[0] if c.TAKE <= a < c.PAY]


def planned(look: Look, place: int) -> list[Route]:
    """The routes of a plan of Destination Hungry that it does not own: its memory holds two plans."""
    plan = members(look.memory[place : place + c.ROUTE_WORDS].view(np.uint64))
    return [USA.routes[r] for r in plan if look.owner[r] != look.seat]


PLAN, LAST = 0, 3


@pytest.mark.parametrize("slips", [1, 0])
def test_destination_hungry_draws_tickets_as_long_as_its_plan_is_small(slips: int) -> None:
    answers = []
    for look in looks("destination_hungry", slips):
        if look.phase == c.TURN and look.table.tickets_left > 0:
            plan = planned(look, LAST if slips else PLAN)
            small = sum(r.length for r in plan) < look.trains - 8
            assert (look.action == c.DRAW_TICKETS) == small
            answers.append(small)
    assert 3 < sum(answers) < len(answers) - 100


def test_destination_hungry_plans_a_tree_through_all_its_tickets() -> None:
    for look in looks("destination_hungry", 0):
        if look.phase in (c.OPENING, c.KEEPING):
            tickets = [USA.tickets[t] for t in look.kept + members(look.hand.tickets)]
            roads = graph(look.mine + planned(look, PLAN))
            reachable = graph(look.mine + look.free)
            groups = [g for g in nx.connected_components(roads) if len(g) > 1]
            ends = {city for t in tickets if nx.has_path(reachable, t.a, t.b) for city in (t.a, t.b)}
            assert len([g for g in groups if g & ends]) == 1
            assert ends <= set.union(*groups)
            assert not {r.index for r in planned(look, PLAN)} - {r.index for r in look.free}


@pytest.mark.parametrize("slips", [1, 0])
def test_destination_hungry_claims_what_is_planned_else_the_longest_route(slips: int) -> None:
    by_plan = longest_ones = draws = 0
    for look in looks("destination_hungry", slips):
        if look.phase not in (c.TURN, c.SECOND) or look.action == c.DRAW_TICKETS:
            continue
        plan = planned(look, PLAN)
        wanted = [0] * c.KINDS
        for r in plan:
            if r.colour is not None:
                wanted[r.colour] += r.length
        if look.action >= c.CLAIM:
            route, kind = USA.routes[(look.action - c.CLAIM) // 100], look.action // 10 % 10
            if plan:
                by_plan += 1
                assert route.connection in {r.connection for r in plan}
                single = all(len(USA.connections[r.connection]) == 1 for r in plan if r.colour is not None)
                assert kind == c.WILD or route.colour is not None or not wanted[kind] or not single
            else:
                longest_ones += 1
                affordable = [r.length for r in look.free if any(claims(look, r.connection, k) for k in ORDER)]
                assert route.length == max(affordable)
        elif c.TAKE <= look.action < c.PAY:
            draws += 1
            kind, display = look.action - c.TAKE, look.table.display[: c.WILD]
            assert display[kind] == max(display)
            gray = any(r.colour is None for r in plan)
            double = any(len(USA.connections[r.connection]) > 1 for r in plan)
            assert wanted[kind] > look.cards[kind] or (gray and display[kind] >= 2) or double
    assert min(by_plan, longest_ones, draws) > 2


def tree(look: Look, cities: set[int]) -> tuple[int, int]:
    """Trains and points of a tree as the description has it, before anything is claimed."""
    roads = graph(look.free)
    far = dict(nx.all_pairs_dijkstra_path_length(roads, weight="length"))
    one, other = max(combinations(sorted(cities), 2), key=lambda pair: far[pair[0]][pair[1]])
    halves, edges = [{one}, {other}], set[tuple[int, ...]]()

    def join(sources: set[int], targets: set[int]) -> list[int]:
        return min(
            (nx.dijkstra_path(roads, s, t, "length") for s in sorted(sources) for t in sorted(targets)),
            key=lambda path: nx.path_weight(roads, path, "length"),
        )

    for city in sorted(cities - {one, other}):
        half = min(halves, key=lambda half: min(far[city][x] for x in half))
        path = join({city}, half)
        edges |= {tuple(sorted(edge)) for edge in pairwise(path)}
        half |= set(path)
    path = join(*halves)
    edges |= {tuple(sorted(edge)) for edge in pairwise(path)}
    lengths = [roads.edges[edge]["length"] for edge in edges]
    return sum(lengths), sum(USA.rules.route_points[n] for n in lengths)


def test_destination_hungry_keeps_the_tickets_of_the_fittest_plan() -> None:
    """Equal paths lead to other trees, so a few choices may differ."""
    same = 0
    for index in range(40):
        look = next(watch("destination_hungry,one_step", index))
        fitness = {}
        for many in (2, 3):
            for kept in combinations(look.offer, many):
                chosen = [USA.tickets[t] for t in kept]
                trains, points = tree(look, {city for t in chosen for city in (t.a, t.b)})
                if trains <= USA.rules.trains - 5:
                    fitness[kept] = (points + sum(t.points for t in chosen)) / trains
        same += tuple(look.kept) == max(fitness, key=lambda kept: fitness[kept])
    assert same >= 34


@pytest.mark.parametrize("slips", [1, 0])
@pytest.mark.parametrize("board", BOARDS)
def test_games_end_and_nobody_passes_on_any_board(board: str, slips: int) -> None:
    fewest, most = load_board(board).rules.players
    for players in range(fewest, most + 1):
        names = [f"{AGENTS[i % 4]}(slips={slips})" for i in range(players)]
        results = make_games(board, names, 9).play(range(60))
        assert set(results.games["ending"]) == {c.ENDED}
        assert results.seats["counts"][:, :, c.PASSES].sum() == 0


def test_a_tunnel_that_always_asks_for_more_does_not_hold_up_the_game() -> None:
    """All cards but a few wilds are in the hands: before, five agents laid out the same cards for 1,500 turns."""
    names = [f"{AGENTS[(i + 2) % 4]}(slips=0)" for i in range(5)]
    results = make_games("europe:big-cities", names, 3).play(range(120))
    assert set(results.games["ending"]) == {c.ENDED}

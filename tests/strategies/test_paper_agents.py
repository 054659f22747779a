"""The four published agents decide as their program does: in recorded situations, and by the rules of their page.

Another file of situations is tried by `TTRSIM_SITUATIONS=path pytest tests/strategies/test_paper_agents.py`.
"""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from core.scene import Scene
from strategies.situations import AGENTS, COUNTER, NEEDS, PLAN, THRESHOLD, Situation, canonical, situations, target_of

from strategies import situations as told
from ttrsim.boards import load_board
from ttrsim.core import constants as c
from ttrsim.core.records import MIND, ROOM
from ttrsim.encode import members
from ttrsim.games import make_games
from ttrsim.kit import target
from ttrsim.strategies import load_strategy

FILE = Path(os.environ.get("TTRSIM_SITUATIONS", Path(__file__).with_name("paper_decisions.jsonl.gz")))
BOARDS = ("usa", "usa:mega", "europe", "europe:mega", "old_west", "old_west:alvin", "san_francisco")
LEAST = 0.95
"""Share of the situations that hang on an arbitrary order in which a decision of the program must come out."""


@cache
def recorded() -> tuple[Situation, ...]:
    return tuple(situations(FILE))


@pytest.mark.parametrize("agent", AGENTS)
def test_each_agent_decides_as_the_program_where_no_arbitrary_order_matters(agent):
    mine = [s for s in recorded() if s.agent == agent and s.exact]
    wrong = [(s.line, decision) for s in mine if (decision := s.decide()[0]) not in s.right]
    assert mine
    assert wrong == []


@pytest.mark.parametrize("agent", ["one_step", "long_route", "route_focused"])
def test_these_decisions_are_the_same_in_whatever_order_a_board_lists_its_cities(agent, monkeypatch):
    """Destination Hungry is left out: which of two cities comes first decides between equally cheap paths."""
    monkeypatch.setattr(told, "board", lambda: told.usa(True))
    mine = [s for s in recorded() if s.agent == agent and s.exact]
    wrong = [(s.line, decision) for s in mine if (decision := s.decide()[0]) not in s.right]
    assert wrong == []


def test_where_an_arbitrary_order_matters_nearly_all_decisions_are_among_those_of_the_program():
    others = [s for s in recorded() if not s.exact]
    assert np.mean([s.decide()[0] in s.right for s in others]) >= LEAST


def test_with_the_hashes_of_the_program_its_targets_come_out_again_and_with_other_hashes_fewer():
    """The three that do not are the first of several longest routes, which go by the board's order."""
    mine = [s for s in recorded() if s.remembered]

    def again(hash_seed: int) -> int:
        return sum(target_of(s.decide(hash_seed, anew=True)[1])[0] == s.remembered for s in mine)

    assert again(0) == len(mine) - 3
    assert max(again(hash_seed) for hash_seed in range(1, 4)) < again(0)


def test_with_the_hashes_of_thirteen_processes_route_focused_decides_as_the_program_did_in_them():
    """The other two of 33 depend on the order in which the program's file lists routes, too."""
    mine = [s for s in recorded() if s.agent == "route_focused" and not s.exact]
    wanted = [{canonical(decision) for decision in s.line["decisions"]} for s in mine]
    found = [{s.decide(hash_seed)[0] for hash_seed in range(13)} for s in mine]
    assert sum(a == b for a, b in zip(found, wanted, strict=True)) == len(mine) - 2


@pytest.mark.parametrize("agent", ["one_step", "long_route"])
def test_after_a_decision_target_and_wanted_kind_are_those_of_the_program(agent):
    mine = [s for s in recorded() if s.agent == agent and s.exact and s.line["phase"] in ("turn", "second")]
    for s in mine:
        told = [(tuple(sorted(connection)), kind.lower()) for connection, kind in s.line["targets_after"] if connection]
        assert target_of(s.decide()[1]) in told or not told


def test_after_a_decision_the_trains_by_which_destination_hungry_judges_are_those_of_the_program():
    mine = [s for s in recorded() if s.agent == "destination_hungry" and s.exact]
    for s in mine:
        memory = s.decide()[1]
        needed = [0 if n == "null" else int(n) for n in s.line["needed_after"]]
        assert memory[NEEDS:THRESHOLD].sum() in needed, s.line
        thresholds = [n for n in s.line["threshold_after"] if n not in ("null", "None")]
        assert str(memory[THRESHOLD]) in thresholds or len(thresholds) < len(s.line["threshold_after"])


def decide(scene: Scene, name: str, slips: int = 1) -> int:
    """Return what a strategy does at once in a situation, as seat 0."""
    return ask(scene, name, slips)[0]


def ask(scene: Scene, name: str, slips: int = 1):
    """Return its decision and its memory."""
    strategy, minds = load_strategy(name, {"slips": slips}), np.zeros(1, MIND)
    minds["work"]["fresh"] = 1
    minds["params"][0, : len(strategy.values)] = strategy.values
    game = scene.games[0]
    action = strategy.compiled(scene.boards[0], game.table, game.hands[0], minds[0], np.zeros(1, ROOM)[0])
    return int(action), minds[0].memory


def without_tickets(players: int = 2) -> Scene:
    """Return a scene where seat 0 has no ticket to build for, and none are left to draw."""
    scene = Scene("usa", players)
    scene.hold(0)
    scene.bare_tickets()
    return scene


def length_of_target(scene: Scene, memory) -> int:
    return scene.board.routes[memory[target.TARGET] - 1].length


def test_a_payable_gray_route_breaks_ties_among_the_longest_only():
    """Only Winnipeg-Sault St. Marie is gray and has six spaces."""
    scene = without_tickets()
    scene.show("5 blue")
    scene.give(0, "3 red")  # enough for every gray route of three spaces
    assert length_of_target(scene, ask(scene, "long_route")[1]) == 6
    scene.give(0, "6 red, 6 green")
    north = scene.route("Winnipeg", "Sault St. Marie")
    assert decide(scene, "long_route") // 100 == (c.CLAIM // 100) + north
    assert decide(scene, "one_step") // 100 == (c.CLAIM // 100) + min(
        scene.route("New Orleans", "Miami"), scene.route("El Paso", "Houston")
    )


def test_the_wanted_colour_stands_until_somebody_scores():
    scene = Scene("usa", 2)
    scene.hold(0, ("Boston", "Miami"))  # every shortest path begins with Boston-New York, red or yellow
    strategy, minds = load_strategy("one_step"), np.zeros(1, MIND)
    minds["work"]["fresh"] = 1
    minds["params"][0, 0] = 1
    game, wanted = scene.games[0], []
    for cards, points in (("1 red", 0), ("1 yellow", 0), ("1 yellow", 2)):
        scene.give(0, cards)
        scene.table.parts[1, c.POINTS_ROUTES] = points
        strategy.compiled(scene.boards[0], game.table, game.hands[0], minds[0], np.zeros(1, ROOM)[0])
        wanted.append(int(minds[0].memory[target.WANTED]) - 1)
    assert wanted == [scene.kind("red"), scene.kind("red"), scene.kind("yellow")]


def test_route_focused_counts_ticket_points_twice():
    scene = Scene("usa", 2)
    scene.hold(0, ("Dallas", "New York"), ("Calgary", "Salt Lake City"))
    scene.give(0, "4 black, 2 white")  # Calgary-Helena: 7 + 2 * 7; the ends of the other path: 2 + 2 * 11
    ends = {scene.route("Dallas", "Little Rock"), scene.route("New York", "Pittsburgh", "white")}
    assert (decide(scene, "route_focused") - c.CLAIM) // 100 in ends


def test_route_focused_lists_no_route_that_takes_all_its_trains():
    scene = Scene("usa", 2)
    scene.hold(0, ("Calgary", "Salt Lake City"))
    scene.give(0, "4 black")
    for trains, action in [
        (5, c.CLAIM + 100 * scene.route("Calgary", "Helena") + 10 * scene.kind("black")),
        (4, c.DRAW_BLIND),
    ]:
        scene.table.trains[0] = trains
        assert decide(scene, "route_focused") == action


@pytest.mark.parametrize(("slips", "length"), [(1, 1), (0, 6)])
def test_with_nothing_listed_route_focused_claims_the_route_of_fewest_points_and_without_slips_of_most(slips, length):
    scene = without_tickets()
    scene.give(0, "6 green, 2 wild")
    route = scene.board.routes[(decide(scene, "route_focused", slips) - c.CLAIM) // 100]
    assert route.length == length


@pytest.mark.parametrize(("trains", "draws"), [(30, False), (31, True)])
def test_destination_hungry_draws_tickets_if_its_plan_leaves_more_than_eight_trains(trains, draws):
    scene = Scene("usa", 2)
    scene.hold(0, ("Boston", "Miami"))
    scene.give(0, "1 blue")
    strategy, minds = load_strategy("destination_hungry"), np.zeros(1, MIND)
    minds["work"]["fresh"] = 1
    minds["params"][0, 0] = 1
    minds[0].memory[THRESHOLD], minds[0].memory[COUNTER] = 22, 100
    scene.table.trains[0] = trains
    game = scene.games[0]
    action = strategy.compiled(scene.boards[0], game.table, game.hands[0], minds[0], np.zeros(1, ROOM)[0])
    assert (action == c.DRAW_TICKETS) == draws


def test_destination_hungry_plans_for_its_tickets_when_somebody_has_scored():
    scene = Scene("usa", 2)
    scene.hold(0, ("Calgary", "Salt Lake City"))
    scene.table.parts[1, c.POINTS_ROUTES] = 4
    memory = ask(scene, "destination_hungry")[1]
    plan = members(memory[PLAN : PLAN + c.ROUTE_WORDS].view(np.uint64))
    assert sorted(plan) == sorted([scene.route("Calgary", "Helena"), scene.route("Helena", "Salt Lake City")])
    assert (memory[NEEDS + c.GRAY], memory[NEEDS + scene.kind("pink")], memory[COUNTER]) == (4, 3, 4)


def test_only_the_agents_that_do_so_draw_tickets_or_cards_face_up():
    """Long Route and Route Focused never draw tickets, and the latter takes no card face up."""
    results = make_games("usa", ",".join(AGENTS), 3).play(range(240))
    counts = {name: results.seats[results.seats["strategy"] == i]["counts"] for i, name in enumerate(AGENTS)}
    draws = {name: counts[name][:, c.TICKET_DRAWS].sum() for name in AGENTS}
    assert (draws["long_route"], draws["route_focused"]) == (0, 0)
    assert min(draws["one_step"], draws["destination_hungry"]) > 0
    assert counts["route_focused"][:, c.FACE_UP].sum() == 0


@pytest.mark.parametrize("slips", [1, 0])
@pytest.mark.parametrize("board", BOARDS)
def test_games_end_and_nobody_passes_on_any_board(board, slips):
    fewest, most = load_board(board).rules.players
    for players in range(fewest, most + 1):
        names = [f"{AGENTS[i % 4]}(slips={slips})" for i in range(players)]
        results = make_games(board, names, 9).play(range(60))
        assert set(results.games["ending"]) == {c.ENDED}
        assert results.seats["counts"][:, :, c.PASSES].sum() == 0


@pytest.mark.parametrize("slips", [1, 0])
def test_a_tunnel_that_always_asks_for_more_does_not_hold_up_the_game(slips):
    """All cards but a few wilds are in the hands: before, five agents laid out the same cards for 1,500 turns."""
    names = [f"{AGENTS[(i + 2) % 4]}(slips={slips})" for i in range(5)]
    results = make_games("europe:big-cities", names, 3).play(range(120))
    assert set(results.games["ending"]) == {c.ENDED}

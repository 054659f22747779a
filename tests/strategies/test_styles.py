"""The marks of three styles, as a spectator sees them in games on USA.

The style is the first strategy of the line-up, and a planner the second.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import networkx as nx
import numpy as np
import pytest

from ttrsim.boards import load_board
from ttrsim.core import constants as c
from ttrsim.core.jit import COMPILED
from ttrsim.games import make_games
from ttrsim.recording import Recording, cards_gained, route_claimed

pytestmark = pytest.mark.skipif(not COMPILED, reason="uncompiled games are too slow to play so many")

USA = load_board("usa")
TABLES = ("{},planner", "{},planner,one_step,random_kind")


@cache
def recordings(style: str, table: str, games: int) -> list[Recording]:
    """Return recorded games of a table."""
    series = make_games(USA, table.format(style), 8)
    return [series.seated(i).replay() for i in range(games)]


@cache
def results(style: str, table: str) -> list[Any]:
    """(games,) SEAT_RESULT of the style, and of the planner."""
    seats = make_games(USA, table.format(style), 8).play(range(400)).seats
    return [seats[seats["strategy"] == i] for i in range(2)]


def turns_of_style(game: Recording) -> Any:
    """Return which events are turns of the style."""
    return (game.events["seat"] == game.seating.index(0)) & (game.events["phase"] == c.TURN)


def first_claim(game: Recording) -> int:
    """Return which event is the first claim of the style."""
    return int((turns_of_style(game) & (game.events["action"] >= c.CLAIM)).argmax())


@pytest.mark.parametrize("table", TABLES)
def test_the_hoarder_claims_nothing_before_its_hand_is_full_the_cards_run_out_or_the_end_is_near(table):
    full = 0
    for game in recordings("hoarder", table, 24):
        before = game.events[: first_claim(game)]
        table = before["after"]["table"][-1]
        held = sum(cards_gained(event).sum() for event in before if event.seat == game.seating.index(0))
        fewest_trains = table["trains"][: len(game.seating)].min()
        cards_left = table["deck_cards"] + table["display"].sum()
        assert held >= USA.rules.trains or cards_left == 0 or fewest_trains <= USA.rules.trains / 2
        full += held >= USA.rules.trains
    assert full > 0


@pytest.mark.parametrize("table", TABLES)
def test_the_hoarder_then_claims_in_most_turns(table):
    for_eight_turns = [
        game.events["action"][first_claim(game) :][turns_of_style(game)[first_claim(game) :]][:8]
        for game in recordings("hoarder", table, 24)
    ]
    assert (np.concatenate(for_eight_turns) >= c.CLAIM).mean() > 0.75


def mean_length(seats: Any) -> float:
    """Return spaces of the average route claimed."""
    laid = USA.rules.trains * len(seats) - seats["trains_left"].sum()
    return float(laid / seats["counts"][:, c.CLAIMS].sum())


@pytest.mark.parametrize("table", TABLES)
def test_the_long_hauler_claims_longer_routes_than_the_planner(table):
    hauler, planner = results("long_hauler", table)
    assert mean_length(hauler) > mean_length(planner) + 0.4


@pytest.mark.parametrize("table", TABLES)
def test_the_long_hauler_keeps_as_few_tickets_as_may_be_and_leaves_some_of_them_alone(table):
    hauler, planner = results("long_hauler", table)
    kept = np.bitwise_count(hauler["kept"]).sum(axis=1)
    assert kept.min() == USA.rules.tickets.keep
    assert (kept == kept.min()).mean() > 0.98  # a third one that takes hardly a turn is kept, too
    done = [np.bitwise_count(s["completed"]).sum() / np.bitwise_count(s["kept"]).sum() for s in (hauler, planner)]
    assert 0.3 < done[0] < done[1] - 0.1


def blocks(game: Recording, place: int) -> Iterator[bool]:
    """Yield for each claim of a strategy of the line-up: would it join two parts of a rival's network, but nothing of
    its
    own?
    """
    networks = [nx.Graph() for _ in game.seating]
    for event in game.events:
        if (claimed := route_claimed(event)) == c.NOBODY:
            continue
        route, seat = USA.routes[claimed], event.seat
        if game.seating[seat] == place:
            own = networks[seat]
            rivals = [network for network in networks if network is not own]
            yield route.a not in own and route.b not in own and any(apart(net, route.a, route.b) for net in rivals)
        networks[seat].add_edge(route.a, route.b)


def apart(network: Any, a: int, b: int) -> bool:
    """Return whether two cities lie in different parts of a network."""
    return a in network and b in network and not nx.has_path(network, a, b)


@pytest.mark.parametrize("table", ["{},planner", "{},planner,one_step"])
def test_the_blocker_takes_more_often_than_the_planner_what_a_rival_needs_and_itself_does_not(table):
    rates = [np.mean([b for game in recordings("blocker", table, 60) for b in blocks(game, i)]) for i in range(2)]
    assert rates[0] > max(0.01, 2 * rates[1])

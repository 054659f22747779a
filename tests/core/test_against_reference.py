"""The compiled core and the plain reference play the same games: at every decision all of both is the same."""

from collections import Counter

import numpy as np
import pytest

from ttrsim.boards import Board, board_names, load_board
from ttrsim.core.records import DECK, HAND, TABLE

from .agreement import Disagreement, Duel

GAMES = 12
"""Games at each table, three in each style: each table plays other games than all others, and the same in every run.

The plain reference takes 50 ms for a game, so more are left to `scripts/verify.py reference`, which plays 100,000: at
each table those from number 0 on, and among them the ones played here.
"""
BOARDS = {name: load_board(name) for name in board_names() if name != "usa:revised"}  # usa, but for four tickets
TABLES = [(name, p) for name, b in BOARDS.items() for p in range(b.rules.players[0], b.rules.players[1] + 1)]
RARE = [
    ("usa", 3, 5, "stalemates"),
    ("usa", 5, 47, "shared wins"),
    ("usa:1910", 3, 80, "shared wins"),
    ("old_west", 2, 93, "shared wins"),
    ("san_francisco", 4, 64, "shared wins"),
    ("usa", 3, 0, "broken ties"),
    ("usa:mega", 4, 17, "broken ties"),
    ("europe", 3, 1, "broken ties"),
    ("old_west", 4, 27, "broken ties"),
    ("san_francisco", 4, 14, "broken ties"),
]
"""Games in which something happens that does not come up at every table."""


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_core_plays_as_the_reference_does(name: str, players: int) -> None:
    seen: Counter[str] = Counter()
    first = GAMES * TABLES.index((name, players))
    for number in range(first, first + GAMES):
        seen += Duel(name, players, number).play().seen()
    assert expected_events(BOARDS[name], players) <= {event for event, times in seen.items() if times}


def expected_events(board: Board, players: int) -> set[str]:
    """Return the events that must occur at a table, so that each special rule of its board is compared."""
    rules, routes = board.rules, board.routes
    connections = Counter(route.connection for route in routes)
    at_some_tables = {
        "ferries": any(route.ferry for route in routes),
        "tunnels given up": any(route.tunnel for route in routes),
        "tunnels paid": any(route.tunnel for route in routes),
        "routes beside another's": players >= rules.parallel_open_from and max(connections.values()) > 1,
        "stations": rules.stations,
        "long tickets": any(ticket.long for ticket in board.tickets),
        "bonuses for the longest trail": rules.longest_trail_bonus,
        "bonuses for most tickets": rules.most_tickets_bonus,
        "markers": rules.markers,
        "points for markers": rules.markers,
        "captures of Alvin": rules.alvin,
        "tokens": rules.souvenirs,
    }
    everywhere = {
        "reshuffles",
        "displays dealt anew",
        "ticket draws",
        "tickets completed",
        "wilds taken",
        "last rounds",
    }
    return everywhere | {event for event, wanted in at_some_tables.items() if wanted}


@pytest.mark.parametrize(("name", "players", "number", "event"), RARE)
def test_they_agree_when_something_rare_happens(name: str, players: int, number: int, event: str) -> None:
    assert Duel(name, players, number).play().seen()[event]


def some_duel() -> Duel:
    """Return a game on the board with most of the rules, in the midst of it."""
    duel = Duel("old_west:alvin", 3, 0)
    duel.play(turns=40)
    return duel


COMPARED_DURING_A_CLAIM = {"route", "laid_kind", "laid_wilds", "revealed", "extra"}


@pytest.mark.parametrize("name", sorted(set(TABLE.names) - COMPARED_DURING_A_CLAIM))
def test_a_difference_in_any_field_of_the_table_is_seen(name: str) -> None:
    duel = some_duel()
    field = getattr(duel.core.table, name)
    if name == "barred":
        field[:] = ~field
    else:
        field.flat[0] ^= field.dtype.type(1)
    with pytest.raises(Disagreement, match="in the core"):
        duel.compare()


@pytest.mark.parametrize("name", sorted(set(HAND.names) - {"offer", "keep_least"}))
def test_a_difference_in_any_field_of_a_hand_is_seen(name: str) -> None:
    duel = some_duel()
    getattr(duel.core.hands, name)[1] ^= 1
    with pytest.raises(Disagreement, match=f"hands.{name} is"):
        duel.compare()


@pytest.mark.parametrize("name", ["offer", "keep_least"])
def test_a_difference_in_an_offer_is_seen(name: str) -> None:
    duel = Duel("usa", 2, 0)
    getattr(duel.core.hands, name)[1] += 1
    with pytest.raises(Disagreement, match=f"hands.{name} is"):
        duel.compare()


@pytest.mark.parametrize("name", sorted(set(DECK.names) - {"key", "ticket_top", "rejects", "rejected"}))
def test_a_difference_in_a_hidden_order_is_seen(name: str) -> None:
    duel = some_duel()
    order = getattr(duel.core.deck, name)
    order[:] = np.roll(order, 1)
    with pytest.raises(Disagreement, match=f"deck.{name} is"):
        duel.compare()


@pytest.mark.parametrize("name", sorted(COMPARED_DURING_A_CLAIM))
def test_a_difference_in_a_tunnel_is_seen(name: str) -> None:
    duel = Duel("europe", 2, 2)
    while duel.reference.phase != "TUNNEL":
        duel.step()
    getattr(duel.core.table, name)[0] ^= 1
    with pytest.raises(Disagreement, match=f"{name} is"):
        duel.compare()


def test_a_difference_in_the_legal_actions_is_seen() -> None:
    duel = some_duel()
    duel.core.hands.cards[duel.reference.seat] += 1
    duel.core.relist()
    with pytest.raises(Disagreement, match="legal actions"):
        duel.compare_actions()


def test_a_difference_in_a_result_is_seen() -> None:
    duel = Duel("europe", 3, 1).play()
    duel.core.games["scratch"]["trail"][0, 2] += 1
    with pytest.raises(Disagreement, match="result trail of seat 2"):
        duel.compare_results()

"""The compiled core and the plain reference play the same games: at every decision all of both is the same."""

import os
from collections import Counter

import numpy as np
import pytest

from ttrsim.boards import board_names, load_board
from ttrsim.core.records import DECK, HAND, TABLE

from .agreement import Disagreement, Duel

GAMES = int(os.environ.get("REFERENCE_GAMES", 200 if "CI" in os.environ else 20))
"""Games on each board, variant and number of players."""
BOARDS = {name: load_board(name) for name in board_names()}
TABLES = [(name, p) for name, b in BOARDS.items() for p in range(b.rules.players[0], b.rules.players[1] + 1)]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_the_core_plays_as_the_reference_does(name: str, players: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(GAMES):
        seen += Duel(name, players, number).play().seen()
    rules = BOARDS[name].rules
    wanted = {"reshuffles", "displays dealt anew", "ticket draws", "wilds taken", "last rounds"}
    wanted |= {"stations", "tunnels given up", "tunnels paid"} if rules.stations else set()
    wanted |= {"markers", "points for markers"} if rules.markers else set()
    wanted |= {"captures of Alvin"} if rules.alvin else set()
    wanted |= {"tokens"} if rules.souvenirs else set()
    assert wanted <= {event for event, times in seen.items() if times}


def some_duel() -> Duel:
    """A game on the board with most of the rules, in the midst of it."""
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


@pytest.mark.parametrize("name", sorted(set(DECK.names) - {"key", "ticket_top", "rejects", "rejected", "forced"}))
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

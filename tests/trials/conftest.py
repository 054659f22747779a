"""Boards small enough to play thousands of games in a moment."""

import math
import re
from itertools import combinations

import pytest
from conftest import SMALL_BOARD

from ttrsim.trials import make_trial

LINE = SMALL_BOARD.replace('  { between = ["Ayr", "Dax"], length = 2, tracks = ["red"] },\n', "")
"""The small board without its fourth side: Ayr–Bern–Córdoba–Dax, with one way from any city to any other."""


def ring_board(cities: int, dearer: int) -> str:
    """Return a ring with room for all, where random play completes nearly all tickets; one ticket is dearer."""
    names = [f"City {letter}" for letter in "ABCDEFGHIJKLMNOP"[:cities]]
    angles = [2 * math.pi * i / cities for i in range(cities)]
    places = [
        f'{{ name = "{name}", x = {50 + 40 * math.cos(angle):.1f}, y = {50 + 40 * math.sin(angle):.1f} }}'
        for name, angle in zip(names, angles, strict=True)
    ]
    sides = [
        f'{{ between = ["{a}", "{b}"], length = 1, tracks = ["gray", "gray"] }}'
        for a, b in zip(names, names[1:] + names[:1], strict=True)
    ]
    tickets = [
        f'{{ between = ["{a}", "{b}"], points = {6 + dearer * (a + b == "City ACity E")}, decks = ["base"] }}'
        for a, b in combinations(names, 2)
    ]
    head = SMALL_BOARD[: SMALL_BOARD.index("cities = [")]
    for name, value in (("trains", cities + 2), ("tickets", '{ deck = "base", deal = 2, keep = 1, draw = 1 }')):
        head = re.sub(rf"rules.{name} = .*", f"rules.{name} = {value}", head)
    lists = {"cities": places, "connections": sides, "tickets": tickets}
    parts = [f"{name} = [\n" + ",\n".join(rows) + ",\n]\n" for name, rows in lists.items()]
    return head + "rules.parallel_open_from = 2\n" + "".join(parts)


@pytest.fixture(scope="session")
def ring():
    """Return a board of twelve cities in a ring, whose ticket City A–City E is dearer than others by these points."""
    return lambda dearer: ring_board(12, dearer)


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """Makes trials of random play on a board of this text."""
    folder = tmp_path_factory.mktemp("trials")

    def make(text=SMALL_BOARD, *, players="random,random_kind", games=2000, seed=1):
        path = folder / f"{abs(hash(text))}.toml"
        path.write_text(text, "utf-8")
        return make_trial(board=str(path), players=players, games=games, seed=seed)

    return make


@pytest.fixture(scope="session")
def line():
    """The text of a board in one line."""
    assert LINE != SMALL_BOARD
    return LINE

"""Dictionaries list cities as those of Python 2.7.18 did that were filled with the same names in the same order."""

import numpy as np
import pytest

from ttrsim.boards import load_board
from ttrsim.core.records import TABLE
from ttrsim.encode import encode_board, words
from ttrsim.kit.dictionaries import list_neighbours

HASHES = {
    "Calgary": 0x8F8988508335EA58,
    "Denver": 0xD3126D149B94B8AE,
    "Duluth": 0x04ACB92545BD1C72,
    "Omaha": 0x97D16CF04B6D2505,
    "Pittsburgh": 0xAB1E1C1D5820F988,
    "Saint Louis": 0xCAEAAC05D2EF1690,
    "Salt Lake City": 0x544AC4B820765494,
    "Seattle": 0xEAC4BC91E0C2A33B,
    "Toronto": 0xE6EEBB73EAD9F180,
    "Winnipeg": 0x730966898B4135F3,
}
"""Those that Python 2.7 has of the names in capitals."""


def listed(city: str, near: list[str], owned: str = "", beside_open: bool = False) -> list[str]:
    """Return the cities near a city in order. owned: one to which the seat has a track, the others open or closed."""
    board, table, slots = load_board("usa"), np.zeros(1, TABLE)[0], np.zeros(64, np.int16)
    record, here = encode_board(board), board.city(city)
    for name, value in HASHES.items():
        record.city_name[board.city(name)] = value
    tracks = [r.index for r in board.routes if owned and {r.a, r.b} == {here, board.city(owned)}]
    table.owned[1] = words(tracks[:1], 3)
    table.open[:] = words({r.index for r in board.routes} - set(tracks[:1] if beside_open else tracks), 3)
    taken = int(list_neighbours(record, table, 1, words(map(board.city, near), 1)[0], here, slots))
    return [board.cities[slots[slot]].name for slot in range(64) if taken >> slot & 1]


@pytest.mark.parametrize(
    ("city", "order"),
    [
        ("Helena", ["Calgary", "Duluth", "Omaha", "Denver"]),
        ("Helena", ["Omaha", "Denver", "Duluth", "Winnipeg", "Salt Lake City", "Calgary", "Seattle"]),
        ("Chicago", ["Toronto", "Pittsburgh", "Saint Louis", "Duluth", "Omaha"]),
    ],
)
def test_the_order_depends_on_which_cities_there_are(city, order):
    assert listed(city, sorted(order)) == order


def test_a_city_that_only_own_routes_lead_to_is_entered_last():
    """It finds its slot taken: Toronto, Pittsburgh and Saint Louis all want the first."""
    near = ["Duluth", "Omaha", "Pittsburgh", "Saint Louis", "Toronto"]
    assert listed("Chicago", near, "Toronto") == ["Pittsburgh", "Saint Louis", "Duluth", "Omaha", "Toronto"]
    assert listed("Chicago", near, "Pittsburgh") == ["Toronto", "Saint Louis", "Duluth", "Omaha", "Pittsburgh"]
    assert listed("Chicago", near, "Pittsburgh", True) == ["Toronto", "Pittsburgh", "Saint Louis", "Duluth", "Omaha"]

"""Files of the map editor, spreadsheets and settings, whatever is in them: a board, or errors in a line each."""

import json
from copy import deepcopy
from pathlib import Path

import pytest
from conftest import SMALL_BOARD
from hypothesis import given
from hypothesis import strategies as st

from fuzz.calling import examples, places_in, promised, working_in

VALUES = [None, True, 0, -1, 2.5, 1e308, 10**400, float("nan"), "", "x", "Ayr", "\ud800", "\0", "a\nb", "=1+1", "🚂" * 99, [], {}, [[]], [1], {"id": {}}]  # fmt: skip  # noqa: E501
CELLS = [
    "",
    "0",
    "-1",
    "9",
    "1e999",
    "9" * 5000,
    "nan",
    '"',
    '"a\nb"',
    ";",
    "=1",
    "'",
    "\0",
    "Ayr",
    "yes",
    "☃",
    "x" * 5000,
]
SHEETS = ("cities.csv", "routes.csv", "tickets.csv", "rules.toml")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with the small board, as a file of the editor and as spreadsheets."""
    path = tmp_path_factory.mktemp("imports")
    (path / "small.toml").write_text(SMALL_BOARD, "utf-8")
    with working_in(path):
        promised("maps", "export", "small.toml", "-o", "small.json", codes=(0,))
        promised("maps", "export", "small.toml", "-o", "sheets", codes=(0,))
    return path


def imported(*sources: object) -> None:
    """Import, and use what came of it if it is a board."""
    Path("new.toml").unlink(missing_ok=True)
    if promised("maps", "import", *sources, "-o", "new.toml", codes=(0, 1)).code == 0:
        promised("maps", "check", "new.toml", codes=(0,))


@examples(40)
@given(data=st.data())
def test_any_file_of_the_editor_is_a_board_or_refused(folder, data):
    with working_in(folder):
        value = deepcopy(json.loads(Path("small.json").read_text("utf-8")))
        if data.draw(st.booleans()):
            del value["payload"]["ttrsim"]
        if data.draw(st.booleans()):
            value = {"kind": "map", **value["payload"]}
        for _ in range(data.draw(st.integers(1, 2))):
            table, key = data.draw(st.sampled_from(list(places_in(value))))
            table[key] = data.draw(st.sampled_from(VALUES))
        Path("odd.json").write_text(json.dumps(value), "utf-8")
        imported("odd.json")


@examples(30)
@given(sheet=st.sampled_from(SHEETS[:3]), cell=st.sampled_from(CELLS), rng=st.randoms(use_true_random=False), rules=st.booleans())  # fmt: skip  # noqa: E501
def test_any_spreadsheets_are_a_board_or_refused(folder, sheet, cell, rng, rules):
    with working_in(folder):
        Path("odd").mkdir(exist_ok=True)
        for name in SHEETS:
            Path("odd", name).write_bytes(Path("sheets", name).read_bytes())
        if not rules:
            Path("odd/rules.toml").unlink()
        lines = Path("sheets", sheet).read_text("utf-8").splitlines()
        row = rng.randrange(len(lines))
        cells = lines[row].split(",")
        cells[rng.randrange(len(cells))] = cell
        lines[row] = ",".join(cells)
        Path("odd", sheet).write_text("\n".join(lines), "utf-8")
        imported("odd")


WORDS = ["add", "drop", "ticket", "route", "Ayr–Bern", "Ayr-Dax", "Córdoba–Dax", "between", "=", "5", "points", "length", "tracks", "red, blue", "decks", "base", "rules.trains", "rules.tickets", "[1, 2]", "{ a = 1 }", '"', "tunnel", "true", "bend", "name", "title"]  # fmt: skip  # noqa: E501


@examples(60)
@given(
    settings=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map(" ".join), min_size=1, max_size=3)
)
def test_any_settings_change_a_board_or_are_refused(folder, settings):
    with working_in(folder):
        promised("maps", "apply", "small.toml", *settings, codes=(0, 1, 2))

"""`ttrsim maps check` as a linter: planted faults are found with their lines, and good boards are left in peace."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from ttrsim.boards.codes import CODES
from ttrsim.boards.linting import lint
from ttrsim.errors import UserError
from ttrsim.files import data_folder

MAPS = data_folder() / "maps"


class Ended(NamedTuple):
    """The outcome of a command."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]
WHEEL = """\
format = 1
name = "Wheel"
title = "A hub with six cities around it, without a fault"
picture = { width = 100, height = 100 }

colours.red = { cards = 8 }
colours.blue = { cards = 8 }
colours.green = { cards = 8 }
wilds = { cards = 4 }

rules.players = [2, 3]
rules.trains = 7
rules.tickets = { deck = "base", deal = 2, keep = 1, draw = 2 }
rules.route_points = { 1 = 1, 2 = 2, 3 = 4 }

cities = [
  { name = "Ayr", x = 50, y = 10 },
  { name = "Bern", x = 85, y = 30 },
  { name = "Caen", x = 85, y = 70 },
  { name = "Dax", x = 50, y = 90 },
  { name = "Elche", x = 15, y = 70 },
  { name = "Faro", x = 15, y = 30 },
  { name = "Hub", x = 50, y = 50 },
]

connections = [
  { between = ["Ayr", "Bern"], length = 2, tracks = ["red"] },
  { between = ["Bern", "Caen"], length = 2, tracks = ["blue"] },
  { between = ["Caen", "Dax"], length = 2, tracks = ["green"] },
  { between = ["Dax", "Elche"], length = 2, tracks = ["red"] },
  { between = ["Elche", "Faro"], length = 2, tracks = ["blue"] },
  { between = ["Ayr", "Faro"], length = 2, tracks = ["green"] },
  { between = ["Ayr", "Hub"], length = 2, tracks = ["red", "gray"] },
  { between = ["Caen", "Hub"], length = 2, tracks = ["blue", "gray"] },
  { between = ["Elche", "Hub"], length = 2, tracks = ["green", "gray"] },
]

tickets = [
  { between = ["Ayr", "Caen"], points = 4, decks = ["base"] },
  { between = ["Ayr", "Elche"], points = 4, decks = ["base"] },
  { between = ["Ayr", "Dax"], points = 6, decks = ["base"] },
  { between = ["Bern", "Dax"], points = 4, decks = ["base"] },
  { between = ["Bern", "Elche"], points = 6, decks = ["base"] },
  { between = ["Bern", "Faro"], points = 4, decks = ["base"] },
  { between = ["Bern", "Hub"], points = 4, decks = ["base"] },
  { between = ["Caen", "Elche"], points = 4, decks = ["base"] },
  { between = ["Caen", "Faro"], points = 6, decks = ["base"] },
  { between = ["Dax", "Faro"], points = 4, decks = ["base"] },
  { between = ["Dax", "Hub"], points = 4, decks = ["base"] },
  { between = ["Hub", "Faro"], points = 4, decks = ["base"] },
]

[variants.quick]
title = "Fewer tickets"
rules.tickets = { deal = 1 }
"""
AYR_BERN = '{ between = ["Ayr", "Bern"], length = 2, tracks = ["red"] }'
TICKET = '{ between = ["Bern", "Elche"], points = 6, decks = ["base"] }'
DAX_ELCHE = '  { between = ["Dax", "Elche"], length = 2, tracks = ["red"] },\n'
BERN_FARO = '  { between = ["Bern", "Faro"], length = 3, tracks = ["gray"] },\n'
LEAF = '"Hub", x = 50, y = 50 },\n  { name = "Gent", x = 50, y = 70 },'
TO_GENT = '  { between = ["Gent", "Hub"], length = 1, tracks = ["gray"] },\n' + DAX_ELCHE

FAULTS = [
    # the code, what is replaced, by what, the words on whose line it is found
    ("B002", 'name = "Wheel"', "name = Wheel", "name = Wheel"),
    ("B101", '"Dax", x = 50, y = 90', '"Dax", x = 50', '"Dax", x = 50'),
    ("B102", AYR_BERN, AYR_BERN.replace(" }", ", tunel = true }"), "tunel"),
    ("B103", "rules.trains = 7", "rules.trains = 0", "rules.trains"),
    ("B111", '"Caen", x', '"BERN", x', '"BERN"'),
    ("B112", "x = 50, y = 50", "x = 15, y = 30", '"Hub", x'),
    ("B113", "x = 50, y = 90", "x = 50, y = 190", "190"),
    ("B122", "rules.players", "rules.hand = 9\nrules.players", "colours.red"),
    ("B123", "green = { cards = 8 }", 'green = { cards = 8, letter = "R" }', "colours.green"),
    ("B131", TICKET, TICKET.replace("Elche", "Elch"), '"Elch"'),
    ("B132", TICKET, TICKET.replace("Elche", "Bern"), '["Bern", "Bern"]'),
    ("B133", AYR_BERN, AYR_BERN.replace("red", "rde"), '"rde"'),
    ("B134", AYR_BERN, AYR_BERN.replace(" }", ", ferry = 3 }"), "ferry"),
    ("B135", DAX_ELCHE, DAX_ELCHE + DAX_ELCHE.replace("red", "blue"), '"Elche"], length = 2, tracks = ["blue"]'),
    ("B137", "cities = [", 'cities = [\n  { name = "Gent", x = 50, y = 70 },', "Gent"),
    ("B138", AYR_BERN, AYR_BERN.replace("2", "4"), "length = 4"),
    ("B141", TICKET, TICKET.replace("Elche", "Hub"), '["Bern", "Hub"], points = 4'),
    ("B142", "rules.tickets = { deal = 1 }", 'rules.tickets = { deck = "baes" }', "baes"),
    ("B143", "keep = 1", "keep = 3", "keep = 3"),
    ("B151", "rules.trains = 7", "rules.hand = [4, 4]\nrules.trains = 7", "rules.hand"),
    ("B152", "rules.trains = 7", "rules.display = 2\nrules.display_wild_limit = 3\nrules.trains = 7", "wild_limit"),
    ("B153", "rules.trains = 7", "rules.own_network = true\nrules.trains = 7", "own_network"),
    ("B201", "x = 50, y = 50", "x = 50, y = 11", '"Hub", x'),
    ("B202", DAX_ELCHE, DAX_ELCHE + BERN_FARO, '["Ayr", "Hub"]'),
    ("B203", TICKET, TICKET.replace("Elche", "Caen").replace("6", "2"), '["Bern", "Caen"], points'),
    ("B204", TICKET, TICKET.replace("6", "12"), "points = 12"),
    ("B205", '["Caen", "Hub"]', '["Caen", "Gent"]', "never"),
    ("B206", '"Hub", x = 50, y = 50 },', LEAF, "Gent"),
    ("B208", "rules.route_points = {", "rules.route_points = { 8 = 21,", "length = 8"),
    ("B209", "green = { cards = 8 }", "green = { cards = 1 }", "colours.green"),
    ("B210", "green = { cards = 8 }", "green = { cards = 5 }", "colours.green"),
    ("B211", "wilds =", "colours.pink = { cards = 8 }\nwilds =", "colours.pink"),
    ("B212", "rules.trains = 7", "rules.trains = 14", "rules.trains"),
    ("B213", "[2, 3]", "[2, 4]", "rules.tickets"),
    ("B214", "rules.tickets = { deal = 1 }", "rules.trains = 5", '["Ayr", "Dax"]'),
    ("B215", "rules.tickets = { deal = 1 }", "rules.trains = 1", '["Ayr", "Bern"], length'),
    ("B216", TICKET, TICKET.replace("base", "bse"), '"bse"'),
    ("B217", "x = 50, y = 10", "x = 84, y = 29", '["Ayr", "Bern"], length'),
    ("B218", "3 = 4 }", "3 = 2 }", "rules.route_points"),
]  # fmt: skip


def planted(code: str, old: str, new: str) -> str:
    """Return the board with a fault; those of some warnings need more than one change."""
    assert WHEEL.count(old) == 1 or code in ("B205",), code
    text = WHEEL.replace(old, new)
    match code:
        case "B205":
            text = WHEEL.replace('"Hub", x = 50, y = 50 },', LEAF).replace("Gent", "never")
            text = text.replace(DAX_ELCHE, TO_GENT.replace("Gent", "never"))
        case "B206":
            ticket = TICKET.replace("Bern", "Gent").replace("6", "3")
            text = text.replace(DAX_ELCHE, TO_GENT).replace(TICKET, f"{TICKET},\n  {ticket}")
        case "B208":
            text = text.replace(DAX_ELCHE, DAX_ELCHE.replace("length = 2", "length = 8")).replace(
                "trains = 7", "trains = 9"
            )
            text = text.replace("red = { cards = 8 }", "red = { cards = 3 }")
    return text


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Write a text as my.toml in the folder that the test works in."""
    monkeypatch.chdir(tmp_path)

    def write(text: str) -> Path:
        path = Path("my.toml")
        path.write_text(text, "utf-8")
        return path

    return write


def test_a_board_without_a_fault_has_no_problems(board: Callable[[str], Path]) -> None:
    assert [str(problem) for problem in lint(board(WHEEL)).problems] == []


@pytest.mark.parametrize(("code", "old", "new", "words"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_planted_fault_is_found_on_its_line(
    board: Callable[[str], Path], code: str, old: str, new: str, words: str
) -> None:
    text = planted(code, old, new)
    found = [problem for problem in lint(board(text)).problems if problem.code == code]
    assert found
    line = next(number for number, line in enumerate(text.splitlines(), 1) if words in line)
    assert line in [problem.line for problem in found]
    assert all(problem.warning == code.startswith("B2") for problem in found)
    assert all(1 <= f.column <= len(text.splitlines()[f.line - 1]) + 1 for f in found)


def test_the_published_boards_have_only_warnings_that_are_true() -> None:
    found = {p.stem: [(f.code, f.text) for f in lint(p).problems] for p in sorted(MAPS.glob("*.toml"))}
    neighbours = "neighbours: a single route of"
    assert found == {
        "europe": [
            ("B206", "cities 15 (Edinburgh): has a single connection: whoever claims it shuts the city"),
            ("B203", f"tickets 53 (Cádiz–Lisboa): {neighbours} 2 trains completes it"),
            ("B203", f"tickets 82 (Berlin–Wien): {neighbours} 3 trains completes it"),
        ],
        "old_west": [],
        "san_francisco": [],
        "usa": [],
    }


def test_a_board_that_comes_with_ttrsim_is_checked_by_its_name(ttrsim: Command) -> None:
    ended = ttrsim("maps", "check", "usa")
    assert (ended.code, ended.out.startswith("usa: ok (36 cities")) == (0, True)


def test_codes_are_selected_and_ignored_by_how_they_begin() -> None:
    path = MAPS / "europe.toml"
    assert [f.code for f in lint(path, select=["B203"]).problems] == ["B203", "B203"]
    assert [f.code for f in lint(path, select=["B2"], ignore=["B203"]).problems] == ["B206"]
    with pytest.raises(UserError, match="'B9': no code begins so"):
        lint(path, ignore=["B9"])


def test_the_command_prints_a_line_for_each_problem_and_ends_as_it_should(
    ttrsim: Command, board: Callable[[str], Path]
) -> None:
    path = board(planted("B204", TICKET, TICKET.replace("6", "12")))
    ended = ttrsim("maps", "check", path)
    assert (ended.code, ended.err) == (0, "")
    rule = "12 points for 6 trains; published tickets are worth a point a train, give or take 3"
    assert ended.out.splitlines() == [
        f"my.toml:43:43: B204 tickets 5 (Bern–Elche): {rule}",
        "my.toml: ok (7 cities, 12 routes, 24 spaces, 12 tickets; variants: quick), 1 warning",
    ]
    assert ttrsim("maps", "check", path, "--fail-on", "warnings").code == 3
    assert ttrsim("maps", "check", path, "--ignore", "B204", "--fail-on", "warnings").code == 0
    bad = ttrsim("maps", "check", board(WHEEL.replace("red", "rde", 1)), "--select", "B133")
    assert (bad.code, bad.err) == (1, "Error: my.toml: cannot be played as long as it has errors\n")
    assert [line.split()[1] for line in bad.out.splitlines()] == ["B133"] * 3


def test_as_json_each_problem_is_an_object(ttrsim: Command, board: Callable[[str], Path]) -> None:
    path = board(WHEEL.replace("rules.trains = 7", "rules.trains = 14"))
    (found,) = json.loads(ttrsim("maps", "check", path, "--json").out)
    assert found.pop("text").startswith("rules.trains: 3 players have 42 trains for 24 spaces")
    assert found == {"file": "my.toml", "line": 12, "column": 16, "code": "B212", "warning": True}


def test_what_cannot_be_read_is_an_error_on_the_first_line(ttrsim: Command, tmp_path: Path) -> None:
    ended = ttrsim("maps", "check", tmp_path / "none.toml")
    assert (ended.code, ended.out) == (
        1,
        f"{tmp_path / 'none.toml'}:1:1: B001 cannot be read: No such file or directory\n",
    )


def test_the_readme_lists_every_code() -> None:
    rows = [line.split("|") for line in (MAPS / "README.md").read_text("utf-8").splitlines() if line.startswith("| `B")]
    assert {row[1].strip(" `"): row[2].strip() for row in rows} == CODES

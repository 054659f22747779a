"""Boards written as files of their own and as spreadsheets, and read again."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ttrsim.boards import Board, board_names, load_board, load_family, read_boards
from ttrsim.boards.documents import document_of, document_text, exported, new_board
from ttrsim.boards.linting import lint
from ttrsim.boards.sheets import read_sheets, to_sheets
from ttrsim.errors import UserError
from ttrsim.files import parse_toml


class Ended(NamedTuple):
    """The outcome of a command."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]
SAME = ("name", "title", "status", "picture", "cities", "colours", "wilds", "wild_name", "routes", "connections", "tickets", "rules")  # fmt: skip  # noqa: E501
NAMES = [*board_names(), "small", "small:quick", "new"]


def content(board: Board) -> list[Any]:
    """Return all of a board but where it comes from."""
    return [getattr(board, name) for name in SAME]


def read(text: str, folder: Path) -> dict[str, Board]:
    path = folder / "read.toml"
    path.write_text(text, "utf-8")
    return read_boards(path)


@pytest.fixture
def named(tmp_path: Path, small_board: str) -> Callable[[str], str]:
    """Return the name of one of NAMES as boards are named."""
    (tmp_path / "small.toml").write_text(small_board, "utf-8")
    (tmp_path / "new.toml").write_text(new_board("Lakes"), "utf-8")

    def name(short: str) -> str:
        first, colon, variant = short.partition(":")
        return f"{tmp_path / first}.toml{colon}{variant}" if first in ("small", "new") else short

    return name


@pytest.mark.parametrize("name", NAMES)
def test_a_board_is_the_same_as_a_file_of_its_own(name: str, named: Callable[[str], str], tmp_path: Path) -> None:
    board, text = load_board(named(name)), exported(named(name))
    variants = list(load_family(named(name))[1]) if ":" not in name else [""]
    for written in (text, document_text(parse_toml(text.encode()), "a copy")):
        family = read(written, tmp_path)
        assert content(family[""]) == content(board)
        assert list(family) == variants


@pytest.mark.parametrize("name", NAMES)
def test_spreadsheets_hold_all_of_a_board(name: str, named: Callable[[str], str], tmp_path: Path) -> None:
    for file, text in to_sheets(document_of(named(name))).items():
        (tmp_path / file).write_bytes(text.encode())
    imported = read_sheets([tmp_path])
    assert imported.notes == []
    assert content(read(document_text(imported.document, "a copy"), tmp_path)[""]) == content(load_board(named(name)))


def test_a_file_of_its_own_keeps_its_comments() -> None:
    text = exported("europe:mega")
    assert text.startswith("# Ticket to Ride Europe")
    assert "# one line a connection" in text
    assert "variants" not in text


def test_a_new_board_is_without_fault_and_says_what_to_change(ttrsim: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip  # noqa: E501
    monkeypatch.chdir(tmp_path)
    ended = ttrsim("maps", "new", "My island")
    assert (ended.code, "ttrsim maps check my_island.toml" in ended.out) == (0, True)
    assert load_board("my_island.toml:quick").name == "My island"
    assert lint("my_island.toml").problems == []
    assert ttrsim("maps", "new", "My island").code == 1
    for bad in ("", "a/b", "x" * 50, 'a"b', "-x", "a\nb"):
        assert ttrsim("maps", "new", bad, "-o", "b.toml").code == 2


SHEETS = {
    "stops.csv": "name;x;y\nAyr;10;10\nBern;90,5;10\nDax;10;90\n",
    "routes.csv": "a;b;length;color;tunnel\nAyr;Bern;2;Red;no\nayr;bern;2;blue;\nBern;Dax;3;Grey;yes\nDax;Ayr;2;;\n",
    "tickets.csv": "a;b;points;long\nAyr;Bern;2;\nBern;Dax;3;\nAyr;Dax;2;\nBern;Ayr;5;yes\nDax;Bern;6;ja\n",
}  # fmt: skip


@pytest.fixture
def sheets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with three sheets as somebody may type them."""
    monkeypatch.chdir(tmp_path)
    for name, text in SHEETS.items():
        Path(name).write_text(text, "utf-8")
    return tmp_path


def test_sheets_as_people_type_them_are_understood(sheets: Path) -> None:
    document = read_sheets([sheets]).document
    assert [(c["name"], c["x"], c["y"]) for c in document["cities"]] == [
        ("Ayr", 10, 10),
        ("Bern", 90.5, 10),
        ("Dax", 10, 90),
    ]
    assert document["connections"] == [
        {"between": ["Ayr", "Bern"], "length": 2, "tracks": ["red", "blue"]},
        {"between": ["Bern", "Dax"], "length": 3, "tracks": ["gray"], "tunnel": True},
        {"between": ["Dax", "Ayr"], "length": 2, "tracks": ["gray"]},
    ]
    assert [(t["points"], t["decks"]) for t in document["tickets"]] == [
        (2, ["base"]), (3, ["base"]), (2, ["base"]), (5, ["base long"]), (6, ["base long"]),
    ]  # fmt: skip
    assert document["rules"]["long_tickets"] == {"deck": "base long", "deal": 1, "keep_at_most": 1}


def test_sheets_saved_by_other_programs_are_read(sheets: Path) -> None:
    text = SHEETS["stops.csv"].replace("Ayr", "Århus")
    for encoded in (text.encode("cp1252"), text.encode("utf-8-sig"), text.replace(";", "\t").encode()):
        Path("stops.csv").write_bytes(encoded)
        Path("routes.csv").write_text(SHEETS["routes.csv"].replace("Ayr", "Århus").replace("ayr", "århus"), "utf-8")
        Path("tickets.csv").write_text(SHEETS["tickets.csv"].replace("Ayr", "Århus"), "utf-8")
        assert read_sheets([sheets]).document["cities"][0]["name"] == "Århus"


def test_what_nobody_said_is_chosen_and_named(ttrsim: Command, sheets: Path) -> None:
    rows = [f"{deck},{ends},3" for deck in ("one", "two") for ends in ("Ayr,Bern", "Bern,Dax", "Ayr,Dax")]
    Path("tickets.csv").write_text("\n".join(["deck,from,to,points", *rows]))
    (sheets / "stops.csv").unlink()
    ended = ttrsim("maps", "import", "routes.csv", "tickets.csv", "-o", "my.toml")
    assert ended.code == 1
    assert "my.toml: rules.tickets: deck 'one' has 3 tickets, too few to deal 3 to each of 2 players" in ended.err
    assert [line.split(":")[0] for line in ended.out.splitlines()] == [
        "* cities",
        "* rules and cards",
        "* too small to be dealt, so nothing plays with them",
    ]
    changed = ttrsim("maps", "import", "routes.csv", "tickets.csv", "-o", "my.toml")
    assert "already exists and is left alone" in changed.err


def test_columns_that_mean_nothing_are_named(sheets: Path) -> None:
    """The map editor writes ids, bends and its version; what is empty is not worth a word."""
    rows = ["From,To,Length,Bends,Editor,Curved", "Ayr,Bern,2,5|5,1.3.0,", "Bern,Dax,2,,1.3.0,", "Dax,Ayr,2,,1.3.0,"]
    Path("routes.csv").write_text("\n".join(rows), "utf-8")
    assert "routes.csv: columns that mean nothing here: bends, editor" in read_sheets([sheets]).notes


def test_degrees_are_drawn_with_north_up(sheets: Path) -> None:
    Path("stops.csv").write_text("name,lat,lon\nAyr,55.6,13.0\nBern,55.4,13.8\nDax,56.0,12.7\n", "utf-8")
    north, south = (read_sheets([sheets]).document["cities"][i] for i in (2, 1))
    assert north["y"] < south["y"]
    assert north["x"] < south["x"]


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("routes.csv", "Bern;Dax;3", "Bern;Dax;x", "routes.csv: line 4: Length: 'x': should be a number"),
        ("routes.csv", "Bern;Dax;3", "Bern;Dax;9", "line 4: Length: '9': should be a whole number, 1 to 8"),
        ("routes.csv", "Bern;Dax;3", "Bern;;3", "line 4: To is missing"),
        ("tickets.csv", "Bern;Dax;3", "Bern;Dax;2.5", "line 3: Points: '2.5': should be a whole number, 1 or more"),
        ("stops.csv", "Dax;10;90", "Dax;;", "Dax: has no X and Y, but other cities have"),
        ("stops.csv", "Dax;10;90", "Dax;10;1e400", "line 4: Y: '1e400': should be a number"),
        ("stops.csv", "name;", "nmae;", "its first row has none of the headings of cities, routes or tickets"),
        ("routes.csv", "length", "lenght", "routes.csv: its first row has none of the headings"),
        ("stops.csv", "Ayr;", '"Ayr;', "is not CSV: unexpected end of data"),
    ],
)  # fmt: skip
def test_a_wrong_sheet_is_refused_with_its_line(sheets: Path, file: str, old: str, new: str, problem: str) -> None:
    Path(file).write_text(SHEETS[file].replace(old, new, 1), "utf-8")
    with pytest.raises(UserError) as refusal:
        read_sheets([sheets])
    assert problem in str(refusal.value)


def test_the_commands_write_and_read_a_folder_and_overwrite_nothing(ttrsim: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip  # noqa: E501
    monkeypatch.chdir(tmp_path)
    assert ttrsim("maps", "export", "europe", "-o", "sheets").code == 0
    assert ttrsim("maps", "export", "europe", "-o", "sheets").code == 1
    assert ttrsim("maps", "import", "sheets", "-o", "my.toml").code == 0
    assert content(load_board("my.toml:mega")) == content(load_board("europe:mega"))
    assert ttrsim("maps", "import", "sheets", "-o", "my.toml").code == 1
    assert ttrsim("maps", "export", "europe:mega", "-o", "mega.toml").code == 0
    assert ttrsim("maps", "export", "europe", "-o", "my.xlsx").code == 2
    shutil.rmtree("sheets")
    assert "cannot be read" in ttrsim("maps", "import", "sheets", "-o", "b.toml").err


def test_a_first_row_without_its_last_cells_hides_no_heading(sheets: Path) -> None:
    file = sheets / "tickets.csv"
    heading, first, *rest = file.read_text("utf-8-sig").splitlines()
    file.write_text("\n".join([heading, first.partition(";")[0], *rest]), "utf-8")
    with pytest.raises(UserError, match=r"tickets\.csv: line 2: \w+ is missing"):
        read_sheets([sheets])

"""`ttrsim maps`: what each command writes, and where."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ttrsim.boards import board_names, load_board

BOARDS = ["usa", "europe", "old_west", "san_francisco"]

Command = Callable[..., Any]
WriteBoard = Callable[[str], Path]


def test_list_names_every_board(ttrsim: Command) -> None:
    ended = ttrsim("maps", "list")
    assert (ended.code, ended.err) == (0, "")
    first = [line.split()[0] for line in ended.out.splitlines()]
    assert set(board_names()) <= set(first)


def test_list_as_json_has_the_counts(ttrsim: Command) -> None:
    listed = {b["board"]: b for b in json.loads(ttrsim("maps", "list", "--json").out)}
    assert sorted(listed) == sorted(board_names())
    assert (listed["usa:mega"]["cities"], listed["usa:mega"]["spaces"], listed["usa:mega"]["tickets"]) == (36, 309, 69)
    assert (listed["europe"]["tunnels"], listed["europe"]["ferries"], listed["europe"]["ferry_symbols"]) == (18, 13, 17)


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize(
    "arguments",
    [
        ("list",),
        ("show", "europe:mega"),
        ("show", "san_francisco"),
        ("show", "old_west"),
        *(("stats", b) for b in BOARDS),
    ],
)
def test_text_fits_the_terminal(
    ttrsim: Command, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = ttrsim("maps", *arguments).out
    assert max(len(line) for line in out.splitlines()) <= columns
    assert all(line == line.rstrip() for line in out.splitlines())


@pytest.mark.parametrize("board", board_names())
def test_show_tells_counts_colours_and_rules(ttrsim: Command, board: str) -> None:
    ended = ttrsim("maps", "show", board)
    assert (ended.code, ended.err) == (0, "")
    for heading in ("Cities", "Routes", "Colours", "Rules", "Opening tickets", "Route points", "Tie-breaks"):
        assert heading in ended.out


def rule_lines(out: str) -> dict[str, str]:
    """Return the rules that `show` writes, those of variants left out."""
    lines = out.partition("\nRules\n")[2].partition("\n\n")[0].splitlines()
    return {key.strip(): text.strip() for key, _, text in (line.strip().partition("  ") for line in lines)}


def test_show_says_the_rules_in_words(ttrsim: Command) -> None:
    rules = rule_lines(ttrsim("maps", "show", "usa").out)
    assert rules["Players"] == "2 to 5"
    assert rules["Opening tickets"] == "3 dealt, keep at least 2; the others under the deck"
    assert rules["Later tickets"] == "draw 3, keep at least 1; the others under the deck"
    assert rules["Route points"] == "1 for length 1, 2 for 2, 4 for 3, 7 for 4, 10 for 5, 15 for 6"
    assert rules["Longest path"] == "10 points"
    assert rules["Most tickets"] == "no bonus"
    assert "Stations" not in rules


def test_show_tells_in_what_a_variant_differs(ttrsim: Command) -> None:
    rules = rule_lines(ttrsim("maps", "show", "usa:1910").out)
    assert rules["Most tickets *"] == "15 points"
    assert rules["Longest path *"] == "no bonus"
    assert "Trains" in rules
    shown = json.loads(ttrsim("maps", "show", "usa", "--json").out)
    assert set(shown["variants"]["usa:1910"]["rules_that_differ"]) == {"Longest path", "Most tickets", "Tie-breaks"}


def test_show_as_json_has_the_rule_values_with_cities_by_name(ttrsim: Command) -> None:
    shown = json.loads(ttrsim("maps", "show", "old_west:alvin", "--json").out)
    assert shown["rules"]["alvin"] == {"city": "Roswell", "capture_points": 10, "holder_points": 10}
    assert shown["rules"]["trains"] == 40
    assert shown["cards"]["locomotive"] == 14
    souvenirs = json.loads(ttrsim("maps", "show", "san_francisco", "--json").out)["rules"]["souvenirs"]
    assert souvenirs["fixed"][0] == "Alcatraz"


def test_stats_lists_every_ticket_with_its_numbers(ttrsim: Command) -> None:
    ended = ttrsim("maps", "stats", "usa")
    assert (ended.code, ended.err) == (0, "")
    (line,) = [line for line in ended.out.splitlines() if line.startswith("Denver–El Paso")]
    assert line.split() == ["Denver–El", "Paso", "4", "4", "1.00", "0", "6", "Santa", "Fe"]


@pytest.mark.parametrize(("table", "rows"), [("tickets", 46), ("routes", 101), ("cities", 47)])
def test_stats_as_csv_is_one_whole_table(ttrsim: Command, table: str, rows: int) -> None:
    ended = ttrsim("maps", "stats", "europe", "--csv", "--table", table)
    assert (ended.code, ended.err) == (0, "")
    assert len(list(csv.DictReader(io.StringIO(ended.out)))) == rows


def test_stats_as_csv_is_of_tickets_unless_told_otherwise(ttrsim: Command) -> None:
    (row,) = [
        r
        for r in csv.DictReader(io.StringIO(ttrsim("maps", "stats", "usa", "--csv").out))
        if r["ticket"] == "New York–Seattle"
    ]
    assert (row["points"], row["trains"], row["points_minus_trains"]) == ("22", "20", "2")


def test_stats_as_json_has_all_tables(ttrsim: Command) -> None:
    stats = json.loads(ttrsim("maps", "stats", "old_west", "--json").out)
    assert (len(stats["tickets"]), len(stats["routes"]), len(stats["cities"])) == (50, 139, 41)


def test_stats_as_text_shows_a_table_whole_when_asked_for(ttrsim: Command) -> None:
    assert len(ttrsim("maps", "stats", "usa", "--table", "cities").out.splitlines()) >= 36
    assert "These are the 15 busiest of 36 cities" in ttrsim("maps", "stats", "usa").out


@pytest.mark.parametrize(
    "arguments",
    [("list",), ("show", "san_francisco"), ("stats", "san_francisco"), ("stats", "san_francisco", "--table", "cities")],
)
def test_reconstruction_is_shown_in_text(ttrsim: Command, arguments: tuple[str, ...]) -> None:
    assert "San Francisco: a RECONSTRUCTION" in ttrsim("maps", *arguments).out


@pytest.mark.parametrize("command", ["show", "stats"])
def test_reconstruction_is_a_field_of_json(ttrsim: Command, command: str) -> None:
    assert json.loads(ttrsim("maps", command, "san_francisco", "--json").out)["status"] == "reconstruction"
    assert json.loads(ttrsim("maps", command, "usa", "--json").out)["status"] == "published"


def test_reconstruction_is_noted_beside_csv(ttrsim: Command) -> None:
    ended = ttrsim("maps", "stats", "san_francisco", "--csv")
    assert "RECONSTRUCTION" in ended.err
    assert "RECONSTRUCTION" not in ended.out


@pytest.mark.parametrize("board", ["usa", "europe:mega", "old_west:alvin"])
def test_published_board_is_not_called_a_reconstruction(ttrsim: Command, board: str) -> None:
    assert "RECONSTRUCTION" not in ttrsim("maps", "show", board).out


def test_check_of_a_good_file_says_ok_with_counts(ttrsim: Command, board_file: WriteBoard, small_board: str) -> None:
    path = board_file(small_board)
    ended = ttrsim("maps", "check", path, "--ignore", "B2")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out == f"{path}: ok (4 cities, 5 routes, 10 spaces, 6 tickets; variants: quick)\n"


def test_check_goes_on_after_a_bad_file_and_fails(
    ttrsim: Command, board_file: WriteBoard, small_board: str, tmp_path: Path
) -> None:
    good, bad, missing = board_file(small_board), tmp_path / "bad.toml", tmp_path / "missing.toml"
    bad.write_text(small_board.replace("points = 4", "points = 0").replace('["gray"]', '["grey"]'), "utf-8")
    ended = ttrsim("maps", "check", bad, missing, good, "--ignore", "B2")
    assert ended.code == 1
    places = [line.partition(".toml:")[0] for line in ended.out.splitlines()]
    assert places == [str(tmp_path / "bad")] * 2 + [str(tmp_path / "missing")] + [str(good)[:-5]]
    assert [line.partition(".toml: ")[2] for line in ended.err.splitlines()] == [
        "cannot be played as long as it has errors"
    ] * 2


@pytest.mark.parametrize("letters", [(), ("--letters",)])
def test_draw_writes_an_svg_with_every_city(ttrsim: Command, tmp_path: Path, letters: tuple[str, ...]) -> None:
    path = tmp_path / "board.svg"
    ended = ttrsim("maps", "draw", "san_francisco", "-o", path, *letters)
    assert (ended.code, ended.out) == (0, "")
    assert f"Drew san_francisco to {path}" in ended.err
    assert "RECONSTRUCTION" in ended.err
    text = " ".join(" ".join(ET.parse(path).getroot().itertext()).split())
    assert [city.name for city in load_board("san_francisco").cities if city.name not in text] == []


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_draw_writes_the_kind_of_picture_its_name_tells(
    ttrsim: Command, tmp_path: Path, board_file: WriteBoard, small_board: str, suffix: str, start: bytes
) -> None:
    path = tmp_path / f"board.{suffix}"
    assert ttrsim("maps", "draw", board_file(small_board), "-o", path).code == 0
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["board", "board.gif"])
def test_draw_refuses_a_picture_of_no_known_kind(ttrsim: Command, tmp_path: Path, name: str) -> None:
    ended = ttrsim("maps", "draw", "usa", "-o", tmp_path / name)
    assert ended.code == 2
    assert f"{name}: a picture's name ends in .png, .svg, .pdf" in ended.err


def test_draw_refuses_a_missing_folder(ttrsim: Command, tmp_path: Path) -> None:
    ended = ttrsim("maps", "draw", "usa", "-o", tmp_path / "none" / "board.png")
    assert ended.code == 2
    assert f"there is no folder '{tmp_path / 'none'}'; make it first" in ended.err


def test_draw_to_where_a_folder_is_fails_with_its_name(ttrsim: Command, tmp_path: Path) -> None:
    (tmp_path / "board.png").mkdir()
    ended = ttrsim("maps", "draw", "usa", "-o", tmp_path / "board.png")
    assert ended.code == 1
    assert re.fullmatch(rf"Error: {re.escape(str(tmp_path / 'board.png'))}: .+\n", ended.err)

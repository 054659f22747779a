"""A board file that breaks a rule is refused, with file, entry, value and rule; all it breaks at once."""

import os
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from boards.broken import AYR_BERN, AYR_DAX, BROKEN, JUST_GOOD

from ttrsim.boards import BoardError, read_boards

WriteBoard = Callable[[str], Path]


def problems_of(path: Path) -> list[str]:
    with pytest.raises(BoardError) as refusal:
        read_boards(path)
    return refusal.value.problems


def test_the_file_that_the_others_break_is_good(board_file: WriteBoard, small_board: str) -> None:
    assert list(read_boards(board_file(small_board))) == ["", "quick"]


@pytest.mark.parametrize(("old", "new", "problem"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_broken_file_is_refused(board_file: WriteBoard, small_board: str, old: str, new: str, problem: str) -> None:
    assert old in small_board
    path = board_file(small_board.replace(old, new, 1))
    found = problems_of(path)
    assert all(p.startswith(f"{path}: ") for p in found)
    assert any(re.search(f": {problem}", p) for p in found), found


@pytest.mark.parametrize(("old", "new", "problem"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_one_mistake_makes_few_problems(
    board_file: WriteBoard, small_board: str, old: str, new: str, problem: str
) -> None:
    assert 1 <= len(problems_of(board_file(small_board.replace(old, new, 1)))) <= 2


@pytest.mark.parametrize("limit", JUST_GOOD)
def test_what_goes_as_far_as_it_may_is_good(board_file: WriteBoard, small_board: str, limit: str) -> None:
    old, new = JUST_GOOD[limit]
    assert old in small_board
    assert "" in read_boards(board_file(small_board.replace(old, new, 1)))


def test_another_spelling_of_a_city_is_no_name_for_it(board_file: WriteBoard, small_board: str) -> None:
    text = small_board.replace('"Dax", x = 10', '"Dax", aliases = ["Dox"], x = 10')
    path = board_file(text.replace(AYR_DAX, AYR_DAX.replace("Dax", "Dox")))
    told = "'Dox': is only another spelling, for commands; here write Dax"
    assert problems_of(path) == [f"{path}: connections 4 (Ayr–Dox): {told}"]


def test_board_in_two_pieces_is_refused(board_file: WriteBoard, small_board: str) -> None:
    path = board_file(small_board.replace(f"  {AYR_DAX},\n", "").replace(f"  {AYR_BERN},\n", ""))
    (problem,) = problems_of(path)
    assert problem.startswith(f"{path}: connections: the board is in 2 pieces (Ayr cannot be reached)")


@pytest.mark.parametrize(("count", "fits"), [(64, True), (65, False)])
def test_room_for_64_cities(board_file: WriteBoard, small_board: str, count: int, fits: bool) -> None:
    names = [f"City {i}" for i in range(count - 4)]
    cities = "".join(f'  {{ name = "{n}", x = {i}, y = 50 }},\n' for i, n in enumerate(names))
    routes = "".join(f'  {{ between = ["Ayr", "{n}"], length = 1, tracks = ["gray"] }},\n' for n in names)
    text = small_board.replace("cities = [\n", "cities = [\n" + cities)
    path = board_file(text.replace("connections = [\n", "connections = [\n" + routes))
    if fits:
        assert len(read_boards(path)[""].cities) == 64
    else:
        assert any("cities" in p and "at most 64" in p for p in problems_of(path))


@pytest.mark.parametrize(("tracks", "fits"), [(189, True), (190, False)])
def test_room_for_192_routes(board_file: WriteBoard, small_board: str, tracks: int, fits: bool) -> None:
    path = board_file(small_board.replace('["red", "blue"]', str(["gray"] * tracks).replace("'", '"')))
    if fits:
        assert len(read_boards(path)[""].routes) == 192
    else:
        assert problems_of(path) == [f"{path}: connections: 193 routes: there is room for 192"]


@pytest.mark.parametrize(("cards", "fits"), [(232, True), (233, False)])
def test_room_for_250_cards(board_file: WriteBoard, small_board: str, cards: int, fits: bool) -> None:
    path = board_file(small_board.replace("red = { cards = 12 }", f"red = {{ cards = {cards} }}"))
    if fits:
        assert read_boards(path)[""].cards == 250
    else:
        assert problems_of(path) == [f"{path}: colours: 251 cards in total: there is room for 250"]


def test_too_many_tickets_for_the_deck_are_refused(board_file: WriteBoard, small_board: str) -> None:
    names = [f"City {i}" for i in range(17)]
    cities = "".join(f'  {{ name = "{n}", x = {i}, y = 50 }},\n' for i, n in enumerate(names))
    routes = "".join(f'  {{ between = ["Ayr", "{n}"], length = 1, tracks = ["gray"] }},\n' for n in names)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    tickets = "".join(f'  {{ between = ["{a}", "{b}"], points = 2, decks = ["base"] }},\n' for a, b in pairs)
    text = small_board.replace("cities = [\n", "cities = [\n" + cities)
    text = text.replace("connections = [\n", "connections = [\n" + routes)
    path = board_file(text.replace("tickets = [\n", "tickets = [\n" + tickets))
    assert problems_of(path) == [f"{path}: tickets: 142 in play: there is room for 128"]


def test_all_problems_of_a_file_are_told_at_once(board_file: WriteBoard, small_board: str) -> None:
    edits = {
        'title = "A small board"': 'titel = "A small board"',
        "rules.trains = 10": "rules.trains = 0",
        '"Bern", x = 90': '"Bern", x = "far"',
        "tunnel = true": "tunnel = 1",
        '["red"]': '["rde"]',
        'Dax"], points = 4': 'Dox"], points = 4',
        "points = 1": "points = 0",
    }
    text = small_board
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new, 1)
    path = board_file(text)
    assert {p.removeprefix(f"{path}: ").partition("; ")[0] for p in problems_of(path)} == {
        "title: is missing",
        "titel: unknown key",
        "rules.trains: 0: should be greater than or equal to 1",
        "cities 2 (Bern).x: 'far': should be a valid number",
        "connections 3 (Córdoba–Dax).tunnel: 1: should be a valid boolean",
        "tickets 6 (Córdoba–Dax).points: 0: should be greater than or equal to 1",
        "connections 4 (Ayr–Dax): colour 'rde': unknown",
        "tickets 5 (Bern–Dox): 'Dox': no such city",
    }


def test_broken_entry_makes_no_false_problems(board_file: WriteBoard, small_board: str) -> None:
    broken_ends = small_board.replace(AYR_BERN, AYR_BERN.replace('["Ayr", "Bern"]', '["Ayr"]'))
    path = board_file(broken_ends.replace(AYR_DAX, AYR_DAX.replace("length = 2", "length = 0")))
    assert len(problems_of(path)) == 2


def test_file_of_nested_arrays_without_end_is_refused(board_file: WriteBoard, small_board: str) -> None:
    assert "is not TOML" in problems_of(board_file(small_board + "\nx = " + "[" * 3000 + "]" * 3000))[0]


def with_more(small_board: str, section: str, entries: Iterable[str]) -> str:
    return small_board.replace(f"{section} = [\n", f"{section} = [\n{','.join(entries)},\n")


def test_the_first_problems_of_many_are_told_and_how_many_more_there_are(
    board_file: WriteBoard, small_board: str
) -> None:
    wrong = ('{ between = ["Ayr", "Nowhere"], points = 0, decks = ["base"] }' for _ in range(1000))
    found = problems_of(board_file(with_more(small_board, "tickets", wrong)))
    assert len(found) == 21
    # Each is of 0 points and to no city, all but the first repeat a ticket, and they are more than there is room for.
    assert found[-1].endswith("my.toml: and 2,980 more problems, which fixing these may fix too")


@pytest.mark.parametrize("count", [20, 21])
def test_all_problems_are_told_if_they_are_few(board_file: WriteBoard, small_board: str, count: int) -> None:
    found = problems_of(board_file("".join(f"wrong{i} = 1\n" for i in range(count)) + small_board))
    assert [p.partition(": ")[2][:5] for p in found[:20]] == ["wrong"] * 20
    assert [p.partition(": ")[2] for p in found[20:]] == (
        ["and 1 more problem, which fixing these may fix too"] * (count - 20)
    )


@pytest.mark.parametrize("old", ['name = "Small"', 'name = "Bern"', '["Ayr", "Bern"], length', "rules.trains = 10"])
def test_no_problem_is_told_at_length(board_file: WriteBoard, small_board: str, old: str) -> None:
    long = "x" * 100_000
    new = {"rules.trains = 10": f"rules.trains = 10\n{long} = 1"}.get(
        old, re.sub('"[a-zA-Z]+"', f'"{long}"', old, count=1)
    )
    path = board_file(small_board.replace(old, new, 1))
    assert max(map(len, problems_of(path))) <= len(f"{path}: ") + 1000


HUGE = {
    "routes": lambda text: with_more(text, "connections", ["{ between = [] }"] * 200_000),
    "characters": lambda text: text + "#" * 1_000_000,
    "entries": lambda text: with_more(text, "tickets", ["{}"] * 10_000),
    "values": lambda text: f"x = [{'1,' * 10_000}]\n" + text,
    "keys": lambda text: "".join(f"k{i} = 1\n" for i in range(10_000)) + text,
}


@pytest.mark.parametrize("kind", HUGE)
def test_a_file_that_is_too_large_is_refused_as_a_whole(board_file: WriteBoard, small_board: str, kind: str) -> None:
    path = board_file(HUGE[kind](small_board))
    (problem,) = problems_of(path)
    assert re.fullmatch(r".*my.toml: (is too large: such a file has at most 1,000,000 bytes|[\d,]+ values and tables: there is room for 10,000)", problem)  # fmt: skip  # noqa: E501


def test_more_than_50_variants_are_refused(board_file: WriteBoard, small_board: str) -> None:
    variants = "".join(f'[variants.v{i}]\ntitle = "V"\nrules.route_points = {{ 9 = 1 }}\n' for i in range(500))
    found = problems_of(board_file(small_board + variants))
    assert any("variants: " in p and "should have at most 50 items" in p for p in found)


def test_cities_in_one_place_are_told_with_the_first_of_them(board_file: WriteBoard, small_board: str) -> None:
    cities = [f'{{ name = "City {i}", x = 10, y = 10 }}' for i in range(3)]
    found = [p for p in problems_of(board_file(with_more(small_board, "cities", cities))) if "both at" in p]
    assert [p.partition(": cities: ")[2].partition(":")[0] for p in found] == [
        "City 0 and City 1", "City 0 and City 2", "City 0 and Ayr",
    ]  # fmt: skip


def test_a_key_of_many_parts_is_refused(board_file: WriteBoard, small_board: str) -> None:
    path = board_file(small_board + "a." * 50_000 + "a = 1\n")
    assert problems_of(path) == [f"{path}: line 44: a key has more than 16 parts"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_pipes_and_devices_are_no_board_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "my.toml")
    (tmp_path / "zero.toml").symlink_to("/dev/zero")
    for name, what in (("my.toml", "a pipe"), ("zero.toml", "a device")):
        assert problems_of(tmp_path / name) == [f"{tmp_path / name}: cannot be read: it is {what}, not a file"]

"""Boards changed by settings, on the command line and in their names."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from ttrsim.boards import Board, board_names, load_board
from ttrsim.boards.changes import as_toml, changed, split_name, with_settings
from ttrsim.boards.rules_in_words import differing
from ttrsim.errors import UserError
from ttrsim.runs import Run


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]


def points(board: Board) -> dict[str, int]:
    return {board.ticket_name(t): t.points for t in board.tickets}


@pytest.mark.parametrize(
    ("name", "setting", "heading", "words"),
    [
        ("usa", "rules.trains = 40", "Trains", "40 each; a turn that ends with 2 or fewer starts the last round"),
        ("usa:mega", "rules.tickets.draw = 5", "Later tickets", "draw 5, keep at least 1; the others under the deck"),
        ("usa", "rules.tickets.draw_keep = 2", "Later tickets", "draw 3, keep at least 2; the others under the deck"),
        ("usa", "rules.hand = [4, 4, 5, 5, 6]", "Opening hand", "4, 4, 5, 5, 6 cards, by seat"),
        ("usa", "rules.tie_breaks = []", "Tie-breaks", "none"),
        ("san_francisco", "rules.route_points.4 = 6", "Route points",
         "1 for length 1, 2 for 2, 4 for 3, 6 for 4, 10 for 5"),
    ],
)  # fmt: skip
def test_a_setting_changes_that_rule_alone(name: str, setting: str, heading: str, words: str) -> None:
    board, before = load_board(name, set=[setting]), load_board(name)
    assert differing(board, before) == {heading: words}
    assert (board.cities, board.routes, board.tickets) == (before.cities, before.routes, before.tickets)


def test_a_setting_of_a_ticket_changes_its_points_in_the_decks_that_are_played() -> None:
    for name in ("usa", "usa:mega"):
        before = points(load_board(name))
        after = points(load_board(name, set=["ticket seattle-new york = 17"]))
        assert {ticket for ticket in before if before[ticket] != after[ticket]} == {"New York–Seattle"}
        assert after["New York–Seattle"] == 17


def test_settings_of_a_route_change_all_its_tracks() -> None:
    board = load_board("usa", set=["route Denver-Omaha tracks = red, blue", "route Denver–Omaha length = 3"])
    routes = [r for r in board.routes if board.connection_name(r.connection) == "Denver–Omaha"]
    assert [(r.length, board.colour_name(r.colour)) for r in routes] == [(3, "red"), (3, "blue")]
    assert len(board.routes) == len(load_board("usa").routes) + 1


def test_the_name_of_a_changed_board_stands_for_it() -> None:
    board = load_board("usa", set=["rules.trains = 40", "rules.hand = [4, 4, 5, 5, 5]"])
    assert board.id == "usa[rules.trains = 40; rules.hand = [4, 4, 5, 5, 5]]"
    assert load_board(board.id) == board
    assert load_board("usa[rules.trains = 40]", set=["rules.hand = [4, 4, 5, 5, 5]"]) == board
    assert board.sha256 != load_board("usa").sha256


@pytest.mark.parametrize("name", ["usa", "my.toml", "a folder/my.toml:far", "[odd]/my.toml", "usa:mega"])
def test_settings_are_found_in_a_name(name: str) -> None:
    assert split_name(name) == (name, ())
    settings = ("rules.trains = 40", "rules.hand = [4, 5]")
    assert split_name(with_settings(name, settings)) == (name, settings)


@pytest.mark.parametrize("name", board_names())
def test_a_board_without_changes_is_written_as_it_is(name: str) -> None:
    board, variant = load_board(name), name.partition(":")[2]
    before, after = tomllib.loads(board.source.decode()), tomllib.loads(changed(board, variant, []).decode())
    kept = {key: value for key, value in before.get("variants", {}).items() if key == variant}
    assert after == before | {"variants": kept}


def test_toml_is_written_whatever_the_names() -> None:
    document = {"a b": {"é": 1.5, 'c"d': ["x\\", True]}, "empty": {}, "list": [], "rows": [{"k": {"l": -1}}, {}]}
    assert tomllib.loads(as_toml(document)) == document


@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ("trains", "'trains': should be 'rules.KEY = VALUE', 'ticket CITY–CITY = POINTS' or"),
        ("trains = 40", "'trains = 40': should be 'rules.KEY = VALUE'"),
        ("rules = 40", "'rules = 40': should be 'rules.KEY = VALUE'"),
        ("rule.trains = 40", "did you mean rules?"),
        ("rules.train = 40", "usa[rules.train = 40]: rules.train: unknown key; did you mean trains"),
        ("rules.trains = 0", "usa[rules.trains = 0]: rules.trains: 0: should be greater than or equal to 1"),
        ("rules.trains = ", "'rules.trains =': should be"),
        ("rules.hand = [4,", "'[4,' is not a value; write for example 40, true, [4, 4, 5, 5], removed"),
        ("rules.trains = 40\nformat = 2", "is not a value"),
        ("rules.a" + ".a" * 400 + " = 4", "should be 'rules.KEY = VALUE'"),
        ("ticket Boston-Miami = 0x" + "f" * 4000, "has 4,024 characters; a setting has at most 1,000"),
        ("wilds.name = 'a\udcff'", "is not a value"),
        ("wilds.a\udcff = 4", "is not UTF-8 text"),
        ("rules.trains.each = 4", "'rules.trains.each = 4': trains is a value, not a table"),
        ("ticket Boston-Mimi = 14", "no ticket 'Boston-Mimi' on usa; did you mean Boston–Miami"),
        ("route Denver-Omah length = 3", "no connection 'Denver-Omah' on usa; did you mean Denver–Omaha"),
        ("route Denver-Omaha = 3", "must have a key of a route before the =: length, tracks, tunnel, ferry"),
        ("route Denver-Omaha length = 9", "connections 26 (Denver–Omaha).length: 9: should be less than or equal to 8"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_refused(setting: str, problem: str) -> None:
    with pytest.raises(UserError) as refusal:
        load_board("usa", set=[setting])
    assert problem in "\n".join(refusal.value.problems)


def test_a_run_keeps_the_changed_board(ttrsim: Command, tmp_path: Path, board_file: Callable[[str], Path], small_board: str) -> None:  # fmt: skip  # noqa: E501
    path, folder = board_file(small_board), tmp_path / "run"
    settings = ["--set", "rules.start_points = [0, 7, 3]", "--set", "ticket Ayr-Bern = 9"]
    run = [
        "run",
        "--map",
        path,
        *settings,
        "--players",
        "random,random",
        "-n",
        20,
        "--seed",
        1,
        "-o",
        folder,
        "--quiet",
    ]
    assert ttrsim(*run).code == 0
    path.unlink()
    board = Run.open(folder).board
    assert board.id == f"{path}[rules.start_points = [0, 7, 3]; ticket Ayr-Bern = 9]"
    assert (board.rules.start_points, points(board)["Ayr–Bern"]) == ((0, 7, 3), 9)
    assert (folder / "board.toml").read_bytes() == board.source
    assert ttrsim("verify", folder).code == 0


def test_set_without_a_board_is_refused(ttrsim: Command) -> None:
    ended = ttrsim("run", "--set", "rules.trains = 40", "--players", "random")
    assert (ended.code, "--set: changes the board of --map, which is not given" in ended.err) == (2, True)

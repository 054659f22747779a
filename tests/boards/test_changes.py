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
    """The outcome of a command."""

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


def lengths(board: Board) -> dict[str, int]:
    return {board.route_name(r): r.length for r in board.routes}


def test_tickets_are_exchanged_dropped_and_added() -> None:
    settings = ["ticket boston-miami between = Miami–Denver points = 9", "drop ticket El Paso–Duluth", "add ticket Boston–Omaha = 7"]  # fmt: skip  # noqa: E501
    before, board = points(load_board("usa")), load_board("usa", set=settings)
    assert points(board).items() - before.items() == {("Miami–Denver", 9), ("Boston–Omaha", 7)}
    assert before.keys() - points(board).keys() == {"Boston–Miami", "Duluth–El Paso"}
    place = [*before].index("Boston–Miami")
    assert [*points(board)][place] == "Miami–Denver"


def test_a_ticket_is_added_to_the_deck_that_is_played_or_named() -> None:
    assert points(load_board("usa:1910", set=["add ticket Boston–Omaha = 7"]))["Boston–Omaha"] == 7
    assert points(load_board("usa:1910", set=["add ticket Boston–Omaha = 7 decks = 1910, mega"]))["Boston–Omaha"] == 7
    assert "Boston–Omaha" not in points(load_board("usa", set=["add ticket Boston–Omaha = 7 decks = mega"]))
    europe = load_board("europe", set=["add ticket London–Rostov = 19 decks = base_long"])
    assert [t.long for t in europe.tickets if europe.ticket_name(t) == "London–Rostov"] == [True]


def test_connections_are_dropped_and_added() -> None:
    board = load_board("usa", set=["drop route Omaha-Denver", "add route Boston–Washington length = 3 tracks = red, blue tunnel = true"])  # fmt: skip  # noqa: E501
    assert lengths(load_board("usa")).keys() - lengths(board).keys() == {"Denver–Omaha"}
    new = [r for r in board.routes if board.connection_name(r.connection) == "Boston–Washington"]
    assert [(r.length, board.colour_name(r.colour), r.tunnel) for r in new] == [(3, "red", True), (3, "blue", True)]
    gray = load_board("usa", set=["add route Boston–Washington length = 3 ferry = 1"]).routes[-1]
    assert (gray.colour, gray.ferry) == (None, 1)


def test_settings_apply_one_after_the_other() -> None:
    board = load_board("usa", set=["drop route Denver–Omaha", "add route Denver–Omaha length = 2", "route Denver–Omaha tracks = red"])  # fmt: skip  # noqa: E501
    assert lengths(board)["Denver–Omaha"] == 2
    assert board.colour_name(board.routes[-1].colour) == "red"


def test_cities_with_dashes_in_their_names_are_found(board_file: Callable[[str], Path], small_board: str) -> None:
    path = board_file(small_board.replace("Dax", "Aix-en-Provence"))
    assert points(load_board(path, set=["ticket Bern-Aix-en-Provence = 9"]))["Bern–Aix-en-Provence"] == 9


def test_a_rule_of_a_variant_changes_for_it_alone() -> None:
    board = load_board("usa:mega", set=["rules.trains = 40", "rules.route_points.3 = 5"])
    assert (board.rules.trains, board.rules.route_points) == (40, load_board("usa").rules.route_points | {3: 5})
    assert board.rules.tickets == load_board("usa:mega").rules.tickets


def test_the_name_of_a_changed_board_stands_for_it() -> None:
    board = load_board("usa", set=["rules.trains = 40", "rules.hand = [4, 4, 5, 5, 5]"])
    assert board.id == "usa[rules.trains = 40; rules.hand = [4, 4, 5, 5, 5]]"
    assert load_board(board.id) == board
    assert load_board("usa[rules.trains = 40]", set=["rules.hand = [4, 4, 5, 5, 5]"]) == board
    assert board.sha256 != load_board("usa").sha256
    more = ["drop ticket Boston–Miami", "add route Boston–Washington length = 3 tracks = red, blue", "name = My USA"]
    assert load_board(load_board("usa", set=more).id) == load_board("usa", set=more)


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
        ("route Denver-Omaha lenght = 3", "did you mean length?"),
        ("route Denver-Omaha length = 3 length = 4", "gives a key twice"),
        ("route Denver-Omaha length =", "length has no value"),
        ("route Denver-Omaha tracks = 3", "tracks are names, as in tracks = red, blue"),
        ("route Denver-Omaha", "should be 'rules.KEY = VALUE'"),
        ("drop route Denver-Omaha length = 3", "to drop it, name its cities and nothing else"),
        ("drop route Boston-Denver", "no connection 'Boston-Denver' on usa"),
        ("add route Denver-Omaha length = 3", "Denver–Omaha is already there; 'route Denver–Omaha tracks = …' changes"),
        ("add route Denver-Omah length = 3", "'Denver-Omah' does not name two cities of the board; did you mean Omaha"),
        ("add route Boston-Denver", "should be 'add route CITY–CITY length = NUMBER'"),
        ("add ticket Boston-Denver", "should be 'add ticket CITY–CITY = POINTS'"),
        ("add ticket Boston-Miami = 9", "repeated in the deck 'base', where it is already entry 4"),
        ("ticket Boston-Miami between = Boston–Mimi", "'Boston–Mimi' does not name two cities of the board"),
        ("ticket Omaha-Winnipeg = 9", "no ticket 'Omaha-Winnipeg' on usa: it is only in mega, not played"),
        ("ticket Boston-Miami betwen = Boston–Denver", "'betwen' is no key of a ticket; keys are points"),
        ("add ticket Boston–Omaha", "perhaps with more keys: decks"),
        ("drop city Denver", "should be 'rules.KEY = VALUE'"),
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

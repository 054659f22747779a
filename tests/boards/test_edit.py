"""Board files changed as text: their values, their comments and their layout."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttrsim.boards import board_names, load_board
from ttrsim.boards.edit import apply, apply_to, difference, rewrite
from ttrsim.errors import UserError
from ttrsim.files import data_folder, parse_toml


class Ended(NamedTuple):
    """The outcome of a command."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]
SETTINGS = [
    "rules.trains = 13", "rules.hand = [4, 4, 5, 5, 5, 5]", "rules.start_points = 3", "rules.tickets.draw_keep = 2",
    "rules.stations.each = 2", "wilds.cards = 9", "name = Another", "rules.route_points.3 = 5",
    "TICKET = 14", "TICKET between = NEW points = 9", "drop TICKET", "ROUTE length = 2 tunnel = true ferry = 0",
    "ROUTE tracks = gray, gray, gray",
]  # fmt: skip


def changed_lines(before: str, after: str) -> list[str]:
    return [
        line for line in difference(before, after, ("a", "b")) if line[0] in "+-" and line[:3] not in ("+++", "---")
    ]


def test_only_the_lines_of_what_changes_are_changed() -> None:
    before, after = apply_to("usa", ["ticket Boston-Miami = 14", "drop route Denver-Omaha", "rules.trains = 40"])
    assert changed_lines(before, after) == [
        "-rules.trains = 45",
        "+rules.trains = 40",
        '-  { between = ["Denver", "Omaha"], length = 4, tracks = ["pink"] },',
        '-  { between = ["Boston", "Miami"], points = 12, decks = ["base", "revised", "mega", "big_cities"] },',
        '+  { between = ["Boston", "Miami"], points = 14, decks = ["base", "revised", "mega", "big_cities"] },',
    ]


def test_new_entries_are_written_as_the_others_are() -> None:
    added = ["add ticket Boston–Omaha = 7", "add route Boston–Washington length = 3 tracks = red, blue"]
    before, after = apply_to("usa", [*added, "route Denver-Omaha ferry = 1"])
    assert [line for line in changed_lines(before, after) if line[0] == "+"] == [
        '+  { between = ["Denver", "Omaha"], length = 4, tracks = ["pink"], ferry = 1 },',
        '+  { between = ["Boston", "Washington"], length = 3, tracks = ["red", "blue"] },',
        '+  { between = ["Boston", "Omaha"], points = 7, decks = ["base"] },',
    ]


def test_a_file_laid_out_otherwise_keeps_its_layout(small_board: str) -> None:
    text = small_board.replace("rules.hand = 4\n", "rules.hand = 4 # a comment\n").replace("  { between", "\t{between")
    tables = "\n".join(line for line in text.splitlines() if not line.startswith("rules."))
    rules = [line.removeprefix("rules.") for line in text.splitlines() if line.startswith("rules.")][:-1]
    text = (
        tables.replace("[variants", "\n".join(["[rules] # all of them", *rules, "\n[variants"]))
        + "\nrules.trains = 6\r\n"
    )
    after = apply(text, ["rules.hand = 3", "drop route Ayr–Bern", "rules.display = 4", "ticket Ayr–Dax = 3"])
    assert [line for line in changed_lines(text, after) if line[0] == "+"] == [
        '+\t{between = ["Ayr", "Dax"], points = 3, decks = ["base"] },',
        "+hand = 3 # a comment",
        "+display = 4",
    ]


def test_a_change_of_a_variant_leaves_the_board_as_it_is(small_board: str) -> None:
    after = apply(small_board, ["rules.trains = 7", "rules.tickets.keep = 2"], variant="quick")
    assert changed_lines(small_board, after) == [
        "-rules.trains = 6",
        "+rules.trains = 7",
        "+rules.tickets = { keep = 2 }",
    ]


@pytest.mark.parametrize("name", [*board_names(), "small"])
def test_a_file_without_changes_stays_byte_for_byte(name: str, small_board: str) -> None:
    text = small_board if name == "small" else load_board(name).source.decode()
    assert rewrite(text, parse_toml(text.encode())) == text


@settings(max_examples=25)
@given(name=st.sampled_from(["usa", "europe", "old_west", "san_francisco"]), seed=st.integers(0, 2**32))
def test_applied_changes_give_the_board_that_settings_give(name: str, seed: int) -> None:
    board, rng = load_board(name), random.Random(seed)
    ticket, route = (rng.randrange(len(found)) for found in (board.tickets, board.connections))
    a, b = rng.sample([c.name for c in board.cities], 2)
    words = {"TICKET": f"ticket {board.ticket_name(ticket)}", "ROUTE": f"route {board.connection_name(route)}", "NEW": f"{a}–{b}"}  # fmt: skip  # noqa: E501
    chosen = rng.sample(SETTINGS, rng.randint(1, 4))
    for word, meant in words.items():
        chosen = [setting.replace(word, meant) for setting in chosen]
    try:
        expected = load_board(name, set=chosen)
    except UserError:
        with pytest.raises(UserError):
            apply_to(name, chosen)
        return
    _, after = apply_to(name, chosen)
    document = parse_toml(after.encode())
    assert document.pop("variants", None) == parse_toml(board.source).get("variants")
    assert document == {k: v for k, v in parse_toml(expected.source).items() if k != "variants"}
    comments = [line for line in board.source.decode().splitlines() if line.startswith("#")]
    assert [line for line in after.splitlines() if line.startswith("#")] == comments


def test_the_command_writes_the_board_and_prints_the_difference(
    ttrsim: Command, board_file: Callable[[str], Path], small_board: str, tmp_path: Path
) -> None:
    path, new, changes = board_file(small_board), tmp_path / "new.toml", tmp_path / "changes.txt"
    changes.write_text("# cheaper\n\nticket Ayr-Bern = 1\n", "utf-8")
    ended = ttrsim("maps", "apply", path, "rules.trains = 9", "--changes", changes, "-o", new)
    assert (ended.code, ended.err) == (0, f"Wrote {new}\n")
    assert [line for line in ended.out.splitlines() if line[0] == "+"][1:] == [
        "+rules.trains = 9",
        '+  { between = ["Ayr", "Bern"], points = 1, decks = ["base"] },',
    ]
    assert new.read_text("utf-8") == apply(small_board, ["rules.trains = 9", "ticket Ayr-Bern = 1"])
    again = ttrsim("maps", "apply", path, "rules.trains = 8", "-o", new)
    assert (again.code, "already exists and is left alone" in again.err) == (1, True)


def test_a_board_that_would_not_be_good_is_not_written(
    ttrsim: Command, board_file: Callable[[str], Path], small_board: str, tmp_path: Path
) -> None:
    new = tmp_path / "new.toml"
    drops: list[Any] = ["drop route Ayr–Dax", "drop route Córdoba–Dax"]
    ended = ttrsim("maps", "apply", board_file(small_board), *drops, "-o", new)
    assert (ended.code, new.exists()) == (1, False)
    assert "with these changes: connections: the board is in 2 pieces (Dax cannot be reached)" in ended.err


def test_the_boards_of_ttrsim_can_be_read_as_text() -> None:
    before, _ = apply_to("europe:mega", ["rules.trains = 40"])
    assert before == (data_folder() / "maps" / "europe.toml").read_text("utf-8")


def test_a_value_that_is_no_number_is_refused_by_its_rule(small_board: str) -> None:
    with pytest.raises(UserError, match=r"rules\.trains: nan: should be a"):
        apply(small_board, ["rules.trains = nan"])

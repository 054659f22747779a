"""A board beside the published ones."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ttrsim.boards import load_board
from ttrsim.boards.analysis import PUBLISHED, answer, beside_published, shown


def verdicts(name: str | Path, *settings: str) -> dict[str, str]:
    table = beside_published(load_board(name, set=settings))
    return dict(zip(table["size"], table.verdict, strict=True))


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_board_is_within_the_range_in_all_sizes(name: str) -> None:
    board = load_board(name)
    table = beside_published(board)
    assert set(table.verdict) == {"within"}
    assert answer(board, table) == f"{board.name} is within the range of USA, Europe and Old West in 17 of 17 sizes."
    assert (table.lowest <= table.value).all()
    assert (table.value <= table.highest).all()


def test_the_sizes_are_what_they_say() -> None:
    value = beside_published(load_board("usa")).set_index("size").value
    assert value["trains a space, most players"] == 45 * 5 / 309
    assert value["trains a space, fewest players"] == pytest.approx(45 * 2 / 256)
    assert value["connections of a city"] == 2 * 78 / 36
    assert value["spaces of a route, 50 %"] == 3
    assert value["regular tickets a player"] == 6
    assert value["gray spaces, % of spaces"] == pytest.approx(100 * 93 / 309)
    assert value["cards a space, scarcest colour"] == pytest.approx(12 / 27)


@pytest.mark.parametrize(
    ("setting", "size", "verdict"),
    [
        ("rules.trains = 60", "trains a space, most players", "above"),
        ("rules.trains = 30", "trains a space, most players", "below"),
        ("colours.red.cards = 4", "cards a space, scarcest colour", "below"),
        ("colours.red.cards = 4", "colours: most to least spaces a card", "above"),
        ("rules.players = [2, 6]", "regular tickets a player", "below"),
    ],
)
def test_a_board_that_is_changed_leaves_the_range_on_that_side(setting: str, size: str, verdict: str) -> None:
    assert verdicts("usa", setting)[size] == verdict


def test_the_answer_names_three_sizes_and_counts_the_others(
    board_file: Callable[[str], Path], small_board: str
) -> None:
    board = load_board(board_file(small_board))
    table = beside_published(board)
    outside = table[table.verdict != "within"]
    assert len(outside) > 4
    words = answer(board, table)
    assert words.count("(above ") + words.count("(below ") == 3
    assert words.endswith(f"; {len(outside) - 3} more are in the table.")


def test_numbers_that_look_alike_are_printed_once() -> None:
    assert (shown(2.0), shown(1.0, 1.001), shown(0.66, 0.75), shown(12.222, 55.42)) == (
        "2",
        "1",
        "0.66–0.75",
        "12.2–55.4",
    )

"""Boards by name and by file, cities and routes by name."""

import hashlib
from collections.abc import Callable
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

from ttrsim.boards import BoardError, load_board, read_boards
from ttrsim.boards.rules_in_words import rule_words
from ttrsim.files import data_folder

WriteBoard = Callable[[str], Path]


@pytest.mark.parametrize(
    ("board", "typed", "city"),
    [
        ("usa", "Montreal", "Montréal"),
        ("usa", "montréal", "Montréal"),
        ("europe", "Kobenhavn", "København"),
        ("europe", "ZURICH", "Zürich"),
        ("europe", "Athina", "Athína"),
        ("europe", "Kyiv", "Kyïv"),
        ("usa", "St. Louis", "Saint Louis"),
    ],
)
def test_accents_and_capitals_of_a_city_are_optional(board: str, typed: str, city: str) -> None:
    loaded = load_board(board)
    assert loaded.cities[loaded.city(typed)].name == city


def test_unknown_city_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        load_board("usa").city("Atlantis")


@pytest.mark.parametrize(
    ("typed", "near"), [("usb", "usa"), ("Europe", "europe"), ("old west", "old_west"), ("usa:meg", "usa:mega")]
)
def test_unknown_board_is_refused_with_the_nearest_names(typed: str, near: str) -> None:
    with pytest.raises(BoardError) as refusal:
        load_board(typed)
    (problem,) = refusal.value.problems
    assert repr(typed) in problem
    assert f"did you mean {near}" in problem


def test_board_with_no_near_name_is_refused_with_all_names() -> None:
    with pytest.raises(BoardError, match=r"boards are europe, .*usa:big-cities"):
        load_board("xyzzy")


def test_unknown_variant_of_a_file_is_refused_with_its_variants(board_file: WriteBoard, small_board: str) -> None:
    path = board_file(small_board)
    with pytest.raises(BoardError) as refusal:
        load_board(f"{path}:slow")
    assert refusal.value.problems == [f"{path}: no variant 'slow'; variants are: quick"]


def test_board_file_is_loaded_by_its_path(board_file: WriteBoard, small_board: str) -> None:
    path = board_file(small_board)
    board = load_board(path)
    assert (board.id, board.name, len(board.cities), len(board.routes)) == (str(path), "Small", 4, 5)
    assert board.sha256 == hashlib.sha256(small_board.encode()).hexdigest()


def test_variant_overrides_the_rules_it_names_and_no_other(board_file: WriteBoard, small_board: str) -> None:
    path = board_file(small_board)
    base, quick = load_board(path), load_board(f"{path}:quick")
    assert (base.rules.trains, quick.rules.trains) == (10, 6)
    assert quick.title == "Fewer trains"
    assert quick.rules.tickets == base.rules.tickets
    assert quick.routes == base.routes


def test_shipped_board_by_path_is_the_board_by_name() -> None:
    by_path = read_boards(data_folder() / "maps" / "europe.toml")
    assert by_path["mega"] == load_board("europe:mega")


@pytest.mark.parametrize("folder", [".", "odd.toml.d"])
def test_missing_file_is_named(tmp_path: Path, folder: str) -> None:
    path = tmp_path / folder / "none.toml"
    with pytest.raises(BoardError) as refusal:
        load_board(path)
    assert refusal.value.problems == [f"{path}: cannot be read: No such file or directory"]


def test_folder_is_no_board_file(tmp_path: Path) -> None:
    (tmp_path / "my.toml").mkdir()
    with pytest.raises(BoardError, match=r"my.toml: cannot be read: "):
        load_board(tmp_path / "my.toml")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"name = \xe9"])
def test_file_that_is_not_utf8_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "my.toml").write_bytes(content)
    with pytest.raises(BoardError, match=r"my.toml: is not UTF-8 text"):
        load_board(tmp_path / "my.toml")


def test_board_cannot_be_changed() -> None:
    board = load_board("usa")
    with pytest.raises(FrozenInstanceError):
        board.name = "mine"  # type: ignore[misc]


def test_every_index_is_the_place_in_its_list() -> None:
    board = load_board("europe:mega")
    for things in (board.cities, board.colours, board.routes, board.tickets):
        assert [thing.index for thing in things] == list(range(len(things)))
    for i, routes in enumerate(board.connections):
        assert {board.routes[r].connection for r in routes} == {i}


def test_parallel_routes_are_named_apart() -> None:
    board = load_board("old_west")
    names = [board.route_name(r) for r in board.routes]
    assert len(set(names)) == 139
    assert "Boise–Seattle (gray, track 2)" in names
    assert "Los Angeles–San Francisco" in names


def test_long_tickets_come_first() -> None:
    assert [t.long for t in load_board("europe").tickets] == [True] * 6 + [False] * 40


def test_file_may_begin_with_a_byte_order_mark(board_file: WriteBoard, small_board: str) -> None:
    marked = load_board(board_file("\ufeff" + small_board))
    plain = load_board(board_file(small_board))
    assert replace(marked, sha256=plain.sha256, source=plain.source) == plain


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("display = 5", "display = 5", "5 cards face up; with 3 or more wild cards all are discarded"),
        ("display = 5", "display = 0", "no cards face up"),
        ("ferry = 1", "ferry = 0", "5 cards face up"),
    ],
)
def test_no_rule_of_wild_cards_is_told_where_none_can_lie_face_up(
    board_file: WriteBoard, small_board: str, old: str, new: str, words: str
) -> None:
    wilds = "wilds = { cards = 0 }" if old.startswith("ferry") else "wilds = { cards = 6 }"
    text = small_board.replace(old, new).replace("wilds = { cards = 6 }", wilds)
    assert rule_words(load_board(board_file(text)))["Display"] == words

"""A long and a regular ticket between the same cities are named by their deck, wherever tickets are named."""

import re

import pytest
from conftest import SMALL_BOARD

from ttrsim.boards import load_board
from ttrsim.boards.board import find_tickets
from ttrsim.boards.changes import with_settings
from ttrsim.boards.edit import apply
from ttrsim.errors import UserError
from ttrsim.improving.changes import Locks, ticket_change, words_of_setting
from ttrsim.runs.in_memory import play_in_memory
from ttrsim.runs.run import new_player
from ttrsim.stats.compare import Pair, changes
from ttrsim.stats.effects import ticket_labels

LONG_RULES = """rules.players = [2, 2]
rules.tickets = { deck = "base", deal = 2, keep = 1, draw = 2 }
rules.long_tickets = { deck = "far", deal = 1, keep_at_most = 1 }
"""
REGULAR = '  { between = ["Ayr", "Córdoba"], points = 3, decks = ["base"] },\n'
BOTH = re.sub("rules.players.*\n|rules.tickets.*\n", "", SMALL_BOARD).replace("rules.trains", f"{LONG_RULES}rules.trains", 1)  # fmt: skip  # noqa: E501
BOTH = BOTH.replace('points = 4, decks = ["base"] }', 'points = 4, decks = ["far"] }')
TWO = BOTH.replace(REGULAR, f'{REGULAR}  {{ between = ["Córdoba", "Ayr"], points = 9, decks = ["far"] }},\n')
ONE = BOTH.replace(REGULAR, REGULAR.replace('["base"]', '["base", "far"]'))
"""An entry that is in both decks."""


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    folder = tmp_path_factory.mktemp("both")
    for name, text in (("two", TWO), ("one", ONE)):
        (folder / f"{name}.toml").write_text(text, "utf-8")
    return lambda name: str(folder / f"{name}.toml")


def points(board):
    return {board.ticket_name(ticket): ticket.points for ticket in board.tickets}


def test_every_ticket_has_a_name_of_its_own(named):
    board = load_board(named("two"))
    assert list(points(board)) == [
        "Córdoba–Ayr (long)", "Bern–Dax", "Ayr–Bern", "Ayr–Córdoba (regular)", "Ayr–Dax", "Bern–Córdoba", "Córdoba–Dax",
    ]  # fmt: skip
    assert list(ticket_labels(board))[:3] == ["Córdoba–Ayr (long)", "Bern–Dax (long)", "Ayr–Bern"]


def test_a_name_without_a_deck_is_for_both_and_one_with_it_for_one(named):
    board = load_board(named("two"))
    assert find_tickets(board, ["cordoba-ayr"]) == [0, 3]
    assert find_tickets(board, ["Ayr–Córdoba (long)"]) == [0]
    assert find_tickets(board, ["Córdoba–Ayr (regular)"]) == [3]
    assert find_tickets(board, ["Bern–Dax (long)"]) == [1]
    with pytest.raises(UserError, match="no regular ticket 'Bern–Dax'"):
        find_tickets(board, ["Bern–Dax (regular)"])


def test_a_setting_changes_the_ticket_of_the_deck_that_it_names(named):
    before = points(load_board(named("two")))
    for name, value in (("Córdoba–Ayr (long)", 12), ("Ayr–Córdoba (regular)", 5), ("Bern–Dax (long)", 7)):
        after = points(load_board(with_settings(named("two"), [f"ticket {name} = {value}"])))
        assert after == before | {name.removesuffix(" (long)") if name not in before else name: value}
    with pytest.raises(UserError, match=r"there are two; name one, as 'Ayr–Córdoba \(long\)'"):
        load_board(with_settings(named("two"), ["ticket Ayr–Córdoba = 5"]))
    with pytest.raises(UserError, match="no regular ticket 'Bern–Dax'"):
        load_board(with_settings(named("two"), ["drop ticket Bern–Dax (regular)"]))
    left = load_board(with_settings(named("two"), ["drop ticket Ayr–Córdoba (regular)"]))
    assert points(left)["Córdoba–Ayr"] == 9


def test_an_entry_of_both_decks_becomes_two_where_they_differ(named):
    before = points(load_board(named("one")))
    changed = apply(ONE, ["ticket Ayr–Córdoba (long) = 8"])
    assert points(load_board(with_settings(named("one"), ["ticket Ayr–Córdoba (long) = 8"]))) == before | {
        "Ayr–Córdoba (long)": 8
    }
    assert len(set(changed.splitlines()) - set(ONE.splitlines())) <= 2  # all else stays as it was written


def test_changes_of_a_search_name_one_ticket(named):
    board = load_board(named("two"))
    changes = [ticket_change(board, ticket, 6) for ticket in range(len(board.tickets))]
    assert len({change.place for change in changes}) == len(board.tickets)
    assert words_of_setting(board, changes[0].setting) == "ticket Córdoba–Ayr (long): 9 → 6"
    assert words_of_setting(board, changes[3].setting) == "ticket Ayr–Córdoba (regular): 3 → 6"
    locks = Locks(keep=("ticket Ayr–Córdoba (long)",))
    locks.check(board)
    assert [locks.ticket(board, ticket) for ticket in (0, 3)] == [True, False]


def test_a_comparison_has_a_row_for_each(named):
    names = [named("two"), with_settings(named("two"), ["ticket Córdoba–Ayr (long) = 1"])]
    runs = [
        play_in_memory(new_player(board=name, players="random,random_kind", games=400, seed=1, record=()), 1)
        for name in names
    ]
    frame = changes(Pair.of(*runs))
    effects = frame[(frame["table"] == "tickets") & (frame["what"] == "score_effect")].set_index("of")["change"]
    assert list(effects.index) == list(points(load_board(named("two"))))
    assert set(effects.abs().nlargest(2).index) == {"Córdoba–Ayr (long)", "Bern–Dax"}  # of one deck: sums stay 0

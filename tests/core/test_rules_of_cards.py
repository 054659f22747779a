"""Corner cases of the rules, one by one, played on the core: the display, few cards or none, the second card."""

import pytest

from ttrsim.core import constants as c

from .scene import Scene
from .stepping import CoreGame, block_orders, core_game

# Three or more wilds face up


def block_with_wilds_face_up(core: CoreGame, players: int) -> tuple[int, list[int]]:
    """Return a block whose first five cards after the hands hold three wilds, and the next five fewer; its card
    order.
    """
    dealt = sum(core.board.rules.hand[:players])
    for block in range(10_000):
        order = block_orders(core.board, block)["card_order"]
        first, second = order[dealt : dealt + 5], order[dealt + 5 : dealt + 10]
        if first.count(c.WILD) >= 3 > second.count(c.WILD):
            return block, order
    raise AssertionError("such a block comes once in 70")


@pytest.mark.parametrize(("name", "players"), [("usa", 2), ("san_francisco", 4), ("old_west", 6), ("europe", 3)])
def test_three_wilds_face_up_at_set_up_are_discarded_with_the_whole_display(name: str, players: int) -> None:
    core = core_game(name)
    block, order = block_with_wilds_face_up(core, players)
    core.deal(block, players)
    dealt = sum(core.board.rules.hand[:players])
    first, second = order[dealt : dealt + 5], order[dealt + 5 : dealt + 10]
    assert core.table.display.tolist() == [second.count(kind) for kind in range(c.KINDS)]
    assert core.table.discards.tolist() == [first.count(kind) for kind in range(c.KINDS)]
    assert core.table.refreshes[0] == 1


@pytest.mark.parametrize("first_card", ["red", None])
def test_the_third_wild_turned_up_after_either_card_sweeps_the_display(first_card: str | None) -> None:
    game = Scene("usa", 2)
    game.show("2 wild, 3 red")
    game.on_top("5 green")
    if first_card is None:
        game.on_top("1 blue, 1 wild")
        game.act(c.DRAW_BLIND)
    else:
        game.on_top("1 wild")
    game.take("red")
    assert game.display == game.cards("5 green")
    assert game.discards == game.cards("3 wild, 2 red")


def test_a_discard_that_fills_the_display_with_wilds_sweeps_it_too() -> None:
    game = Scene("usa", 2)
    game.show("2 wild, 2 red")
    game.give(0, "1 blue, 2 wild")
    game.bare_deck()
    game.claim("Montreal", "New York", "blue", 2)
    assert game.display == game.cards("2 wild, 2 red, 1 blue")  # the one display of the seven cards with two wilds
    assert game.deck_order == [c.WILD, c.WILD]


def test_wilds_stay_when_no_other_display_can_be_made() -> None:
    game = Scene("usa", 2)
    game.show("2 wild, 3 red")
    game.on_top("1 wild")
    game.bare_deck(keep=1)
    game.take("red")
    assert game.display == game.cards("3 wild, 2 red")
    assert (game.table.refreshes[0], game.table.reshuffles[0]) == (0, 0)


def test_wilds_that_had_to_stay_are_swept_as_soon_as_a_discard_makes_another_display_possible() -> None:
    game = Scene("usa", 2)
    game.show("3 wild, 2 red")
    game.give(0, "3 blue")
    game.bare_deck()
    game.claim("Montreal", "New York", "blue")
    assert game.display[c.WILD] < 3
    assert game.table.refreshes[0] >= 1


def test_a_tunnel_given_up_discards_and_so_sweeps_wilds_that_had_to_stay() -> None:
    game = Scene("europe", 2)
    game.give(0, "2 red")
    game.show("3 wild, 2 blue")
    game.on_top("1 red, 1 green, 1 black")
    game.bare_deck(keep=3)
    game.claim("Sarajevo", "Sofia", "red")
    assert game.display[c.WILD] < 3
    assert game.hand(0) == game.cards("2 red")


def test_wilds_are_swept_again_and_again_until_fewer_than_three_lie_there() -> None:
    game = Scene("usa", 2)
    game.show("2 wild, 3 red")
    game.on_top("6 wild, 5 blue")
    game.take("red")
    assert game.display == game.cards("5 blue")
    assert game.discards == game.cards("8 wild, 2 red")
    assert game.table.refreshes[0] == 2


# Few cards or none


def test_the_discards_become_the_deck_only_when_a_card_is_wanted() -> None:
    game = Scene("usa", 2)
    game.give(0, "3 blue")
    game.claim("Montreal", "New York", "blue")
    game.bare_deck(keep=1)
    game.table.discards[0], game.table.discard_cards[0] = 3, 3
    game.act(c.DRAW_BLIND)
    assert (game.table.deck_cards[0], game.table.reshuffles[0]) == (0, 0)
    game.act(c.DRAW_BLIND)
    assert (game.table.deck_cards[0], game.table.reshuffles[0], game.table.discard_cards[0]) == (2, 1, 0)


def test_without_deck_and_discards_a_place_stays_empty_until_a_card_is_discarded() -> None:
    game = Scene("usa", 2)
    game.give(0, "1 red")
    game.show("5 blue")
    game.bare_deck()
    game.take("blue")
    assert game.legal == [c.TAKE + game.kind("blue")]
    game.take("blue")
    assert game.display == game.cards("3 blue")
    game.turn_of(0)
    game.claim("Dallas", "Houston", "red")
    assert game.display == game.cards("3 blue, 1 red")


def test_the_turn_ends_after_the_one_card_that_can_be_drawn() -> None:
    game = Scene("usa", 2)
    game.bare_display()
    game.bare_deck(keep=1)
    game.act(c.DRAW_BLIND)
    assert (game.phase, game.seat) == (c.TURN, 1)
    assert c.DRAW_BLIND not in game.legal


def test_the_turn_ends_after_one_card_when_only_wilds_lie_face_up() -> None:
    game = Scene("usa", 2)
    game.show("2 wild")
    game.bare_deck(keep=1)
    game.act(c.DRAW_BLIND)
    assert (game.phase, game.seat) == (c.TURN, 1)
    assert {c.DRAW_BLIND, c.TAKE + c.WILD} & set(game.legal) == {c.TAKE + c.WILD}


def test_the_last_blind_card_may_be_followed_by_one_that_lies_face_up() -> None:
    game = Scene("usa", 2)
    game.show("1 red")
    game.bare_deck(keep=1)
    game.act(c.DRAW_BLIND)
    assert game.phase == c.SECOND
    assert game.legal == [c.TAKE + game.kind("red")]


def test_a_player_with_nothing_to_do_passes_and_may_do_so_only_then() -> None:
    game = Scene("usa", 2)
    assert not game.apply(c.PASS)
    game.give(0, "")
    game.bare_display()
    game.bare_deck()
    assert game.legal == [c.DRAW_TICKETS]
    assert not game.apply(c.PASS)
    game.bare_tickets()
    assert game.legal == [c.PASS]
    game.act(c.PASS)
    assert game.seat == 1


# The second card


def test_a_wild_taken_face_up_ends_the_turn() -> None:
    game = Scene("usa", 2)
    game.show("1 wild, 2 red, 2 blue")
    game.take("wild")
    assert (game.phase, game.seat) == (c.TURN, 1)


@pytest.mark.parametrize("blind_first", [True, False])
def test_a_wild_cannot_be_taken_face_up_as_the_second_card(blind_first: bool) -> None:
    game = Scene("usa", 2)
    game.show("2 wild, 3 red")
    game.on_top("1 blue")
    game.act(c.DRAW_BLIND) if blind_first else game.take("red")
    assert game.phase == c.SECOND
    assert c.TAKE + c.WILD not in game.legal
    assert not game.apply(c.TAKE + c.WILD)


def test_a_wild_drawn_blind_is_an_ordinary_card() -> None:
    game = Scene("usa", 2)
    game.give(0, "")
    game.show("3 red, 2 blue")
    game.on_top("2 wild")
    game.act(c.DRAW_BLIND)
    assert (game.phase, game.seat) == (c.SECOND, 0)
    game.act(c.DRAW_BLIND)
    assert (game.phase, game.seat) == (c.TURN, 1)
    assert game.hand(0) == game.cards("2 wild")

"""The deal, drawing train cards and drawing tickets, held against the rulebooks."""

from collections import Counter
from random import Random

import pytest

from ttrsim.boards import load_board

from . import scenes
from .actions import DRAW_BLIND, DRAW_TICKETS, KEEP, PASS, TAKE, WILD, decode, keep
from .game import ReferenceGame
from .random_play import Orders, random_orders


def dealt(name: str, players: int) -> tuple[ReferenceGame, Orders]:
    board = load_board(name)
    orders = random_orders(board, Random(7))
    if name == "old_west:alvin":
        orders["shuffle_rejects"] = lambda tickets: tickets[::-1]
    return ReferenceGame(board, players, **orders), orders


def test_hands_are_dealt_seat_by_seat_and_then_the_display() -> None:
    game, orders = dealt("usa", 3)
    top = orders["card_order"]
    assert [+hand for hand in game.hands] == [Counter(top[0:4]), Counter(top[4:8]), Counter(top[8:12])]
    assert game.display == Counter(top[12:17])
    assert game.deck == top[17:]


def test_an_offer_lists_the_long_ticket_first() -> None:
    game, orders = dealt("europe", 2)
    assert game.offered == orders["long_order"][:1] + orders["ticket_order"][:3]
    game.apply(keep((0, 1)))
    assert game.offered == orders["long_order"][1:2] + orders["ticket_order"][3:6]


def test_long_tickets_not_dealt_leave_the_game() -> None:
    game, orders = dealt("europe", 2)
    assert game.removed == orders["long_order"][2:]


def test_at_most_one_long_ticket_is_kept_of_the_mega_offer() -> None:
    game, _ = dealt("europe:mega", 2)
    kept = [decode(a)[1] for a in game.legal_actions()]
    assert len(game.offered) == 7
    assert {sum(p < 2 for p in positions) for positions in kept} == {0, 1}
    assert {len(positions) for positions in kept} == {3, 4, 5, 6}


def test_opening_tickets_not_kept_go_under_the_deck_seat_by_seat() -> None:
    game, orders = dealt("usa", 2)
    game.apply(keep((0, 2)))
    game.apply(keep((1, 2)))
    order = orders["ticket_order"]
    assert game.ticket_deck == [*order[6:], order[1], order[3]]
    assert game.tickets == [[order[0], order[2]], [order[4], order[5]]]


def test_opening_tickets_not_kept_leave_the_game_in_europe() -> None:
    game, orders = dealt("europe", 2)
    game.apply(keep((0, 1)))
    game.apply(keep((1, 2, 3)))
    order, long_order = orders["ticket_order"], orders["long_order"]
    assert game.ticket_deck == order[6:]
    assert set(game.removed) == {*long_order[1:], order[1], order[2]}


def test_opening_tickets_not_kept_are_shuffled_together_in_the_old_west() -> None:
    game, orders = dealt("old_west:alvin", 2)
    game.apply(keep((0, 1, 2)))
    game.apply(keep((2, 3, 4)))
    order = orders["ticket_order"]
    assert game.ticket_deck == [*order[10:], order[6], order[5], order[4], order[3]]


@pytest.mark.parametrize(
    ("name", "dealt_at_least"),
    [
        ("usa", (3, 2)),
        ("old_west", (5, 3)),
        ("san_francisco", (2, 1)),
        ("usa:mega", (5, 3)),
        ("usa:big-cities", (4, 2)),
    ],
)
def test_so_many_tickets_are_dealt_and_so_many_kept_at_least(name: str, dealt_at_least: tuple[int, int]) -> None:
    game = scenes.at_opening(name, 2)
    assert (len(game.offered), min(len(decode(a)[1]) for a in game.legal_actions())) == dealt_at_least


def test_three_wilds_in_the_opening_display_are_swept_away() -> None:
    board = load_board("usa")
    orders = random_orders(board, Random(1))
    hands, first, second = [0] * 8, [WILD, WILD, WILD, 1, 2], [3, 3, 4, 5, 6]
    rest = Counter([c.index for c in board.colours for _ in range(c.cards)] + [WILD] * board.wilds)
    rest.subtract(hands + first + second)
    orders["card_order"] = [*hands, *first, *second, *rest.elements()]
    game = ReferenceGame(board, 2, **orders)
    assert game.display == Counter(second)
    assert game.discards == Counter(first)


def test_a_wild_taken_face_up_ends_the_turn() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.show(game, "1 wild, 2 red, 2 blue")
    game.apply(TAKE + WILD)
    assert (game.phase, game.seat, game.turns) == ("TURN", 1, 1)


def test_a_wild_cannot_be_taken_as_the_second_card() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.show(game, "1 wild, 2 red, 2 blue")
    scenes.on_top(game, "1 wild")
    red, blue = scenes.kind_of(game.board, "red"), scenes.kind_of(game.board, "blue")
    game.apply(TAKE + red)
    assert game.display[WILD] == 2
    assert game.phase == "SECOND"
    assert game.legal_actions() == sorted([DRAW_BLIND, TAKE + red, TAKE + blue])


def test_a_wild_drawn_blind_is_an_ordinary_card() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.show(game, "3 red, 2 blue")
    scenes.on_top(game, "2 wild")
    game.apply(DRAW_BLIND)
    assert (game.phase, game.seat) == ("SECOND", 0)
    game.apply(DRAW_BLIND)
    assert (game.phase, game.seat) == ("TURN", 1)


def test_the_third_wild_turned_up_sweeps_the_display() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.show(game, "2 wild, 2 red, 1 blue")
    scenes.on_top(game, "5 green")
    scenes.on_top(game, "1 wild")
    game.apply(TAKE + scenes.kind_of(game.board, "red"))
    assert +game.display == scenes.cards(game.board, "5 green")
    assert game.discards == scenes.cards(game.board, "3 wild, 1 red, 1 blue")


def test_wilds_stay_when_no_other_display_can_be_made() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.show(game, "2 wild, 3 red")
    scenes.on_top(game, "1 wild")
    scenes.bare_deck(game, keep=1)
    game.apply(TAKE + scenes.kind_of(game.board, "red"))  # 3 wilds and 2 red cards are all that is left
    game.check()
    assert game.display == scenes.cards(game.board, "3 wild, 2 red")
    assert game.reshuffles == 0


def test_wilds_are_swept_as_long_as_another_display_can_be_made() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.show(game, "2 wild, 3 red")
    scenes.on_top(game, "1 wild, 1 blue")
    scenes.bare_deck(game, keep=2)
    game.reshuffle = lambda _, counts: sorted(Counter(dict(enumerate(counts))).elements())  # wilds last
    game.apply(TAKE + scenes.kind_of(game.board, "red"))
    game.check()
    assert game.display == scenes.cards(game.board, "2 wild, 2 red, 1 blue")
    assert game.deck == [WILD]


def test_the_discards_become_the_deck_only_when_a_card_is_wanted() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.bare_deck(game, keep=1)
    game.hands[1].subtract({0: 3})
    game.discards[0] += 3
    asked: list[tuple[int, list[int]]] = []

    def reshuffle(n: int, counts: list[int]) -> list[int]:
        asked.append((n, counts))
        return [0, 0, 0]

    game.reshuffle = reshuffle
    game.apply(DRAW_BLIND)
    assert (game.deck, asked) == ([], [])
    game.apply(DRAW_BLIND)
    assert asked == [(0, [3, 0, 0, 0, 0, 0, 0, 0, 0, 0])]
    assert game.deck == [0, 0]


def test_without_deck_and_discards_a_place_stays_empty_until_a_card_is_discarded() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.give(game, 0, "1 red")
    scenes.show(game, "5 blue")
    scenes.bare_deck(game)
    blue = scenes.kind_of(game.board, "blue")
    game.apply(TAKE + blue)
    assert game.legal_actions() == [TAKE + blue]
    game.apply(TAKE + blue)
    assert game.display.total() == 3
    scenes.turn_of(game, 0)
    scenes.claim(game, "Dallas", "Houston", "red")
    assert +game.display == scenes.cards(game.board, "3 blue, 1 red")


def test_the_turn_ends_after_one_card_when_no_second_can_be_had() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.show(game, "2 wild, 3 red")
    scenes.bare_deck(game, keep=1)
    game.hands[1].update(Counter({kind: many for kind, many in game.display.items() if kind != WILD}))
    game.display = Counter({WILD: 2})
    game.apply(DRAW_BLIND)
    assert (game.phase, game.seat) == ("TURN", 1)
    assert DRAW_BLIND not in game.legal_actions()
    assert TAKE + WILD in game.legal_actions()


def test_drawn_tickets_not_kept_go_under_the_deck() -> None:
    game = scenes.at_first_turn("usa", 2)
    before = list(game.ticket_deck)
    game.apply(DRAW_TICKETS)
    assert game.offered == before[:3]
    assert game.legal_actions() == [KEEP + n for n in range(1, 8)]
    game.apply(keep((1,)))
    assert game.ticket_deck == [*before[3:], before[0], before[2]]
    assert (game.phase, game.seat) == ("TURN", 1)


def test_the_last_tickets_are_drawn_though_they_are_fewer() -> None:
    game = scenes.at_first_turn("san_francisco", 2)
    game.removed += game.ticket_deck[1:]
    del game.ticket_deck[1:]
    game.apply(DRAW_TICKETS)
    assert game.legal_actions() == [KEEP + 1]
    game.apply(KEEP + 1)
    game.check()
    assert DRAW_TICKETS not in game.legal_actions()


def test_passing_is_legal_only_when_nothing_else_is() -> None:
    game = scenes.at_first_turn("usa", 2)
    assert PASS not in game.legal_actions()
    scenes.give(game, 0, "")
    game.hands[1].update(game.display)
    game.display = Counter()
    scenes.bare_deck(game)
    assert game.legal_actions() == [DRAW_TICKETS]
    game.removed += game.ticket_deck
    game.ticket_deck = []
    assert game.legal_actions() == [PASS]

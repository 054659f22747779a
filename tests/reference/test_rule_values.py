"""Rule values that no board of ttrsim's own uses."""

import pytest

from . import scenes
from .actions import DECLINE, DRAW_BLIND, DRAW_TICKETS, PAY, TAKE
from .game import ReferenceGame


def dry(game: ReferenceGame) -> ReferenceGame:
    """Return the same game with neither deck nor discards."""
    scenes.show(game, "3 red, 2 blue")
    scenes.bare_deck(game)
    return game


def test_no_train_card_may_be_drawn_with_neither_deck_nor_discards() -> None:
    game = dry(scenes.at_first_turn("usa[rules.draw_when_dry = false]", 3))
    assert not {DRAW_BLIND, *range(TAKE, PAY)} & set(game.legal_actions())
    assert DRAW_TICKETS in game.legal_actions()


def test_face_up_cards_may_be_drawn_then_by_default() -> None:
    game = dry(scenes.at_first_turn("usa", 3))
    assert {a - TAKE for a in game.legal_actions() if TAKE <= a < PAY} == set(+game.display)


def test_the_last_card_of_the_deck_is_the_last_of_its_turn() -> None:
    game = scenes.at_first_turn("usa[rules.draw_when_dry = false]", 3)
    scenes.show(game, "3 red, 2 blue")
    scenes.bare_deck(game, keep=1)
    game.apply(DRAW_BLIND)
    assert (game.phase, game.seat, game.dry_turns) == ("TURN", 1, 1)


def test_each_seat_has_its_own_cards_and_points_at_the_start() -> None:
    game = scenes.at_opening("usa[rules.hand = [4, 5, 6, 7, 8, 9]; rules.start_points = [0, 1, 2, 3, 4]]", 3)
    assert [hand.total() for hand in game.hands] == [4, 5, 6]
    assert game.scores == [0, 1, 2]
    game.check()


@pytest.mark.parametrize("ender", [0, 1, 2])
def test_with_equal_turns_all_have_had_as_many_when_the_game_ends(ender: int) -> None:
    game = scenes.at_first_turn("usa[rules.equal_turns = true]", 3)
    game.trains[ender] = 2
    while not game.over:
        game.apply(DRAW_BLIND)
        game.apply(DRAW_BLIND)
    assert (game.ender, game.turns) == (ender, 6)


@pytest.mark.parametrize(("settings", "after_marker"), [("", 0), ("[rules.markers.count_at_once = true]", 1)])
def test_a_marker_counts_for_the_claim_that_it_follows_if_the_board_says_so(settings: str, after_marker: int) -> None:
    game = scenes.at_first_turn(f"old_west{settings}", 2, {0: "Salt Lake City", 1: "St. George"})
    game.markers[game.board.city("Salt Lake City")] = 1  # so the claim scores for seat 1
    route = game.board.routes[scenes.find_route(game.board, "Salt Lake City", "Green River")]
    points = game.board.rules.route_points[route.length]
    colour = "red" if route.colour is None else game.board.colours[route.colour].name
    scenes.give(game, 0, f"{route.length} {colour}, 2 wild")
    scenes.claim(game, "Salt Lake City", "Green River", colour)
    assert (game.phase, game.scores) == ("MARKER", [0, (1 - after_marker) * points])
    scenes.place_marker(game, "Green River", "wild", 2)
    assert game.scores == [after_marker * points, points]


def test_a_claim_without_a_marker_scores_all_the_same() -> None:
    game = scenes.at_first_turn("old_west[rules.markers.count_at_once = true]", 2, {0: "Denver", 1: "St. George"})
    route = next(r for r in game.board.routes if game.board.city("Denver") in (r.a, r.b) and r.colour is not None)
    colour = game.board.colour_name(route.colour)
    scenes.give(game, 0, f"{route.length} {colour}, 2 wild")
    ends = (game.board.cities[c].name for c in (route.a, route.b))
    scenes.claim(game, *ends, colour, track=colour)
    game.apply(DECLINE)
    assert game.scores == [game.board.rules.route_points[route.length], 0]

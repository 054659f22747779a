"""Souvenir tokens, by the words of the San Francisco rulebook."""

import pytest

from . import scenes
from .actions import CITY
from .game import ReferenceGame

FIXED = ["Alcatraz", "Golden Gate Bridge", "The Embarcadero", "Sunset", "Potrero Hill"]


def after_opening(players: int) -> ReferenceGame:
    game = scenes.at_opening("san_francisco", players)
    while game.phase == "OPENING":
        game.apply(game.legal_actions()[0])
    return game


@pytest.mark.parametrize(
    ("players", "height", "placers", "placed_height"), [(2, 2, [1, 1], 1), (3, 2, [2, 1], 2), (4, 3, [3, 2], 3)]
)
def test_the_stacks_by_number_of_players(players: int, height: int, placers: list[int], placed_height: int) -> None:
    game, asked = after_opening(players), []
    city = game.board.city
    assert {c: s.tokens for c, s in game.stacks.items()} == {city(name): height for name in FIXED}
    for place in ("Castro", "Mission"):
        assert game.phase == "STACK"
        assert set(game.legal_actions()) == {CITY + c for c in range(15) if c not in game.stacks}
        asked.append(game.seat)
        scenes.go_to(game, place)
    assert asked == placers
    assert [game.stacks[city(name)].tokens for name in ("Castro", "Mission")] == [placed_height] * 2
    assert [game.stacks[city(name)].symbol for name in [*FIXED, "Castro", "Mission"]] == list(range(7))
    assert (game.phase, game.seat) == ("TURN", 0)


def playing() -> ReferenceGame:
    game = after_opening(2)
    scenes.go_to(game, "Castro")
    scenes.go_to(game, "Mission")
    return game


def left(game: ReferenceGame, city: str) -> int:
    return game.stacks[game.board.city(city)].tokens


def test_one_token_at_an_end_is_taken_unasked() -> None:
    game = playing()
    scenes.give(game, 0, "3 red")
    scenes.claim(game, "Golden Gate Bridge", "Pacific Heights", "red")
    assert (game.phase, game.seat) == ("TURN", 1)
    assert game.tokens[0] == {1}
    assert left(game, "Golden Gate Bridge") == 1


def test_with_a_token_at_both_ends_the_player_takes_one_of_them() -> None:
    game = playing()
    scenes.give(game, 0, "3 green")
    scenes.claim(game, "Castro", "Sunset", "green")
    assert game.phase == "TOKEN"
    assert set(game.legal_actions()) == {CITY + game.board.city("Castro"), CITY + game.board.city("Sunset")}
    scenes.go_to(game, "Castro")
    assert game.tokens[0] == {5}
    assert (left(game, "Castro"), left(game, "Sunset")) == (0, 2)


def test_a_symbol_is_not_taken_twice() -> None:
    game = playing()
    scenes.give(game, 0, "3 green, 3 blue")
    scenes.claim(game, "Castro", "Sunset", "green")
    scenes.go_to(game, "Sunset")
    scenes.turn_of(game, 0)
    scenes.claim(game, "Haight Ashbury", "Sunset", "blue")
    assert game.tokens[0] == {3}
    assert left(game, "Sunset") == 1


def test_of_two_tokens_the_one_that_is_lacking_is_taken_unasked() -> None:
    game = playing()
    game.tokens[0] = {3}
    game.stacks[game.board.city("Sunset")].tokens = 1
    scenes.give(game, 0, "3 green")
    scenes.claim(game, "Castro", "Sunset", "green")
    assert game.tokens[0] == {3, 5}
    assert (game.phase, game.seat) == ("TURN", 1)


def test_an_empty_stack_gives_nothing() -> None:
    game = playing()
    game.stacks[game.board.city("Golden Gate Bridge")].tokens = 0
    game.tokens = [{0}, {1}]
    game.stacks[game.board.city("Golden Gate Bridge")].symbol = 1
    scenes.give(game, 0, "3 red")
    game.apply(next(a for a in game.legal_actions() if a >= 10_000))
    assert game.tokens == [{0}, {1}]


def test_different_symbols_score_by_the_table() -> None:
    game = scenes.finished("san_francisco", 2)
    for many, points in enumerate([0, 0, 1, 2, 4, 6, 9, 12]):
        game.tokens[0] = set(range(many))
        assert game.result()[0]["token_points"] == points


def test_a_ferry_wants_one_ferry_card_for_its_symbol() -> None:
    game = playing()
    scenes.give(game, 0, "3 blue, 1 wild")
    assert scenes.claims_of(game, "Alcatraz", "Fort Mason") == {("blue", 1)}

"""The end of a game."""

import pytest

from . import scenes
from .actions import DRAW_BLIND, DRAW_TICKETS, PASS
from .game import ReferenceGame


def draw_cards(game: ReferenceGame) -> int:
    """Let the seat to move draw two cards blind; return which seat that was."""
    seat = game.seat
    game.apply(DRAW_BLIND)
    game.apply(DRAW_BLIND)
    return seat


@pytest.mark.parametrize(("trains", "ends"), [(5, True), (4, True), (3, True), (6, False)])
def test_two_trains_or_fewer_at_the_end_of_a_turn_start_the_last_round(trains: int, ends: bool) -> None:
    game = scenes.at_first_turn("usa", 3)
    draw_cards(game)
    scenes.give(game, 1, "3 blue")
    game.trains[1] = trains
    scenes.claim(game, "Montreal", "New York", "blue")
    assert game.ender == (1 if ends else None)
    if ends:
        assert [draw_cards(game) for _ in range(3)] == [2, 0, 1]
    assert game.over == ends
    assert not game.stalemate


def test_the_last_round_does_not_start_again() -> None:
    game = scenes.at_first_turn("usa", 2)
    game.trains = [2, 2]
    seats = []
    while not game.over:
        seats.append(draw_cards(game))
    assert seats == [0, 1, 0]
    assert game.ender == 0


def stripped(players: int) -> ReferenceGame:
    """Return a game in which nobody can do anything: all cards lie face down out of reach, all tickets are out."""
    game = scenes.at_first_turn("usa", players)
    game.hands[-1].update(game.display)
    game.display.clear()
    scenes.bare_deck(game)
    game.trains = [0] * players
    game.countdown = 100
    game.removed += game.ticket_deck
    game.ticket_deck = []
    return game


def test_the_game_ends_when_everybody_has_passed_in_turn() -> None:
    game = stripped(3)
    game.apply(PASS)
    game.apply(PASS)
    game.ticket_deck = [game.removed.pop()]
    game.apply(DRAW_TICKETS)
    game.apply(game.legal_actions()[0])
    for _ in range(2):
        game.apply(PASS)
        assert not game.over
    game.apply(PASS)
    assert game.over
    assert (game.stalemate, game.overlong) == (True, False)


def test_a_last_round_of_passes_is_no_stalemate() -> None:
    game = stripped(2)
    game.countdown = 2
    game.apply(PASS)
    game.apply(PASS)
    assert game.over
    assert not game.stalemate


def test_a_game_is_stopped_at_400_turns_a_player() -> None:
    game = scenes.at_first_turn("usa", 2)
    game.turns = 798
    draw_cards(game)
    assert not game.over
    draw_cards(game)
    assert game.over
    assert (game.stalemate, game.overlong) == (False, True)

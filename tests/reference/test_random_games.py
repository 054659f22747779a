"""Random games on every board: nothing is ever lost, and the checks would see it if it were."""

from collections.abc import Callable
from random import Random

import pytest

from ttrsim.boards import board_names, load_board

from . import scenes
from .actions import WILD
from .game import ReferenceGame
from .random_play import play_random_game, random_orders

TABLES = [(name, players, 0.0) for name in board_names() for players in load_board(name).rules.players]
HOARDERS = [(name, 2, 0.97) for name in ("usa", "europe", "old_west:alvin", "san_francisco")]


@pytest.mark.parametrize(("name", "players", "hoarding"), TABLES + HOARDERS)
def test_all_is_accounted_for_after_every_action(name: str, players: int, hoarding: float) -> None:
    board = load_board(name)
    game = play_random_game(board, players, Random(f"{name} {players}"), hoarding, checked=True)
    results = game.result()
    assert sum(r["win_share"] for r in results) == pytest.approx(1)
    best = max(r["score"] for r in results)
    for seat, r in enumerate(results):
        assert r["score"] == best or r["rank"] > 1
        assert r["completed"] <= set(game.tickets[seat])
        worth = sum(board.tickets[t].points for t in game.tickets[seat])
        assert r["tickets_won"] + r["tickets_lost"] == worth


def test_the_same_orders_and_actions_make_the_same_game() -> None:
    board = load_board("old_west:alvin")
    one, other = (ReferenceGame(board, 4, **random_orders(board, Random(5))) for _ in range(2))
    rng = Random(6)
    while not one.over:
        action = rng.choice(one.legal_actions())
        one.apply(action)
        other.apply(action)
        assert one.legal_actions() == other.legal_actions()
    assert one.result() == other.result()


def test_an_illegal_action_is_refused() -> None:
    game = scenes.at_first_turn("usa", 2)
    with pytest.raises(AssertionError, match="not legal"):
        game.apply(0)


def lose_a_card(game: ReferenceGame) -> None:
    game.deck.pop()


def double_a_wild(game: ReferenceGame) -> None:
    game.discards[WILD] += 1


def lose_a_train(game: ReferenceGame) -> None:
    game.trains[0] -= 1


def lose_a_ticket(game: ReferenceGame) -> None:
    game.ticket_deck.pop()


def give_away_a_point(game: ReferenceGame) -> None:
    game.points[1].routes += 1


def steal_a_token(game: ReferenceGame) -> None:
    game.tokens[0].add(0)


def build_a_station_too_many(game: ReferenceGame) -> None:
    game.stations = dict.fromkeys(range(4), 0)


@pytest.mark.parametrize(
    "harm",
    [
        lose_a_card,
        double_a_wild,
        lose_a_train,
        lose_a_ticket,
        give_away_a_point,
        steal_a_token,
        build_a_station_too_many,
    ],
)
def test_the_checks_see_what_is_lost_or_doubled(harm: Callable[[ReferenceGame], None]) -> None:
    game = scenes.at_first_turn("san_francisco", 2)
    game.check()
    harm(game)
    with pytest.raises(AssertionError):
        game.check()

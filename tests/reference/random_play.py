"""Random orders and random games."""

from collections.abc import Callable
from random import Random
from typing import TypedDict

from ttrsim.boards import Board

from .actions import WILD, decode
from .game import ReferenceGame


class Orders(TypedDict):
    """The chance in a game that no player decides: `ReferenceGame(board, players, **orders)`."""

    card_order: list[int]
    ticket_order: list[int]
    long_order: list[int]
    reshuffle: Callable[[int, list[int]], list[int]]
    shuffle_rejects: Callable[[list[int]], list[int]]


def random_orders(board: Board, rng: Random) -> Orders:
    def shuffled(things: list[int]) -> list[int]:
        return rng.sample(things, len(things))

    def reshuffle(_: int, counts: list[int]) -> list[int]:
        return shuffled([kind for kind, many in enumerate(counts) for _ in range(many)])

    coloured = [c.index for c in board.colours for _ in range(c.cards)]
    return {
        "card_order": shuffled(coloured + [WILD] * board.wilds),
        "ticket_order": shuffled([t.index for t in board.tickets if not t.long]),
        "long_order": shuffled([t.index for t in board.tickets if t.long]),
        "reshuffle": reshuffle,
        "shuffle_rejects": shuffled,
    }


def random_action(game: ReferenceGame, rng: Random, hoarding: float = 0.0) -> int:
    """Return any legal action; with probability `hoarding` a draw, if there is one, which soon empties the decks."""
    actions = game.legal_actions()
    draws = [a for a in actions if decode(a)[0] in ("DRAW_BLIND", "DRAW_TICKETS", "TAKE")]
    return rng.choice(draws if draws and rng.random() < hoarding else actions)


def play_random_game(
    board: Board, players: int, rng: Random, hoarding: float = 0.0, checked: bool = False
) -> ReferenceGame:
    """Play a game to its end, checked after every action if wanted."""
    game = ReferenceGame(board, players, **random_orders(board, rng))
    while not game.over:
        game.apply(random_action(game, rng, hoarding))
        if checked:
            game.check()
    return game

"""Positions of random games to test the kit in, and what holds in them, from their board and table alone."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

import networkx as nx
import numpy as np

from ttrsim.boards import Board, Route, load_board
from ttrsim.core import constants as c
from ttrsim.core.apply import apply
from ttrsim.core.deal import deal
from ttrsim.core.legal import list_actions
from ttrsim.core.records import BOARD, GAME, MIND
from ttrsim.encode import encode_board, members, words

SEED = np.uint64(31)
TABLES = [("usa", 2), ("usa", 4), ("europe", 3), ("old_west:alvin", 3), ("old_west", 4), ("san_francisco", 3)]
"""Boards and numbers of players: with parallel routes closed and open, with and without networks, stations, tokens."""
DRAWS = {c.DRAW_BLIND, *range(c.TAKE, c.TAKE + c.KINDS)}

Mind = Any


def fresh_mind() -> Mind:
    """Return a mind at the beginning of a game."""
    mind = np.zeros(1, MIND)[0]
    mind.rng[:] = 1, 2, 3, 4
    mind.work.fresh = 1
    return mind


@cache
def board_of(name: str) -> Board:
    return load_board(name)


@cache
def encoded(name: str) -> Any:
    """Return the record of a board, which cannot be changed."""
    record = np.zeros(1, BOARD)
    record[0] = encode_board(board_of(name))
    record.flags.writeable = False
    return record[0]


class Game:
    """A game at some decision. The board, the table and the hands that the kit is given cannot be changed by it."""

    def __init__(self, name: str, players: int, block: int) -> None:
        self.board = board_of(name)
        self.record, self.players = encoded(name), players
        self.games = np.zeros(1, GAME)
        sealed = self.games.view()
        sealed.flags.writeable = False
        self.table, self.hands = sealed[0].table, sealed[0].hands
        self.starts = dict[int, int]()  # start city of each seat
        self.phases = list[int]()  # of the decisions so far
        self.out = np.empty(c.MOST_ACTIONS, np.int64)
        deal(self.record, self.games[0], SEED, block, players)

    # What stands

    @property
    def phase(self) -> int:
        return int(self.table.phase)

    @property
    def seat(self) -> int:
        return int(self.table.seat)

    @property
    def hand(self) -> Any:
        return self.hands[self.seat]

    @property
    def deck(self) -> list[int]:
        """The cards of the deck."""
        return list(map(int, self.games[0].deck.cards[: self.table.deck_cards]))

    def legal(self) -> list[int]:
        """Return the legal actions, ascending."""
        many = list_actions(self.record, self.table, self.hand, self.out)
        return sorted(map(int, self.out[:many]))

    def tickets(self, seat: int) -> list[int]:
        return members(self.hands[seat].tickets)

    def owners(self) -> list[int]:
        """Return the owner of each route, or NOBODY."""
        return list(map(int, self.table.owner[: len(self.board.routes)]))

    # Asking and going on

    def ask(self, function: Callable[..., Any], mind: Mind, *arguments: Any) -> Any:
        """Return what a function of the kit answers to the seat whose turn it is."""
        return function(self.record, self.table, self.hand, mind, *arguments)

    def apply(self, action: int) -> None:
        if self.phase == c.START:
            self.starts[self.seat] = action - c.CITY
        self.phases.append(self.phase)
        assert apply(self.record, self.games[0], action)

    def hold(self, tickets: Iterable[int]) -> None:
        """Let the seat whose turn it is hold exactly these tickets, wherever else they are."""
        self.games[0].hands[self.seat].tickets[:] = words(tickets, c.TICKET_WORDS)

    def copy(self) -> Any:
        """Return the GAME, to be changed without changing this one."""
        return self.games.copy()[0]


def choose(game: Game, legal: list[int], rng: np.random.Generator) -> int:
    """Return any action; but in most turns a card, so that hands grow, and in few of them tickets or a station."""
    if game.phase == c.TURN:
        draws, claims = [a for a in legal if a in DRAWS], [a for a in legal if c.CLAIM <= a < c.STATION]
        tickets = [a for a in legal if a == c.DRAW_TICKETS]
        wanted = [draws, claims, tickets, legal][rng.choice(4, p=[0.6, 0.33, 0.03, 0.04])]
        return int(rng.choice(wanted or draws or legal))
    return int(rng.choice(legal))


@cache
def course(name: str, players: int, block: int) -> list[int]:
    """Return the actions of a random game."""
    game, rng, actions = Game(name, players, block), np.random.default_rng([players, block]), list[int]()
    while game.phase != c.OVER:
        actions.append(choose(game, game.legal(), rng))
        game.apply(actions[-1])
    return actions


def decisions(name: str, players: int, block: int = 0) -> Iterator[Game]:
    """Yield a random game at each of its decisions; always the same object."""
    game = Game(name, players, block)
    for action in course(name, players, block):
        yield game
        game.apply(action)


def some(games: Iterable[Game], every: int, *phases: int) -> Iterator[Game]:
    """Yield every n-th decision, of these phases alone if some are given."""
    wanted = (game for game in games if not phases or game.phase in phases)
    return (game for i, game in enumerate(wanted) if i % every == 0)


# What is true of a position


def free(game: Game, seat: int) -> list[Route]:
    """Return the routes that a seat may claim, by the words of the rules; cards, trains and its network aside."""
    owner, found = game.owners(), []
    shared = game.players >= game.board.rules.parallel_open_from
    for r in game.board.routes:
        takers = {owner[t] for t in game.board.connections[r.connection]} - {c.NOBODY}
        closed = seat in takers if shared else bool(takers)
        if owner[r.index] == c.NOBODY and not closed:
            found.append(r)
    return found


def usable(game: Game, seat: int) -> list[Route]:
    """Return those of them that are no longer than the trains it has left."""
    return [r for r in free(game, seat) if r.length <= int(game.table.trains[seat])]


def own_routes(game: Game, seat: int) -> list[Route]:
    owner = game.owners()
    return [r for r in game.board.routes if owner[r.index] == seat]


def network(game: Game, seat: int) -> set[int]:
    """Return the cities of a seat's routes, and its start city."""
    cities = {city for r in own_routes(game, seat) for city in (r.a, r.b)}
    return cities | ({game.starts[seat]} if seat in game.starts else set())


def claimable(game: Game, seat: int) -> list[Route]:
    """Return the routes that a seat may claim now, cards aside."""
    own = network(game, seat)
    return [r for r in usable(game, seat) if not game.board.rules.own_network or own & {r.a, r.b}]


def graph(board: Board, routes: Iterable[Route | int]) -> nx.Graph:
    """Return all cities, and which of them these routes join."""
    found = nx.Graph()
    found.add_nodes_from(range(len(board.cities)))
    found.add_edges_from((r.a, r.b) for r in (board.routes[r] if isinstance(r, int) else r for r in routes))
    return found


def joined(board: Board, routes: Iterable[Route | int], ticket: int) -> bool:
    """Return whether these routes connect the cities of a ticket."""
    return bool(nx.has_path(graph(board, routes), board.tickets[ticket].a, board.tickets[ticket].b))


def cards_of(hand: Any) -> Counter[int]:
    return Counter({kind: int(many) for kind, many in enumerate(hand.cards) if many})


def route_of(claim: int) -> int:
    return (claim - c.CLAIM) // 100


def claims(game: Game) -> dict[int, list[int]]:
    """Return the legal claims of each route that has some."""
    found: dict[int, list[int]] = {}
    for action in game.legal():
        if c.CLAIM <= action < c.STATION:
            found.setdefault(route_of(action), []).append(action)
    return found


def payment_of(board: Board, claim: int) -> Counter[int]:
    """Return the cards that a claim takes."""
    kind, wilds = claim // 10 % 10, claim % 10
    return +Counter({kind: 0 if kind == c.WILD else board.routes[route_of(claim)].length - wilds, c.WILD: wilds})


def bits(numbers: Iterable[int]) -> np.uint64:
    """Return some cities as a word."""
    return np.uint64(sum(1 << n for n in set(numbers)))

"""One game of the compiled core, driven decision by decision, next to the same game of the reference."""

from collections import Counter
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
from reference import Orders, ReferenceGame
from reference.actions import (
    CLAIM,
    DECLINE,
    DRAW_BLIND,
    DRAW_TICKETS,
    PASS,
    PAY,
    STATION,
    TAKE,
    WILD,
    cards_of,
)

from ttrsim.boards import Board, load_board
from ttrsim.core import constants as c
from ttrsim.core.apply import apply
from ttrsim.core.cards import reshuffle_order
from ttrsim.core.deal import deal
from ttrsim.core.jit import kernel
from ttrsim.core.legal import is_legal, list_actions
from ttrsim.core.records import BOARD, DECK, GAME, HAND, TABLE
from ttrsim.core.streams import block_key, shuffle, start_stream
from ttrsim.encode import encode_board

SEED = np.uint64(20)
Numbers = npt.NDArray[np.int64]


@kernel
def deal_and_list(boards: Any, games: Any, seed: np.uint64, block: int, players: int, out: Numbers) -> int:
    """Deal; write the first legal actions into `out` and return how many."""
    deal(boards[0], games[0], seed, block, players)
    table = games[0].table
    return list_actions(boards[0], table, games[0].hands[table.seat], out)


@kernel
def apply_and_list(boards: Any, games: Any, action: int, out: Numbers) -> int:
    """Apply an action and list the next ones: how many, 0 when the game is over, -1 if the action was not legal."""
    if not apply(boards[0], games[0], action):
        return -1
    table = games[0].table
    return 0 if table.phase == c.OVER else list_actions(boards[0], table, games[0].hands[table.seat], out)


@kernel
def list_only(boards: Any, games: Any, out: Numbers) -> int:
    """Write the legal actions into `out`; return how many."""
    table = games[0].table
    return list_actions(boards[0], table, games[0].hands[table.seat], out)


@kernel
def judge(boards: Any, games: Any, codes: Numbers, verdicts: npt.NDArray[np.bool_]) -> None:
    """Judge whether each of these codes is legal."""
    table = games[0].table
    for i in range(len(codes)):
        verdicts[i] = is_legal(boards[0], table, games[0].hands[table.seat], codes[i])


class CoreGame:
    """A game of the core. `table`, `deck` and `hands` are views: what is written there changes the game.

    `game.table.hand_cards[0]`, `game.hands.cards[1]` (a row for each seat); single numbers are arrays of one.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.boards = np.zeros(1, BOARD)
        self.boards[0] = encode_board(board)
        self.games = np.zeros(1, GAME)
        self.out = np.empty(c.MOST_ACTIONS, np.int64)
        self.listed = 0
        tables, hands, decks = self.games["table"], self.games["hands"], self.games["deck"]
        self.table = SimpleNamespace(**{name: _first(tables[name]) for name in TABLE.names})
        self.hands = SimpleNamespace(**{name: hands[name][0] for name in HAND.names})
        self.deck = SimpleNamespace(**{name: _first(decks[name]) for name in DECK.names})

    def deal(self, block: int, players: int, seed: np.uint64 = SEED) -> None:
        self.listed = deal_and_list(self.boards, self.games, seed, block, players, self.out)

    def apply(self, action: int) -> bool:
        """Apply an action; returns whether it was legal."""
        listed = apply_and_list(self.boards, self.games, action, self.out)
        if listed >= 0:
            self.listed = listed
        return bool(listed >= 0)

    def relist(self) -> None:
        """List the legal actions again, after writing into the records."""
        self.listed = list_only(self.boards, self.games, self.out)

    @property
    def actions(self) -> Numbers:
        """The legal actions, ascending."""
        return np.sort(self.out[: self.listed])

    def judge(self, codes: Numbers) -> npt.NDArray[np.bool_]:
        """Return whether each of these codes is legal."""
        verdicts = np.empty(len(codes), np.bool_)
        judge(self.boards, self.games, codes, verdicts)
        return verdicts

    @property
    def over(self) -> bool:
        return bool(self.table.phase[0] == c.OVER)


def _first(column: Any) -> Any:
    """Return a field of the only record of an array, as an array that shares its memory."""
    return column[0] if column.ndim > 1 else column


@cache
def core_game(name: str) -> CoreGame:
    """Return the working space of a board, made once."""
    return CoreGame(load_board(name))


def block_orders(board: Board, block: int, seed: np.uint64 = SEED) -> Orders:
    """Return the orders of a block's deal for the reference, from the same random streams."""
    key, stream = np.uint64(block_key(seed, block)), np.zeros(4, np.uint64)

    def shuffled(things: list[int]) -> list[int]:
        order = np.array(things, np.int16)
        shuffle(order, len(order), stream)
        return [int(thing) for thing in order]

    start_stream(stream, key, c.CARDS_STREAM, 0)
    coloured = [colour.index for colour in board.colours for _ in range(colour.cards)]
    cards = shuffled(coloured + [WILD] * board.wilds)[::-1]
    start_stream(stream, key, c.TICKETS_STREAM, 0)
    long_ones = shuffled([t.index for t in board.tickets if t.long])
    regular = shuffled([t.index for t in board.tickets if not t.long])

    def reshuffle(number: int, counts: list[int]) -> list[int]:
        order = np.zeros(c.DECK_CARDS, np.uint8)
        size = reshuffle_order(key, number, np.array(counts, np.int16), order, stream)
        return [int(kind) for kind in order[:size][::-1]]

    def shuffle_rejects(tickets: list[int]) -> list[int]:
        start_stream(stream, key, c.REJECTS_STREAM, 0)
        return shuffled(tickets)

    return {
        "card_order": cards,
        "ticket_order": regular,
        "long_order": long_ones,
        "reshuffle": reshuffle,
        "shuffle_rejects": shuffle_rejects,
    }


class WatchedGame(ReferenceGame):
    """The reference, with its actions listed once for each decision, and a note of what it does not count itself."""

    def __init__(self, board: Board, players: int, orders: Orders) -> None:
        self.refreshes = 0
        self.listed: list[int] | None = None
        self.known = [[0] * c.KINDS for _ in range(players)]
        self.counts = [[0] * c.COUNTS for _ in range(players)]
        self.drawn: list[set[int]] = [set() for _ in range(players)]
        super().__init__(board, players, **orders)

    def legal_actions(self) -> list[int]:
        if self.listed is None:
            self.listed = super().legal_actions()
        return self.listed

    def _another_display_could_do(self) -> bool:
        could = super()._another_display_could_do()
        self.refreshes += could
        return could

    def apply(self, action: int) -> None:
        seat, turns, claims, before = self.seat, self.turns, len(self.owner), self.hands[self.seat].copy()
        in_tunnel = self.phase == "TUNNEL"
        super().apply(action)
        self.listed = None
        ended, claimed = self.turns > turns, len(self.owner) > claims
        at_once = CLAIM <= action < STATION and ended and not claimed
        self._count(seat, action, ended, claimed, at_once or (in_tunnel and action == DECLINE))
        self._see(seat, action, before, _payment(self.board, action) if at_once else Counter())

    def _count(self, seat: int, action: int, ended: bool, claimed: bool, withdrawn: bool) -> None:
        counts = self.counts[seat]
        counts[c.TURNS] += ended
        counts[c.BLIND] += action == DRAW_BLIND
        counts[c.FACE_UP] += TAKE <= action < PAY
        counts[c.WILDS_TAKEN] += action == TAKE + WILD
        counts[c.TICKET_DRAWS] += action == DRAW_TICKETS
        counts[c.CLAIMS] += claimed
        counts[c.WITHDRAWN] += withdrawn
        counts[c.PASSES] += action == PASS
        if action == DRAW_TICKETS:
            self.drawn[seat] |= set(self.offered)

    def _see(self, seat: int, action: int, before: Counter[int], back: Counter[int]) -> None:
        """Show all cards taken face up, cards paid, and those that come `back` at once from a tunnel too dear."""
        if action == DRAW_BLIND:
            return
        for kind, known in enumerate(self.known[seat]):
            change = self.hands[seat][kind] - before[kind]
            self.known[seat][kind] = max(0, known + change, back[kind])


def _payment(board: Board, claim: int) -> Counter[int]:
    """Return the cards of a claim."""
    route, way = divmod(claim - CLAIM, 100)
    return cards_of(divmod(way, 10), board.routes[route].length)

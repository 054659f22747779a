"""What the published agents see and do in games on USA, decision by decision."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import networkx as nx
import numpy as np

from ttrsim.boards import Route, load_board
from ttrsim.core import constants as c
from ttrsim.core.apply import apply
from ttrsim.core.deal import deal
from ttrsim.core.play import ready_minds
from ttrsim.core.records import GAME, MIND, ROOM
from ttrsim.encode import members
from ttrsim.games import make_games, param_values

AGENTS = ("one_step", "long_route", "route_focused", "destination_hungry")
USA = load_board("usa")
GAMES = 5


@dataclass(frozen=True)
class Look:
    """What a seat saw when it decided, and what it did."""

    seat: int
    phase: int
    table: Any
    hand: Any
    memory: Any  # after the decision
    action: int

    @cached_property
    def cards(self) -> list[int]:
        return [int(n) for n in self.hand.cards]

    @cached_property
    def trains(self) -> int:
        return int(self.table.trains[self.seat])

    @cached_property
    def owner(self) -> list[int]:
        return [int(seat) for seat in self.table.owner]

    @property
    def can_draw(self) -> bool:
        return bool(self.table.deck_cards + self.table.discard_cards > 0)

    @property
    def offer(self) -> list[int]:
        return [int(t) for t in self.hand.offer[: self.hand.offered]]

    @property
    def kept(self) -> list[int]:
        return [t for i, t in enumerate(self.offer) if self.action - c.KEEP >> i & 1]

    @cached_property
    def mine(self) -> list[Route]:
        return [r for r in USA.routes if self.owner[r.index] == self.seat]

    @cached_property
    def free(self) -> list[Route]:
        """The routes that the seat may still claim, by the words of the rules."""
        one_track = self.table.players < USA.rules.parallel_open_from
        found = []
        for r in USA.routes:
            owners = {self.owner[t] for t in USA.connections[r.connection]} - {c.NOBODY}
            closed = self.seat in owners or (one_track and owners)
            if self.owner[r.index] == c.NOBODY and not closed and r.length <= self.trains:
                found.append(r)
        return found

    @property
    def unfinished(self) -> list[int]:
        own = graph(self.mine)
        tickets = [USA.tickets[t] for t in members(self.hand.tickets)]
        return [t.index for t in tickets if not nx.has_path(own, t.a, t.b)]


def graph(routes: list[Route]) -> nx.Graph:
    """One edge a connection, with the length of its routes."""
    found = nx.Graph()
    found.add_nodes_from(range(len(USA.cities)))
    found.add_edges_from((r.a, r.b, {"length": r.length, "connection": r.connection}) for r in routes)
    return found


def watch(line_up: str, index: int) -> Iterator[Look]:
    """Each decision of the first strategy of a line-up in one game."""
    series = make_games("usa", line_up, 5, "listed").seated(0)
    functions = [s.compiled for s in series.line_up]
    game, minds = np.zeros(1, GAME)[0], np.zeros(c.SEATS, MIND)
    deal(series.record, game, np.uint64(5), index, len(functions))
    ready_minds(game, minds, param_values(series.line_up), np.arange(len(functions), dtype=np.uint8))
    while game.table.phase != c.OVER:
        seat = int(game.table.seat)
        table, hand = (game.table.copy(), game.hands[seat].copy()) if seat == 0 else (None, None)
        action = int(functions[seat](series.record, game.table, game.hands[seat], minds[seat], np.zeros(1, ROOM)[0]))
        if seat == 0:
            yield Look(seat, int(table.phase), table, hand, minds[seat].memory.copy(), action)
        assert apply(series.record, game, action)


@cache
def looks(name: str, slips: int, players: int = 2) -> list[Look]:
    """The decisions of an agent in some games against others."""
    others = [agent for agent in AGENTS if agent != name][: players - 1]
    line_up = ",".join([f"{name}(slips={slips})", *others])
    return [look for index in range(GAMES) for look in watch(line_up, index)]


def tracks(look: Look, connection: int) -> list[Route]:
    return [r for r in look.free if r.connection == connection]


def claims(look: Look, connection: int, kind: int) -> set[int]:
    """The claims of a connection with a colour, filled up by wilds."""
    found = set()
    for r in tracks(look, connection):
        coloured = min(look.cards[kind], r.length)
        if r.colour in (kind, None) and coloured + look.cards[c.WILD] >= r.length:
            way = 10 * kind + r.length - coloured if coloured else 10 * c.WILD + r.length
            found.add(c.CLAIM + 100 * r.index + way)
    return found

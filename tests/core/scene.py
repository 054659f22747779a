"""Short ways to the situation that a test of a rule is about: a game of the core whose records are written into."""

from collections import Counter
from typing import Any

import numpy as np

from ttrsim.boards import load_board
from ttrsim.core import constants as c

from .agreement import outcome_of
from .stepping import CoreGame

Way = tuple[str, int]
"""A payment: the name of a colour, or "wild", and how many wilds."""


class Scene(CoreGame):
    """A game at its first turn. Everybody has kept all tickets that may be kept; start cities are given by seat."""

    def __init__(self, name: str, players: int, starts: tuple[str, ...] = (), block: int = 0) -> None:
        super().__init__(load_board(name))
        self.players = players
        self.deal(block, players)
        while self.phase != c.TURN:
            if self.phase == c.START:
                self.go_to(starts[self.seat])
            else:
                self.act(self.legal[-1 if self.phase == c.OPENING else 0])

    # What there is

    @property
    def phase(self) -> int:
        return int(self.table.phase[0])

    @property
    def seat(self) -> int:
        return int(self.table.seat[0])

    @property
    def legal(self) -> list[int]:
        """The legal actions, ascending."""
        self.relist()
        return [int(action) for action in self.actions]

    @property
    def scores(self) -> list[int]:
        return [int(score) for score in self.table.score[: self.players]]

    def part(self, part: int) -> list[int]:
        """Return the points of each seat for one thing."""
        return [int(points) for points in self.table.parts[: self.players, part]]

    def hand(self, seat: int) -> Counter[int]:
        return Counter({kind: int(many) for kind, many in enumerate(self.hands.cards[seat]) if many})

    @property
    def display(self) -> Counter[int]:
        return Counter({kind: int(many) for kind, many in enumerate(self.table.display) if many})

    @property
    def discards(self) -> Counter[int]:
        return Counter({kind: int(many) for kind, many in enumerate(self.table.discards) if many})

    @property
    def deck_order(self) -> list[int]:
        """The cards of the deck, top first."""
        return [int(kind) for kind in self.deck.cards[: self.table.deck_cards[0]][::-1]]

    @deck_order.setter
    def deck_order(self, kinds: list[int]) -> None:
        self.deck.cards[: len(kinds)] = kinds[::-1]
        self.table.deck_cards[0] = len(kinds)

    # Names

    def kind(self, word: str) -> int:
        return c.WILD if word == "wild" else next(k.index for k in self.board.colours if k.name == word)

    def cards(self, text: str) -> Counter[int]:
        """`cards("2 red, 1 wild")`."""
        split = [part.split() for part in text.split(",")] if text else []
        return Counter({self.kind(word): int(many) for many, word in split})

    def route(self, a: str, b: str, track: str | None = None) -> int:
        """Return the route between two cities; the first that wants the colour `track`, if one is given."""
        ends = {self.board.city(a), self.board.city(b)}
        found = [r for r in self.board.routes if {r.a, r.b} == ends]
        return next(r.index for r in found if track is None or self.board.colour_name(r.colour) == track)

    def cities(self) -> set[str]:
        """Return the cities that may be chosen."""
        return {self.board.cities[a - c.CITY].name for a in self.legal}

    def ways(self, base: int, place: int) -> set[Way]:
        """Return the legal ways to pay for a route, a station or a marker."""
        names = {k.index: k.name for k in self.board.colours} | {c.WILD: "wild"}
        first = base + 100 * place
        return {(names[(a - first) // 10], a % 10) for a in self.legal if first <= a < first + 100}

    def claims(self, a: str, b: str, track: str | None = None) -> set[Way]:
        return self.ways(c.CLAIM, self.route(a, b, track))

    # Setting the scene; no card is lost

    def give(self, seat: int, text: str) -> None:
        """Give the seat exactly these cards; what it held goes under the deck."""
        self._swap(self.hands.cards[seat], text)
        self.table.hand_cards[seat] = self.hands.cards[seat].sum()

    def show(self, text: str) -> None:
        """Lay exactly these cards face up; what lay there goes under the deck."""
        self._swap(self.table.display, text)
        self._count_display()

    def on_top(self, text: str) -> None:
        """Put these cards on the deck, in this order."""
        wanted, order = list(self.cards(text).elements()), self.deck_order
        for kind in wanted:
            order.remove(kind)
        self.deck_order = wanted + order

    def bare_deck(self, keep: int = 0) -> None:
        """Move all but this many cards of the deck, and all discards, to the hand of the last seat."""
        order, last = self.deck_order, self.players - 1
        for kind in order[keep:]:
            self.hands.cards[last, kind] += 1
        self.hands.cards[last] += self.table.discards
        self.deck_order, self.table.discards[:], self.table.discard_cards[0] = order[:keep], 0, 0
        self.table.hand_cards[last] = self.hands.cards[last].sum()

    def bare_display(self) -> None:
        """Move the face-up cards to the hand of the last seat."""
        last = self.players - 1
        self.hands.cards[last] += self.table.display
        self.table.hand_cards[last] += self.table.display_cards[0]
        self.table.display[:] = 0
        self._count_display()

    def bare_tickets(self, keep: int = 0) -> None:
        """Take all but this many tickets of the deck out of the game."""
        self.table.tickets_left[0] = keep

    def _swap(self, place: Any, text: str) -> None:
        order = self.deck_order + [kind for kind in range(c.KINDS) for _ in range(place[kind])]
        place[:] = 0
        for kind in self.cards(text).elements():
            order.remove(kind)
            place[kind] += 1
        self.deck_order = order

    def _count_display(self) -> None:
        self.table.display_cards[0] = self.table.display.sum()
        self.table.face_up[0] = sum(1 << kind for kind in self.display)

    def turn_of(self, seat: int) -> None:
        """Let the seat be the next to move."""
        assert self.phase == c.TURN
        self.table.seat[0] = seat

    def own(self, seat: int, a: str, b: str, track: str | None = None) -> None:
        """Give the seat a route, unscored."""
        r = self.board.routes[self.route(a, b, track)]
        word, bit = r.index // 64, self.bit(r.index % 64)
        self.table.owner[r.index], self.table.claimed[r.index] = seat, self.table.turn[0]
        self.table.owned[seat, word] |= bit
        self.table.open[word] &= ~bit
        self.table.network[seat] |= self.bit(r.a) | self.bit(r.b)
        for city in (r.a, r.b):
            self.table.reach[seat] |= self.boards["at_city"][0, city]
        self.table.trains[seat] -= r.length

    def mark(self, seat: int, city: str) -> None:
        """Put the seat's marker on a city."""
        self.table.markers[seat] |= self.bit(self.board.city(city))
        self.table.markers_left[seat] -= 1

    def unmark(self, seat: int, city: str) -> None:
        """Take the seat's marker from a city."""
        self.table.markers[seat] &= ~self.bit(self.board.city(city))
        self.table.markers_left[seat] += 1

    def build(self, seat: int, *cities: str) -> None:
        """Give the seat stations in these cities."""
        for city in cities:
            self.table.stations[seat] |= self.bit(self.board.city(city))
            self.table.stations_left[seat] -= 1

    def hold(self, seat: int, *pairs: tuple[str, str]) -> list[int]:
        """Give the seat exactly these tickets."""
        ends = [{self.board.city(a), self.board.city(b)} for a, b in pairs]
        tickets = [next(t.index for t in self.board.tickets if {t.a, t.b} == pair) for pair in ends]
        self.hands.tickets[seat] = 0
        for ticket in tickets:
            self.hands.tickets[seat, ticket // 64] |= self.bit(ticket % 64)
        return tickets

    @staticmethod
    def bit(i: int) -> Any:
        return np.uint64(1 << i)

    # Playing

    def act(self, action: int) -> None:
        """Take a legal action."""
        assert self.apply(action)

    def claim(self, a: str, b: str, colour: str, wilds: int = 0, track: str | None = None) -> None:
        """Claim a route (its track of that colour) with this many wilds and the rest in the colour."""
        self.act(c.CLAIM + 100 * self.route(a, b, track) + 10 * self.kind(colour) + wilds)

    def take(self, colour: str) -> None:
        self.act(c.TAKE + self.kind(colour))

    def go_to(self, city: str) -> None:
        self.act(c.CITY + self.board.city(city))

    def end(self) -> list[Any]:
        """Let the seat to move draw two cards, which ends the game, and return the results of the seats."""
        self.table.turns_to_go[0] = 1
        self.act(c.DRAW_BLIND)
        self.act(c.DRAW_BLIND)
        assert self.over
        return list(outcome_of(self, self.players)[1])

    def end_level(self) -> list[int]:
        """Return the ranks when route points are such that all final scores are equal."""
        before = self.games.copy()
        scores = [int(seat["score"]) for seat in self.end()]
        self.games[:] = before
        self.table.score[: self.players] += [100 - score for score in scores]
        results = self.end()
        assert {int(seat["score"]) for seat in results} == {100}
        return [int(seat["rank"]) for seat in results]

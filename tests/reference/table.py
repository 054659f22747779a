"""The table, and the train cards' way from the deck to the discards and back."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ttrsim.boards import Board

from .actions import WILD

Phase = Literal["OPENING", "START", "STACK", "TURN", "SECOND", "TUNNEL", "ALVIN", "MARKER", "TOKEN", "KEEP", "OVER"]


@dataclass
class Tunnel:
    """A tunnel that is being claimed; its cards are in nobody's hand."""

    route: int
    kind: int  # the colour paid, or WILD
    laid: Counter[int]  # the payment
    revealed: Counter[int]  # the cards turned up
    extra: int  # how many more cards they ask for


@dataclass
class Stack:
    """Souvenir tokens in a city."""

    symbol: int
    tokens: int  # how many are left


@dataclass
class Points:
    """The points that a seat has scored during the game."""

    start: int = 0  # given before the first turn
    routes: int = 0  # for routes it claimed itself
    markers: int = 0  # for routes that others claimed into its cities
    captures: int = 0  # for capturing Alvin


class Table:
    """Everything there is in a game, before anything has been dealt."""

    def __init__(
        self,
        board: Board,
        players: int,
        card_order: Sequence[int],
        ticket_order: Sequence[int],
        reshuffle: Callable[[int, list[int]], Sequence[int]],
    ) -> None:
        rules = board.rules
        self.board, self.players = board, players
        self.reshuffle = reshuffle
        self.phase: Phase = "OPENING"
        self.seat = 0

        self.deck = list(card_order)
        self.discards: Counter[int] = Counter()
        self.display: Counter[int] = Counter()
        self.hands = [Counter[int]() for _ in range(players)]
        self.reshuffles = 0

        self.ticket_deck = list(ticket_order)
        self.dealt: list[list[int]] = []  # by seat, what the opening offers
        self.offered: list[int] = []  # what the seat to move chooses from
        self.tickets: list[list[int]] = [[] for _ in range(players)]  # kept, by seat
        self.rejected: list[int] = []  # of the opening, until everybody has chosen
        self.removed: list[int] = []  # out of the game

        self.owner: dict[int, int] = {}  # route -> seat
        self.trains = [rules.trains] * players
        self.points = [Points(start=rules.start_points[seat]) for seat in range(players)]
        self.claimed: int | None = None  # the route of this turn, while its consequences are decided
        self.tunnel: Tunnel | None = None
        self.stations: dict[int, int] = {}  # city -> seat
        self.markers: dict[int, int] = {}  # city -> seat
        self.start_cities: dict[int, int] = {}  # seat -> city
        self.alvin_city = rules.alvin.city if rules.alvin else None
        self.alvin_holder: int | None = None
        self.stacks: dict[int, Stack] = {}  # city -> stack
        self.tokens: list[set[int]] = [set() for _ in range(players)]  # symbols, by seat

        self.turns = 0  # ended
        self.dry_turns = 0  # that began with neither deck nor discards
        self.passes = 0  # in a row
        self.countdown: int | None = None  # turns left of the last round
        self.ender: int | None = None  # the seat that started it
        self.stalemate = False
        self.overlong = False

        # When things happened, for the checks: the number of the turn, -1 before the first.
        self.claim_turn: dict[int, int] = {}  # of a route
        self.marker_turn: dict[int, int] = {}  # of a city
        self.alvin_moves: dict[int, int] = {}  # turn -> city

    @property
    def over(self) -> bool:
        return self.phase == "OVER"

    @property
    def scores(self) -> list[int]:
        """Points so far, by seat: those given at the start, routes, markers and captures of Alvin."""
        return [p.start + p.routes + p.markers + p.captures for p in self.points]

    @property
    def dry(self) -> bool:
        """Whether there is neither a deck nor a discard."""
        return not self.deck and not self.discards.total()

    @property
    def scores_after_marker(self) -> bool:
        """Whether a claim scores only when its claimer has placed a marker or not."""
        markers = self.board.rules.markers
        return markers is not None and markers.count_at_once

    def ends_of_claimed(self) -> set[int]:
        """Return the two cities of the route claimed this turn."""
        assert self.claimed is not None
        route = self.board.routes[self.claimed]
        return {route.a, route.b}

    @staticmethod
    def from_top(deck: list[int], many: int) -> list[int]:
        """Take this many cards off the deck, or all if there are fewer."""
        top = deck[:many]
        del deck[:many]
        return top

    def draw_card(self) -> int | None:
        """Return the top card; None if deck and discards are both empty."""
        if not self.deck and self.discards.total():
            counts = [self.discards[kind] for kind in range(10)]
            self.deck = list(self.reshuffle(self.reshuffles, counts))
            assert Counter(self.deck) == self.discards
            self.discards = Counter()
            self.reshuffles += 1
        return self.deck.pop(0) if self.deck else None

    def discard(self, cards: Counter[int]) -> None:
        self.discards += cards
        self.fill_display()

    def fill_display(self) -> None:
        limit = self.board.rules.display_wild_limit
        self._fill_empty_places()
        while self.display[WILD] >= limit and self._another_display_could_do():
            self.discards += self.display
            self.display = Counter()
            self._fill_empty_places()

    def _fill_empty_places(self) -> None:
        while self.display.total() < self.board.rules.display and (card := self.draw_card()) is not None:
            self.display[card] += 1

    def _another_display_could_do(self) -> bool:
        """Return whether the cards not in anybody's hand could make a display with fewer wilds than the limit."""
        cards = Counter(self.deck) + self.discards + self.display
        places = min(self.board.rules.display, cards.total())
        coloured = cards.total() - cards[WILD]
        fewest_wilds = max(0, places - coloured)
        return fewest_wilds < self.board.rules.display_wild_limit

    def spend(self, cards: Counter[int]) -> Counter[int]:
        """Take the cards from the hand of the seat to move; they are returned, not yet discarded."""
        hand = self.hands[self.seat]
        assert all(hand[kind] >= many for kind, many in cards.items())
        hand.subtract(cards)
        return cards

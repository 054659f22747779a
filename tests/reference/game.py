"""The game itself: what lies on the table, and what each action does to it."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ttrsim.boards import Board

from . import legal, scoring
from .actions import WILD, Way, cards_of, decode

TURNS_A_PLAYER = 400
"""A game of so many turns a player is stopped."""

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
    """What a seat has scored during the game."""

    routes: int = 0  # for routes it claimed itself
    markers: int = 0  # for routes that others claimed into its cities
    captures: int = 0  # for capturing Alvin


class ReferenceGame:
    """A game from the deal to the final scores.

    `card_order`, `ticket_order` and `long_order` list kinds of card and indices of tickets, top of the deck first.
    `reshuffle(n, counts)` gives the n-th new deck, top first, made of so many discards of each kind;
    `shuffle_rejects(tickets)` gives the opening tickets that nobody kept in the order in which they go under the deck.
    """

    def __init__(
        self,
        board: Board,
        players: int,
        card_order: Sequence[int],
        ticket_order: Sequence[int],
        long_order: Sequence[int],
        reshuffle: Callable[[int, list[int]], Sequence[int]],
        shuffle_rejects: Callable[[list[int]], Sequence[int]],
    ) -> None:
        rules = board.rules
        self.board, self.players = board, players
        self.reshuffle, self.shuffle_rejects = reshuffle, shuffle_rejects
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
        self.points = [Points() for _ in range(players)]
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
        self.passes = 0  # in a row
        self.countdown: int | None = None  # turns left of the last round
        self.ender: int | None = None  # the seat that started it
        self.stalemate = False
        self.overlong = False

        # When things happened, for the checks: the number of the turn, -1 before the first.
        self.claim_turn: dict[int, int] = {}  # of a route
        self.marker_turn: dict[int, int] = {}  # of a city
        self.alvin_moves: dict[int, int] = {}  # turn -> city

        self._deal(list(long_order))

    @property
    def over(self) -> bool:
        return self.phase == "OVER"

    @property
    def scores(self) -> list[int]:
        """Points so far, by seat: routes, markers and captures of Alvin."""
        return [p.routes + p.markers + p.captures for p in self.points]

    def legal_actions(self) -> list[int]:
        return legal.legal_actions(self)

    def result(self) -> list[scoring.SeatResult]:
        """The final scores, by seat."""
        assert self.over
        return scoring.result(self)

    def apply(self, action: int) -> None:
        """Do the action of the seat to move, and all that follows from it without a further decision."""
        assert action in self.legal_actions(), f"{action} {decode(action)} is not legal in {self.phase}"
        word, numbers = decode(action)
        effects: dict[str, Callable[..., None]] = {
            "PASS": self._pass,
            "DRAW_BLIND": self._draw_blind,
            "DRAW_TICKETS": self._draw_tickets,
            "DECLINE": self._decline,
            "TAKE": self._take,
            "PAY": self._pay,
            "KEEP": lambda *positions: self._keep(positions),
            "CITY": self._choose_city,
            "CLAIM": lambda route, *way: self._claim(route, way),
            "STATION": lambda city, *way: self._build_station(city, way),
            "MARKER": lambda city, *way: self._place_marker(city, way),
        }
        effects[word](*numbers)

    # The deal and what is decided before the first turn

    def _deal(self, long_deck: list[int]) -> None:
        rules = self.board.rules
        long_each = rules.long_tickets.deal if rules.long_tickets else 0
        for seat in range(self.players):
            self.hands[seat].update(self._from_top(self.deck, rules.hand))
        for _ in range(self.players):
            long_ones = self._from_top(long_deck, long_each)
            self.dealt.append(long_ones + self._from_top(self.ticket_deck, rules.tickets.deal))
        self.removed += long_deck
        self._place_fixed_stacks()
        self._fill_display()
        self.offered = self.dealt[0]

    @staticmethod
    def _from_top(deck: list[int], many: int) -> list[int]:
        """Take so many off the deck, or all if there are fewer."""
        top = deck[:many]
        del deck[:many]
        return top

    def _place_fixed_stacks(self) -> None:
        if souvenirs := self.board.rules.souvenirs:
            height = souvenirs.players[self.players].height
            self.stacks = {city: Stack(symbol, height) for symbol, city in enumerate(souvenirs.fixed)}

    def _end_of_opening(self) -> None:
        """Put away the tickets that were not kept."""
        match self.board.rules.tickets.rejected:
            case "bottom":
                self.ticket_deck += self.rejected
            case "shuffled":
                shuffled = list(self.shuffle_rejects(list(self.rejected)))
                assert sorted(shuffled) == sorted(self.rejected)
                self.ticket_deck += shuffled
            case "removed":
                self.removed += self.rejected
        self.rejected = []
        self.offered = []
        self._next_preparation()

    def _next_preparation(self) -> None:
        """Ask for the next start city, then for the next further stack, and then begin."""
        starts, stacks = len(self.start_cities), self._further_stacks()
        if self.board.rules.markers and starts < self.players:
            self.phase, self.seat = "START", self.players - 1 - starts
        elif stacks < len(self._stack_placers()):
            self.phase, self.seat = "STACK", self._stack_placers()[stacks]
        else:
            self.phase, self.seat = "TURN", 0

    def _stack_placers(self) -> tuple[int, ...]:
        souvenirs = self.board.rules.souvenirs
        return souvenirs.players[self.players].placed_by if souvenirs else ()

    def _further_stacks(self) -> int:
        """How many stacks have been placed by players."""
        souvenirs = self.board.rules.souvenirs
        return len(self.stacks) - len(souvenirs.fixed) if souvenirs else 0

    def _choose_city(self, city: int) -> None:
        match self.phase:
            case "START":
                self.start_cities[self.seat] = city
                self._set_marker(city, turn=-1)
                self._next_preparation()
            case "STACK":
                assert self.board.rules.souvenirs
                height = self.board.rules.souvenirs.players[self.players].placed_height
                self.stacks[city] = Stack(symbol=len(self.stacks), tokens=height)
                self._next_preparation()
            case "ALVIN":
                self.alvin_city = city
                self.alvin_moves[self.turns] = city
                self._offer_marker()
            case "TOKEN":
                self._take_token(city)

    # Train cards

    def _draw_card(self) -> int | None:
        """The top card; None if deck and discards are both empty."""
        if not self.deck and self.discards.total():
            counts = [self.discards[kind] for kind in range(10)]
            self.deck = list(self.reshuffle(self.reshuffles, counts))
            assert Counter(self.deck) == self.discards
            self.discards = Counter()
            self.reshuffles += 1
        return self.deck.pop(0) if self.deck else None

    def _discard(self, cards: Counter[int]) -> None:
        self.discards += cards
        self._fill_display()

    def _fill_display(self) -> None:
        limit = self.board.rules.display_wild_limit
        self._fill_empty_places()
        while self.display[WILD] >= limit and self._another_display_could_do():
            self.discards += self.display
            self.display = Counter()
            self._fill_empty_places()

    def _fill_empty_places(self) -> None:
        while self.display.total() < self.board.rules.display and (card := self._draw_card()) is not None:
            self.display[card] += 1

    def _another_display_could_do(self) -> bool:
        """Whether the cards not in anybody's hand could make a display with fewer wilds than the limit."""
        cards = Counter(self.deck) + self.discards + self.display
        places = min(self.board.rules.display, cards.total())
        coloured = cards.total() - cards[WILD]
        fewest_wilds = max(0, places - coloured)
        return fewest_wilds < self.board.rules.display_wild_limit

    def _take(self, kind: int) -> None:
        self.display[kind] -= 1
        self.hands[self.seat][kind] += 1
        self._fill_display()
        self._after_card(last=kind == WILD)

    def _draw_blind(self) -> None:
        card = self._draw_card()
        assert card is not None
        self.hands[self.seat][card] += 1
        self._after_card(last=False)

    def _after_card(self, last: bool) -> None:
        if self.phase == "SECOND" or last or not legal.second(self):
            self._end_turn()
        else:
            self.phase = "SECOND"

    def _spend(self, cards: Counter[int]) -> Counter[int]:
        """Take the cards from the hand of the seat to move; they are returned, not yet discarded."""
        hand = self.hands[self.seat]
        assert all(hand[kind] >= many for kind, many in cards.items())
        hand.subtract(cards)
        return cards

    # Tickets

    def _draw_tickets(self) -> None:
        self.offered = self._from_top(self.ticket_deck, self.board.rules.tickets.draw)
        self.phase = "KEEP"

    def _keep(self, positions: tuple[int, ...]) -> None:
        self.tickets[self.seat] += [self.offered[p] for p in positions]
        others = [t for p, t in enumerate(self.offered) if p not in positions]
        if self.phase == "KEEP":
            self.ticket_deck += others
            self.offered = []
            self._end_turn()
        else:
            self.rejected += others
            self._next_opening()

    def _next_opening(self) -> None:
        if self.seat == self.players - 1:
            self._end_of_opening()
        else:
            self.seat += 1
            self.offered = self.dealt[self.seat]

    # Claims

    def _claim(self, route: int, way: Way) -> None:
        laid = self._spend(cards_of(way, self.board.routes[route].length))
        if self.board.routes[route].tunnel:
            self._turn_up(route, way[0], laid)
        else:
            self._complete_claim(route, laid)

    def _turn_up(self, route: int, kind: int, laid: Counter[int]) -> None:
        """Turn up the cards of a tunnel; ask only if there are extra cards to pay and the hand has them."""
        drawn = [self._draw_card() for _ in range(self.board.rules.tunnel_cards)]
        revealed = Counter(card for card in drawn if card is not None)
        extra = sum(many for card, many in revealed.items() if card in (kind, WILD))
        self.tunnel = Tunnel(route, kind, laid, revealed, extra)
        if extra == 0:
            self._finish_tunnel(Counter())
        elif legal.extra_payments(self):
            self.phase = "TUNNEL"
        else:
            self._withdraw()

    def _pay(self, wilds: int) -> None:
        assert self.tunnel
        kind = WILD if wilds == self.tunnel.extra else self.tunnel.kind
        self._finish_tunnel(self._spend(cards_of((kind, wilds), self.tunnel.extra)))

    def _finish_tunnel(self, more: Counter[int]) -> None:
        assert self.tunnel
        tunnel, self.tunnel = self.tunnel, None
        self._complete_claim(tunnel.route, tunnel.laid + more + tunnel.revealed)

    def _withdraw(self) -> None:
        assert self.tunnel
        tunnel, self.tunnel = self.tunnel, None
        self.hands[self.seat].update(tunnel.laid)
        self._discard(tunnel.revealed)
        self._end_turn()

    def _complete_claim(self, route: int, cards: Counter[int]) -> None:
        self._discard(cards)
        self.owner[route] = self.seat
        self.claimed = route
        self.claim_turn[route] = self.turns
        self.trains[self.seat] -= self.board.routes[route].length
        self._score_claim(self.board.rules.route_points[self.board.routes[route].length])
        self._capture_alvin()

    def ends_of_claimed(self) -> set[int]:
        """The two cities of the route claimed this turn."""
        assert self.claimed is not None
        route = self.board.routes[self.claimed]
        return {route.a, route.b}

    def _score_claim(self, points: int) -> None:
        """The owner of each marker at an end scores, once for each; the claimer if there is none."""
        controllers = [self.markers[city] for city in self.ends_of_claimed() if city in self.markers]
        for seat in controllers or [self.seat]:
            if seat == self.seat:
                self.points[seat].routes += points
            else:
                self.points[seat].markers += points

    def _capture_alvin(self) -> None:
        alvin = self.board.rules.alvin
        if alvin and self.alvin_city in self.ends_of_claimed() and self.alvin_holder != self.seat:
            self.alvin_holder = self.seat
            self.points[self.seat].captures += alvin.capture_points
            self.phase = "ALVIN"
        else:
            self._offer_marker()

    def _offer_marker(self) -> None:
        if legal.marker_placements(self):
            self.phase = "MARKER"
        else:
            self._offer_token()

    def _place_marker(self, city: int, way: Way) -> None:
        assert self.board.rules.markers
        self._discard(self._spend(cards_of(way, self.board.rules.markers.cards)))
        self._set_marker(city, turn=self.turns)
        self._offer_token()

    def _set_marker(self, city: int, turn: int) -> None:
        self.markers[city] = self.seat
        self.marker_turn[city] = turn

    def _offer_token(self) -> None:
        match legal.token_cities(self):
            case []:
                self._end_turn()
            case [city]:
                self._take_token(city)
            case _:
                self.phase = "TOKEN"

    def _take_token(self, city: int) -> None:
        self.stacks[city].tokens -= 1
        self.tokens[self.seat].add(self.stacks[city].symbol)
        self._end_turn()

    def _decline(self) -> None:
        if self.phase == "TUNNEL":
            self._withdraw()
        else:
            self._offer_token()

    # Stations, and the end of a turn

    def _build_station(self, city: int, way: Way) -> None:
        number = list(self.stations.values()).count(self.seat) + 1
        self._discard(self._spend(cards_of(way, number)))
        self.stations[city] = self.seat
        self._end_turn()

    def _pass(self) -> None:
        self._end_turn(passed=True)

    def _end_turn(self, passed: bool = False) -> None:
        self.claimed = None
        self.turns += 1
        self.passes = self.passes + 1 if passed else 0
        if self._game_ends():
            self.phase = "OVER"
        else:
            self.phase, self.seat = "TURN", (self.seat + 1) % self.players

    def _game_ends(self) -> bool:
        """Whether the turn that ends now is the last one; starts the last round if it is time."""
        if self.countdown is not None:
            self.countdown -= 1
            if self.countdown == 0:
                return True
        elif self.trains[self.seat] <= self.board.rules.last_round_at:
            self.countdown, self.ender = self.players, self.seat
        self.stalemate = self.passes >= self.players
        self.overlong = not self.stalemate and self.turns >= TURNS_A_PLAYER * self.players
        return self.stalemate or self.overlong

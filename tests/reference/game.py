"""The game itself: what each action does to the table."""

from collections import Counter
from collections.abc import Callable, Sequence

from ttrsim.boards import Board

from . import checks, legal, scoring
from .actions import WILD, Way, cards_of, decode
from .table import Stack, Table, Tunnel

TURNS_A_PLAYER = 400
"""A game of so many turns per player is stopped."""


class ReferenceGame(Table):
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
        super().__init__(board, players, card_order, ticket_order, reshuffle)
        self.shuffle_rejects = shuffle_rejects
        self._deal(list(long_order))

    def legal_actions(self) -> list[int]:
        return legal.legal_actions(self)

    def result(self) -> list[scoring.SeatResult]:
        """Return the final scores, by seat."""
        assert self.over
        return scoring.result(self)

    def check(self) -> None:
        """Assert that no card, train, ticket or point is lost or doubled."""
        checks.check(self)

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
            self.hands[seat].update(self.from_top(self.deck, rules.hand[seat]))
        for _ in range(self.players):
            long_ones = self.from_top(long_deck, long_each)
            self.dealt.append(long_ones + self.from_top(self.ticket_deck, rules.tickets.deal))
        self.removed += long_deck
        self._place_fixed_stacks()
        self.fill_display()
        self.offered = self.dealt[0]

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
            self._begin_turn(0)

    def _stack_placers(self) -> tuple[int, ...]:
        souvenirs = self.board.rules.souvenirs
        return souvenirs.players[self.players].placed_by if souvenirs else ()

    def _further_stacks(self) -> int:
        """Return the number of stacks that players have placed."""
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

    def _take(self, kind: int) -> None:
        self.display[kind] -= 1
        self.hands[self.seat][kind] += 1
        self.fill_display()
        self._after_card(last=kind == WILD)

    def _draw_blind(self) -> None:
        card = self.draw_card()
        assert card is not None
        self.hands[self.seat][card] += 1
        self._after_card(last=False)

    def _after_card(self, last: bool) -> None:
        if self.phase == "SECOND" or last or not legal.second(self):
            self._end_turn()
        else:
            self.phase = "SECOND"

    # Tickets

    def _draw_tickets(self) -> None:
        self.offered = self.from_top(self.ticket_deck, self.board.rules.tickets.draw)
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
        laid = self.spend(cards_of(way, self.board.routes[route].length))
        if self.board.routes[route].tunnel:
            self._turn_up(route, way[0], laid)
        else:
            self._complete_claim(route, laid)

    def _turn_up(self, route: int, kind: int, laid: Counter[int]) -> None:
        """Turn up the cards of a tunnel; ask only if there are extra cards to pay and the hand has them."""
        drawn = [self.draw_card() for _ in range(self.board.rules.tunnel_cards)]
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
        self._finish_tunnel(self.spend(cards_of((kind, wilds), self.tunnel.extra)))

    def _finish_tunnel(self, more: Counter[int]) -> None:
        assert self.tunnel
        tunnel, self.tunnel = self.tunnel, None
        self._complete_claim(tunnel.route, tunnel.laid + more + tunnel.revealed)

    def _withdraw(self) -> None:
        assert self.tunnel
        tunnel, self.tunnel = self.tunnel, None
        self.hands[self.seat].update(tunnel.laid)
        self.discard(tunnel.revealed)
        self._end_turn()

    def _complete_claim(self, route: int, cards: Counter[int]) -> None:
        self.discard(cards)
        self.owner[route] = self.seat
        self.claimed = route
        self.claim_turn[route] = self.turns
        self.trains[self.seat] -= self.board.routes[route].length
        if not self.scores_after_marker:
            self._score_claim()
        self._capture_alvin()

    def _score_claim(self) -> None:
        """Let the owner of each marker at an end score, once for each; the claimer if there is none."""
        assert self.claimed is not None
        points = self.board.rules.route_points[self.board.routes[self.claimed].length]
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
        self.discard(self.spend(cards_of(way, self.board.rules.markers.cards)))
        self._set_marker(city, turn=self.turns)
        self._offer_token()

    def _set_marker(self, city: int, turn: int) -> None:
        self.markers[city] = self.seat
        self.marker_turn[city] = turn

    def _offer_token(self) -> None:
        """Go on when it is known whether a marker is placed: with this rule, it counts for the points of the claim."""
        if self.scores_after_marker:
            self._score_claim()
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
        self.discard(self.spend(cards_of(way, number)))
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
            self._begin_turn((self.seat + 1) % self.players)

    def _begin_turn(self, seat: int) -> None:
        self.phase, self.seat = "TURN", seat
        self.dry_turns += self.dry

    def _game_ends(self) -> bool:
        """Return whether the turn that ends now is the last one; start the last round if it is time.

        In it everybody has one more turn. For equal turns the round in which it starts is first played to its end.
        """
        if self.countdown is not None:
            self.countdown -= 1
            if self.countdown == 0:
                return True
        elif self.trains[self.seat] <= self.board.rules.last_round_at:
            left_of_round = self.players - 1 - self.seat
            self.countdown = self.players + (left_of_round if self.board.rules.equal_turns else 0)
            self.ender = self.seat
        self.stalemate = self.passes >= self.players
        self.overlong = not self.stalemate and self.turns >= TURNS_A_PLAYER * self.players
        return self.stalemate or self.overlong

"""Playing a game in the core and in the reference side by side, and comparing all of it."""

from bisect import bisect
from collections import Counter
from collections.abc import Callable
from functools import cached_property, partial
from itertools import groupby
from typing import Any

import numpy as np
from reference.actions import DECLINE, decode
from reference.scoring import SeatResult

from ttrsim.core import constants as c
from ttrsim.core.play import write_results
from ttrsim.core.records import GAME_RESULT, SEAT_RESULT, TABLE

from . import expected
from .expected import Fields, words
from .stepping import CoreGame, Numbers, WatchedGame, block_orders, core_game

PER_SEAT = {name for name in TABLE.names if TABLE[name].shape[:1] == (c.SEATS,)}
STYLES = ("random", "eager", "saving", "hoarding")
"""Ways to take the decisions of a game, by its number."""
EVERY_CODE = np.arange(-5, c.ACTIONS_END + 1000)
LOW_AND_FAR_OFF = np.array([*range(-5, 50), -(2**40), -50_000, 60_001, 100_100, 2**31, 2**40])
DRAWS = {c.DRAW_BLIND, *range(c.TAKE, c.TAKE + c.KINDS)}
KINDS_OF_ACTION = [c.DRAW_BLIND, c.DRAW_TICKETS, c.DECLINE, c.TAKE, c.PAY, c.KEEP, c.CLAIM, c.STATION, c.PLACE_MARKER]
NEAR = np.array([-100, -10, -1, 0, 1, 10, 100])


class Disagreement(AssertionError):
    """The core and the reference differ: the game, where it stands, and in what."""


class Duel:
    """A game of the core and the same game of the reference."""

    def __init__(self, name: str, players: int, number: int) -> None:
        self.title = f"{name}, {players} players, game {number}"
        self.rng = np.random.default_rng([players, number])
        self.style = STYLES[number % len(STYLES)]
        self.core = core_game(name)
        self.core.deal(number, players)
        self.reference = WatchedGame(self.core.board, players, block_orders(self.core.board, number))
        self.tunnels = {r.index for r in self.core.board.routes if r.tunnel}
        self.read = readers(self.core, players)
        self.actions: list[int] = []
        self.tunnels_paid = 0
        self.routes: tuple[tuple[int, int], Fields] | None = None  # what `of_routes` said, and when

    def play(self, turns: int | None = None) -> "Duel":
        """Play to the end, or that many turns; the first difference raises a Disagreement."""
        self.compare()
        while not self.reference.over and (turns is None or self.reference.turns < turns):
            self.step()
            self.compare()
        if self.reference.over:
            self.compare_results()
        return self

    @cached_property
    def results(self) -> list[SeatResult]:
        """The final scores of the reference."""
        return self.reference.result()

    def step(self) -> None:
        """Take the next decision in both games."""
        action = choose(self.reference.legal_actions(), self.style, self.tunnels, self.rng)
        self.actions.append(action)
        self.tunnels_paid += self.reference.phase == "TUNNEL" and action != DECLINE
        self.reference.apply(action)
        self.hold("apply", self.core.apply(action), True)

    def seen(self) -> Counter[str]:
        """Count what the rules of only some boards bring about, and what is rare."""
        game, counts = self.reference, np.sum(self.reference.counts, axis=0)
        return self.seen_at_the_end() + Counter(
            {
                "reshuffles": game.reshuffles,
                "displays dealt anew": game.refreshes,
                "dry turns": game.dry_turns,
                "ticket draws": int(counts[c.TICKET_DRAWS]),
                "wilds taken": int(counts[c.WILDS_TAKEN]),
                "passes": int(counts[c.PASSES]),
                "tunnels given up": int(counts[c.WITHDRAWN]),
                "tunnels paid": self.tunnels_paid,
                "stations": len(game.stations),
                "markers": len(game.markers) - len(game.start_cities),
                "points for markers": sum(p.markers for p in game.points),
                "captures of Alvin": len(game.alvin_moves),
                "tokens": sum(len(held) for held in game.tokens),
                "last rounds": game.ender is not None,
                "stalemates": game.stalemate,
                "overlong games": game.overlong,
            }
        )

    def seen_at_the_end(self) -> Counter[str]:
        """Count what only shows in the routes owned and the final scores."""
        game, routes = self.reference, self.core.board.routes
        results = self.results if game.over else []
        standings = [(r["score"], r["rank"]) for r in results]
        seats_of = {(routes[r].connection, seat) for r, seat in game.owner.items()}
        return Counter(
            {
                "ferries": sum(routes[r].ferry > 0 for r in game.owner),
                "routes beside another's": len(seats_of) - len({connection for connection, _ in seats_of}),
                "long tickets": sum(self.core.board.tickets[t].long for kept in game.tickets for t in kept),
                "tickets completed": sum(len(r["completed"]) for r in results),
                "bonuses for the longest trail": sum(r["longest_trail_bonus"] > 0 for r in results),
                "bonuses for most tickets": sum(r["most_tickets_bonus"] > 0 for r in results),
                "shared wins": sum(r["rank"] == 1 for r in results) > 1,
                "broken ties": len(set(standings)) - len({score for score, _ in standings}),
            }
        )

    def hold(self, what: str, found: Any, wanted: Any) -> None:
        """Raise a Disagreement unless the core has what the reference wants."""
        if found != wanted:
            last = [(a, *decode(a)) for a in self.actions[-3:]]
            where = f"{self.title} ({self.style}), after {len(self.actions)} actions, the last {last}"
            raise Disagreement(f"{where}: {what} is {found} in the core, {wanted} in the reference")

    def compare(self) -> None:
        """Compare the decision wanted, all legal actions, and all records."""
        for fields in self.fields():
            for name, wanted in fields.items():
                if self.read[name]() != wanted:
                    self.hold(name, self.read[name](), wanted)
        for seat, offer in enumerate(expected.offers(self.reference)):
            if offer:
                self.hold("hands.offer", self.core.hands.offer[seat, : len(offer)].tolist(), offer)
                least = expected.keep_least(self.reference, offer)
                self.hold("hands.keep_least", self.core.hands.keep_least[seat], least)
        for name, wanted in expected.of_decks(self.reference).items():
            self.hold(f"deck.{name}", read_deck(self.core, name), wanted)
        self.compare_actions()

    def fields(self) -> list[Fields]:
        """Return all that the table and the hands must hold; after a first card only what a card can change."""
        game = self.reference
        fields = [expected.of_course(game), expected.of_cards(game), expected.of_hands(game)]
        if game.phase == "SECOND":
            return fields
        changed = len(game.owner), len(game.start_cities)
        if self.routes is None or self.routes[0] != changed:
            self.routes = changed, expected.of_routes(game)
        scores = {} if game.over else expected.of_scores(game)
        return [*fields, expected.of_pieces(game), expected.of_claim(game), scores, self.routes[1]]

    def compare_actions(self) -> None:
        """Compare the list of legal actions and, now and then, what is said of codes in it, next to it and anywhere."""
        listed = self.reference.legal_actions()
        self.hold("legal actions", self.core.actions.tolist(), listed)
        if listed and self.rng.random() < 0.25:
            codes = self.some_codes(self.core.actions)
            self.hold("is_legal", sorted(set(codes[self.core.judge(codes)].tolist())), listed)

    def some_codes(self, legal: Numbers) -> Numbers:
        """Return every possible code at times; else the legal ones, a neighbour of each, low and random ones."""
        if self.rng.random() < 0.08:
            return EVERY_CODE
        near, any_codes = legal + self.rng.choice(NEAR, len(legal)), self.rng.integers(-5, 60_000, 50)
        return np.concatenate([legal, near, any_codes, LOW_AND_FAR_OFF])

    def compare_results(self) -> None:
        """Compare what the finished game comes to."""
        game, results = self.reference, self.results
        outcome, seats = outcome_of(self.core, game.players)
        self.hold("claimed", outcome["claimed"].tolist(), expected.of_routes(game)["claimed"])
        for name, wanted in expected.of_course(game).items():
            if name in ("ending", "ender"):
                self.hold(f"result {name}", outcome[name].item(), wanted)
        self.hold("result turns", outcome["turns"].item(), game.turns)
        self.hold("reshuffles", outcome["reshuffles"].item(), game.reshuffles)
        self.hold("refreshes", outcome["refreshes"].item(), game.refreshes)
        self.hold("dry turns", outcome["dry_turns"].item(), game.dry_turns)
        self.hold("winners", sum(s["rank"] == 1 for s in seats), round(1 / max(r["win_share"] for r in results)))
        for seat, result in enumerate(results):
            for name, wanted in seat_fields(game, seat, result).items():
                self.hold(f"result {name} of seat {seat}", seats[seat][name].tolist(), wanted)


def seat_fields(game: WatchedGame, seat: int, result: SeatResult) -> Fields:
    """Return the fields of SEAT_RESULT."""
    return {
        "offered": words(game.dealt[seat], c.TICKET_WORDS),
        "drawn": words(game.drawn[seat], c.TICKET_WORDS),
        "kept": words(game.tickets[seat], c.TICKET_WORDS),
        "completed": words(result["completed"], c.TICKET_WORDS),
        "routes": words([r for r, owner in game.owner.items() if owner == seat], c.ROUTE_WORDS),
        "score": result["score"],
        "rank": result["rank"],
        "parts": expected.final_parts(result),
        "counts": game.counts[seat],
        "trail": result["longest_trail"],
        "trains_left": game.trains[seat],
    }


def readers(core: CoreGame, players: int) -> dict[str, Callable[[], Any]]:
    """Return for each field of the table and the hands what reads it as plain numbers, one for each seat that plays."""
    table = core.table
    read: dict[str, Callable[[], Any]] = {
        f"hands.{name}": view[:players].tolist for name, view in vars(core.hands).items()
    }
    for name, view in vars(table).items():
        read[name] = view[:players].tolist if name in PER_SEAT else view.tolist if len(view) > 1 else view.item
    read["open_and_barred"] = lambda: (table.barred[:players] & table.open).tolist()
    return read


def read_deck(core: CoreGame, name: str) -> list[int]:
    """Return a hidden order of the core, from the top on."""
    deck, table = core.deck, core.table
    if name == "cards":
        order: list[int] = deck.cards[: table.deck_cards[0]][::-1].tolist()
    elif name == "tickets":
        ring, top = deck.tickets.tolist(), deck.ticket_top[0]
        order = (ring + ring)[top : top + table.tickets_left[0]]
    else:
        order = deck.rejects[: deck.rejected[0]].tolist() if table.phase[0] == c.OPENING else []
    return order


def choose(actions: list[int], style: str, tunnels: set[int], rng: np.random.Generator) -> int:
    """Return one of the actions, which ascend.

    random: any; eager: any kind of action but drawing cards, and any action of that kind; saving: mostly a card, else
    a tunnel if one can be claimed, else any; hoarding: nearly always a draw, which soon empties the decks.
    """
    draws = [a for a in actions if a in DRAWS]
    if style == "eager":
        kinds = [list(same) for _, same in groupby(actions, partial(bisect, KINDS_OF_ACTION))]
        other = [kind for kind in kinds if kind[0] not in DRAWS] or kinds
        actions = other[rng.integers(len(other))]
    elif style == "hoarding" and draws and rng.random() < 0.97:
        actions = [a for a in actions if a in DRAWS or a == c.DRAW_TICKETS]
    elif style == "saving" and draws:
        into_tunnels = [a for a in actions if c.CLAIM <= a < c.STATION and (a - c.CLAIM) // 100 in tunnels]
        actions = draws if rng.random() < 0.75 else into_tunnels or actions
    return actions[rng.integers(len(actions))]


def outcome_of(core: CoreGame, players: int) -> tuple[Any, Any]:
    """Return the result of the game and of each seat, as the core stores them."""
    outcomes, seats = np.zeros(1, GAME_RESULT), np.zeros(players, SEAT_RESULT)
    seating = np.arange(players, dtype=np.uint8)
    write_results(core.boards[0], core.games[0], 0, seating, outcomes[0], seats)
    return outcomes[0], seats

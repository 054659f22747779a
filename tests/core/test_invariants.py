"""Truths after every action of any game and of every deal, from the core's records alone."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ttrsim.boards import board_names, load_board
from ttrsim.core import constants as c
from ttrsim.core.cards import reshuffle_order
from ttrsim.core.records import TABLE

from .agreement import STYLES, choose, read_deck
from .stepping import CoreGame, core_game

BOARDS = {name: load_board(name) for name in board_names()}
TABLES = [(name, p) for name, b in BOARDS.items() for p in range(b.rules.players[0], b.rules.players[1] + 1)]


def members(words: Any) -> set[int]:
    """Return the set that one or more 64-bit words stand for."""
    return {64 * w + i for w, word in enumerate(np.atleast_1d(words).tolist()) for i in range(64) if word >> i & 1}


class Observer:
    """Checks the records of a game after each action."""

    def __init__(self, core: CoreGame, players: int) -> None:
        self.core, self.board, self.rules = core, core.board, core.board.rules
        self.table, self.seats = core.table, range(players)
        self.scores = [[0, 0, 0] for _ in self.seats]  # routes, markers, captures
        self.owner = dict[int, int]()
        self.markers = dict[int, int]()
        self.holder = c.NOBODY

    def check(self) -> None:
        self.check_cards()
        self.check_tickets()
        self.check_routes()
        self.check_reach()
        self.check_pieces()
        self.check_points()

    def check_cards(self) -> None:
        """Check that every card is in one place, and all sums agree."""
        table, hands = self.table, self.core.hands.cards[: len(self.seats)]
        deck = np.bincount(self.core.deck.cards[: table.deck_cards[0]], minlength=c.KINDS)
        everywhere = deck + table.display + table.discards + hands.sum(axis=0)
        if table.phase[0] == c.TUNNEL:
            everywhere += table.revealed
            everywhere[c.WILD] += table.laid_wilds[0]
            length = self.board.routes[table.route[0]].length
            everywhere[table.laid_kind[0]] += length - table.laid_wilds[0]
        assert everywhere.tolist() == self.core.boards["kind_cards"][0].tolist()
        assert everywhere.sum() == self.board.cards
        assert hands.min() >= 0
        assert hands.sum(axis=1).tolist() == table.hand_cards[: len(self.seats)].tolist()
        assert (table.known[: len(self.seats)] <= hands).all()
        assert table.known.min() >= 0
        assert members(table.face_up) == set(np.flatnonzero(table.display).tolist())
        assert (table.display_cards[0], table.discard_cards[0]) == (table.display.sum(), table.discards.sum())
        left = table.deck_cards[0] + table.discard_cards[0]
        assert table.display_cards[0] == self.rules.display or (left == 0 and table.display_cards[0] >= 0)

    def check_tickets(self) -> None:
        """Check that every ticket is in one place; only some boards take tickets out of the game."""
        hands, deck = self.core.hands, self.core.deck
        kept = [members(hands.tickets[s]) for s in self.seats]
        offered = [t for s in self.seats for t in hands.offer[s, : hands.offered[s]].tolist()]
        waiting = deck.rejects[: deck.rejected[0]].tolist() if self.table.phase[0] == c.OPENING else []
        everywhere = [*(t for tickets in kept for t in tickets), *offered, *waiting, *read_deck(self.core, "tickets")]
        assert len(everywhere) == len(set(everywhere))
        everything = {t.index for t in self.board.tickets}
        assert set(everywhere) == everything or (
            self.rules.tickets.rejected == "removed" and set(everywhere) < everything
        )
        for seat, tickets in enumerate(kept):
            assert len(tickets) == self.table.kept_tickets[seat]
            assert tickets <= members(hands.dealt[seat]) | members(hands.drawn[seat])

    def check_routes(self) -> None:
        """Check that owners, sets of routes and numbers of trains agree."""
        table = self.table
        owner = {r: s for r, s in enumerate(table.owner.tolist()) if s != c.NOBODY}
        shared = len(self.seats) >= self.rules.parallel_open_from
        is_open = set()
        for twins in self.board.connections:
            takers = [owner[r] for r in twins if r in owner]
            assert len(takers) == len(set(takers))
            assert shared or len(takers) <= 1
            is_open |= {r for r in twins if r not in owner and (shared or not takers)}
        assert members(table.open) == is_open
        for seat in self.seats:
            own = {r for r, s in owner.items() if s == seat}
            assert members(table.owned[seat]) == own
            barred = {t for r in own for t in self.board.connections[self.board.routes[r].connection]} & is_open
            assert members(table.barred[seat]) & is_open == barred
            assert table.trains[seat] == self.rules.trains - sum(self.board.routes[r].length for r in own) >= 0
        assert {r for r, turn in enumerate(table.claimed.tolist()) if turn != c.NOBODY} == set(owner)
        assert len({table.claimed[r] for r in owner}) == len(owner)
        assert table.claimed.max() <= table.turn[0] == table.counts[: len(self.seats), c.TURNS].sum()

    def check_reach(self) -> None:
        """Check that a seat's network is what its routes and start city make, and touches what it may claim next."""
        for seat in self.seats:
            own = [self.board.routes[r] for r in members(self.table.owned[seat])]
            touched = {city for r in own for city in (r.a, r.b)}
            network = members(self.table.network[seat])
            assert touched <= network
            assert len(network - touched) <= (1 if self.rules.markers else 0)
            if self.rules.own_network:
                assert members(self.table.markers[seat]) <= network
                reach = {r.index for r in self.board.routes if {r.a, r.b} & network}
                assert members(self.table.reach[seat]) == reach

    def check_pieces(self) -> None:
        """Check that stations, markers and tokens are with their owners or left; no city has two of a kind."""
        table, rules = self.table, self.rules
        for places, left, each in (
            (table.stations, table.stations_left, rules.stations.each if rules.stations else 0),
            (table.markers, table.markers_left, rules.markers.each if rules.markers else 0),
        ):
            built = [members(places[s]) for s in self.seats]
            assert [len(cities) + left[s] for s, cities in enumerate(built)] == [each] * len(built)
            assert len(set().union(*built)) == sum(map(len, built))
        if rules.alvin:
            assert not any(rules.alvin.city in members(table.markers[s]) for s in self.seats)
        cities = range(len(self.board.cities))
        assert members(table.stacks) == {city for city in cities if table.stack_tokens[city] > 0}
        if rules.souvenirs:
            souvenirs = rules.souvenirs.players[len(self.seats)]
            for city in cities:
                if (symbol := table.stack_symbol[city]) != c.NOBODY:
                    held = sum(int(table.tokens[s]) >> symbol & 1 for s in self.seats)
                    fixed = symbol < len(rules.souvenirs.fixed)
                    assert table.stack_tokens[city] + held == (souvenirs.height if fixed else souvenirs.placed_height)

    def check_points(self) -> None:
        """Check that points add up to the score, and follow from claims, markers placed before, and captures."""
        table = self.table
        for r, seat in enumerate(table.owner.tolist()):
            if seat != c.NOBODY and r not in self.owner:
                route = self.board.routes[r]
                points = self.rules.route_points[route.length]
                for scorer in [self.markers[e] for e in (route.a, route.b) if e in self.markers] or [seat]:
                    self.scores[scorer][0 if scorer == seat else 1] += points
                self.owner[r] = seat
        if self.rules.alvin and (holder := int(table.alvin_holder[0])) != self.holder:
            self.holder = holder
            self.scores[holder][2] += self.rules.alvin.capture_points
        self.markers = {city: seat for seat in self.seats for city in members(table.markers[seat])}
        parts = table.parts[: len(self.seats)]
        earned = parts[:, [c.POINTS_ROUTES, c.POINTS_MARKERS, c.POINTS_CAPTURES]]
        assert earned.tolist() == self.scores
        assert parts.sum(axis=1).tolist() == table.score[: len(self.seats)].tolist()
        if not self.core.over:
            assert table.score[: len(self.seats)].tolist() == [sum(row) for row in self.scores]


games = given(
    st.sampled_from(TABLES), st.sampled_from(sorted(set(STYLES))), st.integers(0, 2**32 - 1), st.integers(0, 10**6)
)


@settings(max_examples=60)
@games
def test_nothing_is_lost_doubled_or_contradicted_after_any_action(
    table: tuple[str, int], style: str, choices: int, block: int
) -> None:
    core, rng = core_game(table[0]), np.random.default_rng(choices)
    tunnels = {r.index for r in core.board.routes if r.tunnel}
    core.deal(block, table[1])
    observer = Observer(core, table[1])
    observer.check()
    while not core.over:
        assert core.apply(choose(core.actions.tolist(), style, tunnels, rng))
        observer.check()


COURSE = {"phase", "seat", "players", "passes_in_a_row", "turns_to_go", "ender", "ending"}
COUNTED = {"reshuffles", "refreshes", "dry_turns"}
CLAIM = {"route", "laid_kind", "laid_wilds", "revealed", "extra"}
SPECIAL = {"barred", "alvin_city", "alvin_holder", "stack_symbol", "placed", "tokens"}


@pytest.mark.parametrize("field", sorted(set(TABLE.names) - COURSE - COUNTED - CLAIM - SPECIAL))
def test_the_checks_see_a_record_that_is_wrong(field: str) -> None:
    core, rng = core_game("san_francisco" if "stack" in field else "old_west:alvin"), np.random.default_rng(1)
    core.deal(0, 3)
    observer = Observer(core, 3)
    while core.table.turn[0] < 45:
        assert core.apply(choose(core.actions.tolist(), "random", set(), rng))
        observer.check()
    getattr(core.table, field).flat[0] ^= 8
    with pytest.raises(AssertionError):
        observer.check()


@settings(max_examples=30)
@games
def test_an_action_that_is_not_listed_is_refused_and_changes_nothing(
    table: tuple[str, int], style: str, choices: int, block: int
) -> None:
    core, rng = core_game(table[0]), np.random.default_rng(choices)
    core.deal(block, table[1])
    while not core.over:
        listed = core.actions.tolist()
        before = core.games.tobytes()
        for action in [*(listed + rng.choice([-10, -1, 1, 100], len(listed)))[:5], *rng.integers(-5, 60_000, 3)]:
            if int(action) not in listed:
                assert not core.apply(int(action))
        assert core.games.tobytes() == before
        assert core.apply(choose(listed, style, set(), rng))


# The deal


def snapshot(core: CoreGame, players: int) -> dict[str, Any]:
    """Return all that a deal decides."""
    seats = range(players)
    dealt = {name: view.tolist() for name, view in vars(core.table).items()}
    dealt |= {f"deck.{name}": read_deck(core, name) for name in ("cards", "tickets")}
    dealt |= {f"hands.{name}": getattr(core.hands, name)[:players].tolist() for name in ("cards", "dealt", "seat")}
    return dealt | {"offers": [core.hands.offer[s, : core.hands.offered[s]].tolist() for s in seats]}


@settings(max_examples=40)
@games
def test_a_deal_is_the_same_whatever_has_been_played_before(
    table: tuple[str, int], style: str, choices: int, block: int
) -> None:
    fresh, used = CoreGame(BOARDS[table[0]]), core_game(table[0])
    fresh.deal(block, table[1])
    used.deal(block + 1, table[1])
    rng = np.random.default_rng(choices)
    while not used.over:
        assert used.apply(choose(used.actions.tolist(), style, set(), rng))
    used.deal(block, table[1])
    assert snapshot(fresh, table[1]) == snapshot(used, table[1])
    assert fresh.actions.tolist() == used.actions.tolist()


@settings(max_examples=20)
@given(st.sampled_from(sorted(BOARDS)), st.integers(0, 10**6))
def test_a_seat_is_dealt_the_same_at_tables_of_all_sizes(name: str, block: int) -> None:
    core, (fewest, most) = core_game(name), BOARDS[name].rules.players
    core.deal(block, most)
    cards, dealt = core.hands.cards.tolist(), core.hands.dealt.tolist()
    for players in range(fewest, most):
        core.deal(block, players)
        assert core.hands.cards[:players].tolist() == cards[:players]
        assert core.hands.dealt[:players].tolist() == dealt[:players]


@given(st.integers(0, 2**63), st.lists(st.integers(0, 12), min_size=10, max_size=10), st.integers(0, 50))
def test_a_reshuffle_is_the_same_whatever_lay_in_the_deck(key: int, counts: list[int], number: int) -> None:
    one, other = np.zeros(c.DECK_CARDS, np.uint8), np.full(c.DECK_CARDS, 7, np.uint8)
    streams = np.zeros(4, np.uint64), np.full(4, 5, np.uint64)
    size = 0
    for order, stream in zip((one, other), streams, strict=True):
        size = reshuffle_order(np.uint64(key), number, np.array(counts, np.int16), order, stream)
    assert one[:size].tolist() == other[:size].tolist()
    assert Counter(one[:size].tolist()) == +Counter(dict(enumerate(counts)))

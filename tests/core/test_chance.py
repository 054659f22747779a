"""Compare the deal and the decks in the long run with exact probabilities."""

import os
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from scipy.stats import chisquare

from ttrsim.core import constants as c
from ttrsim.core.cards import reshuffle_order
from ttrsim.core.deal import deal
from ttrsim.core.jit import kernel
from ttrsim.core.streams import shuffle, start_stream

from .stepping import CoreGame, core_game

DEALS = int(os.environ.get("TTRSIM_DEALS", 60_000))
SEED = np.uint64(1998)
UNLIKELY = 0.001
"""A right deal fails one test in so many; the seed is fixed, so it fails never or always."""

Counts = npt.NDArray[np.int64]


@kernel
def deal_many(boards: Any, games: Any, seed: Any, players: int, deals: Any) -> None:
    """Deal one block after the other, and note what came."""
    table, deck = games[0].table, games[0].deck
    for block in range(len(deals.refreshes)):
        deal(boards[0], games[0], seed, block, players)
        deals.refreshes[block] = table.refreshes
        for kind in range(c.KINDS):
            deals.displays[block, kind] = table.display[kind]
            for seat in range(players):
                deals.hands[block, seat, kind] = games[0].hands[seat].cards[kind]
        for i in range(deals.cards.shape[1]):
            deals.cards[block, i] = deck.cards[i]
        for seat in range(players):
            for i in range(c.OFFER):
                deals.offers[block, seat, i] = games[0].hands[seat].offer[i]
        deals.next_ticket[block] = deck.tickets[deck.ticket_top]


class Deals(NamedTuple):
    """Count what came in each of many deals."""

    refreshes: Counts  # (deals)
    displays: Counts  # (deals, kinds): how many of each kind lie face up
    hands: Counts  # (deals, seats, kinds)
    cards: Counts  # (deals, 60): the lowest cards of the deck, the lowest first
    offers: Counts  # (deals, seats, tickets)
    next_ticket: Counts  # (deals): on top of the deck


def deal_all(core: CoreGame, players: int) -> Deals:
    shapes: list[tuple[int, ...]] = [(), (c.KINDS,), (players, c.KINDS), (60,), (players, c.OFFER), ()]
    deals = Deals(*(np.zeros((DEALS, *shape), np.int64) for shape in shapes))
    deal_many(core.boards, core.games, SEED, players, deals)
    return deals


@pytest.fixture(scope="module")
def usa() -> Deals:
    return deal_all(core_game("usa"), 4)


@pytest.fixture(scope="module")
def europe() -> Deals:
    return deal_all(core_game("europe"), 5)


def fit(values: npt.ArrayLike, probabilities: dict[int, float]) -> float:
    """Return the probability that counts are at least as far off as these (chi-square)."""
    found = np.asarray(values).ravel()
    assert set(np.unique(found)) <= set(probabilities)
    expected = np.array(list(probabilities.values())) * len(found)
    seen = np.array([np.count_nonzero(found == value) for value in probabilities])
    likely = expected >= 5
    if not likely.all():  # what is too rare for chi-square goes into one class
        expected = np.append(expected[likely], expected[~likely].sum())
        seen = np.append(seen[likely], seen[~likely].sum())
    return float(chisquare(seen, expected).pvalue)


def drawn(of: int, out_of: int, draws: int) -> dict[int, float]:
    """Return the probability of each number of cards of a kind, `of` of them among `out_of`, in this many draws."""
    ways = {k: comb(of, k) * comb(out_of - of, draws - k) for k in range(min(of, draws) + 1)}
    return {k: many / comb(out_of, draws) for k, many in ways.items()}


KINDS = dict.fromkeys(range(8), 12 / 110) | {c.WILD: 14 / 110}


def test_a_wrong_probability_does_not_fit(usa: Deals) -> None:
    wrong = dict.fromkeys(range(8), 12.3 / 110) | {c.WILD: 11.6 / 110}
    assert fit(usa.cards[:, 0], KINDS) > UNLIKELY > fit(usa.cards[:, 0], wrong)


@pytest.mark.parametrize("place", [0, 1, 2, 30, 31, 59])
def test_every_card_is_equally_likely_at_every_place_of_the_deck(usa: Deals, place: int) -> None:
    assert fit(usa.cards[:, place], KINDS) > UNLIKELY


@pytest.mark.parametrize("place", [0, 1, 30, 31])
def test_cards_that_follow_each_other_are_independent_but_for_the_first_being_gone(usa: Deals, place: int) -> None:
    many = {kind: round(110 * p) for kind, p in KINDS.items()}
    pairs = {10 * a + b: many[a] * (many[b] - (a == b)) / (110 * 109) for a in many for b in many}
    assert fit(10 * usa.cards[:, place] + usa.cards[:, place + 1], pairs) > UNLIKELY


@pytest.mark.parametrize("seat", range(4))
def test_the_hands_hold_so_many_wilds_and_cards_of_a_colour(usa: Deals, seat: int) -> None:
    assert usa.hands[:, seat].sum(axis=1).tolist() == [4] * DEALS
    assert fit(usa.hands[:, seat, c.WILD], drawn(14, 110, 4)) > UNLIKELY
    assert fit(usa.hands[:, seat, 5], drawn(12, 110, 4)) > UNLIKELY


def calm_display(wilds: int, cards: int, depth: int = 4) -> dict[int, float]:
    """Return the probability of each number of wilds in five cards when three or more are swept away."""
    first = drawn(wilds, cards, 5)
    calm = {k: first.get(k, 0.0) for k in range(3)}
    if depth:
        for swept in range(3, 6):
            for k, p in calm_display(wilds - swept, cards - 5, depth - 1).items() if wilds >= swept else ():
                calm[k] += first[swept] * p
    return calm


def test_the_opening_display_holds_so_many_wilds(usa: Deals) -> None:
    probabilities = calm_display(14, 110)
    assert sum(probabilities.values()) == pytest.approx(1, abs=1e-6)
    assert fit(usa.displays[:, c.WILD], probabilities) > UNLIKELY


@pytest.mark.parametrize("colour", range(8))
def test_the_opening_display_favours_no_colour(usa: Deals, colour: int) -> None:
    beside_one_wild = usa.displays[(usa.displays[:, c.WILD] == 1) & (usa.refreshes == 0)]
    assert fit(beside_one_wild[:, colour], drawn(12, 96, 4)) > UNLIKELY


def test_three_wilds_among_the_first_five_cards_come_once_in_seventy(usa: Deals) -> None:
    swept = sum(p for wilds, p in drawn(14, 110, 5).items() if wilds >= 3)
    assert swept == pytest.approx(0.014363, abs=5e-7)
    assert fit(usa.refreshes > 0, {0: 1 - swept, 1: swept}) > UNLIKELY


@pytest.mark.parametrize("seat", range(5))
def test_every_ticket_is_equally_likely_to_be_offered(europe: Deals, seat: int) -> None:
    tickets = core_game("europe").board.tickets
    long_ones, regular = ([t.index for t in tickets if t.long is long] for long in (True, False))
    assert fit(europe.offers[:, seat, 0], dict.fromkeys(long_ones, 1 / 6)) > UNLIKELY
    for place in (1, 2, 3):
        assert fit(europe.offers[:, seat, place], dict.fromkeys(regular, 1 / 40)) > UNLIKELY
    assert fit(europe.next_ticket, dict.fromkeys(regular, 1 / 40)) > UNLIKELY


@kernel
def shuffle_many(seed: Any, orders: Any, items: Any, stream: Any) -> None:
    """Shuffle five things again and again; note each order as a number."""
    start_stream(stream, seed, 0, 0)
    for n in range(len(orders)):
        for i in range(5):
            items[i] = i
        shuffle(items, 5, stream)
        for i in range(5):
            orders[n] = 5 * orders[n] + items[i]


def test_every_order_of_five_things_is_equally_likely() -> None:
    orders = np.zeros(240_000, np.int64)
    shuffle_many(SEED, orders, np.zeros(5, np.int64), np.zeros(4, np.uint64))
    assert len(set(orders.tolist())) == 120
    assert fit(orders, dict.fromkeys(set(orders.tolist()), 1 / 120)) > UNLIKELY


# Tunnels


@kernel
def stand_before_a_fresh_deck(boards: Any, games: Any, seed: Any, block: int) -> None:
    """Set up a turn of seat 0 with cards enough to be asked for more, and a freshly shuffled deck of all cards."""
    table, deck, hand = games[0].table, games[0].deck, games[0].hands[0]
    deal(boards[0], games[0], seed, block, 2)
    table.phase = c.TURN
    for kind in range(c.KINDS):
        hand.cards[kind] = 12
    table.deck_cards = reshuffle_order(deck.key, 0, boards[0].kind_cards, deck.cards, games[0].scratch.stream)


@pytest.mark.parametrize(
    ("way", "asking", "printed"),
    [(0, 26, [0.4415, 0.4200, 0.1265, 0.0120]), (10 * c.WILD + 2, 14, [0.6620, 0.2958, 0.0405, 0.0017])],
    ids=["a colour", "wilds alone"],
)
def test_a_tunnel_asks_for_so_many_extra_cards(way: int, asking: int, printed: list[float]) -> None:
    core = core_game("europe")
    tunnel = next(r.index for r in core.board.routes if r.tunnel and r.length == 2 and r.colour is None)
    extras = np.zeros(DEALS, np.int64)
    for block in range(DEALS):
        stand_before_a_fresh_deck(core.boards, core.games, SEED, block)
        assert core.apply(c.CLAIM + 100 * tunnel + way)
        extras[block] = core.table.extra[0]
    probabilities = drawn(asking, 110, 3)
    assert list(probabilities.values()) == pytest.approx(printed, abs=5e-5)
    assert fit(extras, probabilities) > UNLIKELY

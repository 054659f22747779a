"""Games as they might be: they fit all that the seat has seen, are complete, and come to an end."""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np
import pytest

from ttrsim.core import constants as c
from ttrsim.core.records import HAND, ROOM, TABLE
from ttrsim.encode import members
from ttrsim.kit.imagine import imagine, play_out

from .games import TABLES, Game, cards_of, decisions, some

PHASES = (c.OPENING, c.TURN, c.SECOND, c.KEEPING)


def imagined(game: Game, key: int) -> np.ndarray:
    """Return a ROOM with a game that might be the one at hand."""
    room = np.zeros(1, ROOM)
    imagine(game.record, game.table, game.hand, room[0], np.uint64(key))
    return room


def same(one: object, other: object, fields: Iterable[str]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in fields)


@pytest.mark.parametrize("table", TABLES)
def test_the_table_and_the_own_hand_are_as_they_are(table):
    for game in some(decisions(*table), 13, *PHASES):
        might = imagined(game, 1)[0].game
        assert same(might.table, game.table, TABLE.names)
        assert same(might.hands[game.seat], game.hand, HAND.names)


@pytest.mark.parametrize("table", TABLES)
def test_all_cards_are_there_and_others_hold_as_many_and_those_they_surely_have(table):
    for game in some(decisions(*table), 13, *PHASES):
        might = imagined(game, 2)[0].game
        hands = [cards_of(might.hands[seat]) for seat in range(game.players)]
        everywhere = Counter(map(int, might.deck.cards[: might.table.deck_cards]))
        for pile in (game.table.display, game.table.discards):
            everywhere += Counter({kind: int(many) for kind, many in enumerate(pile)})
        everywhere += sum(hands, Counter())
        assert everywhere == Counter({c.WILD: game.board.wilds} | {k.index: k.cards for k in game.board.colours})
        for seat, hand in enumerate(hands):
            assert hand.total() == game.table.hand_cards[seat]
            if seat != game.seat:
                assert hand >= Counter({kind: int(many) for kind, many in enumerate(game.table.known[seat])})


def openings_and_some(name: str, players: int) -> Iterator[Game]:
    """Yield every seat's opening decision, and some of the later ones."""
    yield from some(decisions(name, players), 1, c.OPENING)
    yield from some(decisions(name, players), 13, *PHASES)


@pytest.mark.parametrize("table", TABLES)
def test_each_ticket_is_in_one_place_and_others_have_kept_as_many(table):
    for game in openings_and_some(*table):
        might = imagined(game, 3)[0].game
        hands = [members(might.hands[seat].tickets) for seat in range(game.players)]
        offers = [list(map(int, h.offer[: h.offered])) for h in (might.hands[s] for s in range(game.players))]
        aside = list(map(int, might.deck.rejects[: might.deck.rejected]))
        ring = (np.arange(might.table.tickets_left) + might.deck.ticket_top) % c.TICKETS
        deck = list(map(int, might.deck.tickets[ring]))
        everywhere = [*deck, *aside, *(t for tickets in hands + offers for t in tickets)]
        assert len(everywhere) == len(set(everywhere))
        assert set(everywhere) <= {t.index for t in game.board.tickets}
        assert not [t for t in deck if game.board.tickets[t].long]
        for seat, tickets in enumerate(hands):
            assert seat == game.seat or sum(game.board.tickets[t].long for t in tickets) <= 1
            assert len(tickets) == game.table.kept_tickets[seat]
            assert len(offers[seat]) == game.hands[seat].offered
        put_back = set(members(game.hand.drawn)) - set(hands[game.seat]) - set(offers[game.seat])
        assert put_back <= set(deck)
        assert not set(hands[game.seat]) & set(deck)


def test_others_may_hold_what_the_seat_put_back_where_there_are_too_few_other_tickets():
    game = Game("usa", 2, 0)
    while game.phase != c.TURN or game.table.tickets_left or game.seat != 0:
        fewest, most = min(game.legal()), max(game.legal())
        drawing = c.DRAW_TICKETS if game.table.tickets_left else c.DRAW_BLIND
        game.apply(drawing if game.phase == c.TURN else fewest if game.seat == 0 else most)
    put_back = set(members(game.hand.dealt | game.hand.drawn)) - set(game.tickets(0))
    assert put_back <= set(game.tickets(1))
    for key in range(5):
        might = imagined(game, key)[0].game
        assert put_back <= set(members(might.hands[1].tickets))
        assert len(members(might.hands[1].tickets)) == len(game.tickets(1))


@pytest.mark.parametrize("table", TABLES)
def test_a_game_is_the_same_for_a_key_and_another_for_another(table):
    game = next(some((g for g in decisions(*table) if g.table.turn > 20), 1, c.TURN))
    one, again, other = (hidden(imagined(game, key)[0].game) for key in (4, 4, 5))
    assert one == again
    assert one[0] != other[0]
    assert one[2:] != other[2:]


def test_every_player_of_an_imagined_game_has_random_numbers_of_its_own():
    room = imagined(next(decisions("usa", 5)), 7)
    assert len({mind.rng.tobytes() for mind in room[0].minds[:5]} | {bytes(32)}) == 6


def hidden(game: np.record) -> list[list[int]]:
    """Return what was dealt again: both decks and all hands."""
    cards, tickets = game.deck.cards[: game.table.deck_cards], game.deck.tickets[: game.table.tickets_left]
    return [cards.tolist(), tickets.tolist(), game.hands["cards"].tolist(), game.hands["tickets"].tolist()]


@pytest.mark.parametrize("table", TABLES)
def test_playing_out_comes_to_an_end_and_to_the_same_for_the_same_key(table):
    game = next(some((g for g in decisions(*table) if g.table.trains[: g.players].min() < 7), 1, c.TURN))
    action = game.legal()[0]
    values = []
    for key in (6, 6):
        room = imagined(game, key)
        values.append(play_out(game.record, room[0], action, game.seat))
        end = room[0].game.table
        assert end.phase == c.OVER
        lead = int(end.score[game.seat]) - max(int(end.score[s]) for s in range(game.players) if s != game.seat)
        assert 0 < values[-1] < 1
        assert (values[-1] > 0.5) == (lead > 0)
    assert values[0] == values[1]

"""Cards: what a set of routes takes and lacks, what is paid, what is drawn, and what nobody has seen."""

from collections import Counter

import numpy as np
import pytest

from ttrsim.boards import Route
from ttrsim.core import constants as c
from ttrsim.encode import words
from ttrsim.kit.hands import best_claim, best_draw, count_needs, unseen

from .games import (
    TABLES,
    Game,
    Mind,
    cards_of,
    claims,
    decisions,
    fresh_mind,
    payment_of,
    some,
    usable,
)


def alike(game: Game) -> dict[int, set[int]]:
    """Return for each route it and those beside it, as long and as hard, that the seat may claim instead."""
    can_have = {r.index for r in usable(game, game.seat)}
    found = {}
    for r in game.board.routes:
        beside = [game.board.routes[t] for t in game.board.connections[r.connection] if t in can_have]
        found[r.index] = {r.index} | {t.index for t in beside if (t.length, is_hard(t)) == (r.length, is_hard(r))}
    return found


def is_hard(r: Route) -> bool:
    return r.tunnel or r.ferry > 0


def colours_for(game: Game) -> dict[int, set[int]]:
    """Return for each route the colours that can pay for it, or for one like it."""
    every = {colour.index for colour in game.board.colours}
    colours = {r: {game.board.routes[t].colour for t in like} for r, like in alike(game).items()}
    return {r: every if None in wanted else wanted for r, wanted in colours.items()}


def look_for(game: Game, mind: Mind, routes: set[int]) -> int:
    return int(game.ask(count_needs, mind, words(routes, c.ROUTE_WORDS)))


def pick(game: Game, rng: np.random.Generator) -> set[int]:
    """Return some routes that the seat may still claim."""
    return {r.index for r in usable(game, game.seat) if rng.random() < 0.12}


@pytest.mark.parametrize("table", TABLES)
def test_needs_and_spare_cards_are_what_a_count_card_by_card_finds(table):
    rng = np.random.default_rng(1)
    for game in some(decisions(*table), 13, c.TURN):
        mind, chosen, hand = fresh_mind(), pick(game, rng), cards_of(game.hand)
        missing, colours_of = look_for(game, mind, chosen), colours_for(game)
        fixed, takes, wilds = Counter[int](), Counter[int](), 0
        for coloured in (True, False):  # what has one colour first
            for r in (game.board.routes[r] for r in sorted(chosen)):
                kinds = colours_of[r.index]
                if (len(kinds) == 1) == coloured:
                    kind = max(sorted(kinds), key=lambda k: hand[k] - takes[k])
                    takes[kind] += r.length - r.ferry
                    fixed[kind] += (r.length - r.ferry) * coloured
                    wilds += r.ferry
        lacks = takes - hand
        colours = range(c.WILD)
        assert [int(n) for n in mind.work.wanted] == [fixed[k] for k in colours] + [wilds]
        assert [int(n) for n in mind.work.need[: c.WILD]] == [lacks[k] for k in colours]
        assert [int(n) for n in mind.work.spare[: c.WILD]] == [(hand - takes)[k] for k in colours]
        short = lacks.total() + wilds - hand[c.WILD]
        assert (missing, int(mind.work.spare[c.WILD])) == (max(0, short), max(0, -short))


@pytest.mark.parametrize("table", TABLES)
def test_needs_counted_all_game_long_are_those_that_a_fresh_mind_counts(table):
    rng, minds, chosen = np.random.default_rng(5), [fresh_mind() for _ in range(table[1])], dict[int, set[int]]()
    for game in some(decisions(*table), 2, c.TURN, c.SECOND):
        kept, fresh = minds[game.seat], fresh_mind()
        if game.seat not in chosen or rng.random() < 0.1:
            chosen[game.seat] = pick(game, rng)
        assert look_for(game, kept, chosen[game.seat]) == look_for(game, fresh, chosen[game.seat])
        for what in ("wanted", "need", "spare"):
            assert kept.work[what].tolist() == fresh.work[what].tolist()
        assert kept.work.counted_trains == sum(game.board.routes[r].length for r in chosen[game.seat])


@pytest.mark.parametrize("table", TABLES)
def test_a_claim_is_legal_and_made_whenever_there_is_one(table):
    rng, made = np.random.default_rng(2), 0
    for game in some(decisions(*table), 15, c.TURN):
        mind, legal = fresh_mind(), claims(game)
        look_for(game, mind, pick(game, rng))
        for route, like in alike(game).items():
            ways = [a for t in like for a in legal.get(t, [])]
            action = game.ask(best_claim, mind, route)
            assert action in ways or (action == c.PASS and not ways)
            made += action != c.PASS
    assert made > 0


@pytest.mark.parametrize("table", TABLES)
def test_a_claim_takes_no_more_wilds_of_a_colour_than_it_must_and_no_wanted_cards_for_nothing(table):
    """No other way to pay for that very route takes fewer wilds and fewer wanted cards, or as few of one."""
    rng, choices = np.random.default_rng(3), 0
    for game in some(decisions(*table), 7, c.TURN):
        mind, hand = fresh_mind(), cards_of(game.hand)
        look_for(game, mind, pick(game, rng))
        wanted = Counter({k: int(mind.work.wanted[k]) for k in range(c.WILD)})
        for route, actions in claims(game).items():
            r = game.board.routes[route]
            if len(game.board.connections[r.connection]) == 1 and r.colour is None:
                ways = {a: payment_of(game.board, a) for a in actions}
                costs = {a: (paid[c.WILD], missed(hand, paid, wanted)) for a, paid in ways.items()}
                action = game.ask(best_claim, mind, route)
                assert not any(other < costs[action] and other[1] <= costs[action][1] for other in costs.values())
                choices += len(set(costs.values())) > 1
    assert choices > 0


def missed(hand: Counter[int], paid: Counter[int], wanted: Counter[int]) -> int:
    """Return how many more cards are missing for what is wanted once these are paid."""
    return int((wanted - (hand - paid)).total() - (wanted - hand).total())


@pytest.mark.parametrize("table", TABLES)
def test_where_nothing_else_is_wanted_a_claim_takes_the_fewest_wilds_there_are(table):
    for game in some(decisions(*table), 25, c.TURN):
        mind, legal, like = fresh_mind(), claims(game), alike(game)
        game.ask(count_needs, mind, words([], c.ROUTE_WORDS))
        for route in legal:
            paid = payment_of(game.board, game.ask(best_claim, mind, route))
            ways = [a for t in like[route] for a in legal.get(t, [])]
            assert paid[c.WILD] == min(payment_of(game.board, a)[c.WILD] for a in ways)


@pytest.mark.parametrize("table", TABLES)
def test_the_card_drawn_is_the_one_face_up_that_is_lacking_most(table):
    rng, taken = np.random.default_rng(4), 0
    for game in some(decisions(*table), 9, c.TURN, c.SECOND):
        mind, legal = fresh_mind(), game.legal()
        look_for(game, mind, pick(game, rng))
        action, need = game.ask(best_draw, mind), mind.work.need
        shown = [k for k in range(c.WILD) if game.table.display[k] and need[k] > 0]
        if shown:
            assert int(need[action - c.TAKE]) == max(int(need[k]) for k in shown)
            taken += 1
        else:
            assert action in (c.DRAW_BLIND, c.TAKE + c.WILD) or c.DRAW_BLIND not in legal
        assert action in legal or (action == c.PASS and not {a for a in legal if a < c.PAY and a != c.DRAW_TICKETS})
    assert taken > 0


@pytest.mark.parametrize("table", TABLES)
def test_unseen_cards_are_those_of_the_deck_and_of_other_hands_that_nobody_saw_them_take(table):
    for game in some(decisions(*table), 11, c.OPENING, c.TURN, c.SECOND, c.KEEPING):
        hidden = Counter(game.deck)
        for seat in set(range(game.players)) - {game.seat}:
            hidden += cards_of(game.hands[seat])
            hidden -= Counter({k: int(n) for k, n in enumerate(game.table.known[seat])})
        told = {k: int(unseen(game.record, game.table, game.hand, k)) for k in range(c.KINDS)}
        assert +Counter(told) == hidden

"""Actions and events in words: each action has words of its own, and they read as a person would say them."""

import numpy as np
import pytest
from core.scene import Scene
from core.stepping import CoreGame

from ttrsim.boards import load_board
from ttrsim.core import constants as c
from ttrsim.recording import EVENT, cards_gained
from ttrsim.words import action_words, cards_words, listed, plural, turn_words

CASES = [("usa", 2), ("usa", 5), ("europe", 4), ("europe:mega", 5), ("old_west:alvin", 6), ("san_francisco", 3)]


def words(game, action):
    table = game.games[0].table
    return action_words(game.board, table, game.games[0].hands[int(table.seat)], action)


def words_or_error(game, action):
    try:
        return words(game, action)
    except ValueError as e:
        return str(e)


def random_play(name, players, block):
    """Yield a game of random decisions, at each of them; of many claims each kind of decision gets its share."""
    game, rng = CoreGame(load_board(name)), np.random.default_rng(block)
    game.deal(block, players)
    while not game.over:
        yield game
        actions = game.actions
        kinds = actions // np.where(actions >= c.CLAIM, c.CLAIM, 10)
        game.apply(int(rng.choice(actions[kinds == rng.choice(np.unique(kinds))])))


@pytest.mark.parametrize(("name", "players"), CASES)
def test_every_legal_action_has_words_and_no_two_the_same(name, players):
    phases = set()
    for block in range(3):
        for game in random_play(name, players, block):
            phases.add(int(game.table.phase[0]))
            said = [words(game, action) for action in game.actions]
            assert len(set(said)) == len(said)
            assert all(text and text == text.strip() and "  " not in text for text in said)
    assert phases >= {c.OPENING, c.TURN, c.SECOND, c.KEEPING}
    assert (c.TUNNEL in phases) == name.startswith("europe")
    assert ({c.START, c.ALVIN, c.MARKER} <= phases) == (name == "old_west:alvin")
    assert ({c.STACK, c.TOKEN} <= phases) == (name == "san_francisco")


@pytest.mark.parametrize(("name", "players"), CASES)
def test_every_other_number_has_words_or_is_a_clear_error(name, players):
    seen = set()
    for game in random_play(name, players, 5):
        phase = int(game.table.phase[0])
        if phase in seen:
            continue
        seen.add(phase)
        for action in [-1, *range(600), *range(9_990, 51_000, 7), 99_999]:
            said = words_or_error(game, action)
            assert said
            assert ("means nothing" in said) <= said.startswith(f"action {action} means nothing when")


def test_no_action_means_anything_when_the_game_is_over():
    *_, game = random_play("san_francisco", 2, 0)
    assert game.over
    with pytest.raises(ValueError, match="the game is over"):
        words(game, c.PASS)


@pytest.fixture
def usa():
    return Scene("usa", 2)


@pytest.fixture
def europe():
    return Scene("europe", 2)


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (c.PASS, "passes, as nothing else is possible"),
        (c.DRAW_BLIND, "draws a blind card"),
        (c.DRAW_TICKETS, "draws tickets"),
        (c.TAKE + c.WILD, "takes a locomotive"),
    ],
)
def test_plain_actions_of_a_turn(usa, action, text):
    assert words(usa, action) == text


def claim(scene, a, b, colour, wilds, track=None):
    return words(scene, c.CLAIM + 100 * scene.route(a, b, track) + 10 * scene.kind(colour) + wilds)


def test_claim_names_the_cards_paid(usa):
    said = claim(usa, "Denver", "Kansas City", "black", 1, "black")
    assert said == "claims Denver–Kansas City with 3 black and a locomotive"
    assert claim(usa, "Miami", "New Orleans", "red", 0) == "claims Miami–New Orleans with 6 red"


def test_claim_names_the_track_where_the_cards_do_not_tell_it(usa):
    said = claim(usa, "Denver", "Kansas City", "wild", 4, "orange")
    assert said == "claims Denver–Kansas City (orange) with 4 locomotives"
    assert claim(usa, "Dallas", "Houston", "red", 0) == "claims Dallas–Houston (gray, track 1) with 1 red"


def test_station_costs_one_card_more_each_time(europe):
    wien = c.STATION + 100 * europe.board.city("Wien") + 10 * europe.kind("red")
    assert words(europe, wien) == "builds a station in Wien with 1 red"
    europe.build(0, "Roma")
    assert words(europe, wien + 1) == "builds a station in Wien with 1 red and a locomotive"
    europe.build(0, "Brest")
    assert words(europe, wien) == "builds a station in Wien with 3 red"


def test_tunnel_is_laid_out_and_then_paid_or_left(europe):
    europe.give(0, "4 red, 2 wild")
    europe.on_top("2 red, 1 blue")
    said = claim(europe, "Barcelona", "Pamplona", "red", 0)
    assert said == "lays out 2 red at the tunnel Barcelona–Pamplona"
    europe.claim("Barcelona", "Pamplona", "red")
    assert {words(europe, action) for action in europe.legal} == {
        "takes the cards back",
        "pays 2 red more",
        "pays 1 red and a locomotive more",
        "pays 2 locomotives more",
    }


def test_tickets_are_kept_by_name_and_points():
    game = CoreGame(load_board("usa"))
    game.deal(0, 2)
    first, second, third = (game.board.tickets[t] for t in game.hands.offer[0, :3])
    names = [f"{game.board.ticket_name(t)} ({t.points})" for t in (first, second, third)]
    assert words(game, c.KEEP + 0b101) == f"keeps {names[0]} and {names[2]}, not {names[1]}"
    assert words(game, c.KEEP + 0b111) == f"keeps {names[0]}, {names[1]} and {names[2]}"


def test_old_west_decisions():
    game = Scene("old_west:alvin", 2, ("Denver", "Durango"))
    game.give(0, "1 orange, 6 red")
    game.turn_of(0)
    game.claim("Denver", "Pueblo", "orange", track="orange")
    pueblo = c.PLACE_MARKER + 100 * game.board.city("Pueblo") + 10 * game.kind("red")
    assert words(game, pueblo) == "places a marker in Pueblo with 2 red"
    assert words(game, c.DECLINE) == "places no marker"
    game.table.phase[0] = c.ALVIN
    assert words(game, c.CITY + game.board.city("Durango")) == "moves Alvin to Durango"
    game.table.phase[0] = c.START
    assert words(game, c.CITY + game.board.city("Tucson")) == "starts in Tucson"


def test_wilds_have_the_name_of_the_board():
    board = load_board("san_francisco")
    assert cards_words(board, [0, 0, 2, 0, 0, 0, 0, 0, 0, 1]) == "2 black and a ferry"
    assert cards_words(board, [0, 0, 0, 0, 0, 0, 0, 0, 0, 3]) == "3 ferries"
    assert cards_words(board, [0] * 10) == "no cards"


@pytest.mark.parametrize(
    ("noun", "many"),
    [("locomotive", "locomotives"), ("ferry", "ferries"), ("joker", "jokers"), ("bus", "buses"), ("way", "ways")],
)
def test_plurals(noun, many):
    assert plural(noun) == many


def test_lists_end_with_and():
    assert [listed(""), listed("a"), listed("ab"), listed("abc")] == ["", "a", "a and b", "a, b and c"]


def event(board, phase, action, scores=None, cards=None, revealed=None, parts=None, withdrawn=False, **fields):
    """Return one event of seat 0; `cards` are the change of its hand, `parts` the points scored, and all else is
    nothing.
    """
    made = np.zeros(1, EVENT)[0]
    made.phase, made.before.table.phase, made.action = phase, phase, action
    table, hand = made.after.table, made.after.hands[0]
    table.counts[0, c.WITHDRAWN] = withdrawn
    for place, numbers in ((table.score, scores), (table.parts, parts)):
        for which, points in (numbers or {}).items():
            place[which] = points
    for place, amounts in ((hand.cards, cards), (table.revealed, revealed)):
        for colour, many in (amounts or {}).items():
            kind = c.WILD if colour == "wild" else next(k.index for k in board.colours if k.name == colour)
            place[kind] = many
    for name, value in fields.items():
        (made if name in ("reshuffles", "refreshes") else table)[name] = value
    return made


@pytest.mark.parametrize(
    ("draws", "text"),
    [
        ([(True, "red")], "draws red blind"),
        ([(True, "wild"), (False, "blue")], "draws a locomotive blind and takes blue"),
        ([(False, "blue"), (True, "wild")], "takes blue and draws a locomotive blind"),
        ([(False, "blue"), (False, "red")], "takes blue and red"),
        ([(True, "red"), (True, "red")], "draws 2 red blind"),
        ([(True, "wild"), (True, "wild")], "draws 2 locomotives blind"),
        ([(False, "wild")], "takes a locomotive"),
    ],
)
def test_draws_of_a_turn_are_one_sentence(draws, text):
    usa = load_board("usa")
    events = []
    for phase, (blind, colour) in zip((c.TURN, c.SECOND), draws, strict=False):
        made = event(usa, phase, c.DRAW_BLIND, cards={colour: 1})
        if not blind:
            made.action = c.TAKE + cards_gained(made).argmax()
        events.append(made)
    assert turn_words(usa, events) == text


def tunnel_event(**fields):
    europe = load_board("europe")
    route = next(r.index for r in europe.routes if europe.route_name(r) == "Barcelona–Pamplona")
    red = next(k.index for k in europe.colours if k.name == "red")
    return turn_words(europe, [event(europe, c.TURN, c.CLAIM + 100 * route + 10 * red, route=route, **fields)])


def test_tunnel_that_asks_nothing_is_claimed():
    assert tunnel_event(cards={"red": -2}, revealed={"blue": 3}, parts={(0, c.POINTS_ROUTES): 2}, scores={0: 9}) == (
        "lays out 2 red at the tunnel Barcelona–Pamplona; 3 blue turned up; no extra cards needed, "
        "the tunnel is claimed: 2 points, 9 in all"
    )


def test_tunnel_without_cards_to_turn_up_is_claimed():
    assert tunnel_event(cards={"red": -2}, parts={(0, c.POINTS_ROUTES): 2}, scores={0: 2}).endswith(
        "; no card is left to turn up, the tunnel is claimed: 2 points, 2 in all"
    )


def test_tunnel_that_asks_too_much_gives_the_cards_back():
    assert tunnel_event(revealed={"red": 1, "blue": 1, "wild": 1}, extra=2, withdrawn=True).endswith(
        "; 1 blue, 1 red and a locomotive turned up; 2 extra cards needed, which the hand "
        "cannot pay: takes the cards back"
    )


def test_points_by_markers_and_alvin_are_told_with_who_scores_them():
    board = load_board("old_west:alvin")
    route = next(r for r in board.routes if board.route_name(r) == "Roswell–Santa Fe")
    made = event(
        board,
        c.TURN,
        c.CLAIM + 100 * route.index + 93,
        cards={"wild": -3},
        parts={(0, c.POINTS_CAPTURES): 10, (2, c.POINTS_MARKERS): 4},
        scores={0: 31, 2: 12},
        route=route.index,
    )
    assert turn_words(board, [made]) == (
        "claims Roswell–Santa Fe with 3 locomotives; the 3rd player scores 4 by its marker there, 12 in all; "
        "captures Alvin: 10 points, 31 in all"
    )


def test_owner_of_the_markers_at_both_ends_scores_by_both():
    board = load_board("old_west")
    route = next(r for r in board.routes if board.route_name(r) == "Roswell–Santa Fe")
    scored = {"parts": {(0, c.POINTS_ROUTES): 0, (1, c.POINTS_MARKERS): 8}, "scores": {1: 9}}
    made = event(board, c.TURN, c.CLAIM + 100 * route.index + 93, cards={"wild": -3}, route=route.index, **scored)
    assert turn_words(board, [made]).endswith("; the 2nd player scores 8 by its markers there, 9 in all")


def test_what_happens_to_the_deck_is_told_last():
    usa = load_board("usa")
    made = event(usa, c.TURN, c.DRAW_BLIND, cards={"red": 1}, reshuffles=1, refreshes=2)
    assert turn_words(usa, [made]) == (
        "draws red blind; the discards become the deck; too many locomotives face up: the display is dealt anew twice"
    )

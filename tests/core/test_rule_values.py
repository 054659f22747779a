"""Rule values that no board of ttrsim's own uses."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ttrsim.boards import load_board
from ttrsim.boards.changes import with_settings
from ttrsim.core import constants as c

from .agreement import Duel
from .scene import Scene

Boards = Callable[..., str]


@pytest.fixture
def small_with(board_file: Callable[[str], Path], small_board: str) -> Boards:
    """A small board with further rules: `small_with("rules.equal_turns = true")` returns its name."""
    path = str(board_file(small_board))
    return lambda *settings: with_settings(path, settings)


AT_ONCE = "old_west:alvin[rules.markers.count_at_once = true]"


def agree(name: str, games: range, event: str = "") -> None:
    """Play games at each number of players in the core and in the reference; something must come up in them."""
    fewest, most = load_board(name).rules.players
    seen = [
        Duel(name, players, number).play().seen()[event or "ticket draws"]
        for players in range(fewest, most + 1)
        for number in games
    ]
    assert sum(seen)


# Neither deck nor discards


def dry(game: Scene) -> None:
    """Let nothing be left in deck and discards when the next turn begins."""
    game.bare_deck(keep=1)
    game.act(c.DRAW_BLIND)
    if game.phase == c.SECOND:
        game.take(next(k.name for k in game.board.colours if game.display[k.index]))


def test_no_card_may_be_drawn_in_a_dry_turn(small_with: Boards) -> None:
    game = Scene(small_with("rules.draw_when_dry = false"), 2)
    game.show("3 red, 2 blue")
    dry(game)
    assert game.phase == c.TURN  # the second card was not to be had either
    assert sum(game.display.values()) == 5
    assert not {c.DRAW_BLIND, *range(c.TAKE, c.PAY)} & set(game.legal)
    assert c.DRAW_TICKETS in game.legal


def test_face_up_cards_may_be_drawn_in_a_dry_turn_by_default(small_with: Boards) -> None:
    game = Scene(small_with(), 3)
    game.show("3 red, 2 blue")
    dry(game)
    assert sum(game.display.values()) == 4
    assert {c.TAKE + kind for kind in game.display} == {a for a in game.legal if c.TAKE <= a < c.PAY}


def test_whoever_can_do_nothing_in_a_dry_turn_passes(small_with: Boards) -> None:
    game = Scene(small_with("rules.draw_when_dry = false"), 3)
    game.bare_tickets()
    for seat in (0, 1):
        game.give(seat, "")
    dry(game)
    game.give(game.seat, "")
    game.bare_deck()
    game.relist()
    assert game.legal == [c.PASS]


def test_cards_can_be_drawn_again_once_somebody_has_discarded(small_with: Boards) -> None:
    game = Scene(small_with("rules.draw_when_dry = false"), 2)
    game.show("3 red, 2 blue")
    game.give(1, "2 red")
    dry(game)
    game.claim("Ayr", "Bern", "red")
    assert {c.DRAW_BLIND, c.TAKE + game.kind("red"), c.TAKE + game.kind("blue")} <= set(game.legal)


def test_dry_turns_are_counted_and_the_two_engines_agree_on_them(small_with: Boards) -> None:
    agree(small_with("rules.draw_when_dry = false"), range(8), "dry turns")
    assert Duel("usa", 5, 3).play().seen()["dry turns"]


# Seats


def test_each_seat_is_dealt_its_own_number_of_cards(small_with: Boards) -> None:
    name = small_with("rules.hand = [2, 3, 5, 8]")  # one seat more than there can be
    for players in (2, 3):
        game = Scene(name, players)
        assert [game.table.hand_cards[seat] for seat in range(players)] == [2, 3, 5][:players]
    agree(name, range(4))


def test_each_seat_starts_with_its_own_points(small_with: Boards) -> None:
    game = Scene(small_with("rules.start_points = [0, 3, 5]"), 2)
    assert game.scores == [0, 3]
    game.give(0, "2 red")
    game.claim("Ayr", "Bern", "red")
    assert game.scores == [2, 3]
    assert game.part(c.POINTS_START) == [0, 3]
    agree(small_with("rules.start_points = [0, 3, 5]"), range(4))


@pytest.mark.parametrize(("seat", "turns"), [(0, [1, 2, 0, 1, 2]), (1, [2, 0, 1, 2]), (2, [0, 1, 2])])
def test_equal_turns_play_the_round_to_its_end_before_the_last_one(
    small_with: Boards, seat: int, turns: list[int]
) -> None:
    game = Scene(small_with("rules.equal_turns = true"), 3)
    for other in range(seat):
        assert game.seat == other
        draw_two(game)
    game.table.trains[seat] = 2
    draw_two(game)
    played = []
    while not game.over:
        played.append(game.seat)
        draw_two(game)
    assert played == turns
    assert len({int(n) for n in game.table.counts[:3, c.TURNS]}) == 1


def test_without_equal_turns_the_last_round_begins_at_once(small_with: Boards) -> None:
    game = Scene(small_with(), 3)
    game.table.trains[0] = 2
    played = []
    while not game.over:
        played.append(game.seat)
        draw_two(game)
    assert played == [0, 1, 2, 0]


def draw_two(game: Scene) -> None:
    """Let the seat to move draw two cards blind."""
    game.act(c.DRAW_BLIND)
    game.act(c.DRAW_BLIND)


def test_the_two_engines_agree_on_equal_turns(small_with: Boards) -> None:
    agree(small_with("rules.equal_turns = true", "rules.last_round_at = 6"), range(6), "last rounds")


# A marker counts for the claim that it follows


def claim_into_a_city_of_seat_1(name: str) -> tuple[Scene, int, int]:
    """Let seat 0 claim a route into Denver, which seat 1 controls; return the other end and the route's points, too."""
    game = Scene(name, 2, starts=("Denver", "Salt Lake City"))
    game.unmark(0, "Denver")
    game.mark(1, "Denver")
    denver = game.board.city("Denver")
    route = next(r for r in game.board.routes if denver in (r.a, r.b) and r.colour is not None)
    far, colour = route.a + route.b - denver, game.board.colour_name(route.colour)
    game.give(0, f"{route.length} {colour}, 2 wild")
    game.claim("Denver", game.board.cities[far].name, colour, track=colour)
    assert game.phase == c.MARKER
    return game, far, game.board.rules.route_points[route.length]


def test_a_marker_counts_for_the_claim_that_it_follows_where_the_board_says_so() -> None:
    game, far, points = claim_into_a_city_of_seat_1(AT_ONCE)
    assert game.scores == [0, 0]
    game.act(c.PLACE_MARKER + 100 * far + 10 * c.WILD + 2)
    assert game.scores == [points, points]


def test_a_marker_comes_too_late_for_its_claim_by_default() -> None:
    game, far, points = claim_into_a_city_of_seat_1("old_west:alvin")
    assert game.scores == [0, points]
    game.act(c.PLACE_MARKER + 100 * far + 10 * c.WILD + 2)
    assert game.scores == [0, points]


def test_a_claim_without_a_marker_scores_as_ever() -> None:
    game, _, points = claim_into_a_city_of_seat_1(AT_ONCE)
    game.act(c.DECLINE)
    assert game.scores == [0, points]


def test_the_two_engines_agree_on_markers_that_count_at_once() -> None:
    seen = [Duel(AT_ONCE, players, number).play().seen() for players in (2, 4, 6) for number in range(4)]
    for event in ("markers", "points for markers", "captures of Alvin"):
        assert sum(counts[event] for counts in seen)

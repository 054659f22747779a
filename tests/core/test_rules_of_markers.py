"""Corner cases of the rules of Old West, one by one, played on the core: markers and Alvin."""

import pytest

from ttrsim.core import constants as c

from .scene import Scene

# Markers


def old_west(*starts: str) -> Scene:
    """Return a game in which each seat holds plenty of cards."""
    game = Scene("old_west", len(starts), starts)
    for seat in range(game.players):
        game.hands.cards[seat, :] = [9] * 8 + [0, 9]
    return game


def claim_st_george(game: Scene, seat: int) -> None:
    """Let the seat claim Salt Lake City to St. George, a route of four spaces that is worth seven points."""
    game.turn_of(seat)
    game.table.reach[seat] |= game.boards["all_routes"][0]
    game.claim("St. George", "Salt Lake City", "red", track="red")


def test_the_owner_of_a_marker_scores_a_claim_of_somebody_else() -> None:
    game = old_west("Salt Lake City", "Denver")
    claim_st_george(game, 1)
    assert game.scores == [7, 0]
    assert game.part(c.POINTS_MARKERS) == [7, 0]
    assert game.table.owner[game.route("St. George", "Salt Lake City", "red")] == 1


def test_two_owners_of_markers_both_score_and_the_claimer_does_not() -> None:
    game = old_west("Salt Lake City", "St. George", "Denver")
    claim_st_george(game, 2)
    assert game.scores == [7, 7, 0]


def test_the_owner_of_both_markers_scores_twice() -> None:
    game = old_west("Salt Lake City", "Denver")
    game.mark(0, "St. George")
    claim_st_george(game, 1)
    assert game.scores == [14, 0]


def test_a_claimer_with_one_of_the_markers_scores_as_one_of_two() -> None:
    game = old_west("Salt Lake City", "St. George")
    claim_st_george(game, 0)
    assert game.scores == [7, 7]
    assert (game.part(c.POINTS_ROUTES), game.part(c.POINTS_MARKERS)) == ([7, 0], [0, 7])


def test_a_claimer_with_both_markers_scores_twice() -> None:
    game = old_west("Salt Lake City", "Denver")
    game.mark(0, "St. George")
    claim_st_george(game, 0)
    assert game.scores == [14, 0]
    assert game.part(c.POINTS_ROUTES) == [14, 0]


def test_the_marker_of_the_same_turn_comes_too_late_for_the_claim() -> None:
    game = old_west("Denver", "Seattle")
    claim_st_george(game, 0)
    assert game.scores == [7, 0]
    game.act(c.PLACE_MARKER + 100 * game.board.city("St. George") + 10 * game.kind("red"))
    assert game.scores == [7, 0]
    assert game.table.markers_left[0] == 1


def test_a_marker_is_offered_only_at_a_free_end_with_two_cards_and_a_marker_left() -> None:
    game = old_west("Salt Lake City", "Denver")
    game.give(0, "6 red, 1 wild")
    claim_st_george(game, 0)
    assert game.phase == c.MARKER
    assert game.ways(c.PLACE_MARKER, game.board.city("St. George")) == {("red", 0), ("red", 1)}
    assert game.ways(c.PLACE_MARKER, game.board.city("Salt Lake City")) == set()
    game.act(c.DECLINE)
    assert (game.phase, game.seat, game.table.markers_left[0]) == (c.TURN, 1, 2)


@pytest.mark.parametrize("case", ["one card", "no free end", "no marker left"])
def test_no_marker_is_offered_without(case: str) -> None:
    game = old_west("Salt Lake City", "Denver")
    game.give(0, "5 red" if case == "one card" else "9 red")
    if case == "no free end":
        game.mark(1, "St. George")
    if case == "no marker left":
        game.table.markers_left[0] = 0
    claim_st_george(game, 0)
    assert (game.phase, game.seat) == (c.TURN, 1)


def test_every_claim_touches_the_own_network() -> None:
    game = old_west("Salt Lake City", "Denver")
    touching = {r.index for r in game.board.routes if game.board.city("Salt Lake City") in (r.a, r.b)}
    assert {(a - c.CLAIM) // 100 for a in game.legal if a >= c.CLAIM} == touching
    game.claim("Salt Lake City", "Green River", "red")
    game.act(c.DECLINE)
    game.turn_of(0)
    claims = {(a - c.CLAIM) // 100 for a in game.legal if a >= c.CLAIM}
    assert game.route("Cheyenne", "Green River", "red") in claims
    assert game.route("Cheyenne", "Denver") not in claims


# Alvin


def with_alvin() -> Scene:
    """Start seat 0 at Albuquerque, seat 1 at Santa Fe, seat 2 at Las Cruces; all border on Roswell, where Alvin is."""
    game = Scene("old_west:alvin", 3, ("Albuquerque", "Santa Fe", "Las Cruces"))
    game.give(0, "2 red, 2 white")
    game.give(1, "1 green, 3 yellow")
    game.give(2, "4 green")
    return game


def captured() -> Scene:
    """Let seat 0 capture Alvin and move him to Albuquerque."""
    game = with_alvin()
    game.claim("Albuquerque", "Roswell", "red")
    game.go_to("Albuquerque")
    return game


def test_nobody_starts_where_alvin_does() -> None:
    game = with_alvin()
    game.deal(0, 3)
    while game.phase == c.OPENING:
        game.act(game.legal[0])
    assert "Roswell" not in game.cities()
    assert not game.apply(c.CITY + game.board.city("Roswell"))


def test_who_claims_into_roswell_captures_alvin_and_moves_him_home() -> None:
    game = with_alvin()
    game.claim("Albuquerque", "Roswell", "red")
    assert (game.phase, game.seat) == (c.ALVIN, 0)
    assert game.part(c.POINTS_CAPTURES) == [10, 0, 0]
    assert game.cities() == {"Albuquerque"}
    game.go_to("Albuquerque")
    assert game.table.alvin_city[0] == game.board.city("Albuquerque")
    assert game.table.alvin_holder[0] == 0


def test_another_player_who_claims_into_alvins_city_captures_him_again() -> None:
    game = captured()
    game.claim("Albuquerque", "Santa Fe", "green", track="green")
    assert (game.phase, game.seat) == (c.ALVIN, 1)
    assert game.part(c.POINTS_CAPTURES) == [10, 10, 0]
    assert game.cities() == {"Santa Fe"}
    game.go_to("Santa Fe")
    assert game.table.alvin_holder[0] == 1


def test_a_claim_into_roswell_captures_nobody_once_alvin_has_left() -> None:
    game = captured()
    game.claim("Roswell", "Santa Fe", "yellow")
    assert (game.phase, game.seat) == (c.TURN, 2)
    assert game.part(c.POINTS_CAPTURES) == [10, 0, 0]


def test_the_holder_of_alvin_does_not_capture_him_again() -> None:
    game = captured()
    game.turn_of(0)
    game.claim("Albuquerque", "Durango", "white")
    assert (game.phase, game.seat) == (c.TURN, 1)
    assert game.part(c.POINTS_CAPTURES) == [10, 0, 0]


def test_no_marker_is_placed_in_roswell_even_when_alvin_has_left() -> None:
    game = with_alvin()
    game.give(0, "4 red")
    game.claim("Albuquerque", "Roswell", "red")
    game.go_to("Albuquerque")
    assert (game.phase, game.seat) == (c.TURN, 1)


def test_alvin_is_moved_before_a_marker_is_placed() -> None:
    game = captured()
    game.give(1, "1 green, 2 blue")
    game.unmark(1, "Santa Fe")
    game.mark(1, "Pueblo")
    game.claim("Albuquerque", "Santa Fe", "green", track="green")
    assert game.cities() == {"Pueblo"}
    game.go_to("Pueblo")
    assert game.phase == c.MARKER
    assert game.ways(c.PLACE_MARKER, game.board.city("Santa Fe")) == {("blue", 0)}


def test_who_holds_alvin_at_the_end_scores_ten_more() -> None:
    game = captured()
    game.end()
    assert game.part(c.POINTS_ALVIN) == [10, 0, 0]

"""Corner cases of the rules, one by one, played on the core: markers, Alvin, souvenirs, stations, bonuses and ties."""

import pytest

from ttrsim.core import constants as c

from .scene import Scene

# Markers


def old_west(*starts: str) -> Scene:
    """A game in which each seat holds plenty of cards."""
    game = Scene("old_west", len(starts), starts)
    for seat in range(game.players):
        game.hands.cards[seat, :] = [9] * 8 + [0, 9]
    return game


def claim_st_george(game: Scene, seat: int) -> None:
    """The seat claims a route of four spaces, worth seven points, from Salt Lake City to St. George."""
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
    """Seat 0 starts at Albuquerque, seat 1 at Santa Fe, seat 2 at Las Cruces; all border on Roswell, where Alvin is."""
    game = Scene("old_west:alvin", 3, ("Albuquerque", "Santa Fe", "Las Cruces"))
    game.give(0, "2 red, 2 white")
    game.give(1, "1 green, 3 yellow")
    game.give(2, "4 green")
    return game


def captured() -> Scene:
    """Seat 0 has captured Alvin and moved him to Albuquerque."""
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


# Souvenirs: symbols 0 to 4 lie on fixed places, 3 on Sunset; 5 and 6 are placed by players


def souvenirs(*placed: str) -> Scene:
    game = Scene("san_francisco", 2)
    game.deal(0, 2)
    while game.phase == c.OPENING:
        game.act(game.legal[0])
    for city in placed:
        game.go_to(city)
    return game


def test_with_tokens_at_both_ends_the_player_takes_one_of_them() -> None:
    game = souvenirs("Castro", "Mission")
    game.give(0, "3 green")
    game.claim("Castro", "Sunset", "green")
    assert game.phase == c.TOKEN
    assert game.cities() == {"Castro", "Sunset"}
    game.go_to("Castro")
    assert game.table.tokens[0] == 1 << 5
    assert [game.table.stack_tokens[game.board.city(name)] for name in ("Castro", "Sunset")] == [0, 2]
    assert (game.phase, game.seat) == (c.TURN, 1)


def test_of_two_tokens_the_one_that_is_lacking_is_taken_unasked() -> None:
    game = souvenirs("Castro", "Mission")
    game.table.tokens[0] = 1 << 3
    game.give(0, "3 green")
    game.claim("Castro", "Sunset", "green")
    assert (game.phase, game.seat) == (c.TURN, 1)
    assert game.table.tokens[0] == 1 << 3 | 1 << 5


def test_a_token_at_one_end_is_taken_unasked_and_a_symbol_never_twice() -> None:
    game = souvenirs("Castro", "Mission")
    game.give(0, "3 red, 3 blue")
    game.claim("Haight Ashbury", "Sunset", "blue")
    assert game.table.tokens[0] == 1 << 3
    game.turn_of(0)
    game.give(0, "3 green")
    game.table.stack_tokens[game.board.city("Castro")] = 0
    game.table.stacks[0] &= ~game.bit(game.board.city("Castro"))
    game.claim("Castro", "Sunset", "green")
    assert game.table.tokens[0] == 1 << 3
    assert game.table.stack_tokens[game.board.city("Sunset")] == 1


@pytest.mark.parametrize(("symbols", "points"), list(enumerate([0, 0, 1, 2, 4, 6, 9, 12])))
def test_different_symbols_score_by_the_table(symbols: int, points: int) -> None:
    game = souvenirs("Castro", "Mission")
    game.table.tokens[1] = (1 << symbols) - 1
    game.end()
    assert game.part(c.POINTS_TOKENS) == [0, points]


# Stations


def with_stations(*cities: str) -> Scene:
    """Seat 0 owns Essen–Berlin and Marseille–Roma; seat 1 Frankfurt–Paris–Marseille and Frankfurt–Essen."""
    game = Scene("europe:mega", 2)
    game.hold(0)
    game.hold(1)
    game.own(0, "Essen", "Berlin")
    game.own(0, "Marseille", "Roma")
    game.own(1, "Frankfurt", "Paris", "white")
    game.own(1, "Marseille", "Paris")
    game.own(1, "Frankfurt", "Essen")
    game.own(0, "Frankfurt", "Berlin", "black")
    game.build(0, *cities)
    return game


def completed(game: Scene, seat: int = 0) -> set[int]:
    """The tickets the seat has completed at the end."""
    row = game.end()[seat]["completed"]
    return {t for t in range(c.TICKETS) if int(row[t // 64]) >> t % 64 & 1}


def test_a_station_lends_one_route_and_the_dearer_ticket_gets_it() -> None:
    game = with_stations("Paris")
    _, roma = game.hold(0, ("Berlin", "Paris"), ("Paris", "Roma"))
    assert completed(game) == {roma}


def test_a_second_station_lends_a_second_route() -> None:
    game = with_stations("Paris", "Frankfurt")
    both = game.hold(0, ("Berlin", "Paris"), ("Paris", "Roma"))
    assert completed(game) == set(both)


def test_one_borrowed_route_serves_several_tickets() -> None:
    game = with_stations("Paris")
    game.own(0, "Berlin", "Wien")
    berlin, _, wien = game.hold(0, ("Berlin", "Paris"), ("Paris", "Roma"), ("Paris", "Wien"))
    assert completed(game) == {berlin, wien}


def test_a_station_lends_no_route_that_does_not_end_in_its_city() -> None:
    game = with_stations("Dieppe")
    game.hold(0, ("Berlin", "Paris"))
    assert completed(game) == set()


def test_a_borrowed_route_does_not_count_for_the_trail() -> None:
    game = with_stations("Paris")
    results = game.end()
    assert [int(seat["trail"]) for seat in results] == [5, 9]
    assert game.part(c.POINTS_TRAIL) == [0, 10]


def test_each_station_left_scores_four() -> None:
    game = with_stations("Paris", "Roma")
    game.end()
    assert game.part(c.POINTS_STATIONS) == [4, 12]


def test_a_city_has_one_station_and_the_third_costs_three_cards() -> None:
    game = with_stations("Paris", "Roma")
    game.give(0, "3 red, 1 blue, 1 wild")
    assert game.ways(c.STATION, game.board.city("Wien")) == {("red", 0), ("red", 1)}
    assert game.ways(c.STATION, game.board.city("Roma")) == set()
    game.turn_of(1)
    game.give(1, "1 red")
    assert game.ways(c.STATION, game.board.city("Wien")) == {("red", 0)}
    assert game.ways(c.STATION, game.board.city("Paris")) == set()


# Bonuses and ties


def bare(name: str, players: int) -> Scene:
    """A game in which nobody has a ticket."""
    game = Scene(name, players, ("Seattle", "Denver")[:players])
    for seat in range(players):
        game.hold(seat)
    return game


def test_all_who_tie_for_the_longest_trail_score_it_and_nobody_without_a_route() -> None:
    game = bare("usa", 3)
    game.end()
    assert game.part(c.POINTS_TRAIL) == [0, 0, 0]
    game = bare("usa", 3)
    game.own(0, "Boston", "Montreal")
    game.own(1, "Boston", "New York", "red")
    game.own(2, "Dallas", "Houston")
    game.end()
    assert game.part(c.POINTS_TRAIL) == [10, 10, 0]


def test_all_who_tie_for_the_most_tickets_score_them_and_nobody_without_one() -> None:
    game = bare("usa:mega", 3)
    game.end()
    assert game.part(c.POINTS_MOST_TICKETS) == [0, 0, 0]
    game = bare("usa:mega", 3)
    game.own(0, "Denver", "Santa Fe")
    game.own(0, "El Paso", "Santa Fe")
    game.hold(0, ("Denver", "El Paso"))
    game.own(1, "Portland", "Seattle")
    game.own(1, "Seattle", "Vancouver")
    game.hold(1, ("Portland", "Vancouver"))
    game.hold(2, ("Portland", "Vancouver"))
    game.end()
    assert game.part(c.POINTS_MOST_TICKETS) == [15, 15, 0]


def test_the_most_points_win() -> None:
    game = bare("usa", 3)
    game.table.score[:3] = [7, 30, 9]
    assert [int(seat["rank"]) for seat in game.end()] == [3, 1, 2]


def test_players_tied_to_the_end_share_the_win_and_the_next_rank_is_left_out() -> None:
    game = bare("usa", 4)
    game.table.score[:4] = [30, 7, 30, 9]
    assert [int(seat["rank"]) for seat in game.end()] == [1, 4, 1, 3]


def test_of_equal_points_more_completed_tickets_win() -> None:
    game = bare("usa", 2)
    for a, b in (("Boston", "Montreal"), ("Montreal", "New York")):
        game.own(0, a, b)
    game.own(1, "Denver", "Santa Fe")
    game.own(1, "El Paso", "Santa Fe")
    game.hold(1, ("Denver", "El Paso"))
    assert game.end_level() == [2, 1]


def test_of_equal_tickets_too_the_holder_of_the_longest_trail_wins_in_the_usa() -> None:
    game = bare("usa", 2)
    game.own(1, "Boston", "Montreal")
    assert game.end_level() == [2, 1]


@pytest.mark.parametrize(("built", "ranks"), [((1, 0), [2, 1]), ((1, 1), [1, 2]), ((0, 1), [1, 2])])
def test_in_europe_fewer_stations_come_before_the_longest_trail(built: tuple[int, int], ranks: list[int]) -> None:
    game = bare("europe", 2)
    game.own(0, "Brest", "Dieppe")
    for seat, city in enumerate(("Wien", "Roma")):
        game.build(seat, *[city] * built[seat])
    assert game.end_level() == ranks


def test_in_the_old_west_only_tickets_break_a_tie() -> None:
    game = bare("old_west", 2)
    game.own(0, "Seattle", "Spokane")
    assert game.end_level() == [1, 1]

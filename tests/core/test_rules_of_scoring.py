"""Corner cases of the rules, one by one, played on the core: souvenirs, stations, bonuses and ties."""

import pytest

from ttrsim.core import constants as c

from .scene import Scene

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
    """Give seat 0 Essen–Berlin and Marseille–Roma, seat 1 Frankfurt–Paris–Marseille and Frankfurt–Essen."""
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
    """Return the tickets the seat has completed at the end."""
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
    """Return a game in which nobody has a ticket."""
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

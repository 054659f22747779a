"""Own network, city markers and Alvin, by the words and examples of the Old West rulebook."""

from . import scenes
from .actions import CITY, CLAIM, DECLINE, decode
from .game import ReferenceGame

STARTS = {0: "Salt Lake City", 1: "Seattle", 2: "Denver"}


def cities_offered(game: ReferenceGame) -> set[str]:
    return {game.board.cities[a - CITY].name for a in game.legal_actions() if CITY <= a < CLAIM}


def marker_ways(game: ReferenceGame) -> set[tuple[str, str, int]]:
    paid = [(place, way) for word, place, way in scenes.paid_actions(game) if word == "MARKER"]
    return {(game.board.cities[place].name, *way) for place, way in paid}


def mark(game: ReferenceGame, seat: int, city: str) -> None:
    game.markers[game.board.city(city)] = seat
    game.marker_turn[game.board.city(city)] = -1


def test_start_cities_are_chosen_from_the_last_player_to_the_first() -> None:
    game = scenes.at_opening("old_west", 3)
    while game.phase == "OPENING":
        game.apply(game.legal_actions()[0])
    chosen = []
    while game.phase == "START":
        chosen.append(game.seat)
        scenes.go_to(game, STARTS[game.seat])
        assert STARTS[chosen[-1]] not in cities_offered(game)
    assert chosen == [2, 1, 0]
    assert (game.phase, game.seat) == ("TURN", 0)


def test_every_claim_touches_the_network_that_grows_from_the_start_city() -> None:
    game = scenes.at_first_turn("old_west", 2, STARTS)
    scenes.give(game, 0, "9 red, 9 blue, 9 yellow, 9 orange, 9 wild")

    def reachable() -> set[str]:
        claims = {decode(a)[1][0] for a in game.legal_actions() if a >= CLAIM}
        routes = [game.board.routes[r] for r in claims]
        return {f"{game.board.cities[r.a].name}–{game.board.cities[r.b].name}" for r in routes}

    assert reachable()
    assert all("Salt Lake City" in name for name in reachable())
    scenes.claim(game, "Salt Lake City", "Green River", "red")
    game.apply(DECLINE)
    scenes.turn_of(game, 0)
    assert all("Salt Lake City" in name or "Green River" in name for name in reachable())
    scenes.claim(game, "Cheyenne", "Green River", "red", track="red")
    game.apply(DECLINE)
    scenes.turn_of(game, 0)
    assert all({"Salt Lake City", "Green River", "Cheyenne"} & set(name.split("–")) for name in reachable())
    assert "Cheyenne–Denver" in reachable()


def test_the_owner_of_a_marker_scores_the_route_that_another_claims_into_the_city() -> None:
    game = scenes.at_first_turn("old_west", 2, {0: "Salt Lake City", 1: "St. George"})
    del game.markers[game.board.city("St. George")]
    scenes.turn_of(game, 1)
    scenes.give(game, 1, "4 red")
    scenes.claim(game, "St. George", "Salt Lake City", "red", track="red")
    assert game.scores == [7, 0]
    assert game.points[0].markers == 7


def test_the_owner_of_both_markers_scores_twice() -> None:
    game = scenes.at_first_turn("old_west", 2, {0: "Salt Lake City", 1: "St. George"})
    mark(game, 0, "St. George")
    scenes.turn_of(game, 1)
    scenes.give(game, 1, "4 red")
    scenes.claim(game, "St. George", "Salt Lake City", "red", track="red")
    assert game.scores == [14, 0]


def test_both_controllers_score_and_the_claimer_as_one_of_them() -> None:
    game = scenes.at_first_turn("old_west", 2, {0: "Salt Lake City", 1: "St. George"})
    scenes.give(game, 0, "4 red")
    scenes.claim(game, "St. George", "Salt Lake City", "red", track="red")
    assert game.scores == [7, 7]
    assert (game.points[0].routes, game.points[1].markers) == (7, 7)


def test_two_controllers_score_while_a_third_player_who_claims_does_not() -> None:
    game = scenes.at_first_turn("old_west", 3, {0: "Salt Lake City", 1: "St. George", 2: "Denver"})
    game.start_cities[2] = game.board.city("Salt Lake City")
    scenes.turn_of(game, 2)
    scenes.give(game, 2, "4 red")
    scenes.claim(game, "St. George", "Salt Lake City", "red", track="red")
    assert game.scores == [7, 7, 0]


def test_who_claims_into_the_own_city_scores_once_and_between_own_cities_twice() -> None:
    game = scenes.at_first_turn("old_west", 2, STARTS)
    scenes.give(game, 0, "5 red, 9 wild")
    scenes.claim(game, "Salt Lake City", "Green River", "red")
    assert game.scores == [1, 0]
    scenes.place_marker(game, "Green River", "red")
    assert game.scores == [1, 0]  # this turn's marker came too late for the route
    mark(game, 0, "St. George")
    scenes.turn_of(game, 0)
    scenes.claim(game, "St. George", "Salt Lake City", "wild", 4, track="red")
    assert game.scores == [15, 0]
    assert game.points[0].routes == 15


def test_a_marker_costs_two_cards_of_one_colour_or_wilds_at_a_free_end_of_the_route() -> None:
    game = scenes.at_first_turn("old_west", 2, STARTS)
    scenes.give(game, 0, "3 red, 1 blue, 2 wild")
    scenes.claim(game, "Salt Lake City", "Green River", "red")
    ways = {("red", 0), ("red", 1), ("blue", 1), ("wild", 2)}
    assert marker_ways(game) == {("Green River", *way) for way in ways}
    assert DECLINE in game.legal_actions()
    scenes.place_marker(game, "Green River", "blue", wilds=1)
    assert game.discards == scenes.cards(game.board, "1 red, 1 blue, 1 wild")
    assert game.markers[game.board.city("Green River")] == 0


def test_no_marker_is_asked_for_without_two_cards_a_free_end_or_a_marker_left() -> None:
    for hand, extra in [("2 red, 1 blue", ()), ("3 red", ("Green River",)), ("3 red", ("Eugene", "Bend"))]:
        game = scenes.at_first_turn("old_west", 2, STARTS)
        scenes.give(game, 0, hand)
        for city in extra:
            game.markers[game.board.city(city)] = 1 if city == "Green River" else 0
        assert (game.phase, game.seat) == ("TURN", 0)
        scenes.claim(game, "Salt Lake City", "Green River", "red")
        assert (game.phase, game.seat) == ("TURN", 1)


def test_roswell_is_an_ordinary_city_without_alvin() -> None:
    game = scenes.at_first_turn("old_west", 2, {0: "Roswell", 1: "Seattle"})
    assert game.markers[game.board.city("Roswell")] == 0


# Alvin


def alvin_game() -> ReferenceGame:
    """Start player 0 at Albuquerque, player 1 at Santa Fe, player 2 at Las Cruces; all border on Roswell."""
    game = scenes.at_first_turn("old_west:alvin", 3, {0: "Albuquerque", 1: "Santa Fe", 2: "Las Cruces"})
    scenes.give(game, 0, "4 red")
    scenes.give(game, 1, "7 yellow")
    scenes.give(game, 2, "4 green")
    return game


def test_nobody_starts_or_places_a_marker_where_alvin_starts() -> None:
    game = scenes.at_opening("old_west:alvin", 2)
    while game.phase == "OPENING":
        game.apply(game.legal_actions()[0])
    assert "Roswell" not in cities_offered(game)
    game = alvin_game()
    scenes.claim(game, "Albuquerque", "Roswell", "red")
    scenes.go_to(game, "Albuquerque")
    assert (game.phase, game.seat) == ("TURN", 1)  # player 0 has two red cards left, but Roswell takes no marker


def test_the_first_route_into_roswell_captures_alvin_for_ten_points() -> None:
    game = alvin_game()
    scenes.claim(game, "Albuquerque", "Roswell", "red")
    assert (game.phase, game.seat) == ("ALVIN", 0)
    assert game.scores == [12, 0, 0]
    assert cities_offered(game) == {"Albuquerque"}
    scenes.go_to(game, "Albuquerque")
    assert game.alvin_city == game.board.city("Albuquerque")


def test_another_player_who_claims_into_alvins_city_captures_him_again() -> None:
    game = alvin_game()
    scenes.claim(game, "Albuquerque", "Roswell", "red")
    scenes.go_to(game, "Albuquerque")
    scenes.give(game, 1, "1 green, 3 yellow")
    scenes.claim(game, "Roswell", "Santa Fe", "yellow")
    assert (game.phase, game.seat) == ("TURN", 2)  # Alvin has left Roswell
    scenes.turn_of(game, 1)
    scenes.claim(game, "Albuquerque", "Santa Fe", "green", track="green")
    assert (game.phase, game.seat) == ("ALVIN", 1)
    assert [p.captures for p in game.points] == [10, 10, 0]
    assert cities_offered(game) == {"Santa Fe"}
    scenes.go_to(game, "Santa Fe")
    assert game.alvin_holder == 1


def test_the_holder_of_alvin_does_not_capture_him_again() -> None:
    game = alvin_game()
    scenes.claim(game, "Albuquerque", "Roswell", "red")
    scenes.go_to(game, "Albuquerque")
    scenes.give(game, 0, "2 white")
    scenes.turn_of(game, 0)
    scenes.claim(game, "Albuquerque", "Durango", "white")
    assert game.phase == "TURN"
    assert game.points[0].captures == 10


def test_alvin_goes_to_any_city_with_a_marker_of_the_captor() -> None:
    game = alvin_game()
    mark(game, 0, "Santa Fe")
    game.markers[game.board.city("Pueblo")] = 0
    scenes.claim(game, "Albuquerque", "Roswell", "red")
    assert cities_offered(game) == {"Albuquerque", "Santa Fe", "Pueblo"}


def test_alvin_is_moved_before_the_marker_is_placed() -> None:
    game = alvin_game()
    scenes.claim(game, "Albuquerque", "Roswell", "red")
    scenes.go_to(game, "Albuquerque")
    scenes.give(game, 1, "1 green, 2 blue")
    scenes.own(game, 1, "Pueblo", "Santa Fe", "black")
    game.start_cities[1] = game.board.city("Pueblo")
    scenes.claim(game, "Albuquerque", "Santa Fe", "green", track="green")
    assert cities_offered(game) == {"Santa Fe"}
    del game.markers[game.board.city("Santa Fe")]
    mark(game, 1, "Pueblo")
    game.apply(CITY + game.board.city("Pueblo"))
    assert game.phase == "MARKER"
    assert marker_ways(game) == {("Santa Fe", "blue", 0)}


def test_who_holds_alvin_at_the_end_scores_ten_more() -> None:
    game = alvin_game()
    scenes.claim(game, "Albuquerque", "Roswell", "red")
    scenes.go_to(game, "Albuquerque")
    game.check()
    game.phase = "OVER"
    results = game.result()
    assert [r["alvin_capture_points"] for r in results] == [10, 0, 0]
    assert [r["alvin_holder_points"] for r in results] == [10, 0, 0]

"""Claiming routes, ferries, tunnels and building stations, by the rulebooks' printed examples."""

from collections import Counter

import pytest

from . import scenes
from .actions import DECLINE, PAY, WILD
from .game import ReferenceGame


def test_a_yellow_route_of_three_is_paid_in_four_ways() -> None:
    game = scenes.at_first_turn("europe", 2)
    scenes.give(game, 0, "3 yellow, 3 wild, 5 red")
    ways = {("yellow", 0), ("yellow", 1), ("yellow", 2), ("wild", 3)}
    assert scenes.claims_of(game, "Bucuresti", "Constantinople") == ways


def test_a_gray_route_of_two_takes_any_one_colour() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.give(game, 0, "2 red, 1 yellow, 2 wild")
    ways = {("red", 0), ("red", 1), ("yellow", 1), ("wild", 2)}
    assert scenes.claims_of(game, "Dallas", "Little Rock") == ways


def test_a_coloured_route_takes_its_own_colour_only() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.give(game, 0, "3 blue, 3 red")
    assert scenes.claims_of(game, "Montreal", "New York") == {("blue", 0)}


def test_colours_are_never_mixed() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.give(game, 0, "1 red, 1 yellow")
    assert scenes.claims_of(game, "Dallas", "Little Rock") == set()


def test_the_ferry_from_smyrna_to_palermo_costs_two_wilds_and_four_of_a_colour() -> None:
    game = scenes.at_first_turn("europe", 2)
    scenes.give(game, 0, "6 red, 2 wild, 3 blue")
    assert scenes.claims_of(game, "Smyrna", "Palermo") == {("red", 2)}
    scenes.give(game, 0, "6 red, 1 wild")
    assert scenes.claims_of(game, "Smyrna", "Palermo") == set()
    scenes.give(game, 0, "2 red, 4 wild")
    assert scenes.claims_of(game, "Smyrna", "Palermo") == {("red", 4)}


def test_the_payment_is_discarded_and_the_trains_are_placed() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.give(game, 0, "2 blue, 1 wild, 1 red")
    scenes.claim(game, "Montreal", "New York", "blue", wilds=1)
    assert game.discards == scenes.cards(game.board, "2 blue, 1 wild")
    assert +game.hands[0] == scenes.cards(game.board, "1 red")
    assert (game.trains[0], game.scores[0], game.seat) == (42, 4, 1)


def test_routes_score_by_the_printed_tables() -> None:
    tables = {
        "usa": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15},
        "europe": {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21},
        "old_west": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18},
        "san_francisco": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10},
    }
    for name, table in tables.items():
        game = scenes.at_first_turn(name, 2)
        for length, points in table.items():
            route = next(r for r in game.board.routes if r.length == length)
            game.claimed, before = route.index, game.scores[0]
            game.markers = {}
            game._score_claim()
            assert game.scores[0] - before == points


def test_a_route_longer_than_the_supply_of_trains_is_out_of_reach() -> None:
    game = scenes.at_first_turn("usa", 2)
    scenes.give(game, 0, "3 blue")
    game.trains[0] = 3
    assert scenes.claims_of(game, "Montreal", "New York") == {("blue", 0)}
    game.trains[0] = 2
    assert scenes.claims_of(game, "Montreal", "New York") == set()


@pytest.mark.parametrize(
    ("name", "players", "opened"),
    [
        ("usa", 2, False),
        ("usa", 3, False),
        ("usa", 4, True),
        ("europe", 3, False),
        ("europe", 4, True),
        ("old_west", 3, False),
        ("old_west", 4, True),
        ("san_francisco", 2, False),
        ("san_francisco", 3, True),
    ],
)
def test_parallel_routes_close_with_few_players_and_never_have_one_owner(name: str, players: int, opened: bool) -> None:
    game = scenes.at_first_turn(name, players)
    pair = next(twins for twins in game.board.connections if len(twins) == 2)
    first, second = (game.board.routes[r] for r in pair)
    game.start_cities = dict.fromkeys(range(players), first.a)
    colour = "red" if second.colour is None else game.board.colour_name(second.colour)
    many = 1 + second.ferry
    for seat in (0, 1):
        game.owner = {first.index: 0}
        scenes.turn_of(game, seat)
        scenes.give(game, seat, f"{second.length} {colour}, {many} wild")
        offered = [place for word, place, _ in scenes.paid_actions(game) if word == "CLAIM"]
        assert first.index not in offered
        assert (second.index in offered) == (seat == 1 and opened)
        game.owner = {}
        offered = [place for word, place, _ in scenes.paid_actions(game) if word == "CLAIM"]
        assert second.index in offered


def test_the_third_of_three_parallel_routes_is_open_to_the_third_player() -> None:
    game = scenes.at_first_turn("old_west", 4)
    game.start_cities = dict.fromkeys(range(4), game.board.city("Portland"))
    scenes.own(game, 0, "Portland", "Seattle", "green")
    scenes.own(game, 1, "Portland", "Seattle", "orange")
    scenes.turn_of(game, 2)
    scenes.give(game, 2, "2 yellow")
    assert scenes.claims_of(game, "Portland", "Seattle", "yellow") == {("yellow", 0)}
    scenes.turn_of(game, 1)
    scenes.give(game, 1, "2 yellow")
    assert scenes.claims_of(game, "Portland", "Seattle", "yellow") == set()


# Tunnels: Sarajevo–Sofia is a gray one of two spaces, as in the rulebook's three pictures


def tunnel(hand: str, turned_up: str, colour: str, wilds: int = 0) -> ReferenceGame:
    game = scenes.at_first_turn("europe", 2)
    scenes.show(game, "1 pink, 1 white, 1 orange, 1 yellow, 1 black")
    scenes.give(game, 0, hand)
    scenes.on_top(game, turned_up)
    scenes.claim(game, "Sarajevo", "Sofia", colour, wilds)
    return game


def test_two_red_cards_and_one_red_turned_up_ask_for_one_more_red() -> None:
    game = tunnel("3 red", "1 red, 1 blue, 1 green", "red")
    assert game.phase == "TUNNEL"
    assert game.legal_actions() == [DECLINE, PAY + 0]
    game.apply(PAY + 0)
    game.check()
    assert len(game.owner) == 1
    assert game.scores[0] == 2
    assert game.trains[0] == 43
    assert game.discards == scenes.cards(game.board, "4 red, 1 blue, 1 green")


def test_two_green_cards_and_one_wild_turned_up_ask_for_a_green_or_a_wild() -> None:
    game = tunnel("3 green, 1 wild", "1 wild, 1 blue, 1 red", "green")
    assert game.legal_actions() == [DECLINE, PAY + 0, PAY + 1]


def test_two_wilds_and_one_wild_turned_up_ask_for_one_more_wild() -> None:
    game = tunnel("3 wild, 4 red", "1 wild, 2 red", "wild", 2)
    assert game.legal_actions() == [DECLINE, PAY + 1]
    game.apply(PAY + 1)
    assert +game.hands[0] == scenes.cards(game.board, "4 red")


def test_two_wilds_are_asked_nothing_for_colours_turned_up() -> None:
    game = tunnel("2 wild", "2 red, 1 blue", "wild", 2)
    assert len(game.owner) == 1
    assert (game.phase, game.seat) == ("TURN", 1)


def test_a_colour_and_a_wild_are_asked_for_both() -> None:
    game = tunnel("2 red, 3 wild", "1 red, 1 wild, 1 blue", "red", 1)
    assert game.legal_actions() == [DECLINE, PAY + 1, PAY + 2]


def test_who_withdraws_takes_the_payment_back_and_the_turn_is_over() -> None:
    game = tunnel("3 red", "1 red, 1 blue, 1 green", "red")
    game.apply(DECLINE)
    game.check()
    assert +game.hands[0] == scenes.cards(game.board, "3 red")
    assert game.discards == scenes.cards(game.board, "1 red, 1 blue, 1 green")
    assert (game.owner, game.phase, game.seat) == ({}, "TURN", 1)


def test_who_cannot_pay_is_not_asked() -> None:
    game = tunnel("2 red, 4 blue", "1 red, 2 blue", "red")
    assert +game.hands[0] == scenes.cards(game.board, "2 red, 4 blue")
    assert (game.owner, game.phase, game.seat) == ({}, "TURN", 1)


def test_fewer_cards_than_three_are_turned_up_at_the_end_of_the_deck() -> None:
    game = scenes.at_first_turn("europe", 2)
    scenes.give(game, 0, "3 red")
    scenes.on_top(game, "1 red")
    scenes.bare_deck(game, keep=1)
    scenes.claim(game, "Sarajevo", "Sofia", "red")
    assert game.tunnel is not None
    assert game.tunnel.revealed == scenes.cards(game.board, "1 red")
    assert game.legal_actions() == [DECLINE, PAY + 0]


def test_a_tunnel_is_simply_claimed_when_no_card_can_be_turned_up() -> None:
    game = scenes.at_first_turn("europe", 2)
    scenes.give(game, 0, "2 red")
    scenes.bare_deck(game)
    scenes.claim(game, "Sarajevo", "Sofia", "red")
    assert len(game.owner) == 1


def test_the_payment_on_the_table_is_not_shuffled_into_the_deck_that_is_turned_up() -> None:
    game = scenes.at_first_turn("europe", 2)
    scenes.give(game, 0, "3 red")
    scenes.bare_deck(game)
    game.hands[1].subtract({WILD: 1})
    game.discards = Counter({WILD: 1})
    scenes.claim(game, "Sarajevo", "Sofia", "red")
    assert game.tunnel is not None
    assert game.tunnel.revealed == Counter({WILD: 1})
    assert game.discards.total() == 0


# Stations


def test_stations_cost_one_then_two_then_three_cards_of_one_colour() -> None:
    game = scenes.at_first_turn("europe", 2)

    def ways(hand: str) -> set[tuple[str, int]]:
        scenes.turn_of(game, 0)
        scenes.give(game, 0, hand)
        return {way for word, _, way in scenes.paid_actions(game) if word == "STATION"}

    assert ways("3 red, 1 blue, 1 wild") == {("red", 0), ("blue", 0), ("wild", 1)}
    scenes.station(game, "Wien", "blue")
    assert ways("3 red, 1 blue, 1 wild") == {("red", 0), ("red", 1), ("blue", 1)}
    scenes.station(game, "Roma", "blue", wilds=1)
    assert ways("2 red, 1 blue, 3 wild") == {("red", 1), ("red", 2), ("blue", 2), ("wild", 3)}
    scenes.station(game, "Berlin", "wild", wilds=3)
    assert ways("4 red, 4 blue, 3 wild") == set()


def test_a_city_has_one_station_at_most() -> None:
    game = scenes.at_first_turn("europe", 2)
    scenes.give(game, 0, "1 red")
    scenes.give(game, 1, "1 red")
    scenes.station(game, "Wien", "red")
    assert game.seat == 1
    cities = {place for word, place, _ in scenes.paid_actions(game) if word == "STATION"}
    assert cities == set(range(47)) - {game.board.city("Wien")}

"""The final scores and the tie-breaks, held against the rulebooks."""

from dataclasses import replace
from itertools import combinations, pairwise
from random import Random

import networkx as nx
import pytest

from ttrsim.boards import Route, Ticket

from . import scenes
from .game import ReferenceGame
from .scoring import longest_trail

BEST_USA_ROUTES = """Atlanta–Miami, Atlanta–Nashville, Boston–Montreal, Boston–New York, Chicago–Pittsburgh,
Chicago–Saint Louis, Denver–Kansas City, Denver–Santa Fe, Kansas City–Saint Louis, Los Angeles–Phoenix,
Los Angeles–San Francisco, Nashville–Saint Louis, New York–Pittsburgh, Phoenix–Santa Fe, Pittsburgh–Toronto,
Portland–San Francisco, Portland–Seattle, Seattle–Vancouver"""
BEST_USA_TICKETS = """Boston–Miami, Chicago–Santa Fe, Denver–Pittsburgh, Los Angeles–Chicago, Los Angeles–Miami,
Los Angeles–New York, Montreal–Atlanta, New York–Atlanta, Portland–Nashville, Portland–Phoenix, San Francisco–Atlanta,
Seattle–Los Angeles, Seattle–New York, Toronto–Miami, Vancouver–Montreal, Vancouver–Santa Fe"""


def pairs(text: str) -> list[tuple[str, str]]:
    split = [name.split("–") for name in text.replace("\n", " ").split(",")]
    return [(a.strip(), b.strip()) for a, b in split]


def own_all(game: ReferenceGame, seat: int, text: str) -> None:
    for a, b in pairs(text):
        scenes.own(game, seat, a, b)


# Tickets


def test_completed_tickets_add_their_points_and_the_others_take_them_off() -> None:
    game = scenes.finished("usa", 2)
    own_all(game, 0, "Denver–Santa Fe, El Paso–Santa Fe")
    done, _ = scenes.hold_tickets(game, 0, ("Denver", "El Paso"), ("Kansas City", "Houston"))
    r = game.result()[0]
    assert (r["completed"], r["tickets_won"], r["tickets_lost"]) == ({done}, 4, 5)
    assert r["score"] == 2 + 2 + 4 - 5 + 10


def test_routes_of_others_do_not_complete_a_ticket() -> None:
    game = scenes.finished("usa", 2)
    scenes.hold_tickets(game, 0, ("Denver", "El Paso"))
    own_all(game, 0, "Denver–Santa Fe")
    own_all(game, 1, "El Paso–Santa Fe")
    assert game.result()[0]["tickets_lost"] == 4


def test_the_best_network_of_45_trains_scores_285_without_the_bonus() -> None:
    game = scenes.finished("usa", 2)
    own_all(game, 0, BEST_USA_ROUTES)
    scenes.hold_tickets(game, 0, *pairs(BEST_USA_TICKETS))
    r = game.result()[0]
    assert game.trains[0] == 0
    assert (r["route_points"], r["tickets_won"], r["tickets_lost"]) == (62, 223, 0)
    assert r["score"] - r["longest_trail_bonus"] == 285


def test_the_most_completed_tickets_score_15_for_all_who_tie() -> None:
    game = scenes.finished("usa:1910", 3)
    assert [r["most_tickets_bonus"] for r in game.result()] == [0, 0, 0]
    one, other = game.board.tickets[0], game.board.tickets[1]
    game.tickets = [[one.index], [other.index], []]
    for seat, ticket in ((0, one), (1, other)):
        graph = nx.Graph((r.a, r.b) for r in game.board.routes)
        path = nx.shortest_path(graph, ticket.a, ticket.b)
        for a, b in pairwise(path):
            game.owner[next(r.index for r in game.board.routes if {r.a, r.b} == {a, b})] = seat
    assert [r["most_tickets_bonus"] for r in game.result()] == [15, 15, 0]


# Stations


def with_station(city: str) -> ReferenceGame:
    """Let player 0 reach Berlin and Roma, and player 1 own the ways from there to Paris; build player 0 a station."""
    game = scenes.finished("europe:mega", 2)
    game.stations[game.board.city(city)] = 0
    scenes.own(game, 0, "Berlin", "Frankfurt", "red")
    scenes.own(game, 0, "Marseille", "Roma")
    scenes.own(game, 1, "Frankfurt", "Paris", "white")
    scenes.own(game, 1, "Marseille", "Paris")
    return game


def test_a_station_lends_one_route_the_same_for_all_tickets() -> None:
    game = with_station("Paris")
    berlin, roma = scenes.hold_tickets(game, 0, ("Berlin", "Paris"), ("Paris", "Roma"))
    r = game.result()[0]
    assert (r["completed"], r["tickets_won"], r["tickets_lost"]) == ({roma}, 10, 7)
    game.stations[game.board.city("Frankfurt")] = 0
    assert game.result()[0]["completed"] == {berlin, roma}


def test_one_borrowed_route_serves_several_tickets() -> None:
    game = with_station("Paris")
    own_all(game, 0, "Berlin–Wien")
    berlin, _, wien = scenes.hold_tickets(game, 0, ("Berlin", "Paris"), ("Paris", "Roma"), ("Paris", "Wien"))
    assert game.result()[0]["completed"] == {berlin, wien}


def test_of_equal_ticket_points_the_more_tickets_are_completed() -> None:
    game = with_station("Paris")
    own_all(game, 0, "Berlin–Essen, Amsterdam–Essen, Amsterdam–London")
    paris, roma, berlin, london = (game.board.city(name) for name in ("Paris", "Roma", "Berlin", "London"))
    tickets = (
        Ticket(0, paris, roma, 10, False),
        Ticket(1, paris, berlin, 7, False),
        Ticket(2, paris, london, 3, False),
    )
    game.board = replace(game.board, tickets=tickets)
    game.tickets[0] = [0, 1, 2]
    assert game.result()[0]["completed"] == {1, 2}


def test_of_equal_choices_the_ticket_of_the_lowest_index_is_completed() -> None:
    game = with_station("Paris")
    own_all(game, 0, "Roma–Venezia, Venezia–Zágráb")
    berlin, zagreb = scenes.hold_tickets(game, 0, ("Berlin", "Paris"), ("Paris", "Zágráb"))  # 7 each
    assert game.result()[0]["completed"] == {min(berlin, zagreb)}


def test_a_station_lends_only_routes_that_end_in_its_city() -> None:
    game = with_station("Dieppe")
    scenes.hold_tickets(game, 0, ("Berlin", "Paris"))
    assert game.result()[0]["completed"] == set()


def test_a_station_lends_no_route_that_nobody_owns() -> None:
    game = with_station("Paris")
    scenes.hold_tickets(game, 0, ("Berlin", "Paris"))
    game.owner = {r: owner for r, owner in game.owner.items() if owner == 0}
    assert game.result()[0]["completed"] == set()


def test_a_borrowed_route_does_not_lengthen_the_trail() -> None:
    game = with_station("Paris")
    assert [r["longest_trail"] for r in game.result()] == [4, 7]


def test_each_station_left_scores_four() -> None:
    game = scenes.finished("europe", 2)
    game.stations = {3: 0, 4: 0, 5: 1}
    assert [r["unused_station_points"] for r in game.result()] == [4, 8]


# Longest trail


def routes_of(text: str) -> list[Route]:
    """`routes_of("A B 4, B C 6")`."""
    split = [part.split() for part in text.split(",")]
    cities = sorted({name for a, b, _ in split for name in (a, b)})
    return [
        Route(i, cities.index(a), cities.index(b), int(length), None, 0, False, i, 0.0)
        for i, (a, b, length) in enumerate(split)
    ]


@pytest.mark.parametrize(
    ("text", "trains"),
    [
        ("Seattle Calgary 4, Calgary Winnipeg 6, Winnipeg Duluth 4", 14),
        ("Boston Montreal 2, Montreal NewYork 3, NewYork Boston 2", 7),
        ("Boston Montreal 2, Montreal NewYork 3, NewYork Boston 2, Sault Montreal 5, Sault Duluth 3", 15),
        ("Calgary Helena 4, Helena Duluth 6, Helena Denver 4", 10),
        ("Calgary Helena 4, Helena Duluth 6, Helena Denver 4, Denver Omaha 4", 14),
        ("Portland Lake 6, Helena Lake 3, Vegas Lake 3, Vegas Angeles 2, Denver Lake 3, Denver Kansas 4", 13),
        ("Boston NewYork 2, Seattle Portland 1", 2),
    ],
)
def test_the_longest_trail_of_known_networks(text: str, trains: int) -> None:
    assert longest_trail(routes_of(text)) == trains


def by_euler(routes: list[Route]) -> int:
    """Return the longest of all sets of routes that are in one piece and have at most two cities of odd degree."""
    best = 0
    for size in range(1, len(routes) + 1):
        for chosen in combinations(routes, size):
            graph: nx.MultiGraph[int] = nx.MultiGraph((r.a, r.b) for r in chosen)
            if nx.has_eulerian_path(graph):
                best = max(best, sum(r.length for r in chosen))
    return best


@pytest.mark.parametrize("seed", range(25))
def test_the_longest_trail_is_the_longest_set_of_routes_that_can_be_walked(seed: int) -> None:
    rng = Random(seed)
    ends = rng.sample(list(combinations(range(6), 2)), rng.randint(1, 9))
    routes = [Route(i, a, b, rng.randint(1, 6), None, 0, False, i, 0.0) for i, (a, b) in enumerate(ends)]
    assert longest_trail(routes) == by_euler(routes)


def test_the_longest_trail_scores_ten_for_all_who_tie_and_nothing_for_nobody() -> None:
    game = scenes.finished("usa", 3)
    assert [r["longest_trail_bonus"] for r in game.result()] == [0, 0, 0]
    own_all(game, 0, "Boston–Montreal")
    own_all(game, 1, "Boston–New York")
    own_all(game, 2, "Dallas–Houston")
    assert [r["longest_trail_bonus"] for r in game.result()] == [10, 10, 0]


# Ranks


def levelled(game: ReferenceGame) -> list[int]:
    """Return the ranks when route points are changed so that all final scores are equal."""
    scores = [r["score"] for r in game.result()]
    for seat, points in enumerate(game.points):
        points.routes += 100 - scores[seat]
    results = game.result()
    assert {r["score"] for r in results} == {100}
    return [r["rank"] for r in results]


def test_the_most_points_win() -> None:
    game = scenes.finished("usa", 3)
    for seat, points in enumerate([7, 30, 9]):
        game.points[seat].routes = points
    results = game.result()
    assert [r["rank"] for r in results] == [3, 1, 2]
    assert [r["win_share"] for r in results] == [0.0, 1.0, 0.0]


def test_tied_winners_share_the_win_and_the_next_rank_is_left_out() -> None:
    game = scenes.finished("usa", 4)
    for seat, points in enumerate([30, 7, 30, 9]):
        game.points[seat].routes = points
    results = game.result()
    assert [r["rank"] for r in results] == [1, 4, 1, 3]
    assert [r["win_share"] for r in results] == [0.5, 0.0, 0.5, 0.0]


def test_of_equal_points_more_completed_tickets_win() -> None:
    game = scenes.finished("usa", 2)
    own_all(game, 0, "Boston–Montreal, Montreal–New York, Boston–New York")
    own_all(game, 1, "Denver–Santa Fe, El Paso–Santa Fe")
    scenes.hold_tickets(game, 1, ("Denver", "El Paso"))
    assert game.result()[0]["longest_trail_bonus"] == 10
    assert levelled(game) == [2, 1]


def test_of_equal_tickets_too_the_holder_of_the_longest_trail_wins_in_the_usa() -> None:
    game = scenes.finished("usa", 2)
    own_all(game, 1, "Boston–Montreal")
    assert levelled(game) == [2, 1]


def test_in_europe_fewer_stations_come_before_the_longest_trail() -> None:
    game = scenes.finished("europe", 2)
    own_all(game, 0, "Brest–Dieppe")
    game.stations = {3: 0}
    assert levelled(game) == [2, 1]
    game.stations = {3: 0, 4: 1}
    assert levelled(game) == [1, 2]


def test_in_the_old_west_only_tickets_break_a_tie() -> None:
    game = scenes.finished("old_west", 2)
    own_all(game, 0, "Seattle–Spokane")
    assert levelled(game) == [1, 1]

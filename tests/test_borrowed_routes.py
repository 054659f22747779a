"""Borrowed routes: they complete the tickets that the core says are completed, and none of them is too many."""

from itertools import combinations

import networkx as nx
import pytest

from ttrsim.boards import load_board
from ttrsim.encode import members
from ttrsim.games import make_games
from ttrsim.report.story import borrowed_routes, fewest_borrowed

EUROPE = load_board("europe")
SERIES = [("europe", 2, 8), ("europe:mega", 4, 8), ("europe:1912", 5, 4)]


@pytest.fixture(scope="module", params=SERIES, ids=lambda series: f"{series[0]}-{series[1]}")
def ends(request):
    """Board, routes of all seats, seat, its tickets, those completed, and what it borrowed, as random games ended."""
    board, players, games = request.param
    series = make_games(board, ",".join(["random"] * players), 19)
    found = []
    for index in range(games):
        recording = series.seated(index).replay()
        routes = [members(result["routes"]) for result in recording.seats[0]]
        for seat, result in enumerate(recording.seats[0]):
            borrowed = borrowed_routes(series.board, recording, seat)
            found.append((series.board, routes, seat, members(result["kept"]), members(result["completed"]), borrowed))
    return found


def connected(board, routes, tickets):
    """Return those of the tickets that the routes complete."""
    graph = nx.Graph((board.routes[r].a, board.routes[r].b) for r in routes)
    group = {city: i for i, cities in enumerate(nx.connected_components(graph)) for city in cities}
    ends = {t: (board.tickets[t].a, board.tickets[t].b) for t in tickets}
    return [t for t, (a, b) in ends.items() if a in group and group[a] == group.get(b)]


def test_stations_borrow_routes_of_opponents_that_end_there(ends):
    for board, routes, seat, _, _, borrowed in ends:
        for city, route in borrowed.items():
            assert any(route in theirs for other, theirs in enumerate(routes) if other != seat)
            assert city in (board.routes[route].a, board.routes[route].b)


def test_with_the_borrowed_routes_the_tickets_of_the_core_are_completed_and_no_other(ends):
    for board, routes, seat, tickets, completed, borrowed in ends:
        assert connected(board, [*routes[seat], *borrowed.values()], tickets) == completed


def test_without_any_one_of_the_borrowed_routes_a_ticket_fails(ends):
    some = 0
    for board, routes, seat, tickets, completed, borrowed in ends:
        some += bool(borrowed)
        for fewer in combinations(borrowed.values(), max(len(borrowed) - 1, 0)):
            assert not borrowed or connected(board, [*routes[seat], *fewer], tickets) != completed
    assert some


def route(a, b):
    ends = {EUROPE.city(a), EUROPE.city(b)}
    return next(r.index for r in EUROPE.routes if {r.a, r.b} == ends)


def lent(own, others, stations, *tickets):
    """Return what is lent, by names, to seat 1 with these routes and stations."""
    numbers = [t.index for t in EUROPE.tickets if EUROPE.ticket_name(t) in tickets]
    assert len(numbers) == len(tickets)
    routes = [[route(*ends) for ends in others], [route(*ends) for ends in own]]
    borrowed = fewest_borrowed(EUROPE, routes, 1, [EUROPE.city(city) for city in stations], numbers)
    return {EUROPE.cities[city].name: EUROPE.route_name(r) for city, r in borrowed.items()}


def test_station_that_is_not_needed_borrows_nothing():
    own = [("Budapest", "Sarajevo"), ("Sarajevo", "Sofia")]
    assert lent(own, [("Sofia", "Athina")], ["Sofia"], "Budapest–Sofia") == {}


def test_two_stations_may_borrow_two_routes_to_one_city():
    others = [("Budapest", "Sarajevo"), ("Sarajevo", "Sofia")]
    borrowed = lent([], others, ["Sofia", "Budapest", "Roma"], "Budapest–Sofia")
    assert borrowed == {"Budapest": "Budapest–Sarajevo", "Sofia": "Sarajevo–Sofia"}


def test_one_borrowed_route_is_taken_before_two():
    own = [("Sarajevo", "Sofia")]
    others = [("Budapest", "Sarajevo"), ("Sofia", "Bucuresti"), ("Bucuresti", "Budapest")]
    assert lent(own, others, ["Bucuresti", "Sofia", "Sarajevo"], "Budapest–Sofia") == {"Sarajevo": "Budapest–Sarajevo"}


def test_tickets_beyond_any_borrowed_route_are_an_error():
    with pytest.raises(ValueError, match="no use of its stations completes these tickets of seat 1"):
        lent([], [("Sofia", "Athina")], ["Sofia"], "Budapest–Sofia")

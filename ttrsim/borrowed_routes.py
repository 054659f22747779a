"""Find the routes that stations borrowed at the end of a game; the core reports only the tickets completed."""

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations, product

from ttrsim.boards import Board
from ttrsim.encode import members
from ttrsim.recording import Recording


def fewest_borrowed(
    board: Board, routes: Sequence[Collection[int]], seat: int, stations: Iterable[int], completed: Collection[int]
) -> dict[int, int]:
    """Map cities with a station to the opponents' routes borrowed there, using as few stations as the tickets need.

    routes: those that each seat owns; stations: the cities where `seat` has one; completed: the tickets completed. Of
    several ways to borrow equally few routes, return the one with the first cities, then with the first routes, in the
    order of the board's file.

    Seat 0 has Budapest–Sarajevo, seat 1 has Sarajevo–Sofia; the stations are in Roma and Sofia, the ticket is
    Budapest–Sofia:

    >>> fewest_borrowed(load_board("europe"), [{36}, {92}], 0, stations=[32, 39], completed=[23])
    {39: 92}
    """
    own = joined(board, routes[seat], list(range(len(board.cities))))
    tickets = [board.tickets[t] for t in completed]
    lent_by = {city: _routes_to_borrow(board, routes, seat, city, own) for city in sorted(stations)}
    for many in range(len(lent_by) + 1):
        for cities in combinations(lent_by, many):
            for lent in product(*(lent_by[city] for city in cities)):
                groups = joined(board, lent, own)
                if all(groups[t.a] == groups[t.b] for t in tickets):
                    return dict(zip(cities, lent, strict=True))
    raise ValueError(f"no use of its stations completes these tickets of seat {seat}: {[*completed]}")


def borrowed_routes(board: Board, recording: Recording, seat: int) -> dict[int, int]:
    """Call `fewest_borrowed` for a seat of a recorded game that has ended."""
    results = recording.seats[0]
    routes = [members(result["routes"]) for result in results]
    stations = members(recording.game.table.stations[[seat]])
    return fewest_borrowed(board, routes, seat, stations, members(results[seat]["completed"]))


def _routes_to_borrow(
    board: Board, routes: Sequence[Collection[int]], seat: int, city: int, own: Sequence[int]
) -> list[int]:
    """Return opponents' routes at a city, one to each group of cities that the seat has not connected with it."""
    to: dict[int, int] = {own[city]: -1}
    for route in sorted(r for other, theirs in enumerate(routes) if other != seat for r in theirs):
        r = board.routes[route]
        if city in (r.a, r.b):
            to.setdefault(own[r.b if r.a == city else r.a], route)
    return [route for route in to.values() if route >= 0]


def joined(board: Board, routes: Iterable[int], groups: Sequence[int]) -> list[int]:
    """Return the group of each city, as a number, after routes have joined the groups of their ends."""
    groups = list(groups)
    for route in routes:
        a, b = groups[board.routes[route].a], groups[board.routes[route].b]
        if a != b:
            groups = [a if group == b else group for group in groups]
    return groups

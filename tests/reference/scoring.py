"""The final scores, each part by the shortest way to it rather than the fastest."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from typing import TypedDict

from ttrsim.boards import Route

from .table import Table


class SeatResult(TypedDict):
    """The sources of a seat's points; they add up to `score`, with `tickets_lost` subtracted."""

    start_points: int  # given before the first turn
    route_points: int  # for routes it claimed itself
    marker_points: int  # for routes that others claimed
    tickets_won: int  # points of the completed tickets
    tickets_lost: int  # points of the others, as a positive number
    completed: set[int]  # indices of the completed tickets
    longest_trail: int  # trains on its longest trail
    longest_trail_bonus: int
    most_tickets_bonus: int
    unused_station_points: int
    alvin_capture_points: int
    alvin_holder_points: int
    token_points: int
    score: int
    rank: int  # 1 is best; seats tied to the end share a rank, and the next rank is left out
    win_share: float  # 1 / k for each of k winners


def result(game: Table) -> list[SeatResult]:
    """Return the final score of every seat."""
    seats = range(game.players)
    completed = [completed_tickets(game, seat) for seat in seats]
    trails = [longest_trail(own_routes(game, seat)) for seat in seats]
    results = [parts(game, seat, completed[seat], trails[seat]) for seat in seats]
    for seat in seats:
        r, rules = results[seat], game.board.rules
        r["longest_trail_bonus"] = rules.longest_trail_bonus * best_of(seat, trails)
        r["most_tickets_bonus"] = rules.most_tickets_bonus * best_of(seat, [len(done) for done in completed])
        r["score"] = total(r)
    rank(game, results)
    return results


def own_routes(game: Table, seat: int) -> list[Route]:
    return [game.board.routes[r] for r in sorted(game.owner) if game.owner[r] == seat]


def parts(game: Table, seat: int, completed: set[int], trail: int) -> SeatResult:
    """Return all that a seat scores by itself; bonuses, score and rank are still to come."""
    rules, points = game.board.rules, game.points[seat]
    worth = {t: game.board.tickets[t].points for t in game.tickets[seat]}
    unused = rules.stations.each - stations_used(game, seat) if rules.stations else 0
    return {
        "start_points": points.start,
        "route_points": points.routes,
        "marker_points": points.markers,
        "tickets_won": sum(worth[t] for t in completed),
        "tickets_lost": sum(worth[t] for t in worth if t not in completed),
        "completed": completed,
        "longest_trail": trail,
        "longest_trail_bonus": 0,
        "most_tickets_bonus": 0,
        "unused_station_points": rules.stations.unused_points * unused if rules.stations else 0,
        "alvin_capture_points": points.captures,
        "alvin_holder_points": rules.alvin.holder_points if rules.alvin and game.alvin_holder == seat else 0,
        "token_points": rules.souvenirs.points[len(game.tokens[seat])] if rules.souvenirs else 0,
        "score": 0,
        "rank": 0,
        "win_share": 0.0,
    }


def total(r: SeatResult) -> int:
    routes = r["start_points"] + r["route_points"] + r["marker_points"]
    tickets = r["tickets_won"] - r["tickets_lost"]
    bonuses = r["longest_trail_bonus"] + r["most_tickets_bonus"] + r["unused_station_points"]
    return routes + tickets + bonuses + r["alvin_capture_points"] + r["alvin_holder_points"] + r["token_points"]


def best_of(seat: int, numbers: list[int]) -> bool:
    """Return whether nobody has more than this seat; with nothing at all, nobody is best."""
    return numbers[seat] == max(numbers) and numbers[seat] > 0


def stations_used(game: Table, seat: int) -> int:
    return list(game.stations.values()).count(seat)


def rank(game: Table, results: list[SeatResult]) -> None:
    """Fill in ranks and win shares: by score, then by the tie-breaks of the board in their order."""

    def standing(seat: int) -> tuple[int, ...]:
        r = results[seat]
        values = {
            "tickets": len(r["completed"]),
            "fewest_stations": -stations_used(game, seat),
            "longest_trail": int(r["longest_trail_bonus"] > 0),
        }
        return (r["score"], *(values[word] for word in game.board.rules.tie_breaks))

    standings = [standing(seat) for seat in range(game.players)]
    for seat, r in enumerate(results):
        r["rank"] = 1 + sum(other > standings[seat] for other in standings)
    winners = sum(r["rank"] == 1 for r in results)
    for r in results:
        r["win_share"] = 1 / winners if r["rank"] == 1 else 0.0


# Tickets


def completed_tickets(game: Table, seat: int) -> set[int]:
    """Return the seat's tickets whose cities its routes connect, with the best route borrowed through each station.

    The best choice has the most ticket points, then the most tickets; where several are equal in both, the one
    that completes the ticket of the lowest index which not all of them complete.
    """
    alone = {city.index: city.index for city in game.board.cities}
    own = connected(alone, [(r.a, r.b) for r in own_routes(game, seat)])
    groups = [connected(own, borrowed) for borrowed in loans(game, seat)]
    tickets = [game.board.tickets[t] for t in game.tickets[seat]]
    choices = [{t.index for t in tickets if group[t.a] == group[t.b]} for group in groups]

    def order(done: set[int]) -> tuple[int, int, list[int]]:
        return -sum(game.board.tickets[t].points for t in done), -len(done), sorted(done)

    return min(choices, key=order)


def loans(game: Table, seat: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield every way to borrow one route through each of the seat's stations, as pairs of cities."""
    yield from product(*(borrowable(game, seat, city) for city, owner in game.stations.items() if owner == seat))


def borrowable(game: Table, seat: int, city: int) -> set[tuple[int, int]]:
    """Return the ends of the opponents' routes into the city; a loop of the city to itself if there are none."""
    theirs = [game.board.routes[r] for r, owner in game.owner.items() if owner != seat]
    return {(r.a, r.b) for r in theirs if city in (r.a, r.b)} or {(city, city)}


def connected(group: dict[int, int], pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the group of each city, of which those that these pairs of cities connect become one."""
    for a, b in pairs:
        one, other = group[a], group[b]
        if one != other:
            group = {city: one if g == other else g for city, g in group.items()}
    return group


# Longest trail


def longest_trail(routes: Iterable[Route]) -> int:
    """Return the most trains on one continuous path that uses no route twice: all paths from all cities are tried."""
    at: dict[int, list[Route]] = {}
    for route in routes:
        at.setdefault(route.a, []).append(route)
        at.setdefault(route.b, []).append(route)

    @cache
    def longest_from(city: int, used: frozenset[int]) -> int:
        """Return the most trains that a path can go on with, from this city and without these routes."""
        return max(
            (r.length + longest_from(r.a + r.b - city, used | {r.index}) for r in at[city] if r.index not in used),
            default=0,
        )

    return max((longest_from(city, frozenset()) for city in at), default=0)

"""Paths: over which routes seats really completed a ticket. Aggregates do not hold that, so it is taken from games."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.batches import Array, share
from ttrsim.boards import Board
from ttrsim.boards.board import find_tickets, split_deck
from ttrsim.encode import members
from ttrsim.schedule import MOST_BATCHES
from ttrsim.stats.frames import Column, Definition, build
from ttrsim.stats.standings import PLAYERS

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

PLAYED, READ = 2_000, 10_000
"""Games that are looked at: played again; of those whose claims and tickets were recorded."""

STRATEGY = Column("strategy", "key", "", "The strategy, or all of them.")
TICKET = Column("ticket", "key", "", "The ticket.")
OF_THEM = "Of the seats that completed the ticket by their own routes, the share whose path"
PATHS = Definition(
    "paths",
    "A row is a path by which seats completed a ticket, each by routes of its own alone: the shortest of the seat's "
    "paths, by trains; of equally short ones that of fewest routes, then that of the routes listed first in the "
    "board's file. Parallel routes make no difference.",
    (
        PLAYERS,
        STRATEGY,
        TICKET,
        Column("path", "key", "", "The cities that it goes through.", "Path"),
        Column("trains", "number", "trains", "Trains it takes.", "Length"),
        Column("seats", "count", "seats", "Seats whose path it is.", "Seats"),
        Column("share", "description", "share", f"{OF_THEM} it is.", "Share ±"),
    ),
    "seats",
)
PATH_ROUTES = Definition(
    "path_routes",
    "A row is a route of the board, also one on no such path.",
    (
        PLAYERS,
        STRATEGY,
        TICKET,
        Column("route", "key", "", "The route."),
        Column("length", "number", "trains", "Trains it takes."),
        Column("seats", "count", "seats", "Seats whose path uses it."),
        Column("share", "description", "share", f"{OF_THEM} uses it."),
    ),
    "",
)


@dataclass(frozen=True)
class TicketPaths:
    """The ways in which seats completed a ticket."""

    ticket: str
    cities: tuple[int, int]  # that it connects
    games: int  # that were looked at, the first of the run
    played: bool  # again; else their claims and tickets had been recorded
    seats: int  # that completed it by routes of their own
    lent: int  # further ones, that needed a route which a station borrowed
    paths: "pd.DataFrame"  # PATHS
    routes: "pd.DataFrame"  # PATH_ROUTES


@dataclass(frozen=True)
class Completion:
    """A seat that completed the ticket."""

    game: int
    routes: list[int]  # its own


Way = tuple[int, ...]
"""The routes of a path, in the order of their numbers."""


@dataclass(frozen=True)
class TicketFrames:
    """Builds the frames of a ticket."""

    batches: int
    same: dict[str, Any]  # in all rows

    def of(self, table: Definition, data: dict[str, Array], own: Sequence[tuple[int, Sequence[int]]]) -> "pd.DataFrame":
        """Return a frame. data: the columns that distinguish rows; own: of each seat, its batch and its rows."""
        rows = len(next(iter(data.values())))
        used, seats = np.zeros((self.batches, rows), int), np.zeros((self.batches, 1), int)
        for batch, places in own:
            seats[batch] += 1
            used[batch, list(places)] += 1
        same = {name: np.full(rows, value) for name, value in self.same.items()}
        return build(table, {**same, **data, "seats": used.sum(axis=0), "share": share(used, seats)})


def paths(run: "Run", ticket: str, strategy: str | None = None) -> TicketPaths:
    """Find how seats, of one strategy or all, completed a ticket in the first games of a run.

    >>> paths(run, "Denver-El Paso").paths[["path", "seats", "share"]]
    """
    board, numbers = run.board, find_tickets(run.board, [ticket])
    ends = board.tickets[numbers[0]].a, board.tickets[numbers[0]].b
    played = plays_again(run)
    games, completions = (_play if played else _read)(run, numbers, strategy)
    batches = batches_of(run.recipe.schedule.where(games)[0])
    batch_of = dict(zip(games.tolist(), batches.tolist(), strict=True))
    ways = [(batch_of[c.game], shortest(board, c.routes, *ends)) for c in completions]
    own = [(batch, way) for batch, way in ways if way]
    name = board.ticket_name(numbers[0])
    name = split_deck(name)[0] if len(numbers) > 1 else name  # a long and a regular ticket
    frames = TicketFrames(
        int(batches[-1]) + 1, {"players": run.recipe.seats, "strategy": strategy or "all", "ticket": name}
    )
    return TicketPaths(
        ticket=name,
        cities=ends,
        games=len(games),
        played=played,
        seats=len(own),
        lent=len(ways) - len(own),
        paths=_of_paths(board, own, ends[0], frames),
        routes=_of_routes(board, own, frames),
    )


def ways(run: "Run", games: int = PLAYED) -> tuple[int, dict[int, Counter[tuple[int, Way]]]]:
    """Play the first games of a run again, and count by which path each ticket was completed by seats' own routes.

    Return how many games, and by ticket how many seats had each strategy (by index) and path.
    """
    _, results = _play_first(run, games)
    found: dict[int, Counter[tuple[int, Way]]] = defaultdict(Counter)
    for seat in results.seats.ravel():
        own = members(seat["routes"])
        for ticket in members(seat["kept"] & seat["completed"]):
            ends = run.board.tickets[ticket].a, run.board.tickets[ticket].b
            if way := shortest(run.board, own, *ends):
                found[ticket][int(seat["strategy"]), way] += 1
    return len(results.seats), found


def plays_again(run: "Run") -> bool:
    """Return whether games must be played again because claims or tickets were not recorded."""
    return not {"claims", "tickets"} <= set(run.recipe.record)


def _of_paths(board: Board, own: Sequence[tuple[int, Way]], start: int, frames: "TicketFrames") -> "pd.DataFrame":
    """Return the frame PATHS from the batch and path of each seat."""
    words = [in_words(board, way, start) for _, way in own]
    ways = {path: way for path, (_, way) in zip(words, own, strict=True)}
    places = {path: place for place, path in enumerate(ways)}
    trains = [sum(board.routes[route].length for route in way) for way in ways.values()]
    data = {"path": np.array(list(ways), object), "trains": np.array(trains, int)}
    return frames.of(PATHS, data, [(batch, (places[path],)) for path, (batch, _) in zip(words, own, strict=True)])


def _of_routes(board: Board, own: Sequence[tuple[int, Way]], frames: "TicketFrames") -> "pd.DataFrame":
    """Return the frame PATH_ROUTES from the batch and path of each seat."""
    names = np.array([board.route_name(route) for route in board.routes], object)
    data = {"route": names, "length": np.array([route.length for route in board.routes])}
    return frames.of(PATH_ROUTES, data, own)


def batches_of(blocks: Array) -> Array:
    """Return the batch of each game by its block: of whole blocks, evenly divided; one block each if there are few."""
    known, place = np.unique(blocks, return_inverse=True)
    return np.asarray(place * min(MOST_BATCHES, len(known)) // len(known))


def shortest(board: Board, routes: Sequence[int], start: int, end: int) -> Way:
    """Return the path by these routes: of fewest trains, then fewest routes, then lowest numbers; () if none."""
    waiting: list[tuple[int, int, Way, int]] = [(0, 0, (), start)]
    seen = set()
    while waiting:
        trains, count, way, city = heappop(waiting)
        if city == end:
            return way
        if city in seen:
            continue
        seen.add(city)
        for route in routes:
            r = board.routes[route]
            if city in (r.a, r.b):
                there = r.b if city == r.a else r.a
                heappush(waiting, (trains + r.length, count + 1, tuple(sorted((*way, route))), there))
    return ()


def in_words(board: Board, way: Sequence[int], start: int) -> str:
    """Return the cities of a path from its start on, as "Denver – Santa Fe – El Paso"."""
    left, cities = set(way), [start]
    while left:
        route = next(r for r in left if cities[-1] in (board.routes[r].a, board.routes[r].b))
        cities.append(board.routes[route].a + board.routes[route].b - cities[-1])
        left.remove(route)
    return " – ".join(board.cities[city].name for city in cities)


def _play(run: "Run", tickets: list[int], strategy: str | None) -> tuple[Array, list[Completion]]:
    """Return the first games of the run, played again, and those who completed one of the tickets."""
    numbers, results = _play_first(run, PLAYED)
    seats = results.seats
    wanted = np.zeros(seats.shape, bool)
    for ticket in tickets:
        done = seats["kept"] & seats["completed"]
        wanted |= (done[..., ticket >> 6] >> np.uint64(ticket & 63) & np.uint64(1)).astype(bool)
    if strategy is not None:
        wanted &= seats["strategy"] == run.strategies.index(strategy)
    found = [Completion(int(numbers[game]), members(seats[game, seat]["routes"])) for game, seat in np.argwhere(wanted)]
    return numbers, found


def _play_first(run: "Run", games: int) -> tuple[Array, Any]:
    """Return the numbers and results of the first games of the run, a lap or more, played again."""
    from ttrsim.runs.copies import check_replay

    check_replay(run.folder, run.recipe)
    laps = min(run.games_played, max(games, run.schedule.lap_games)) // run.schedule.lap_games
    results = run.player.play(range(laps))
    return results.games["index"], results


def _read(run: "Run", tickets: list[int], strategy: str | None) -> tuple[Array, list[Completion]]:
    """Return the first games of the run as they were recorded, and those who completed one of the tickets."""
    offers, claims = (run.rows(table, READ) for table in ("tickets", "claims"))
    done = offers[offers["ticket"].isin([run.board.ticket_name(t) for t in tickets]) & offers["completed"]]
    if strategy is not None:
        done = done[done["strategy"] == strategy]
    found = {seat: Completion(seat[0], []) for seat in zip(done["game"], done["seat"], strict=True)}
    numbers = {name: number for number, name in enumerate(run.names.routes)}
    mine = claims.merge(done[["game", "seat"]].drop_duplicates(), on=["game", "seat"])
    for game, seat, route in zip(mine["game"], mine["seat"], mine["route"], strict=True):
        found[game, seat].routes.append(numbers[route])
    return np.unique(offers["game"]), list(found.values())

"""A recorded game as rows of words, shared by the transcript and the page; the routes that its stations borrowed."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from ttrsim.boards import Board
from ttrsim.core import constants as c
from ttrsim.encode import members
from ttrsim.formatting import counted, seat_name
from ttrsim.games import SeatedGame
from ttrsim.recording import Recording, cards_gained
from ttrsim.report.prose import number
from ttrsim.words import (
    borrowed_words,
    cards_words,
    event_clauses,
    listed,
    plural,
    symbol_name,
    ticket_words,
    turn_words,
)

ENDING_WORDS = {
    c.ENDED: "The last round is over.",
    c.STALEMATE: "A stalemate: nobody can do anything.",
    c.OVERLONG: f"Stopped after {c.TURN_LIMIT} turns per player.",
}
TIE_BREAKS: dict[str, tuple[str, Callable[[Board, Any], int]]] = {
    "tickets": ("more tickets", lambda board, seat: len(members(seat["completed"]))),
    "fewest_stations": ("fewer stations used", lambda board, seat: int(seat["parts"][c.POINTS_STATIONS])),
    "longest_trail": ("the longest path", lambda board, seat: int(seat["parts"][c.POINTS_TRAIL])),
}
"""Words for each tie-break, and what it compares; the highest value wins."""

Row = list[str | int]


def seat_names(game: SeatedGame) -> list[str]:
    """Name the seats: `["1st player (planner)", …]`."""
    return [f"{seat_name(seat)} ({strategy.name})" for seat, strategy in enumerate(game.line_up)]


def opening_rows(board: Board, events: Any, names: Sequence[str]) -> list[Row]:
    """Describe what was dealt and decided before the first turn: who or what, and the words."""
    rows: list[Row] = []
    if len(events):
        anew = f", dealt anew for too many {plural(board.wild_name)}" if events[0]["refreshes"] else ""
        rows.append(["Face up", cards_words(board, events[0].before.table.display) + anew])
    if souvenirs := board.rules.souvenirs:
        stacks = souvenirs.players[len(names)]
        places = [f"{symbol_name(i)} in {board.cities[city].name}" for i, city in enumerate(souvenirs.fixed)]
        further = f"; {stacks.placed_height} in each further stack" if stacks.placed_by else ""
        rows.append(["Souvenirs", f"tokens {listed(places)}, {stacks.height} in each stack{further}"])
    if alvin := board.rules.alvin:
        rows.append(["Alvin", f"stands in {board.cities[alvin.city].name}"])
    for event in events[np.isin(events["phase"], c.BEFORE_THE_FIRST_TURN)]:
        clauses = event_clauses(board, event)
        if event.phase == c.OPENING:
            clauses.insert(0, f"is dealt {cards_words(board, cards_gained(event))}")
        rows.append([names[event.seat], "; ".join(clauses)])
    return rows


def turns(events: Any) -> Iterator[tuple[int, Any]]:
    """Split events into turns, numbered from 1; turn 0 is all that comes before the first."""
    numbers = np.where(np.isin(events["phase"], c.BEFORE_THE_FIRST_TURN), 0, events["turn"] + 1)
    first = np.flatnonzero(np.diff(numbers, prepend=-1))
    return zip(numbers[first].tolist(), np.split(events, first[1:]), strict=False)


def turn_rows(board: Board, events: Any, names: Sequence[str]) -> list[Row]:
    """Describe each turn: number, seat and words. The start of the last round has a row of words only."""
    rows: list[Row] = []
    last_round = False
    for turn, of_turn in turns(events):
        if turn == 0:
            continue
        seat = int(of_turn[0].seat)
        rows.append([turn, names[seat], turn_words(board, of_turn)])
        table = of_turn[-1].after.table
        if not last_round and table.turns_to_go != c.NOBODY:
            last_round = True
            left = counted(int(table.trains[seat]), "train")
            begins = f"The last round begins: the {names[seat]} has {left} left. Everybody has one more turn."
            rows.append(["", "", begins])
    return rows


def part_names(board: Board) -> dict[int, str]:
    """Name what scores points on this board, in the order of a game."""
    rules = board.rules
    named = {
        c.POINTS_START: ("At the start", any(rules.start_points)),
        c.POINTS_ROUTES: ("Routes", True),
        c.POINTS_MARKERS: ("Routes of others", rules.markers),
        c.POINTS_CAPTURES: ("Alvin captured", rules.alvin),
        c.POINTS_ALVIN: ("Alvin held", rules.alvin),
        c.POINTS_TOKENS: ("Souvenirs", rules.souvenirs),
        c.POINTS_STATIONS: ("Stations left", rules.stations),
        c.POINTS_WON: ("Tickets completed", True),
        c.POINTS_LOST: ("Tickets failed", True),
        c.POINTS_TRAIL: ("Longest path", rules.longest_trail_bonus),
        c.POINTS_MOST_TICKETS: ("Most tickets", rules.most_tickets_bonus),
    }
    return {part: name for part, (name, there) in named.items() if there}


def score_rows(board: Board, seats: Any) -> list[Row]:
    """Return the points of each seat by what they are for, and its other results; one column per seat."""
    rows: list[Row] = [
        [name, *(number(points, 0) for points in seats["parts"][:, part])] for part, name in part_names(board).items()
    ]
    rows.append(["Score", *(number(score, 0) for score in seats["score"])])
    rows.append(["Rank", *map(int, seats["rank"])])
    rows.append(["Trains in longest path", *map(int, seats["trail"])])
    rows.append(["Trains left", *map(int, seats["trains_left"])])
    return rows


def ticket_rows(board: Board, recording: Recording, names: Sequence[str]) -> list[Row]:
    """List the tickets that each seat completed, the routes it borrowed for them, and the tickets it failed."""
    rows: list[Row] = []
    for place, (name, seat) in enumerate(zip(names, recording.seats[0], strict=True)):
        done = members(seat["completed"])
        failed = [ticket for ticket in members(seat["kept"]) if ticket not in done]
        rows.append([name, "completed", ticket_words(board, done) or "no ticket"])
        if borrowed := borrowed_routes(board, recording, place):
            rows.append(["", "borrowed", borrowed_words(board, borrowed)])
        if failed:
            rows.append(["", "failed", ticket_words(board, failed)])
    return rows


def winner_words(board: Board, seats: Any, names: Sequence[str]) -> str:
    """Name the winners, and how a tie was broken: `The 1st player (random) wins with 65 points.`"""
    winners = [f"the {names[i]}" for i in range(len(seats)) if seats[i]["rank"] == 1]
    verb = "wins" if len(winners) == 1 else "share the win"
    best = int(seats["score"].max())
    text = f"{listed(winners)} {verb} with {number(best, 0)} point{'' if best == 1 else 's'}"
    reasons = _tie_words(board, seats)
    return text[0].upper() + text[1:] + (f", tied and then ahead by {listed(reasons)}." if reasons else ".")


def _tie_words(board: Board, seats: Any) -> list[str]:
    """Name the tie-breaks that decided between seats with the best score."""
    tied = [seat for seat in seats if seat["score"] == seats["score"].max()]
    reasons = []
    for rule in board.rules.tie_breaks:
        words, value_of = TIE_BREAKS[rule]
        values = [value_of(board, seat) for seat in tied]
        if len(set(values)) > 1:
            reasons.append(words)
            tied = [seat for seat, value in zip(tied, values, strict=True) if value == max(values)]
    return reasons


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

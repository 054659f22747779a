"""Encode boards, interventions and sets as the records and words that the compiled core reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.boards import Board, City, Route, Rules, Ticket
from ttrsim.boards.board import plain
from ttrsim.core import constants as c
from ttrsim.core.names import name_key
from ttrsim.core.records import BOARD, INTERVENTION
from ttrsim.published import TICKETS_READ_BACKWARDS, TRACKS_LISTED_BACKWARDS

REJECTED = {"bottom": c.BOTTOM, "shuffled": c.SHUFFLED, "removed": c.REMOVED}
TIE_BREAKS = {"tickets": c.MOST_TICKETS, "fewest_stations": c.FEWEST_STATIONS, "longest_trail": c.HOLDS_TRAIL}


def words(members: Iterable[int], size: int) -> npt.NDArray[np.uint64]:
    """Return a set of indices as `size` 64-bit words: `words({0, 65}, 2)` is `[1, 2]`."""
    whole = sum(1 << i for i in set(members))
    return np.array([whole >> 64 * w & (1 << 64) - 1 for w in range(size)], np.uint64)


def members(mask: npt.NDArray[np.uint64]) -> list[int]:
    """Return the indices in a set of 64-bit words, ascending: the inverse of `words`."""
    whole = sum(int(word) << 64 * w for w, word in enumerate(mask))
    return [i for i in range(64 * len(mask)) if whole >> i & 1]


def bits(sets: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """Return 1 for each member of each set (…, words), else 0, as an array (…, 64 · words)."""
    return np.unpackbits(np.ascontiguousarray(sets).view(np.uint8), axis=-1, bitorder="little")


def encode_board(board: Board) -> Any:
    """Return the BOARD record of a board."""
    record = np.zeros(1, BOARD)[0]
    _encode_counts(record, board)
    _encode_routes(record, board)
    _encode_tickets(record, board)
    _encode_rules(record, board.rules)
    _encode_extras(record, board.rules)
    return record


def _encode_counts(record: Any, board: Board) -> None:
    record.name = name_key(board.name)
    for place, city in enumerate(sorted(board.cities, key=lambda city: plain(city.name))):
        record.city_name[city.index], record.city_place[city.index] = name_key(city.name), place
    record.cities, record.routes, record.tickets = len(board.cities), len(board.routes), len(board.tickets)
    record.long_tickets = sum(t.long for t in board.tickets)
    record.colours = len(board.colours)
    record.longest_route = max(r.length for r in board.routes)
    for colour in board.colours:
        record.kind_cards[colour.index] = colour.cards
    record.kind_cards[c.WILD] = board.wilds
    record.cards = board.cards
    record.card_list[: board.cards] = np.repeat(np.arange(c.KINDS), record.kind_cards)


def _encode_routes(record: Any, board: Board) -> None:
    routes, size = board.routes, len(board.routes)
    columns = {
        "a": [r.a for r in routes],
        "b": [r.b for r in routes],
        "length": [r.length for r in routes],
        "colour": [c.GRAY if r.colour is None else r.colour for r in routes],
        "ferry": [r.ferry for r in routes],
        "tunnel": [r.tunnel for r in routes],
        "points": [board.rules.route_points[r.length] for r in routes],
        "backwards": [_names(board, r) in TRACKS_LISTED_BACKWARDS for r in routes],
    }
    for name, column in columns.items():
        record[f"route_{name}"][:size] = column
    record.turn_points = _turn_points(board)
    for length, points in board.rules.route_points.items():
        record.length_points[length] = points
    _encode_grades(record, board)
    _encode_sets(record, board)


def _encode_grades(record: Any, board: Board) -> None:
    grades = sorted({_grade(r) for r in board.routes})
    record.grades = len(grades)
    for i, (hard, minus_length) in enumerate(grades):
        record.grade_hard[i], record.grade_length[i] = hard, -minus_length
    route_grade, links = record.route_grade, record.links
    for r in board.routes:
        grade = route_grade[r.index] = grades.index(_grade(r))
        links[r.a, grade] |= np.uint64(1 << r.b)
        links[r.b, grade] |= np.uint64(1 << r.a)


def _encode_sets(record: Any, board: Board) -> None:
    size, most = len(board.routes), np.arange(c.LENGTHS)[:, None]
    short, colour = record.route_length[:size] <= most, record.route_colour[:size]
    record.up_to, record.ferries_up_to = _sets(short), _sets(record.route_ferry[:size] <= most)
    for kind in range(len(board.colours)):
        record.taking[kind] = _sets(short & ((colour == kind) | (colour == c.GRAY)))
    cities, ends = np.arange(c.CITIES)[:, None], (record.route_a[:size], record.route_b[:size])
    record.at_city = _sets((ends[0] == cities) | (ends[1] == cities))
    record.route_ends[:size] = np.uint64(1) << ends[0].astype(np.uint64) | np.uint64(1) << ends[1].astype(np.uint64)
    connection = np.array([r.connection for r in board.routes])
    record.twins[:size] = _sets((connection == connection[:, None]) & ~np.eye(size, dtype=bool))
    record.all_routes = _sets(np.ones(size, bool))
    record.all_cities = words(range(len(board.cities)), 1)[0]


def _sets(chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
    """Return sets of routes, (…, words), given which routes are in each: (…, routes)."""
    room = np.zeros((*chosen.shape[:-1], 64 * c.ROUTE_WORDS), bool)
    room[..., : chosen.shape[-1]] = chosen
    return np.packbits(room, axis=-1, bitorder="little").view(np.uint64)


def _turn_points(board: Board) -> float:
    """Return the points per turn from the routes that score fastest, as many as the trains allow.

    A claim takes a turn, two cards take one, and a tunnel or a ferry takes half of one more.
    """
    points, turns, trains = 0, 0.0, board.rules.trains
    claims = [(board.rules.route_points[r.length], 1 + (r.length + _is_hard(r)) / 2, r.length) for r in board.routes]
    for gain, time, length in sorted(claims, key=lambda claim: claim[0] / claim[1], reverse=True):
        if length <= trains:
            points, turns, trains = points + gain, turns + time, trains - length
    return points / turns


def _grade(route: Route) -> tuple[bool, int]:
    """Return the grade of a route: whether it is hard, and minus its length.

    Routes of a grade cost the same in a search for paths. The grades of the record are in ascending order of this.
    """
    return _is_hard(route), -route.length


def _is_hard(route: Route) -> bool:
    return route.tunnel or route.ferry > 0


def _encode_tickets(record: Any, board: Board) -> None:
    for t in board.tickets:
        record.ticket_points[t.index] = t.points
        record.ticket_ends[t.index] = words([t.a, t.b], 1)[0]
        first, second = _by_name(board, t)
        start = second if (first.name, second.name) in TICKETS_READ_BACKWARDS else first
        record.ticket_start[t.index] = words([start.index], 1)[0]


def _names(board: Board, route: Route) -> tuple[str, str]:
    """Return the names of the cities of a route in alphabetical order."""
    first, second = _by_name(board, route)
    return first.name, second.name


def _by_name(board: Board, ends: Route | Ticket) -> list[City]:
    """Return the cities of a route or ticket in alphabetical order."""
    return sorted((board.cities[ends.a], board.cities[ends.b]), key=lambda city: plain(city.name))


def _encode_rules(record: Any, rules: Rules) -> None:
    for name in (
        "trains",
        "last_round_at",
        "equal_turns",
        "display",
        "display_wild_limit",
        "draw_when_dry",
        "parallel_open_from",
        "own_network",
        "tunnel_cards",
        "longest_trail_bonus",
        "most_tickets_bonus",
    ):
        setattr(record, name, getattr(rules, name))
    for name in ("hand", "start_points"):
        by_seat = getattr(rules, name)
        getattr(record, name)[: len(by_seat)] = by_seat
    for name in ("deal", "keep", "draw", "draw_keep"):
        setattr(record, name, getattr(rules.tickets, name))
    record.rejected = REJECTED[rules.tickets.rejected]
    if rules.long_tickets:
        record.long_deal, record.long_keep_at_most = rules.long_tickets.deal, rules.long_tickets.keep_at_most
    for i, rule in enumerate(rules.tie_breaks):
        record.tie_breaks[i] = TIE_BREAKS[rule]


def _encode_extras(record: Any, rules: Rules) -> None:
    record.alvin_city = c.NOWHERE
    if rules.stations:
        record.stations, record.unused_station_points = rules.stations.each, rules.stations.unused_points
    if rules.markers:
        record.markers, record.marker_cards = rules.markers.each, rules.markers.cards
        record.markers_count_at_once = rules.markers.count_at_once
    if rules.alvin:
        record.alvin_city = rules.alvin.city
        record.capture_points, record.holder_points = rules.alvin.capture_points, rules.alvin.holder_points
    if rules.souvenirs:
        s = rules.souvenirs
        record.symbols, record.fixed_stacks = s.symbols, len(s.fixed)
        record.fixed_places[: len(s.fixed)] = s.fixed
        record.token_points[: len(s.points)] = s.points
        for players, table in s.players.items():
            record.stack_height[players], record.placed_height[players] = table.height, table.placed_height
            record.placed_stacks[players] = len(table.placed_by)
            record.placed_by[players, : len(table.placed_by)] = table.placed_by


@dataclass(frozen=True)
class Intervention:
    """A change of every deal; tickets and routes by their index on the board.

    The focal seat is the one whose strategy has `place` in the line-up; no other place may have the same strategy. The
    seat is offered `ticket` in `slot` of its opening offer, and what was dealt there goes to where `ticket` was.
    """

    place: int | None = None
    slot: int | None = None
    ticket: int | None = None  # None leaves the one that is dealt in the slot
    forced: bool = False  # what lies in the slot must be kept
    closed: tuple[int, ...] = ()  # routes that nobody can claim
    gift: tuple[int, ...] = ()  # routes that the focal seat owns from the start: no cards, no trains, no points

    @cached_property
    def record(self) -> Any:
        """The INTERVENTION record passed to the core."""
        record = np.zeros(1, INTERVENTION)[0]
        record.closed[:], record.gift[:] = words(self.closed, c.ROUTE_WORDS), words(self.gift, c.ROUTE_WORDS)
        for name in ("place", "slot", "ticket"):
            value = getattr(self, name)
            setattr(record, name, c.NOBODY if value is None else value)
        record.forced = self.forced
        return record


UNCHANGED = Intervention()
"""The deal as it is."""

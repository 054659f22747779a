"""Tickets, routes, connections and cities of a board by the names that a user types."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ttrsim.boards.board import Board, plain
from ttrsim.errors import UsageError, did_you_mean

T = TypeVar("T")


@dataclass(frozen=True)
class Place:
    """What can be closed: a route, all parallel routes of a connection, all routes of a city."""

    name: str
    routes: tuple[int, ...]


def find_tickets(board: Board, names: Sequence[str] | None) -> list[int]:
    """Tickets by name, as "Denver–El Paso", all if none are named.

    Either city may come first; accents, capitals and long dashes are optional.
    """
    if names is None:
        return list(range(len(board.tickets)))
    known: dict[str, list[int]] = {}
    for ticket in board.tickets:
        known.setdefault(board.ticket_name(ticket), []).append(ticket.index)
    found = [ticket for name in names for ticket in _find("ticket", board, name, known)]
    return list(dict.fromkeys(found))


def find_places(board: Board, names: Sequence[str]) -> list[Place]:
    """Routes, connections and cities by name: as "Denver–Kansas City (black)", without the colour both, or "Denver"."""
    return [_find("route, connection or city", board, name, places(board)) for name in names]


def places(board: Board) -> dict[str, Place]:
    """All that can be closed, by name."""
    known: dict[str, Place] = {}
    for city in board.cities:
        known[city.name] = Place(city.name, tuple(r.index for r in board.routes if city.index in (r.a, r.b)))
    for connection, routes in enumerate(board.connections):
        name = board.connection_name(connection)
        known[name] = Place(name, routes)
    for route in board.routes:
        name = board.route_name(route)
        known.setdefault(name, Place(name, (route.index,)))
    return known


def _find(what: str, board: Board, name: str, known: Mapping[str, T]) -> T:
    spelled = {spelling(spell(key)): value for spell in (_turned, str) for key, value in known.items()}
    if spelling(name) in spelled:
        return spelled[spelling(name)]
    raise UsageError(
        [f"no {what} {name!r} on {board.id}{did_you_mean(name, known, f'for example {next(iter(known))}')}"]
    )


def spelling(name: str) -> str:
    """The name without accents, capitals and long dashes."""
    return plain(name.replace("–", "-").replace(" - ", "-"))


def _turned(name: str) -> str:
    """The name with its other city first."""
    first, dash, rest = name.partition("–")
    second, *colour = rest.split(" (", 1)
    return f"{second}–{' ('.join([first, *colour])}" if dash else name

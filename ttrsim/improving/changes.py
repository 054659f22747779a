"""List single changes of a board that could make it fairer, within what must stay as it is."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from ttrsim.batches import Array
from ttrsim.boards import Board, BoardError, load_board
from ttrsim.boards.analysis import CheapestPaths, connection_graph
from ttrsim.boards.board import GRAY, find_connection, find_tickets, plain
from ttrsim.boards.changes import with_settings
from ttrsim.boards.file import MAX_LENGTH, keys_at
from ttrsim.errors import UsageError, UserError, did_you_mean
from ttrsim.stats.effects import DEAD

KINDS = ("tickets", "routes", "rules")
"""The parts of a board that can be kept as a whole."""
NEW_ROUTES = "new routes"
KEEP_FORMS = (
    "'tickets', 'tickets of CITY', 'ticket CITY–CITY', 'routes', 'routes of CITY', 'route CITY–CITY', "
    f"'{NEW_ROUTES}', 'rules' or 'rules.KEY'"
)

NEIGHBOURS = 1.6
"""Cities without a connection count as neighbours up to this many times the median distance of connected ones."""
MOST_STRETCH = 1000
"""The largest factor by which the points of a ticket may differ from those that tickets of its length usually have."""
MOST_NEW, MOST_EXCHANGED = 6, 2
"""The most new routes that are tried, and tickets that are exchanged for one to a dead city."""


@dataclass(frozen=True)
class Change:
    """A single change: the value that one place of a board gets."""

    place: str  # what it changes, such as `ticket Boston–Miami`; of two changes of one place the later holds
    setting: str  # as a user writes it, such as `ticket Boston–Miami = 14`
    goal: str  # what it could mend: tickets, seats or routes


@dataclass(frozen=True)
class Locks:
    """The parts that must stay as they are, and the points that a ticket may have."""

    keep: tuple[str, ...] = ()
    least: int = 1  # the points that a ticket may have
    most: int = 40
    stretch: float = 2.0  # as a factor, how far points may be from those that tickets of this length usually have
    _whole: frozenset[str] = field(init=False)
    _cities: frozenset[tuple[str, str]] = field(init=False)

    def __post_init__(self) -> None:
        cities = [(found[1], plain(found[2])) for text in self.keep if (found := re.fullmatch(r"(tickets|routes) of (.+)", text))]  # fmt: skip  # noqa: E501
        object.__setattr__(self, "_whole", frozenset(text for text in self.keep if " of " not in text))
        object.__setattr__(self, "_cities", frozenset(cities))
        if not 1 <= self.stretch <= MOST_STRETCH:
            raise UsageError([f"`stretch` {self.stretch:g}: must be from 1 to {MOST_STRETCH}"])
        if not 1 <= self.least <= self.most:
            raise UsageError([f"`least` {self.least}, `most` {self.most}: the least points of a ticket are from 1 to the most"])  # fmt: skip  # noqa: E501

    def check(self, board: Board) -> None:
        """Refuse what is not on the board."""
        for kind, city in self._cities:
            if city not in map(plain, (name for c in board.cities for name in (c.name, *c.aliases))):
                raise UsageError([f"`keep` {kind} of {city}: {board.id} has no such city"])
        for text in self._whole - {*KINDS, NEW_ROUTES}:
            what, _, name = text.partition(" ")
            if what == "ticket":
                find_tickets(board, [name])
            elif what == "route":
                find_connection(board, name)
            elif not re.fullmatch(r"rules\.[a-z_.]+", text):
                raise UsageError([f"`keep` {text or 'is empty'}: write {KEEP_FORMS}"])
            elif (key := text.split(".")[1]) not in (known := keys_at(("rules",))):
                raise UsageError([f"`keep` {text}: there is no such rule{did_you_mean(key, known, '')}"])

    def ticket(self, board: Board, ticket: int) -> bool:
        """Return whether a ticket must stay as it is."""
        t = board.tickets[ticket]
        named = {ticket} & {i for text in self._whole if text.startswith("ticket ") for i in find_tickets(board, [text[7:]])}  # fmt: skip  # noqa: E501
        return "tickets" in self._whole or bool(named) or self._at(board, "tickets", (t.a, t.b))

    def connection(self, board: Board, connection: int) -> bool:
        """Return whether the routes between two cities must stay as they are."""
        route = board.routes[board.connections[connection][0]]
        named = {find_connection(board, text[6:]) for text in self._whole if text.startswith("route ")}
        return "routes" in self._whole or connection in named or self._at(board, "routes", (route.a, route.b))

    def rule(self, key: str) -> bool:
        """Return whether a rule value must stay as it is."""
        return not self._whole.isdisjoint(("rules", key))

    def new_route(self, board: Board, a: int, b: int) -> bool:
        """Return whether there must be no new route between two cities."""
        return not self._whole.isdisjoint(("routes", NEW_ROUTES)) or self._at(board, "routes", (a, b))

    def _at(self, board: Board, kind: str, ends: tuple[int, int]) -> bool:
        names = {plain(name) for end in ends for name in (board.cities[end].name, *board.cities[end].aliases)}
        return any((kind, name) in self._cities for name in names)


def with_changes(board: str, changes: Sequence[Change]) -> str:
    """Return the name of a board with changes; of several changes of one place the last holds."""
    return with_settings(board, list({change.place: change.setting for change in changes}.values()))


def possible(board: str, changes: Iterator[Change], before: Sequence[Change] = ()) -> list[Change]:
    """Return the changes with which the board, with those before, is still whole."""
    found = []
    for change in {change.setting: change for change in changes}.values():
        try:
            load_board(with_changes(board, [*before, change]))
        except (BoardError, UserError):
            continue
        found.append(change)
    return found


def ticket_change(board: Board, ticket: int, points: int) -> Change:
    """Return the change of a ticket's points."""
    name = board.ticket_name(ticket)
    return Change(f"ticket {name}", f"ticket {name} = {points}", "tickets")


def rule_changes(board: Board, locks: Locks) -> Iterator[Change]:
    """Yield other numbers of players from which parallel routes are open."""
    key = "rules.parallel_open_from"
    if not locks.rule(key):
        for players in range(2, 5):
            if players != board.rules.parallel_open_from:
                yield Change(key, f"{key} = {players}", "seats")


def route_changes(
    board: Board, connections: Sequence[int], locks: Locks, goal: str, *, drop: bool = False
) -> Iterator[Change]:
    """Yield other lengths, colours and numbers of tracks of connections. drop: also boards without them."""
    for connection in connections:
        if locks.connection(board, connection):
            continue
        name, routes = board.connection_name(connection), [board.routes[r] for r in board.connections[connection]]
        for length in (routes[0].length - 1, routes[0].length + 1, routes[0].length - 2):
            if 1 <= length <= MAX_LENGTH and length in board.rules.route_points:
                yield Change(f"route {name} length", f"route {name} length = {length}", goal)
        colours = [board.colour_name(route.colour) for route in routes]
        tracks = [*([[GRAY] * len(routes)] if {*colours} != {GRAY} else []), *([[*colours, GRAY]] if len(routes) == 1 else [colours[:1]])]  # fmt: skip  # noqa: E501
        for colours in tracks:
            yield Change(f"route {name} tracks", f"route {name} tracks = {', '.join(colours)}", goal)
        if routes[0].tunnel or routes[0].ferry:
            key, value = ("tunnel", "false") if routes[0].tunnel else ("ferry", "0")
            yield Change(f"route {name} {key}", f"route {name} {key} = {value}", goal)
        if drop:
            yield Change(f"route {name}", f"drop route {name}", goal)


def new_routes(board: Board, locks: Locks) -> Iterator[Change]:
    """Yield gray routes between neighbours without one, the nearest first, as long as others at that distance."""
    spot = [np.array((city.x, city.y)) for city in board.cities]
    joined = {frozenset((route.a, route.b)): route.length for route in board.routes}
    far = {pair: float(np.linalg.norm(np.subtract(*(spot[end] for end in pair)))) for pair in joined}
    usual, per_space = np.median([*far.values()]), np.median([far[pair] / length for pair, length in joined.items()])
    found = []
    for a, b in combinations(range(len(board.cities)), 2):
        away = float(np.linalg.norm(spot[a] - spot[b]))
        if away > NEIGHBOURS * usual or frozenset((a, b)) in joined or locks.new_route(board, a, b):
            continue
        apart = [pair for pair in joined if not pair & {a, b}]
        if not any(_cross(spot[a], spot[b], *(spot[end] for end in pair)) for pair in apart):
            found.append((away, a, b))
    for away, a, b in sorted(found)[:MOST_NEW]:
        name = f"{board.cities[a].name}–{board.cities[b].name}"
        length = min(board.rules.route_points, key=lambda spaces: abs(spaces - away / per_space))
        yield Change(f"route {name}", f"add route {name} length = {length}", "tickets")


def _cross(a: Array, b: Array, c: Array, d: Array) -> bool:
    """Return whether two straight lines cross, from a to b and from c to d."""

    def side(p: Array, q: Array, r: Array) -> bool:
        return bool((q[0] - p[0]) * (r[1] - p[1]) > (q[1] - p[1]) * (r[0] - p[0]))

    return side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)


def exchanges(board: Board, use: Sequence[float], effects: Sequence[float], locks: Locks) -> Iterator[Change]:
    """Yield tickets that lead to a city to which hardly anybody comes, in place of those that are farthest from par."""
    graph = connection_graph(board)
    trains = np.array([CheapestPaths.of(graph, t.a, t.b).trains for t in board.tickets])
    rate = float(np.median([t.points for t in board.tickets] / trains))
    there = {frozenset((t.a, t.b)) for t in board.tickets}
    off = [t for t in np.argsort(-np.abs(effects)).tolist() if not locks.ticket(board, t) and not board.tickets[t].long]
    for city in (c for c in range(len(board.cities)) if use[c] < DEAD):
        for ticket in off[:MOST_EXCHANGED]:
            end = board.tickets[ticket].a
            if end != city and frozenset((end, city)) not in there:
                points = round(rate * CheapestPaths.of(graph, end, city).trains)
                name, new = board.ticket_name(ticket), f"{board.cities[end].name}–{board.cities[city].name}"
                yield Change(f"ticket {name}", f"ticket {name} between = {new} points = {max(1, points)}", "routes")


def compatible(changes: Sequence[Change]) -> list[Change]:
    """Return the changes without those that concern a place which one before them exchanges or drops, or both."""
    found: list[Change] = []
    for change in changes:
        if not any(_clash(change, other) for other in found):
            found.append(change)
    return found


def _clash(one: Change, other: Change) -> bool:
    shorter, longer = sorted((one.place, other.place), key=len)
    return shorter == longer or longer.startswith(f"{shorter} ")


def busy(board: Board, weights: Mapping[int, float]) -> list[int]:
    """Return the connections on cheapest paths of tickets, those first that the weights of tickets concern most."""
    graph, found = connection_graph(board), dict.fromkeys(range(len(board.connections)), 0.0)
    for ticket, weight in weights.items():
        paths = CheapestPaths.of(graph, board.tickets[ticket].a, board.tickets[ticket].b)
        for (a, b), times in paths.uses().items():
            found[graph.edges[a, b]["connection"]] += weight * times / paths.count
    return sorted((c for c in found if found[c]), key=lambda c: -abs(found[c]))


def words_of_setting(board: Board, setting: str) -> str:
    """Return a change in words, with the value before: `ticket Boston–Miami: 12 → 14`."""
    if setting.startswith(("add ", "drop ")):
        return setting
    if exchanged := re.fullmatch(r"(ticket .+?) between = (.+) points = (\d+)", setting):
        return f"{exchanged[1]}: {_before(board, exchanged[1])} → {exchanged[2]}: {exchanged[3]}"
    place, _, new = (part.strip() for part in setting.partition("="))
    return f"{place}: {_before(board, place)} → {new}"


def _before(board: Board, place: str) -> str:
    what, _, name = place.partition(" ")
    if what == "ticket":
        return str(board.tickets[find_tickets(board, [name])[0]].points)
    if what == "route":
        connection, _, key = name.rpartition(" ")
        routes = [board.routes[r] for r in board.connections[find_connection(board, connection)]]
        if key == "tracks":
            return ", ".join(board.colour_name(route.colour) for route in routes)
        return str(getattr(routes[0], key)).lower()
    value = getattr(board.rules, place.removeprefix("rules."))
    return str([*value[: board.rules.players[1]]]) if isinstance(value, tuple) else str(value)

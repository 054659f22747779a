"""Find what is doubtful about a good board: warnings for its designer, measured by the boards that are published.

A bound is what USA, Europe and Old West reach, widened by about a quarter, so that they pass; where they do break a
rule, as Edinburgh does with its single connection, the warning is true.
"""

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import Any

import networkx as nx

from ttrsim.boards.analysis import CheapestPaths, connection_graph
from ttrsim.boards.board import Board
from ttrsim.boards.codes import Problem
from ttrsim.boards.file import BoardFile
from ttrsim.formatting import counted

CLOSEST = 0.02
"""The least share of the picture's diagonal between cities; the closest two on published boards are 0.044 apart."""
DRAWN = (0.4, 2.4)
"""Distance a space, in medians of the board; 0.56 to 1.83 on the published boards."""
POINTS_OFF = 3
"""The most that a published ticket's points differ from its trains."""
POINTS_A_TRAIN = (0.7, 1.5)
"""0.88 to 1.43 on the published boards; counts from a difference of two points."""
CARDS_A_SPACE = 0.26
"""The fewest cards of a colour for each space of its routes; at least 0.32 on the published boards."""
UNEVEN = 1.5
"""The most that one colour may have of spaces a card beside another; at most 1.12 on the published boards."""
LOAD = (0.53, 0.94)
"""Trains of all players for each space, with the most players; 0.66 to 0.75 on the published boards."""
TICKETS_A_PLAYER = 4
"""Regular tickets for each of the most players; at least 6 on the published boards."""

Point = tuple[float, float]


def advise(form: BoardFile, family: Mapping[str, Board]) -> list[Problem]:
    """Return the warnings about a board and its variants."""
    checks = (_places, _crossings, _network, _cards, _routes, _tickets, _rules)
    found = [problem for check in checks for problem in check(form, family)]
    return sorted(found, key=lambda problem: problem.code)


def _connection(form: BoardFile, i: int) -> str:
    return f"connections {i + 1} ({'–'.join(form.connections[i].between)})"


def _ticket(form: BoardFile, i: int) -> str:
    return f"tickets {i + 1} ({'–'.join(form.tickets[i].between)})"


def _places(form: BoardFile, family: Mapping[str, Board]) -> Iterator[Problem]:
    room = CLOSEST * math.hypot(form.picture.width, form.picture.height)
    for (_, a), (i, b) in itertools.combinations(enumerate(form.cities), 2):
        apart = math.dist((a.x, a.y), (b.x, b.y))
        if apart < room:
            text = f"{a.name} and {b.name}: {apart:.3g} apart: closer than {room:.3g}, so they cannot be told apart"
            yield Problem("B201", ("cities", i), f"cities: {text}")


def _crossings(form: BoardFile, family: Mapping[str, Board]) -> Iterator[Problem]:
    lines = _drawn(form)
    for j, line in enumerate(lines):
        ends = set(form.connections[j].between)
        others = [c.between for c, other in zip(form.connections, lines[:j], strict=False) if _meet(other, line)]
        if crossed := ["–".join(between) for between in others if not ends & set(between)]:
            more = f" and {len(crossed) - 2} more" if len(crossed) > 2 else ""
            rule = f"crosses {', '.join(crossed[:2])}{more}; give one of them a bend or another way"
            yield Problem("B202", ("connections", j), f"{_connection(form, j)}: {rule}")


def _drawn(form: BoardFile) -> list[list[Point]]:
    """Return the line of each connection as a few points, bowed as its `bend` says."""
    at = {c.name: (c.x, c.y) for c in form.cities}
    lines = []
    for c in form.connections:
        (ax, ay), (bx, by) = (at[name] for name in c.between)
        dx, dy = bx - ax, by - ay
        parts = [n / 8 for n in range(9)] if c.bend else [0.0, 1.0]
        bows = [(t, 4 * t * (1 - t) * c.bend) for t in parts]  # to the left of the way: y runs downwards
        lines.append([(ax + t * dx + bow * dy, ay + t * dy - bow * dx) for t, bow in bows])
    return lines


def _meet(one: Sequence[Point], other: Sequence[Point]) -> bool:
    pairs = itertools.product(itertools.pairwise(one), itertools.pairwise(other))
    return any(_side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0 for (a, b), (c, d) in pairs)


def _side(a: Point, b: Point, c: Point) -> float:
    """Return on which side of the line from a to b the point c lies, as a sign."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _network(form: BoardFile, family: Mapping[str, Board]) -> Iterator[Problem]:
    graph = connection_graph(family[""])
    for i, city in enumerate(form.cities):
        if graph.degree[i] == 1:
            text = f"cities {i + 1} ({city.name}): has a single connection: whoever claims it shuts the city"
            yield Problem("B206", ("cities", i), text)
    bridges: Any = nx.bridges(graph)
    for a, b in bridges:
        if min(graph.degree[a], graph.degree[b]) > 1:
            i = graph.edges[a, b]["connection"]
            rule = "without it the board is in two pieces, so claiming it can make many tickets impossible"
            yield Problem("B207", ("connections", i), f"{_connection(form, i)}: {rule}")


def _cards(form: BoardFile, family: Mapping[str, Board]) -> Iterator[Problem]:
    spaces: Counter[str] = Counter()
    for c in form.connections:
        for track in c.tracks:
            spaces[track] += c.length
    for name, colour in form.colours.items():
        place = ("colours", name)
        if not spaces[name]:
            yield Problem("B211", place, f"colours.{name}: no route asks for it, so its cards pay for gray routes only")
        elif colour.cards / spaces[name] < CARDS_A_SPACE:
            few = f"{counted(colour.cards, 'card')} for {counted(spaces[name], 'space')}"
            rule = f"{few}, {colour.cards / spaces[name]:.2f} each; the published boards have 0.32 to 0.55"
            yield Problem("B209", place, f"colours.{name}: {rule}")
    asked = [name for name in form.colours if spaces[name]]
    if asked:
        load = {name: spaces[name] / form.colours[name].cards for name in asked}
        most, least = max(asked, key=load.__getitem__), min(asked, key=load.__getitem__)
        if load[most] > UNEVEN * load[least]:
            both = f"{spaces[most]} spaces of {most}, {spaces[least]} of {least}"
            rule = (
                f"{both}: for each card {load[most] / load[least]:.1f} times as many; at most 1.1 on published boards"
            )
            yield Problem("B210", ("colours", most), f"colours: {rule}")


def _routes(form: BoardFile, family: Mapping[str, Board]) -> Iterator[Problem]:
    trains = min(board.rules.trains for board in family.values())
    most = max(colour.cards for colour in form.colours.values())
    at = {c.name: (c.x, c.y) for c in form.cities}
    apart = [math.dist(at[c.between[0]], at[c.between[1]]) / c.length for c in form.connections]
    usual = median(apart) or 1.0
    for i, c in enumerate(form.connections):
        for track in dict.fromkeys(c.tracks):
            cards = (form.colours[track].cards if track in form.colours else most) + form.wilds.cards
            if c.length > cards:
                rule = f"{c.length} spaces of {track}, but only {cards} cards can pay for them, wild ones included"
                yield Problem("B208", ("connections", i, "length"), f"{_connection(form, i)}: {rule}")
        if c.length > trains:
            rule = f"takes {c.length} trains, but a player has {trains}"
            yield Problem("B215", ("connections", i, "length"), f"{_connection(form, i)}: {rule}")
        if not DRAWN[0] * usual <= apart[i] <= DRAWN[1] * usual:
            rule = f"a space is drawn {apart[i] / usual:.1f} times as long as usual on this board; is its length right?"
            yield Problem("B217", ("connections", i, "length"), f"{_connection(form, i)}: {rule}")


def _tickets(form: BoardFile, family: Mapping[str, Board]) -> Iterator[Problem]:
    graph, city = connection_graph(family[""]), {c.name: i for i, c in enumerate(form.cities)}
    trains: dict[str, int] = {}  # the fewest that a player has who plays with a deck
    for board in family.values():
        rules = board.rules
        for deck in (rules.tickets.deck, rules.long_tickets and rules.long_tickets.deck):
            if deck:
                trains[deck] = min(rules.trains, trains.get(deck, rules.trains))
    wanted: set[str] = set()
    for i, ticket in enumerate(form.tickets):
        decks = [deck for deck in ticket.decks if deck in trains]
        if not decks:
            rule = f"in {', '.join(ticket.decks)}, which neither the board nor a variant plays with"
            yield Problem("B216", ("tickets", i, "decks"), f"{_ticket(form, i)}: {rule}")
            continue
        wanted |= set(ticket.between)
        a, b = (city[name] for name in ticket.between)
        needed = CheapestPaths.of(graph, a, b).trains
        if graph.has_edge(a, b) and graph.edges[a, b]["length"] == needed:
            rule = f"neighbours: a single route of {counted(needed, 'train')} completes it"
            yield Problem("B203", ("tickets", i), f"{_ticket(form, i)}: {rule}")
        if _is_far_off(ticket.points, needed):
            worth = f"{counted(ticket.points, 'point')} for {counted(needed, 'train')}"
            rule = f"{worth}; published tickets are worth a point a train, give or take 3"
            yield Problem("B204", ("tickets", i, "points"), f"{_ticket(form, i)}: {rule}")
        if needed > (fewest := min(trains[deck] for deck in decks)):
            rule = f"takes {counted(needed, 'train')}, but a player has {fewest}"
            yield Problem("B214", ("tickets", i), f"{_ticket(form, i)}: {rule}")
    for i, entry in enumerate(form.cities):
        if entry.name not in wanted:
            text = f"cities {i + 1} ({entry.name}): no ticket wants it, so it matters only on the way"
            yield Problem("B205", ("cities", i), text)


def _is_far_off(points: int, trains: int) -> bool:
    off, ratio = abs(points - trains), points / trains
    return off > POINTS_OFF or (off >= 2 and not POINTS_A_TRAIN[0] <= ratio <= POINTS_A_TRAIN[1])


def _rules(form: BoardFile, family: Mapping[str, Board]) -> Iterator[Problem]:
    """Yield warnings about rules of the board, and about those of variants that differ in them."""
    base = set(_rule_problems(family[""]))
    yield from base
    for variant, board in family.items():
        for problem in _rule_problems(board):
            if problem not in base:
                yield Problem(
                    problem.code, ("variants", variant, *problem.where), f"variants.{variant}: {problem.text}"
                )


def _rule_problems(board: Board) -> Iterator[Problem]:
    rules, spaces = board.rules, sum(route.length for route in board.routes)
    players, points = rules.players[1], sorted(rules.route_points.items())
    load = rules.trains * players / spaces
    if not LOAD[0] <= load <= LOAD[1]:
        many = f"{players} players have {counted(rules.trains * players, 'train')} for {counted(spaces, 'space')}"
        crowd = "crowded" if load > LOAD[1] else "empty"
        rule = (
            f"{many}, {load:.2f} each: an {crowd} board"
            if crowd == "empty"
            else f"{many}, {load:.2f} each: a {crowd} board"
        )
        yield Problem("B212", ("rules", "trains"), f"rules.trains: {rule}; the published ones have 0.66 to 0.75")
    regular = sum(not ticket.long for ticket in board.tickets)
    if regular < TICKETS_A_PLAYER * players:
        few = f"{counted(regular, 'ticket')} for {players} players: the published boards have 6 or more for each"
        yield Problem("B213", ("rules", "tickets"), f"rules.tickets: deck {rules.tickets.deck!r} has {few}")
    for (short, fewer), (long, more) in itertools.pairwise(points):
        if more <= fewer:
            rule = f"length {long} scores {more}, no more than length {short}"
            yield Problem("B218", ("rules", "route_points"), f"rules.route_points: {rule}")

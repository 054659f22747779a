"""The boards that come with ttrsim: counts, rule values, and single routes and tickets as printed."""

from dataclasses import fields
from functools import cache
from typing import Any

import pytest

from ttrsim import boards
from ttrsim.boards import Board, Rules, board_names

load_board = cache(boards.load_board)  # boards are frozen

BOARDS = ["usa", "europe", "old_west", "san_francisco"]


def routes_between(board: Board, a: str, b: str) -> list[tuple[int, str, bool, int]]:
    """Return length, colour, tunnel, ferry symbols of the routes of two cities."""
    ends = {board.city(a), board.city(b)}
    return [(r.length, board.colour_name(r.colour), r.tunnel, r.ferry) for r in board.routes if {r.a, r.b} == ends]


def points(board: Board, a: str, b: str, *, long: bool = False) -> list[int]:
    """Return points of the tickets between two cities."""
    ends = {board.city(a), board.city(b)}
    return [t.points for t in board.tickets if {t.a, t.b} == ends and t.long == long]


def test_all_boards_and_variants_are_there() -> None:
    assert sorted(board_names()) == sorted(
        [
            *["usa", "usa:revised", "usa:1910", "usa:mega", "usa:big-cities"],
            *["europe", "europe:1912", "europe:mega", "europe:big-cities"],
            *["old_west", "old_west:alvin", "san_francisco"],
        ]
    )


@pytest.mark.parametrize(
    ("name", "cities", "routes", "spaces", "connections"),
    [
        ("usa", 36, 100, 309, {1: 56, 2: 22}),
        ("europe", 47, 101, 300, {1: 79, 2: 11}),
        ("old_west", 41, 139, 364, {1: 37, 2: 36, 3: 10}),
        ("san_francisco", 15, 41, 92, {1: 17, 2: 12}),
    ],
)
def test_board_has_its_cities_routes_and_spaces(
    name: str, cities: int, routes: int, spaces: int, connections: dict[int, int]
) -> None:
    for variant in [n for n in board_names() if n.partition(":")[0] == name]:
        board = load_board(variant)
        assert len(board.cities) == cities
        assert len(board.routes) == routes
        assert sum(r.length for r in board.routes) == spaces
        sizes = [len(c) for c in board.connections]
        assert {n: sizes.count(n) for n in set(sizes)} == connections


@pytest.mark.parametrize(
    ("name", "regular", "long"),
    [
        ("usa", 30, 0),
        ("usa:revised", 30, 0),
        ("usa:1910", 35, 0),
        ("usa:mega", 69, 0),
        ("usa:big-cities", 35, 0),
        ("europe", 40, 6),
        ("europe:1912", 59, 6),
        ("europe:mega", 89, 12),
        ("europe:big-cities", 45, 0),
        ("old_west", 50, 0),
        ("old_west:alvin", 50, 0),
        ("san_francisco", 24, 0),
    ],
)
def test_deck_has_its_tickets(name: str, regular: int, long: int) -> None:
    tickets = load_board(name).tickets
    assert sum(not t.long for t in tickets) == regular
    assert sum(t.long for t in tickets) == long


@pytest.mark.parametrize(
    ("name", "tunnels", "ferries", "symbols"),
    [("usa", 0, 0, 0), ("europe", 18, 13, 17), ("old_west", 0, 1, 3), ("san_francisco", 0, 5, 5)],
)
def test_board_has_its_tunnels_and_ferries(name: str, tunnels: int, ferries: int, symbols: int) -> None:
    routes = load_board(name).routes
    assert sum(r.tunnel for r in routes) == tunnels
    assert sum(r.ferry > 0 for r in routes) == ferries
    assert sum(r.ferry for r in routes) == symbols


@pytest.mark.parametrize(
    ("name", "a", "b", "routes"),
    [
        ("usa", "Atlanta", "Miami", [(5, "blue", False, 0)]),
        ("usa", "Helena", "Seattle", [(6, "yellow", False, 0)]),
        ("usa", "Denver", "Kansas City", [(4, "black", False, 0), (4, "orange", False, 0)]),
        ("usa", "Portland", "Seattle", [(1, "gray", False, 0), (1, "gray", False, 0)]),
        ("europe", "Petrograd", "Stockholm", [(8, "gray", True, 0)]),
        ("europe", "Palermo", "Smyrna", [(6, "gray", False, 2)]),
        ("europe", "Madrid", "Pamplona", [(3, "black", True, 0), (3, "white", True, 0)]),
        ("europe", "Dieppe", "London", [(2, "gray", False, 1), (2, "gray", False, 1)]),
        ("europe", "Erzurum", "Sochi", [(3, "red", True, 0)]),
        ("old_west", "Los Angeles", "San Francisco", [(7, "gray", False, 3)]),
        ("old_west", "Boise", "Seattle", [(7, "gray", False, 0), (7, "gray", False, 0)]),
        ("old_west", "Roswell", "Santa Fe", [(3, "yellow", False, 0)]),
        ("san_francisco", "Alcatraz", "The Embarcadero", [(4, "gray", False, 1)]),
        ("san_francisco", "Fort Mason", "Golden Gate Bridge", [(5, "gray", False, 1)]),
        ("san_francisco", "Castro", "Mission", [(1, "black", False, 0), (1, "gray", False, 0)]),
    ],
)
def test_routes_are_as_printed(name: str, a: str, b: str, routes: list[tuple[int, str, bool, int]]) -> None:
    assert sorted(routes_between(load_board(name), a, b)) == sorted(routes)


def test_old_west_has_these_triple_connections() -> None:
    board = load_board("old_west")
    triple = {
        frozenset(board.cities[c].name for c in (board.routes[routes[0]].a, board.routes[routes[0]].b))
        for routes in board.connections
        if len(routes) == 3
    }
    assert triple == {
        frozenset(pair)
        for pair in [
            ("Ashland", "Eugene"),
            ("Ashland", "Redding"),
            ("Bakersfield", "Fresno"),
            ("Bakersfield", "Los Angeles"),
            ("Eugene", "Portland"),
            ("Fresno", "Sacramento"),
            ("Los Angeles", "San Diego"),
            ("Portland", "Seattle"),
            ("Redding", "Sacramento"),
            ("Seattle", "Spokane"),
        ]
    }


@pytest.mark.parametrize(
    ("name", "a", "b", "value"),
    [
        ("usa", "Atlanta", "Montréal", 9),
        ("usa", "New York", "Seattle", 22),
        ("usa:revised", "New York", "Seattle", 20),
        ("usa:1910", "Boston", "Phoenix", 19),
        ("usa:mega", "New York", "Seattle", 20),
        ("usa:big-cities", "Los Angeles", "Miami", 19),
        ("europe", "London", "Wien", 10),
        ("europe:big-cities", "Madrid", "Moskva", 25),
        ("europe:mega", "Berlin", "Wien", 3),
        ("old_west", "Seattle", "Roswell", 21),
        ("old_west", "Bend", "Las Vegas", 10),
        ("san_francisco", "Golden Gate Bridge", "Potrero Hill", 10),
    ],
)
def test_ticket_is_worth_what_is_printed(name: str, a: str, b: str, value: int) -> None:
    assert points(load_board(name), a, b) == [value]


@pytest.mark.parametrize(
    ("a", "b", "base", "repriced"),
    [
        ("Los Angeles", "Miami", 20, 19),
        ("Los Angeles", "New York", 21, 20),
        ("New York", "Seattle", 22, 20),
        ("Oklahoma City", "Sault St. Marie", 9, 8),
    ],
)
def test_1910_reprices_four_tickets(a: str, b: str, base: int, repriced: int) -> None:
    assert points(load_board("usa"), a, b) == [base]
    assert points(load_board("usa:mega"), a, b) == points(load_board("usa:revised"), a, b) == [repriced]


def test_the_revised_deck_is_the_first_one_but_for_those_four() -> None:
    first, revised = load_board("usa"), load_board("usa:revised")
    assert sum(a != b for a, b in zip(ticket_points(first), ticket_points(revised), strict=True)) == 4


def ticket_points(board: Board) -> list[tuple[set[int], int]]:
    return sorted((({t.a, t.b}, t.points) for t in board.tickets), key=lambda ticket: sorted(ticket[0]))


@pytest.mark.parametrize(
    ("name", "a", "b", "value"),
    [
        ("europe", "Edinburgh", "Athína", 21),
        ("europe:1912", "Moskva", "Palermo", 20),
        ("europe:mega", "Angora", "Essen", 16),
        ("europe:mega", "London", "Sochi", 20),
    ],
)
def test_long_ticket_is_worth_what_is_printed(name: str, a: str, b: str, value: int) -> None:
    assert points(load_board(name), a, b, long=True) == [value]


def test_only_san_francisco_is_a_reconstruction() -> None:
    assert {n for n in board_names() if load_board(n).status == "reconstruction"} == {"san_francisco"}


COMMON: dict[str, Any] = {
    "last_round_at": 2,
    "display": 5,
    "display_wild_limit": 3,
    "draw_when_dry": True,
    "equal_turns": False,
    "hand": {4},
    "start_points": {0},
    "parallel_open_from": 4,
    "own_network": False,
    "stations": None,
    "markers": None,
    "alvin": None,
    "souvenirs": None,
    "most_tickets_bonus": 0,
    "long_tickets": None,
}
USA: dict[str, Any] = COMMON | {
    "players": (2, 5),
    "trains": 45,
    "tickets": (3, 2, "bottom", 3, 1),
    "route_points": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15},
    "longest_trail_bonus": 10,
    "tie_breaks": ("tickets", "longest_trail"),
}
EUROPE: dict[str, Any] = COMMON | {
    "players": (2, 5),
    "trains": 45,
    "tickets": (3, 2, "removed", 3, 1),
    "long_tickets": (1, 1),
    "route_points": {1: 1, 2: 2, 3: 4, 4: 7, 6: 15, 8: 21},
    "tunnel_cards": 3,
    "stations": (3, 4),
    "longest_trail_bonus": 10,
    "tie_breaks": ("tickets", "fewest_stations", "longest_trail"),
}
OLD_WEST: dict[str, Any] = COMMON | {
    "players": (2, 6),
    "trains": 40,
    "tickets": (5, 3, "shuffled", 4, 1),
    "route_points": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18},
    "own_network": True,
    "markers": (3, 2, False),
    "longest_trail_bonus": 0,
    "most_tickets_bonus": 15,
    "tie_breaks": ("tickets",),
}
SAN_FRANCISCO: dict[str, Any] = COMMON | {
    "players": (2, 4),
    "trains": 20,
    "hand": {2},
    "tickets": (2, 1, "bottom", 2, 1),
    "route_points": {1: 1, 2: 2, 3: 4, 4: 7, 5: 10},
    "parallel_open_from": 3,
    "longest_trail_bonus": 0,
    "tie_breaks": ("tickets",),
}
del SAN_FRANCISCO["souvenirs"]
RULES: dict[str, dict[str, Any]] = {
    "usa": USA,
    "usa:revised": USA,
    "usa:1910": USA | {"longest_trail_bonus": 0, "most_tickets_bonus": 15, "tie_breaks": ("tickets",)},
    "usa:mega": USA | {"tickets": (5, 3, "bottom", 4, 1), "most_tickets_bonus": 15},
    "usa:big-cities": USA | {"tickets": (4, 2, "bottom", 4, 1), "longest_trail_bonus": 0, "tie_breaks": ("tickets",)},
    "europe": EUROPE,
    "europe:1912": EUROPE,
    "europe:mega": EUROPE | {"tickets": (5, 3, "removed", 3, 1), "long_tickets": (2, 1)},
    "europe:big-cities": EUROPE | {"tickets": (5, 2, "removed", 4, 1), "long_tickets": None},
    "old_west": OLD_WEST,
    "old_west:alvin": {k: v for k, v in OLD_WEST.items() if k != "alvin"},
    "san_francisco": SAN_FRANCISCO,
}


def rule_value(board: Board, rule: str) -> Any:
    """Return the value as the tables above write it."""
    r = board.rules
    if rule == "tickets":
        return r.tickets.deal, r.tickets.keep, r.tickets.rejected, r.tickets.draw, r.tickets.draw_keep
    if rule == "long_tickets":
        return r.long_tickets and (r.long_tickets.deal, r.long_tickets.keep_at_most)
    if rule == "stations":
        return r.stations and (r.stations.each, r.stations.unused_points)
    if rule == "markers":
        return r.markers and (r.markers.each, r.markers.cards, r.markers.count_at_once)
    if rule in ("hand", "start_points"):  # of each seat
        return set(getattr(r, rule))
    return getattr(r, rule)


@pytest.mark.parametrize(("name", "rule"), [(name, rule) for name, rules in RULES.items() for rule in rules])
def test_rule_value_is_that_of_the_rulebook(name: str, rule: str) -> None:
    assert rule_value(load_board(name), rule) == RULES[name][rule]


def test_every_board_and_every_rule_is_pinned() -> None:
    assert sorted(RULES) == sorted(board_names())
    assert {rule for rules in RULES.values() for rule in rules} == {field.name for field in fields(Rules)}


def test_alvin_starts_in_roswell_and_scores_ten_twice() -> None:
    board = load_board("old_west:alvin")
    assert board.rules.alvin is not None
    assert board.cities[board.rules.alvin.city].name == "Roswell"
    assert (board.rules.alvin.capture_points, board.rules.alvin.holder_points) == (10, 10)


def test_souvenirs_of_san_francisco() -> None:
    board = load_board("san_francisco")
    souvenirs = board.rules.souvenirs
    assert souvenirs is not None
    assert souvenirs.symbols == 7
    assert souvenirs.points == (0, 0, 1, 2, 4, 6, 9, 12)
    fixed = {board.cities[c].name for c in souvenirs.fixed}
    assert fixed == {"Alcatraz", "Golden Gate Bridge", "The Embarcadero", "Sunset", "Potrero Hill"}
    tables = {n: (t.height, t.placed_by, t.placed_height) for n, t in souvenirs.players.items()}
    assert tables == {2: (2, (1, 1), 1), 3: (2, (2, 1), 2), 4: (3, (3, 2), 3)}


@pytest.mark.parametrize(
    ("name", "colours", "each", "wilds"),
    [("usa", 8, 12, 14), ("europe", 8, 12, 14), ("old_west", 8, 12, 14), ("san_francisco", 6, 6, 8)],
)
def test_card_deck_is_that_of_the_box(name: str, colours: int, each: int, wilds: int) -> None:
    board = load_board(name)
    assert [c.cards for c in board.colours] == [each] * colours
    assert board.wilds == wilds
    assert board.cards == colours * each + wilds


@pytest.mark.parametrize("name", BOARDS)
def test_every_card_colour_is_drawn_apart(name: str) -> None:
    colours = load_board(name).colours
    assert len({c.paint for c in colours}) == len({c.letter for c in colours}) == len(colours)

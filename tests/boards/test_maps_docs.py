"""The pages in maps/: the boards and commands in them work, the values in their tables are those of the boards."""

import re
import shlex
import tomllib
import types
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any, NamedTuple, get_args

import annotated_types as limits
import networkx as nx
import pytest
from pydantic.fields import FieldInfo

from ttrsim import boards
from ttrsim.boards import Board, board_names, file, parsing, read_boards
from ttrsim.boards.analysis import city_table, ticket_table
from ttrsim.boards.file import PAINTS
from ttrsim.files import data_folder

MAPS = data_folder() / "maps"
PAGES = ["usa", "europe", "old_west", "san_francisco"]

Command = Callable[..., Any]
load_board = cache(boards.load_board)  # boards are frozen


class Table(NamedTuple):
    """A table of a page: its first line, and the others."""

    head: list[str]
    rows: list[list[str]]


@cache
def text(page: str) -> str:
    return (MAPS / f"{page}.md").read_text("utf-8")


def tables(page: str) -> Iterator[Table]:
    for block in re.findall(r"(?:^\|.*\n)+", text(page), re.MULTILINE):
        head, rule, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines())
        assert set("".join(rule)) == {"-"}
        assert {len(row) for row in rows} == {len(head)}
        yield Table(head, rows)


def table(page: str, *head: str) -> Table:
    """Return the table whose first line begins with these words."""
    (found,) = (t for t in tables(page) if t.head[: len(head)] == list(head))
    return found


def code(cell: str) -> list[str]:
    """Return the words in backticks."""
    return re.findall(r"`([^`]*)`", cell)


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of the README."""
    return re.findall(rf"```{language}\n(.*?)```", text("README"), re.DOTALL)


# --- the README


@pytest.fixture
def lakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The text of the README's board, which lies as my.toml in the folder that the test works in."""
    monkeypatch.chdir(tmp_path)
    board = blocks("toml")[0]
    Path("my.toml").write_text(board, "utf-8")
    return board


def test_the_board_to_copy_is_good_and_has_its_variants(lakes: str) -> None:
    family = read_boards(Path("my.toml"))
    assert list(family) == ["", "quick", "far"]
    assert sum(t.long for t in family["far"].tickets) == 3


def test_tickets_of_the_board_to_copy_are_worth_their_cheapest_path(lakes: str) -> None:
    tickets = ticket_table(boards.load_board("my.toml:far"))
    assert len(tickets) == 12
    assert list(tickets.points) == list(tickets.trains)


def test_every_command_of_the_readme_works(lakes: str, ttrsim: Command) -> None:
    commands = [shlex.split(line) for block in blocks("sh") for line in block.splitlines()]
    assert {c[2] for c in commands} == {"apply", "check", "draw", "show", "stats"}
    for program, *arguments in commands:
        assert program == "ttrsim"
        assert ttrsim(*arguments).code == 0
    assert Path("my.png").read_bytes().startswith(b"\x89PNG")
    assert Path("quick.svg").is_file()


def test_the_optional_rules_fit_the_board_to_copy(lakes: str) -> None:
    (extra,) = blocks("toml")[1:]
    Path("my.toml").write_text(lakes.replace("cities = [", f"{extra}\ncities = [", 1), "utf-8")
    rules = read_boards(Path("my.toml"))[""].rules
    assert None not in (rules.stations, rules.markers, rules.alvin, rules.souvenirs)
    assert rules.own_network


@pytest.mark.parametrize("row", table("README", "you change").rows, ids=lambda row: row[1])
def test_check_says_what_the_readme_says_it_does(lakes: str, ttrsim: Command, row: list[str]) -> None:
    (old,), new, (problem,) = (code(cell) for cell in row)
    assert lakes.count(old) == 1
    Path("my.toml").write_text(lakes.replace(old, "".join(new)), "utf-8")
    ended = ttrsim("maps", "check", "my.toml")
    (line,) = ended.out.splitlines()
    assert (ended.code, re.sub(r"^my\.toml:\d+:\d+: B\d\d\d ", "", line)) == (1, problem)


def entries_in(annotation: Any) -> list[tuple[str, type[file.Entry]]]:
    """Return the tables that a value of this type is or holds, each with what its entries add to the key."""
    if isinstance(annotation, type) and issubclass(annotation, file.Entry):
        return [("", annotation)]
    star = "" if isinstance(annotation, types.UnionType) else ".*"
    return [(star + inner, entry) for inside in get_args(annotation) for inner, entry in entries_in(inside)]


def keys(entry: type[file.Entry], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Yield every key of a board file that has a value, as `colours.*.cards`."""
    for name, field in entry.model_fields.items():
        if inside := entries_in(field.annotation):
            for star, table_entry in inside:
                yield from keys(table_entry, f"{prefix}{name}{star}.")
        else:
            yield prefix + name + (".*" if name == "route_points" else ""), field


KEYS = dict(keys(file.BoardFile))


def key_rows() -> dict[str, list[str]]:
    rows = [row for t in tables("README") if t.head[0] == "key" for row in t.rows]
    return {code(key)[0]: rest for key, *rest in rows}


def test_the_readme_lists_every_key_once() -> None:
    listed = [code(row[0]) for t in tables("README") if t.head[0] == "key" for row in t.rows]
    assert sorted(listed) == sorted([key] for key in KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_the_readme_gives_the_default_of_a_key(key: str) -> None:
    default = key_rows()[key][1]
    if KEYS[key].is_required():
        assert default == "required"
    elif KEYS[key].default is None:
        assert default == "by its name"
    else:
        assert tomllib.loads(f"x = {code(default)[0]}")["x"] == KEYS[key].default


def bounds(value: Any) -> list[float]:
    """Return the least and the greatest number that a type allows, as far as it says."""
    if isinstance(value, FieldInfo):
        return [b for inside in (*value.metadata, value.annotation) for b in bounds(inside)]
    match value:
        case limits.Ge(ge=bound) | limits.Gt(gt=bound) | limits.Le(le=bound):
            return [float(bound)]  # type: ignore[arg-type]
        case limits.Lt(lt=bound):
            return [float(bound) - 1]  # type: ignore[arg-type]
    return [b for inside in (*getattr(value, "__metadata__", ()), *get_args(value)) for b in bounds(inside)]


@pytest.mark.parametrize("key", [key for key in KEYS if bounds(KEYS[key])])
def test_the_readme_gives_the_range_of_a_number(key: str) -> None:
    ranges = re.findall(r"([−\d]+) to (\d+)", key_rows()[key][0])
    assert ranges, key
    assert [float(bound.replace("−", "-")) for bound in ranges[-1]] == sorted(set(bounds(KEYS[key])))


def test_the_readme_gives_the_paints_and_letters() -> None:
    rows = table("README", "colour", "paint").rows
    assert {code(name)[0]: (code(paint)[0], letter) for name, paint, letter in rows} == PAINTS


def test_the_readme_gives_the_room_there_is() -> None:
    room = {what: int(count.replace(",", "")) for what, count in table("README", "of").rows}
    assert room == {
        "cities": file.MAX_CITIES,
        "routes": file.MAX_ROUTES,
        "tickets in play": file.MAX_TICKETS,
        "colours of cards": file.MAX_COLOURS,
        "cards, wild ones included": file.MAX_CARDS,
        "tickets dealt to a player at once": file.MAX_OFFER,
        "variants": file.MAX_VARIANTS,
        "values and tables in a file": parsing.MOST_VALUES,
        "bytes of a file": parsing.MOST_BYTES,
    }


# --- the pages of the boards


def family(page: str) -> list[str]:
    return [name for name in board_names() if name.partition(":")[0] == page]


def or_dash(value: object) -> str:
    return str(value) if value else "–"


def opening(board: Board) -> str:
    long, tickets = board.rules.long_tickets, board.rules.tickets
    return f"{tickets.deal}{f' + {long.deal} long' if long else ''}, keep {tickets.keep}"


def span(values: list[int] | tuple[int, int]) -> str:
    return f"{min(values)}–{max(values)}"


def alike(board: Board, tracks: int) -> str:
    return str(sum(len(c) == tracks for c in board.connections))


REJECTED = {
    "bottom": "under the deck",
    "shuffled": "shuffled together, under the deck",
    "removed": "out of the game",
}

VALUES: dict[str, Callable[[Board], str]] = {
    "players": lambda b: span(b.rules.players),
    "trains each": lambda b: str(b.rules.trains),
    "opening hand": lambda b: ", ".join(map(str, sorted(set(b.rules.hand)))),
    "cards": lambda b: str(b.cards),
    "wild cards": lambda b: str(b.wilds),
    "cities": lambda b: str(len(b.cities)),
    "routes": lambda b: str(len(b.routes)),
    "spaces": lambda b: str(sum(r.length for r in b.routes)),
    "connections": lambda b: str(len(b.connections)),
    "double connections": lambda b: alike(b, 2),
    "triple connections": lambda b: alike(b, 3),
    "tunnels": lambda b: str(sum(r.tunnel for r in b.routes)),
    "ferries": lambda b: str(sum(r.ferry > 0 for r in b.routes)),
    "ferry symbols": lambda b: str(sum(r.ferry for r in b.routes)),
    "tickets": lambda b: str(len(b.tickets)),
    "long tickets": lambda b: or_dash(sum(t.long for t in b.tickets)),
    "points of a ticket": lambda b: span([t.points for t in b.tickets]),
    "opening tickets": opening,
    "long ones kept at most": lambda b: or_dash(b.rules.long_tickets and b.rules.long_tickets.keep_at_most),
    "not kept": lambda b: REJECTED[b.rules.tickets.rejected],
    "later tickets": lambda b: f"{b.rules.tickets.draw}, keep {b.rules.tickets.draw_keep}",
    "parallel routes all open from": lambda b: f"{b.rules.parallel_open_from} players",
    "cards turned up at a tunnel": lambda b: str(b.rules.tunnel_cards),
    "stations each": lambda b: or_dash(b.rules.stations and b.rules.stations.each),
    "unused station": lambda b: or_dash(b.rules.stations and b.rules.stations.unused_points),
    "own network": lambda b: "yes" if b.rules.own_network else "no",
    "city markers each": lambda b: or_dash(b.rules.markers and b.rules.markers.each),
    "cards for a further marker": lambda b: or_dash(b.rules.markers and b.rules.markers.cards),
    "Alvin: a capture": lambda b: or_dash(b.rules.alvin and b.rules.alvin.capture_points),
    "Alvin: held at the end": lambda b: or_dash(b.rules.alvin and b.rules.alvin.holder_points),
    "souvenir symbols": lambda b: or_dash(b.rules.souvenirs and b.rules.souvenirs.symbols),
    "longest path": lambda b: or_dash(b.rules.longest_trail_bonus),
    "most tickets": lambda b: or_dash(b.rules.most_tickets_bonus),
    "ties": lambda b: ", ".join(b.rules.tie_breaks).replace("_", " ").replace("trail", "path"),
}


@pytest.mark.parametrize("page", PAGES)
def test_values_of_a_page_are_those_of_its_boards(page: str) -> None:
    values = table(page, "", f"`{page}`")
    assert values.head[1:] == [f"`{name}`" for name in family(page)]
    for label, *cells in values.rows:
        assert cells == [VALUES[label](load_board(code(name)[0])) for name in values.head[1:]], label


@pytest.mark.parametrize("page", PAGES)
def test_page_gives_points_and_number_of_each_length(page: str) -> None:
    board = load_board(page)
    lengths = Counter(r.length for r in board.routes)
    rows = [[int(cell) for cell in row] for row in table(page, "length").rows]
    assert rows == [[n, board.rules.route_points[n], lengths[n]] for n in sorted(lengths)]


def mispriced(name: str) -> set[tuple[str, int, int]]:
    tickets = ticket_table(load_board(name))
    found = tickets[tickets.points != tickets.trains]
    return set(zip(found.ticket, found.points, found.trains, strict=True))


@pytest.mark.parametrize("name", board_names())
def test_page_names_the_tickets_not_worth_their_cheapest_path(name: str) -> None:
    page = name.partition(":")[0]
    rows = [row for t in tables(page) if t.head[0] == "ticket" for row in t.rows]
    named = {(t, int(points), int(trains)) for t, points, trains, where in rows if name in code(where)}
    assert named == mispriced(name)


@pytest.mark.parametrize("page", PAGES)
def test_page_gives_the_busiest_cities(page: str) -> None:
    shares = city_table(load_board(page)).nlargest(3, "share")
    assert table(page, "city").rows == [[c.city, f"{c.share:.1%}"] for c in shares.itertuples()]


def test_six_cities_have_no_ticket_of_the_first_usa_deck() -> None:
    board = load_board("usa")
    ends = {city for t in board.tickets for city in (t.a, t.b)}
    (listed,) = re.findall(r"Six cities have no ticket of the first 30: (.*)\.", text("usa"))
    assert listed.split(", ") == [c.name for c in board.cities if c.index not in ends]


def longest_trail(board: Board, all_routes: bool) -> int:
    """Return all routes less the cheapest ones whose loss leaves two odd cities, if the rest hangs together."""
    graph: nx.MultiGraph[int] = nx.MultiGraph()
    for connection in board.connections:
        for route in connection if all_routes else connection[:1]:
            r = board.routes[route]
            graph.add_edge(r.a, r.b, weight=r.length)
    pairs: nx.Graph[int] = nx.Graph()
    paths: dict[int, Any] = {c: nx.single_source_dijkstra(graph, c) for c, degree in graph.degree() if degree % 2}
    for city, (far, _) in paths.items():
        pairs.add_edges_from([(city, -1), (city, -2)], weight=0)  # the two ends of the trail
        pairs.add_weighted_edges_from((city, other, far[other]) for other in paths if other != city)
    lost = [paths[a][1][b] for a, b in nx.min_weight_matching(pairs) if min(a, b) >= 0]
    for step in (step for path in lost for step in pairwise(path)):
        graph.remove_edge(*step)  # parallel routes are equally long
    assert nx.is_connected(graph.subgraph(c for c, degree in graph.degree() if degree))
    return int(graph.size("weight"))


def share_of_hands(wanted: int, others: int, drawn: int, least: int, most: int) -> float:
    """Return the chance that `drawn` cards of a deck have from `least` to `most` of the wanted ones."""
    ways = sum(comb(wanted, k) * comb(others, drawn - k) for k in range(least, most + 1))
    return ways / comb(wanted + others, drawn)


FIGURES: dict[str, Callable[[Board], str]] = {
    "longest path with one route of each connection": lambda b: str(longest_trail(b, False)),
    "longest path with all routes": lambda b: str(longest_trail(b, True)),
    "three or more wild cards among five of a full deck": lambda b: (
        f"{share_of_hands(b.wilds, b.cards - b.wilds, 5, 3, 5):.6f}"
    ),
}


@pytest.mark.parametrize("page", PAGES)
def test_figures_of_a_page_are_those_of_its_board(page: str) -> None:
    for label, value in table(page, "", "value").rows:
        assert value == FIGURES[label](load_board(page)), label


def test_europe_gives_the_odds_of_a_tunnel() -> None:
    board = load_board("europe")
    for row in table("europe", "extra cards").rows:
        extra = int(row[0])
        for cell, matching in zip(row[1:], (board.colours[0].cards + board.wilds, board.wilds), strict=True):
            assert cell == f"{share_of_hands(matching, board.cards - matching, 3, extra, extra):.4f}"


def test_edinburgh_hangs_on_one_connection() -> None:
    board = load_board("europe")
    edinburgh = board.city("Edinburgh")
    ways = {r.connection: {r.a, r.b} for r in board.routes if edinburgh in (r.a, r.b)}
    assert list(ways.values()) == [{edinburgh, board.city("London")}]


def test_san_francisco_gives_the_souvenir_stacks_and_points() -> None:
    souvenirs = load_board("san_francisco").rules.souvenirs
    assert souvenirs is not None
    rows = [(row[0], row[1], row[2].split(", "), row[3]) for row in table("san_francisco", "players").rows]
    assert rows == [
        (str(n), str(t.height), [str(s) for s in t.placed_by], str(t.placed_height))
        for n, t in souvenirs.players.items()
    ]
    points = table("san_francisco", "symbols")
    assert [int(n) for n in points.head[1:]] == list(range(souvenirs.symbols + 1))
    assert [int(p) for p in points.rows[0][1:]] == list(souvenirs.points)


@pytest.mark.parametrize("page", ["README", *PAGES])
def test_links_of_a_page_lead_somewhere(page: str) -> None:
    assert all((MAPS / link).is_file() for link in re.findall(r"\]\(([^)]*)\)", text(page)))


@pytest.mark.parametrize("page", PAGES)
def test_page_names_only_boards_there_are(page: str) -> None:
    named = {name for name in code(text(page)) if name.partition(":")[0] in PAGES}
    assert named == set(family(page))

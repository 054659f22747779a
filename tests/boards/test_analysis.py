"""The analysis of a board against plain listings of all paths, and against what is known of the printed tickets."""

import random
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from pathlib import Path

import networkx as nx
import pytest

from ttrsim.boards import Board, load_board
from ttrsim.boards.analysis import city_table, route_table, ticket_table

BOARDS = ["usa", "usa:mega", "europe", "europe:mega", "old_west", "san_francisco"]

Cities = tuple[int, ...]


def lengths(board: Board) -> dict[int, dict[int, int]]:
    """Return for each city its neighbours and the trains to them."""
    near: dict[int, dict[int, int]] = {c.index: {} for c in board.cities}
    for r in board.routes:
        near[r.a][r.b] = near[r.b][r.a] = r.length
    return near


def simple_paths(near: dict[int, dict[int, int]], path: Cities, end: int, trains: int) -> Iterator[tuple[int, Cities]]:
    """Yield all paths without a repeated city that continue `path` to the end with at most this many trains."""
    if path[-1] == end:
        yield 0, path
        return
    for city, length in near[path[-1]].items():
        if city not in path and length <= trains:
            for more, whole in simple_paths(near, (*path, city), end, trains - length):
                yield length + more, whole


def random_board_text(seed: int) -> str:
    """Return a connected board of seven cities with short connections, some double, and a ticket for every pair."""
    rng = random.Random(seed)
    pairs = list(combinations(range(7), 2))
    joined = {(rng.randrange(b), b) for b in range(1, 7)} | set(rng.sample(pairs, 5))
    cities = "".join(f'{{ name = "C{i}", x = {i}, y = {i} }},\n' for i in range(7))
    tracks = ['["gray"]', '["gray", "red"]']
    routes = "".join(
        f'{{ between = ["C{a}", "C{b}"], length = {rng.choice([1, 1, 2, 3])}, tracks = {rng.choice(tracks)} }},\n'
        for a, b in sorted(joined)
    )
    tickets = "".join(
        f'{{ between = ["C{a}", "C{b}"], points = {rng.randint(1, 9)}, decks = ["base"] }},\n' for a, b in pairs
    )
    return f"""
        format = 1
        name = "Random"
        title = "A random board"
        picture = {{ width = 10, height = 10 }}
        colours.red = {{ cards = 40 }}
        wilds = {{ cards = 0 }}
        rules.players = [2, 2]
        rules.trains = 10
        rules.tickets = {{ deck = "base", deal = 2, keep = 1, draw = 2 }}
        rules.route_points = {{ 1 = 1, 2 = 2, 3 = 4 }}
        cities = [\n{cities}]
        connections = [\n{routes}]
        tickets = [\n{tickets}]
    """


@pytest.fixture(params=range(12))
def random_board(request: pytest.FixtureRequest, board_file: Callable[[str], Path]) -> Board:
    return load_board(board_file(random_board_text(request.param)))


def test_cheapest_path_is_that_of_a_full_search(random_board: Board) -> None:
    near = lengths(random_board)
    for ticket, row in zip(random_board.tickets, ticket_table(random_board).to_dict("records"), strict=True):
        paths = list(simple_paths(near, (ticket.a,), ticket.b, 100))
        cheapest = min(trains for trains, _ in paths)
        assert row["trains"] == cheapest
        assert row["cheapest_paths"] == sum(trains == cheapest for trains, _ in paths)
        shown = min((len(path), path) for trains, path in paths if trains == cheapest)[1]
        assert row["path"] == "–".join(random_board.cities[c].name for c in shown)


def test_alternatives_are_the_other_simple_paths_within_two_trains(random_board: Board) -> None:
    near = lengths(random_board)
    table = ticket_table(random_board)
    for ticket, trains, alternatives in zip(random_board.tickets, table["trains"], table["alternatives"], strict=True):
        assert alternatives == len(list(simple_paths(near, (ticket.a,), ticket.b, trains + 2))) - 1


def test_smallest_cut_is_the_fewest_connections_that_part_the_cities(random_board: Board) -> None:
    graph = nx.Graph([(r.a, r.b) for r in random_board.routes])

    def parted(ticket_ends: tuple[int, int], closed: tuple[tuple[int, int], ...]) -> bool:
        left = graph.copy()
        left.remove_edges_from(closed)
        return not nx.has_path(left, *ticket_ends)

    for ticket, cut in zip(random_board.tickets, ticket_table(random_board)["smallest_cut"], strict=True):
        ends = (ticket.a, ticket.b)
        assert any(parted(ends, closed) for closed in combinations(graph.edges, cut))
        assert not any(parted(ends, closed) for closed in combinations(graph.edges, cut - 1))


def test_traffic_is_the_share_of_ticket_points_over_listed_cheapest_paths(random_board: Board) -> None:
    near = lengths(random_board)
    points = sum(t.points for t in random_board.tickets)
    steps: dict[frozenset[int], float] = {}
    stays = dict.fromkeys(near, 0.0)
    for ticket in random_board.tickets:
        paths = list(simple_paths(near, (ticket.a,), ticket.b, 100))
        cheapest = [path for trains, path in paths if trains == min(t for t, _ in paths)]
        for path in cheapest:
            weight = ticket.points / points / len(cheapest)
            for a, b in pairwise(path):
                steps[frozenset((a, b))] = steps.get(frozenset((a, b)), 0.0) + weight
            for city in path:
                stays[city] += weight
    assert list(city_table(random_board)["share"]) == pytest.approx([stays[c.index] for c in random_board.cities])
    connection_share = [steps.get(frozenset((r.a, r.b)), 0.0) for r in random_board.routes]
    table = route_table(random_board)
    assert list(table["connection_share"]) == pytest.approx(connection_share)
    parallel = [len(random_board.connections[r.connection]) for r in random_board.routes]
    shares = [share / n for share, n in zip(connection_share, parallel, strict=True)]
    assert list(table["share"]) == pytest.approx(shares)


@pytest.mark.parametrize("name", BOARDS)
def test_paths_are_those_of_networkx(name: str) -> None:
    board = load_board(name)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_weighted_edges_from((r.a, r.b, r.length) for r in board.routes)
    for ticket, row in zip(board.tickets, ticket_table(board).to_dict("records"), strict=True):
        assert row["trains"] == nx.dijkstra_path_length(graph, ticket.a, ticket.b)
        assert row["cheapest_paths"] == len(list(nx.all_shortest_paths(graph, ticket.a, ticket.b, weight="weight")))
        cities = [board.city(city) for city in row["path"].split("–")]
        assert (cities[0], cities[-1]) == (ticket.a, ticket.b)
        assert nx.path_weight(graph, cities, "weight") == row["trains"]


@pytest.mark.parametrize("name", BOARDS)
def test_shares_add_up_to_the_trains_of_cheapest_paths(name: str) -> None:
    board = load_board(name)
    tickets, routes, cities = ticket_table(board), route_table(board), city_table(board)
    trains = (tickets["trains"] * tickets["points"]).sum() / tickets["points"].sum()
    assert (routes["share"] * routes["length"]).sum() == pytest.approx(trains)
    assert cities["ends"].sum() == pytest.approx(2)
    assert cities["share"].max() <= 1


@pytest.mark.parametrize(
    ("name", "dearer"),
    [
        (
            "usa",
            {
                frozenset({"Los Angeles", "Chicago"}): 1,
                frozenset({"Los Angeles", "Miami"}): 1,
                frozenset({"Los Angeles", "New York"}): 1,
                frozenset({"Oklahoma City", "Sault St. Marie"}): 1,
                frozenset({"Seattle", "New York"}): 2,
            },
        ),
        ("europe", {frozenset({"London", "Wien"}): 1, frozenset({"Edinburgh", "Athína"}): 1}),
        ("old_west", {frozenset({"Seattle", "Great Falls"}): 1}),
    ],
)
def test_tickets_are_worth_their_cheapest_path_but_these(name: str, dearer: dict[frozenset[str], int]) -> None:
    table = ticket_table(load_board(name))
    differences = zip(table["ticket"], table["points_minus_trains"], strict=True)
    assert {frozenset(ticket.split("–")): more for ticket, more in differences if more} == dearer


def test_points_per_train_of_a_known_ticket() -> None:
    table = ticket_table(load_board("usa")).set_index("ticket")
    assert table.loc["New York–Seattle", ["points", "trains"]].tolist() == [22, 20]
    assert table.loc["New York–Seattle", "points_per_train"] == pytest.approx(1.1)


def test_closing_london_to_edinburgh_makes_the_tickets_of_edinburgh_impossible() -> None:
    table = ticket_table(load_board("europe"))
    edinburgh = table[table["ticket"].str.contains("Edinburgh")]
    assert list(edinburgh["smallest_cut"]) == [1, 1]


def test_long_chain_of_parted_ways_is_counted_at_once(board_file: Callable[[str], Path]) -> None:
    """Twelve diamonds in a row: 2**12 cheapest paths; only those are within 2 trains, for a detour costs 4."""
    ends = [f"E{i}" for i in range(13)]
    cities = [*ends, *(f"{side}{i}" for i in range(12) for side in "NS")]
    routes = [(e, f"{side}{i}") for i in range(12) for side in "NS" for e in (ends[i], ends[i + 1])]
    text = random_board_text(0)
    head = text[: text.index("cities = [")]
    listed = "".join(f'{{ name = "{c}", x = {i / 10}, y = {i / 10} }},\n' for i, c in enumerate(cities))
    joined = "".join(f'{{ between = ["{a}", "{b}"], length = 2, tracks = ["gray"] }},\n' for a, b in routes)
    tickets = "".join(f'{{ between = ["E0", "E{i}"], points = 1, decks = ["base"] }},\n' for i in (12, 1, 2, 3))
    path = board_file(f"{head}cities = [\n{listed}]\nconnections = [\n{joined}]\ntickets = [\n{tickets}]\n")
    table = ticket_table(load_board(path))
    assert table["cheapest_paths"].tolist() == [4096, 2, 4, 8]
    assert table["alternatives"].tolist() == [4095, 1, 3, 7]

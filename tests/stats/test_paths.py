"""The paths of a ticket are those that networkx finds in the rows of the games."""

from collections import Counter

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from runs.making import store

from stats.conftest import RUNS
from ttrsim.errors import UsageError
from ttrsim.stats.paths import batches_of, paths


@pytest.fixture(scope="module")
def ticket(recorded) -> str:
    """The ticket completed most often."""
    return str(recorded.tickets.query("completed")["ticket"].value_counts().index[0])


@pytest.fixture(scope="module")
def found(recorded, ticket):
    return paths(recorded, ticket)


def best_path(board, routes, a, b) -> tuple[int, ...] | None:
    """Return by one weight: trains before routes before numbers, of which the lower weighs less than all higher
    together.
    """
    graph, many = nx.Graph(), len(board.routes)
    for route in routes:
        r = board.routes[route]
        weight = (r.length << 2 * many) + (1 << many + 8) - (1 << many - 1 - route)
        if not graph.has_edge(r.a, r.b) or graph.edges[r.a, r.b]["weight"] > weight:
            graph.add_edge(r.a, r.b, weight=weight, route=route)
    if not (graph.has_node(a) and graph.has_node(b) and nx.has_path(graph, a, b)):
        return None
    cities = nx.dijkstra_path(graph, a, b)
    return tuple(graph.edges[edge]["route"] for edge in nx.utils.pairwise(cities))


@pytest.fixture(scope="module")
def expected(recorded, ticket):
    """The path of each seat that completed the ticket, from its first city; None if it needed a station."""
    board = recorded.board
    a, b = (board.city(name) for name in ticket.split("–"))
    rows = recorded.tickets
    seats = rows[(rows["ticket"] == ticket) & rows["completed"]][["game", "seat"]].drop_duplicates()
    numbers = {name: i for i, name in enumerate(recorded.names.routes)}
    of_seat = recorded.claims.groupby(["game", "seat"])["route"].agg(list)
    return [best_path(board, [numbers[n] for n in of_seat.loc[key]], a, b) for key in seats.itertuples(index=False)]


def test_every_route_is_used_by_as_many_seats(recorded, found, expected):
    used = Counter(route for way in expected if way for route in way)
    assert len(found.routes) == len(recorded.board.routes)
    assert dict(enumerate(found.routes["seats"])) == {i: used[i] for i in range(len(found.routes))}
    assert found.seats == sum(way is not None for way in expected) > 0
    assert found.lent == sum(way is None for way in expected)


def test_paths_are_told_by_their_cities(recorded, found, ticket, expected):
    board = recorded.board
    told = Counter()
    for way in filter(None, expected):
        cities = [board.city(ticket.split("–")[0])]
        for route in way:
            cities.append(sum((board.routes[route].a, board.routes[route].b)) - cities[-1])
        trains = sum(board.routes[route].length for route in way)
        told[" – ".join(board.cities[city].name for city in cities), trains] += 1
    assert {(row.path, row.trains): row.seats for row in found.paths.itertuples()} == told
    assert found.paths["seats"].is_monotonic_decreasing


def test_shares_are_of_the_seats_that_count(found):
    for frame in (found.paths, found.routes):
        assert list(frame["share"]) == pytest.approx(list(frame["seats"] / found.seats))
        known = frame.dropna()
        assert ((known["share_low"] <= known["share"]) & (known["share"] <= known["share_high"])).all()


def test_strategies_add_up_to_all(recorded, found, ticket):
    each = [paths(recorded, ticket, strategy) for strategy in recorded.strategies]
    assert sum(one.seats for one in each) == found.seats
    np.testing.assert_array_equal(sum(one.routes["seats"] for one in each), found.routes["seats"])


@pytest.mark.parametrize("name", RUNS)
def test_games_played_again_tell_the_same_as_those_recorded(name, tmp_path):
    options = RUNS[name] | {"games": 240}
    rows = store(tmp_path / "rows", record=("tickets", "claims"), **options)
    bare = store(tmp_path / "bare", record=(), **options)
    for ticket in rows.tickets.query("completed")["ticket"].unique()[:3]:
        one, two = paths(rows, ticket), paths(bare, ticket)
        assert (one.played, two.played) == (False, True)
        assert (one.games, one.seats, one.lent) == (two.games, two.seats, two.lent)
        pd.testing.assert_frame_equal(one.routes, two.routes)
        by_name = [found.paths.sort_values("path", ignore_index=True) for found in (one, two)]
        pd.testing.assert_frame_equal(*by_name)


def test_a_ticket_that_nobody_completed_has_no_path(tmp_path):
    run = store(tmp_path / "run", games=2, record=())
    found = paths(run, "Los Angeles-New York")
    assert (found.seats, len(found.paths), found.routes["seats"].sum()) == (0, 0, 0)
    assert found.routes["share"].isna().all()


def test_an_unknown_ticket_is_refused_with_the_nearest(recorded):
    near = recorded.board.ticket_name(0)
    with pytest.raises(UsageError, match=f"did you mean {near}"):
        paths(recorded, f"{near}x")


def test_batches_are_whole_blocks_as_even_as_can_be():
    blocks = np.repeat(np.arange(7, 507), 3)
    batches = batches_of(blocks)
    assert (np.diff(batches) >= 0).all()
    assert len(set(zip(blocks, batches, strict=True))) == 500
    assert set(np.bincount(batches)) == {6, 9}
    assert len(np.bincount(batches)) == 200

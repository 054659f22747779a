"""Aggregates: recomputed from the rows by other means they are the same to the last digit."""

import re
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from ttrsim.core.sums import COUNT_COLUMNS, LOWEST_SCORE, PART_COLUMNS, RANKS, SCORE_BINS
from ttrsim.runs.tally import TABLES
from ttrsim.schedule import GROUP_BATCHES

SEAT = ["game", "seat"]


@pytest.fixture(scope="module")
def seats(recorded):
    """`players` with what its game came to."""
    frame = recorded.players.merge(recorded.games[["game", "batch", "line_up"]], on="game")
    return with_win60(frame)


def with_win60(frame):
    frame = frame.assign(group=frame["batch"] // GROUP_BATCHES)
    win60 = (frame["win_share"] * 60).round().astype(int)
    assert np.allclose(win60 / 60, frame["win_share"])
    numbers = {name: frame[name].astype(int) for name in frame.columns if frame[name].dtype.kind in "iu"}
    return frame.assign(win60=win60, one=1, **numbers)


def assert_same(recorded, name, frame, sums):
    """Check that the table of that name is what `frame` sums up to; sums: column -> summed column."""
    keys = list(TABLES[name].axes)
    expected = frame.groupby(keys, observed=True)[list(dict.fromkeys(sums.values()))].sum()
    found = recorded.table(name).set_index(keys).sort_index()
    for column, source in sums.items():
        ours = found[column]
        theirs = expected[source].reindex(found.index, fill_value=0)
        assert ours.tolist() == theirs.tolist(), column
        assert ours.sum() == expected[source].sum(), column  # nothing is left out either


def test_games(recorded, seats):
    scores = recorded.players.groupby("game")["score"]
    best = scores.max()
    second = scores.apply(lambda s: s.nlargest(2).iloc[1])
    games = recorded.games.set_index("game").assign(
        one=1,
        winner_score=best,
        margin=best - second,
        spread=best - scores.min(),
        shared_wins=lambda g: (g["winners"] > 1).astype(int),
        turns_squared=lambda g: g["turns"].astype(int) ** 2,
        **{name: lambda g, name=name: (g["ending"] == name).astype(int) for name in ("ended", "stalemate", "overlong")},
    )
    sums = {name: name for name in TABLES["games"].columns} | {"games": "one"}
    assert_same(
        recorded, "games", games.astype(dict.fromkeys(("reshuffles", "refreshes", "dry_turns", "turns"), int)), sums
    )


def test_seats(recorded, seats):
    frame = seats.assign(
        win60_squared=seats["win60"] ** 2,
        score_squared=seats["score"] ** 2,
        won_alone=(seats["win60"] == 60).astype(int),
        **{f"rank_{r}": (seats["rank"] == r).astype(int) for r in range(1, 7)},
    )
    sums = {name: name for name in TABLES["seats"].columns} | {"games": "one"}
    assert {*PART_COLUMNS, *COUNT_COLUMNS} < set(sums)
    assert_same(recorded, "seats", frame, sums)


def test_deals(recorded, seats):
    seats = seats.merge(recorded.games[["game", "block"]], on="game")
    both = seats.merge(seats, on=["batch", "block", "line_up", "seat"], suffixes=("", "_b"))
    both = both[(both["game"] < both["game_b"]) & (both["strategy"].astype(str) != both["strategy_b"].astype(str))]
    frame = both.assign(of_wins=both["win60"] * both["win60_b"], of_scores=both["score"] * both["score_b"])
    assert (len(frame) > 0) == (recorded.recipe.rotate != "none")
    assert_same(recorded, "deals", frame, {"pairs": "one", "win60": "of_wins", "score": "of_scores"})


def test_line_ups(recorded, seats):
    frame = seats.assign(score_squared=seats["score"] ** 2)
    sums = {"seats": "one", "win60": "win60", "score": "score", "score_squared": "score_squared"}
    assert_same(recorded, "line_ups", frame, sums)


def test_versus(recorded, seats):
    both = seats.merge(seats, on=["game", "batch"], suffixes=("", "_b"))
    both = both[both["strategy"].astype(str) != both["strategy_b"].astype(str)]
    frame = both.assign(
        other=both["strategy_b"],
        ahead=(both["rank"] < both["rank_b"]).astype(int),
        tied=(both["rank"] == both["rank_b"]).astype(int),
        lead=both["score"] - both["score_b"],
    )
    assert_same(recorded, "versus", frame, {"pairs": "one", "ahead": "ahead", "tied": "tied", "lead": "lead"})


def test_orders(recorded, seats):
    def order(game):
        text = ""
        for rank, group in game.sort_values(["rank", "seat"], kind="stable").groupby("rank"):
            text += (" > " if text else "") + " = ".join(group["strategy"].astype(str))
            assert rank == text.count(" > ") + text.count(" = ") - len(group) + 2
        return text

    found = recorded.table("orders").set_index(["batch", "order"])["games"]
    orders = seats.groupby(["batch", "game"]).apply(order, include_groups=False).reset_index(name="order")
    expected = orders.groupby(["batch", "order"]).size()
    assert found.to_dict() == expected.to_dict()


def test_scores_and_lengths(recorded, seats):
    assert seats["score"].between(LOWEST_SCORE, LOWEST_SCORE + SCORE_BINS - 1).all()
    assert_same(recorded, "scores", seats, {"seats": "one", "win60": "win60"})
    assert_same(recorded, "lengths", recorded.games.assign(one=1), {"games": "one"})


@pytest.fixture(scope="module")
def offers(recorded, seats):
    """`tickets` with what its seat came to."""
    columns = [*SEAT, "batch", "group", "win60", "score"]
    frame = recorded.tickets.merge(seats[columns], on=SEAT)
    return frame.assign(**{name: frame[name].astype(int) for name in ("offered", "kept", "completed")}, one=1)


def test_tickets(recorded, offers):
    opening = offers[offers["offered"] == 1]
    for what in ("win60", "score"):
        opening = opening.assign(**{f"completed_{what}": opening["completed"] * opening[what]})
    sums = {
        "offered": "one",
        "offered_win60": "win60",
        "offered_score": "score",
    }
    assert_same(recorded, "tickets", opening, sums)
    fates = ("kept", "completed", "completed_win60", "completed_score")
    assert_same(recorded, "ticket_fates", opening, {name: name for name in fates})
    later = offers[offers["offered"] == 0]
    later_sums = {"drawn": "one", "drawn_kept": "kept", "drawn_completed": "completed"}
    assert_same(recorded, "ticket_fates", later, later_sums)


def test_turns_of_connection_and_blocked_tickets(recorded, offers):
    board, players = recorded.board, recorded.recipe.seats
    routes = {board.route_name(r): r for r in board.routes}
    tickets = {board.ticket_name(t): t for t in board.tickets}
    claims = dict(list(recorded.claims.sort_values("table_turn").groupby("game")))
    found = {"connected": [], "connected_turn": [], "blocked": []}
    opening = offers[offers["offered"] == 1]
    for offer in opening.itertuples():
        in_game = claims.get(offer.game, recorded.claims.iloc[:0])
        mine = in_game[in_game["seat"] == offer.seat]
        ticket = tickets[offer.ticket]
        network = nx.MultiGraph()
        network.add_nodes_from([ticket.a, ticket.b])
        turn = 0
        for claim in mine.itertuples():
            route = routes[claim.route]
            network.add_edge(route.a, route.b)
            if offer.completed and not turn and nx.has_path(network, ticket.a, ticket.b):
                turn = claim.turn
        found["connected"].append(int(turn > 0))
        found["connected_turn"].append(turn)
        taken = {routes[name].index for name in in_game["route"]}
        if players < board.rules.parallel_open_from:
            taken |= {twin for r in taken for twin in board.connections[board.routes[r].connection]}
        network.add_edges_from((r.a, r.b) for r in board.routes if r.index not in taken)
        failed = offer.kept and not offer.completed
        found["blocked"].append(int(failed and not nx.has_path(network, ticket.a, ticket.b)))
    assert sum(found["connected"]) > 10
    assert sum(found["blocked"]) > 10
    assert_same(recorded, "ticket_fates", opening.assign(**found), {name: name for name in found})


def test_ticket_pairs(recorded, offers):
    opening = offers[offers["offered"] == 1]
    both = opening.merge(opening[[*SEAT, "ticket"]], on=SEAT, suffixes=("", "_b"))
    index = {recorded.board.ticket_name(t): t.index for t in recorded.board.tickets}
    both = both[both["ticket"].map(index).astype(int) < both["ticket_b"].map(index).astype(int)]
    frame = both.assign(other=both["ticket_b"], score_squared=both["score"] ** 2)
    sums = {"offered": "one", "win60": "win60", "score": "score", "score_squared": "score_squared"}
    assert_same(recorded, "ticket_pairs", frame, sums)


def test_routes_and_cities(recorded, seats):
    claims = recorded.claims.merge(seats[[*SEAT, "batch", "group", "win60", "score"]], on=SEAT)
    claims = claims.assign(one=1, turn=claims["turn"].astype(int))
    sums = {"win60": "win60", "score": "score", "turn": "turn"}
    assert_same(recorded, "routes", claims, {"claims": "one", **sums})
    names = {recorded.board.route_name(r): r for r in recorded.board.routes}
    ends = [
        claims.assign(city=[recorded.board.cities[getattr(names[r], end)].name for r in claims["route"]])
        for end in "ab"
    ]
    first = pd.concat(ends).sort_values("turn").drop_duplicates([*SEAT, "city"])
    assert_same(recorded, "cities", first, {"visits": "one", **sums})


def test_arrays_and_tables_hold_the_same(recorded):
    for name in set(TABLES) - {"orders"}:
        array, frame = recorded.array(name), recorded.table(name)
        axes = recorded.axes(name)
        columns = list(array.dtype.names)
        assert array.shape == tuple(map(len, axes.values()))
        assert [array[column].sum() for column in columns] == frame[columns].sum().tolist()
        for row in frame.sample(min(5, len(frame)), random_state=1).to_dict("records"):
            place = tuple(
                row[axis] - LOWEST_SCORE if axis == "score" else list(names).index(row[axis])
                for axis, names in axes.items()
            )
            assert list(array[place]) == [row[column] for column in columns]


def test_docs_name_every_column():
    page = (Path(__file__).parents[2] / "docs" / "runs.md").read_text("utf-8")
    columns = {column for table in TABLES.values() for column in table.columns} - {*RANKS[1:-1]}  # "rank_1 … rank_6"
    assert [column for column in sorted(columns) if not re.search(rf"\b{column}\b", page)] == []

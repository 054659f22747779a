"""Routes and cities: who takes them, when, and how eagerly. Claims are choices, so all of it is description."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from ttrsim.core.tally import WHOLE_WIN
from ttrsim.stats.batches import Array, Interval, jackknife, ratio, share
from ttrsim.stats.frames import Column, Table, build
from ttrsim.stats.reading import sums, to_groups
from ttrsim.stats.strategies import PLAYERS, STRATEGY

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

By = Literal["all", "strategy"]

CONTEST = (
    "Share of a game for which {what}, taking its length as the mean number of turns of a seat: near 1 if always at "
    "once, small if late or seldom."
)
ROUTES = Table(
    "routes",
    'A row is a route, over all strategies; with `by="strategy"`, a route for a strategy.',
    (
        PLAYERS,
        STRATEGY,
        Column("route", "key", "", "The route.", "Route"),
        Column("length", "number", "trains", "Trains it takes.", "Length"),
        Column("claims", "count", "games", "Games in which it was claimed.", "Claims"),
        Column(
            "claim_rate",
            "description",
            "share",
            "Share of games in which it is claimed; for a strategy, of its seats that claim it.",
            "Claimed",
        ),
        Column("turn", "description", "turns", "Mean turn of the claim, the seat's own turns from 1.", "Turn"),
        Column("contest", "description", "share", CONTEST.format(what="the route is taken"), "Contest"),
        Column(
            "win_share",
            "description",
            "share",
            "Mean win share of those who claimed it: not what claiming it does.",
            "Wins",
        ),
        Column(
            "score",
            "description",
            "points",
            "Mean final score of those who claimed it: not what claiming it does.",
            "Score",
        ),
    ),
    "contest",
)
CITIES = Table(
    "cities",
    'A row is a city, over all strategies; with `by="strategy"`, a city for a strategy.',
    (
        PLAYERS,
        STRATEGY,
        Column("city", "key", "", "The city.", "City"),
        Column("connections", "number", "connections", "Connections that end there.", "Connections"),
        Column("visits", "count", "seats", "Seats with a route there at the end.", "Visits"),
        Column(
            "visitors",
            "description",
            "seats",
            "Mean number of players with a route there at the end; for a strategy, the share of its seats.",
            "Visitors",
        ),
        Column(
            "turn",
            "description",
            "turns",
            "Mean turn of the first claim of a route there, the seat's own turns from 1.",
            "Turn",
        ),
        Column(
            "contest",
            "description",
            "share",
            CONTEST.format(what="a seat has a route there, mean over seats"),
            "Contest",
        ),
        Column(
            "win_share",
            "description",
            "share",
            "Mean win share of those with a route there: not what going there does.",
            "Wins",
        ),
        Column(
            "score",
            "description",
            "points",
            "Mean final score of those with a route there: not what going there does.",
            "Score",
        ),
    ),
    "contest",
)


def routes(run: "Run", by: By = "all") -> "pd.DataFrame":
    """How often and when each route is claimed."""
    board = run.board
    printed = {
        "route": np.array([board.route_name(route) for route in board.routes], object),
        "length": np.array([route.length for route in board.routes]),
    }
    return _frame(run, ROUTES, by, printed, counted="claims", rated="claim_rate")


def cities(run: "Run", by: By = "all") -> "pd.DataFrame":
    """How many players come to each city, and when."""
    board = run.board
    ends = [{board.routes[tracks[0]].a, board.routes[tracks[0]].b} for tracks in board.connections]
    printed = {
        "city": np.array([city.name for city in board.cities], object),
        "connections": np.array([sum(city.index in pair for pair in ends) for city in board.cities]),
    }
    return _frame(run, CITIES, by, printed, counted="games", rated="visitors")


def _frame(run: "Run", table: Table, by: By, printed: dict[str, Array], counted: str, rated: str) -> "pd.DataFrame":
    s, seats = sums(run, table.name), sums(run, "seats")
    games, turns = (to_groups(run, seats[name].sum(axis=2)) for name in ("games", "turns"))  # (groups, strategies)
    if by == "all":
        s = {name: array.sum(axis=1, keepdims=True) for name, array in s.items()}
        games, turns = games.sum(axis=1, keepdims=True), turns.sum(axis=1, keepdims=True)
    visits, seated = s[counted], games[..., None]
    played = seated // run.plan.seats if by == "all" else seated
    chances = played if table is ROUTES else seated  # a route is claimed once a game, a city visited by every seat
    shape = visits.shape[1:]
    counts = (visits.sum(axis=0), chances.sum(axis=0))
    contest = jackknife(_taken, visits, s["turns"], chances, seated, turns[..., None])
    data = {
        "players": np.full(shape, run.plan.seats),
        **{name: np.broadcast_to(values, shape) for name, values in printed.items()},
        "claims" if table is ROUTES else "visits": visits.sum(axis=0),
        rated: Interval(*(end * (chances.sum(axis=0) / played.sum(axis=0)) for end in share(visits, chances))),
        "turn": ratio(s["turns"], visits).varied().interval(),
        "contest": contest.of_share(*counts),
        "win_share": share(s["win60"] / WHOLE_WIN, visits),
        "score": ratio(s["score"], visits).varied().interval(),
    }
    if by == "strategy":
        data["strategy"] = np.broadcast_to(np.array(run.strategies, object)[:, None], shape)
    return build(table, data)


def _taken(visits: Array, turns: Array, chances: Array, seats: Array, all_turns: Array) -> Array:
    """Mean share of a game from the claim to the end: what is left of the mean number of turns."""
    return np.asarray((visits - turns * seats / all_turns) / chances)

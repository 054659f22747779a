"""Routes and cities: who takes them, when, and how eagerly. Claims are choices, so all of it is description."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from ttrsim.batches import Array, Interval, jackknife, ratio, share
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.stats.frames import Column, Definition, build, sums, to_groups
from ttrsim.stats.over_strategies import columns, over_strategies, within
from ttrsim.stats.standings import PLAYERS, STRATEGY

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

By = Literal["all", "strategy"]

TAKEN = (
    "Share of a game for which {what}, taking its length as the mean number of turns of a seat: near 1 if always at "
    "once, small if late or seldom."
)
ROUTES = Definition(
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
        *columns("claim_rate", "share", "The share of seats that claim it,", "Of a new strategy's seats"),
        Column("turn", "description", "turns", "Mean turn of the claim, the seat's own turns from 1.", "Turn"),
        Column("taken", "description", "share", TAKEN.format(what="the route is taken"), "Taken"),
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
    "taken",
)
CITIES = Definition(
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
        *columns("visitors", "share", "The share of seats that come there,", "Of a new strategy's seats"),
        Column(
            "turn",
            "description",
            "turns",
            "Mean turn of the first claim of a route there, the seat's own turns from 1.",
            "Turn",
        ),
        Column(
            "taken",
            "description",
            "share",
            TAKEN.format(what="a seat has a route there, mean over seats"),
            "Taken",
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
    "taken",
)


def routes(run: "Run", by: By = "all") -> "pd.DataFrame":
    """Return how often and when each route is claimed."""
    board, s = run.board, _sums(run, "routes", by)
    chances = s["seats"] if by == "strategy" else s["seats"] // run.recipe.seats  # it is claimed once a game
    printed = {
        "route": np.array([board.route_name(route) for route in board.routes], object),
        "length": np.array([route.length for route in board.routes]),
    }
    found = {"claims": s["claims"].sum(axis=0), "claim_rate": share(s["claims"], chances)}
    if by == "all":
        found |= _over_strategies(run, "claim_rate", "routes", "claims")
    return build(ROUTES, {**_shared(run, by, s, s["claims"], chances, printed), **found})


def cities(run: "Run", by: By = "all") -> "pd.DataFrame":
    """Return how many players come to each city, and when."""
    board, s = run.board, _sums(run, "cities", by)
    visits, chances = s["visits"], s["seats"]  # every seat of a game may come there
    visitors = 1 if by == "strategy" else run.recipe.seats  # if all came
    ends = [{board.routes[tracks[0]].a, board.routes[tracks[0]].b} for tracks in board.connections]
    printed = {
        "city": np.array([city.name for city in board.cities], object),
        "connections": np.array([sum(city.index in pair for pair in ends) for city in board.cities]),
    }
    found = {
        "visits": visits.sum(axis=0),
        "visitors": Interval(*(visitors * end for end in share(visits, chances))),
    }
    if by == "all":
        found |= _over_strategies(run, "visitors", "cities", "visits")
    return build(CITIES, {**_shared(run, by, s, visits, chances, printed), **found})


def _over_strategies(run: "Run", name: str, table: str, visits: str) -> dict[str, Array | Interval]:
    """Return how the share of a strategy's seats that take each place varies over strategies."""
    s = _sums(run, table, "strategy")
    found = over_strategies(name, ratio(s[visits], s["seats"]))
    new = f"{name}_new"
    return found | {new: within(Interval(*found[new]), 0, 1)}


def _sums(run: "Run", table: str, by: By) -> dict[str, Array]:
    """Return the sums of routes or cities, each (groups, strategies, places), strategies pooled unless by strategy.

    Beside them, as (groups, strategies, 1), the `seats` of the strategies and `all_turns` of these seats.
    """
    seats = sums(run, "seats")
    s = {
        **sums(run, table),
        "seats": to_groups(run, seats["games"].sum(axis=2))[..., None],
        "all_turns": to_groups(run, seats["turns"].sum(axis=2))[..., None],
    }
    return s if by == "strategy" else {name: array.sum(axis=1, keepdims=True) for name, array in s.items()}


def _shared(
    run: "Run", by: By, s: dict[str, Array], visits: Array, chances: Array, printed: dict[str, Array]
) -> dict[str, Array | Interval]:
    """Return the columns that routes and cities share, and what the board says of them.

    visits: how often a place was taken; chances: how often it might have been.
    """
    shape = visits.shape[1:]
    taken = jackknife(_taken, visits, s["turn"], chances, s["seats"], s["all_turns"])
    shared: dict[str, Array | Interval] = {
        "players": np.full(shape, run.recipe.seats),
        **{name: np.broadcast_to(values, shape) for name, values in printed.items()},
        "turn": ratio(s["turn"], visits).varied().interval(),
        "taken": taken.of_share(visits.sum(axis=0), chances.sum(axis=0)),
        "win_share": share(s["win60"] / WHOLE_WIN, visits),
        "score": ratio(s["score"], visits).varied().interval(),
    }
    if by == "strategy":
        shared["strategy"] = np.broadcast_to(np.array(run.strategies, object)[:, None], shape)
    return shared


def _taken(visits: Array, turns: Array, chances: Array, seats: Array, all_turns: Array) -> Array:
    """Return the mean share of a game from the claim to the end: the rest of the mean number of turns."""
    return np.asarray((visits - turns * seats / all_turns) / chances)

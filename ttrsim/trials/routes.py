"""Measure what closing routes and cities to everybody changes, and what owning a route from the start is worth."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, Interval, in_shares
from ttrsim.boards import Board
from ttrsim.boards.analysis import route_table
from ttrsim.boards.board import Place, find_places
from ttrsim.encode import UNCHANGED, Intervention
from ttrsim.stats.frames import Column, Definition, build, joined
from ttrsim.stats.standings import PLAYERS, STRATEGY
from ttrsim.trials.tickets import FOCAL_STRATEGY, GAMES, effects
from ttrsim.trials.trial import FOCAL, OnGames, Trial, TrialResults, nobody_listens, play

if TYPE_CHECKING:
    import pandas as pd

CLOSED = Definition(
    "closed",
    "A row is a route, or all parallel routes of a connection, or all routes of a city, and a strategy. The same deals "
    "are played as they are, and with those routes closed: nobody can claim them.",
    (
        PLAYERS,
        STRATEGY,
        Column("closed", "key", "", "What is closed.", "Closed"),
        Column("routes", "number", "routes", "How many routes that is.", "Routes"),
        GAMES,
        Column("score_change", "estimate", "points", "What the strategy's mean score is more.", "Score ±"),
        Column("win_change", "estimate", "share difference", "What its mean win share is more.", "Wins ±"),
        Column(
            "completed_change", "estimate", "tickets", "What its mean number of tickets completed is more.", "Completed"
        ),
        Column(
            "turns_change",
            "estimate",
            "turns",
            "How many turns longer the games are, of all seats together; the same for all strategies.",
            "Turns",
        ),
    ),
    "score_change",
    "The intervals of each column hold at once for all that was closed, for a strategy.",
    smallest_first=True,
    at_once=("score_change", "win_change"),
)

GIFTS = Definition(
    "gifts",
    "A row is a route. The same deals are played as they are, and with the route given to the focal seat: it owns it "
    "from the start, for no cards, no trains and no points; its parallel routes are closed as after a claim.",
    (
        PLAYERS,
        FOCAL_STRATEGY,
        Column("route", "key", "", "The route.", "Route"),
        Column("length", "number", "trains", "Trains it takes otherwise.", "Length"),
        Column("points", "number", "points", "Points it scores otherwise.", "Points"),
        GAMES,
        Column("score_effect", "estimate", "points", "What the focal seat's mean score is more.", "Extra points ±"),
        Column("win_effect", "estimate", "share difference", "What its mean win share is more.", "Extra wins ±"),
        Column(
            "completed_effect",
            "estimate",
            "tickets",
            "What its mean number of tickets completed is more.",
            "Completed",
        ),
    ),
    "score_effect",
    "The intervals of each column hold at once for all routes.",
    at_once=("score_effect", "win_effect"),
)


def closed(
    trial: Trial, names: Sequence[str], *, threads: int = 1, on_games: OnGames = nobody_listens
) -> "pd.DataFrame":
    """Measure what closing routes, connections or cities changes."""
    shut = find_places(trial.board, names)
    played = play(trial, [UNCHANGED, *(Intervention(closed=place.routes) for place in shut)], threads, on_games)
    return build(CLOSED, joined([_of_strategy(trial, shut, played, n) for n in range(len(trial.strategies))]))


def _of_strategy(trial: Trial, shut: Sequence[Place], played: TrialResults, number: int) -> dict[str, Array | Interval]:
    """Return the columns for one of the trial's strategies, over all its seats."""
    arms, base = range(1, len(shut) + 1), [0] * len(shut)

    def change(column: str) -> Interval:
        return played.change(column, arms, base, 1 + number).simultaneous()

    return {
        "players": np.full(len(shut), len(trial.line_up)),
        "strategy": np.full(len(shut), trial.strategies[number], object),
        "closed": np.array([place.name for place in shut], object),
        "routes": np.array([len(place.routes) for place in shut]),
        "games": np.full(len(shut), trial.schedule.games),
        "score_change": change("score"),
        "win_change": in_shares(change("win60")),
        "completed_change": change("completed"),
        "turns_change": change("turns"),
    }


def gifts(
    trial: Trial, names: Sequence[str], *, threads: int = 1, on_games: OnGames = nobody_listens
) -> "pd.DataFrame":
    """Measure what owning routes from the start is worth; of a connection its first route is given."""
    board = trial.board
    given = [board.routes[place.routes[0]] for place in find_places(board, names)]
    arms = [Intervention(FOCAL, gift=(route.index,)) for route in given]
    played = play(trial, [UNCHANGED, *arms], threads, on_games)
    mine, base = range(1, len(arms) + 1), [0] * len(arms)
    data = {
        "players": np.full(len(given), len(trial.line_up)),
        "strategy": np.full(len(given), trial.line_up[FOCAL].spec, object),
        "route": np.array([board.route_name(route) for route in given], object),
        "length": np.array([route.length for route in given]),
        "points": np.array([board.rules.route_points[route.length] for route in given]),
        "games": np.full(len(given), trial.schedule.games),
        **effects(played, mine, base, "effect"),
        "completed_effect": played.change("completed", mine, base).simultaneous(),
    }
    return build(GIFTS, data)


def busiest(board: Board, most: int) -> list[str]:
    """Return the busiest connections: those on the cheapest paths of the largest shares of ticket points."""
    shares = route_table(board)["connection_share"].to_numpy()
    order = sorted(range(len(board.connections)), key=lambda connection: -shares[board.connections[connection][0]])
    return [board.connection_name(connection) for connection in order[:most]]

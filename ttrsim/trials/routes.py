"""Measure what closing, owning and changing routes does.

Boards with a changed route, longer, in other colours, double, a tunnel or ferry, new or dropped, play the same deals as
the board as it is, as two sides of `ttrsim compare` do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, Interval, in_shares, level_of_each
from ttrsim.boards import Board, load_board
from ttrsim.boards.analysis import route_table
from ttrsim.boards.board import Place, find_places
from ttrsim.boards.changes import ENTRY, split_name, with_settings
from ttrsim.encode import UNCHANGED, Intervention
from ttrsim.errors import UsageError
from ttrsim.runs.in_memory import RunInMemory, play_in_memory
from ttrsim.runs.run import new_player
from ttrsim.stats.compare import CHANGES, Pair, changes
from ttrsim.stats.frames import Column, Definition, build, interval_of, joined
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


ALWAYS = {"strategies": ("win_share", "score", "tickets_completed"), "seats": ("win_share",), "games": ("turns",)}
"""Quantities printed of every change, by the table it belongs to."""
IF_CLEAR = {"tickets": ("win_effect", "score_effect", "completed_kept"), "routes": ("claims",)}
"""Quantities printed where it clearly changes."""
MOST_PRINTED = 8
"""The most rows of either of these."""

CHANGED = Definition(
    "changed",
    "A row is a change of a route, and one property of a strategy, a seat, a ticket, a connection, or of games as a "
    "whole. The same deals are played on the board as it is, and with the change.",
    (
        CHANGES.column("players"),
        Column("setting", "key", "", "The change, as `--set` takes it.", "Setting"),
        Column("connection", "key", "", "Whose routes it changes."),
        CHANGES.column("table"),
        Column("of", "key", "", "Which strategy, seat, ticket or connection, or games.", "Of"),
        CHANGES.column("what"),
        CHANGES.column("unit"),
        Column("before", "count", "see unit", "Its value on the board as it is; none if it has none there.", "Before"),
        Column("after", "count", "see unit", "Its value with the change.", "After"),
        replace(CHANGES.column("change"), meaning="How much larger it is with the change."),
    ),
    "",
    "The intervals of one column hold at once for all strategies, all seats, all tickets or all routes, and for all "
    "changes that were tried.",
    at_once=("change",),
)


def changed(
    trial: Trial, names: Sequence[str], *, threads: int = 1, on_games: OnGames = nobody_listens
) -> "pd.DataFrame":
    """Measure what changes of routes do. names: the changes as `--set` takes them, several as one with semicolons."""
    board, connections = trial.board, check_changes(trial.board, names)
    boards = [with_settings(board.id, parts_of(setting)) for setting in connections]
    done, total = 0, (1 + len(boards)) * trial.schedule.games

    def count(games: int) -> None:
        nonlocal done
        done += games
        on_games(done, total)

    def played(name: str) -> RunInMemory:
        player = new_player(
            board=name, players=list(trial.line_up), games=trial.schedule.games, seed=trial.seed, record=()
        )
        return play_in_memory(player, threads, count)

    on_games(0, total)
    before, level = played(board.id), level_of_each(len(boards))
    frames = [changes(Pair.of(before, played(name)), level) for name in boards]
    return build(CHANGED, joined([_columns(*of) for of in zip(connections, connections.values(), frames, strict=True)]))


def parts_of(setting: str) -> list[str]:
    """Return the settings that are tried together as one change.

    >>> parts_of("drop route Ayr–Dax; route Ayr–Bern length = 3")
    ['drop route Ayr–Dax', 'route Ayr–Bern length = 3']
    """
    return [part.strip() for part in setting.split(";") if part.strip()]


def check_changes(board: Board, settings: Sequence[str]) -> dict[str, str]:
    """Return the first connection that each change concerns, by change; refuse what changes no route."""
    return {setting: _connection(board, setting) for setting in settings}


def _connection(board: Board, setting: str) -> str:
    for part in parts_of(setting) or [setting]:
        found = ENTRY.fullmatch(part)
        if not found or found[2] != "route":
            forms = "'route CITY–CITY KEY = VALUE', 'add route …' or 'drop route …'"
            raise UsageError([f"`change` {part!r}: is no change of a route; write {forms}"])
    of, new = _tracks(board), _tracks(load_board(with_settings(board.id, parts_of(setting))))
    moved = [pair for pair in {**new, **of} if of.get(pair) != new.get(pair)]
    if not moved:
        raise UsageError([f"`change` {setting!r}: {split_name(board.id)[0]} is so already"])
    return moved[0]


def _tracks(board: Board) -> dict[str, list[object]]:
    """Return all that distinguishes the routes of each connection, by its name."""
    return {
        board.connection_name(number): [replace(board.routes[r], index=0, connection=0) for r in tracks]
        for number, tracks in enumerate(board.connections)
    }


def _columns(setting: str, connection: str, frame: "pd.DataFrame") -> dict[str, object]:
    fixed = {"setting": setting, "connection": connection}
    return {
        **{name: np.full(len(frame), value, object) for name, value in fixed.items()},
        **{name: frame[name].to_numpy() for name in ("players", "table", "what", "unit")},
        "of": frame["of"].where(frame["of"] != "", "games").to_numpy(),
        "before": frame["a"].to_numpy(),
        "after": frame["b"].to_numpy(),
        "change": interval_of(frame, "change"),
    }


def by_setting(frame: "pd.DataFrame") -> "Iterator[tuple[str, pd.DataFrame]]":
    """Yield each change with the rows that are printed: its own routes, who wins, and what else clearly changes."""
    for setting, rows in frame.groupby("setting", sort=False):
        yield str(setting), rows.loc[_printed(rows)]


def printed(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the rows that are printed."""
    return frame.loc[[label for _, rows in frame.groupby("setting", sort=False) for label in _printed(rows)]]


def _printed(rows: "pd.DataFrame") -> list[int]:
    """Return the labels of the rows that are printed, in order."""
    own = (rows["table"] == "routes") & (rows["of"] == rows["connection"])
    found = [*rows.index[own]]
    for table, names in ALWAYS.items():
        some = rows[(rows["table"] == table) & rows["what"].isin(names)]
        found.extend(some.index[np.argsort(some.groupby("of", sort=False).ngroup(), kind="stable")])
    for table, names in IF_CLEAR.items():
        found.extend(clear(rows[(rows["table"] == table) & rows["what"].isin(names) & ~own]).index[:MOST_PRINTED])
    return found


def own_claims(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the rows that say how often the changed routes are claimed, one for each change."""
    return frame[(frame["table"] == "routes") & (frame["what"] == "claims") & (frame["of"] == frame["connection"])]


def clear(rows: "pd.DataFrame") -> "pd.DataFrame":
    """Return the rows of what clearly changed, the surest first."""
    half = (rows["change_high"] - rows["change_low"]) / 2
    far = rows["change"].abs() / half.where(half > 0)
    return rows.loc[far[far > 1].sort_values(ascending=False, kind="stable").index]

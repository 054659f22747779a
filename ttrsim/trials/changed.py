"""Measure what changes of routes do: longer, in other colours, double, tunnels or ferries, new ones or none.

The board as it is and the board with each change play the same deals, as two sides of `ttrsim compare` do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import level_of_each
from ttrsim.boards import Board, load_board
from ttrsim.boards.changes import ENTRY, split_name, with_settings
from ttrsim.errors import UsageError
from ttrsim.runs.in_memory import RunInMemory, play_in_memory
from ttrsim.runs.run import new_player
from ttrsim.stats.compare import CHANGES, Pair, changes
from ttrsim.stats.frames import Column, Definition, build, interval_of, joined
from ttrsim.trials.trial import OnGames, Trial, nobody_listens

if TYPE_CHECKING:
    import pandas as pd

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

"""Join the frames of several runs: strategies at several tables, tickets and seats with each number of players.

>>> runs = [Run.open(f"usa/{players}-mixed") for players in (2, 3, 4, 5)]
>>> plots.tickets_by_players(tickets_by_players(runs))
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import LEVEL, level_of_each
from ttrsim.errors import UsageError
from ttrsim.stats.frames import Column, Definition, build, interval_of, joined
from ttrsim.stats.rating import STRENGTH, strength
from ttrsim.stats.standings import MARGIN, PLAYERS, STRATEGIES, STRATEGY, seats, strategies
from ttrsim.stats.ticket_values import tickets

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run


RANKS = ["rank", "rank_low", "rank_high"]

ACROSS = Definition(
    "across",
    "A row is a strategy in a run.",
    (
        Column("board", "key", "", "The board.", "Board"),
        replace(PLAYERS, head="Players"),
        Column("design", "key", "", "Which line-ups were played.", "Design"),
        Column("games", "count", "games", "Games of the run.", "Games"),
        STRATEGY,
        STRATEGIES.column("win_share"),
        Column("fair_share", "number", "share", "One win for all seats of a table.", "Fair"),
        STRATEGIES.column("score"),
        *(STRENGTH.column(name) for name in RANKS),
    ),
    "",
    "Intervals hold each on its own; ranges of ranks hold for all strategies of a run at once.",
)


def table_name(board: str, players: int, design: str) -> str:
    """Return the name of a table.

    >>> table_name("usa", 4, "mixed"), table_name("usa", 4, "mirror")
    ('usa, 4 players', 'usa, 4 players, mirror')
    """
    return f"{board}, {players} players" + (f", {design}" if design in ("mirror", "focal") else "")


def across(runs: "Sequence[Run]", level: float = LEVEL) -> "pd.DataFrame":
    """Return how each strategy does in each of the runs, with ranks by intervals of a level."""
    return build(ACROSS, joined([_of_run(run, level) for run in runs]))


def _of_run(run: "Run", level: float) -> dict[str, object]:
    ranks = strength(run, level)[["strategy", *RANKS]]
    frame = strategies(run).drop(columns=RANKS).merge(ranks, on="strategy")  # there they are mean ranks at the table
    same = {
        "board": run.board.id,
        "players": run.recipe.seats,
        "design": run.recipe.design,
        "games": run.games_played,
        "fair_share": 1 / run.recipe.seats,
    }
    return {
        **{name: np.full(len(frame), value) for name, value in same.items()},
        **{name: frame[name].to_numpy() for name in ("strategy", *RANKS)},
        **{name: interval_of(frame, name) for name in ("win_share", "score")},
    }


def tickets_by_players(runs: "Sequence[Run]", level: float = LEVEL) -> "pd.DataFrame":
    """Return the tickets of runs on one board, over all strategies, with intervals that hold in all runs at once."""
    boards = {run.board.id for run in runs}
    if len(boards) > 1:
        raise UsageError([f"tickets belong to one board, but these runs are on {', '.join(sorted(boards))}"])
    each = level_of_each(len(runs), level)
    return _joined(runs, [tickets(run, "all", each) for run in runs])


def seats_by_players(runs: "Sequence[Run]", level: float = LEVEL) -> "pd.DataFrame":
    """Return the seats of runs on one board or several, with intervals that hold in all runs at once."""
    each = level_of_each(len(runs), level)
    return _joined(runs, [seats(run, MARGIN, each) for run in runs])


def _joined(runs: "Sequence[Run]", frames: "list[pd.DataFrame]") -> "pd.DataFrame":
    """Join the frames of the runs, each with its board and games; refuse two runs of one table."""
    import pandas as pd

    tables = [(run.board.id, run.recipe.seats) for run in runs]
    if twice := next((table for table in tables if tables.count(table) > 1), None):
        raise UsageError([f"two runs are on {twice[0]} with {twice[1]} players; give one for each number of players"])
    names = {run.board.id: run.board.name for run in runs}
    several = len(set(names.values())) < len(names)  # as of a board and its variants
    marks = {run.board.id: " (reconstruction)" * (run.board.status == "reconstruction") for run in runs}
    named = [
        frame.assign(
            board=(run.board.id if several else run.board.name) + marks[run.board.id], run_games=run.games_played
        )
        for run, frame in zip(runs, frames, strict=True)
    ]
    joined = pd.concat(named, ignore_index=True)
    return joined.sort_values("players", kind="stable", ignore_index=True)

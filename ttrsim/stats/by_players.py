"""Tables of several runs in one, for what changes with the number of players.

>>> runs = [Run.open(f"usa/{players}-mixed") for players in (2, 3, 4, 5)]
>>> plots.tickets_by_players(tickets_by_players(runs))
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttrsim.batches import LEVEL, level_of_each
from ttrsim.errors import UsageError
from ttrsim.stats.standings import MARGIN, seats
from ttrsim.stats.ticket_values import tickets

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run


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

    tables = [(run.board.id, run.plan.seats) for run in runs]
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

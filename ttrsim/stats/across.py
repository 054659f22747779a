"""The same strategies at several tables: how each does where."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.stats.frames import Column, Table, build, interval_of, joined
from ttrsim.stats.strategies import PLAYERS, STRATEGIES, STRATEGY, strategies
from ttrsim.stats.strength import STRENGTH, strength

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

RANKS = ["rank", "rank_low", "rank_high"]

ACROSS = Table(
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
    "Intervals hold each for itself; ranges of ranks hold for all strategies of a run at once.",
)


def table_name(board: str, players: int, design: str) -> str:
    """What a table is called.

    >>> table_name("usa", 4, "mixed"), table_name("usa", 4, "mirror")
    ('usa, 4 players', 'usa, 4 players, mirror')
    """
    return f"{board}, {players} players" + (f", {design}" if design in ("mirror", "focal") else "")


def across(runs: "Sequence[Run]") -> "pd.DataFrame":
    """How each strategy does in each of the runs."""
    return build(ACROSS, joined([_of(run) for run in runs]))


def _of(run: "Run") -> dict[str, object]:
    ranks = strength(run)[["strategy", *RANKS]]
    frame = strategies(run).drop(columns=RANKS).merge(ranks, on="strategy")  # there they are mean ranks at the table
    same = {
        "board": run.board.id,
        "players": run.plan.seats,
        "design": run.plan.design,
        "games": run.games_played,
        "fair_share": 1 / run.plan.seats,
    }
    return {
        **{name: np.full(len(frame), value) for name, value in same.items()},
        **{name: frame[name].to_numpy() for name in ("strategy", *RANKS)},
        **{name: interval_of(frame, name) for name in ("win_share", "score")},
    }

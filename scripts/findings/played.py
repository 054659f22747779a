"""The experiments that several answers share, and the words for tables of habits."""

from collections.abc import Sequence
from typing import Any

from ttrsim.boards import load_board
from ttrsim.formatting import counted
from ttrsim.runs import Run
from ttrsim.words import listed

from .claims import Claim, Figure, mean, span
from .lab import Lab

Row = dict[str, Any]

GAMES = {"usa": 60_000, "europe": 20_000, "old_west": 20_000}
"""Games at each table of the boards where five unlike strategies meet."""
TABLES = {"old_west": (2, 4, 6)}
"""The numbers of players there, if not all."""
HABIT_GAMES = {"usa": 6000, "europe": 4000}
"""Games with each habit at each table."""
HABIT_TABLES = {"usa": (), "europe": ("--seats", "2,4")}
"""Options of the numbers of players there."""
MOST = 0.8
"""Share of the tables at which something must clearly be so to be said of all."""


def mixed(lab: Lab, board: str) -> dict[int, Run]:
    """Return the tables of a board where five unlike strategies meet, by the number of players."""
    return lab.mixed(board, GAMES[board], TABLES.get(board, ()))


def habit_rows(lab: Lab, *habits: str) -> list[Row]:
    """Return what habits do on USA and Europe."""
    rows = []
    for board, games in HABIT_GAMES.items():
        table = lab.table("habits", "habits", board, *HABIT_TABLES[board], games=games)
        rows += [row | {"board": load_board(board).name} for row in table if row["habit"] in habits]
    return rows


def changes(rows: Sequence[Row]) -> list[Figure]:
    """Return the changes in wins per 100 games."""
    return [
        Figure(
            f"{row['board']}, {row['strategy']}, {row['players']} players, {row['habit']}",
            100 * row["win_change"],
            100 * row["win_error"],
        )
        for row in rows
    ]


def losses(rows: Sequence[Row]) -> str:
    """Return how many wins per 100 games habits cost, the fewest and the most."""
    return span([Figure("", -figure.value, figure.error) for figure in changes(rows)])


def verdicts(rows: Sequence[Row]) -> dict[str, int]:
    """Return at how many tables a habit costs and gains wins."""
    return {word: sum(row["verdict"] == word for row in rows) for word in ("costs", "gains")}


def about_habit(rows: Sequence[Row]) -> list[str]:
    """Say for each board what a habit does to each strategy."""
    found = []
    for board in dict.fromkeys(row["board"] for row in rows):
        of = [row for row in rows if row["board"] == board]
        each = [
            f"{name} {span(changes([row for row in of if row['strategy'] == name]), signed=True)}"
            for name in dict.fromkeys(row["strategy"] for row in of)
        ]
        known = verdicts(of)
        found.append(
            f"{board}: {mean('', changes(of)).words(signed=True)} wins per 100 games on average over "
            f"{counted(len(of), 'table')} of {listed(map(str, sorted({row['players'] for row in of})))} players "
            f"({', '.join(each)}); clearly fewer wins at {known['costs'] or 'none'}, clearly more at "
            f"{known['gains'] or 'none'}."
        )
    return found


def choose(rows: Sequence[Row], *, costs: str, gains: str, neither: str, mixed: str) -> Claim:
    """Return the sentence that the tables bear out.

    costs, gains: clearly so at 8 of 10 tables or more, and clearly otherwise at none; neither: clear at one of 10
    tables at most.
    """
    known = verdicts(rows)
    if known["costs"] >= MOST * len(rows) and not known["gains"]:
        return Claim(costs)
    if known["gains"] >= MOST * len(rows) and not known["costs"]:
        return Claim(gains)
    return Claim(neither if known["costs"] + known["gains"] <= len(rows) / 10 else mixed)


def who(rows: Sequence[Row]) -> str:
    """Say which strategies and numbers of players were tried."""
    names = listed(f"`{name}`" for name in dict.fromkeys(row["strategy"] for row in rows))
    return (
        f"Tried with {names}, each against copies of itself; the intervals hold at once for all habits of a board. "
        "The values of planner were tuned at many tables before. What these strategies have in common may be wrong "
        "for others."
    )

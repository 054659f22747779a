"""The experiments that several answers share, and the words for tables of habits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ttrsim.boards import load_board
from ttrsim.formatting import counted
from ttrsim.runs import Run
from ttrsim.words import listed

from .lab import Lab
from .statements import Amount, Statement, mean, span

Row = dict[str, Any]

GAMES = {"usa": 60_000, "europe": 12_000, "old_west": 12_000}
"""Games at each table of the boards where five unlike strategies meet."""
TABLES = {"old_west": (2, 4)}
"""The numbers of players there, if not all."""
HABIT_GAMES = {"usa": 4000, "europe": 2500}
"""Games with each habit at each table."""
HABIT_TABLES = {"usa": (), "europe": ("--seats", "2,4")}
"""Options of the numbers of players there."""
MOST = 0.8
"""Share of the tables at which something must clearly be so to be said of all."""


def mixed(lab: Lab, board: str) -> dict[int, Run]:
    """Return the tables of a board where five unlike strategies meet, by the number of players."""
    return lab.mixed(board, GAMES[board], TABLES.get(board, ()))


def habit_rows(lab: Lab, *habits: str) -> list[Row]:
    """Return the effects of habits, or of all, on USA and Europe."""
    rows = []
    for board, games in HABIT_GAMES.items():
        table = lab.table("habits", "habits", board, *HABIT_TABLES[board], games=games)
        rows += [row | {"board": load_board(board).name} for row in table if not habits or row["habit"] in habits]
    return rows


def changes(rows: Sequence[Row]) -> list[Amount]:
    """Return the changes in wins per 100 games."""
    return [
        Amount(
            f"{row['board']}, {row['strategy']}, {row['players']} players, {row['habit']}",
            100 * row["win_change"],
            100 * row["win_error"],
        )
        for row in rows
    ]


def losses(rows: Sequence[Row]) -> str:
    """Return the number of wins per 100 games that habits cost, the fewest and the most."""
    return span([Amount("", -amount.value, amount.error) for amount in changes(rows)])


def verdicts(rows: Sequence[Row]) -> dict[str, int]:
    """Return at how many tables a habit costs and gains wins."""
    return {word: sum(row["verdict"] == word for row in rows) for word in ("costs", "gains")}


def about_habit(rows: Sequence[Row]) -> list[str]:
    """State the effect of a habit on each strategy, for each board."""
    found = []
    for board in dict.fromkeys(row["board"] for row in rows):
        of = [row for row in rows if row["board"] == board]
        each = [
            f"{name} {span(changes([row for row in of if row['strategy'] == name]), signed=True)}"
            for name in dict.fromkeys(row["strategy"] for row in of)
        ]
        known = verdicts(of)
        clear = [f"clearly {word} wins at {known[verdict]}" for verdict, word in (("costs", "fewer"), ("gains", "more")) if known[verdict]]  # fmt: skip  # noqa: E501
        found.append(
            f"{board}: {mean('', changes(of)).words(signed=True)} wins per 100 games on average over "
            f"{counted(len(of), 'table')} of {listed(map(str, sorted({row['players'] for row in of})))} players "
            f"({', '.join(each)}); {', '.join(clear) + ' of them' if clear else 'no clear change at any of them'}."
        )
    return found


@dataclass(frozen=True)
class Sentences:
    """The sentences of which the tables bear out one."""

    costs: str  # clearly so at 8 of 10 tables or more, and clearly otherwise at none
    gains: str
    costs_some: str  # clearly so at some tables, and clearly otherwise at none
    gains_some: str
    neither: str  # clear at one of 6 tables at most
    mixed: str


def choose(rows: Sequence[Row], sentences: Sentences) -> Statement:
    """Return the sentence that the tables bear out."""
    costs, gains = verdicts(rows).values()
    several = "" if max(costs, gains) >= MOST * len(rows) else "_some"
    if costs and not gains:
        kind = f"costs{several}"
    elif gains and not costs:
        kind = f"gains{several}"
    else:
        kind = "neither" if costs + gains <= len(rows) / 6 else "mixed"
    return Statement(getattr(sentences, kind), kind=kind)


def by_board(rows: Sequence[Row]) -> dict[str, Amount]:
    """Return the mean change in wins per 100 games on each board."""
    boards = dict.fromkeys(row["board"] for row in rows)
    return {board: mean(board, changes([row for row in rows if row["board"] == board])) for board in boards}


def clear_ones(rows: Sequence[Row], verdict: str) -> str:
    """Return the strategies for which a habit clearly costs or gains, each with where it does most."""
    found = {}
    for row in rows:
        if row["verdict"] == verdict:
            best = found.setdefault(row["strategy"], row)
            found[row["strategy"]] = max(best, row, key=lambda one: abs(one["win_change"]))
    return listed(
        f"{amount.words(signed=True)} per 100 games for {row['strategy']} with {row['players']} players on "
        f"{row['board']}"
        for row, amount in zip(found.values(), changes(list(found.values())), strict=True)
    )


def who(rows: Sequence[Row]) -> str:
    """Say which strategies and numbers of players were tried."""
    names = listed(f"`{name}`" for name in dict.fromkeys(row["strategy"] for row in rows))
    return (
        f"Tested with {names}, each against copies of itself; “clearly” allows for all habits of a board being tested "
        "at once. Other strategies may answer differently; `lookahead`, the strongest, has no such switches."
    )

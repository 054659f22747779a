"""Measure habits, as a frame and in sentences: strategies play with one of their switches set."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ttrsim.batches import Array, Estimate
from ttrsim.formatting import counted, decimal
from ttrsim.stats.frames import Column, Definition, build
from ttrsim.stats.standings import PLAYERS
from ttrsim.tuning.match import ArmResults, Match, Values
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

HABITS = Definition(
    "habits",
    "A row is a strategy with one habit changed, at a table of a number of players. It played the same deals in the "
    "same seats as without the change, against the same opponents.",
    (
        Column("habit", "key", "", "The switch that is set.", "Habit"),
        Column("strategy", "key", "", "The strategy.", "Strategy"),
        Column(PLAYERS.name, "number", "", PLAYERS.meaning, "Players"),
        Column("games", "count", "games", "Games with the habit, and as many without."),
        Column("win_share", "number", "share", "How often it wins without the change."),
        Column("win_change", "estimate", "share difference", "How much more often it wins with it.", "Wins ±"),
        Column("win_error", "number", "share difference", "The standard error of that change."),
        Column("score_change", "estimate", "points", "How many more points it scores with it.", "Score ±"),
        Column("score_error", "number", "points", "The standard error of that change."),
        Column(
            "verdict",
            "key",
            "",
            "costs or gains, by the interval of the change in wins; same where no game came out differently; else "
            "empty.",
            "Verdict",
        ),
    ),
    "",
    "The intervals of all changes in wins hold at once, and so do those of all changes in score.",
    at_once=("win_change", "score_change"),
)

DOING = {
    "never_draws_tickets": "never drawing tickets",
    "never_takes_wilds": "never taking a face-up wild",
    "draws_blind": "drawing blind",
    "claims_at_once": "claiming at once",
    "ignores_rivals": "ignoring rivals",
    "ignores_trail": "ignoring the longest path",
    "never_builds_stations": "never building stations",
}
"""Habits in words."""
COSTLIEST = 3
"""The most habits that the first sentence names as costly."""
FEWEST, ALL = 1, 8
"""Values of `opening_tickets` that mean as few as the rules allow, and all."""
Which = Literal["lowest", "highest", "farthest"]
"""A change among several: the lowest, the highest, or the farthest from 0."""


def habit_words(habit: str) -> str:
    """Return a habit in words: `never drawing tickets`."""
    name, _, value = habit.partition("=")
    if name == "opening_tickets":
        wanted = {FEWEST: "the fewest", ALL: "all"}.get(int(value), value)
        return f"keeping {wanted} opening tickets"
    return DOING[name]


@dataclass(frozen=True)
class HabitResults:
    """A strategy at one table: without a change, which is the last arm, and with each of some habits."""

    strategy: str  # as it was typed
    match: Match
    habits: tuple[str, ...]  # of the other arms
    arms: tuple[Values, ...]
    found: ArmResults

    @property
    def wins(self) -> Estimate:
        """The change of its win share with each habit."""
        return self.found.gains(0, range(len(self.habits)), len(self.habits))

    @property
    def points(self) -> Estimate:
        """The change of its score with each habit."""
        return self.found.more_points(0, range(len(self.habits)), len(self.habits))

    @property
    def games(self) -> int:
        """The number of games of each arm."""
        return self.found.games[0] * len(self.found.wins[0][0])

    @property
    def share(self) -> float:
        """The win share without a change."""
        return float(self.found.shares()[0, -1])


def habits_frame(played: Sequence[HabitResults]) -> "pd.DataFrame":
    """Return a row for each habit of each strategy at each table, those of a habit together."""
    names = list(dict.fromkeys(name for table in played for name in table.habits))
    rows = [
        (names.index(name), at, place) for at, table in enumerate(played) for place, name in enumerate(table.habits)
    ]
    order = [number for number, _ in sorted(enumerate(rows), key=lambda row: row[1])]
    tables = [played[at] for at in (rows[number][1] for number in order)]
    wins, points = (_together([getattr(table, of) for table in played], order) for of in ("wins", "points"))
    change = wins.simultaneous()
    same = (wins.value == 0) & (points.value == 0) & np.isnan(wins.error) & np.isnan(points.error)
    verdict = np.select([same, change.low > 0, change.high < 0], ["same", "gains", "costs"], "")
    return build(
        HABITS,
        {
            "habit": [names[rows[number][0]] for number in order],
            "strategy": [table.strategy for table in tables],
            "players": [table.match.seats for table in tables],
            "games": [table.games for table in tables],
            "win_share": [table.share for table in tables],
            "win_change": change,
            "win_error": wins.error,
            "score_change": points.simultaneous(),
            "score_error": points.error,
            "verdict": verdict,
        },
    )


def _together(estimates: Sequence[Estimate], order: Sequence[int]) -> Estimate:
    """Join estimates from unrelated games that have equally many batches."""
    value: Array = np.concatenate([estimate.value for estimate in estimates])
    replicates: Array = np.concatenate([estimate.replicates for estimate in estimates], axis=1)
    return Estimate(value[list(order)], replicates[:, list(order)])


def habits_answers(frame: "pd.DataFrame") -> list[str]:
    """Return what was found: which habits matter most and least, then a sentence about each, the costliest first."""
    means = frame.groupby("habit", sort=False)["win_change"].mean().sort_values(kind="stable")
    sentences = [_about(str(habit), frame[frame["habit"] == habit]) for habit in means.index]
    if len(means) < 2:
        return sentences
    words = [f"{habit_words(str(habit))} {_points(mean)}" for habit, mean in means.items()]
    tables = counted(int(frame.groupby("habit").size().max()), "table")
    worst = listed(words[: min(COSTLIEST, len(words) - 1)])
    return [f"Costliest, on average over {tables}: {worst} wins per 100 games; best: {words[-1]}.", *sentences]


def _about(habit: str, rows: "pd.DataFrame") -> str:
    """Say what a habit does at how many tables, and where most."""
    doing, number = habit_words(habit).capitalize(), len(rows)
    if (rows["verdict"] == "same").all():
        return f"{doing} changes no game at any of {counted(number, 'table')}."
    parts = []
    ways: tuple[tuple[str, str, Which], ...] = (("costs", "costs wins", "lowest"), ("gains", "brings wins", "highest"))
    for verdict, verb, most in ways:
        of = rows[rows["verdict"] == verdict]
        if len(of):
            where = "at all" if len(of) == number else f"at {len(of)} of"
            parts.append(f"{verb} {where} {counted(number, 'table')}, most {_of(_row(of, most))}")
    if not parts:
        farthest = _of(_row(rows, "farthest"))
        return f"{doing} makes no clear difference at any of {counted(number, 'table')}; the largest is {farthest}."
    return f"{doing} {listed(parts)}."


def _row(rows: "pd.DataFrame", which: Which) -> dict[Any, Any]:
    """Return the row of one of the changes in wins."""
    change = rows["win_change"].to_numpy(float)
    judged = {"lowest": -change, "highest": change, "farthest": np.abs(change)}[which]
    return dict(rows.iloc[int(judged.argmax())])


def _of(row: dict[Any, Any]) -> str:
    """Return a change and whose: `−3.1 ± 0.4 wins per 100 games (planner, 4 players)`."""
    half = 50 * (row["win_change_high"] - row["win_change_low"])
    known = f" ± {decimal(half)}" if half == half else ""
    return f"{_points(row['win_change'])}{known} wins per 100 games ({row['strategy']}, {row['players']} players)"


def _points(change: float) -> str:
    return f"{'+' if change > 0 else ''}{decimal(100 * change)}"

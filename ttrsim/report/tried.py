"""Answers to what readers of trials ask, from their frames."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.formatting import counted
from ttrsim.plots.tickets import par_of
from ttrsim.report.answers import games_wanted
from ttrsim.report.prose import NAMED, Row, at_most, signed, some, told
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd


def sure(frame: "pd.DataFrame", column: str, way: int) -> list[Row]:
    """The rows that surely lie above 0 (way 1) or below it (−1), the farthest first."""
    beyond = frame[f"{column}_low"] > 0 if way > 0 else frame[f"{column}_high"] < 0
    rows = frame[beyond].sort_values(column, ascending=way < 0, kind="stable")
    return [*rows.to_dict("records")]


def named(rows: Sequence[Row], name: str, column: str, unit: str) -> str:
    """The first ones with their values, and how many there are in all."""
    return some([f"{row[name]} ({signed(row, column, unit)})" for row in rows])


def which_to_want(frame: "pd.DataFrame") -> str:
    """Tickets that surely help or harm who is dealt them."""
    words = []
    for column, unit, of in (("win_effect", "share difference", "win share"), ("score_effect", "points", "score")):
        for way, what in ((1, "Most to be wanted"), (-1, "Most to be feared")):
            if rows := sure(frame, column, way):
                words.append(f"{what}, by what they do to the {of}: {named(rows, 'ticket', column, unit)}.")
    if not words:
        words = [f"It cannot be told of any of {counted(len(frame), 'ticket')} whether it helps or harms."]
    return " ".join([*words, "That is what it does to be dealt the ticket, free to keep it or not."])


def how_hard(frame: "pd.DataFrame") -> str:
    """The tickets that fail most and least, and those that fail more than their value lets expect."""
    rows = frame.sort_values("difficulty", ascending=False, kind="stable").to_dict("records")
    shown = [f"{row['ticket']} ({told(row, 'difficulty', 'share')})" for row in rows]
    words = [f"Made to hold it, the focal seat fails most with {listed(shown[:NAMED])}"]
    words[0] += f", least with {listed(shown[: NAMED - 1 : -1][:NAMED])}." if len(shown) > NAMED else "."
    if len(set(frame["points"])) < 2:
        return f"{words[0]} All have the same value, so there is nothing to hold it against."
    par = par_of(frame["points"].to_numpy(float), frame["difficulty"].to_numpy(float))
    for beyond, far, what in (
        (frame["difficulty_low"] > par, frame["difficulty"] - par, "Harder"),
        (frame["difficulty_high"] < par, par - frame["difficulty"], "Easier"),
    ):
        found = frame.assign(_far=far)[beyond].sort_values("_far", ascending=False, kind="stable")
        names = [f"{row['ticket']} ({row['points']:.0f} points)" for row in found.to_dict("records")]
        words.append(f"{what} than the value says: {some(names) if names else 'none for sure'}.")
    return (
        f"{' '.join(words)} What a value says is the straight line of difficulty by value that is nearest to these "
        "tickets, never falling, and each interval holds for itself: one ticket in twenty may seem off by chance."
    )


def what_worth(frame: "pd.DataFrame") -> str:
    """The tickets whose printed value is surely not the fair one, and whether new values hold."""
    known = frame[frame["fair_value"].notna()]
    words = []
    for beyond, far, what in (
        (known["fair_value_low"] > known["points"], known["fair_value"] - known["points"], "more"),
        (known["fair_value_high"] < known["points"], known["points"] - known["fair_value"], "less"),
    ):
        rows = known.assign(_far=far)[beyond].sort_values("_far", ascending=False, kind="stable").to_dict("records")
        if rows:
            names = [f"{row['ticket']} ({told(row, 'fair_value', '')} instead of {row['points']:.0f})" for row in rows]
            words.append(f"Worth {what} than printed: {some(names)}.")
    words = words or ["The fair value of no ticket surely differs from the printed one."]
    if unknown := len(frame) - len(known):
        words.append(f"No fair value can be told of {counted(unknown, 'ticket')}, which failed too often when held.")
    return " ".join([*words, _confirmed(frame)])


def _confirmed(frame: "pd.DataFrame") -> str:
    """What the last round says of the new values."""
    counts = {word: int((frame["verdict"] == word).sum()) for word in ("settled", "off", "undecided")}
    wanted = games_wanted(frame["more_games"].to_numpy(float), counts["undecided"], "with each")
    off = [row["ticket"] for row in frame.to_dict("records") if row["verdict"] == "off"]
    still = f" Still off: {some(off)}." if off else ""
    return (
        f"With all new values, in the other deals of the last round, {counts['settled']} are surely fair to within a "
        f"point, {counts['off']} surely not, {counts['undecided']} undecided{wanted}.{still} Fair values are relative "
        "to the other tickets."
    )


def which_to_own(frame: "pd.DataFrame") -> str:
    """The routes whose owner surely scores or wins more."""
    words = []
    for column, unit, of in (("score_effect", "points", "score"), ("win_effect", "share difference", "win share")):
        if rows := sure(frame, column, 1):
            words.append(f"For the {of}: {named(rows, 'route', column, unit)}.")
        if rows := sure(frame, column, -1):
            words.append(f"Surely harmful for the {of}: {named(rows, 'route', column, unit)}.")
    if not words:
        words = [f"It cannot be told of any of {counted(len(frame), 'route')} whether owning it helps."]
    return " ".join([*words, "That is without the points of the route, and without its cost."])


def what_closing_does(frame: "pd.DataFrame") -> str:
    """What strategies surely lose or gain where nobody can go somewhere, and how much longer games are."""
    words = []
    for strategy, rows in frame.groupby("strategy", sort=False):
        told_of = [
            f"{strategy} {what} most by closing {named(found, 'closed', 'score_change', 'points')}."
            for way, what in ((-1, "loses"), (1, "gains"))
            if (found := sure(rows, "score_change", way))
        ]
        words += told_of or [f"Whether {strategy} loses or gains by it cannot be told of any place."]
    once = frame.drop_duplicates("closed")
    for way, what in ((1, "longer"), (-1, "shorter")):
        if found := sure(once, "turns_change", way):
            words.append(f"Games are {what} without {named(found, 'closed', 'turns_change', 'turns')}.")
    return " ".join(words)


def precision(frame: "pd.DataFrame", column: str) -> str:
    """How well the effects of a frame on the score are known."""
    half = float(np.nanmax([0.0, *((frame[f"{column}_high"] - frame[f"{column}_low"]) / 2)]))
    return f"± {at_most(half)} points or better" if half else "no interval, for too few games changed"

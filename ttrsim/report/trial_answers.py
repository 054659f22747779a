"""Answer the questions of readers of trials, from the tables of their files."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import level_of_each, sidak
from ttrsim.formatting import counted, seat_name
from ttrsim.report.answers import games_wanted
from ttrsim.report.prose import NAMED, Row, at_most, estimate, number, signed, some
from ttrsim.trials.difficulty import par_of
from ttrsim.trials.routes import ALWAYS, IF_CLEAR, by_setting, clear
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

CLAIMS = {
    "swaps": ("win_effect", "score_effect"),
    "forced": ("difficulty",),
    "fair": ("fair_value",),
    "gifts": ("score_effect", "win_effect"),
    "closed": ("score_change", "turns_change"),
    "changed": ("change",),
}
"""The columns that answers go by, by the name of the table."""
ALONE = ("difficulty", "fair_value")
"""Those whose intervals each hold on their own in the table; the others hold at once, for each strategy."""

MOVED = {
    ("strategies", "win_share"): "wins",
    ("strategies", "score"): "score",
    ("strategies", "tickets_completed"): "tickets completed",
    ("seats", "win_share"): "wins by seat",
    ("games", "turns"): "length of games",
    ("tickets", "win_effect"): "effect on wins of being offered a ticket",
    ("tickets", "score_effect"): "effect on the score of being offered a ticket",
    ("tickets", "completed_kept"): "kept tickets that are completed",
    ("routes", "claims"): "claims in 100 games",
}
"""Names of what may clearly change besides the route that was changed."""


def held_together(tables: "Sequence[tuple[str, pd.DataFrame]]", freedom: int) -> "list[pd.DataFrame]":
    """Return tables with intervals so wide that those of all answers hold together. tables: with their names.

    Files have intervals of 95 %, of a family or alone. To another level they widen by the factor of single intervals,
    which is the most that it is for any family.
    """
    families = sum(_families(frame, column) for kind, frame in tables for column in CLAIMS[kind])
    level, found = level_of_each(families), []
    for kind, frame in tables:
        wide = frame
        for column in CLAIMS[kind]:
            many = len(frame) if column in ALONE else 1
            wide = _widened(wide, column, float(sidak(many, freedom, level) / sidak(1, freedom)))
        found.append(wide)
    return found


def _families(frame: "pd.DataFrame", column: str) -> int:
    if column == "change":
        return sum(map(len, [*ALWAYS.values(), *IF_CLEAR.values()])) + 1  # and the turn in which a route is claimed
    return int(frame["strategy"].nunique()) if column == "score_change" else 1


def _widened(frame: "pd.DataFrame", column: str, factor: float) -> "pd.DataFrame":
    """Return a table with intervals of a column wider by a factor, those of difficulty within 0 and 1."""
    value, ends = frame[column], [f"{column}_low", f"{column}_high"]
    wide = {end: value + factor * (frame[end] - value) for end in ends}
    return frame.assign(**({end: of.clip(0, 1) for end, of in wide.items()} if column == "difficulty" else wide))


def sure(frame: "pd.DataFrame", column: str, way: int) -> list[Row]:
    """Return the rows that are clearly above 0 (way 1) or below (−1), the farthest first."""
    beyond = frame[f"{column}_low"] > 0 if way > 0 else frame[f"{column}_high"] < 0
    rows = frame[beyond].sort_values(column, ascending=way < 0, kind="stable")
    return [*rows.to_dict("records")]


def named(rows: Sequence[Row], name: str, column: str, unit: str) -> str:
    """Name the first rows with their values, and say how many there are in all."""
    return some([f"{row[name]} ({signed(row, column, unit)})" for row in rows])


def which_to_want(frame: "pd.DataFrame") -> str:
    """Name the tickets that clearly help or hurt a seat that is dealt them."""
    words = []
    for column, unit, of in (("win_effect", "share difference", "win share"), ("score_effect", "points", "score")):
        for way, what in ((1, "Those that help most"), (-1, "Those that hurt most")):
            if rows := sure(frame, column, way):
                words.append(f"{what}, by their effect on the {of}: {named(rows, 'ticket', column, unit)}.")
    if not words:
        words = [f"None of {counted(len(frame), 'ticket')} clearly helps or hurts."]
    return " ".join([*words, "That is the effect of being dealt the ticket and free to keep it or not."])


def how_hard(frame: "pd.DataFrame") -> str:
    """Name the tickets that fail most and least, and those that are harder or easier than their value says."""
    rows = frame.sort_values("difficulty", ascending=False, kind="stable").to_dict("records")
    shown = [f"{row['ticket']} ({estimate(row, 'difficulty', 'share')})" for row in rows]
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
        f"{' '.join(words)} What a value says is the curve of difficulty by value that fits these tickets best (a "
        "logistic regression), never falling."
    )


def what_worth(frame: "pd.DataFrame") -> str:
    """Name the tickets whose printed value is clearly unfair, and say whether the new values hold."""
    known = frame[frame["fair_value"].notna()]
    words = []
    for beyond, far, what in (
        (known["fair_value_low"] > known["points"], known["fair_value"] - known["points"], "more"),
        (known["fair_value_high"] < known["points"], known["points"] - known["fair_value"], "less"),
    ):
        rows = known.assign(_far=far)[beyond].sort_values("_far", ascending=False, kind="stable").to_dict("records")
        if rows:
            names = [
                f"{row['ticket']} ({estimate(row, 'fair_value', '')} instead of {row['points']:.0f})" for row in rows
            ]
            words.append(f"Worth {what} than printed: {some(names)}.")
    words = words or ["No ticket's fair value clearly differs from the printed one."]
    if unknown := len(frame) - len(known):
        words.append(f"{counted(unknown, 'ticket')} failed too often when held to have a fair value.")
    return " ".join([*words, _confirmed(frame)])


def _confirmed(frame: "pd.DataFrame") -> str:
    """Describe what the last round shows about the new values."""
    counts = {word: int((frame["verdict"] == word).sum()) for word in ("settled", "off", "undecided")}
    wanted = games_wanted(frame["more_games"].to_numpy(float), counts["undecided"], "with each")
    off = [row["ticket"] for row in frame.to_dict("records") if row["verdict"] == "off"]
    still = f" Still off: {some(off)}." if off else ""
    return (
        f"With all new values, on deals that the search did not see, {counts['settled']} are clearly fair, "
        f"{counts['off']} clearly not, {counts['undecided']} too close to call{wanted}.{still} Fair values are "
        "relative to the other tickets."
    )


def which_to_own(frame: "pd.DataFrame") -> str:
    """Name the routes whose owner clearly scores or wins more."""
    words = []
    for column, unit, of in (("score_effect", "points", "score"), ("win_effect", "share difference", "win share")):
        if rows := sure(frame, column, 1):
            words.append(f"For the {of}: {named(rows, 'route', column, unit)}.")
        if rows := sure(frame, column, -1):
            words.append(f"Clearly harmful for the {of}: {named(rows, 'route', column, unit)}.")
    if not words:
        words = [f"None of {counted(len(frame), 'route')} clearly helps its owner."]
    return " ".join([*words, "That is without the points of the route, and without its cost."])


def what_closing_does(frame: "pd.DataFrame") -> str:
    """Describe what strategies clearly lose or gain from closed places, and how game length changes."""
    words = []
    for strategy, rows in frame.groupby("strategy", sort=False):
        told_of = [
            f"{strategy} {what} most by closing {named(found, 'closed', 'score_change', 'points')}."
            for way, what in ((-1, "loses"), (1, "gains"))
            if (found := sure(rows, "score_change", way))
        ]
        words += told_of or [f"{strategy} neither clearly loses nor gains from any place."]
    once = frame.drop_duplicates("closed")
    for way, what in ((1, "longer"), (-1, "shorter")):
        if found := sure(once, "turns_change", way):
            words.append(f"Games are {what} without {named(found, 'closed', 'turns_change', 'turns')}.")
    return " ".join(words)


def what_changes_do(frame: "pd.DataFrame") -> list[str]:
    """Describe how often each changed route is claimed, and what else clearly changes; a text for each change."""
    return [f"{setting}: {_claimed(rows)} {_moved(rows)}" for setting, rows in by_setting(frame)]


def _claimed(rows: "pd.DataFrame") -> str:
    own = rows[(rows["table"] == "routes") & (rows["of"] == rows["connection"])].set_index("what")
    claims, turn = ({**own.loc[what]} for what in ("claims", "turn"))
    often = f"{claims['of']} is claimed {number(100 * claims['after'])} times in 100 games"
    few = f"{number(100 * claims['before'])} before ({signed(claims, 'change', 'of 100')})"
    if not len(clear(own.loc[["claims"]])):
        return f"{often}, {few}: no clear change."
    when = f", in turn {number(turn['after'])} instead of {number(turn['before'])}" if turn["change"] == turn["change"] else ""  # fmt: skip  # noqa: E501
    return f"{often}, {few}{when}."


def _moved(rows: "pd.DataFrame") -> str:
    own = (rows["table"] == "routes") & (rows["of"] == rows["connection"])
    found, words = clear(rows[~own]), []
    for (table, what), name in MOVED.items():
        moved = [_of(row) for row in found[(found["table"] == table) & (found["what"] == what)].to_dict("records")]
        words += [f"{name}: {some(moved)}"] if moved else []
    return f"Clearly changed besides: {'; '.join(words)}." if words else "Nothing else clearly changes."


def _of(row: Row) -> str:
    """Name what changed, with the change: `Chicago–Duluth (+23.2 ± 6.6)`."""
    unit: str = row["unit"]
    unit = {"share": "share difference", "a game": "of 100"}.get(unit, unit)
    of = seat_name(int(row["of"])) if row["table"] == "seats" else row["of"]
    change = signed(row, "change", unit)
    return change if row["table"] == "games" else f"{of} ({change})"


def precision(frame: "pd.DataFrame", column: str) -> str:
    """State how precise the effects on the score are."""
    if "what" in frame:
        frame = frame[frame["what"] == "score"]
    half = float(np.nanmax([0.0, *((frame[f"{column}_high"] - frame[f"{column}_low"]) / 2)]))
    return f"± {at_most(half)} points or better" if half else "no interval, for too few games changed"

"""Measure how far from fair a board is: a size for each question, beside those of the published boards."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.batches import LEVEL, Interval
from ttrsim.stats.balance import BOUNDS, LIKE_PUBLISHED, Bounds, at_least, widened
from ttrsim.stats.effects import EFFECTS, PLACES, UNITS, Size, sizes_of, together, usage
from ttrsim.stats.frames import Column, Definition, build, interval_of, joined
from ttrsim.stats.published_boards import NAMES, Limit, published_boards
from ttrsim.stats.verdicts import judged

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

ALL = "all"
"""The number of players of rows over all tables."""

SIZES = Definition(
    "sizes",
    "A row is a question at the tables of a number of players where all strategies meet, or over all those tables.",
    (
        Column("question", "key", "", "seats, tickets, strategies, cities, routes, games or length.", "Size of"),
        Column("players", "key", "", "Players at the table; all: over all tables.", "Players"),
        Column("unit", "key", "", "The unit of the sizes; shares are fractions of 1."),
        Column(
            "size",
            "estimate",
            "see unit",
            "seats, tickets, strategies: root mean square of their true effects on win share, with the noise of chance "
            "taken off; for seats and strategies the win share less the fair one. cities, routes: how many are dead, "
            "that is used in fewer than 1 of 100 chances; over all tables: at every one of them. games: share that "
            "end with nobody able to move, or are stopped. length: turns of each player.",
            "Size ±",
        ),
        *(Column(board, "number", "see unit", f"The size of {name}.", name) for board, name in NAMES.items()),
        Column(
            "bound",
            "number",
            "see unit",
            "The largest size that is like those of the published boards: a quarter more than the largest of theirs, "
            "and for effects and ends of games at least 1 point. None with bounds of your own.",
            "Bound",
        ),
        Column(
            "verdict",
            "number",
            "",
            "balanced: the size is clearly within the bound; imbalanced: clearly beyond it; undecided: neither. None "
            "without a bound.",
            "Verdict",
        ),
        Column("worst_of", "key", "", "Which seat, ticket, strategy, place or end of games is worst.", "Worst"),
        Column(
            "worst",
            "estimate",
            "share",
            "Its effect, with its sign; for strategies the lead of the best; for places how often it is used; for ends "
            "of games how frequent it is.",
            "Value ±",
        ),
        Column("more_games", "number", "games", "How many more games would decide, at least.", "More games"),
    ),
    "",
    "Intervals of sizes each hold on their own; those of the worst seat, ticket or lead for all of a table at once.",
    at_once=("worst",),
)
Row = dict[str, Any]
NONE = Interval(*np.full((3, 1), np.nan))


def sizes(
    runs: "Sequence[Run]", frame: "pd.DataFrame", bounds: Bounds = LIKE_PUBLISHED, level: float = LEVEL
) -> "pd.DataFrame":
    """Return the size of each question beside those of the published boards. frame: all verdicts on these runs."""
    mixed = [run for run in runs if run.recipe.design == "mixed" or len(run.strategies) == 1]
    found = [(run, sizes_of(run, level)) for run in mixed]
    rows = []
    for question in found[0][1] if found else ():
        items = frame[frame["question"] == question]
        size = together([sizes[question] for _, sizes in found])
        rows.append(_row(question, ALL, mixed, size, bounds) | _worst(question, items))
        for run, sizes in found:
            here = items[items["players"] == run.recipe.seats]
            worst = _least_used(run, question) if question in PLACES else _worst(question, here)
            rows.append(_row(question, run.recipe.seats, [run], sizes[question], bounds) | worst)
    return build(SIZES, joined([{name: _array(value) for name, value in row.items()} for row in rows]))


def _array(value: Any) -> Any:
    return value if isinstance(value, Interval) else np.array([value], object if isinstance(value, str) else None)


def _row(question: str, players: Any, runs: "Sequence[Run]", size: Size, bounds: Bounds) -> Row:
    """Return a row without its worst. runs: of the tables."""
    published = published_boards().sizes_over(question, [run.recipe.seats for run in runs])
    bound, half = _bound(question, runs, bounds)
    interval = Interval(*(np.reshape(end, 1) for end in size.size))
    verdict, more = judged(widened(interval, half), -np.inf, bound, sum(run.games_played for run in runs))
    return {
        "question": question,
        "players": players,
        "unit": UNITS[question],
        "size": interval,
        **{board: float(published[board].value) if board in published else np.nan for board in NAMES},
        "bound": bound,
        "verdict": "" if np.isnan(bound) else str(verdict[0]),
        "more_games": np.nan if np.isnan(bound) else float(more[0]),
    }


def _bound(question: str, runs: "Sequence[Run]", bounds: Bounds) -> Limit:
    """Return the largest size that is like those of the published boards, if it is wanted and known."""
    published = published_boards()
    limit = published.size_limit(question, [run.recipe.seats for run in runs])
    if question == "length" or bounds[question] is not None or limit is None:
        return np.nan, 0.0
    if question == "strategies" and published.other_bots(runs[0]):
        return np.nan, 0.0
    return limit if question in PLACES else at_least(limit, BOUNDS[question])


def _worst(question: str, items: "pd.DataFrame") -> Row:
    """Return the item that is farthest from fair."""
    rows = items[items["value_low"].notna()]
    if not len(rows):
        return {"worst_of": "", "worst": NONE}
    ends = interval_of(rows, "value")
    far = {"games": ends.value, **dict.fromkeys(PLACES, -ends.value)}.get(question, np.abs(ends.value))
    place = [int(np.argmax(far))]
    return {"worst_of": str(rows["of"].iloc[place[0]]), "worst": Interval(*(end[place] for end in ends))}


def _least_used(run: "Run", question: str) -> Row:
    names, use = usage(run, question)
    place = [int(np.argmin(use.value))]
    return {"worst_of": names[place[0]], "worst": Interval(*(end[place] for end in use))}


def overall(frame: "pd.DataFrame", sizes: "pd.DataFrame", bounds: Bounds) -> str:
    """Return the worst verdict that counts."""
    return worst_of([*to_decide(frame, sizes, bounds)["verdict"]])


def worst_of(verdicts: Sequence[str]) -> str:
    """Return imbalanced if anything is, else undecided if anything is, else balanced."""
    return next((verdict for verdict in ("imbalanced", "undecided") if verdict in verdicts), "balanced")


def to_decide(frame: "pd.DataFrame", sizes: "pd.DataFrame", bounds: Bounds) -> "pd.DataFrame":
    """Return each verdict that counts, with its table: on sizes, and on single seats, tickets and so on.

    Where a size is judged, places and ends of games do not count singly: one dead route is like the published boards.
    A size over all tables stands at each of them.
    """
    import pandas as pd

    columns = ["question", "players", "table", "verdict", "more_games"]
    counts = [question in EFFECTS or bounds[question] is not None for question in frame["question"]]
    tables = frame[frame["question"] == "tickets"][["players", "table"]].drop_duplicates()
    judged = sizes[sizes["verdict"] != ""].assign(question="sizes")
    over_all = judged[judged["players"] == ALL].drop(columns="players").merge(tables, how="cross")
    single = judged[judged["players"] != ALL].astype({"players": int}).merge(tables, on="players")
    parts = [frame[counts], over_all, single]
    return pd.concat([part[columns] for part in parts if len(part)], ignore_index=True)

"""Examine a board: seats, tickets, strategies, places and the ends of games, each with a verdict.

It examines runs of design `mirror`, where everybody plays the same strategy, and `mixed`, where all meet. What is
examined, and by which bound it is judged, is declared before anything is played.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.batches import LEVEL, Array, Interval
from ttrsim.boards.board import LONG
from ttrsim.errors import UsageError
from ttrsim.stats.effects import EFFECTS, ENDS, PLACES, most_used, shares
from ttrsim.stats.frames import Column, Definition, block_games, build, interval_of, joined, sums
from ttrsim.stats.published_boards import Limit, published_boards
from ttrsim.stats.standings import differences_at_once, seats, win_shares
from ttrsim.stats.ticket_values import tickets
from ttrsim.stats.verdicts import enough_for_half, judged

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

Bounds = Mapping[str, float | None]
"""The bound of each question; None: like the published boards."""
BOUNDS = {"seats": 0.01, "tickets": 0.01, "strategies": 0.01, "cities": 0.01, "routes": 0.01, "games": 0.01}
"""The questions and their strict bounds: by how much something may be off, or how often it must or may occur."""
LIKE_PUBLISHED: Bounds = dict.fromkeys(BOUNDS)
"""The bounds unless declared otherwise."""

Margin = float | str | Mapping[str, float] | None
"""Bounds of what is balanced: the published boards, "strict", a deviation of win share, or bounds by question."""

BALANCE = Definition(
    "balance",
    "A row is a seat, a ticket, the best strategy, or an end of games, at one table; or a city or a connection, at the "
    "table where it is used most.",
    (
        Column("question", "key", "", "seats, tickets, strategies, cities, routes or games.", "Question"),
        Column("players", "key", "", "Players at the table.", "Players"),
        Column("table", "key", "", "mirror: copies of one strategy, each in turn; mixed: all compositions.", "Table"),
        Column("of", "key", "", "Which seat, ticket, strategy, city, connection or end of games.", "Of"),
        Column(
            "value",
            "estimate",
            "share",
            "seats: win share less the fair one. tickets: the offer effect on win share, over all strategies. "
            "strategies: win share of the best less that of the next best. cities: share of seats with a route there. "
            "routes: share of games in which the connection is claimed, of parallel routes the one claimed most. "
            "games: share of games that end so.",
            "Value ±",
        ),
        Column("bound", "number", "share", "The margin, or the share that must be reached, or not exceeded.", "Bound"),
        Column(
            "verdict",
            "number",
            "",
            "balanced: the interval lies within the bound; imbalanced: it lies entirely beyond it; undecided: neither; "
            "none for leads of strategies other than those that played the published boards. Where the bound comes "
            "from the published boards, its own error counts too.",
            "Verdict",
        ),
        Column(
            "imbalance",
            "number",
            "",
            "What an imbalance is: advantage or disadvantage of a seat; ticket over or under par; dominant strategy; "
            "dead city or route; too many such ends.",
            "Imbalance",
        ),
        Column(
            "more_games", "number", "games", "How many more games at that table would decide, at least.", "More games"
        ),
    ),
    "",
    "Intervals hold at once for all seats of a table, for all tickets of a table, and for the best strategy against "
    "all others; those of cities, routes and ends of games each on its own.",
)
SUMMARY = Definition(
    "summary",
    "A row is a question at a table.",
    (
        *BALANCE.columns[:1],
        Column(
            "players",
            "key",
            "",
            "Players at the table; any: for each place the table where it is used most.",
            "Players",
        ),
        *BALANCE.columns[2:3],
        Column("balanced", "count", "", "How many are clearly within the bound.", "Balanced"),
        Column("imbalanced", "count", "", "How many are clearly beyond it.", "Imbalanced"),
        Column("undecided", "count", "", "The others.", "Undecided"),
        Column(
            "more_games",
            "number",
            "games",
            "How many more games at that table would decide half of what is undecided, at least.",
            "More games",
        ),
    ),
    "",
    "",
)
IMBALANCES = {
    "seats": ("disadvantage", "advantage"),
    "tickets": ("under par", "over par"),
    "strategies": ("", "dominant"),
    "cities": ("dead", ""),
    "routes": ("dead", ""),
    "games": ("", "too many"),
}
"""Names of imbalances below the bound and above it."""

Rows = dict[str, Any]


def bounds_of(margin: Margin) -> Bounds:
    """Return the bound of each question."""
    if margin is None:
        return LIKE_PUBLISHED
    if isinstance(margin, str):
        if margin != "strict":
            raise UsageError([f"`margin` {margin}: must be strict, a number or a bound for each question"])
        return BOUNDS
    given = margin if isinstance(margin, Mapping) else dict.fromkeys(EFFECTS, margin)
    for name, bound in given.items():
        if name not in BOUNDS or not 0 <= bound <= 1:
            raise UsageError([f"margin {name} = {bound}: must be a fraction of 1, for {', '.join(BOUNDS)}"])
    return {**(LIKE_PUBLISHED if isinstance(margin, Mapping) else BOUNDS), **given}


def balance(
    runs: "Sequence[Run]", bounds: Bounds = BOUNDS, level: float = LEVEL, *, at_once: bool = False
) -> "pd.DataFrame":
    """Return all verdicts of these runs, of design mirror or mixed, by intervals of a level.

    at_once: intervals of all cities hold at once, too, and so do those of all routes and of all ends of games.
    """
    board = runs[0].board
    many = {"cities": len(board.cities), "routes": len(board.connections), "games": len(ENDS) * len(runs)}
    each = {question: level ** (1 / number if at_once else 1) for question, number in many.items()}
    mixed = [run for run in runs if run.recipe.design == "mixed" or len(run.strategies) == 1]
    parts = [_seats(run, bounds, level) for run in runs]
    parts += [_tickets(run, bounds, level) for run in mixed]
    parts += [_strategies(run, bounds, level) for run in mixed if len(run.strategies) > 1]
    parts += [_places(mixed, question, bounds, each[question]) for question in PLACES if mixed]
    parts += [_ends(run, bounds, each["games"]) for run in runs]
    return build(BALANCE, joined(parts))


def _bound(question: str, run: "Run", bounds: Bounds) -> Limit:
    """Return the bound for each seat, ticket and so on, and half its interval; NaN if that cannot be judged."""
    given, published = bounds[question], published_boards()
    if given is None and question == "strategies" and published.other_bots(run):
        return np.nan, 0.0
    if given is None and question in EFFECTS and (limit := published.worst_limit(question, run.recipe.seats)):
        return at_least(limit, BOUNDS[question])
    return BOUNDS[question] if given is None else given, 0.0


def at_least(limit: Limit, strict: float) -> Limit:
    """Return the bound that the published boards set, or the strict one if that is larger."""
    return limit if limit[0] > strict else (strict, 0.0)


def widened(interval: Interval, half: float) -> Interval:
    """Return an interval with the error of its bound, which has an interval of this half width."""
    value, low, high = interval
    return Interval(value, value - np.hypot(value - low, half), value + np.hypot(high - value, half))


def _rows(question: str, run: "Run", of: Array, value: Interval, bounds: Bounds) -> Rows:
    bound, half = _bound(question, run, bounds)
    least = {"strategies": -np.inf, "games": -np.inf, "cities": bound, "routes": bound}.get(question, -bound)
    most = np.inf if question in PLACES else bound
    verdict, more = judged(widened(value, half), least, most, run.games_played)
    verdict = np.full(len(of), "", object) if np.isnan(bound) else verdict
    below, above = IMBALANCES[question]
    imbalance = np.where(value.high < least, below, above)
    return {
        "question": np.full(len(of), question, object),
        "players": np.full(len(of), run.recipe.seats),
        "table": np.full(len(of), run.recipe.design, object),
        "of": of,
        "value": value,
        "bound": np.full(len(of), bound),
        "verdict": verdict,
        "imbalance": np.where(verdict == "imbalanced", imbalance, "").astype(object),
        "more_games": more,
    }


def _seats(run: "Run", bounds: Bounds, level: float) -> Rows:
    frame = seats(run, level=level)
    names = np.array([f"seat {seat}" for seat in frame["seat"]], object)
    return _rows("seats", run, names, interval_of(frame, "advantage"), bounds)


def _tickets(run: "Run", bounds: Bounds, level: float) -> Rows:
    frame = tickets(run, "all", level)
    names = frame["ticket"].where(frame["deck"] != "long", frame["ticket"].str.removesuffix(LONG) + LONG)
    return _rows("tickets", run, names.to_numpy(object), interval_of(frame, "win_effect"), bounds)


def _strategies(run: "Run", bounds: Bounds, level: float) -> Rows:
    """Return the best strategy's lead, over the one over which it is smallest."""
    found = win_shares(run)
    best = int(np.argmax(found.value))
    leads = np.array(differences_at_once(run, level))[:, best]
    least = np.delete(leads, best, axis=1).min(axis=1, keepdims=True)
    return _rows("strategies", run, np.array([run.strategies[best]], object), Interval(*least), bounds)


def _ends(run: "Run", bounds: Bounds, level: float) -> Rows:
    s = {name: array.sum(axis=1, keepdims=True) for name, array in sums(run, "games").items()}
    counts = np.concatenate([s[name] for name in ENDS], axis=1)
    found = shares(counts, np.broadcast_to(s["games"], counts.shape), block_games(run), level)
    return _rows("games", run, np.array(list(ENDS.values()), object), found, bounds)


def _places(runs: "Sequence[Run]", question: str, bounds: Bounds, level: float) -> Rows:
    """Return rows of cities or connections, each at the table where it is used most: only there can it be dead."""
    names, where, use = most_used(runs, question, level)
    here = [where == number for number in range(len(runs))]
    parts = [(run, names[most], Interval(*(end[most] for end in use))) for run, most in zip(runs, here, strict=True)]
    return joined([_rows(question, run, of, value, bounds) for run, of, value in parts])


def summary(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Count the verdicts of each kind for each question and table.

    Also how many more games would decide half of what is undecided; the last of it may lie next to a bound.
    """
    places = frame["question"].isin(["cities", "routes"])
    by = [frame["question"], frame["players"].astype(object).mask(places, "any"), frame["table"]]
    rows = []
    for keys, found in frame.groupby(by, sort=False):
        counts = [int((found["verdict"] == name).sum()) for name in ("balanced", "imbalanced", "undecided")]
        rows.append((*keys, *counts, enough_for_half(found["more_games"].to_numpy(float))))
    columns = zip([column.name for column in SUMMARY.columns], zip(*rows, strict=True), strict=True)
    return build(SUMMARY, {name: np.array(values, object if name == "players" else None) for name, values in columns})

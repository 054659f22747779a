"""Examine a board: seats, tickets, strategies, places and the ends of games, each with a verdict.

It examines runs of design `mirror`, where everybody plays the same strategy, and `mixed`, where all meet. What is
examined, and by which bound it is judged, is declared before anything is played.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.batches import LEVEL, Array, Interval, ratio
from ttrsim.stats.frames import Column, Table, block_games, build, interval_of, joined, sums, to_groups
from ttrsim.stats.standings import differences_at_once, seats, win_shares
from ttrsim.stats.ticket_values import tickets
from ttrsim.stats.verdicts import enough_for_half, judged, share_interval

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

BOUNDS = {"seats": 0.01, "tickets": 0.01, "strategies": 0.01, "cities": 0.01, "routes": 0.01, "games": 0.01}
"""What is examined, and by how much it may be off, or how often it must or may occur, unless declared otherwise."""
MARGINS = ("seats", "tickets", "strategies")
"""Those that are about win shares."""

BALANCE = Table(
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
            "balanced: the interval lies within the bound; imbalanced: it lies entirely beyond it; undecided: neither.",
            "Verdict",
        ),
        Column(
            "finding",
            "number",
            "",
            "What an imbalance is: advantage or disadvantage of a seat; ticket over or under par; dominant strategy; "
            "dead city or route; too many such ends.",
            "Finding",
        ),
        Column("more_games", "number", "games", "About how many games more at that table would decide.", "More games"),
    ),
    "",
    "Intervals hold at once for all seats of a table, for all tickets of a table, and for the best strategy against "
    "all others; those of cities, routes and ends of games each on its own.",
)
SUMMARY = Table(
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
        Column("balanced", "count", "", "How many are surely within the bound.", "Balanced"),
        Column("imbalanced", "count", "", "How many are surely beyond it.", "Imbalanced"),
        Column("undecided", "count", "", "The others.", "Undecided"),
        Column(
            "more_games",
            "number",
            "games",
            "About how many games more at that table would decide half of what is undecided.",
            "More games",
        ),
    ),
    "",
    "",
)
FINDINGS = {
    "seats": ("disadvantage", "advantage"),
    "tickets": ("under par", "over par"),
    "strategies": ("", "dominant"),
    "cities": ("dead", ""),
    "routes": ("dead", ""),
    "games": ("", "too many"),
}
"""What lies below the bound, and what above."""
ENDS = {"stalemate": "stalemate", "overlong": "stopped at 400 turns per player"}

Rows = dict[str, Any]


def balance(runs: "Sequence[Run]", bounds: Mapping[str, float] = BOUNDS, level: float = LEVEL) -> "pd.DataFrame":
    """Return all verdicts of these runs, of design mirror or mixed, by intervals of a level."""
    mixed = [run for run in runs if run.plan.design == "mixed" or len(run.strategies) == 1]
    parts = [_seats(run, bounds["seats"], level) for run in runs]
    parts += [_tickets(run, bounds["tickets"], level) for run in mixed]
    parts += [_strategies(run, bounds["strategies"], level) for run in mixed if len(run.strategies) > 1]
    parts += [_places(mixed, question, bounds[question], level) for question in ("cities", "routes") if mixed]
    parts += [_ends(run, bounds["games"], level) for run in runs]
    return build(BALANCE, joined(parts))


def _rows(question: str, run: "Run", of: Array, value: Interval, least: float, most: float) -> Rows:
    verdict, more = judged(value, least, most, run.games_played)
    below, above = FINDINGS[question]
    finding = np.where(value.high < least, below, above)
    return {
        "question": np.full(len(of), question, object),
        "players": np.full(len(of), run.plan.seats),
        "table": np.full(len(of), run.plan.design, object),
        "of": of,
        "value": value,
        "bound": np.full(len(of), most if np.isfinite(most) else least),
        "verdict": verdict,
        "finding": np.where(verdict == "imbalanced", finding, "").astype(object),
        "more_games": more,
    }


def _seats(run: "Run", margin: float, level: float) -> Rows:
    frame = seats(run, level=level)
    names = np.array([f"seat {seat}" for seat in frame["seat"]], object)
    return _rows("seats", run, names, interval_of(frame, "advantage"), -margin, margin)


def _tickets(run: "Run", margin: float, level: float) -> Rows:
    frame = tickets(run, "all", level)
    names = frame["ticket"].where(frame["deck"] != "long", frame["ticket"] + " (long)").to_numpy(object)
    return _rows("tickets", run, names, interval_of(frame, "win_effect"), -margin, margin)


def _strategies(run: "Run", margin: float, level: float) -> Rows:
    """Return the best strategy's lead, over the one over which it is smallest."""
    shares = win_shares(run)
    best = int(np.argmax(shares.value))
    leads = np.array(differences_at_once(run, level))[:, best]
    least = np.delete(leads, best, axis=1).min(axis=1, keepdims=True)
    return _rows("strategies", run, np.array([run.strategies[best]], object), Interval(*least), -np.inf, margin)


def _ends(run: "Run", most: float, level: float) -> Rows:
    s = {name: array.sum(axis=1, keepdims=True) for name, array in sums(run, "games").items()}
    counts = np.concatenate([s[name] for name in ENDS], axis=1)
    shares = _shares(counts, np.broadcast_to(s["games"], counts.shape), block_games(run), level)
    return _rows("games", run, np.array(list(ENDS.values()), object), shares, -np.inf, most)


def _shares(events: Array, chances: Array, block: int, level: float) -> Interval:
    """Return shares of sums over games, (batches, things). block: games of a block, which bound its events."""
    total, all_chances = events.sum(axis=0), chances.sum(axis=0)
    return share_interval(ratio(events, chances), total, all_chances, all_chances // block, level)


def _places(runs: "Sequence[Run]", question: str, least: float, level: float) -> Rows:
    """Return rows of cities or connections, each at the table where it is used most: only there can it be dead."""
    usages = [_usage(run, question, level) for run in runs]
    used = np.array([usage.value for _, usage in usages])
    where = used.argmax(axis=0)
    parts = []
    for number, (run, (names, usage)) in enumerate(zip(runs, usages, strict=True)):
        here = where == number
        parts.append(_rows(question, run, names[here], Interval(*(end[here] for end in usage)), least, np.inf))
    return joined(parts)


def _usage(run: "Run", question: str, level: float) -> tuple[Array, Interval]:
    """Return how often each city or connection is used, by name."""
    s, played = sums(run, question), to_groups(run, sums(run, "seats")["games"].sum(axis=(1, 2)))
    if question == "cities":
        visits = s["visits"].sum(axis=1)
        names = [city.name for city in run.board.cities]
        block = block_games(run) * run.plan.seats
    else:
        visits = _busiest(s["claims"].sum(axis=1), run.board.connections)
        names = [run.board.connection_name(connection) for connection in range(len(run.board.connections))]
        block, played = block_games(run), played // run.plan.seats
    chances = np.broadcast_to(played[:, None], visits.shape)
    return np.array(names, object), _shares(visits, chances, block, level)


def _busiest(claims: Array, connections: Sequence[Sequence[int]]) -> Array:
    """Return the claims of each connection, (groups, connections): those of its route that is claimed most."""
    total = claims.sum(axis=0)
    return claims[:, [max(tracks, key=lambda track: total[track]) for tracks in connections]]


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


def overall(frame: "pd.DataFrame") -> str:
    """Return the worst verdict: imbalanced if anything is, else undecided if anything is, else balanced."""
    found = set(frame["verdict"])
    return next((verdict for verdict in ("imbalanced", "undecided") if verdict in found), "balanced")

"""Plot on the board: where strategies go and when, what closing or owning a route does, and paths."""

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from ttrsim.boards.board import Board
from ttrsim.plots.board import draw_board
from ttrsim.plots.style import one_strategy, styled
from ttrsim.plots.titles import earliest_title, effect_title, highest_title, paths_title
from ttrsim.plots.track import Floats

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.stats.paths import TicketPaths

Words = dict[str, tuple[str, str]]

ROUTES: Words = {
    "claim_rate": ("How often each route is claimed", "games of 100 in which it is claimed"),
    "turn": ("When each route is claimed", "mean turn of the claim, the seat's own turns from 1"),
    "taken": ("How early and often each route is taken", "share of a game for which it is taken, %"),
}
CITIES: Words = {
    "visitors": ("Who comes to each city", "mean number of players with a route there at the end"),
    "turn": ("When players come to each city", "mean turn of the first claim there, the seat's own turns from 1"),
    "taken": (
        "How early and how often players come to each city",
        "share of a game for which a seat has a route there, %",
    ),
}
GIFTS: Words = {
    "score_effect": ("What owning a route from the start is worth", "extra points"),
    "win_effect": ("What owning a route from the start is worth", "extra wins per 100 games"),
    "completed_effect": ("What owning a route from the start is worth", "extra tickets completed"),
}
CLOSED: Words = {
    "score_change": ("What closing each place changes", "extra points"),
    "win_change": ("What closing each place changes", "extra wins per 100 games"),
    "completed_change": ("What closing each place changes", "extra tickets completed"),
    "turns_change": ("What closing each place changes", "extra turns of a game"),
}
"""The title of the plot of each value if none can say what was found, and the label of its colour scale."""
SCALES = {"claim_rate": 100, "turn": 1, "taken": 100, "visitors": 1, "win_effect": 100, "win_change": 100}
"""The factors by which values are shown; else 1."""

CHOSEN = "Strategies chose where to go: this describes what they did."
SAME_DEALS = (
    "The same deals were played with the change and without. Gray: the interval holds 0. Thin routes were not tried."
)


@styled
def routes(
    frame: "pd.DataFrame",
    board: Board,
    ax: Axes | None = None,
    *,
    value: str = "claim_rate",
    about: str = "",
) -> Axes:
    """Draw each route in the colour of its value: `stats.routes`."""
    values = _by_route(one_strategy(frame, "route"), "route", board, value)
    names = [board.route_name(route) for route in board.routes]
    found = {
        "claim_rate": _most_and_least(frame),
        "turn": earliest_title(names, values),
        "taken": highest_title(names, 100 * values, "{} is taken for {} % of a game"),
    }
    title, label = ROUTES[value]
    words = found[value] or title, label
    return _drawn(board, ax, words, about, _chosen(value), routes=SCALES[value] * values, **_strong(value))


def _most_and_least(frame: "pd.DataFrame") -> str:
    """Say how often the route that is claimed most often is, and that which is claimed least; nothing if unknown."""
    known = frame.dropna(subset="claim_rate").sort_values("claim_rate", kind="stable")
    if len(known) < 2:
        return ""
    (least, seldom), (most, often) = (known[["route", "claim_rate"]].iloc[at] for at in (0, -1))
    times = "more than 99" if 0.995 <= often < 1 else f"{100 * often:.0f}"
    return f"{most} is claimed in {times} of 100 games, {least} in {100 * seldom:.0f}"


@styled
def cities(
    frame: "pd.DataFrame",
    board: Board,
    ax: Axes | None = None,
    *,
    value: str = "visitors",
    about: str = "",
) -> Axes:
    """Draw each city in the colour and size of its value: `stats.cities`."""
    values = _by_city(one_strategy(frame, "city"), "city", board, value)
    names = [city.name for city in board.cities]
    found = {
        "visitors": highest_title(names, values, "{} is reached by {} players"),
        "turn": earliest_title(names, values),
        "taken": highest_title(names, 100 * values, "Seats have a route to {} for {} % of a game"),
    }
    title, label = CITIES[value]
    words = found[value] or title, label
    return _drawn(board, ax, words, about, _chosen(value), cities=SCALES[value] * values, **_strong(value))


@styled
def gifts(
    frame: "pd.DataFrame",
    board: Board,
    ax: Axes | None = None,
    *,
    value: str = "score_effect",
    about: str = "",
) -> Axes:
    """Draw each route that the focal seat was given in the colour of its effect: `trials.gifts`."""
    values, unsure = (_by_route(of, "route", board, value) for of in (frame, _unsure(frame, value)))
    note = _same_deals(frame, value)
    values = SCALES.get(value, 1) * values
    title, label = GIFTS[value]
    words = effect_title(frame, "route", value, "Owning") or title, label
    return _drawn(board, ax, words, about, note, routes=values, routes_unsure=unsure == 1, strong="far")


@styled
def closed(
    frame: "pd.DataFrame",
    board: Board,
    ax: Axes | None = None,
    *,
    value: str = "score_change",
    about: str = "",
) -> Axes:
    """Draw each route, connection or city that was closed in the colour of its effect: `trials.closed`."""
    frame = one_strategy(frame, "closed")
    shown: dict[str, Any] = {}
    for of, suffix in ((frame, ""), (_unsure(frame, value), "_unsure")):
        places = {"routes": _closed_routes(of, board, value), "cities": _by_city(of, "closed", board, value)}
        known = {what: values for what, values in places.items() if np.isfinite(values).any()}
        scale = SCALES.get(value, 1)
        shown |= {f"{what}{suffix}": values == 1 if suffix else scale * values for what, values in known.items()}
    title, label = CLOSED[value]
    words = effect_title(frame, "closed", value, "Closing") or title, label
    return _drawn(board, ax, words, about, _same_deals(frame, value), strong="far", **shown)


def _closed_routes(frame: "pd.DataFrame", board: Board, value: str) -> Floats:
    """Return the value of each route that was closed, on its own or with its connection."""
    single = _by_route(frame, "closed", board, value)
    together = _by_name(frame, "closed", [board.connection_name(route.connection) for route in board.routes], value)
    return np.where(np.isnan(single), together, single)


def _unsure(frame: "pd.DataFrame", value: str) -> "pd.DataFrame":
    """Return the frame with 1 for a value whose interval holds 0, and with 0 for others."""
    return frame.assign(**{value: ((frame[f"{value}_low"] <= 0) & (frame[f"{value}_high"] >= 0)).astype(float)})


def _strong(value: str) -> dict[str, Any]:
    """Make early turns strong, and leave the least share that is possible at 0."""
    return {"strong": "low"} if value == "turn" else {}


def _chosen(value: str) -> str:
    return CHOSEN if value != "turn" else f"The earlier, the wider and stronger. {CHOSEN}"


def _drawn(board: Board, ax: Axes | None, words: tuple[str, str], about: str, told: str, **values: Any) -> Axes:
    """Draw the board with the values of its routes, its cities, or both."""
    title, label = words
    note = f"{about}. {told}" if about else told
    return draw_board(board, ax, route_label=label, city_label=label, title=title, note=note, **values)


def _same_deals(frame: "pd.DataFrame", value: str) -> str:
    """State how values of trials were found, and how precise they are: there is no room for each interval."""
    half = SCALES.get(value, 1) * (frame[f"{value}_high"] - frame[f"{value}_low"]).max() / 2
    return SAME_DEALS + (f" The widest 95 % interval is ±{half:.2g}; all hold at once." if np.isfinite(half) else "")


def _by_route(frame: "pd.DataFrame", key: str, board: Board, value: str) -> Floats:
    return _by_name(frame, key, [board.route_name(route) for route in board.routes], value)


def _by_city(frame: "pd.DataFrame", key: str, board: Board, value: str) -> Floats:
    return _by_name(frame, key, [city.name for city in board.cities], value)


def _by_name(frame: "pd.DataFrame", key: str, names: list[str], value: str) -> Floats:
    """Return the value of each name, NaN for those that the frame does not have."""
    found = dict(zip(frame[key], frame[value], strict=True))
    return np.array([found.get(name, np.nan) for name in names], float)


LEAST = 0.02
"""The least share of paths for which a route is coloured: single seats wander over half of a board."""


@styled
def paths(found: "TicketPaths", board: Board, ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw each route in the colour of the share of paths that use it: `stats.paths.paths`."""
    shares = found.routes.set_index("route")["share"]
    values = shares.loc[[board.route_name(route) for route in board.routes]].to_numpy(float)
    return draw_board(
        board,
        ax,
        routes=np.where(values >= LEAST, 100 * values, np.nan),
        route_label=f"seats of 100 that completed {found.ticket} whose path used the route",
        route_low=0,
        marked=found.cities,
        title=paths_title(found.ticket, found.routes),
        note=". ".join(filter(None, [about, note(found)])),
    )


def note(found: "TicketPaths") -> str:
    """State how many seats and paths there are, and which path is the most common."""
    how = "played again" if found.played else "as recorded"
    games = f"the first {found.games:,} games, {how}"
    if not found.seats:
        return f"In {games}, no seat completed it by its own routes."
    first, many = found.paths.iloc[0], len(found.paths)
    share = f"{100 * first['share']:.1f} %"
    if np.isfinite(first["share_low"]):
        share += f" (95 %: {100 * first['share_low']:.1f} to {100 * first['share_high']:.1f})"
    told = [
        f"In {games}, {found.seats:,} seats completed it by their own routes",
        f", by {many} different paths. The most common: {first['path']}, {first['trains']} trains, {share}."
        if many > 1
        else f", all by {first['path']}, {first['trains']} trains.",
        f" {found.lent:,} more needed a station and are left out." if found.lent else "",
        f" A seat's path is the shortest by its own routes; pale ones are on less than {100 * LEAST:g} % of paths.",
    ]
    return "".join(told)

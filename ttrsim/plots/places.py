"""Routes and cities on the board: who goes where and when, and what it does to close a route or to own it."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from ttrsim.boards.board import Board
from ttrsim.plots.board import draw_board
from ttrsim.plots.style import one_strategy, styled

if TYPE_CHECKING:
    import pandas as pd

Words = dict[str, tuple[str, str]]

ROUTES: Words = {
    "claim_rate": ("How often each route is claimed", "share of games in which it is claimed"),
    "turn": ("When each route is claimed", "mean turn of the claim, the seat's own turns from 1"),
    "contest": ("How contested each route is", "share of a game for which it is taken"),
}
CITIES: Words = {
    "visitors": ("Who comes to each city", "mean number of players with a route there at the end"),
    "turn": ("When players come to each city", "mean turn of the first claim there, the seat's own turns from 1"),
    "contest": ("How contested each city is", "share of a game for which a seat has a route there"),
}
GIFTS: Words = {
    "score_effect": ("What owning a route from the start is worth", "points of score more"),
    "win_effect": ("What owning a route from the start is worth", "win share more, fraction of 1"),
    "completed_effect": ("What owning a route from the start is worth", "tickets completed more"),
}
CLOSED: Words = {
    "score_change": ("What closing each place changes", "points of score more"),
    "win_change": ("What closing each place changes", "win share more, fraction of 1"),
    "completed_change": ("What closing each place changes", "tickets completed more"),
    "turns_change": ("What closing each place changes", "turns of a game more"),
}
"""Of each value: the title, and what is written above the scale of colours."""

CHOSEN = "Strategies chose where to go: this describes what they did."
SAME_DEALS = "The same deals were played with the change and without. Pale routes were not tried."


@styled
def routes(
    frame: "pd.DataFrame",
    board: Board,
    ax: Axes | None = None,
    *,
    value: str = "claim_rate",
    about: str = "",
) -> Axes:
    """Each route in the colour of its value: `stats.routes`."""
    title, label = ROUTES[value]
    names = [board.route_name(route) for route in board.routes]
    values = _by_name(one_strategy(frame, "route"), "route", names, value)
    return draw_board(board, ax, routes=values, route_label=label, title=title, note=_note(about, CHOSEN))


@styled
def cities(
    frame: "pd.DataFrame",
    board: Board,
    ax: Axes | None = None,
    *,
    value: str = "visitors",
    about: str = "",
) -> Axes:
    """Each city in the colour and size of its value: `stats.cities`."""
    title, label = CITIES[value]
    values = _by_name(one_strategy(frame, "city"), "city", [city.name for city in board.cities], value)
    return draw_board(board, ax, cities=values, city_label=label, title=title, note=_note(about, CHOSEN))


@styled
def gifts(
    frame: "pd.DataFrame",
    board: Board,
    ax: Axes | None = None,
    *,
    value: str = "score_effect",
    about: str = "",
) -> Axes:
    """Each route that was given to the focal seat in the colour of what that did: `trials.gifts`."""
    title, label = GIFTS[value]
    values = _by_name(frame, "route", [board.route_name(route) for route in board.routes], value)
    return draw_board(
        board,
        ax,
        routes=values,
        route_label=label,
        title=title,
        note=_note(about, f"{SAME_DEALS}{_widest(frame, value)}"),
    )


@styled
def closed(
    frame: "pd.DataFrame",
    board: Board,
    ax: Axes | None = None,
    *,
    value: str = "score_change",
    about: str = "",
) -> Axes:
    """Each route, connection or city that was closed in the colour of what that changed: `trials.closed`."""
    title, label = CLOSED[value]
    frame = one_strategy(frame, "closed")
    single = _by_name(frame, "closed", [board.route_name(route) for route in board.routes], value)
    together = _by_name(frame, "closed", [board.connection_name(route.connection) for route in board.routes], value)
    of_cities = _by_name(frame, "closed", [city.name for city in board.cities], value)
    of_routes = np.where(np.isnan(single), together, single)
    return draw_board(
        board,
        ax,
        routes=of_routes if np.isfinite(of_routes).any() else None,
        cities=of_cities if np.isfinite(of_cities).any() else None,
        route_label=label,
        city_label=label,
        title=title,
        note=_note(about, f"{SAME_DEALS}{_widest(frame, value)}"),
    )


def _note(about: str, told: str) -> str:
    return f"{about}. {told}" if about else told


def _widest(frame: "pd.DataFrame", value: str) -> str:
    """How far the values are known; there is no room for the interval of each."""
    half = (frame[f"{value}_high"] - frame[f"{value}_low"]).max() / 2
    return f" The widest 95 % interval is ±{half:.2g}; all hold at once." if np.isfinite(half) else ""


def _by_name(frame: "pd.DataFrame", key: str, names: list[str], value: str) -> NDArray[np.float64]:
    """The value for each name, NaN for those that the frame does not have."""
    found = dict(zip(frame[key], frame[value], strict=True))
    return np.array([found.get(name, np.nan) for name in names], float)

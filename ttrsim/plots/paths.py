"""The paths by which seats completed a ticket, on the board."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from ttrsim.boards.board import Board
from ttrsim.plots.board import draw_board
from ttrsim.plots.style import styled

if TYPE_CHECKING:
    from ttrsim.stats.paths import Found

LEAST = 0.02
"""Of the paths, the share from which on a route is coloured: single seats wander over half of a board."""


@styled
def paths(found: "Found", board: Board, ax: Axes | None = None, *, about: str = "") -> Axes:
    """Each route in the colour of the share of paths that use it: `stats.paths.paths`."""
    shares = found.routes.set_index("route")["share"]
    values = shares.loc[[board.route_name(route) for route in board.routes]].to_numpy(float)
    return draw_board(
        board,
        ax,
        routes=np.where(values >= LEAST, values, np.nan),
        route_label=f"share of the seats that completed {found.ticket} whose path used the route",
        route_low=0,
        marked=found.cities,
        title=f"How {found.ticket} is completed",
        note=". ".join(filter(None, [about, note(found)])),
    )


def note(found: "Found") -> str:
    """How many seats and paths there are, and which path is the most usual one."""
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
        f", by {many} different paths. The most usual: {first['path']}, {first['trains']} trains, {share}."
        if many > 1
        else f", all by {first['path']}, {first['trains']} trains.",
        f" {found.lent:,} more needed a station and are left out." if found.lent else "",
        f" A seat's path is the shortest by its own routes; pale ones are on less than {100 * LEAST:g} % of paths.",
    ]
    return "".join(told)

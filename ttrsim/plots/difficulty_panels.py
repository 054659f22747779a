"""Draw how hard tickets are for their points: points against difficulty, a panel for each number of players."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from ttrsim.plots.labels import NAME_SIZE, Label, Raster, choose, places
from ttrsim.plots.margins import settle
from ttrsim.plots.style import (
    BLUE,
    FAINT,
    INK,
    LARGE,
    RED,
    SMALL,
    TINY,
    Picture,
    dress,
    is_narrow,
    key_above,
    page,
    styled,
)
from ttrsim.plots.ticket_values import DASHED
from ttrsim.plots.titles import panels_title
from ttrsim.plots.track import Floats
from ttrsim.trials.difficulty import strongest

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = 2
"""Panels beside each other."""
PANEL = 3.1
"""Height of a row of panels, in inches."""
KEY = 0.25
"""Above the first panel up to the key, in inches."""
APART = 0.2
"""Between tickets of equal points, in points."""
SPREAD = 0.8
"""The most that the first and last of them are apart, in points."""
SCALE = NAME_SIZE / TINY
"""Units of the placing of names in a point of the picture: it places names of size NAME_SIZE."""
IN_THE_WAY = 4.0
"""The cost of each unit of area of a mark that a name covers."""
GAP = 4.0
"""Between two names in a line, in units of the placing."""
NAMED = 6
"""The most tickets of a panel that are named."""
FAINT_IN_THE_WAY, OUTSIDE = 0.5, 5.0
"""The costs of covering par or a faint line, and of lying outside the panel, beside a mark's 1."""
MARKERS_OF = {"harder": ("^", RED), "easier": ("v", BLUE), "as expected": ("o", FAINT), "undecided": ("o", FAINT)}
"""Marker and colour of each verdict."""


@styled
def difficulty_panels(frame: "pd.DataFrame", *, strategy: str | None = None, about: str = "") -> Axes:
    """Draw how often each ticket fails against its printed points: `trials.difficulty` of one or several tables.

    strategy: whose tickets; by default of the strategy that fails least at the largest table.
    """
    shown = strategy or strongest(frame[frame["players"] == frame["players"].max()])
    frame = frame[frame["strategy"] == shown]
    tables = [rows for _, rows in frame.groupby("players")]
    note = (
        f"All seats play {shown}, and one of them must keep the ticket. Lines are 95 % intervals, each for itself. Par "
        "is the curve of difficulty by points that fits all tickets best, never falling. Named are those of the "
        f"tickets clearly off par that are farthest from it, at most {NAMED}. Tickets with equal points stand beside "
        "each other, and the scales of panels differ."
    )
    columns = 1 if is_narrow() else min(COLUMNS, len(tables))
    down = -(-len(tables) // columns)
    first = page(None, panels_title(frame), about, note, 0.3 + PANEL * down)
    figure = first.figure.figure
    first.remove()
    grid = figure.subplots(down, columns, sharex=True, squeeze=False, subplot_kw={"axes_class": Picture})
    panels = list(grid.flat)
    for spare in panels[len(tables) :]:
        spare.remove()
    placed = [_draw_panel(ax, rows) for ax, rows in zip(panels, tables, strict=False)]
    for ax in grid[:, 0]:
        ax.set_ylabel("difficulty: failed, % of games")
    for ax in panels[: len(tables)][-columns:]:
        ax.set_xlabel("printed points")
        ax.tick_params(labelbottom=True)
    _draw_key(panels[0])
    settle(figure)  # so that it is known how large the panels are,
    figure.set_layout_engine("none")  # and they stay so
    for ax, rows, x in zip(panels, tables, placed, strict=False):
        _write_names(ax, rows, x)
    chosen: Axes = panels[0]
    return chosen


def _draw_panel(ax: Axes, rows: "pd.DataFrame") -> Floats:
    """Draw the marks and par; return where each ticket stands along x."""
    dress(ax)
    points = rows["points"].to_numpy(float)
    of_equal = rows.groupby("points")["points"]
    equal = of_equal.transform("size").to_numpy(float)
    x = points + np.minimum(APART, SPREAD / equal) * (of_equal.cumcount().to_numpy(float) - (equal - 1) / 2)
    failed, low, high = (100 * rows[f"difficulty{end}"].to_numpy(float) for end in ("", "_low", "_high"))
    order = np.argsort(points)
    ax.plot(points[order], 100 * rows["par"].to_numpy(float)[order], color=FAINT, lw=1.2, ls=DASHED)
    verdict = rows["verdict"].to_numpy(object)
    for word, (marker, colour) in MARKERS_OF.items():
        of = verdict == word
        ax.vlines(x[of], low[of], high[of], colors=colour, lw=0.6 if colour == FAINT else 1.2)
        filling = ax.get_facecolor() if colour == FAINT else colour
        ax.plot(x[of], failed[of], marker, color=colour, mfc=filling, ms=4.5, ls="")
    ax.set_title(f"{rows['players'].iloc[0]} players", loc="left", size=SMALL, weight="bold", color=INK)
    ax.set_ylim(0, None)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    return x


def _write_names(ax: Axes, rows: "pd.DataFrame", x: Floats) -> None:
    """Name the tickets farthest off par, where their names cover neither marks nor each other."""
    surely = rows["verdict"].isin(["harder", "easier"]).to_numpy()
    if not surely.any():
        return
    far = np.where(surely, (rows["difficulty"] - rows["par"]).abs(), 0)
    off = np.argsort(-far, kind="stable")[: min(NAMED, surely.sum())]
    ends = [100 * rows[f"difficulty{end}"].to_numpy(float) for end in ("", "_low", "_high")]
    corner, unit = ax.get_window_extent(), 72 / ax.figure.dpi * SCALE
    height = corner.height * unit

    def located(y: Floats, x: Floats = x) -> Floats:
        """Return points in units of the placing, from the upper left corner of the panel, y downwards."""
        at = (ax.transData.transform(np.column_stack([x, y])) - (corner.x0, corner.y0)) * unit
        return np.column_stack([at[:, 0], height - at[:, 1]])

    marks, lowest, highest = (located(y) for y in ends)
    raster = Raster(corner.width * unit, height, 0, OUTSIDE)
    for (mx, my), (_, below), (_, above), sure in zip(marks, lowest, highest, surely, strict=True):
        raster.add_box((mx, above, mx, below), 1.5, 1.0 if sure else FAINT_IN_THE_WAY)
        raster.add_disc(mx, my, 4.5, 1.0)
    along = np.linspace(rows["points"].min(), rows["points"].max(), 400)
    par = np.interp(along, *rows.sort_values("points")[["points", "par"]].to_numpy(float).T)
    raster.add(np.unique(raster.cells(*located(100 * par, along).T)), FAINT_IN_THE_WAY)
    named = [places(name, mark, "") for name, mark in zip(rows["ticket"].to_numpy()[off], marks[off], strict=True)]
    cities = np.concatenate([marks[off], np.delete(marks, off, axis=0)])
    written: list[Label] = []
    words = rows["verdict"].to_numpy(object)[off]
    for label, word in zip(choose(named, cities, raster, IN_THE_WAY), words, strict=True):
        if not any(_overlap(label, other) for other in written):
            _write(ax, label, height, MARKERS_OF[word][1])
            written.append(label)


def _overlap(one: Label, other: Label) -> bool:
    """Return whether two names cover or touch each other; the one farther off par is then written alone."""
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = one.box, other.box
    return ax0 < bx1 + GAP and bx0 < ax1 + GAP and ay0 < by1 and by0 < ay1


def _write(ax: Axes, label: Label, height: float, colour: str) -> None:
    """Write a name at its place in the panel, in the colour of its mark and clear of the lines behind it."""
    behind = {"facecolor": ax.get_facecolor(), "edgecolor": "none", "pad": 0.3, "alpha": 0.7}
    for text, (x, y) in zip(label.lines, label.baselines(), strict=True):
        at = (x / SCALE, (height - y) / SCALE)
        written = ax.annotate(text, (0, 0), at, "axes fraction", "offset points", size=TINY, color=colour, ha="center")
        written.set(in_layout=False, bbox=behind)


def _draw_key(ax: Axes) -> None:
    """Draw the key above the first panel, beyond whose right edge it may reach."""
    marks = (("^", RED, RED, "harder than par"), ("v", BLUE, BLUE, "easier"), ("o", FAINT, "none", "neither clearly"))
    dots = [Line2D([], [], ls="", marker=m, color=c, mfc=fill, ms=5, label=words) for m, c, fill, words in marks]
    key = key_above(ax, [*dots, Line2D([], [], color=FAINT, lw=1.2, ls=DASHED, label="par")])
    key.set(in_layout=False, bbox_to_anchor=(0, 1 + KEY / PANEL))
    ax.set_title("\n\n" if is_narrow() else "\n", loc="right", size=LARGE)  # keeps room for the key

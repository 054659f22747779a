"""Style shared by all plots: colours, marks, hatches, text, the page."""

import gc
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, wraps
from threading import Lock
from typing import TYPE_CHECKING, Any, ParamSpec

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.transforms import blended_transform_factory

from ttrsim.plots.labels import FONT, text_width
from ttrsim.plots.margins import Margins
from ttrsim.plots.theme import PAINT

if TYPE_CHECKING:
    import pandas as pd


P = ParamSpec("P")

WIDTH = 8.0  # inches; printed as wide as this all writing can be read
NARROW = 3.5  # of a picture for a telephone
DPI = 150  # so a picture is 1200 pixels wide
LARGE, MEDIUM, SMALL, TINY = 12.0, 11.0, 8.5, 7.5  # sizes of writing in points: title, what explains it, names
EDGE = 0.14  # inches kept free about everything
LINE = 1.45  # from one line of the heading or the note to the next, in sizes

INK, FAINT, GRID, BAND = PAINT.ink, PAINT.faint, PAINT.grid, PAINT.band
BLUE, ORANGE, GREEN, RED = PAINT.blue, PAINT.orange, PAINT.green, PAINT.red

COLOURS = PAINT.series
"""Ten colours for strategies and parts, after Petroff's."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
HATCHES = ("", "///", "---", "\\\\\\", "xxx", "|||", "+++", "//", "--", "\\\\")
DASHES = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (6, 1.5, 1, 1.5)), (0, (3, 1, 1, 1, 1, 1)))

STYLE: Any = {
    "font.family": FONT,
    "font.size": SMALL,
    "text.color": INK,
    "text.parse_math": False,
    "figure.facecolor": PAINT.paper,
    "figure.dpi": DPI,
    "axes.facecolor": PAINT.paper,
    "axes.edgecolor": PAINT.frame,
    "axes.labelcolor": INK,
    "axes.labelsize": SMALL,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.unicode_minus": True,
    "grid.color": GRID,
    "grid.linewidth": 0.6,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.frameon": False,
    "legend.fontsize": SMALL,
    "hatch.linewidth": 0.6,
    "lines.linewidth": 1.4,
    "svg.fonttype": "none",
    "svg.hashsalt": "ttrsim",
    "pdf.fonttype": 42,
}

_drawing: ContextVar[bool] = ContextVar("drawing", default=False)
_one_at_a_time = Lock()
"""Held while drawing: rcParams belong to the process, so threads would restore each other's."""


@contextmanager
def drawing() -> Iterator[None]:
    """Draw in the style of these plots, whatever rcParams the caller has, and without collecting garbage.

    Matplotlib makes many objects, and looking through them takes a fifth of the time.
    """
    if _drawing.get():
        yield
        return
    with _one_at_a_time:
        collecting, token = gc.isenabled(), _drawing.set(True)
        gc.disable()
        try:
            with mpl.rc_context(mpl.rcParamsDefault):
                mpl.rcParams.update(STYLE)
                yield
        finally:
            _drawing.reset(token)
            if collecting:
                gc.enable()


def styled(draw: Callable[P, Axes]) -> Callable[P, Axes]:
    """Draw in the style of these plots, whatever rcParams the caller has."""

    @wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Axes:
        with drawing():
            ax = draw(*args, **kwargs)
        if is_narrow():
            _fit_label(ax)
        if isinstance(ax, Picture):
            ax.again = partial(drawn, *args, **kwargs)
        return ax

    return drawn


def _fit_label(ax: Axes) -> None:
    """Break the label of the axis across into lines of a narrow picture, from its right edge."""
    lines = wrapped(ax.get_xlabel().replace("\n", " "), NARROW - 4 * EDGE, SMALL)
    ax.set_xlabel("\n".join(lines), x=1, ha="right")


_width: ContextVar[float] = ContextVar("width", default=WIDTH)


def width() -> float:
    """Return the width of the pictures that are drawn now, in inches."""
    return _width.get()


def is_narrow() -> bool:
    """Return whether pictures are drawn for a telephone now."""
    return width() < WIDTH


class Picture(Axes):
    """Axes that show themselves in a notebook; the figure is not one of `pyplot`."""

    again: "Callable[[], Axes] | None" = None  # draws the same picture anew

    def narrow(self) -> Axes:
        """Draw the same picture again for a telephone."""
        assert self.again
        token = _width.set(NARROW)
        try:
            return self.again()
        finally:
            _width.reset(token)

    def _repr_png_(self) -> bytes:
        from ttrsim.plots.saving import encoded

        return encoded(self, "png")


def page(ax: Axes | None, title: str, about: str, note: str, height: float = 5.0) -> Axes:
    """Return the axes given, or those of a new figure, with a title, the games and a note."""
    if ax is not None:
        dress(ax)
        lines = [line for text in (about, note) if text for line in wrapped(text, _inches(ax), SMALL)]
        ax.set_title("\n".join([title, *lines]), loc="left", fontsize=SMALL, color=INK)
        return ax
    room = width() - 2 * EDGE
    size = MEDIUM if is_narrow() else LARGE
    titles = wrapped(title, room, size, "bold")
    head, foot = wrapped(about, room, SMALL), wrapped(note, room, SMALL)
    heading = (LINE * size * len(titles) + LINE * SMALL * len(head)) / 72
    above, below = EDGE + heading, EDGE + LINE * SMALL * len(foot) / 72
    whole = height + above + below
    figure = Figure((width(), whole), DPI)
    figure.set_layout_engine(Margins(below, above, EDGE))
    _write(figure, whole - EDGE, titles, size, INK, "bold")
    _write(figure, whole - EDGE - LINE * size * len(titles) / 72, head, SMALL, FAINT)
    _write(figure, below, foot, SMALL, FAINT)
    ax = figure.add_subplot(axes_class=Picture)
    dress(ax)
    return ax


def dress(ax: Axes) -> None:
    """Fix the look of ticks now: they are made when the plot is saved, when the style no longer holds."""
    ax.tick_params(which="both", labelsize=SMALL, labelcolor=INK, color=FAINT, labelfontfamily=FONT)
    ax.tick_params(grid_color=GRID, grid_linewidth=0.6)


def _inches(ax: Axes) -> float:
    width: float = ax.get_window_extent().width / ax.figure.dpi
    return width


def _write(figure: Figure, top: float, lines: list[str], size: float, colour: str, weight: str = "normal") -> None:
    """Write lines on the page, the first beneath `top`, in inches from the lower edge."""
    across, down = figure.get_size_inches()
    for i, line in enumerate(lines):
        y = top - (LINE * i + 1) * size / 72
        figure.text(EDGE / across, y / down, line, size=size, color=colour, weight=weight)


def wrapped(text: str, inches: float, size: float, weight: str = "normal") -> list[str]:
    """Return the text in lines that fit the width."""
    if not text:
        return []
    letters = int(0.97 * 72 * inches / (text_width(text, size, weight) / len(text)))
    lines = textwrap.wrap(text, letters, break_on_hyphens=False)
    while max(text_width(line, size, weight) for line in lines) > 72 * inches and letters > 10:
        letters -= 1
        lines = textwrap.wrap(text, letters, break_on_hyphens=False)
    return lines


def series_style(place: int) -> dict[str, Any]:
    """Return the colour, marker and dashes of the n-th strategy."""
    return {
        "color": COLOURS[place % len(COLOURS)],
        "marker": MARKERS[(place + place // len(COLOURS)) % len(MARKERS)],
        "linestyle": DASHES[place % len(DASHES)],
    }


def key_above(ax: Axes, handles: list[Any], columns: int = 4) -> Legend:
    """Draw a key above the axes, where it covers nothing, in fewer columns if the picture is narrow."""
    place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1)}
    if is_narrow():
        handles = [handle for handle in handles if handle.get_label().strip()]
        columns = 1 if max(text_width(handle.get_label(), SMALL) for handle in handles) > 72 * 1.2 else 2
        across = blended_transform_factory(ax.figure.transFigure, ax.transAxes)  # from the edge of the picture
        place = {"loc": "lower left", "bbox_to_anchor": (0.5 * EDGE / NARROW, 1), "bbox_transform": across}
    return ax.legend(handles=handles, ncols=columns, handletextpad=0.4, columnspacing=1.6, borderaxespad=0.2, **place)


def in_rows(*groups: Sequence[Line2D], columns: int = 4) -> list[Line2D]:
    """Return the handles of a key, each group in rows of its own; matplotlib fills columns one after the other."""
    nothing = Line2D([], [], ls="", label=" ")
    handles: list[Line2D] = []
    for group in groups:
        handles += [*group, *[nothing] * (-len(group) % columns)]
    return [handle for column in range(columns) for handle in handles[column::columns]]


def one_strategy(frame: "pd.DataFrame", row: str) -> "pd.DataFrame":
    """Return the frame if it has one strategy's rows only; refuse it otherwise."""
    if "strategy" in frame and frame[row].duplicated().any():
        names = ", ".join(map(str, frame["strategy"].unique()))
        raise ValueError(f"a plot shows one strategy, and these rows are of {names}; choose those of one")
    return frame

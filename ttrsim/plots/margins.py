"""Leave room for what is written around the axes of a page, which is measured once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import LayoutEngine
from matplotlib.transforms import BboxBase

from ttrsim.plots.labels import text_extent
from ttrsim.plots.track import Floats


class Margins(LayoutEngine):
    """Layout of a grid of axes of equal size, which measures axes once where matplotlib's own does it twice."""

    _adjust_compatible = False
    _colorbar_gridspec = False

    def __init__(self, below: float, above: float, aside: float) -> None:
        """Keep margins, in inches: below and above the grid, beside each cell, and half as much above each."""
        super().__init__()
        self.below, self.above, self.aside = below, above, aside

    def execute(self, fig: Figure) -> None:
        axes = [ax for ax in fig.axes if ax.get_subplotspec()]
        if not axes:
            return
        with at_dpi(fig, 72):
            bare = [ax.get_tightbbox(RULER, bbox_extra_artists=[], for_layout_only=True) for ax in axes]
            ticks = [_beyond(ax, [box]) for ax, box in zip(axes, bare, strict=True)]
            for _ in range(2):  # what is written at a value moves when the axes change
                self._place(fig, axes, np.maximum(ticks, [_beyond(ax, _written(ax)) for ax in axes]))

    def _place(self, fig: Figure, axes: Sequence[Axes], around: Floats) -> None:
        """Place axes so that there is room around each, to the left and right, above and below, in points."""
        specs = [spec for ax in axes if (spec := ax.get_subplotspec())]
        rows, columns = specs[0].get_gridspec().get_geometry()
        left, right, top, bottom = (np.zeros(count) for count in (columns, columns, rows, rows))
        for spec, margins in zip(specs, around / 72, strict=True):
            row, column = spec.rowspan.start, spec.colspan.start
            left[column], right[column] = np.maximum((left[column], right[column]), margins[:2])
            top[row], bottom[row] = np.maximum((top[row], bottom[row]), margins[2:])
        across, down = fig.get_size_inches()
        x, wide = _cells(across, left + self.aside, right + self.aside)
        y, tall = _cells(down - self.above - self.below, top + self.aside / 2, bottom + self.aside / 2)
        for ax, spec in zip(axes, specs, strict=True):
            low = down - self.above - y[spec.rowspan.start] - tall
            ax.set_position((x[spec.colspan.start] / across, low / down, wide / across, tall / down))


def _cells(room: float, before: Floats, after: Floats) -> tuple[Floats, float]:
    """Return where each cell of a row of equal cells begins, and their length, given the margins of each."""
    length = max(0.1, (room - before.sum() - after.sum()) / len(before))
    steps = before[1:] + after[:-1] + length
    return before[0] + np.concatenate([[0.0], np.cumsum(steps)]), float(length)


def _written(ax: Axes) -> list[BboxBase | None]:
    """Return the boxes of the key and of all writing at values."""
    legend = ax.get_legend()
    artists = [*ax.texts, *([legend] if legend else [])]
    return [artist.get_tightbbox(RULER) for artist in artists if artist.get_visible() and artist.get_in_layout()]


def _beyond(ax: Axes, boxes: Sequence[BboxBase | None]) -> Floats:
    """Return how far boxes reach beyond the axes to the left and right, upwards and downwards."""
    ends = np.array([box.extents for box in boxes if box is not None and np.isfinite(box.extents).all()])
    if not len(ends):
        return np.zeros(4)
    (x0, y0), (x1, y1) = ends[:, :2].min(axis=0), ends[:, 2:].max(axis=0)
    inner = ax.bbox
    return np.maximum(0, [inner.x0 - x0, x1 - inner.x1, y1 - inner.y1, inner.y0 - y0])


class Ruler(RendererBase):
    """A renderer that draws nothing and measures writing in points."""

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:
        return text_extent(s, prop)


RULER = Ruler()


def settle(figure: Figure) -> None:
    """Place the axes now, because what will be written on them depends on their size."""
    if engine := figure.get_layout_engine():
        engine.execute(figure)
    else:
        figure.draw_without_rendering()


@contextmanager
def at_dpi(figure: Figure, dpi: float) -> Iterator[None]:
    """Give a figure another resolution for a while."""
    before = figure.dpi
    figure.dpi = dpi
    try:
        yield
    finally:
        figure.dpi = before

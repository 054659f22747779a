"""Leave room for what is written around the axes of a page, which is measured once."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.layout_engine import LayoutEngine

from ttrsim.plots.labels import text_extent
from ttrsim.plots.track import Floats


class Margins(LayoutEngine):
    """Layout of a grid of axes of equal size, in one pass where matplotlib's own takes two longer ones."""

    _adjust_compatible = False
    _colorbar_gridspec = False

    def __init__(self, below: float, above: float, aside: float) -> None:
        """Keep so many inches free below and above the grid, beside each of its cells and, half as many, above it."""
        super().__init__()
        self.below, self.above, self.aside = below, above, aside

    def execute(self, fig: Figure) -> None:
        axes = [(ax, spec) for ax in fig.axes if (spec := ax.get_subplotspec())]
        if not axes:
            return
        rows, columns = axes[0][1].get_gridspec().get_geometry()
        left, right, top, bottom = (np.zeros(count) for count in (columns, columns, rows, rows))
        with at_dpi(fig, 72):
            for ax, spec in axes:
                row, column = spec.rowspan.start, spec.colspan.start
                around = zip((left, right, top, bottom), (column, column, row, row), _around(ax) / 72, strict=True)
                for margins, place, wanted in around:
                    margins[place] = max(margins[place], wanted)
        across, down = fig.get_size_inches()
        x, wide = _cells(across, left + self.aside, right + self.aside)
        y, tall = _cells(down - self.above - self.below, top + self.aside / 2, bottom + self.aside / 2)
        for ax, spec in axes:
            low = down - self.above - y[spec.rowspan.start] - tall
            ax.set_position((x[spec.colspan.start] / across, low / down, wide / across, tall / down))


def _cells(room: float, before: Floats, after: Floats) -> tuple[Floats, float]:
    """Return where each of a row of equal cells begins, and how long they are, with these margins of each."""
    length = max(0.1, (room - before.sum() - after.sum()) / len(before))
    steps = before[1:] + after[:-1] + length
    return before[0] + np.concatenate([[0.0], np.cumsum(steps)]), float(length)


def _around(ax: Axes) -> Floats:
    """Return how far the writing reaches beyond the axes: to the left and right, upwards and downwards, in pixels."""
    legend = ax.get_legend()
    extra = [*ax.texts, *([legend] if legend else [])]
    shown = [artist for artist in extra if artist.get_visible() and artist.get_in_layout()]
    whole = ax.get_tightbbox(RULER, bbox_extra_artists=shown, for_layout_only=True) or ax.bbox
    inner = ax.bbox
    return np.maximum(0, [inner.x0 - whole.x0, whole.x1 - inner.x1, whole.y1 - inner.y1, inner.y0 - whole.y0])


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

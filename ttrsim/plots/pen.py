"""Drawing on axes in the units of a layout: sizes of writing and widths of lines scale with the picture."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.font_manager import FontProperties
from matplotlib.markers import MarkerStyle
from matplotlib.path import Path
from matplotlib.patheffects import Stroke
from matplotlib.transforms import Affine2D

from ttrsim.plots.labels import FONT
from ttrsim.plots.track import Car

CORNER = 0.22  # radius of a car's corners, in widths of it
HALO = 3.0  # width of the line about writing, half of it inside


class Pen:
    """Draws on `ax`; `points` is how many points (1/72 inch) a unit is."""

    def __init__(self, ax: Axes, points: float) -> None:
        self.ax, self.points = ax, points

    def text(
        self, x: float, y: float, text: str, size: float, colour: str, *, halo: str = "", bold: bool = False, **how: Any
    ) -> None:
        """Writing with its baseline at y; `halo` is a colour to put about it."""
        font = FontProperties(family=FONT, size=size * self.points, weight="bold" if bold else "normal")
        how = dict[str, Any](va="baseline", fontproperties=font, parse_math=False) | how
        if halo:  # apart, because writing with an effect would be stored as outlines and not as text
            effect = Stroke(linewidth=HALO * self.points, foreground=halo, joinstyle="round")
            self.ax.text(x, y, text, color=halo, path_effects=[effect], zorder=5.5, **how)
        self.ax.text(x, y, text, color=colour, zorder=6, **how)

    def shapes(self, paths: Sequence[Path], faces: Any, edges: Any, line: float, zorder: float, **how: Any) -> None:
        """Filled outlines."""
        if paths:
            how |= {"facecolors": faces, "edgecolors": edges, "linewidths": line * self.points, "zorder": zorder}
            self.ax.add_collection(PathCollection(list(paths), **how), autolim=False)

    def lines(self, segments: Iterable[Any], colour: str, line: float, zorder: float, **how: Any) -> None:
        """Lines through points."""
        how |= {"colors": colour, "linewidths": line * self.points, "zorder": zorder}
        self.ax.add_collection(LineCollection(list(segments), **how), autolim=False)


def car_path(car: Car, grow: float = 0.0) -> Path:
    """A car with rounded corners."""
    corners = car.corners(grow)
    points, codes = [], []
    for i, corner in enumerate(corners):
        for j, code in ((i - 1, Path.LINETO), (i + 1, Path.CURVE3)):
            side = corners[j % 4] - corner
            near = corner + side * min(0.5, CORNER * (car.width + 2 * grow) / float(np.hypot(*side)))
            points += [near] if code == Path.LINETO else [corner, near]
            codes += [code] if code == Path.LINETO else [code, code]
    codes[0] = Path.MOVETO
    return Path(np.array([*points, points[0]]), [*codes, Path.CLOSEPOLY])


def disc(x: float, y: float, radius: float) -> Path:
    """A circle."""
    return Path.circle((x, y), radius)


def marker(kind: str, x: float, y: float, radius: float) -> Path:
    """One of matplotlib's markers, about as large as a disc of this radius; y goes down."""
    style = MarkerStyle(kind)
    path = style.get_path().transformed(style.get_transform())
    reach = float(np.abs(path.get_extents().get_points()).max())
    return path.transformed(Affine2D().scale(radius / reach, -radius / reach).translate(x, y))


def wheel_spokes(x: float, y: float, radius: float) -> list[list[tuple[float, float]]]:
    """Three lines across a wheel."""
    turns = np.radians([0, 60, 120])
    return [
        [(x - radius * np.cos(t), y - radius * np.sin(t)), (x + radius * np.cos(t), y + radius * np.sin(t))]
        for t in turns
    ]

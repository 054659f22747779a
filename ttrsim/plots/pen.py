"""Drawing on axes in the units of a layout; how cars look: paint, tunnels, ferries, letters."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgb
from matplotlib.font_manager import FontProperties
from matplotlib.markers import MarkerStyle
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.patheffects import Stroke
from matplotlib.transforms import Affine2D

from ttrsim.plots.labels import FONT
from ttrsim.plots.saving import HALO_ITSELF, HALOED
from ttrsim.plots.track import Car

CORNER = 0.22  # radius of a car's corners, in widths of it
HALO = 3.0  # width of the line about writing, half of it inside


class Pen:
    """A pen that draws on `ax`; `points` is the size of a unit in points (1/72 inch)."""

    def __init__(self, ax: Axes, points: float) -> None:
        self.ax, self.points = ax, points

    def text(
        self, x: float, y: float, text: str, size: float, colour: str, *, halo: str = "", bold: bool = False, **how: Any
    ) -> None:
        """Write a text with its baseline at y; `halo` is the colour of an outline around it."""
        font = FontProperties(family=FONT, size=size * self.points, weight="bold" if bold else "normal")
        how = dict[str, Any](va="baseline", fontproperties=font, parse_math=False) | how
        if halo:  # apart, because writing with an effect would be stored as outlines and not as text
            effect = Stroke(linewidth=HALO * self.points, foreground=halo, joinstyle="round")
            self.ax.text(x, y, text, color=halo, path_effects=[effect], zorder=5.5, gid=HALO_ITSELF, **how)
        mark = f"{HALOED}{halo} {HALO * self.points:.1f}" if halo else None
        self.ax.text(x, y, text, color=colour, zorder=6, gid=mark, **how)

    def shapes(self, paths: Sequence[Path], face: str, edge: str, line: float, zorder: float) -> None:
        """Draw filled outlines that do not overlap, as one: pages are smaller so."""
        if paths:
            how = {"facecolor": face, "edgecolor": edge, "linewidth": line * self.points, "zorder": zorder}
            self.ax.add_artist(PathPatch(Path.make_compound_path(*paths), clip_on=False, **how))

    def lines(self, segments: Iterable[Any], colour: str, line: float, zorder: float, capstyle: str = "butt") -> None:
        """Draw lines through points."""
        how = {"facecolor": "none", "edgecolor": colour, "linewidth": line * self.points, "zorder": zorder}
        path = Path.make_compound_path(*[Path(segment) for segment in segments])
        self.ax.add_artist(PathPatch(path, capstyle=capstyle, clip_on=False, **how))


def car_path(car: Car, grow: float = 0.0) -> Path:
    """Return the outline of a car with rounded corners."""
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
    """Return a circle."""
    return Path.circle((x, y), radius)


def marker(kind: str, x: float, y: float, radius: float) -> Path:
    """Return one of matplotlib's markers, about as large as a disc of this radius; y goes down."""
    style = MarkerStyle(kind)
    path = style.get_path().transformed(style.get_transform())
    reach = float(np.abs(path.get_extents().get_points()).max())
    return path.transformed(Affine2D().scale(radius / reach, -radius / reach).translate(x, y))


def wheel_spokes(x: float, y: float, radius: float) -> list[list[tuple[float, float]]]:
    """Return three lines across a wheel."""
    turns = np.radians([0, 60, 120])
    return [
        [(x - radius * np.cos(t), y - radius * np.sin(t)), (x + radius * np.cos(t), y + radius * np.sin(t))]
        for t in turns
    ]


INK = "#1c1a18"
BLACK = "#000000"
LETTER_SIZE = 8.6
WHEEL = 4.3
IN_TUNNEL = 1.9  # how much smaller a car is on each side inside the frame of a tunnel


@dataclass(frozen=True, slots=True)
class CarStyle:
    """The style of the cars of one route."""

    face: str
    edge: str
    width: float = 1.0  # of a car, as a fraction of its full width
    frame: str = ""  # of a tunnel, and of a ferry's wheel; "" is the usual dark
    text: str = ""  # written on each car
    mark: str = ""  # matplotlib's marker on each car


def mixed(colour: str, other: str, share: float) -> str:
    """Mix a colour with a share of another."""
    r, g, b = ((1 - share) * one + share * two for one, two in zip(to_rgb(colour), to_rgb(other), strict=True))
    return to_hex((r, g, b))


def readable(colour: str) -> str:
    """Return black or white, whichever contrasts more with the colour: always above the 4.5 that WCAG asks for."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    luminance = sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
    return BLACK if luminance > 0.18 else "#ffffff"


def draw_cars(pen: Pen, cars: Sequence[Car], style: CarStyle, inset: float = 0.0) -> None:
    """Draw the cars of a route, with any text or mark on them; `inset` makes them smaller all around."""
    slim = [c._replace(length=c.length - 2 * inset, width=(c.width - 2 * inset) * style.width) for c in cars]
    pen.shapes([car_path(c) for c in slim], style.face, style.edge, 0.8, 3)
    ink = readable(style.face)
    if style.mark:
        pen.shapes([marker(style.mark, c.x, c.y, 3.4) for c in slim], "#ffffff", INK, 0.7, 4)
    if style.text:
        for c in slim:
            write_on(pen, c, style.text, LETTER_SIZE, ink)


def write_on(pen: Pen, car: Car, text: str, size: float, ink: str) -> None:
    """Write a word in the middle of a car, along it."""
    how = dict[str, Any](rotation=-car.angle, rotation_mode="anchor", ha="center", va="center_baseline")
    pen.text(car.x, car.y, text, size, ink, bold=True, **how)


def draw_tunnel(pen: Pen, cars: Sequence[Car], frame: str, ground: str) -> None:
    """Draw a frame with portals around each space of a tunnel, whose cars are drawn smaller inside it."""
    pen.shapes([car_path(c, 0.5) for c in cars], frame, frame, 0.6, 2.5)
    pen.shapes([car_path(c, -1.0) for c in cars], ground, "none", 0, 2.7)
    corners = [c.corners(0.8) for c in cars]
    portals = [[box[i], box[j]] for box in corners for i, j in ((0, 3), (1, 2))]
    pen.lines(portals, frame, 2.4, 2.6, capstyle="round")


def draw_ferry(pen: Pen, cars: Sequence[Car], wilds: int, ground: str, ink: str) -> None:
    """Draw a wheel on the middle cars, one for each wild card that the ferry needs, in ink on its ground."""
    bare = unmarked(cars, wilds)
    for c in [c for c in cars if c not in bare]:
        pen.shapes([disc(c.x, c.y, WHEEL)], ground, ink, 1.1, 4)
        pen.lines(wheel_spokes(c.x, c.y, WHEEL), ink, 0.9, 4.1)
        pen.shapes([disc(c.x, c.y, 1.4)], ink, "none", 0, 4.2)


def unmarked(cars: Sequence[Car], wilds: int) -> list[Car]:
    """Return the cars of a ferry that have no wheel."""
    first = (len(cars) - wilds) // 2
    return [*cars[:first], *cars[first + wilds :]]

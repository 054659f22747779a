"""The picture of a board for a telephone: its routes as lines, the names that fit, and the strongest values in a list.

The map has the geometry of the wide one, stretched to be about as high as it is wide.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from ttrsim.boards.board import Board, City
from ttrsim.plots.labels import NAME_SIZE, Label, Raster, choose, places
from ttrsim.plots.layout import Layout, lay_out
from ttrsim.plots.margins import Margins
from ttrsim.plots.style import EDGE, NARROW, SMALL, TINY, page, wrapped
from ttrsim.plots.theme import Scaled, Theme
from ttrsim.plots.track import Car, Floats

RECONSTRUCTION = "reconstruction: not the published routes and tickets"
FLATTEST = 0.95  # height of the map, in widths, up to which it is stretched
MOST_STRETCHED = 1.6
LISTED = 7  # values in words
CAR = (1.3, 4.2)  # width of a line in points, from the weakest value to the strongest
CITY = (2.0, 5.0)  # radius of a city in points
BAR, LINE = 36.0, 12.0  # height in points of a scale and of a line of the list
POINTS = 8  # along a car that a name should not cover
ON_TRACK, ON_CITY = 0.6, 2.0  # what a name pays for a unit of area that it covers

Units = tuple[float, float]
"""The length of a unit of the layout, across and down."""


@dataclass(frozen=True)
class BoardValues:
    """The content of a picture."""

    routes: Scaled | None
    cities: Scaled | None
    route_label: str
    city_label: str
    marked: Sequence[int] = field(default_factory=tuple)


def draw_narrow_board(board: Board, shown: BoardValues, paint: Theme, title: str, note: str) -> Axes:
    """Draw a board with values of its routes, its cities, or both."""
    layout = lay_out(board)
    stretch = float(np.clip(FLATTEST * layout.width / layout.height, 1, MOST_STRETCHED))
    unit = 72 * (NARROW - 2 * EDGE) / layout.width  # points
    tall = layout.height * stretch * unit
    bars = [
        (wrapped(label, NARROW - 2 * EDGE, TINY), of)
        for label, of in ((shown.route_label, shown.routes), (shown.city_label, shown.cities))
        if of
    ]
    lines = _strongest(board, shown)
    below = sum(BAR + LINE * (len(label) - 1) for label, _ in bars) + LINE * len(lines) + 6
    about = f"{board.name} · {RECONSTRUCTION}" if board.status == "reconstruction" else board.name
    ax = page(None, title, about, note, (tall + below) / 72)
    figure = ax.figure.figure
    whole = 72 * figure.get_figheight()
    engine = figure.get_layout_engine()
    assert isinstance(engine, Margins)
    top = 1 - 72 * engine.above / whole
    figure.set_layout_engine("none")
    left = EDGE / NARROW
    ax.set_position((left, top - tall / whole, 1 - 2 * left, tall / whole))
    ax.set(xlim=(0, layout.width), ylim=(layout.height, 0), xticks=[], yticks=[])
    ax.set_axis_off()
    ax.add_artist(Rectangle((0, 0), layout.width, layout.height, fc=paint.map, ec=paint.frame, lw=0.8, zorder=0))
    _draw_routes(ax, board, layout, shown.routes, paint)
    _draw_cities(ax, layout, shown, paint)
    grown = NAME_SIZE / TINY  # names are placed where they have NAME_SIZE
    _write_names(ax, board, layout, shown, (unit * grown, stretch * unit * grown), paint)
    down = 16.0
    for label, of in bars:
        for line in label:
            _write_below(ax, line, 0, down, paint.faint)
            down += LINE
        _draw_bar(ax, of, down, paint)
        down += BAR - LINE
    for words in lines:
        ax.annotate(words, (0, 0), (0, -down + 4), "axes fraction", "offset points", size=SMALL, color=paint.ink)
        down += LINE
    return ax


def _draw_routes(ax: Axes, board: Board, layout: Layout, of: Scaled | None, paint: Theme) -> None:
    """Draw each car as a stretch of a line, in its colour on a wider one, the strongest last."""
    together = list(zip(board.routes, layout.cars, strict=True))
    rails = [[layout.cities[r.a], *((c.x, c.y) for c in cars), layout.cities[r.b]] for r, cars in together]
    _draw_lines(ax, rails, paint.rail, 0.6, 1)
    styles: dict[tuple[float, str], list[Floats]] = {}
    for i, (_, cars) in enumerate(together):
        known = of is not None and bool(np.isfinite(of.values[i]))
        share, colour = (of.share(i), of.colour(i)) if of is not None and known else (0.0, paint.pale)
        styles.setdefault((round(share, 1), colour), []).extend(_middle_line(car) for car in cars)
    for place, ((share, colour), segments) in enumerate(sorted(styles.items())):
        wide = CAR[0] + share * (CAR[1] - CAR[0])
        edge = paint.pale_edge if colour == paint.pale else paint.edge
        for ink, line, above in ((edge, wide + 0.9, 0.0), (colour, wide, 0.005)):
            _draw_lines(ax, segments, ink, line, 2 + 0.01 * place + above)


def _draw_lines(ax: Axes, lines: Sequence[Any], colour: str, wide: float, zorder: float) -> None:
    """Draw lines through points, all as one."""
    path = Path.make_compound_path(*[Path(line) for line in lines])
    how = {"facecolor": "none", "edgecolor": colour, "linewidth": wide, "zorder": zorder, "capstyle": "butt"}
    ax.add_artist(PathPatch(path, clip_on=False, **how))


def _middle_line(car: Car) -> Floats:
    """Return the ends of the line along the middle of a car."""
    corners = car.corners()
    return np.array([(corners[0] + corners[3]) / 2, (corners[1] + corners[2]) / 2])


def _draw_cities(ax: Axes, layout: Layout, shown: BoardValues, paint: Theme) -> None:
    of = shown.cities
    for i, (x, y) in enumerate(layout.cities):
        known = of is not None and bool(np.isfinite(of.values[i]))
        face = of.colour(i) if of is not None and known else paint.city
        radius = CITY[0] + (CITY[1] - CITY[0]) * of.share(i) if of is not None and known else CITY[0]
        ax.plot(x, y, "o", ms=2 * radius, mfc=face, mec=paint.city_rim, mew=0.8, zorder=5, clip_on=False)
        if i in shown.marked:
            ax.plot(x, y, "o", ms=11, mfc="none", mec=paint.city_rim, mew=1.6, zorder=5.1, clip_on=False)


def _write_names(ax: Axes, board: Board, layout: Layout, shown: BoardValues, units: Units, paint: Theme) -> None:
    """Write the names that have room, those of the strongest places first."""
    width, height = layout.width * units[0], layout.height * units[1]
    names = _placed_names(board.cities, layout, units)
    kept: list[Label] = []
    ground = {"boxstyle": "square,pad=0.06", "fc": paint.map, "ec": "none", "alpha": 0.75}
    for i in sorted(range(len(names)), key=lambda city: -_priority(board, shown, city)):
        label = names[i]
        x0, y0, x1, y1 = label.box
        inside = x0 > 0 and y0 > 0 and x1 < width and y1 < height
        if inside and not any(_overlap(label, other) for other in kept):
            kept.append(label)
            for text, (x, y) in zip(label.lines, label.baselines(), strict=True):
                ax.text(
                    x / units[0], y / units[1], text, size=TINY, color=paint.ink, ha="center", zorder=6, bbox=ground
                )


@lru_cache(maxsize=16)
def _placed_names(cities: tuple[City, ...], layout: Layout, units: Units) -> list[Label]:
    """Choose where each city's name would stand; the same for all pictures of a board."""
    points = np.array(layout.cities) * units
    raster = Raster(layout.width * units[0], layout.height * units[1], 3.0, outside=9.0)
    for cars in layout.cars:
        ends = np.array([_middle_line(car) for car in cars])
        along = np.concatenate(np.linspace(ends[:, 0], ends[:, 1], POINTS)) * units
        raster.add(np.unique(raster.cells(along[:, 0], along[:, 1])), ON_TRACK)
    for x, y in points:
        raster.add_disc(x, y, 5.0, ON_CITY)
    return choose([places(c.name, points[c.index], c.label) for c in cities], points, raster, 1.0)


def _priority(board: Board, shown: BoardValues, city: int) -> float:
    """Return how much a name is wanted."""
    if city in shown.marked:
        return 9.0
    if shown.cities and np.isfinite(shown.cities.values[city]):
        return shown.cities.share(city)
    touching = [i for i, route in enumerate(board.routes) if city in (route.a, route.b)]
    of = shown.routes
    known = [of.share(i) for i in touching if of and np.isfinite(of.values[i])] if of else []
    return max(known, default=0.0)


def _overlap(one: Label, other: Label) -> bool:
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = one.box, other.box
    return ax0 < bx1 and bx0 < ax1 and ay0 < by1 and by0 < ay1


def _write_below(ax: Axes, text: str, x: float, down: float, colour: str) -> None:
    """Write a line `down` points beneath the map."""
    ax.annotate(text, (0, 0), (x, -down), "axes fraction", "offset points", size=TINY, color=colour)


def _draw_bar(ax: Axes, of: Scaled, down: float, paint: Theme) -> None:
    """Draw a scale of colours `down` points beneath the map."""
    across = 72 * (NARROW - 2 * EDGE)
    tall = ax.get_position().height * 72 * ax.figure.figure.get_figheight()
    inset = ax.inset_axes((0, -down / tall, 0.62, 7 / tall))
    steps = of.scale.steps
    for i, colour in enumerate(steps):
        inset.add_patch(Rectangle((i, 0), 1, 1, fc=colour, ec="none"))
    inset.set(xlim=(0, len(steps)), ylim=(0, 1), xticks=[], yticks=[])
    for spine in inset.spines.values():
        spine.set(visible=True, edgecolor=paint.frame)
    low, high = (of.written(end) for end in (of.scale.low, of.scale.high))
    _write_below(ax, f"{low} to {high}", 0.65 * across, down - 1, paint.ink)


def _strongest(board: Board, shown: BoardValues) -> list[str]:
    """Say in words which routes or cities have the strongest values."""
    of = shown.routes or shown.cities
    if of is None:
        return []
    names = [board.route_name(r) for r in board.routes] if shown.routes else [city.name for city in board.cities]
    known = [i for i in range(len(names)) if np.isfinite(of.values[i]) and not of.unsure[i]]
    first = sorted(known, key=lambda i: -of.share(i))[:LISTED]
    return [f"{of.written(of.values[i])}  {names[i]}" for i in first]

"""The geometry of a board's picture, without drawing anything: cars, cities and names.

`lay_out(board)` is a pure function; whatever draws a board (matplotlib, an SVG in a page) draws this.
"""

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from ttrsim.boards.board import Board, City, Route
from ttrsim.plots import labels
from ttrsim.plots.labels import CELL, Label, Raster
from ttrsim.plots.track import CAR_WIDTH, CITY_RADIUS, END, Car, Floats, Shapes, shapes

PIXELS = 1200  # width of the picture
SIDE, ABOVE = 62.0, 46.0  # pixels between the outermost city and the edge of the map, for names and bows
FRAME = 18.0  # pixels kept free along the edges
SPACE = 42.0  # length of a typical space; sets how large cars and names are on the picture
ZOOM = (0.7, 1.4)  # least and greatest size of a layout unit, in pixels
LARGEST_SPACE = 72.0  # a typical space of a small board is not drawn longer than this
FLATTEST, TALLEST = 0.35, 1.25  # least and greatest height of the map, in widths

BENDS = np.array([0, 0.03, -0.03, 0.06, -0.06, 0.09, -0.09, 0.13, -0.13, 0.18, -0.18, 0.24, -0.24, 0.31, -0.31])
TRIMS = np.array([0.0, 4.0, 9.0, 15.0, 22.0])
SHORT_CAR = 19.0  # cars shorter than this are avoided
SWEEPS = 4  # over all connections, at most: two may drive each other to and fro
HARDNESS = (0.2, 0.4, 0.8, 1.5, 2.5, 4.0, 6.0)  # of an overlap of name and track, round by round


@dataclass(frozen=True)
class Layout:
    """The positions of everything on a board, in units of which the picture is `width` wide; y goes down."""

    width: float
    height: float
    cars: tuple[tuple[Car, ...], ...]  # by route, from its first city to its second
    cities: tuple[tuple[float, float], ...]  # by city
    city_radius: float
    labels: tuple[Label, ...]  # by city


def lay_out(board: Board) -> Layout:
    """Return the geometry of a board; all its variants have the same.

    >>> layout = lay_out(load_board("usa"))
    >>> [len(cars) for cars in layout.cars[:2]]
    [2, 5]
    """
    return _lay_out(board.cities, board.routes)


@lru_cache(maxsize=16)
def _lay_out(cities: tuple[City, ...], routes: tuple[Route, ...]) -> Layout:
    connections = [tuple(group) for _, group in groupby(routes, key=lambda r: r.connection)]
    width, height, points = _placed(cities, connections)
    ways = [_ways(c, points) for c in connections]
    options = [labels.places(c.name, points[c.index], c.label) for c in cities]
    raster = Raster(width, height, FRAME * width / PIXELS, outside=3.0)
    for x, y in points:
        raster.add_disc(x, y, CITY_RADIUS + 2, 3.0)
    tracks = Tracks(ways, [points[[c[0].a, c[0].b]] for c in connections], raster)
    tracks.settle()
    for weight in HARDNESS:
        names = labels.choose(options, points, raster, weight)
        for name in names:
            raster.add_box(name.box, 2.0, weight)
        tracks.settle()
        for name in names:
            raster.add_box(name.box, 2.0, -weight)
    names = labels.choose(options, points, raster, HARDNESS[-1])
    by_route = [cars for shape, way in zip(tracks.shapes, tracks.chosen, strict=True) for cars in shape.cars(way)]
    return Layout(
        width, height, tuple(by_route), tuple((float(x), float(y)) for x, y in points), CITY_RADIUS, tuple(names)
    )


def _placed(cities: tuple[City, ...], connections: list[tuple[Route, ...]]) -> tuple[float, float, Floats]:
    """Return the width and height of the map in layout units, and the places of the cities."""
    raw = np.array([(c.x, c.y) for c in cities], dtype=float)
    low, size = raw.min(axis=0), np.ptp(raw, axis=0)
    ends = np.array([(c[0].a, c[0].b) for c in connections])
    spaces = np.array([c[0].length for c in connections])
    pitch = float(np.median(np.hypot(*(raw[ends[:, 0]] - raw[ends[:, 1]]).T) / spaces))
    # pixels for each unit of the board file, then units of the layout for each pixel
    scale = min((PIXELS - 2 * SIDE) / max(size[0], 1e-9), PIXELS * TALLEST / max(size[1], 1e-9))
    zoom = float(np.clip(pitch * scale / SPACE, *ZOOM))
    scale = min(scale, LARGEST_SPACE * zoom / pitch) / zoom
    width = float(PIXELS / zoom)
    height = max(size[1] * scale + 2 * ABOVE / zoom, FLATTEST * width)
    points = (raw - low - size / 2) * scale + (width / 2, height / 2)
    return width, float(height), points


def _ways(tracks: tuple[Route, ...], points: Floats) -> tuple[Shapes, Floats]:
    """Return all ways to draw a connection, with the cost of each on its own."""
    first = tracks[0]
    bends = np.array([first.bend]) if first.bend else BENDS
    bend, start, end = (v.ravel() for v in np.meshgrid(bends, TRIMS, TRIMS, indexing="ij"))
    made = shapes(points[first.a], points[first.b], first.length, len(tracks), bend, END + start, END + end)
    short = np.maximum(0, SHORT_CAR - made.length.min(axis=(1, 2))) ** 2 * first.length
    return made, 1500 * bend**2 + 30 * np.abs(bend) + 1.1 * (start + end) + 0.3 * np.abs(start - end) + short


class Tracks:
    """The connections as drawn so far, each improved in view of the others."""

    def __init__(self, ways: list[tuple[Shapes, Floats]], ends: list[Floats], raster: Raster) -> None:
        self.shapes = [shape for shape, _ in ways]
        self.costs = [cost for _, cost in ways]
        self.ends = ends
        self.raster = raster
        self.cells = [raster.cells(*shape.samples(9, 5, grow=1.5)) for shape in self.shapes]
        self.chosen = [int(cost.argmin()) for cost in self.costs]
        self.marked = [self._marks(i) for i in range(len(ways))]
        for i in range(len(ways)):
            self._mark(i, 1)

    def settle(self) -> None:
        """Redraw each connection in its best way until nothing changes, or for SWEEPS rounds."""
        for _ in range(SWEEPS):
            before = list(self.chosen)
            for i, cells in enumerate(self.cells):
                self._mark(i, -1)
                area = self.shapes[i].length.sum(axis=(1, 2)) * self.shapes[i].x.shape[2] * CAR_WIDTH
                best = int((self.raster.at(cells).mean(axis=1) * area + self.costs[i]).argmin())
                if best != self.chosen[i]:
                    self.chosen[i] = best
                    self.marked[i] = self._marks(i)
                self._mark(i, 1)
            if self.chosen == before:
                return

    def _mark(self, i: int, sign: int) -> None:
        for cells, weight in self.marked[i]:
            self.raster.add(cells, sign * weight)

    def _marks(self, i: int) -> list[tuple[NDArray[np.int64], float]]:
        """Return the cells that the connection covers, with the cost of sharing them."""
        return [(self._body(i, 1), 3.0), (self._body(i, 4), 0.4), (self._rails(i), 0.2)]

    def _body(self, i: int, grow: float) -> NDArray[np.int64]:
        """Return the cells of the cars."""
        s, way = self.shapes[i], slice(self.chosen[i], self.chosen[i] + 1)
        one = Shapes(s.x[way], s.y[way], s.angle[way], s.length[way])
        length = float(one.length.max()) + 2 * grow
        steps = int(length / (CELL * 0.7)) + 2
        return np.unique(self.raster.cells(*one.samples(steps, int((CAR_WIDTH + 2 * grow) / (CELL * 0.7)) + 2, grow)))

    def _rails(self, i: int) -> NDArray[np.int64]:
        """Return the cells between the cities and the first and last cars."""
        s, way = self.shapes[i], self.chosen[i]
        share = np.linspace(0, 1, 16)[:, None]
        cells = []
        for city, space in zip(self.ends[i], (0, -1), strict=True):
            x, y = s.x[way, :, space], s.y[way, :, space]
            cells.append(self.raster.cells(city[0] + share * (x - city[0]), city[1] + share * (y - city[1])))
        return np.unique(np.concatenate(cells))

"""Place the names of cities: the best of many places around each city, overlapping nothing else."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path
from numpy.typing import NDArray

from ttrsim.plots.track import CITY_RADIUS, Floats

CELL = 2.0
RIM = 60  # cells around the picture, so that nothing falls off the grid


class Raster:
    """A grid of cells, each with a weight for how much is in the way there."""

    def __init__(self, width: float, height: float, frame: float, outside: float) -> None:
        rows, columns = int(height / CELL) + 1, int(width / CELL) + 1
        self.grid = np.full((rows + 2 * RIM, columns + 2 * RIM), outside, dtype=np.float32)
        edge = RIM + math.ceil(frame / CELL)
        self.grid[edge:-edge, edge:-edge] = 0

    def cells(self, x: Floats, y: Floats) -> NDArray[np.int64]:
        """Return the flat indices of the cells of points; a point outside the grid counts as the outermost cell."""
        rows, columns = self.grid.shape
        i = np.clip(np.floor(y / CELL).astype(np.int64) + RIM, 0, rows - 1)
        j = np.clip(np.floor(x / CELL).astype(np.int64) + RIM, 0, columns - 1)
        return i * columns + j

    def add(self, cells: NDArray[np.int64], weight: float) -> None:
        """Add a weight to cells, each of which is listed once."""
        self.grid.reshape(-1)[cells] += weight

    def add_disc(self, x: float, y: float, radius: float, weight: float) -> None:
        """Add a weight to each cell that a disc touches."""
        u = np.arange(-radius, radius + CELL / 2, CELL / 2)
        dx, dy = np.meshgrid(u, u)
        inside = dx**2 + dy**2 <= radius**2
        self.add(np.unique(self.cells(x + dx[inside], y + dy[inside])), weight)

    def add_box(self, box: tuple[float, float, float, float], grow: float, weight: float) -> None:
        """Add a weight to each cell that a box (x0, y0, x1, y1) touches once its sides are moved out by `grow`."""
        x0, y0, x1, y1 = box
        x, y = np.meshgrid(np.arange(x0 - grow, x1 + grow, CELL / 2), np.arange(y0 - grow, y1 + grow, CELL / 2))
        self.add(np.unique(self.cells(x.ravel(), y.ravel())), weight)

    def at(self, cells: NDArray[np.int64]) -> NDArray[np.float32]:
        """Return the weight of each of these cells."""
        return self.grid.take(cells)

    def in_boxes(self, boxes: Floats) -> Floats:
        """Sum the cells that each box touches; boxes are rows of x0, y0, x1, y1."""
        total = np.zeros((self.grid.shape[0] + 1, self.grid.shape[1] + 1))
        total[1:, 1:] = self.grid.cumsum(0, dtype=np.float64).cumsum(1)
        x0, y0, x1, y1 = np.floor(boxes / CELL).astype(np.int64).T + RIM
        rows, columns = self.grid.shape
        x0, x1 = np.clip(x0, 0, columns - 1), np.clip(x1, 0, columns - 1) + 1
        y0, y1 = np.clip(y0, 0, rows - 1), np.clip(y1, 0, rows - 1) + 1
        sums: Floats = total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0]
        return sums


FONT = "DejaVu Sans"  # comes with matplotlib, so the widths are the same everywhere
NAME_SIZE = 11.0
LINE = 1.1  # from one baseline to the next, in sizes
ASCENT, DESCENT = 0.77, 0.23  # of a line, in sizes

DISTANCES = (1.5, 4.0, 7.0, 10.5, 14.0)  # from the dot's rim to the name
SLIDES = np.linspace(-1, 1, 11)  # along a side of the dot
SIDEWAYS = 0.35  # a slide beyond this is a corner
APART = 2.0  # at least between two names
SWEEPS = 8  # over all names, at most: two may drive each other to and fro


@dataclass(frozen=True, slots=True)
class Label:
    """A city's name and where it is written: centred lines of equal height in a box."""

    lines: tuple[str, ...]
    box: tuple[float, float, float, float]  # x0, y0, x1, y1; y down
    size: float

    def baselines(self) -> tuple[tuple[float, float], ...]:
        """Return x of the middle and y of the baseline of each line."""
        x = (self.box[0] + self.box[2]) / 2
        return tuple((x, self.box[1] + self.size * (ASCENT + LINE * i)) for i in range(len(self.lines)))


@dataclass(frozen=True, slots=True)
class NamePlaces:
    """All places that a name may take, one per row."""

    boxes: Floats  # (places, 4)
    lines: tuple[tuple[str, ...], ...]
    dislike: Floats  # (places,)


def text_width(text: str, size: float, weight: str = "normal") -> float:
    """Return the width of a line of text, in the unit of the size."""
    return size * _extent(text, (FONT,), weight, "normal")[0]


def text_extent(text: str, font: FontProperties) -> tuple[float, float, float]:
    """Return the width, height and descent of a line of text in points."""
    size = font.get_size_in_points()
    width, height, descent = _extent(text, tuple(font.get_family()), font.get_weight(), font.get_style())
    return size * width, size * height, size * descent


@lru_cache(maxsize=1 << 14)
def _extent(text: str, family: tuple[str, ...], weight: str | int, style: Any) -> tuple[float, float, float]:
    """Measure a line of text of size 1."""
    font = FontProperties(family=list(family), size=100, weight=weight, style=style)
    width, height, descent = text_to_path.get_text_width_height_descent(text, font, False)
    return width / 100, height / 100, descent / 100


def wrapped(name: str) -> list[tuple[str, ...]]:
    """Return the ways to write a name: on one line, and on two lines of similar length."""
    words = name.split(" ")
    if len(words) == 1:
        return [(name,)]
    breaks = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return [(name,), min(breaks, key=lambda two: max(map(len, two)))]


def places(name: str, city: Floats, side: str) -> NamePlaces:
    """Return the places around a city where its name may stand, on one side only if `side` names it."""
    x, y = city
    boxes, lines, dislike = [], [], []
    for text in wrapped(name):
        w = max(text_width(line, NAME_SIZE) for line in text) + 1
        h = NAME_SIZE * (ASCENT + DESCENT + LINE * (len(text) - 1))
        for d in DISTANCES:
            for slide in SLIDES:
                for edge in "EWNS":
                    where = _side(edge, slide)
                    if side and where != side:
                        continue
                    cx, cy = _middle(edge, slide, w, h, CITY_RADIUS + d)
                    boxes.append((x + cx - w / 2, y + cy - h / 2, x + cx + w / 2, y + cy + h / 2))
                    lines.append(text)
                    dislike.append(1.5 * len(text) + DISLIKE[where] + 2 * (abs(slide) % SIDEWAYS))
    return NamePlaces(np.array(boxes), tuple(lines), np.array(dislike))


DISLIKE = {"E": 0.0, "N": 1.0, "S": 1.0, "W": 1.0, "NE": 1.5, "SE": 1.5, "NW": 2.0, "SW": 2.0}


def _side(edge: str, slide: float) -> str:
    if abs(slide) <= SIDEWAYS:
        return edge
    if edge in "EW":
        return ("N" if slide < 0 else "S") + edge
    return edge + ("W" if slide < 0 else "E")


def _middle(edge: str, slide: float, w: float, h: float, away: float) -> tuple[float, float]:
    """Return the middle of a box beside the city, whose near edge is `away` from the city's middle."""
    across = -1 if edge in "WN" else 1
    if edge in "EW":
        return across * (away + w / 2), slide * (away + h / 2)
    return slide * (away + w / 2), across * (away + h / 2)


def choose(options: Sequence[NamePlaces], cities: Floats, raster: Raster, weight: float) -> list[Label]:
    """Choose a place for each name: clear of other things, near its own city and not read as another's."""
    blocked = weight * CELL**2 * raster.in_boxes(np.concatenate([p.boxes for p in options]))
    each = np.split(blocked, np.cumsum([len(p.boxes) for p in options])[:-1])
    costs = [_fixed_cost(i, p, cities, b) for i, (p, b) in enumerate(zip(options, each, strict=True))]
    chosen = [int(c.argmin()) for c in costs]
    boxes = np.array([p.boxes[k] for p, k in zip(options, chosen, strict=True)])
    for _ in range(SWEEPS):
        before = list(chosen)
        for i, p in enumerate(options):
            others = np.delete(boxes, i, axis=0)
            chosen[i] = int((costs[i] + 2 * _overlaps(p.boxes, others)).argmin())
            boxes[i] = p.boxes[chosen[i]]
        if chosen == before:
            break
    return [Label(p.lines[k], tuple(p.boxes[k].tolist()), NAME_SIZE) for p, k in zip(options, chosen, strict=True)]


def _fixed_cost(i: int, p: NamePlaces, cities: Floats, blocked: Floats) -> Floats:
    x0, y0, x1, y1 = (p.boxes[:, None, k] for k in range(4))
    dx = np.maximum(np.maximum(x0 - cities[:, 0], cities[:, 0] - x1), 0)
    dy = np.maximum(np.maximum(y0 - cities[:, 1], cities[:, 1] - y1), 0)
    distance = np.hypot(dx, dy)
    own = distance[:, i].copy()
    distance[:, i] = np.inf
    confusing = np.maximum(0, own + 12 - distance.min(axis=1))
    return np.asarray(blocked + p.dislike + 1.5 * own + 2 * confusing)


def _overlaps(boxes: Floats, others: Floats) -> Floats:
    """Return the area that each box shares with the others, all grown a little to keep names apart."""
    w = np.minimum(boxes[:, None, 2], others[:, 2]) - np.maximum(boxes[:, None, 0], others[:, 0]) + APART
    h = np.minimum(boxes[:, None, 3], others[:, 3]) - np.maximum(boxes[:, None, 1], others[:, 1]) + APART
    return np.asarray((np.maximum(w, 0) * np.maximum(h, 0)).sum(axis=1))

"""What already lies where on the picture: a grid of cells that tracks and names look up before they take a place."""

import math

import numpy as np
from numpy.typing import NDArray

from ttrsim.plots.track import Floats

CELL = 2.0
RIM = 60  # cells around the picture, so that nothing falls off the grid


class Raster:
    """How much stands in the way in each cell."""

    def __init__(self, width: float, height: float, frame: float, outside: float) -> None:
        rows, columns = int(height / CELL) + 1, int(width / CELL) + 1
        self.grid = np.full((rows + 2 * RIM, columns + 2 * RIM), outside, dtype=np.float32)
        edge = RIM + math.ceil(frame / CELL)
        self.grid[edge:-edge, edge:-edge] = 0

    def cells(self, x: Floats, y: Floats) -> NDArray[np.int64]:
        """Flat indices of the cells of these points; far outside counts as the outermost cell."""
        rows, columns = self.grid.shape
        i = np.clip(np.floor(y / CELL).astype(np.int64) + RIM, 0, rows - 1)
        j = np.clip(np.floor(x / CELL).astype(np.int64) + RIM, 0, columns - 1)
        return i * columns + j

    def add(self, cells: NDArray[np.int64], weight: float) -> None:
        """Weight on each of these cells, which are named once each."""
        self.grid.reshape(-1)[cells] += weight

    def add_disc(self, x: float, y: float, radius: float, weight: float) -> None:
        """Weight on each cell that a disc touches."""
        u = np.arange(-radius, radius + CELL / 2, CELL / 2)
        dx, dy = np.meshgrid(u, u)
        inside = dx**2 + dy**2 <= radius**2
        self.add(np.unique(self.cells(x + dx[inside], y + dy[inside])), weight)

    def add_box(self, box: tuple[float, float, float, float], grow: float, weight: float) -> None:
        """Weight on each cell that a box touches whose sides are `grow` further out; box: x0, y0, x1, y1."""
        x0, y0, x1, y1 = box
        x, y = np.meshgrid(np.arange(x0 - grow, x1 + grow, CELL / 2), np.arange(y0 - grow, y1 + grow, CELL / 2))
        self.add(np.unique(self.cells(x.ravel(), y.ravel())), weight)

    def at(self, cells: NDArray[np.int64]) -> NDArray[np.float32]:
        """What stands in the way in each of these cells."""
        return self.grid.reshape(-1)[cells]

    def in_boxes(self, boxes: Floats) -> Floats:
        """The sum of all cells that each box touches; boxes are rows of x0, y0, x1, y1."""
        total = np.zeros((self.grid.shape[0] + 1, self.grid.shape[1] + 1))
        total[1:, 1:] = self.grid.cumsum(0, dtype=np.float64).cumsum(1)
        x0, y0, x1, y1 = np.floor(boxes / CELL).astype(np.int64).T + RIM
        rows, columns = self.grid.shape
        x0, x1 = np.clip(x0, 0, columns - 1), np.clip(x1, 0, columns - 1) + 1
        y0, y1 = np.clip(y0, 0, rows - 1), np.clip(y1, 0, rows - 1) + 1
        sums: Floats = total[y1, x1] - total[y0, x1] - total[y1, x0] + total[y0, x0]
        return sums

"""Place the cars of a connection: parallel circular arcs between two cities, cut into spaces.

Units are those of the layout: a car is `CAR_WIDTH` wide on every board. x goes right and y down.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

CITY_RADIUS = 7.0
CAR_WIDTH = 12.0
TRACK_SPACING = 14.0  # from the middle of one parallel track to the next
LONGEST_CAR = 46.0
GAP = 2.6  # between two cars of a route
END = CITY_RADIUS + 4.0  # from the middle of a city to the first car, at least
MOST_FREE = 0.6  # of a track may be free of cars, however near the cities are
STRAIGHTEST = 1e-4  # a straight track is drawn as an arc of this bend, which nobody can see


class Car(NamedTuple):
    """One space of a route: a rectangle about its middle."""

    x: float
    y: float
    angle: float  # degrees, clockwise, 0 along x; between -90 and 90, so that writing on it stands upright
    length: float
    width: float

    def corners(self, grow: float = 0.0) -> Floats:
        """Return the four corners in order, shape (4, 2), with each side moved out by `grow`."""
        along, across = self.length / 2 + grow, self.width / 2 + grow
        c, s = np.cos(np.radians(self.angle)), np.sin(np.radians(self.angle))
        turn = np.array([[c, s], [-s, c]])
        box = np.array([[-along, -across], [along, -across], [along, across], [-along, across]])
        moved: Floats = box @ turn + (self.x, self.y)
        return moved


@dataclass(frozen=True, slots=True)
class Shapes:
    """Several ways to draw one connection; the axes are ways, tracks and spaces."""

    x: Floats  # (ways, tracks, spaces)
    y: Floats  # (ways, tracks, spaces)
    angle: Floats  # (ways, 1, spaces), radians
    length: Floats  # (ways, tracks, 1) of each car

    def samples(self, along: int, across: int, grow: float = 0.0) -> tuple[Floats, Floats]:
        """Return x and y, each (ways, points), of a grid of points that covers every car."""
        u = np.linspace(-0.5, 0.5, along)[:, None] * (self.length + 2 * grow)[..., None, None]
        v = np.linspace(-0.5, 0.5, across)[None, :] * (CAR_WIDTH + 2 * grow)
        c, s = np.cos(self.angle)[..., None, None], np.sin(self.angle)[..., None, None]
        x = self.x[..., None, None] + u * c - v * s
        y = self.y[..., None, None] + u * s + v * c
        return x.reshape(len(x), -1), y.reshape(len(y), -1)

    def cars(self, way: int) -> tuple[tuple[Car, ...], ...]:
        """Return the cars of each track, drawn in this way."""
        tracks, spaces = self.x.shape[1:]
        upright = (np.degrees(self.angle[way, 0]) + 90) % 180 - 90
        return tuple(
            tuple(
                Car(
                    float(self.x[way, k, i]),
                    float(self.y[way, k, i]),
                    float(upright[i]),
                    float(self.length[way, k, 0]),
                    CAR_WIDTH,
                )
                for i in range(spaces)
            )
            for k in range(tracks)
        )


def shapes(a: Floats, b: Floats, spaces: int, tracks: int, bends: Floats, starts: Floats, ends: Floats) -> Shapes:
    """Return a connection from `a` to `b` drawn in each of several ways.

    A way is a bend (the bow as a fraction of the distance; positive is to the left of somebody who
    goes from `a` to `b`) and the free stretches at the start and at the end, less where there is no room.
    """
    chord = float(np.hypot(*(b - a)))
    bends = np.where(np.abs(bends) < STRAIGHTEST, STRAIGHTEST, bends)[:, None, None]
    half = 2 * np.arctan(2 * bends)  # half the angle of the arc, signed
    radius = chord / (2 * np.sin(half))
    arc = 2 * half * radius
    room = np.minimum(1, MOST_FREE * arc / (starts + ends)[:, None, None])
    starts, ends = starts[:, None, None] * room, ends[:, None, None] * room
    pitch = (arc - starts - ends) / spaces
    turn = -half + (starts + pitch * (np.arange(spaces) + 0.5)) / radius
    offset = TRACK_SPACING * ((tracks - 1) / 2 - np.arange(tracks))[None, :, None]
    along = (radius + offset) * np.sin(turn)
    across = bends * chord - radius + (radius + offset) * np.cos(turn)
    own_pitch = pitch * (1 + offset / radius)
    length = np.minimum(own_pitch - np.minimum(GAP, 0.15 * own_pitch), LONGEST_CAR)
    (ex, ey), middle = (b - a) / chord, (a + b) / 2
    x = middle[0] + along * ex + across * ey
    y = middle[1] + along * ey - across * ex
    return Shapes(x, y, np.arctan2(ey, ex) + turn, length)

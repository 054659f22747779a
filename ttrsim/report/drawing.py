"""The picture of a board as numbers for a page to draw, with the same geometry as all other pictures of it."""

from dataclasses import dataclass

from matplotlib.path import Path

from ttrsim.boards import Board
from ttrsim.formatting import counted
from ttrsim.plots.labels import Label
from ttrsim.plots.layout import lay_out
from ttrsim.plots.marks import IN_TUNNEL, unmarked
from ttrsim.plots.pen import marker
from ttrsim.plots.track import Car
from ttrsim.words import plural

MARK = 3.6  # radius of a seat's mark on a car


@dataclass(frozen=True)
class Track:
    """One route of the picture."""

    words: str  # its name and what it costs
    rail: list[tuple[float, float]]  # points of the line from city to city
    spaces: list[Car]  # of a tunnel the frames
    cars: list[Car]
    wheels: list[Car]  # the cars of a ferry that need a wild card
    paint: str  # of an unclaimed car; "" for gray
    letter: str  # of its colour; "" for gray


@dataclass(frozen=True)
class Drawing:
    """A board's picture; y goes down."""

    width: float
    height: float
    tracks: list[Track]  # by route
    cities: list[tuple[float, float]]  # by city
    labels: list[Label]  # by city


def draw(board: Board) -> Drawing:
    """Return the picture of a board."""
    layout = lay_out(board)
    tracks = []
    for route, spaces in zip(board.routes, layout.cars, strict=True):
        ends = layout.cities[route.a], layout.cities[route.b]
        inset = 2 * IN_TUNNEL if route.tunnel else 0
        cars = [car._replace(length=car.length - inset, width=car.width - inset) for car in spaces]
        bare = unmarked(cars, route.ferry)
        colour = None if route.colour is None else board.colours[route.colour]
        tracks.append(
            Track(
                words=_route_words(board, route.index),
                rail=[ends[0], *((car.x, car.y) for car in cars), ends[1]],
                spaces=[*spaces] if route.tunnel else [],
                cars=cars,
                wheels=[car for car in cars if car not in bare],
                paint=colour.paint if colour else "",
                letter=colour.letter if colour else "",
            )
        )
    return Drawing(layout.width, layout.height, tracks, list(layout.cities), list(layout.labels))


def _route_words(board: Board, route: int) -> str:
    """`Duluth–Omaha (gray, track 1), 2 trains` or `Denver–Phoenix, 5 trains, gray`."""
    r = board.routes[route]
    words = [board.route_name(route), counted(r.length, "train")]
    if len(board.connections[r.connection]) == 1:
        words.append(board.colour_name(r.colour))
    if r.tunnel:
        words.append("tunnel")
    if r.ferry:
        words.append(f"ferry: {r.ferry} {board.wild_name if r.ferry == 1 else plural(board.wild_name)}")
    return ", ".join(words)


def mark_path(kind: str) -> str:
    """Return one of matplotlib's markers, centred on (0, 0), as the `d` of an SVG path."""
    letters = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}
    parts = []
    for points, code in marker(kind, 0, 0, MARK).iter_segments():
        parts.append(letters[code] + ("" if code == Path.CLOSEPOLY else " ".join(f"{v:.2f}" for v in points)))
    return "".join(parts)

"""The picture of a board: its routes, and what is known of them by colour, width and number."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from ttrsim.boards.board import Board
from ttrsim.formatting import seat_name
from ttrsim.plots import legend
from ttrsim.plots.labels import text_width
from ttrsim.plots.layout import PIXELS, Layout, lay_out
from ttrsim.plots.narrow_board import RECONSTRUCTION, BoardValues, draw_narrow_board
from ttrsim.plots.pen import (
    IN_TUNNEL,
    CarStyle,
    Pen,
    disc,
    draw_cars,
    draw_ferry,
    draw_tunnel,
    mixed,
    unmarked,
    write_on,
)
from ttrsim.plots.saving import save
from ttrsim.plots.style import Picture, is_narrow
from ttrsim.plots.theme import SEAT_MARKS, SEATS, THEMES, Scaled, Scaling, Strong, Theme, scaled
from ttrsim.plots.track import Car

TITLE = 46.0  # height of the strip above the map, in pixels of a picture 1200 wide
FOOT = 8.0
DPI = 100
PRINTED = 12  # how many of the largest values are also written on their routes
VALUE_SIZE = 8.6
BESIDE = 3  # how many of them are written beside their routes if there is no room on the cars


def draw_board(
    board: Board,
    ax: Axes | None = None,
    *,
    letters: bool = False,
    routes: ArrayLike | None = None,
    cities: ArrayLike | None = None,
    route_label: str = "",
    city_label: str = "",
    route_low: float | None = None,
    strong: Strong = "high",
    routes_unsure: ArrayLike | None = None,
    cities_unsure: ArrayLike | None = None,
    owners: Sequence[int] | None = None,
    seats: Sequence[str] = (),
    marked: Sequence[int] = (),
    theme: str = "light",
    title: str = "",
    note: str = "",
) -> Axes:
    """Draw a board.

    - `ax`: where, and its size must be final; without it a figure 1200 pixels wide is made.
    - `letters`: write each colour's letter on its cars.
    - `routes`, `cities`: a value for each (NaN for none), shown by colour and by width or size, the strongest
      of the routes also in figures; `route_label` and `city_label` say what the values are; `route_low` is where the
      colours of routes begin, if not at the least value.
    - `strong`: which values have strong colours and wide cars: "high", "low", or "far" from 0, by their sign.
    - `routes_unsure`, `cities_unsure`: whether a value may as well be 0; such are grey.
    - `owners`: for each route the seat that claimed it, or -1; `seats` are their names.
    - `marked`: cities that are drawn as targets, larger than others.
    - `theme`: "light" or "dark".
    - `title`: beside the board's name, instead of its title; `note`: a line or two beneath the picture.

    >>> draw_board(load_board("usa"), routes=shares, route_label="share of games").figure.savefig("usa.png")
    """
    layout, paint = lay_out(board), THEMES[theme]
    of_routes = scaled(routes, len(board.routes), Scaling(strong, paint, route_low), routes_unsure)
    of_cities = scaled(cities, len(board.cities), Scaling(strong, paint), cities_unsure)
    if is_narrow() and ax is None and (of_routes or of_cities):
        shown = BoardValues(of_routes, of_cities, route_label, city_label, marked)
        return draw_narrow_board(board, shown, paint, title, note)
    rows = [legend.points_row(board)] if of_routes is None and of_cities is None else legend.marks_rows(board)
    if letters and not of_routes:
        rows.append(legend.letters_row(board))
    if owners is not None:
        rows.append(legend.seats_row(seats or [seat_name(i) for i in range(max(owners, default=-1) + 1)]))
    bars = ((route_label or "Routes", of_routes), (city_label or "Cities", of_cities))
    rows += legend.bars_rows([(label, of.scale) for label, of in bars if of])
    rows += legend.note_rows(note)

    unit = layout.width / PIXELS
    pen = _page(ax, layout, unit, sum(height for height, _ in rows), paint)
    _draw_title(pen, board, title, unit, paint)
    legend.draw_legend(pen, rows, paint, unit, layout.height / unit + 2)
    styles = _styles(board, of_routes, letters, owners, paint)
    if owners is None and of_cities and not of_routes:
        styles = [_quiet_style(paint)] * len(board.routes)  # or routes would outshine the cities
    _draw_routes(pen, board, layout, styles, paint)
    if of_routes:
        _print_values(pen, board, layout, of_routes, styles, paint)
    _draw_cities(pen, layout, of_cities, paint)
    _mark_cities(pen, layout, marked, paint)
    return pen.ax


def save_board(board: Board, path: str | Path, **options: Any) -> None:
    """Draw a board into a file, 1200 pixels wide: .png, .svg or .pdf, the last two with text as text.

    The options are those of `draw_board`. The same board and options always give the same bytes.
    """
    with mpl.rc_context(mpl.rcParamsDefault):
        save(draw_board(board, **options), path)


def _page(ax: Axes | None, layout: Layout, unit: float, rows: float, paint: Theme) -> Pen:
    """Draw the paper with the framed map and return a pen for it."""
    top, bottom = -TITLE * unit, layout.height + (rows + FOOT) * unit
    if ax is None:
        width = PIXELS / DPI
        ax = Figure((width, width * (bottom - top) / layout.width), DPI).add_axes((0, 0, 1, 1), axes_class=Picture)
    box = ax.get_position(original=True).transformed(ax.figure.transFigure - ax.figure.dpi_scale_trans)
    points = 72 * min(box.width / layout.width, box.height / (bottom - top))
    ax.set(xlim=(0, layout.width), ylim=(bottom, top), aspect="equal")
    ax.set_axis_off()
    pen = Pen(ax, float(points))
    edge = 14 * unit
    ax.add_artist(Rectangle((0, top), layout.width, bottom - top, color=paint.paper, zorder=0))
    sheet = (edge, 0), layout.width - 2 * edge, layout.height
    ax.add_artist(Rectangle(*sheet, fc=paint.map, ec=paint.frame, lw=1.2 * pen.points, zorder=0.1))
    return pen


def _draw_title(pen: Pen, board: Board, title: str, unit: float, paint: Theme) -> None:
    """Write the board's name, its title and any warning in one line, no wider than the picture."""
    left, right, gap = legend.LEFT, PIXELS - legend.LEFT, 16.0
    if board.status == "reconstruction":
        mark = RECONSTRUCTION.partition(":")[0] if title else RECONSTRUCTION  # or a finding would have no room
        pen.text(right * unit, -14 * unit, mark, 14 * unit, paint.warning, bold=True, ha="right")
        right -= text_width(mark, 14, "bold") + gap
    size = _fitting(board.name, 24, "bold", (right - left) * 0.6)
    pen.text(left * unit, -14 * unit, board.name, size * unit, paint.ink, bold=True)
    left += text_width(board.name, size, "bold") + gap
    text, size, colour = (title, 17.0, paint.ink) if title else (board.title, 12.5, paint.faint)
    pen.text(left * unit, -14 * unit, text, _fitting(text, size, "normal", right - left) * unit, colour)


def _fitting(text: str, size: float, weight: str, room: float) -> float:
    """Return the size, or a smaller one at which the text fits with some room to spare: pixels widen small writing."""
    return size * min(1, 0.85 * room / text_width(text, size, weight))


def _styles(
    board: Board, of_routes: Scaled | None, letters: bool, owners: Sequence[int] | None, paint: Theme
) -> list[CarStyle]:
    """Return how the cars of each route are drawn."""
    if of_routes:
        styles = [_value_style(of_routes, i, paint) for i in range(len(board.routes))]
    else:
        styles = [_plain_style(board, i, letters, paint) for i in range(len(board.routes))]
    if owners is None:
        return styles
    return [_owner_style(style, owner, paint) for style, owner in zip(styles, owners, strict=True)]


def _plain_style(board: Board, route: int, letters: bool, paint: Theme) -> CarStyle:
    wanted = board.routes[route].colour
    if wanted is None:
        return CarStyle(paint.gray, paint.edge)
    colour = board.colours[wanted]
    return CarStyle(colour.paint, paint.edge, text=colour.letter if letters else "")


def _value_style(of_routes: Scaled, route: int, paint: Theme) -> CarStyle:
    if not np.isfinite(of_routes.values[route]):
        return CarStyle(paint.map, paint.rail, 0.4, frame=paint.rail)
    return CarStyle(of_routes.colour(route), paint.edge, 0.4 + 0.6 * of_routes.share(route), frame=paint.rail)


def _quiet_style(paint: Theme) -> CarStyle:
    return CarStyle(paint.pale, paint.pale_edge, 0.6, frame=paint.pale_edge)


def _owner_style(style: CarStyle, owner: int, paint: Theme) -> CarStyle:
    if owner < 0:
        faint, frame = mixed(style.face, paint.map, 0.72), mixed(paint.tunnel, paint.map, 0.65)
        return replace(style, face=faint, edge=mixed(paint.edge, paint.map, 0.7), frame=frame)
    return CarStyle(SEATS[owner], paint.edge, mark=SEAT_MARKS[owner])


def _draw_routes(pen: Pen, board: Board, layout: Layout, styles: list[CarStyle], paint: Theme) -> None:
    for route, cars, style in zip(board.routes, layout.cars, styles, strict=True):
        ends = layout.cities[route.a], layout.cities[route.b]
        pen.lines([[ends[0], *((c.x, c.y) for c in cars), ends[1]]], paint.rail, 2.2, 1)
        if route.tunnel:
            draw_tunnel(pen, cars, style.frame or paint.tunnel, paint.map)
        draw_cars(pen, cars, style, IN_TUNNEL if route.tunnel else 0)
        if route.ferry and not style.mark:
            draw_ferry(pen, cars, route.ferry, paint.city, style.frame or paint.tunnel)


def _print_values(pen: Pen, board: Board, layout: Layout, of: Scaled, styles: list[CarStyle], paint: Theme) -> None:
    """Print the strongest values, each on a car near the middle of its route, or beside it if it is one of the first.

    A value that may be 0 is not printed.
    """
    known = [i for i in range(len(of.values)) if np.isfinite(of.values[i]) and not of.unsure[i]]
    known = sorted(known, key=lambda i: -of.share(i))[:PRINTED]
    for place, i in enumerate(known):
        text = of.written(of.values[i]).replace("0.", ".", 1 if abs(of.values[i]) < 1 else 0)
        car = _bare_car(layout.cars[i], board.routes[i].ferry)
        if car and text_width(text, VALUE_SIZE, "bold") < car.length - 2 and styles[i].width * car.width > VALUE_SIZE:
            write_on(pen, car, text, VALUE_SIZE, of.ink(i))
        elif place < BESIDE:
            _write_beside(pen, layout.cars[i], text, paint)


def _bare_car(cars: Sequence[Car], ferry: int) -> Car | None:
    """Return a car near the middle of a route that has no wheel on it."""
    cars = unmarked(cars, ferry)
    return cars[(len(cars) - 1) // 2] if cars else None


def _write_beside(pen: Pen, cars: Sequence[Car], text: str, paint: Theme) -> None:
    """Write a word beside the middle of a route whose cars have no room for it."""
    car = cars[(len(cars) - 1) // 2]
    away = np.radians(car.angle + 90)
    x = car.x + (car.width / 2 + 0.7 * text_width(text, VALUE_SIZE, "bold")) * np.cos(away)
    y = car.y + (car.width / 2 + 0.7 * VALUE_SIZE) * np.sin(away)
    pen.text(x, y, text, VALUE_SIZE + 1, paint.ink, halo=paint.halo, bold=True, ha="center", va="center_baseline")


def _draw_cities(pen: Pen, layout: Layout, of_cities: Scaled | None, paint: Theme) -> None:
    for i, (city, label) in enumerate(zip(layout.cities, layout.labels, strict=True)):
        face, radius = paint.city, layout.city_radius - 0.6
        if of_cities:
            known = bool(np.isfinite(of_cities.values[i]))
            face = of_cities.colour(i) if known else paint.map
            radius *= 0.8 + 0.6 * of_cities.share(i) if known else 0.6
        pen.shapes([disc(*city, radius)], face, paint.city_rim, 1.8, 5)
        for line, (x, y) in zip(label.lines, label.baselines(), strict=True):
            pen.text(x, y, line, label.size, paint.ink, halo=paint.halo, ha="center")


def _mark_cities(pen: Pen, layout: Layout, cities: Sequence[int], paint: Theme) -> None:
    for city in cities:
        for radius, face in ((1.25, paint.city_rim), (0.9, paint.city), (0.5, paint.city_rim)):
            pen.shapes([disc(*layout.cities[city], radius * layout.city_radius)], face, "none", 0, 5.5)

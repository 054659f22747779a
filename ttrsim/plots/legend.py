"""The rows beneath the map: what routes are worth, what the marks mean, and the scales of values."""

from collections.abc import Callable, Sequence

from matplotlib.cm import ScalarMappable
from matplotlib.colorbar import Colorbar
from matplotlib.colors import ListedColormap, Normalize
from matplotlib.font_manager import FontProperties

from ttrsim.boards.board import Board
from ttrsim.plots.labels import FONT, text_width
from ttrsim.plots.layout import PIXELS
from ttrsim.plots.pen import IN_TUNNEL, CarStyle, Pen, draw_cars, draw_ferry, draw_tunnel
from ttrsim.plots.style import wrapped
from ttrsim.plots.theme import SEAT_MARKS, SEATS, Scale, Theme
from ttrsim.plots.track import Car

ROW = 28.0  # height of a row, in pixels of a picture 1200 wide
BAR_ROW = 58.0
NOTE_ROW = 19.0
SIZE = 12.5
GAP = 22.0  # between two entries
LEFT = 28.0
BAR = 420.0  # length of a scale of colours
CAR = (25.0, 12.0)  # of a key
SMALL_CAR = (9.0, 7.0)  # of the scale of points


class Line:
    """A row that is filled from left to right, in pixels of a picture 1200 wide."""

    def __init__(self, pen: Pen, theme: Theme, unit: float, y: float) -> None:
        self.pen, self.theme, self.unit = pen, theme, unit
        self.x, self.y = LEFT, y

    def write(self, text: str, *, faint: bool = False, gap: float = GAP) -> None:
        colour = self.theme.faint if faint else self.theme.ink
        self.pen.text(self.x * self.unit, (self.y + 0.36 * SIZE) * self.unit, text, SIZE * self.unit, colour)
        self.x += text_width(text, SIZE) + gap

    def car(self, size: tuple[float, float] = CAR, gap: float = 7.0) -> Car:
        length, width = size
        made = Car((self.x + length / 2) * self.unit, self.y * self.unit, 0, length * self.unit, width * self.unit)
        self.x += length + gap
        return made


Row = tuple[float, Callable[[Line], None]]
"""The height of a row, and the function that fills it."""


def draw_legend(pen: Pen, rows: Sequence[Row], theme: Theme, unit: float, top: float) -> None:
    """Draw all rows, the first at `top`, in the same pixels as their heights."""
    for height, fill in rows:
        fill(Line(pen, theme, unit, top + height / 2))
        top += height


def points_row(board: Board) -> Row:
    """Return a row with the points of each length and the marks of tunnels, ferries and gray routes."""

    def fill(line: Line) -> None:
        line.write("Points", faint=True, gap=12)
        for length, points in sorted(board.rules.route_points.items()):
            cars = [line.car(SMALL_CAR, gap=1.5) for _ in range(length)]
            draw_cars(line.pen, cars, CarStyle(line.theme.rail, line.theme.edge))
            line.x += 5
            line.write(str(points), gap=14)
        line.x += GAP - 8
        _marks(board, line, own_colours=True)

    return ROW, fill


def marks_rows(board: Board) -> list[Row]:
    """Return the row with the marks of tunnels and ferries, where colours are values; none without such routes."""
    marked = any(route.tunnel or route.ferry for route in board.routes)
    return [(ROW, lambda line: _marks(board, line, own_colours=False))] if marked else []


def _marks(board: Board, line: Line, *, own_colours: bool) -> None:
    """Draw the marks of routes. own_colours: routes have the colours they ask for, so gray is any one."""
    style = CarStyle(line.theme.gray, line.theme.edge)
    if any(r.tunnel for r in board.routes):
        line.x += 4
        cars = [line.car()]
        draw_tunnel(line.pen, cars, line.theme.tunnel, line.theme.paper)
        draw_cars(line.pen, cars, style, IN_TUNNEL * line.unit)
        line.x += 4
        line.write("tunnel")
    if any(r.ferry for r in board.routes):
        cars = [line.car()]
        draw_cars(line.pen, cars, style)
        draw_ferry(line.pen, cars, 1, line.theme.city, line.theme.tunnel)
        line.write(f"ferry: a {board.wild_name} card" if board.wild_name != "ferry" else "needs a ferry card")
    if own_colours and any(r.colour is None for r in board.routes):
        draw_cars(line.pen, [line.car()], style)
        line.write("any one colour")


def letters_row(board: Board) -> Row:
    """Return a row with the letter of each colour."""

    def fill(line: Line) -> None:
        line.write("Colours", faint=True, gap=12)
        for c in board.colours:
            draw_cars(line.pen, [line.car()], CarStyle(c.paint, line.theme.edge, text=c.letter))
            line.write(c.name)

    return ROW, fill


def seats_row(seats: Sequence[str]) -> Row:
    """Return a row with the colour and mark of each seat."""

    def fill(line: Line) -> None:
        line.write("Claimed by", faint=True, gap=12)
        for colour, mark, name in zip(SEATS, SEAT_MARKS, seats, strict=False):
            draw_cars(line.pen, [line.car()], CarStyle(colour, line.theme.edge, mark=mark))
            line.write(name)

    return ROW, fill


def note_rows(note: str) -> list[Row]:
    """Return the rows of a text."""

    def of(text: str) -> Row:
        return NOTE_ROW, lambda line: line.write(text, faint=True)

    return [of(text) for text in wrapped(note, 0.94 * (PIXELS - 2 * LEFT) / 72, SIZE)]


def bars_rows(bars: Sequence[tuple[str, Scale]]) -> list[Row]:
    """Return one row of colour scales, each under its label; none without scales."""

    def fill(line: Line) -> None:
        middle, left = line.y, line.x
        for label, scale in bars:
            line.x, line.y = left, middle - 15
            line.write(label, faint=True)
            line.x, line.y = left, middle
            _bar(line, scale)
            left += BAR + 2 * GAP

    return [(BAR_ROW, fill)] if bars else []


def _bar(line: Line, scale: Scale) -> None:
    u = line.unit
    place = (line.x * u, (line.y - 4) * u, BAR * u, 11 * u)
    inset = line.pen.ax.inset_axes(place, transform=line.pen.ax.transData)
    colours = ScalarMappable(Normalize(scale.low, scale.high), ListedColormap(scale.steps))
    bar = Colorbar(inset, colours, orientation="horizontal")
    if bar.solids:
        bar.solids.set_edgecolor("face")  # no seams between the shades
    inset.tick_params(colors=line.theme.ink, width=0.8 * line.pen.points * u, length=3 * line.pen.points * u)
    font = FontProperties(family=FONT, size=0.92 * SIZE * u * line.pen.points)
    for tick in inset.get_xticklabels():
        tick.set_fontproperties(font)
    for spine in inset.spines.values():
        spine.set(edgecolor=line.theme.frame)

"""The board of a recorded game at its end, as a picture, and turn by turn, as an animated GIF.

In the GIF the board is drawn once, in two layers: the ground, and all writing above it. Claimed routes are added to
the ground as they come. The pieces on the cities, between the layers, and the scores are redrawn for each frame.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.path import Path as Outline
from PIL import Image

from ttrsim.boards import Board
from ttrsim.core import constants as c
from ttrsim.files import write_file
from ttrsim.games import SeatedGame
from ttrsim.plots.board import draw_board
from ttrsim.plots.layout import PIXELS, lay_out
from ttrsim.plots.legend import ROW, Line, draw_legend, seats_row
from ttrsim.plots.pen import IN_TUNNEL, INK, CarStyle, Pen, disc, draw_cars, draw_tunnel, marker
from ttrsim.plots.saving import save
from ttrsim.plots.theme import PAINT, SEAT_MARKS, SEATS
from ttrsim.recording import Array, Recording
from ttrsim.report.prose import number
from ttrsim.report.states import owners, stacks, states
from ttrsim.words import symbol_name

PIECE, TOKEN = 9.5, 8.5  # radius on the board
ALIEN, SKIN = "#14210a", "#8fd14f"
PAPER, GOLD = "#fff3c4", "#6b4a00"  # of tokens


def draw_end(game: SeatedGame, recording: Recording, path: str | Path) -> None:
    """Draw the board at the end into a .png file, with the pieces on it; the same game always gives the same bytes."""
    save(end_picture(game, recording), path)


def end_picture(game: SeatedGame, recording: Recording) -> Axes:
    """Draw the board at the end, with the pieces on it."""
    board, table = game.board, recording.game.table
    with mpl.rc_context(mpl.rcParamsDefault):
        owned = table.owner[: len(board.routes)].tolist()
        ax = draw_board(board, owners=owned, seats=seats_and_scores(game, table))
        draw_pieces(pen_of(ax), board, table)
    return ax


def seats_and_scores(game: SeatedGame, table: Any) -> list[str]:
    """Name the strategy of each seat with its score: `planner 112`. table: TABLE."""
    return [f"{player.name} {number(score, 0)}" for player, score in zip(game.line_up, table.score, strict=False)]


def draw_pieces(pen: Pen, board: Board, table: Any) -> None:
    """Draw the pieces on the cities. table: TABLE."""
    cities = lay_out(board).cities
    for city, seat in owners(table.stations).items():
        x, y = cities[city]
        roof = [(x - 10, y + 10), (x - 10, y - 4), (x, y - 13), (x + 10, y - 4), (x + 10, y + 10), (x - 10, y + 10)]
        _draw_owned(pen, Outline(roof, closed=True), seat, x, y)
    for city, seat in owners(table.markers).items():
        x, y = cities[city]
        _draw_owned(pen, disc(x, y, PIECE), seat, x, y)
    for city, symbol, left in stacks(table):
        x, y = cities[city]
        for i in reversed(range(left)):
            pen.shapes([disc(x + 3 * i, y + 3 * i, TOKEN)], PAPER, GOLD, 1.4, 5.2)
        pen.text(x, y + 4.2, symbol_name(symbol), 12, GOLD, bold=True, ha="center")
    if table.alvin_city != c.NOWHERE:
        _draw_alvin(pen, *cities[table.alvin_city])


def pen_of(ax: Axes) -> Pen:
    """Return a pen that draws on the axes of a board, to scale."""
    (left, _), (right, _) = ax.transData.transform([(0, 0), (1, 0)])
    return Pen(ax, float(right - left) * 72 / ax.figure.dpi)


def _draw_owned(pen: Pen, outline: Outline, seat: int, x: float, y: float) -> None:
    pen.shapes([outline], SEATS[seat], INK, 1.6, 5.2)
    pen.shapes([marker(SEAT_MARKS[seat], x, y, 5)], "#ffffff", INK, 0.9, 5.3)


def _draw_alvin(pen: Pen, x: float, y: float) -> None:
    """Draw his head beside the city, because a marker stands in it."""
    x, y = x + 13, y - 11
    face = [(0, 11), (-5, 8), (-9, 3), (-9, -2), (-9, -14), (9, -14), (9, -2), (9, 3), (5, 8), (0, 11)]
    codes = [Outline.MOVETO, *[Outline.CURVE4] * 9]
    pen.shapes([Outline([(x + dx, y + dy) for dx, dy in face], codes)], SKIN, ALIEN, 1.4, 6.2)
    pen.shapes([disc(x + side, y - 0.5, 2.6) for side in (-3.8, 3.8)], ALIEN, "none", 0, 6.3)


WIDTH = 800  # pixels
MOST = 96  # frames
EACH, END = 500, 6000  # milliseconds that a frame, and the last one, stays
COLOURS = 255  # a GIF has 256; the one left over stands for what does not change
WRITING = 5.4  # zorder of the lowest writing


def draw_film(game: SeatedGame, recording: Recording, path: str | Path) -> None:
    """Draw each turn that changed the board into a .gif file; the same game always gives the same bytes."""
    with mpl.rc_context(mpl.rcParamsDefault):
        frames = list(_frames(game, recording))
    palette = _palette([frames[0], frames[-1]])
    first, *others = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    file, duration = BytesIO(), [EACH] * len(others) + [END]
    first.save(file, "GIF", save_all=True, append_images=others, duration=duration, loop=0, comment=b"ttrsim")
    write_file(path, file.getvalue())


def chosen(tables: Array) -> list[int]:
    """Choose the steps to show: the first, the last and those that changed the board, thinned out if too many."""
    last = len(tables) - 1
    steps = [0, *(step for step in range(1, last) if _board(tables[step]) != _board(tables[step - 1]))]
    every = -(-len(steps) // (MOST - 1))
    return [*steps[::every], last] if last else [0]


def _board(table: Any) -> list[bytes]:
    """Return everything on the board."""
    return [table[name].tobytes() for name in ("owner", "stations", "markers", "alvin_city", "stack_tokens")]


def _frames(game: SeatedGame, recording: Recording) -> Iterator[Image.Image]:
    board, tables = game.board, states(recording)["table"]
    model = draw_board(board, owners=[c.NOBODY] * len(board.routes))
    model.figure.set_dpi(model.figure.dpi * WIDTH / PIXELS)
    ground, writing = (_layer(model, above=above) for above in (False, True))
    owner = np.full(c.ROUTES, c.NOBODY)
    for step in chosen(tables):
        table = tables[step]
        new = {int(route): int(table.owner[route]) for route in np.flatnonzero(table.owner != owner)}
        owner = table.owner
        ground = Image.alpha_composite(ground, _sheet(model, _draw_claims, board, new))
        frame = Image.alpha_composite(ground, _sheet(model, draw_pieces, board, table))
        frame = Image.alpha_composite(frame, writing)
        words = _step_words(step, scored=len(recording.seats) > 0 and step == len(tables) - 1)
        scores = seats_and_scores(game, table)
        yield Image.alpha_composite(frame, _sheet(model, _draw_scores, board, words, scores)).convert("RGB")


def _step_words(step: int, *, scored: bool) -> str:
    if scored:
        return "Final scoring"
    return f"Turn {step}" if step else "Opening"


def _layer(model: Axes, *, above: bool) -> Image.Image:
    """Return the text of the model, or what is beneath it."""
    for artist in model.get_children():
        artist.set_visible((artist.get_zorder() >= WRITING) == above)
    return _image(_figure(model), "none" if above else PAINT.paper)


def _sheet(model: Axes, draw: Callable[..., None], *what: Any) -> Image.Image:
    """Return a transparent sheet as large as the model with something drawn on it."""
    figure = Figure(tuple(_figure(model).get_size_inches()), model.figure.dpi)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set(xlim=model.get_xlim(), ylim=model.get_ylim(), aspect="equal")
    ax.set_axis_off()
    draw(pen_of(ax), *what)
    return _image(figure, "none")


def _figure(ax: Axes) -> Figure:
    assert isinstance(ax.figure, Figure)
    return ax.figure


def _image(figure: Figure, paper: str) -> Image.Image:
    file = BytesIO()
    figure.savefig(file, format="rgba", dpi=figure.dpi, facecolor=paper)
    width, height = figure.get_size_inches() * figure.dpi
    return Image.frombytes("RGBA", (int(width), int(height)), file.getvalue())


def _draw_claims(pen: Pen, board: Board, owners: dict[int, int]) -> None:
    for route, seat in owners.items():
        cars, tunnel = lay_out(board).cars[route], board.routes[route].tunnel
        if tunnel:
            draw_tunnel(pen, cars, PAINT.tunnel, PAINT.map)
        draw_cars(pen, cars, CarStyle(SEATS[seat], PAINT.edge, mark=SEAT_MARKS[seat]), IN_TUNNEL if tunnel else 0)


def _draw_scores(pen: Pen, board: Board, words: str, scores: Sequence[str]) -> None:
    """Draw the row that says which seat is which, on a strip of paper that covers the model's own."""
    layout = lay_out(board)
    unit, (_, fill) = layout.width / PIXELS, seats_row(scores)
    top = layout.height / unit + 2 + ROW
    pen.ax.add_artist(Rectangle((0, top * unit), layout.width, ROW * unit, color=PAINT.paper))

    def fill_after_the_turn(line: Line) -> None:
        line.write(words)
        fill(line)

    draw_legend(pen, [(ROW, fill_after_the_turn)], PAINT, unit, top)


def _palette(frames: Sequence[Image.Image]) -> Image.Image:
    """Return one palette for all frames, their most common colours, so that they differ only where the board does."""
    counts: Counter[Any] = Counter()
    for frame in frames:
        for count, colour in frame.getcolors(frame.width * frame.height) or []:
            counts[colour] += count
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour, _ in counts.most_common(COLOURS) for part in colour])
    return palette

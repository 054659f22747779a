"""The board at the end of a recorded game, as a picture."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.path import Path as Outline

from ttrsim.boards import Board
from ttrsim.core import constants as c
from ttrsim.games import SeatedGame
from ttrsim.plots.board import draw_board
from ttrsim.plots.layout import lay_out
from ttrsim.plots.marks import INK
from ttrsim.plots.pen import Pen, disc, marker
from ttrsim.plots.style import save
from ttrsim.plots.theme import SEAT_MARKS, SEATS
from ttrsim.recording import Recording
from ttrsim.report.prose import number
from ttrsim.report.states import owners, stacks
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
        pen.shapes([disc(x + 3 * i, y + 3 * i, TOKEN) for i in reversed(range(left))], PAPER, GOLD, 1.4, 5.2)
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

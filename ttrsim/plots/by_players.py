"""Plot what changes with the number of players: the value of tickets, and of seats on several boards."""

from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator

from ttrsim.formatting import ORDINALS, decimal
from ttrsim.plots.labels import text_width
from ttrsim.plots.rows import draw_rows
from ttrsim.plots.style import FAINT, INK, SMALL, Picture, dress, is_narrow, key_above, page, styled, width
from ttrsim.plots.theme import PAINT
from ttrsim.plots.ticket_values import ticket_names
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

ROW = 0.062  # inches of a row for each number of players
BETWEEN = 0.05  # inches between two rows
PANEL = 2.5  # height of a panel, in inches
ASIDE = 0.06  # how far intervals of one seat stand apart, in seats
MARKS = ("o", "s", "^", "D", "P")
"""Markers of tables of 2 to 6 players."""


@styled
def tickets_by_players(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw what being offered each ticket does to winning with each number of players: `stats.tickets_by_players`."""
    tables = sorted(frame["players"].unique())
    mean = frame.groupby("ticket", sort=False)["win_effect"].mean().sort_values(ascending=False, kind="stable")
    first = frame.drop_duplicates("ticket").set_index("ticket").loc[mean.index].reset_index()
    note = (
        "A seat that is offered the ticket in its opening offer, against seats that are not. Beside each name is its "
        "printed value. Lines are 95 % intervals that hold at once for all tickets and numbers of players."
    )
    row = max(0.27 if is_narrow() else 0.19, ROW * len(tables) + BETWEEN)
    ax = page(ax, _tickets_title(frame, mean), about, note, 0.75 + row * len(first))
    draw_rows(ax, ticket_names(first))
    ax.axvline(0, color=FAINT, lw=1, zorder=0.6)
    step = (1 - BETWEEN / row) / len(tables)
    rows = {ticket: place for place, ticket in enumerate(first["ticket"])}
    for place, players in enumerate(tables):
        of, colour = frame[frame["players"] == players], PAINT.players[players - 2]
        y = of["ticket"].map(rows).to_numpy(float) + step * (place - (len(tables) - 1) / 2)
        low, high = (100 * of[f"win_effect_{end}"].to_numpy(float) for end in ("low", "high"))
        ax.hlines(y, low, high, color=colour, lw=1)
        ax.plot(100 * of["win_effect"].to_numpy(float), y, MARKS[players - 2], color=colour, ms=3.3, ls="")
    ax.xaxis.set_major_formatter(FuncFormatter(_signed))
    ax.set_xlabel("extra wins per 100 games for the player who is offered the ticket")
    if is_narrow():
        ax.set_xlabel("extra wins per 100 games when offered")
    key_above(ax, [_mark(players) for players in tables], columns=len(tables))
    return ax


def _mark(players: int) -> Line2D:
    colour = PAINT.players[players - 2]
    return Line2D([], [], ls="", marker=MARKS[players - 2], color=colour, ms=4.5, label=f"{players} players")


def _signed(value: float, _: object = None) -> str:
    return f"{'+' if value > 0 else ''}{decimal(value, 0 if value == round(value) else 1)}"


def _tickets_title(frame: "pd.DataFrame", mean: "pd.Series[float]") -> str:
    """Name the best and the worst ticket, if they are so with every number of players."""
    best, worst = (frame[frame["ticket"] == name] for name in (mean.index[0], mean.index[-1]))
    found = []
    if (best["win_effect_low"] > 0).all():
        found.append(f"{mean.index[0]} brings {_range(best['win_effect'])} extra wins in 100 games")
    if (worst["win_effect_high"] < 0).all():
        found.append(f"{mean.index[-1]} costs {_range(-worst['win_effect'])}" + (" wins in 100" if not found else ""))
    return "; ".join(found) or "What being offered a ticket does to winning"


def _range(effects: "pd.Series[float]") -> str:
    low, high = (decimal(100 * end, 0) for end in (effects.min(), effects.max()))
    return low if low == high else f"{low} to {high}"


@styled
def seats_by_players(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw what each seat does to winning, a line for each number of players: `stats.seats_by_players`.

    Each board has a panel; `ax` can hold one board.
    """
    boards = [*dict.fromkeys(frame["board"])]
    if ax is not None and len(boards) > 1:
        raise ValueError(f"axes hold one board, and these seats are of {listed(boards)}")
    note = "A line for each number of players. Bars are 95 % intervals that hold at once for all of them."
    columns = min(len(boards), 2 if is_narrow() else 4)
    down = -(-len(boards) // columns)
    first = page(ax, _seats_title(frame), about, note, PANEL * down)
    panels = [first] if ax is not None else _panels(first, len(boards), down, columns)
    for panel, board in zip(panels, boards, strict=False):
        _draw_seats(panel, frame[frame["board"] == board], board if len(boards) > 1 else "")
    most = frame["players"].max()
    roomy = width() / columns > 1.8
    for place, panel in enumerate(panels):
        panel.set_xlim(-0.45, most - 0.35)
        panel.set_xticks(range(most), ORDINALS[:most] if roomy else [str(seat + 1) for seat in range(most)])
        if place % columns == 0:
            panel.set_ylabel("wins per 100 games\nabove a fair share")
        if place >= len(panels) - columns:
            panel.set_xlabel("player, in the order of play" if roomy and len(panels) == 1 else "player")
            panel.tick_params(labelbottom=True)
    return panels[0]


def _panels(first: Axes, count: int, down: int, columns: int) -> list[Axes]:
    """Put panels that share their scales in the place of the only one of a page."""
    figure, again = first.figure.figure, getattr(first, "again", None)
    first.remove()
    grid = figure.subplots(down, columns, sharex=True, sharey=True, squeeze=False, subplot_kw={"axes_class": Picture})
    panels = list(grid.flat)
    panels[0].again = again
    for spare in panels[count:]:
        spare.remove()
    for panel in panels[:count]:
        dress(panel)
    return panels[:count]


def _draw_seats(ax: Axes, rows: "pd.DataFrame", title: str) -> None:
    """Draw the seats of a board."""
    ax.axhline(0, color=FAINT, lw=1)
    for players in sorted(rows["players"].unique()):
        seats = rows[rows["players"] == players]
        colour = PAINT.players[players - 2]
        x = seats["seat"].to_numpy(float) + ASIDE * (players - 4)
        y = 100 * seats["advantage"].to_numpy(float)
        low, high = (100 * seats[f"advantage_{end}"].to_numpy(float) for end in ("low", "high"))
        ax.vlines(x, low, high, color=colour, lw=1.2)
        ax.plot(x, y, "-", marker=MARKS[players - 2], color=colour, ms=4)
        ax.annotate(
            str(players), (x[-1], y[-1]), (6, 0), textcoords="offset points", va="center", color=INK, weight="bold"
        )
    ax.yaxis.set_major_formatter(FuncFormatter(_signed))
    ax.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    if title:
        words = title.replace(" (", "\n(") if text_width(title, SMALL, "bold") > 72 * 1.5 else title
        ax.set_title(words, loc="left", size=SMALL, weight="bold", color=INK)
    ax.grid(axis="x", visible=False)


def _seats_title(frame: "pd.DataFrame") -> str:
    """Say where to sit: first or last, if that seat wins more at most tables and less at none."""
    places: dict[str, list[str]] = {}
    for board, rows in frame.groupby("board", sort=False):
        seats = {"first": rows[rows["seat"] == 0], "last": rows[rows["seat"] == rows["players"] - 1]}
        for place, of in seats.items():
            better = (of["advantage_low"] > 0).mean() > 0.5 and not (of["advantage_high"] < 0).any()
            if better:
                places.setdefault(place, []).append(str(board).removesuffix(" (reconstruction)"))
    if frame["board"].nunique() == 1:
        return f"Go {next(iter(places))}" if places else "What the seat does to winning"
    found = "; ".join(f"go {place} in {listed(boards)}" for place, boards in places.items())
    return found[:1].upper() + found[1:] or "What the seat does to winning"

"""Rows of estimates: each has a name, a mark, and its interval as a line; so are changes from run to run."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ttrsim.formatting import decimal, seat_name
from ttrsim.plots.labels import text_width
from ttrsim.plots.style import BAND, BLUE, FAINT, GREEN, INK, ORANGE, TINY, is_narrow, key_above, page, styled

if TYPE_CHECKING:
    import pandas as pd


ROW = 0.19  # inches of a row
FEW_ROWS = 0.34  # of a row, where there are few
NARROW_ROW = 0.27  # of a row of a narrow picture, whose names take two lines
NAMES = 1.05  # inches for the names of a narrow picture

FIGURE_SPACE = "\u2007"  # as wide as a digit
VERDICTS = {
    "above": ("^", BLUE, BLUE),
    "below": ("v", ORANGE, ORANGE),
    "within": ("o", GREEN, GREEN),
    "undecided": ("o", FAINT, "none"),
}
"""The marker, colour and filling of a row, by where its interval lies relative to the margin."""


def height(rows: int) -> float:
    """Return the height of rows with the axis beneath, in inches."""
    return 0.75 + rows * (FEW_ROWS if rows <= 12 else NARROW_ROW if is_narrow() else ROW)


def in_lines(name: str) -> str:
    """Return a name in two lines if the picture is too narrow for one: the cities of a ticket, or words."""
    if not is_narrow() or "\n" in name or text_width(name, TINY) < 72 * NAMES:
        return name
    breaks = [i + 1 for i, letter in enumerate(name) if letter in "–_(, " and 0 < i < len(name) - 1]
    if not breaks:
        return name
    parts = [(name[:i].rstrip(" "), name[i:].lstrip(" ")) for i in breaks]
    return "\n".join(min(parts, key=lambda two: max(text_width(part, TINY) for part in two)))


def verdict(low: float, high: float, middle: float, margin: float) -> str:
    """State whether an interval lies above, below or within the margin, or is undecided."""
    if low > middle + margin:
        return "above"
    if high < middle - margin:
        return "below"
    return "within" if low >= middle - margin and high <= middle + margin else "undecided"


def draw_rows(ax: Axes, names: Sequence[str]) -> None:
    """Write the names down the side, the first at the top."""
    small = len(names) > 12 or is_narrow()
    ax.set_yticks(range(len(names)), [in_lines(name) for name in names], fontsize=TINY if small else None)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    for row in range(0, len(names), 2):
        ax.axhspan(row - 0.5, row + 0.5, color=INK, alpha=0.025, lw=0, zorder=0)


def draw_margin(ax: Axes, middle: float, margin: float) -> None:
    """Draw a line at no difference, and the band around it that does not matter."""
    ax.axvspan(middle - margin, middle + margin, color=BAND, lw=0, zorder=0.4)
    ax.axvline(middle, color=FAINT, lw=1, zorder=0.6)


def draw_verdicts(ax: Axes, frame: "pd.DataFrame", value: str, middle: float, margin: float, scale: float = 1) -> None:
    """Draw a mark and an interval in each row by its verdict; `margin` and `middle` are in the frame's unit."""
    shown = frame[[value, f"{value}_low", f"{value}_high"]].to_numpy(float)
    found = np.array([verdict(low, high, middle, margin) for _, low, high in shown], object)
    for word, (marker, colour, filling) in VERDICTS.items():
        rows = np.flatnonzero(found == word)
        at, low, high = scale * shown[rows].T
        ax.hlines(rows, low, high, color=colour, lw=1.6)
        ax.plot(at, rows, marker, color=colour, mfc=filling if filling != "none" else ax.get_facecolor(), ms=5)


def verdict_key(words: dict[str, str]) -> list[Line2D]:
    """Return the key to the verdicts, in these words."""
    return [
        Line2D([], [], ls="", marker=marker, color=colour, mfc=filling, ms=5, label=words[name])
        for name, (marker, colour, filling) in VERDICTS.items()
        if name in words
    ]


WINS, WIN = "wins per 100 games", "win per 100 games"
WORDS = {"win_effect": "effect on wins when offered", "score_effect": "effect on the score when offered"}
"""Words for columns whose names do not speak for themselves."""


@styled
def changes(
    frame: "pd.DataFrame",
    ax: Axes | None = None,
    *,
    table: str = "strategies",
    what: str = "win_share",
    margin: float = 0.0,
    about: str = "",
) -> Axes:
    """Draw how one quantity of strategies, seats or tickets changed from run A to B: `stats.compare.changes`.

    table, what: as those columns of the frame say. margin: what does not matter, as the frame's values.
    """
    rows = frame[(frame["table"] == table) & (frame["what"] == what) & frame["change"].notna()]
    if rows.empty:
        raise ValueError(f"the frame has no change of {what} of {table}")
    if table != "seats":
        rows = rows.sort_values("change", ascending=False, kind="stable")
    shares = rows["unit"].str.startswith("share").any()
    scale, unit = (100, WINS) if shares else (1, rows["unit"].iloc[0])
    words = WORDS.get(what, what.replace("_", " "))
    whole = (WIN if shares else unit.removesuffix("s")) if scale * margin == 1 else unit
    band = f" The band: {scale * margin:g} {whole} on both sides of no change."
    note = f"Right of the line B has more than A. Lines are 95 % intervals that hold at once for all {table}."
    ax = page(ax, f"How {table}' {words} changed", about, note + band if margin else note, height(len(rows)))
    draw_rows(ax, [seat_name(int(of)) if table == "seats" else of for of in rows["of"]])
    draw_margin(ax, 0, scale * margin)
    draw_verdicts(ax, rows, "change", 0, margin, scale)
    ax.set_xlabel(f"{words} in B less that in A, {unit}")
    key = {"above": "more", "below": "less", "within": "within the band", "undecided": "too close to call"}
    ax.margins(x=0.08)
    key_above(ax, verdict_key({name: word for name, word in key.items() if margin or name != "within"}))
    return ax


@styled
def seats(frame: "pd.DataFrame", ax: Axes | None = None, *, margin: float = 0.01, about: str = "") -> Axes:
    """Draw the win share of each seat against the fair share: `stats.seats`."""
    fair = 1 / frame["players"].iloc[0]
    note = (
        f"Lines are 95 % intervals that hold for all seats at once. The band: {100 * margin:g} on both sides of the "
        f"fair share, {decimal(100 * fair)}."
    )
    if (frame["verdict"] == "not rotated").any():
        note += " Strategies did not sit in all seats equally often, so seats and strategies cannot be told apart."
    ax = page(ax, _seats_title(frame, fair), about, note, height(len(frame)))
    draw_rows(ax, [seat_name(seat) for seat in frame["seat"]])
    draw_margin(ax, 100 * fair, 100 * margin)
    draw_verdicts(ax, frame, "win_share", fair, margin, 100)
    ax.set_xlabel("wins per 100 games")
    words = {"above": "wins too often", "below": "too seldom", "within": "balanced", "undecided": "too close to call"}
    key_above(ax, verdict_key(words))
    return ax


def _seats_title(frame: "pd.DataFrame", fair: float) -> str:
    """Name the seat that is farthest from its fair share, if one is clearly off it."""
    off = frame[(frame["win_share_low"] > fair) | (frame["win_share_high"] < fair)]
    if off.empty or (frame["verdict"] == "not rotated").any():
        return "What the seat does to winning"
    row = max(off.to_dict("records"), key=lambda seat: abs(seat["win_share"] - fair))
    more = 100 * (row["win_share"] - fair)
    words = f"{decimal(abs(more))} games in 100 {'more' if more > 0 else 'fewer'} than a fair share"
    return f"The {seat_name(int(row['seat']))} wins {words}"

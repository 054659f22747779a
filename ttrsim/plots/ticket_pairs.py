"""Plot which pairs of tickets fit and which clash: a square for each pair, on a telephone a list."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch

from ttrsim.formatting import decimal
from ttrsim.plots.labels import text_width
from ttrsim.plots.rows import FIGURE_SPACE, draw_rows
from ttrsim.plots.style import (
    BLUE,
    FAINT,
    INK,
    ORANGE,
    TINY,
    is_narrow,
    key_above,
    page,
    styled,
)
from ttrsim.plots.theme import PAINT, Scale

if TYPE_CHECKING:
    import pandas as pd

CLEAR = 0.05
"""A synergy is clear if its q is at most this."""
NAMED = 6
"""Pairs that are named: this many that fit best, and as many that clash most."""
CELL = 0.195
"""Inches of a square."""
SLANT = 40.0
"""Degrees by which names of columns rise."""
SMALLEST = 5.4
"""Points of the writing on a square."""
OUTCOMES = {
    "win_synergy": ("win_q", 100.0, "wins in 100 games"),
    "score_synergy": ("score_q", 1.0, "points of score"),
}
"""Synergies with their column of q, the factor to show it, and its unit then."""


@styled
def pairs(frame: "pd.DataFrame", ax: Axes | None = None, *, value: str = "win_synergy", about: str = "") -> Axes:
    """Draw which pairs of tickets bring more together than one by one, and which less: `stats.pairs`."""
    q, scale, unit = OUTCOMES[value]
    shown = frame.assign(_synergy=scale * frame[value], _half=scale * (frame[f"{value}_high"] - frame[value]))
    clear = shown[(shown[q] <= CLEAR) & shown["_half"].notna()].sort_values("_synergy", ascending=False, kind="stable")
    fit, clash = clear[clear["_synergy"] > 0][:NAMED], clear[clear["_synergy"] < 0][::-1][:NAMED]
    title = _title(fit, clash, unit)
    label = f"{unit}, beyond what the two tickets bring one by one"
    if is_narrow():
        return _list(fit, clash, ax, title, about, label)
    note = (
        "A square is a pair of tickets that a seat was offered together: what this does to its "
        f"{unit.removesuffix(' in 100 games')}, beyond the sum of what either does. Squares without a colour may be "
        f"chance: clear is what a false discovery rate of {100 * CLEAR:g} % leaves. ± is half of the 95 % interval, "
        "each on its own. Beside each name is its printed value."
    )
    return _matrix(shown, clear, (fit, clash), ax, title, about, note, label)


def _title(fit: "pd.DataFrame", clash: "pd.DataFrame", unit: str) -> str:
    """Name the pair that clashes most and the one that fits best."""
    found = [
        f"{row['ticket']} with {row['other']} {verb} {decimal(abs(row['_synergy']), 0)}"
        for verb, rows in (("costs", clash), ("brings", fit))
        for row in rows[:1].to_dict("records")
    ]
    if not found:
        return "Tickets that fit and tickets that clash: none is clear yet"
    return "; ".join([f"{found[0]} {unit} beyond their sum", *found[1:]])


def _matrix(
    frame: "pd.DataFrame",
    clear: "pd.DataFrame",
    named: "tuple[pd.DataFrame, pd.DataFrame]",
    ax: Axes | None,
    title: str,
    about: str,
    note: str,
    label: str,
) -> Axes:
    """Draw a triangle of squares, with lists of the clearest pairs in the corner that it leaves free."""
    points = _points(frame)
    names = sorted(points, key=lambda name: -points[name])  # of equal value in the order of the board
    count, place = len(names), {name: i for i, name in enumerate(names)}
    above = max(_rise(name) - place[name] for name in names)
    ax = page(ax, title, about, note, 0.75 + CELL * (count + above))
    at = [sorted((place[a], place[b])) for a, b in zip(frame["ticket"], frame["other"], strict=True)]
    _draw_cells(ax, at, [PAINT.pale] * len(at))
    colours = Scale.of(clear["_synergy"].to_numpy(float), strong="far")
    found = [sorted((place[a], place[b])) for a, b in zip(clear["ticket"], clear["other"], strict=True)]
    _draw_cells(ax, found, [colours.colour(of) for of in clear["_synergy"]])
    for (x, y), of in zip(found, clear["_synergy"], strict=True):
        if count <= 36:
            ax.text(x, y, decimal(abs(of), 0), ha="center", va="center", size=SMALLEST, color=colours.ink(of))
    for i, name in enumerate(names[:-1]):
        ax.text(i - 0.1, i + 0.35, name, rotation=SLANT, rotation_mode="anchor", size=TINY - 0.5, color=FAINT)
    ax.set_yticks(
        range(count), [f"{name}  {f'{points[name]:.0f}'.rjust(2, FIGURE_SPACE)}" for name in names], size=TINY
    )
    ax.set_xticks([])
    ax.set(xlim=(-0.5, count + 3), ylim=(count - 0.4, -above), xlabel=label)
    ax.tick_params(length=0)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)
    _draw_lists(ax, *named)
    key_above(
        ax,
        [
            Patch(fc=PAINT.more[3], label="fit: more than their sum"),
            Patch(fc=PAINT.less[3], label="clash: less than their sum"),
            Patch(fc=PAINT.pale, label="may be chance"),
        ],
    )
    return ax


def _rise(name: str) -> float:
    """Return how many cells above its own the name of a column reaches."""
    return float(text_width(name, TINY) * np.sin(np.radians(SLANT)) / 72 / CELL) + 1


def _points(frame: "pd.DataFrame") -> dict[str, float]:
    """Return the printed value of each ticket, in the order of the board."""
    first = dict(zip(frame["ticket"], frame["points"], strict=True))
    return first | dict(zip(frame["other"], frame["other_points"], strict=True))


def _draw_cells(ax: Axes, at: list[list[int]], colours: list[str]) -> None:
    """Draw squares of one size, all of a colour together, because a page has one element for each then."""
    for colour in dict.fromkeys(colours):
        of = np.array([place for place, own in zip(at, colours, strict=True) if own == colour], float)
        corners = 0.46 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        ax.add_collection(
            PolyCollection([*(of[:, None] + corners)], facecolors=colour, edgecolors="none"), autolim=False
        )


def _draw_lists(ax: Axes, fit: "pd.DataFrame", clash: "pd.DataFrame") -> None:
    """Name the clearest pairs in the upper right corner."""
    lines = [("Fit best" if rows is fit else "Clash most", rows) for rows in (fit, clash) if len(rows)]
    down = 0.0
    for head, rows in lines:
        texts = [(head, "bold", INK)] + [(_words(row), "normal", INK) for row in rows.to_dict("records")]
        for text, weight, colour in texts:
            ax.annotate(
                text, (1, 1), (0, -down), "axes fraction", "offset points",
                ha="right", va="top", size=TINY, weight=weight, color=colour,
            )  # fmt: skip
            down += 1.35 * TINY
        down += 0.8 * TINY


def _words(row: "dict[object, float]") -> str:
    sign = "+" if row["_synergy"] > 0 else ""
    return f"{row['ticket']} with {row['other']}  {sign}{decimal(row['_synergy'])} ± {decimal(row['_half'])}"


def _list(fit: "pd.DataFrame", clash: "pd.DataFrame", ax: Axes | None, title: str, about: str, label: str) -> Axes:
    """Draw the pairs that fit best and clash most, with intervals."""
    rows = [*fit.to_dict("records"), *clash[::-1].to_dict("records")]
    note = "What two tickets offered together do beyond their sum. Lines are 95 % intervals, each on its own."
    ax = page(ax, title, about, note, 0.9 + 0.29 * len(rows))
    draw_rows(ax, [f"{row['ticket']}\nwith {row['other']}" for row in rows])
    ax.axvline(0, color=FAINT, lw=1)
    for y, row in enumerate(rows):
        colour, mark = (BLUE, "^") if row["_synergy"] > 0 else (ORANGE, "v")
        ax.hlines(y, row["_synergy"] - row["_half"], row["_synergy"] + row["_half"], color=colour, lw=1.6)
        ax.plot(row["_synergy"], y, mark, color=colour, ms=5)
    ax.set_xlabel(label)
    return ax

"""Plot what tickets do to wins against what they do to the score, and name those for which the two disagree."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from ttrsim.plots.labels import text_width
from ttrsim.plots.style import BLUE, FAINT, INK, SMALL, TINY, page, styled, width
from ttrsim.plots.theme import PAINT
from ttrsim.plots.titles import agreement_title

if TYPE_CHECKING:
    import pandas as pd

NAMED = 8
"""Tickets that are named, if there is room: those farthest from the line."""
HEIGHT = 4.6  # inches
ROOM = 4.0  # of them for the points, about
CLEAR = {"boxstyle": "square,pad=0.05", "fc": PAINT.paper, "ec": "none"}


@styled
def wins_and_score(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw the effects of tickets on wins against those on the score: `stats.tickets` with `by="all"`."""
    known = frame[frame[["win_effect", "score_effect"]].notna().all(axis=1)].reset_index(drop=True)
    score, wins = known["score_effect"].to_numpy(float), 100 * known["win_effect"].to_numpy(float)
    slope = wins_per_point(score, wins)
    note = (
        "A point for each ticket; thin lines are its 95 % intervals, at once for all tickets. The line is what a point "
        f"of score goes with on average, {slope:.1f} wins per 100 games: above it a ticket brings more wins than its "
        "effect on the score promises, below it fewer."
    )
    ax = page(ax, agreement_title(known, slope), about, note, HEIGHT)
    ax.axhline(0, color=FAINT, lw=0.8)
    ax.axvline(0, color=FAINT, lw=0.8)
    ax.axline((0, 0), slope=slope, color=FAINT, lw=1, ls=(0, (5, 3)))
    ends = {name: known[[f"{name}_low", f"{name}_high"]].to_numpy(float).T for name in ("score_effect", "win_effect")}
    ax.hlines(wins, *ends["score_effect"], color=BLUE, lw=0.6, alpha=0.45)
    ax.vlines(score, *(100 * ends["win_effect"]), color=BLUE, lw=0.6, alpha=0.45)
    ax.plot(score, wins, "o", color=BLUE, ms=4.5, ls="")
    ax.margins(0.06)
    ax.autoscale_view()
    ax.set_xlabel("what being offered the ticket does to the score, points")
    ax.set_ylabel("extra wins per 100 games when offered")
    _name(ax, list(known["ticket"]), score, wins, np.abs(wins - slope * score))
    return ax


def wins_per_point(score: np.ndarray, wins: np.ndarray) -> float:
    """Return the slope of the line through no effect that fits best."""
    return float((score * wins).sum() / ((score**2).sum() or 1.0))


def _name(ax: Axes, names: list[str], score: np.ndarray, wins: np.ndarray, far: np.ndarray) -> None:
    """Write names beside the points farthest from the line, where they cover no point and no other name."""
    room = 72 * np.array([width() - 1.1, ROOM])
    points = ax.transLimits.transform(np.column_stack([score, wins])) * room
    taken = [(x - 3, y - 3, x + 3, y + 3) for x, y in points]
    for place in np.argsort(-far, kind="stable")[:NAMED]:
        wide = text_width(names[place], TINY)
        for dx, dy, left in _beside(wide):
            x, y = points[place][0] + left, points[place][1] + dy
            box = (x, y - TINY / 2, x + wide, y + TINY / 2)
            inside = box[0] > 0 and box[1] > 0 and box[2] < room[0] and box[3] < room[1]
            if inside and not any(_touch(box, other) for other in taken):
                at = (score[place], wins[place])
                align = "left" if dx > 0 else "right" if dx < 0 else "center"
                ax.annotate(names[place], at, (dx, dy), textcoords="offset points", ha=align, va="center", size=TINY, color=INK, bbox=CLEAR)  # fmt: skip  # noqa: E501
                taken.append(box)
                break


def _beside(width: float) -> Iterator[tuple[float, float, float]]:
    """Yield offsets of a name from its point, in points, each with that of its left end."""
    yield 6, 0, 6
    yield -6, 0, -6 - width
    yield 0, SMALL, -width / 2
    yield 0, -SMALL, -width / 2


def _touch(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]

"""Plot tickets: what being offered them does to wins and scores, how hard they are, and what they should be worth."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from ttrsim.boards.board import LONG
from ttrsim.plots.labels import text_width
from ttrsim.plots.rows import FIGURE_SPACE, draw_margin, draw_rows, draw_verdicts, height, verdict_key
from ttrsim.plots.style import (
    BLUE,
    FAINT,
    INK,
    ORANGE,
    RED,
    SMALL,
    TINY,
    in_rows,
    key_above,
    one_strategy,
    page,
    series_style,
    styled,
    width,
)
from ttrsim.plots.theme import PAINT
from ttrsim.plots.titles import agreement_title, difficulty_title, fair_title, tickets_title
from ttrsim.trials.difficulty import par_of

if TYPE_CHECKING:
    import pandas as pd

OUTCOMES = {
    "win_effect": ("extra wins per 100 games when offered", 100.0, 0.01),
    "score_effect": ("extra points when offered", 1.0, 1.0),
}
"""Effects with the label of their axis, the factor to show them so, and the default margin."""
DASHED = (0, (5, 3))
NAMED = 8
"""Tickets named in the picture of wins and score, if there is room: those farthest from the line."""
HEIGHT = 4.6  # of that picture, in inches
ROOM = 4.0  # of them for the points, about
CLEAR = {"boxstyle": "square,pad=0.05", "fc": PAINT.paper, "ec": "none"}


@styled
def tickets(
    frame: "pd.DataFrame",
    ax: Axes | None = None,
    *,
    value: str = "win_effect",
    margin: float | None = None,
    strategies: "pd.DataFrame | None" = None,
    about: str = "",
) -> Axes:
    """Draw what being offered each ticket does: `stats.tickets` with `by="all"` or of one strategy, or `trials.swaps`.

    margin: as the frame's values, so 0.01 is a point of win share. strategies: `stats.tickets`, for a small mark of
    each strategy.
    """
    axis, scale, usual = OUTCOMES[value]
    margin = usual if margin is None else margin
    frame = one_strategy(frame, "ticket").sort_values(value, ascending=False, kind="stable", ignore_index=True)
    note = (
        f"Beside each name is its printed value. Lines are 95 % intervals that hold at once for all tickets. "
        f"The band, {scale * margin:g} on both sides of no effect, hardly matters."
    )
    if strategies is not None:
        note += " Small marks: what it does for one strategy alone."
    ax = page(ax, tickets_title(frame, value), about, note, height(len(frame)))
    draw_rows(ax, ticket_names(frame))
    draw_margin(ax, 0, scale * margin)
    each = [] if strategies is None else draw_each(ax, frame["ticket"], strategies, value, scale)
    draw_verdicts(ax, frame, value, 0, margin, scale)
    ax.set_xlabel(axis)
    words = {"above": "helps", "below": "hurts", "within": "hardly matters", "undecided": "too close to call"}
    key_above(ax, in_rows(verdict_key(words), each) if each else verdict_key(words))
    return ax


def draw_each(
    ax: Axes, tickets: "pd.Series[str]", strategies: "pd.DataFrame", value: str, scale: float
) -> list[Line2D]:
    """Draw a small mark for each strategy in the rows of the tickets; return their key."""
    key = []
    for place, (name, frame) in enumerate(strategies.groupby("strategy", sort=False, observed=True)):
        of = {**series_style(place), "ls": "", "ms": 3.4, "mew": 0.8, "mfc": ax.get_facecolor(), "label": str(name)}
        of.pop("linestyle")
        shown = scale * frame.set_index("ticket")[value].reindex(tickets).to_numpy(float)
        key += ax.plot(shown, np.arange(len(shown)), zorder=1.5, **of)
    return key


def ticket_names(frame: "pd.DataFrame") -> list[str]:
    """Return names with the printed value; tickets of a deck of long ones are marked."""
    names = frame["ticket"].where(frame["deck"] != "long", frame["ticket"].str.removesuffix(LONG) + LONG)
    values = [f"{points:.0f}".rjust(2, FIGURE_SPACE) for points in frame["points"]]
    return [f"{name}  {value}" for name, value in zip(names, values, strict=True)]


@styled
def difficulty(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw how often each ticket fails against its printed value: `trials.forced`.

    Tickets are rows in the order of their values: as points of a plane the names of many would have no room.
    """
    frame = frame.sort_values(["points", "difficulty"], ascending=False, kind="stable", ignore_index=True)
    note = (
        "A ticket is held whether it is wanted or not; difficulty is how often it fails. Beside each name is its "
        "printed value. Lines are 95 % intervals, each on its own. Par is the curve of difficulty by value that "
        "fits all tickets best, never falling: those clearly to the right of it are harder than their value says."
    )
    points, failed = frame["points"].to_numpy(float), 100 * frame["difficulty"].to_numpy(float)
    low, high = (100 * frame[f"difficulty_{end}"].to_numpy(float) for end in ("low", "high"))
    par = 100 * par_of(points, failed / 100)
    harder, easier = low > par, high < par
    ax = page(ax, difficulty_title(list(frame["ticket"]), failed, par, harder), about, note, height(len(frame)))
    draw_rows(ax, ticket_names(frame))
    rows = np.arange(len(frame))
    for row in np.flatnonzero(np.diff(points)):
        ax.axhline(row + 0.5, color=FAINT, lw=0.4)
    edges = np.arange(len(frame) + 1) - 0.5
    ax.stairs(par, edges, orientation="horizontal", baseline=None, color=FAINT, lw=1.2, ls=DASHED)
    for of, marker, colour in ((harder, ">", RED), (easier, "o", BLUE), (~harder & ~easier, "o", FAINT)):
        ax.hlines(rows[of], low[of], high[of], colors=colour, lw=1.6)
        filling = ax.get_facecolor() if colour == FAINT else colour
        ax.plot(failed[of], rows[of], marker, color=colour, mfc=filling, ms=5, ls="")
    ax.set(xlim=(-0.015 * np.nanmax(high, initial=1), None), xlabel="difficulty: failed, % of games")
    key_above(
        ax,
        [
            Line2D([], [], ls="", marker=">", color=RED, ms=5, label="harder than par"),
            Line2D([], [], ls="", marker="o", color=BLUE, ms=5, label="easier"),
            Line2D([], [], ls="", marker="o", color=FAINT, mfc="none", ms=5, label="too close to call"),
            Line2D([], [], color=FAINT, lw=1.2, ls=DASHED, label="par"),
        ],
    )
    return ax


@styled
def fair(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw the value of each ticket and the value it should have: `trials.fair`."""
    lift = (frame["fair_value"] - frame["points"]).fillna(-np.inf)
    frame = frame.assign(_lift=lift).sort_values("_lift", ascending=False, kind="stable", ignore_index=True)
    note = (
        "At its fair value holding a ticket would bring as many points as holding the one that was dealt. Lines are "
        "95 % intervals that hold at once for all tickets. Tickets without one fail too often to have one."
    )
    ax = page(ax, fair_title(frame), about, note, height(len(frame)))
    draw_rows(ax, [name.rsplit("  ", 1)[0] for name in ticket_names(frame)])
    rows = np.arange(len(frame))
    known = frame["fair_value"].notna().to_numpy()
    printed, fair_value = frame["points"].to_numpy(float), frame["fair_value"].to_numpy(float)
    low, high = (frame[f"fair_value_{end}"].to_numpy(float) for end in ("low", "high"))
    more, less = low > printed, high < printed
    for of, marker, colour in ((more, "^", BLUE), (less, "v", ORANGE), (known & ~more & ~less, "D", FAINT)):
        ax.hlines(rows[of], low[of], high[of], color=colour, lw=1.6)
        ax.plot(fair_value[of], rows[of], marker, color=colour, ms=5 if colour != FAINT else 4, ls="")
    ax.hlines(rows[known], printed[known], fair_value[known], colors=FAINT, lw=0.8, linestyles=":")
    ax.plot(printed, rows, "o", color=INK, mfc=ax.get_facecolor(), ms=5.5, ls="")
    for row in rows[~known]:
        ax.annotate("fails too often", (printed[row], row), (7, 0), textcoords="offset points", va="center", size=SMALL - 1, color=FAINT)  # fmt: skip  # noqa: E501
    ax.set_xlabel("value, points")
    ax.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    key_above(
        ax,
        [
            Line2D([], [], ls="", marker="o", color=INK, mfc="none", ms=5.5, label="printed"),
            Line2D([], [], ls="", marker="^", color=BLUE, ms=5, label="fair, clearly above"),
            Line2D([], [], ls="", marker="v", color=ORANGE, ms=5, label="clearly below"),
            Line2D([], [], ls="", marker="D", color=FAINT, ms=4, label="not clearly either"),
        ],
    )
    return ax


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
    ax.axline((0, 0), slope=slope, color=FAINT, lw=1, ls=DASHED)
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

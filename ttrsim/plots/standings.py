"""Strategies: how often each wins, how strong each is, who beats whom, what scores are made of; and the seats."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from ttrsim.formatting import decimal
from ttrsim.plots.labels import text_width
from ttrsim.plots.rows import draw_rows, height, in_lines
from ttrsim.plots.style import (
    BLUE,
    COLOURS,
    FAINT,
    GRID,
    HATCHES,
    INK,
    SMALL,
    TINY,
    WIDTH,
    is_narrow,
    key_above,
    page,
    styled,
    width,
)
from ttrsim.plots.theme import PAINT, Scale
from ttrsim.plots.titles import luck_title, parts_title, strategies_title, strength_title, versus_title
from ttrsim.stats.several_runs import table_name

if TYPE_CHECKING:
    import pandas as pd

CLEAR = {"boxstyle": "square,pad=0.1", "fc": PAINT.paper, "ec": "none"}
"""The box behind text that may lie on a line."""
EACH = "Lines are 95 % intervals, each on its own."


@styled
def strategies(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw the share of games that each strategy wins: `stats.strategies`."""
    players = frame["players"].iloc[0]
    fair = 1 / players
    note = f"{EACH} The line across is the fair share, one win for {players} seats. Shared wins are divided."
    ax = page(ax, strategies_title(frame), about, note, height(len(frame)))
    draw_rows(ax, list(frame["strategy"]))
    ax.axvline(100 * fair, color=FAINT, lw=1)
    _intervals(ax, frame, "win_share", 100)
    ends = 100 * frame["win_share_high"].fillna(frame["win_share"])
    for row, (value, end) in enumerate(zip(frame["win_share"], ends, strict=True)):
        ax.annotate(
            decimal(100 * value), (end, row), (7, 0), textcoords="offset points", va="center", size=SMALL, bbox=CLEAR
        )
    ax.set_xlim(0, 1.12 * max(100 * fair, 100 * frame["win_share"].max()))
    ax.set_xlabel("wins per 100 games")
    return ax


def _intervals(ax: Axes, frame: "pd.DataFrame", value: str, scale: float = 1) -> None:
    rows = np.arange(len(frame))
    low, high = (scale * frame[f"{value}_{end}"].to_numpy(float) for end in ("low", "high"))
    ax.hlines(rows, low, high, color=BLUE, lw=1.8)
    ax.plot(scale * frame[value].to_numpy(float), rows, "o", color=BLUE, ms=5.5)


@styled
def strength(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw all strategies on one scale, with the ranks that each can have: `stats.strength`."""
    note = (
        f"Bradley–Terry: a difference of 1 means odds of {math.e:.1f} to 1 to finish before the other. {EACH} Ranks "
        "are by win share; a range holds all ranks that the strategy can have, for all strategies at once."
    )
    ax = page(ax, strength_title(frame), about, note, height(len(frame)))
    draw_rows(ax, list(frame["strategy"]))
    if frame["strength"].notna().any():
        ax.axvline(0, color=FAINT, lw=1)
    _intervals(ax, frame, "strength")
    ranks = zip(frame["rank_low"], frame["rank_high"], strict=True)
    for row, (low, high) in enumerate(ranks):
        text = f"rank {low:.0f}" if low == high else f"ranks {low:.0f}–{high:.0f}"
        ax.annotate(text, (1, row), (4, 0), xycoords=("axes fraction", "data"), textcoords="offset points", va="center")
    if frame["strength"].isna().all():
        ax.set_xticks([])
        ax.text(0.5, 0.5, "no strengths: some never finished before others", transform=ax.transAxes, ha="center", va="center")  # fmt: skip  # noqa: E501
    ax.set_xlabel("strength, log odds; 0 is the mean")
    return ax


@styled
def versus(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw how often each strategy finishes ahead of every other: `stats.versus`."""
    ahead = frame.groupby("strategy", observed=True)["ahead"].mean().sort_values(ascending=False, kind="stable")
    names = list(ahead.index)
    note = (
        "In each row, how often that strategy finishes before the one of the column when both sit at a table; ties are "
        "neither's. ± is half of the 95 % interval, each on its own; none where it is always the same."
    )
    ax = page(ax, versus_title(frame), about, note, 1.2 + 0.62 * len(names))
    size = SMALL if len(names) <= 8 else TINY - 1
    titles = [_broken(name, len(names)) for name in names]
    scale = Scale(-0.5, 0.5, "far")
    for row in frame.to_dict("records"):
        x, y = names.index(row["other"]), names.index(row["strategy"])
        either = row["ahead_low"] <= 0.5 <= row["ahead_high"]
        colours = (PAINT.even, PAINT.on_pale) if either else scale.both(row["ahead"] - 0.5)
        _draw_square(ax, x, y, colours, _share(row, "ahead", "\n"), size)
    for i in range(len(names)):
        ax.add_patch(Rectangle((i - 0.5, i - 0.5), 1, 1, fc="none", ec=GRID, hatch="////", lw=0))
    _dress_squares(ax, titles, [f"{name} before" for name in names])
    ax.set_xlabel("share of the games in which both sit, %")
    return ax


@styled
def across(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw how often each strategy wins in each of several runs: `stats.several_runs.across`.

    Runs with the fewest players stand above those with more, because the fair share differs.
    """
    frame = frame.assign(_beyond=frame["win_share"] / frame["fair_share"] - 1)
    mean = frame.groupby("strategy")["_beyond"].mean().sort_values(ascending=False, kind="stable")
    names = beside([*mean.index])
    runs = [*dict.fromkeys(zip(frame["board"], frame["players"], frame["design"], strict=True))]
    few = [run for run in runs if run[1] == frame["players"].min()]
    more = [run for run in runs if run not in few]
    rows = [*few, *([None, *more] if more else [])]  # None: a free row between the two
    half = 50 * (frame["win_share_high"] - frame["win_share_low"]).max()
    note = (
        f"Win shares in %, with 95 % intervals within ± {decimal(half)}, each on its own. Blue: more than the fair "
        "share, one win for all seats; brown: less. ★: clearly the best there. Empty: it did not play there."
    )
    ax = page(ax, "Who wins where", about, note, 0.9 + 0.3 * len(rows))
    scale = Scale.of(frame["_beyond"].to_numpy(float), strong="far")
    for row in frame.to_dict("records"):
        x, y = names.index(row["strategy"]), rows.index((row["board"], row["players"], row["design"]))
        best = " ★" if row["rank_high"] == 1 and len(names) > 1 else ""
        _draw_square(ax, x, y, scale.both(row["_beyond"]), decimal(100 * row["win_share"]) + best)
    _dress_squares(ax, [_broken(name, len(names)) for name in names], [table_name(*run) if run else "" for run in rows])
    return ax


def beside(names: list[str]) -> list[str]:
    """Put strategies with other values than the defaults behind those with the defaults.

    >>> beside(["planner(tuned)", "hoarder", "planner"])
    ['hoarder', 'planner', 'planner(tuned)']
    """
    plain = [name for name in names if "(" not in name or name.partition("(")[0] not in names]
    return [found for name in plain for found in (name, *(other for other in names if other.startswith(f"{name}(")))]


def _share(row: dict[Any, Any], value: str, between: str) -> str:
    """Format a share of a row with half its interval, if it has one."""
    half = (row[f"{value}_high"] - row[f"{value}_low"]) / 2
    width = f"{between}±{decimal(100 * half)}" if half >= 0.0005 else ""
    return f"{decimal(100 * row[value])} %{width}"


def _draw_square(ax: Axes, x: int, y: int, colours: tuple[str, str], text: str, size: float = SMALL) -> None:
    """Draw a square with a text, in these two colours."""
    colour, ink = colours
    ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fc=colour, ec=PAINT.paper, lw=1.5))
    ax.text(x, y, text, ha="center", va="center", size=size, color=ink)


def _dress_squares(ax: Axes, titles: list[str], names: list[str]) -> None:
    """Label the columns and rows of squares."""
    if is_narrow():
        words = [title.replace("\n", "") for title in titles]
        ax.set_xticks(range(len(titles)), words, size=TINY, rotation=40, ha="left", rotation_mode="anchor")
        ax.set_yticks(range(len(names)), [in_lines(name) for name in names], size=TINY)
    else:
        widest = max(text_width(line, SMALL) for title in titles for line in title.split("\n"))
        ax.set_xticks(range(len(titles)), titles, size=SMALL * min(1, _column(len(titles)) / widest))
        ax.set_yticks(range(len(names)), names)
    ax.set(xlim=(-0.5, len(titles) - 0.5), ylim=(len(names) - 0.5, -0.5))
    ax.xaxis.set_ticks_position("top")
    ax.tick_params(length=0)
    ax.grid(visible=False)
    ax.spines[:].set_visible(False)


def _column(columns: int) -> float:
    """Return the room for a name above one of the columns, in points."""
    return 72 * 0.7 * width() / columns


def _broken(name: str, columns: int) -> str:
    """Break a name into lines no wider than a column."""
    if text_width(name, SMALL) < _column(columns):
        return name
    return name.replace("_", "_\n").replace("(", "\n(").replace(",", ",\n")


@styled
def parts(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw what the mean score of each strategy is made of: `stats.strategies`."""
    frame = frame.sort_values("score", ascending=False, kind="stable", ignore_index=True)
    names = [c for c in frame.columns if c.startswith("points_") and not c.endswith(("_low", "_high"))]
    shown = [name for name in names if frame[name].abs().max() >= 0.05]
    note = "Means of all its seats. What is lost lies left of 0. The diamond is the score, with its 95 % interval."
    ax = page(ax, parts_title(frame), about, note, height(len(frame)) + 0.5 + 0.14 * len(frame))
    draw_rows(ax, list(frame["strategy"]))
    ends = np.zeros((2, len(frame)))
    widest = frame["score"].abs().max() + frame[shown].clip(upper=0).sum(axis=1).abs().max()
    for i, name in enumerate(shown):
        values, colour, hatch = frame[name].to_numpy(float), COLOURS[i % len(COLOURS)], HATCHES[i % len(HATCHES)]
        lost = values < 0
        start = np.where(lost, ends[0], ends[1])
        ax.barh(range(len(frame)), values, left=start, height=0.56, color=colour, hatch=hatch, ec=PAINT.paper, lw=0.6)
        _print_parts(ax, start, values, widest)
        ends[0], ends[1] = ends[0] + np.where(lost, values, 0), ends[1] + np.where(lost, 0, values)
    rows = np.arange(len(frame))
    ax.hlines(rows + 0.4, frame["score_low"], frame["score_high"], color=INK, lw=1.5)
    ax.plot(frame["score"], rows + 0.4, "D", color=INK, ms=4)
    for row, at in enumerate(frame["score"]):
        ax.annotate(decimal(at), (at, row + 0.4), (7, 0), textcoords="offset points", va="center", size=TINY)
    ax.axvline(0, color=FAINT, lw=1)
    ax.set_ylim(len(frame) - 0.35, -0.6)
    ax.set_xlim(1.06 * ends[0].min() - 1, 1.1 * ends[1].max())
    ax.set_xlabel("points")
    key = [Patch(fc=COLOURS[i % len(COLOURS)], hatch=HATCHES[i % len(HATCHES)], ec=PAINT.paper, label=_part(name)) for i, name in enumerate(shown)]  # fmt: skip  # noqa: E501
    key_above(ax, [*key, Line2D([], [], ls="", marker="D", color=INK, ms=4, label="score")], columns=3)
    return ax


def _part(column: str) -> str:
    told = {"points_won": "tickets completed", "points_lost": "tickets failed", "points_trail": "longest path"}
    return told.get(column, column.removeprefix("points_").replace("_", " "))


def _print_parts(ax: Axes, start: Any, values: Any, widest: float) -> None:
    """Print the size of each part on a slip of paper, because colours and hatches are no ground for writing."""
    slip = {"boxstyle": "round,pad=0.18,rounding_size=0.3", "fc": PAINT.paper, "ec": "none"}
    for row, (left, value) in enumerate(zip(start, values, strict=True)):
        if abs(value) > 0.065 * widest * WIDTH / width():
            ax.text(left + value / 2, row, decimal(value), ha="center", va="center", size=TINY, color=INK, bbox=slip)


SOURCES = {
    "strategy": ("the strategy", COLOURS[0], ""),
    "others": ("who else plays", COLOURS[1], "///"),
    "seat": ("the seat", COLOURS[2], ""),
    "tickets": ("tickets dealt", COLOURS[4], "---"),
    "cards": ("cards dealt", COLOURS[5], "\\\\\\"),
    "rest": ("the rest", GRID, ""),
}
"""The sources of differences between games, in words, with colour and hatch."""


@styled
def luck(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw how much of scores and wins is strategy, seat, deal and the rest: `stats.luck`, of one run or several.

    What cannot be known of a run, as of deals that no two strategies play, is in the rest.
    """
    shown = [name for name in SOURCES if frame[name].max() >= 0.0005]
    halves = [(frame[f"{name}_high"] - frame[f"{name}_low"]).max() / 2 for name in shown]
    note = (
        "Final scores, and who wins, differ from game to game. Each bar divides these differences (their variance) by "
        "what makes them. Tickets dealt: the seat's own at the start. Cards dealt: what else a deal does to anybody in "
        "that seat, with the tickets of the others. The rest: cards that come because of what was done before, what "
        "suits one strategy and not another, and decisions at random."
    )
    if known := [half for half in halves if half == half]:
        note += f" 95 % intervals are within ± {decimal(100 * max(known))} %."
    ax = page(ax, luck_title(frame), about, note, height(len(frame)) + 0.3)
    several = len(frame) > len(frame["outcome"].unique())
    draw_rows(ax, [_luck_row(row, several=several) for row in frame.to_dict("records")])
    start = np.zeros(len(frame))
    key = []
    for name in shown:
        words, colour, hatch = SOURCES[name]
        values = 100 * np.maximum(frame[name].fillna(0).to_numpy(float), 0)
        ax.barh(range(len(frame)), values, left=start, height=0.6, color=colour, hatch=hatch, ec=PAINT.paper, lw=0.6)
        _print_parts(ax, start, values, 75)
        key.append(Patch(fc=colour, hatch=hatch, ec=PAINT.paper, label=words))
        start += values
    ax.set_xlim(0, max(100, start.max()))
    ax.set_xlabel("of the differences, %")
    key_above(ax, key, columns=len(key) if len(key) < 6 else 3)
    return ax


def _luck_row(row: dict[Any, Any], *, several: bool) -> str:
    """Name a row: score or winning, and of several runs which."""
    what = {"score": "final score", "win": "winning"}[row["outcome"]]
    return f"{table_name(row['board'], row['players'], row['design'])}: {what}" if several else what

"""Plots of searches, for parameters and for a fairer board, of sweeps and of habits."""

from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from ttrsim.batches import sidak
from ttrsim.formatting import GAMES_IN_100, decimal
from ttrsim.plots.by_players import MARKS
from ttrsim.plots.rows import draw_rows, height
from ttrsim.plots.style import BLUE, FAINT, INK, LARGE, SMALL, TINY, Picture, dress, is_narrow, key_above, page, styled
from ttrsim.plots.theme import PAINT, Scale
from ttrsim.plots.titles import fairer_title, parameters_title, trace_title
from ttrsim.tuning.habits import habit_words

if TYPE_CHECKING:
    import pandas as pd

SMOOTHED = 0.15
"""The share of all generations over which the line of a search is a mean."""
WIDE = 9
"""Columns of a map from which on its cells have no ±."""
ROW = 0.105
"""Height of the line of a mark of a habit, in inches."""
GAP = 1.6
"""Between the rows of two habits, in such lines."""
KEY = 0.3
"""Above the panels of habits, for the key, in inches."""


@styled
def trace(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw how much more often the mean of the search won than the start, generation by generation: `Tuning.trace`."""
    span = max(3, round(SMOOTHED * len(frame)))
    note = (
        "Points: wins per 100 games of the mean of the search less those of the start, on the same deals of a "
        f"generation; most of their spread is chance. Line: mean of the last {span} generations, ± 95 % interval. The "
        "search follows its candidates, not these points. Tests on other deals show what was gained in the end."
    )
    games = frame["games"].to_numpy(float)
    gain = 100 * (frame["tuned"] - frame["start"])
    mean = gain.rolling(span).mean()
    half = float(sidak(1, span - 1)) * gain.rolling(span).std() / np.sqrt(span)
    ax = page(ax, trace_title(mean.iloc[-1], half.iloc[-1]), about, note, 3.6)
    ax.axhline(0, color=FAINT, lw=1)
    ax.plot(games, gain, "o", ms=2.5, color=FAINT, alpha=0.6, clip_on=False)
    ax.fill_between(games, mean - half, mean + half, color=BLUE, alpha=0.2, lw=0)
    ax.plot(games, mean, color=BLUE, lw=1.8)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.set_xlim(0, games.max())
    ax.set(xlabel="games of the search", ylabel="gain on the start, wins per 100 games")
    return ax


@styled
def parameters(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw where each parameter began and ended within its bounds, and what it is worth: `Tuning.parameters`."""
    note = (
        "Each line reaches from the lowest to the highest value that the parameter may have. Worth: how many wins "
        "per 100 games it costs to put this parameter alone back to its start; intervals hold at once for all. Where "
        "none is given, the parameter did not change."
    )
    ax = page(ax, parameters_title(frame), about, note, height(len(frame)) + 0.3)
    names: list[str] = []
    for row, of in enumerate(frame.to_dict("records")):
        start, tuned = ((of[name] - of["low"]) / (of["high"] - of["low"]) for name in ("start", "tuned"))
        ax.plot([0, 1], [row, row], color=FAINT, lw=0.8)
        ax.plot([start, tuned], [row, row], color=BLUE, lw=1.6)
        ax.plot(start, row, "o", ms=5, color=FAINT, mfc=ax.get_facecolor(), clip_on=False, zorder=3)
        ax.plot(tuned, row, "o", ms=5, color=BLUE, clip_on=False, zorder=3)
        names.append(of["parameter"])
        words = f"{of['start']:g} to {of['tuned']:g}", _worth(of)
        if is_narrow():
            names[-1] = "\n".join(filter(None, [f"{of['parameter']}: {words[0]}", words[1]]))
        for at, text in () if is_narrow() else zip((1.02, 1.25), words, strict=True):
            ax.text(at, row, text, va="center", size=SMALL, color=INK, clip_on=False)
    draw_rows(ax, names)
    ax.set(xlim=(0, 1.08 if is_narrow() else 1.45), xlabel="from the lowest to the highest value")
    ax.set_xticks([0, 0.5, 1], ["lowest", "", "highest"])
    ax.grid(axis="x", visible=False)
    marks = ((FAINT, "none", "start"), (BLUE, BLUE, "tuned"))
    key_above(ax, [Line2D([], [], ls="", marker="o", color=c, mfc=fill, ms=5, label=word) for c, fill, word in marks])
    return ax


def _worth(row: "dict[object, float]") -> str:
    if row["worth"] != row["worth"]:
        return ""
    half = (row["worth_high"] - row["worth_low"]) / 2
    known = f" ± {decimal(100 * half)}" if half == half else ""
    return f"worth {decimal(100 * row['worth'])}{known} wins"


@styled
def sweep(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw win shares over one parameter as a line with a band, over two as a map: `Sweep.frame`."""
    names = [part.partition("=")[0] for part in str(frame["parameters"].iloc[0]).split(", ")]
    start = 100 * float((frame["win_share"] - frame["change"]).iloc[0])
    return _line(frame, ax, names[0], start, about) if len(names) == 1 else _map(frame, ax, names, start, about)


def _sweep_title(frame: "pd.DataFrame", names: list[str]) -> str:
    """Name the values that clearly win most, or say that there are none."""
    better = frame[frame["verdict"] == "better"]
    if better.empty:
        less = "" if (frame["verdict"] == "worse").any() else ", and none less"
        which = f"values of {' and '.join(names)} clearly win" if len(names) > 1 else f"{names[0]} clearly wins"
        return f"No other {which} more{less}"
    best = better.sort_values("change").iloc[-1]
    return f"{best['parameters'].replace('=', ' ')} wins {decimal(100 * best['change'])} more {GAMES_IN_100}"


def _line(frame: "pd.DataFrame", ax: Axes | None, name: str, start: float, about: str) -> Axes:
    note = (
        "All values and the start played the same deals. Bars: change from the start ± its 95 % interval, which "
        f"holds at once for all values. Horizontal line: the start, which wins {decimal(start)}."
    )
    ax = page(ax, _sweep_title(frame, [name]), about, note, 3.6)
    rows = frame.sort_values("value")
    x = rows["value"].to_numpy(float)
    share, low, high = (start + 100 * rows[f"change{end}"].to_numpy(float) for end in ("", "_low", "_high"))
    ax.axhline(start, color=FAINT, lw=1)
    ax.vlines(x, low, high, color=BLUE, lw=1.6)
    ax.plot(x, share, "o-", color=BLUE, ms=5, lw=1)
    ax.set(xlabel=name, ylabel="wins per 100 games")
    return ax


def _map(frame: "pd.DataFrame", ax: Axes | None, names: list[str], start: float, about: str) -> Axes:
    xs, ys = (sorted(frame[column].unique()) for column in ("value", "other"))
    with_half = len(xs) < WIDE
    note = (
        f"Wins per 100 games more than the start, which wins {decimal(start)}"
        f"{'; ± half of the 95 % interval, which holds at once for all values' if with_half else ''}. Grey: too "
        "close to call."
    )
    ax = page(ax, _sweep_title(frame, names), about, note, 1.0 + 0.42 * len(ys))
    scale = Scale.of(frame["change"].to_numpy(float), strong="far")
    for row in frame.to_dict("records"):
        x, y, change = xs.index(row["value"]), ys.index(row["other"]), row["change"]
        colour, ink = scale.both(change) if row["verdict"] else (PAINT.even, PAINT.on_pale)
        ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fc=colour, ec=PAINT.paper, lw=1))
        spread = row["change_high"] - row["change_low"]
        half = f"\n±{decimal(50 * spread)}" if with_half and np.isfinite(spread) else ""
        text = f"{'+' if change > 0 else ''}{decimal(100 * change)}{half}"
        ax.text(x, y, text, ha="center", va="center", size=TINY if len(xs) < WIDE else TINY - 1.5, color=ink)
    ax.set_xticks(range(len(xs)), [f"{value:g}" for value in xs])
    ax.set_yticks(range(len(ys)), [f"{value:g}" for value in ys])
    ax.set(xlim=(-0.5, len(xs) - 0.5), ylim=(-0.5, len(ys) - 0.5), xlabel=names[0], ylabel=names[1])
    ax.grid(visible=False)
    return ax


@styled
def path(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw the distance from fair against the number of changes made together: `Improvement.pareto`."""
    note = (
        "Distance from fair: squares of the sizes over those that are like the published boards', added up over the "
        "goals, as the strategies of the search see it. ± 95 % interval of the difference from all changes together, "
        "on the same deals."
    )
    ax = page(ax, fairer_title(frame), about, note, 3.6)
    changes, distance = frame["changes"].to_numpy(), frame["distance"].to_numpy(float)
    half = ((frame["gain_high"] - frame["gain_low"]) / 2).to_numpy(float)
    ax.axhline(1, color=FAINT, lw=1, ls="--")
    ax.text(changes.max(), 1, "a published board in one goal ", va="bottom", ha="right", size=SMALL, color=FAINT)
    ax.errorbar(changes, distance, np.nan_to_num(half), fmt="o-", ms=5, color=BLUE, lw=1.6, capsize=0)
    ax.set_ylim(0, max(1.2, 1.08 * float(np.nanmax(distance + half))))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="changes", ylabel="distance from fair")
    return ax


@styled
def habits(frame: "pd.DataFrame", *, about: str = "") -> Axes:
    """Draw how much more often strategies win with a habit than without: `Habits.frame`."""
    note = (
        "Left of the line the habit costs wins. Lines are 95 % intervals, which hold at once for all of the picture; "
        "hollow: the interval holds 0."
    )
    names = list(frame.groupby("habit", sort=False)["win_change"].mean().sort_values(kind="stable").index)
    strategies, players = list(frame["strategy"].unique()), sorted(frame["players"].unique())
    step = len(players) + GAP
    down = len(strategies) if is_narrow() else 1
    tall = 0.75 + KEY + ROW * step * len(names)
    first = page(None, _habits_title(frame, str(names[0])), about, note, max(tall * down, 1.8))
    figure = first.figure.figure
    first.remove()
    shape = (down, len(strategies) // down)
    grid = figure.subplots(*shape, sharex=True, sharey=True, squeeze=False, subplot_kw={"axes_class": Picture})
    panels = list(grid.flat)
    for ax, strategy in zip(panels, strategies, strict=True):
        _draw_panel(ax, frame[frame["strategy"] == strategy], names, players, step)
        ax.set_title(strategy, loc="left", size=SMALL, weight="bold", color=INK)
        ax.tick_params(labelbottom=True)
    words = [habit_words(str(name)) for name in names]
    panels[0].set_yticks(np.arange(len(names)), ["\n".join(wrap(word, 16)) for word in words] if is_narrow() else words)
    panels[-1 if is_narrow() else len(panels) // 2].set_xlabel("extra wins per 100 games with the habit")
    marks = [_mark(number, f"{number} players", filled=True) for number in players]
    key = key_above(panels[0], marks)
    key.set(bbox_to_anchor=(0, 1 + KEY / tall), in_layout=False)
    panels[0].set_title("\n\n\n" if is_narrow() else "\n", loc="right", size=LARGE)  # keeps room for the key
    chosen: Axes = panels[0]
    return chosen


def _habits_title(frame: "pd.DataFrame", worst: str) -> str:
    """Name the costliest habit, if it clearly costs at most tables."""
    clear = (frame[frame["habit"] == worst]["verdict"] == "costs").mean() > 0.5
    return f"{habit_words(worst).capitalize()} costs most" if clear else "What habits cost and bring"


def _draw_panel(ax: Axes, rows: "pd.DataFrame", names: list[str], players: list[int], step: float) -> None:
    dress(ax)
    draw_rows(ax, names)
    ax.axvline(0, color=FAINT, lw=1, zorder=0.6)
    for row in rows.to_dict("records"):
        place = players.index(row["players"])
        y = names.index(row["habit"]) + (place - (len(players) - 1) / 2) / step
        at, low, high = (100 * row[f"win_change{end}"] for end in ("", "_low", "_high"))
        mark = _mark(row["players"], filled=not low <= 0 <= high)
        if np.isfinite(low):
            ax.plot([low, high], [y, y], color=mark.get_color(), lw=1.2, solid_capstyle="butt")
        mark.set_data([at], [y])
        ax.add_line(mark)
    ax.autoscale_view(scaley=False)


def _mark(players: int, label: str = "", *, filled: bool) -> Line2D:
    """Return the mark of a number of players."""
    colour, marker = PAINT.players[players - 2], MARKS[players - 2]
    return Line2D([], [], ls="", color=colour, marker=marker, mfc=colour if filled else "none", ms=4.5, label=label)

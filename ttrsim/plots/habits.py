"""Plot habits: a panel for each strategy, a row for each habit, a mark for each number of players."""

from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ttrsim.plots.by_players import MARKS
from ttrsim.plots.rows import draw_rows
from ttrsim.plots.style import FAINT, INK, LARGE, SMALL, Picture, dress, is_narrow, key_above, page, styled
from ttrsim.plots.theme import PAINT
from ttrsim.tuning.habits import habit_words

if TYPE_CHECKING:
    import pandas as pd

ROW = 0.105
"""Height of a mark's line, in inches."""
GAP = 1.6
"""Between the rows of two habits, in such lines."""
KEY = 0.3
"""Above the panels, for the key, in inches."""


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
    first = page(None, _title(frame, str(names[0])), about, note, max(tall * down, 1.8))
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


def _title(frame: "pd.DataFrame", worst: str) -> str:
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
        look = _mark(row["players"], filled=not low <= 0 <= high)
        if np.isfinite(low):
            ax.plot([low, high], [y, y], color=look.get_color(), lw=1.2, solid_capstyle="butt")
        look.set_data([at], [y])
        ax.add_line(look)
    ax.autoscale_view(scaley=False)


def _mark(players: int, label: str = "", *, filled: bool) -> Line2D:
    """Return the mark of a number of players."""
    colour, marker = PAINT.players[players - 2], MARKS[players - 2]
    return Line2D([], [], ls="", color=colour, marker=marker, mfc=colour if filled else "none", ms=4.5, label=label)

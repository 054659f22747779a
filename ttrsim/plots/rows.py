"""Estimates one below the other: each row has a name, a mark, and its interval as a line."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ttrsim.plots.style import BAND, BLUE, FAINT, GREEN, INK, ORANGE, TINY

if TYPE_CHECKING:
    import pandas as pd

ROW = 0.19  # inches of a row
FEW_ROWS = 0.34  # of a row, where there are few

VERDICTS = {
    "above": ("^", BLUE, BLUE),
    "below": ("v", ORANGE, ORANGE),
    "within": ("o", GREEN, GREEN),
    "undecided": ("o", FAINT, "none"),
}
"""How a row's interval lies to the margin about 0 or a fair share: its marker, colour and filling."""


def height(rows: int) -> float:
    """Inches that so many rows take with the axis beneath."""
    return 0.75 + rows * (FEW_ROWS if rows <= 12 else ROW)


def verdict(low: float, high: float, middle: float, margin: float) -> str:
    """Above or below the margin for sure, within it for sure, or undecided."""
    if low > middle + margin:
        return "above"
    if high < middle - margin:
        return "below"
    return "within" if low >= middle - margin and high <= middle + margin else "undecided"


def draw_rows(ax: Axes, names: Sequence[str]) -> None:
    """The names down the side, the first on top."""
    ax.set_yticks(range(len(names)), names, fontsize=TINY if len(names) > 12 else None)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    for row in range(0, len(names), 2):
        ax.axhspan(row - 0.5, row + 0.5, color=INK, alpha=0.025, lw=0, zorder=0)


def draw_margin(ax: Axes, middle: float, margin: float) -> None:
    """A line where there is nothing to tell, and the band about it that does not matter."""
    ax.axvspan(middle - margin, middle + margin, color=BAND, lw=0, zorder=0.4)
    ax.axvline(middle, color=FAINT, lw=1, zorder=0.6)


def draw_verdicts(ax: Axes, frame: "pd.DataFrame", value: str, middle: float, margin: float, scale: float = 1) -> None:
    """A mark and an interval in each row, by what they say; `margin` and `middle` are as the frame's values."""
    shown = frame[[value, f"{value}_low", f"{value}_high"]].to_numpy(float)
    for row, (at, low, high) in enumerate(shown):
        marker, colour, filling = VERDICTS[verdict(low, high, middle, margin)]
        if np.isfinite(low):
            ax.plot([scale * low, scale * high], [row, row], color=colour, lw=1.6, solid_capstyle="butt")
        ax.plot(scale * at, row, marker, color=colour, mfc=filling if filling != "none" else ax.get_facecolor(), ms=5)


def verdict_key(words: dict[str, str]) -> list[Line2D]:
    """The key to those verdicts, in these words."""
    return [
        Line2D([], [], ls="", marker=marker, color=colour, mfc=filling, ms=5, label=words[name])
        for name, (marker, colour, filling) in VERDICTS.items()
        if name in words
    ]

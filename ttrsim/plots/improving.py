"""A plot of how far from fair a board is with more and more changes."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ttrsim.plots.style import BLUE, FAINT, SMALL, page, styled

if TYPE_CHECKING:
    import pandas as pd


@styled
def path(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw the distance from fair against the number of changes made together: `Improvement.pareto`."""
    note = (
        "Distance from fair: squares of the sizes over those that are like the published boards', added up over the "
        "goals, as the strategies of the search see it. ± 95 % interval of the difference from all changes together, "
        "on the same deals."
    )
    ax = page(ax, "Fairness against the number of changes", about, note, 3.6)
    changes, distance = frame["changes"].to_numpy(), frame["distance"].to_numpy(float)
    half = ((frame["gain_high"] - frame["gain_low"]) / 2).to_numpy(float)
    ax.axhline(1, color=FAINT, lw=1, ls="--")
    ax.text(
        changes.max(), 1, "as far as a published board in one goal ", va="bottom", ha="right", size=SMALL, color=FAINT
    )
    ax.errorbar(changes, distance, np.nan_to_num(half), fmt="o-", ms=5, color=BLUE, lw=1.6, capsize=0)
    ax.set_ylim(0, max(1.2, 1.08 * float(np.nanmax(distance + half))))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set(xlabel="changes", ylabel="distance from fair")
    return ax

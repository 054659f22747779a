"""Plot the distributions of final scores and of the lengths of games."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from ttrsim.formatting import decimal
from ttrsim.plots.rows import in_lines
from ttrsim.plots.style import BLUE, INK, SMALL, key_above, page, styled
from ttrsim.plots.theme import PAINT
from ttrsim.plots.titles import medians_title
from ttrsim.plots.track import Floats

if TYPE_CHECKING:
    import pandas as pd

BINS = 60
RIDGE = 0.7  # height of the highest ridge, in rows
REST = PAINT.rest


@styled
def scores(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw the distribution of each strategy's scores, and which of them win: `run.table("scores")`."""
    names = [str(name) for name in frame["strategy"].unique()]
    of = {name: frame[frame["strategy"] == name] for name in names}
    means = {name: np.average(rows["score"], weights=rows["seats"]) for name, rows in of.items()}
    names.sort(key=lambda name: -means[name])
    note = "Each strategy's scores, all of the same area. Dark is the part with which it won. The tick is the median."
    medians = {name: _quantile(of[name], 0.5) for name in names}
    ax = page(ax, medians_title(medians), about, note, 0.9 + 0.72 * len(names))
    edges = _edges(frame["score"].to_numpy(float), frame["seats"].to_numpy(float))
    shares = {name: _binned(rows["score"], rows["seats"], edges) / rows["seats"].sum() for name, rows in of.items()}
    tall = max(part.max() for part in shares.values())
    for row, name in enumerate(names):
        rows, high = of[name], shares[name] / tall * RIDGE
        won = _binned(rows["score"], rows["win60"], edges) / rows["seats"].sum() / 60 / tall * RIDGE
        ax.stairs(row - high, edges, baseline=row, fill=True, color=REST)
        ax.stairs(row - won, edges, baseline=row, fill=True, fc=BLUE, ec=PAINT.paper, lw=0, hatch="////")
        ax.stairs(row - high, edges, baseline=row, color=INK, lw=0.7)
        median = medians[name]
        ax.plot([median, median], [row, row + 0.09], color=INK, lw=1.6)
        ax.annotate(
            decimal(median, 0), (median, row + 0.09), (4, -1), textcoords="offset points", va="center", size=SMALL
        )
    ax.set_yticks(range(len(names)), [in_lines(name) for name in names])
    ax.set(ylim=(len(names) - 0.7, -1), xlim=(edges[0], edges[-1]), xlabel="final score, points")
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="y", visible=False)
    ax.spines["left"].set_visible(False)
    key_above(
        ax, [Patch(fc=BLUE, ec=PAINT.paper, hatch="////", label="won"), Patch(fc=REST, ec=INK, lw=0.7, label="not won")]
    )
    return ax


def _edges(values: Floats, weights: Floats) -> Floats:
    """Return the edges of about BINS equal bins of whole numbers that hold all but 1 in 1,000 at each end."""
    order = np.argsort(values, kind="stable")
    at = np.cumsum(weights[order]) / weights.sum()
    low, high = (values[order][np.searchsorted(at, share)] for share in (0.001, 0.999))
    wide = max(1, int(np.ceil((high - low + 1) / BINS)))
    return np.arange(low, high + wide + 1, wide) - 0.5


def _binned(values: "pd.Series[int]", weights: "pd.Series[int]", edges: Floats) -> Floats:
    """Sum the weights in each bin; whatever lies beyond the bins is left out."""
    return np.histogram(values, edges, weights=weights)[0].astype(float)


def _quantile(rows: "pd.DataFrame", share: float, value: str = "score", of: str = "seats") -> float:
    ordered = rows.sort_values(value)
    below = ordered[of].cumsum().to_numpy() / ordered[of].sum()
    return float(ordered[value].to_numpy()[np.searchsorted(below, share)])


@styled
def lengths(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw the distribution of the rounds of a game: `stats.distributions.rounds`."""
    rounds, games = frame["rounds"].to_numpy(float), frame["games"].to_numpy(float)
    middle, low, high = (_quantile(frame, share, "rounds", "games") for share in (0.5, 0.05, 0.95))
    title = f"Half of the games last at most {middle:.0f} rounds, nine in ten from {low:.0f} to {high:.0f}"
    ax = page(ax, title, about, "A round is a turn of each player; the last one may be part of one.", 3.2)
    edges = _edges(rounds, games)
    share = 100 * _binned(frame["rounds"], frame["games"], edges) / games.sum()
    wide = edges[1] - edges[0]
    middles = (edges[1:] + edges[:-1]) / 2
    usual = (middles >= low) & (middles <= high)
    for of, colour in ((usual, BLUE), (~usual, REST)):
        ax.bar(middles[of], share[of], 0.86 * wide, color=colour, lw=0)
    ax.set(xlim=(edges[0], edges[-1]), ylim=(0, 1.05 * share.max()), xlabel="rounds of a game")
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    ax.set_ylabel("share of games, %" if wide == 1 else f"share of games, % in {wide:.0f} rounds")
    ax.grid(axis="x", visible=False)
    key_above(ax, [Patch(fc=BLUE, label="nine in ten games"), Patch(fc=REST, label="shorter or longer")])
    return ax

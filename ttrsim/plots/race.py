"""How scores rise in a few games."""

from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ttrsim.formatting import decimal
from ttrsim.plots.course import names_at_the_end
from ttrsim.plots.style import FAINT, look, page, styled

if TYPE_CHECKING:
    import pandas as pd


@styled
def race(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Scores round by round, and what the final scoring makes of them: `ttrsim.stats.scores`."""
    games, names = frame["game"].nunique(), list(dict.fromkeys(frame["strategy"]))
    running, final = frame[~frame["final"]], frame[frame["final"]]
    longest = int(running["round"].max())
    shortest = int(running.groupby("game")["round"].max().min())
    end = longest + max(2, longest / 12)
    note = (
        f"{games} games of the run, played again: thin lines are single games, thick ones their means as long as all "
        "of them last. At the right are the mean final scores of these few games, with tickets and the other points of "
        "the end."
    )
    ax = page(ax, "How scores rise", about, note, 4.4)
    ends = {}
    for place, name in enumerate(names):
        how, mine = look(place), running[running["strategy"] == name]
        for _, seat in mine.groupby(["game", "seat"]):
            ax.plot(seat["round"], seat["score"], color=how["color"], lw=0.6, alpha=0.3)
        mean = mine[mine["round"] <= shortest].groupby("round")["score"].mean()
        ax.plot(mean.index, mean, lw=2.2, markevery=(place, 6), ms=4.5, **how)
        last = final.loc[final["strategy"] == name, "score"].mean()
        ax.plot([mean.index[-1], end], [mean.iloc[-1], last], color=how["color"], lw=0.9, ls=":")
        ax.plot([end], [last], color=how["color"], marker=how["marker"], ms=6, clip_on=False)
        ends[name] = (last, decimal(last))
    ax.axvline(end, color=FAINT, lw=0.8)
    ax.set(xlim=(1, end), xlabel="turns of each seat", ylabel="score, points")
    regular = MaxNLocator(8, steps=[1, 2, 5, 10], integer=True).tick_values(1, longest)
    turns = [int(turn) for turn in regular if 1 <= turn <= longest]
    ax.set_xticks([*turns, end], [*map(str, turns), "final"])
    names_at_the_end(ax, ends)
    return ax

"""Plots against games and rounds: win shares, how precisely they are known, and scores in a few games."""

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from ttrsim.formatting import decimal
from ttrsim.plots.margins import settle
from ttrsim.plots.rows import in_lines
from ttrsim.plots.style import FAINT, INK, SMALL, TINY, is_narrow, page, series_style, styled
from ttrsim.plots.titles import convergence_title, medians_title, precision_title

if TYPE_CHECKING:
    import pandas as pd


SETTLED = 0.15
"""Precision is drawn from this share of the games on: with fewer batches it says more about chance than about games."""
AHEAD = 16
"""Precision is drawn for up to this many times the games that were played."""


@styled
def convergence(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw win shares after more and more games: `stats.standings.convergence`."""
    fair = 100 / frame["players"].iloc[0]
    note = "Bands are 95 % intervals at each number of games, each on its own. The line across is the fair share."
    ax = page(ax, convergence_title(frame), about, note, 4.2)
    ax.axhline(fair, color=FAINT, lw=1)
    ends = {}
    for place, (name, rows) in enumerate(_by_strategy(frame)):
        how = series_style(place)
        games, share = rows["games"].to_numpy(float), 100 * rows["win_share"].to_numpy(float)
        low, high = (100 * rows[f"win_share_{end}"].to_numpy(float) for end in ("low", "high"))
        ax.fill_between(games, low, high, color=how["color"], alpha=0.25, lw=0)
        ax.plot(games, share, markevery=(place, 6), ms=4.5, clip_on=False, **how)
        ends[name] = share[-1]
    _games_axis(ax)
    first, last = frame["games"].min(), frame["games"].max()
    if first < last:  # of a single number of games matplotlib makes a range itself, and warns if it must
        ax.set_xlim(first, last)
    ax.set_ylim(bottom=0)
    ax.set_ylabel("wins per 100 games")
    names_at_the_end(ax, {name: (at, f"{at:.1f}") for name, at in ends.items()})
    return ax


@styled
def precision(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw how precise win shares are after more and more games, and would become: `stats.standings.convergence`."""
    note = (
        f"Half of the 95 % interval of each win share. Dashed: the precision with {AHEAD} times as many games, as "
        "intervals shrink with the square root of the number of games."
    )
    ax = page(ax, precision_title(frame), about, note, 4.2)
    last = float(frame["games"].max())
    frame = frame[frame["games"] >= last * SETTLED]
    ends = {}
    for place, (name, rows) in enumerate(_by_strategy(frame)):
        how = series_style(place)
        games = rows["games"].to_numpy(float)
        half = 50 * (rows["win_share_high"] - rows["win_share_low"]).to_numpy(float)
        ax.plot(games, half, markevery=(place, 6), ms=4.5, clip_on=False, **how)
        further = np.array([last, AHEAD * last])
        ax.plot(further, half[-1] * np.sqrt(last / further), color=how["color"], lw=1, ls=(0, (4, 3)))
        ends[name] = half[-1] / np.sqrt(AHEAD)
    ax.axvline(last, color=FAINT, lw=0.8)
    known = {name: (at, "") for name, at in ends.items() if np.isfinite(at)}
    if known:
        ax.set_yscale("log")
        _label_log(ax.yaxis, "{:g}")
    else:
        ax.text(0.5, 0.5, "nothing is known: too few wins", transform=ax.transAxes, ha="center", va="center")
    _games_axis(ax)
    ax.set_xlim(frame["games"].min(), AHEAD * last)
    ax.set_ylabel("±, wins per 100 games")
    names_at_the_end(ax, known)
    return ax


def _by_strategy(frame: "pd.DataFrame") -> "list[tuple[str, pd.DataFrame]]":
    return [(str(name), rows) for name, rows in frame.groupby("strategy", sort=False, observed=True)]


def _games_axis(ax: Axes) -> None:
    ax.set_xscale("log")
    _label_log(ax.xaxis, "{:,.0f}", steps=not is_narrow())
    ax.set_xlabel("games")


def _label_log(axis: Axis, style: str, *, steps: bool = True) -> None:
    """Label powers of ten and, with steps, two and five times as much."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if steps else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: style.format(value)))
    axis.set_minor_formatter(NullFormatter())


def names_at_the_end(ax: Axes, ends: dict[str, tuple[float, str]]) -> None:
    """Write a name to the right of each line's end; names that would overlap are moved apart."""
    ends = {in_lines(name): end for name, end in ends.items()}
    figure = ax.figure.canvas.figure
    settle(figure)
    per_point = figure.dpi / 72
    ordered = sorted(ends, key=lambda name: ends[name][0])
    y = np.array([ax.transData.transform((1, ends[name][0]))[1] for name in ordered]) / per_point
    size = TINY if is_narrow() else SMALL
    apart = moved_apart(y, 1.3 * size * max((name.count("\n") + 1 for name in ends), default=1))
    for name, here, there in zip(ordered, y, apart, strict=True):
        value, printed = ends[name]
        ax.annotate(
            f"{name} {printed}".strip(),
            (1, value),
            (14, there - here),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            size=size,
            color=INK,
            arrowprops={"arrowstyle": "-", "color": FAINT, "lw": 0.6, "shrinkA": 1, "shrinkB": 2, "relpos": (0, 0.5)},
        )


def moved_apart(y: np.ndarray, gap: float) -> np.ndarray:
    """Move sorted places as little as possible so that each is at least `gap` above the one before.

    >>> moved_apart(np.array([0.0, 0.0, 10.0]), 2)
    array([-1.,  1., 10.])
    """
    groups: list[list[float]] = []  # of places that are to lie side by side, about their mean
    for at in y:
        groups.append([float(at)])
        while len(groups) > 1 and _top(groups[-2], gap) + gap > _bottom(groups[-1], gap):
            groups[-2:] = [groups[-2] + groups[-1]]
    return np.array([_bottom(group, gap) + gap * place for group in groups for place in range(len(group))])


def _bottom(group: list[float], gap: float) -> float:
    return float(np.mean(group)) - gap * (len(group) - 1) / 2


def _top(group: list[float], gap: float) -> float:
    return float(np.mean(group)) + gap * (len(group) - 1) / 2


LASTING = 0.9
"""Scores are drawn for as many rounds as this share of games lasts."""
INNER = (0.1, 0.9)
"""The quantiles between which a band lies."""


@styled
def race(frame: "pd.DataFrame", ax: Axes | None = None, *, about: str = "") -> Axes:
    """Draw scores round by round, and after the final scoring: `stats.distributions.race`."""
    names = list(dict.fromkeys(frame["strategy"]))
    running, final = frame[~frame["final"]], frame[frame["final"]]
    lasted = running.groupby("game")["round"].max()
    longest = max(2, int(lasted.quantile(1 - LASTING, interpolation="lower")))
    beside = 0.9 if is_narrow() else 0.6  # rounds from one final score to the next
    end = longest + max(2, longest / 12) + beside * len(names) / 2
    note = (
        f"{len(lasted):,} games of the run, played again. Lines are medians, and bands hold eight seats of ten, for as "
        "many rounds as nine games of ten last. At the right are final scores, with tickets and all that is scored at "
        "the end."
    )
    medians = final.groupby("strategy", sort=False)["score"].median()
    ax = page(ax, medians_title({str(name): float(score) for name, score in medians.items()}), about, note, 4.4)
    ends = {}
    for place, name in enumerate(names):
        how = series_style(place)
        mine = running[(running["strategy"] == name) & (running["round"] <= longest)].groupby("round")["score"]
        low, middle, high = (mine.quantile(share) for share in (INNER[0], 0.5, INNER[1]))
        ax.fill_between(middle.index, low, high, color=how["color"], alpha=0.18, lw=0)
        ax.plot(middle.index, middle, lw=2, markevery=(place, 6), ms=4.5, **how)
        scored = final.loc[final["strategy"] == name, "score"]
        least, last, most = (float(scored.quantile(share)) for share in (INNER[0], 0.5, INNER[1]))
        aside = end + (place - (len(names) - 1) / 2) * beside
        ax.vlines(aside, least, most, color=how["color"], lw=2, alpha=0.5)
        ax.plot([aside], [last], color=how["color"], marker=how["marker"], ms=6, clip_on=False)
        ends[name] = (last, decimal(last, 0))
    last_aside = end + beside * len(names) / 2
    ax.axvline((longest + 2 * end - last_aside) / 2, color=FAINT, lw=0.8)
    ax.set(xlim=(1, last_aside), xlabel="rounds", ylabel="score, points")
    regular = MaxNLocator(5 if is_narrow() else 8, steps=[1, 2, 5, 10], integer=True).tick_values(1, longest)
    turns = [int(turn) for turn in regular if 1 <= turn <= longest]
    ax.set_xticks([*turns, end], [*map(str, turns), "final"])
    names_at_the_end(ax, ends)
    return ax

"""Measure how far a table is from fair: effects, use of places, and a size of each question without noise.

The size of a question about win shares is the root mean square of its true effects: of all seats, tickets or
strategies at a table. Estimated effects scatter around the true ones, so their mean square is too large, by the mean
square of their errors; that is taken off. The interval is that of a noncentral chi-square with the effects' errors and
correlations, so it also holds where the size may be 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import LEVEL, Array, Estimate, Interval, ratio
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.stats.frames import block_games, sums, to_groups
from ttrsim.stats.standings import above_fair, seat_shares, win_shares, wins_known
from ttrsim.stats.ticket_values import offer_effects
from ttrsim.stats.verdicts import share_interval

if TYPE_CHECKING:
    from ttrsim.boards import Board
    from ttrsim.runs import Run

UNITS = {
    "seats": "share difference",
    "tickets": "share difference",
    "strategies": "share difference",
    "cities": "dead",
    "routes": "dead",
    "games": "share",
    "length": "turns each",
}
"""The unit of each size."""
EFFECTS = ("seats", "tickets", "strategies")
"""Questions whose size is the root mean square of effects on win shares."""
PLACES = ("cities", "routes")
"""Questions whose size is the number of dead places."""
DEAD = 0.01
"""A city is dead if a smaller share of players comes to it; a route, if it is claimed in a smaller share of games."""
ENDS = {"stalemate": "stalemate", "overlong": "stopped at 400 turns per player"}
"""Ways in which games should rarely end."""


@dataclass(frozen=True)
class Mean:
    """A size that is a mean over tables, or the root of one if it is a mean square."""

    mean: Interval
    root: bool

    @property
    def size(self) -> Interval:
        """The size, never negative."""
        return Interval(*(np.sqrt(np.maximum(end, 0)) for end in self.mean)) if self.root else self.mean

    @classmethod
    def from_size(cls, size: Interval, *, root: bool) -> "Mean":
        """Return the mean whose size this is."""
        return cls(Interval(*(end**2 for end in size)) if root else size, root)


@dataclass(frozen=True)
class Dead:
    """A size that is the number of dead places: those that are for sure, that seem to be, and that may be."""

    surely: frozenset[str]
    likely: frozenset[str]
    perhaps: frozenset[str]

    @property
    def size(self) -> Interval:
        """Return the likely number of dead places, with the fewest and the most possible."""
        return Interval(*(np.array(float(len(some))) for some in (self.likely, self.surely, self.perhaps)))


Size = Mean | Dead


def sizes_of(run: "Run", level: float = LEVEL) -> dict[str, Size]:
    """Return the size of each question at the table of a run."""
    asked = [name for name in UNITS if name != "strategies" or len(run.strategies) > 1]
    return {name: size_of(run, name, level) for name in asked}


def size_of(run: "Run", question: str, level: float = LEVEL) -> Size:
    """Return the size of a question at the table of a run."""
    if question in EFFECTS:
        return Mean(mean_square_interval(effects(run, question)[1], level), root=True)
    if question in PLACES:
        names = usage(run, question, level)[0]
        _, use = usage(run, question, level ** (1 / len(names)))
        return Dead(*(frozenset(names[end < DEAD]) for end in (use.high, use.value, use.low)))
    if question == "length":
        return Mean(turns_each(run).interval(level), root=False)
    s = {name: array.sum(axis=1, keepdims=True) for name, array in sums(run, "games").items()}
    found = shares(sum(s[name] for name in ENDS), s["games"], block_games(run), level)
    return Mean(Interval(*(np.squeeze(end) for end in found)), root=False)


def turns_each(run: "Run") -> Estimate:
    """Return the mean number of turns of a player."""
    s = sums(run, "games")
    return ratio(s["turns"].sum(axis=1), s["games"].sum(axis=1) * run.recipe.seats)


def together(tables: Sequence[Size]) -> Size:
    """Return the size over several tables: their mean; or the places that are dead at every one of them."""
    if isinstance(tables[0], Dead):
        sets = zip(*((t.surely, t.likely, t.perhaps) for t in tables if isinstance(t, Dead)), strict=True)
        return Dead(*(reduce(frozenset.intersection, some) for some in sets))
    means = [table.mean for table in tables if isinstance(table, Mean)]
    value, low, high = (np.array([mean[end] for mean in means]) for end in range(3))
    below, above = (np.sqrt(((end - value) ** 2).sum()) / len(means) for end in (low, high))
    return Mean(Interval(value.mean(), value.mean() - below, value.mean() + above), tables[0].root)


def effects(run: "Run", question: str) -> tuple[Array, Estimate]:
    """Return the names and effects on win share of all seats, tickets or strategies at a table."""
    if question == "seats":
        return np.array([f"seat {seat}" for seat in range(run.recipe.seats)], object), above_fair(seat_shares(run), run)
    if question == "tickets":
        return ticket_labels(run.board), offer_effects(run, "win60", "all").varied().scaled(1 / WHOLE_WIN)
    found = above_fair(win_shares(run), run)
    known = np.where(wins_known(run), found.replicates, np.nan)
    return np.array(run.strategies, object), Estimate(found.value, known).varied()


def ticket_labels(board: "Board") -> Array:
    """Return the names of tickets, with long ones marked."""
    return np.array([board.ticket_label(t) for t in board.tickets], object)


def mean_square(of: Estimate) -> Estimate:
    """Return the mean square of true effects: that of their estimates less that of their errors.

    Effects without a known error do not count; NaN where none is known.
    """
    known = ~np.isnan(of.error)
    if not known.any():
        return Estimate(np.array(np.nan), np.full(len(of.replicates), np.nan))
    noise = (of.error[known] ** 2).mean()
    return Estimate(
        np.asarray((of.value[known] ** 2).mean() - noise), (of.replicates[:, known] ** 2).mean(axis=1) - noise
    )


def mean_square_interval(of: Estimate, level: float = LEVEL) -> Interval:
    """Return the mean square of true effects with its interval, whose low end is 0 where all effects may be 0.

    The sum of squares of estimates over the scale c is distributed as a noncentral chi-square with f degrees of
    freedom, noncentral by the sum of squares of true effects over c; c f is the sum of the errors' squares, and c their
    square along the estimates, or on average if that is more.
    """
    from scipy.special import chndtrinc

    value, known = mean_square(of).value, ~np.isnan(of.error)
    if not known.any():
        return Interval(value, value, value)
    found, deviations = of.value[known], of.deviations[:, known]
    noise = (deviations**2).sum()
    correlated = ((deviations.T @ deviations) ** 2).sum() - noise**2 / max(1, of.freedom.min())
    spread = max(correlated, noise**2 / known.sum()) / noise
    along = ((deviations @ found) ** 2).sum() / (found**2).sum() if found.any() else 0
    scale = max(spread, along)
    freedom, squares = noise / scale, (found**2).sum() / scale
    at_least = np.array([squares, max(squares, freedom)])  # less than noise alone would be luck
    ends = chndtrinc(at_least, freedom, np.array([(1 + level) / 2, (1 - level) / 2]))
    ends = np.where(ends < np.finfo(float).tiny, 0, np.nan_to_num(ends))  # its search for 0 stops a little above
    low, high = ends * scale / known.sum()
    return Interval(value, np.minimum(low, value), np.maximum(high, value))


def usage(run: "Run", question: str, level: float = LEVEL) -> tuple[Array, Interval]:
    """Return how often each city or connection is used, by name."""
    s, played = sums(run, question), to_groups(run, sums(run, "seats")["games"].sum(axis=(1, 2)))
    if question == "cities":
        visits = s["visits"].sum(axis=1)
        names = [city.name for city in run.board.cities]
        block = block_games(run) * run.recipe.seats
    else:
        visits = _busiest(s["claims"].sum(axis=1), run.board.connections)
        names = [run.board.connection_name(connection) for connection in range(len(run.board.connections))]
        block, played = block_games(run), played // run.recipe.seats
    chances = np.broadcast_to(played[:, None], visits.shape)
    return np.array(names, object), shares(visits, chances, block, level)


def most_used(runs: "Sequence[Run]", question: str, level: float = LEVEL) -> tuple[Array, Array, Interval]:
    """Return the names of cities or connections, in which of the runs each is used most, and how often there."""
    found = [usage(run, question, level) for run in runs]
    where = np.array([use.value for _, use in found]).argmax(axis=0)
    ends = (np.array(of_runs)[where, range(len(where))] for of_runs in zip(*(use for _, use in found), strict=True))
    return found[0][0], where, Interval(*ends)


def _busiest(claims: Array, connections: Sequence[Sequence[int]]) -> Array:
    """Return the claims of each connection, (groups, connections): those of its route that is claimed most."""
    total = claims.sum(axis=0)
    return claims[:, [max(tracks, key=lambda track: total[track]) for tracks in connections]]


def shares(events: Array, chances: Array, block: int, level: float) -> Interval:
    """Return shares of sums over games, (batches, things). block: games of a block, which bound its events."""
    total, all_chances = events.sum(axis=0), chances.sum(axis=0)
    return share_interval(ratio(events, chances), total, all_chances, all_chances // block, level)

"""Verdicts: where an interval lies with respect to a bound that was declared beforehand.

A condition, as `seat>1pp`, declares one for the changes of a comparison:

    CONDITION = WHAT[:OF] (> | <) [+ | -] NUMBER UNIT

`>` with a number alone means by more than that, either way; `>+` rises by more, `<-` falls by more. WHAT is a column
of the comparison, or one of SHORT. Where several tables have the column it is that of strategies; `seats.score` is
that of seats.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import LEVEL, Array, Estimate, Interval
from ttrsim.boards.board import spelling
from ttrsim.errors import UsageError, did_you_mean
from ttrsim.stats.frames import interval_of

if TYPE_CHECKING:
    import pandas as pd


LIKELY = 0.5
"""The part of an interval about its estimate within which the true value is taken to lie when games are foretold."""


def verdicts(deviation: Interval, margin: float, games: int) -> tuple[Array, Array]:
    """Judge intervals of deviations from what is fair, as `judged` does, within the margin on both sides."""
    return judged(deviation, -margin, margin, games)


def judged(interval: Interval, least: float, most: float, games: int) -> tuple[Array, Array]:
    """Judge intervals: balanced between the bounds, imbalanced beyond one of them, else undecided.

    Also return how many more games undecided ones need at least; NaN: decided, or not known. A verdict falls when the
    half width is less than the distance of the true value from the next bound, and half widths shrink with the root of
    the number of games. That distance is hardly known, and may be 0, so there is no most. The true value is taken to be
    as far from the bounds as it may within LIKELY of the interval, which is so in about 19 of 20 cases.
    """
    value, low, high = interval
    inside, outside = (low >= least) & (high <= most), (low > most) | (high < least)
    verdict = np.where(inside, "balanced", np.where(outside, "imbalanced", "undecided"))
    half = np.maximum(high - value, value - low)
    ends = [value - LIKELY * half, value + LIKELY * half]
    if np.isfinite(least) and np.isfinite(most):
        ends.append(np.clip((least + most) / 2, *ends))
    distance = np.max([np.minimum(np.abs(end - least), np.abs(end - most)) for end in ends], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        needed = games * (half / distance) ** 2
    more = np.where((verdict == "undecided") & np.isfinite(needed), np.maximum(needed - games, 0), np.nan)
    return verdict, rounded(more)


def enough_for_half(more: Array) -> float:
    """Return how many more games, at least, decide half of what is undecided: the last may lie next to a bound.

    more: of each thing, as `judged` returns it; NaN where all are NaN.

    >>> enough_for_half(np.array([np.nan, 900.0, 200.0]))
    200.0
    """
    known = np.sort(more[~np.isnan(more)])
    return float(known[(len(known) - 1) // 2]) if len(known) else np.nan


def rounded(numbers: Array | float) -> Array:
    """Round up to two digits, as more would feign knowledge."""
    with np.errstate(divide="ignore", invalid="ignore"):
        step = 10.0 ** np.maximum(np.floor(np.log10(numbers)) - 1, 0)
    return np.asarray(np.ceil(numbers / step) * step)


def share_interval(estimate: Estimate, events: Array, chances: Array, blocks: Array, level: float = LEVEL) -> Interval:
    """Return intervals of shares, each on its own, that also hold where events, or chances without them, are rare."""
    value, low, high = estimate.frequent(events, chances).interval(level)
    rare = rare_share(events, chances, blocks, level)
    return Interval(value, np.where(np.isnan(low), rare.low, low), np.where(np.isnan(high), rare.high, high))


def rare_share(events: Array, chances: Array, blocks: Array, level: float = LEVEL) -> Interval:
    """Return intervals of Clopper and Pearson for shares that have no error from batches.

    Each block, whose games share a deal, counts as one chance: a share of games is at most the share of blocks in
    which it happens at all. Likewise for what fails to happen.
    """
    least = 1 - most_likely(chances - events, blocks, level)
    return Interval(events / chances, least, most_likely(events, blocks, level))


def most_likely(events: Array, blocks: Array | int, level: float = LEVEL) -> Array:
    """Return the largest share of blocks that is likely given this many events."""
    from scipy.special import betaincinv

    events = np.minimum(events, blocks)
    return np.where(events < blocks, betaincinv(events + 1, np.maximum(blocks - events, 1), (1 + level) / 2), 1.0)


SHORT = {
    "seat": {"pp": "seats.win_share", "points": "seats.score"},
    "strategy": {"pp": "strategies.win_share", "points": "strategies.score"},
    "ticket": {"pp": "tickets.win_effect", "points": "tickets.score_effect"},
    "completion": {"pp": "tickets.completed_kept"},
    "turns": {"turns": "games.turns"},
}
"""Units of the frame for which a unit in a condition stands."""
WORDS = {"pp": ("share", "share difference")}
"""Units as conditions name them, where a comparison names them otherwise."""
SYNTAX = re.compile(r"\s*([\w.]+)\s*(?::(.+?))?\s*(>\s*\+?|<\s*[-−])\s*(\d+(?:\.\d+)?|\.\d+)\s*([a-z]+)\s*")
RESULTS = {"balanced": "kept", "imbalanced": "broken", "undecided": "undecided"}


@dataclass(frozen=True)
class Condition:
    """An event that must not happen."""

    text: str
    what: str  # `table.column`
    of: str | None  # only this strategy, seat or ticket
    unit: str  # as written
    least: float  # changes between these two keep the condition
    most: float


@dataclass(frozen=True)
class ConditionResult:
    """The verdict of a comparison on a condition."""

    condition: Condition
    result: str  # kept: all intervals lie within the bound; broken: one lies entirely beyond it; undecided: neither
    of: str  # what it is broken by, or undecided for; the one farthest out
    change: Interval  # of that one, in the frame's unit
    more_games: float  # about how many more of each run would decide; NaN


def read_condition(text: str) -> Condition:
    """Parse a condition as a user writes it."""
    match = SYNTAX.fullmatch(text)
    if not match:
        raise UsageError([f"`fail_on` {text}: write it as seat>1pp, ticket:Denver–El Paso>+2points or turns<-3turns"])
    what, of, sign, number, unit = match.groups()
    unit = {"point": "points", "turn": "turns"}.get(unit, unit)
    if what in SHORT:
        if unit not in SHORT[what]:
            raise UsageError([f"`fail_on` {text}: {what} is measured in {' or '.join(SHORT[what])}, not in {unit}"])
        what = SHORT[what][unit]
    bound = float(number) / (100 if unit == "pp" else 1)
    least = -np.inf if "+" in sign else -bound
    return Condition(text, what, of, unit, least, np.inf if "<" in sign else bound)


def check_condition(condition: Condition, frame: "pd.DataFrame", games: int) -> ConditionResult:
    """Check a condition on a frame of changes. games: of each run."""
    rows = _rows(condition, frame)
    rows = rows[rows["change"].notna()]
    if not len(rows):
        raise UsageError([f"`fail_on` {condition.text}: only one side has that, so it cannot change"])
    change = interval_of(rows, "change")
    verdict, more = judged(change, condition.least, condition.most, games)
    result = next((v for v in ("imbalanced", "undecided") if v in verdict), "balanced")
    beyond = np.maximum(change.value - condition.most, condition.least - change.value)
    place = int(np.argmax(np.where(verdict == result, beyond, -np.inf)))
    one = Interval(*(end[place] for end in change))
    decide = more[verdict == "undecided"]
    most = float(np.nanmax(decide)) if np.isfinite(decide).any() else np.nan
    return ConditionResult(condition, RESULTS[result], str(rows["of"].iloc[place]), one, most)


def _rows(condition: Condition, frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the rows that the condition is about."""
    names = frame["table"] + "." + frame["what"]
    found: pd.DataFrame = frame[(names == condition.what) | (frame["what"] == condition.what)]
    if not len(found):
        raise _unknown(
            condition, condition.what, [*SHORT, *frame["what"].unique()], "is not a column of the comparison"
        )
    found = found[found["table"] == found["table"].iloc[0]]
    units = WORDS.get(condition.unit, (condition.unit,))
    if (unit := found["unit"].iloc[0]) not in units:
        word = next((word for word, units in WORDS.items() if unit in units), unit)
        raise UsageError(
            [f"`fail_on` {condition.text}: {condition.what} is measured in {word}, not in {condition.unit}"]
        )
    if condition.of is None:
        return found
    of: pd.DataFrame = found[found["of"].map(spelling) == spelling(condition.of)]
    if not len(of):
        raise _unknown(condition, condition.of, found["of"].tolist(), f"is not one of the {found['table'].iloc[0]}")
    return of


def _unknown(condition: Condition, name: str, known: Sequence[str], why: str) -> UsageError:
    hint = did_you_mean(name, known, f"for example {', '.join(known[:5])}")
    return UsageError([f"`fail_on` {condition.text}: {name!r} {why}{hint}"])

"""Say what was found, with its errors, and only if the amounts bear it out; compare two seeds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from ttrsim.batches import FEWEST_EVENTS, Estimate, sidak
from ttrsim.formatting import decimal

FREEDOM = 99
"""Degrees of freedom of errors: nearly all come from 100 batches or more."""
AGAIN = 0.99
"""The level of the intervals within which a second seed must agree."""


@dataclass(frozen=True)
class Amount:
    """A number that was found, in the unit in which it is printed, and its standard error."""

    name: str
    value: float
    error: float

    @property
    def half(self) -> float:
        """Half of its own 95 % interval."""
        return float(sidak(1, FREEDOM)) * self.error

    @property
    def low(self) -> float:
        """The lower end of that interval."""
        return self.value - self.half

    @property
    def high(self) -> float:
        """The upper end."""
        return self.value + self.half

    def words(self, digits: int = 1, *, signed: bool = False) -> str:
        """Return it with half of its interval: `−3.1 ± 0.4`."""
        sign = "+" if signed and round(self.value, digits) > 0 else ""
        known = f" ± {decimal(self.half, digits)}" if self.error == self.error else ""
        return f"{sign}{decimal(self.value, digits)}{known}"


@dataclass(frozen=True)
class Statement:
    """A sentence, and whether the amounts bear it out."""

    words: str
    holds: bool = True
    more: str = ""  # a sentence with the amounts
    kind: str = ""  # which of several sentences it is

    @property
    def shown(self) -> str:
        """The sentence, or that it is not settled."""
        return self.words if self.holds else f"Not settled by these games: {self.words[:1].lower()}{self.words[1:]}"

    @property
    def short(self) -> str:
        """Its first words: `No`."""
        return re.split(r"[:;,.]", self.words)[0] if self.holds else "Not settled"


@dataclass(frozen=True)
class Finding:
    """A question, the statement that settles it, and all that its page shows of it."""

    question: str
    statement: Statement
    points: list[str]
    sure: str  # how sure, for whom, and where not
    commands: list[str]
    amounts: list[Amount]
    picture: Axes | None = None
    alt: str = ""
    rows: list[list[str]] = field(default_factory=list)  # a small table, the first row above it


@dataclass(frozen=True)
class Again:
    """The comparison of amounts of two seeds."""

    amounts: int
    largest: Amount  # the difference farthest from 0 in errors
    within: bool  # all within their 99 % interval

    @property
    def words(self) -> str:
        """The comparison as a sentence."""
        of = "the figure" if self.amounts == 1 else f"the most different of {self.amounts} figures"
        bound = self.largest.error * float(sidak(self.amounts, FREEDOM, AGAIN))
        verb = "within" if self.within else "OUTSIDE"
        return (
            f"Played again with another seed: {of} is off by {decimal(abs(self.largest.value), 2)} "
            f"({self.largest.name}), {verb} the {decimal(bound, 2)} of its 99 % interval."
        )


def again(one: Sequence[Amount], other: Sequence[Amount]) -> Again:
    """Compare the amounts of an answer with those of another seed."""
    assert [amount.name for amount in one] == [amount.name for amount in other]
    changes = [
        Amount(a.name, b.value - a.value, float(np.hypot(a.error, b.error))) for a, b in zip(one, other, strict=True)
    ]
    known = [change for change in changes if change.error == change.error and change.error > 0]
    assert known, "no amount has an error"
    largest = max(known, key=lambda change: abs(change.value) / change.error)
    return Again(len(known), largest, abs(largest.value) <= largest.error * float(sidak(len(known), FREEDOM, AGAIN)))


def amount(name: str, estimate: Estimate, scale: float = 1.0) -> Amount:
    """Return an estimate of one number as an amount."""
    return Amount(name, scale * float(estimate.value), scale * float(estimate.error))


def own(name: str, row: dict[Any, Any], column: str, scale: float = 1.0) -> Amount:
    """Return a column of a row, whose interval holds on its own, as an amount."""
    half = (row[f"{column}_high"] - row[f"{column}_low"]) / 2
    return Amount(name, scale * row[column], scale * half / float(sidak(1, FREEDOM)))


def share(name: str, row: dict[Any, Any], column: str, games: float) -> Amount:
    """Return a share in %; with too few events, or chances without them, for an error of its own, with the largest."""
    known = own(name, row, column, 100)
    return known if known.error == known.error else Amount(name, known.value, 100 * FEWEST_EVENTS**0.5 / games)


def mean(name: str, amounts: Sequence[Amount]) -> Amount:
    """Return the mean of amounts of unrelated games."""
    values, errors = np.array([(f.value, f.error) for f in amounts]).T
    return Amount(name, float(values.mean()), float(np.sqrt((errors**2).sum()) / len(amounts)))


def does(amount: Amount) -> str:
    """Return an amount with its verb: `costs 0.9 ± 0.2`."""
    size = Amount(amount.name, abs(amount.value), amount.error)
    return f"{'costs' if amount.value < 0 else 'brings'} {size.words()}"


def does_span(amounts: Sequence[Amount], digits: int = 1) -> str:
    """Return the smallest and the largest with their verb: `costs 2.1 to 3.4`; with their signs if these differ."""
    signs = {bool(amount.value < 0) for amount in amounts}
    if len(signs) == 2:
        return f"changes {span(amounts, digits, signed=True)}"
    sizes = [Amount(amount.name, abs(amount.value), amount.error) for amount in amounts]
    return f"{'costs' if signs.pop() else 'brings'} {span(sizes, digits)}"


def span(amounts: Sequence[Amount], digits: int = 1, *, signed: bool = False) -> str:
    """Return the smallest and the largest: `2.1 to 3.4`."""
    low, high = (decimal(end([f.value for f in amounts]), digits) for end in (min, max))
    if signed:
        low, high = (end if end.startswith("−") or float(end) == 0 else f"+{end}" for end in (low, high))
    return low if low == high else f"{low} to {high}"

"""Parts of sentences: numbers with their intervals, lists of things."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ttrsim.formatting import decimal
from ttrsim.report.tables import lopsided
from ttrsim.words import listed

Row = Mapping[Any, Any]
"""A row of a frame, by column."""

NAMED = 3
"""Things of a kind that a sentence names."""
UNITS = {
    "share": " %",
    "share difference": " pp",
    "points": " points",
    "turns": " turns",
    "tickets": " tickets",
    "": "",
}


def told(row: Row, column: str, unit: str) -> str:
    """An estimate of a row with half of its interval, as exact as that: `82.5 ± 0.5 %`, `36.70 ± 0.04 points`.

    Without it where that is not known; where the estimate is not in the middle, as of rare events, with both ends:
    `0.4 [0.2 to 1.1] %`.

    >>> told({"win_share": 0.25, "win_share_low": 0.2, "win_share_high": 0.3}, "win_share", "share")
    '25.0 ± 5.0 %'
    """
    scale = 100 if unit.startswith("share") else 1
    value, low, high = (scale * row[f"{column}{end}"] for end in ("", "_low", "_high"))
    half = (high - low) / 2
    if lopsided(value, low, high):
        text = f"{number(value)} [{number(low)} to {number(high)}]"
    elif half != half:
        text = number(value)
    else:
        digits = digits_of(half)
        text = f"{decimal(value, digits)} ± {decimal(half, digits)}"
    return f"{text}{UNITS[unit]}"


def signed(row: Row, column: str, unit: str) -> str:
    """The same of a difference, with a plus where it is one."""
    return f"{'+' if row[column] > 0 else ''}{told(row, column, unit)}"


def size(row: Row, column: str, unit: str) -> str:
    """The same of how large a difference is, whichever way."""
    ends = (column, f"{column}_low", f"{column}_high")
    if row[column] < 0:
        row = dict(zip(ends, (-row[name] for name in (column, f"{column}_high", f"{column}_low")), strict=True))
    return told(row, column, unit)


def number(value: float, digits: int = 1) -> str:
    """With a true minus; as many digits more as it takes to be no 0."""
    return decimal(value, digits_of(value, digits))


def digits_of(value: float, digits: int = 1) -> int:
    """So many digits after the point, or as many more as it takes to be no 0: 2 for 0.04."""
    while value and abs(value) < 0.5 * 10.0**-digits and digits < 4:
        digits += 1
    return digits


def at_most(value: float) -> str:
    """A bound of what is not negative, so rounded up: 0.42 as `0.5`, 0.042 as `0.05`."""
    digits = 1 if value >= 0.1 or not value else min(4, -math.floor(math.log10(value)))
    return number(math.ceil(round(value * 10**digits, 6)) / 10**digits, digits)


def in_pp(share: float) -> str:
    """A margin of win share, as `1 pp` or `0.5 pp`."""
    return f"{100 * share:g} pp"


def some(things: Sequence[str]) -> str:
    """The first ones, and how many there are in all: `a, b and c; 7 in all`."""
    return f"{listed(things[:NAMED])}{f'; {len(things)} in all' if len(things) > NAMED else ''}"


def sentence(text: str) -> str:
    """With a large letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."

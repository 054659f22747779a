"""Parts of sentences: numbers with their intervals, lists of things; paragraphs about how numbers are made."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ttrsim.formatting import decimal
from ttrsim.report.tables import lopsided
from ttrsim.words import listed

Row = Mapping[Any, Any]
"""A row of a frame, by column."""

NAMED = 3
"""The most things that a sentence names before it only counts them."""
UNITS = {
    "share": " %",
    "share difference": " pp",
    "of 100": "",
    "points": " points",
    "turns": " turns",
    "tickets": " tickets",
    "": "",
}


def estimate(row: Row, column: str, unit: str) -> str:
    """Format an estimate of a row with half its interval: `82.5 ± 0.5 %`, `36.70 ± 0.04 points`.

    Without it where that is not known; where the estimate is not in the middle, as of rare events, with both ends:
    `0.4 [0.2 to 1.1] %`.

    >>> estimate({"win_share": 0.25, "win_share_low": 0.2, "win_share_high": 0.3}, "win_share", "share")
    '25.0 ± 5.0 %'
    """
    value, low, high = (scale_of(unit) * row[f"{column}{end}"] for end in ("", "_low", "_high"))
    half = (high - low) / 2
    if lopsided(value, low, high):
        text = f"{number(value)} [{number(low)} to {number(high)}]"
    elif half != half:
        text = number(value)
    else:
        digits = digits_of(half)
        text = f"{decimal(value, digits)} ± {decimal(half, digits)}"
    return f"{text}{UNITS[unit]}"


def scale_of(unit: str) -> int:
    """Return the factor with which values are shown in a unit."""
    return 100 if unit.startswith("share") or unit == "of 100" else 1


def is_clear(row: Row, column: str) -> bool:
    """Return whether a value is clearly not 0. An interval of no width, where no batch varies, shows nothing."""
    low, high = row[f"{column}_low"], row[f"{column}_high"]
    return bool(low < high and (low > 0 or high < 0))


def signed(row: Row, column: str, unit: str) -> str:
    """Format a difference with its sign."""
    return f"{'+' if row[column] > 0 else ''}{estimate(row, column, unit)}"


def size(row: Row, column: str, unit: str) -> str:
    """Format how large a difference is, without its sign."""
    ends = (column, f"{column}_low", f"{column}_high")
    if row[column] < 0:
        row = dict(zip(ends, (-row[name] for name in (column, f"{column}_high", f"{column}_low")), strict=True))
    return estimate(row, column, unit)


def number(value: float, digits: int = 1) -> str:
    """Format a number with a true minus, and with more digits if it would be 0 otherwise."""
    return decimal(value, digits_of(value, digits))


def digits_of(value: float, digits: int = 1) -> int:
    """Return the digits after the point, or more if the value would be 0 otherwise: 2 for 0.04."""
    while value and abs(value) < 0.5 * 10.0**-digits and digits < 4:
        digits += 1
    return digits


def at_most(value: float) -> str:
    """Format an upper bound, rounded up: 0.42 as `0.5`, 0.042 as `0.05`."""
    digits = 1 if value >= 0.1 or not value else min(4, -math.floor(math.log10(value)))
    return number(math.ceil(round(value * 10**digits, 6)) / 10**digits, digits)


def in_pp(share: float) -> str:
    """Format a margin of win share: `1 pp`, `0.5 pp`."""
    return f"{100 * share:g} pp"


def some(things: Sequence[str]) -> str:
    """List the first things, and say how many there are in all: `a, b and c; 7 in all`."""
    return f"{listed(things[:NAMED])}{f'; {len(things)} in all' if len(things) > NAMED else ''}"


def sentence(text: str) -> str:
    """Return text as a sentence, with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:]}."


METHODS = {
    "games": (
        "Games",
        "Bots play complete games by all rules of the board. Every deal is played once for each seating that the run "
        "has (a block); where strategies change seats, all have the same luck with cards and seats. The same seed "
        "gives the same games.",
    ),
    "errors": (
        "Errors",
        "The games of a block depend on each other and blocks do not, so every error comes from batches of whole "
        "blocks, by leaving out one after the other (the jackknife). There are 101 to 200 of them, in a run of fewer "
        "laps one for each lap. ± is half of a 95 % interval by Student's t.",
    ),
    "rare": (
        "Rare events",
        "A share of fewer than 10 events, or of fewer than 10 failures, has no interval (–): batches without any would "
        "make it too narrow.",
    ),
    "exact": (
        "Rare events",
        "Where an outcome is too rare for that, or never varies, the interval is the exact one of Clopper and Pearson, "
        "a block, whose games share a deal, counting as one chance.",
    ),
    "families": (
        "Many intervals at once",
        "For a whole family, such as all tickets or all seats, intervals are widened so that all of them hold in 95 of "
        "100 runs (max-t, with the correlation that the batches show).",
    ),
    "answers": (
        "Answers",
        "The answers at the top make several claims, and all of them together hold in 95 of 100 runs: so the intervals "
        "of each family behind them, such as tickets, seats or leads of strategies, are wider than those that "
        "`ttrsim stats`, `compare` and `balance` print, in tables and pictures, too. But the head of a balance and its "
        "tables keep to the intervals of its verdicts, and tables of trials to the intervals of their files.",
    ),
    "looks": (
        "Looks",
        "More games were played at tables with undecided verdicts, with at most five looks. The error is "
        "divided among the looks: intervals of verdicts, seats and tickets are of 99 % and not of 95 %, so that those "
        "of all looks hold in 95 of 100 examinations.",
    ),
    "offers": (
        "Offer effects",
        "A ticket's effect is the outcome of seats that were offered it at the start less the outcome of seats that "
        "were not, within strategy and seat. The offer is chance, so only the ticket can be the cause. The effects of "
        "all tickets of a deck sum to 0: what counts is being better than the others.",
    ),
    "strategies": (
        "Who plays",
        "± is the luck of the deal. How large an effect is for another strategy is less certain, and more games of the "
        "same strategies do not show it. The interval for a new strategy holds for 95 of 100 that were not tested, if "
        "those tested are a fair sample; it needs at least three strategies.",
    ),
    "descriptions": (
        "Description only",
        "Keeping a ticket, claiming a route and reaching a city are choices. How often those who chose it win does not "
        "say what the choice does; such columns are marked.",
    ),
    "margin": (
        "Verdicts",
        "What matters was fixed in advance: one point in a hundred of win share by default. A verdict is balanced if "
        "the whole interval lies within that margin, imbalanced if all of it lies outside, and undecided otherwise.",
    ),
    "sizes": (
        "Sizes",
        "The size of a question is the root mean square of the effects of all seats, tickets or strategies at a table, "
        "with the noise of chance taken off; of cities and routes it is the number that are used in fewer than 1 of "
        "100 chances. A size is like those of the published boards up to a quarter above the largest of USA, Europe "
        "and Old West at the same numbers of players, and up to 1 point of win share; a single seat or ticket likewise "
        "up to a quarter beyond the farthest of theirs. A verdict is balanced if the whole interval lies within that "
        "bound, imbalanced if all of it lies outside, and undecided otherwise; the errors of their sizes count, too.",
    ),
    "strength": (
        "Strength",
        "A Bradley–Terry fit to who finishes ahead of whom, as a second scale. Ranges of ranks follow from the "
        "simultaneous intervals of all differences of win shares.",
    ),
    "sanity": (
        "Sanity",
        "Sums that must agree are compared to the last digit; what holds apart from chance is called odd where only "
        "one sound run in a thousand would be so far off.",
    ),
    "designs": (
        "Tables",
        "At mirror tables everybody plays the same strategy, each strategy in turn; at mixed tables all compositions "
        "of the strategies are played evenly, each in all its seatings: one of unlike strategies has more of them and "
        "counts for more, so shares of runs with different `--rotate` are not comparable.",
    ),
    "trials": (
        "Trials",
        "The same deals are played as they are and with one change, with the same luck otherwise. So any difference is "
        "the effect of the change, and small effects show.",
    ),
    "pairs": (
        "Two runs",
        "Runs with the same blocks are compared batch by batch, so shared luck cancels out. Runs with different blocks "
        "are compared as independent ones.",
    ),
}
"""Titles and paragraphs about methods."""


def methods(names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the paragraphs with these names."""
    return [METHODS[name] for name in names]

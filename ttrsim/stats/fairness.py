"""Compare two examinations by how far from fair they are: their sizes, and each seat, ticket and place.

An effect is farther from fair in B if |effect in B| > |effect in A|. With D the effect in B less that in A, and S their
sum, |b| − |a| is the larger of min(S, D) and min(−S, −D). So its sign is sure only if the signs of both D and S are:
a ticket that moved from −7 to +15 is farther from fair, and one that moved from −2 to +2 is not known to be either.
Where both examinations played the same blocks, D has the small error of paired runs.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.batches import LEVEL, Array, Estimate, Interval, combined
from ttrsim.errors import UsageError
from ttrsim.stats.compare import Pair, match_names
from ttrsim.stats.effects import (
    DEAD,
    EFFECTS,
    PLACES,
    UNITS,
    Size,
    effects,
    mean_square,
    most_used,
    size_of,
    together,
    turns_each,
)
from ttrsim.stats.frames import Column, Definition, build, joined
from ttrsim.stats.sizes import ALL

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

FAIRNESS = Definition(
    "fairness",
    "A row is a size, or a seat, ticket, strategy, city or connection, in two examinations, A and B.",
    (
        Column("question", "key", "", "seats, tickets, strategies, cities, routes, games or length.", "Question"),
        Column("players", "key", "", "Players at the table; all: over all tables that both have.", "Players"),
        Column("table", "key", "", "mirror or mixed; sizes are of mixed tables, if several strategies play.", "Table"),
        Column("of", "key", "", "Which seat, ticket and so on; size: of all of them together.", "Of"),
        Column("unit", "key", "", "Its unit; shares are fractions of 1."),
        Column(
            "a",
            "number",
            "see unit",
            "In A: the size; or the effect on win share; or, of a city or connection, by how much it is used in fewer "
            "than 1 of 100 chances. None if A does not have it.",
            "A",
        ),
        Column("b", "number", "see unit", "The same in B.", "B"),
        Column(
            "farther",
            "estimate",
            "see unit",
            "How much farther from fair it is in B; of effects, without their signs. Below 0 it is nearer. Of length: "
            "how much longer games are.",
            "Farther ±",
        ),
        Column(
            "verdict",
            "number",
            "",
            "nearer: clearly nearer to fair in B; farther: clearly farther; same: in every batch, or as many dead; "
            "undecided: none of these; only in A, only in B. Of length: longer, shorter or undecided.",
            "Verdict",
        ),
    ),
    "",
    "Intervals hold at once for all sizes over all tables, for all sizes at single numbers of players, for all seats "
    "or tickets or strategies of a table, and for all cities or connections.",
    at_once=("farther",),
)
SIZE = "size"
"""The value of the column `of` in rows of sizes."""

Rows = dict[str, Any]


def fairness(a: "Sequence[Run]", b: "Sequence[Run]", level: float = LEVEL) -> "pd.DataFrame":
    """Return the changes of distance from fair between the tables of A and the same tables of B.

    level: of the intervals of each family.
    """
    pairs = tables_of_both(a, b)
    mixed = [pair for pair in pairs if _for_sizes(pair.a) and _for_sizes(pair.b)]
    parts = [part for question in UNITS for part in _sizes(mixed, question, level)]
    for pair in pairs:
        asked = EFFECTS if pair in mixed else ("seats",)
        parts += [_items(pair, question, level) for question in asked if _is_asked(pair, question)]
    sides = [pair.a for pair in mixed], [pair.b for pair in mixed]
    parts += [_places(*sides, question, level) for question in PLACES]
    return build(FAIRNESS, joined(parts))


def tables_of_both(a: "Sequence[Run]", b: "Sequence[Run]") -> list[Pair]:
    """Return the tables that both have, as pairs of runs."""
    of_b = {(run.recipe.seats, run.recipe.design): run for run in b}
    same = [
        (run, of_b[run.recipe.seats, run.recipe.design]) for run in a if (run.recipe.seats, run.recipe.design) in of_b
    ]
    if not any(_for_sizes(one) for one, _ in same):
        raise UsageError(["the two examinations have no table in common: play both with the same `seats`"])
    return [Pair.of(one, other) for one, other in same]


def _for_sizes(run: "Run") -> bool:
    return run.recipe.design == "mixed" or len(run.strategies) == 1


def _is_asked(pair: Pair, question: str) -> bool:
    return question != "strategies" or min(len(pair.a.strategies), len(pair.b.strategies)) > 1


def _sizes(pairs: Sequence[Pair], question: str, level: float) -> Iterator[Rows]:
    """Yield a row of a size over all tables, and one for each number of players."""
    if all(_is_asked(pair, question) for pair in pairs):
        yield _size(pairs, question, ALL, level ** (1 / len(UNITS)))
        for pair in pairs:
            yield _size([pair], question, pair.a.recipe.seats, level ** (1 / len(UNITS) / len(pairs)))


def _size(pairs: Sequence[Pair], question: str, players: Any, level: float) -> Rows:
    a, b = (
        together([size_of(run, question, level) for run in runs])
        for runs in zip(*((p.a, p.b) for p in pairs), strict=True)
    )
    farther = _change(pairs, question, a, b, level)
    table = pairs[0].a.recipe.design
    return _rows(question, players, table, np.array([SIZE], object), a.size.value, b.size.value, farther)


def _change(pairs: Sequence[Pair], question: str, a: Size, b: Size, level: float) -> Interval:
    """Return B's size less A's: paired, or by both intervals where a size is a count, rare, or may be 0."""
    if question in PLACES or question == "games":
        return _apart(a.size, b.size)
    if question != "length" and not (a.size.low > 0 and b.size.low > 0):
        return _both_errors(a.size, b.size)
    parts = [part for pair in pairs for part in _in_both(pair, question)]

    def less(values: Sequence[Array]) -> Array:
        of_a, of_b = np.maximum(np.sum(values, axis=0) / len(pairs), 0)
        return np.asarray(of_b - of_a if question == "length" else np.sqrt(of_b) - np.sqrt(of_a))

    return combined(less, parts).interval(level)


def _in_both(pair: Pair, question: str) -> list[Estimate]:
    """Return estimates of A and B, (2,): one if they are paired, else one for each, with 0 in the other's place."""
    a, b = (_raw(run, question) for run in (pair.a, pair.b))
    if pair.unpaired is None:
        return [Estimate(np.array([a.value, b.value]), np.stack([a.replicates, b.replicates], axis=1))]
    return [
        Estimate(np.array([a.value, 0.0]), np.stack([a.replicates, np.zeros(len(a.replicates))], axis=1)),
        Estimate(np.array([0.0, b.value]), np.stack([np.zeros(len(b.replicates)), b.replicates], axis=1)),
    ]


def _raw(run: "Run", question: str) -> Estimate:
    return turns_each(run) if question == "length" else mean_square(effects(run, question)[1])


def _apart(a: Interval, b: Interval) -> Interval:
    """Return B less A with the widest interval that their intervals allow."""
    return Interval(b.value - a.value, b.low - a.high, b.high - a.low)


def _both_errors(a: Interval, b: Interval) -> Interval:
    """Return B less A of unrelated estimates, whose intervals need not be symmetric."""
    value = b.value - a.value
    low = value - np.hypot(b.value - b.low, a.high - a.value)
    return Interval(value, low, value + np.hypot(b.high - b.value, a.value - a.low))


def _items(pair: Pair, question: str, level: float) -> Rows:
    """Return a row for each seat, ticket or strategy of a table."""
    (of_a, a), (of_b, b) = (effects(run, question) for run in (pair.a, pair.b))
    names, in_a, in_b = zip(*match_names(_numbered(of_a), _numbered(of_b)), strict=True)
    one, other = _taken(a, np.array(in_a)), _taken(b, np.array(in_b))
    farther = from_zero(pair.change(one, other), pair.change(one.scaled(-1), other), level)
    table = pair.a.recipe.design
    return _rows(question, pair.a.recipe.seats, table, np.array(names, object), one.value, other.value, farther)


def _numbered(names: Array) -> list[str]:
    """Return names, numbered where one is repeated."""
    seen = [list(names[:place]).count(name) for place, name in enumerate(names)]
    return [f"{name} #{before + 1}" if before else str(name) for name, before in zip(names, seen, strict=True)]


def _taken(estimate: Estimate, places: Array) -> Estimate:
    """Return the estimates at these places; NaN at −1, which stands for what an examination lacks."""
    none = np.full((len(estimate.replicates), 1), np.nan)
    replicates = np.concatenate([estimate.replicates, none], axis=1)
    return Estimate(np.append(estimate.value, np.nan)[places], replicates[:, places])


def from_zero(difference: Estimate, total: Estimate, level: float = LEVEL) -> Interval:
    """Return how much farther from 0 b is than a, from b − a and b + a, with simultaneous intervals."""
    both = Estimate(
        np.concatenate([difference.value, total.value]),
        np.concatenate([difference.replicates, total.replicates], axis=1),
        int(difference.freedom.min()) + 1,
    ).simultaneous(level=level)
    (d, d_low, d_high), (s, s_low, s_high) = (
        Interval(*part) for part in zip(*(np.split(end, 2) for end in both), strict=True)
    )
    return Interval(
        np.maximum(np.minimum(s, d), np.minimum(-s, -d)),
        -np.maximum(np.minimum(s_high, -d_low), np.minimum(-s_low, d_high)),
        np.maximum(np.minimum(s_high, d_high), np.minimum(-s_low, -d_low)),
    )


def _places(a: "Sequence[Run]", b: "Sequence[Run]", question: str, level: float) -> Rows:
    """Return a row for each city or connection that may be dead in A or in B."""
    used_a, used_b = (_used(runs, question, level) for runs in (a, b))
    matched = match_names([*used_a], [*used_b])
    unknown = Interval(*np.full(3, np.nan))
    short = [[_short(used.get(name, unknown)) for name, _, _ in matched] for used in (used_a, used_b)]
    may_be = [max(np.nan_to_num(one.high), np.nan_to_num(other.high)) > 0 for one, other in zip(*short, strict=True)]
    names = np.array([name for name, _, _ in matched], object)[may_be]
    of_a, of_b = (
        Interval(*(np.array([getattr(each, end) for each in some], float)[may_be] for end in Interval._fields))
        for some in short
    )
    return _rows(question, ALL, a[0].recipe.design, names, of_a.value, of_b.value, _apart(of_a, of_b))


def _used(runs: "Sequence[Run]", question: str, level: float) -> dict[str, Interval]:
    """Return how often each place is used, at the table where it is used most."""
    many = 2 * len(runs[0].board.cities if question == "cities" else runs[0].board.connections)
    names, _, use = most_used(runs, question, level ** (1 / many))
    return dict(zip(names, map(Interval, *use), strict=True))


def _short(use: Interval) -> Interval:
    """Return by how much a place is used too rarely."""
    return Interval(*(np.maximum(DEAD - end, 0) for end in (use.value, use.high, use.low)))


def _rows(question: str, players: Any, table: str, of: Array, a: Array, b: Array, farther: Interval) -> Rows:
    a, b, value, low, high = (np.broadcast_to(np.asarray(each, float), of.shape) for each in (a, b, *farther))
    lower, upper = ("shorter", "longer") if question == "length" else ("nearer", "farther")
    sure = (low < high) | (question in PLACES)  # a count needs no width
    verdict = np.where(sure & (high < 0), lower, np.where(sure & (low > 0), upper, "undecided"))
    verdict = np.where((low == 0) & (high == 0), "same", verdict)
    verdict = np.where(np.isnan(a), "only in B", np.where(np.isnan(b), "only in A", verdict))
    is_size = len(of) == 1 and of[0] == SIZE
    return {
        "question": np.full(len(of), question, object),
        "players": np.full(len(of), players, object),
        "table": np.full(len(of), table, object),
        "of": of,
        "unit": np.full(len(of), UNITS[question] if is_size or question in EFFECTS else "share", object),
        "a": a,
        "b": b,
        "farther": Interval(value, low, high),
        "verdict": verdict.astype(object),
    }

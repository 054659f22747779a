"""What changed from one run to another: win shares, scores, seats, the course of games, tickets."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ttrsim.batches import LEVEL, Array, Estimate, Interval, ratio
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.stats.frames import Column, Table, block_games, build, joined, sums
from ttrsim.stats.paired import Pair
from ttrsim.stats.scores import GAMES
from ttrsim.stats.strategies import PLAYERS, STRATEGIES, per_seat
from ttrsim.stats.tickets import TICKETS, fates, offer_effects
from ttrsim.stats.verdicts import rare_share

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.boards import Board
    from ttrsim.runs import Run

CHANGES = Table(
    "changes",
    "A row is one thing that both runs tell of a strategy, a seat, a ticket, or of games as a whole.",
    (
        PLAYERS,
        Column("table", "key", "", "What it is told of: strategies, seats, games or tickets."),
        Column(
            "of", "key", "", "Which strategy, seat or ticket; of strategies that replace each other, as x → y.", "Of"
        ),
        Column("what", "key", "", "A column of `ttrsim stats` with that name, tickets over all strategies.", "What"),
        Column("unit", "key", "", "Its unit; shares are fractions of 1."),
        Column("a", "number", "see unit", "What it is in the first run; none where it is not there.", "A"),
        Column("b", "number", "see unit", "What it is in the second run.", "B"),
        Column("change", "estimate", "see unit", "What it is more in the second run.", "Change ±"),
    ),
    "",
    "The intervals of changes in one thing hold at once for all strategies, all seats, or all tickets.",
)

SEAT_COLUMNS = ("win_share", "score")
TICKET_COLUMNS = ("keep_rate", "completed_offered", "completed_kept")


class Counts(NamedTuple):
    """What a share is a share of, arrays (of,)."""

    events: Array
    chances: Array
    blocks: Array  # about in how many different blocks the chances are, rather too few

    def at(self, places: Array) -> "Counts":
        """Those at these places; 0 at −1."""
        return Counts(*(np.append(array, 0)[places] for array in self))


@dataclass(frozen=True)
class Measured:
    """One thing that a run tells, of all strategies, seats or tickets."""

    unit: str
    estimate: Estimate  # (of,)
    counts: Counts | None = None  # of a share


def changes(pair: Pair) -> "pd.DataFrame":
    """All that changed, with its errors."""
    columns = joined([row for name in TABLES for row in _rows(pair, name)])
    players = np.full(len(columns["a"]), pair.a.plan.seats)
    return build(CHANGES, {"players": players, **columns})


def _rows(pair: Pair, table: str) -> Iterator[dict[str, Any]]:
    """The columns of the frame, a part for each thing that is told.

    Whether a change of a share is known is told by the events of both runs together.
    """
    measured, match = TABLES[table]
    first, second, matched = measured(pair.a), measured(pair.b), match(pair.a, pair.b)
    names = np.array([name for name, _, _ in matched], object)
    in_a, in_b = (np.array(places) for places in zip(*((i, j) for _, i, j in matched), strict=True))
    for what, a in first.items():
        b = second[what]
        one, other = _taken(a.estimate, in_a), _taken(b.estimate, in_b)
        if table == "strategies" and not (np.nan_to_num(one.value).any() or np.nan_to_num(other.value).any()):
            continue  # a rule that neither board has
        change = pair.change(one, other)
        if a.counts and b.counts:
            interval = _of_shares(change, a.counts.at(in_a), b.counts.at(in_b))
        else:
            interval = change.simultaneous()
        yield {
            "table": np.full(len(names), table, object),
            "of": names,
            "what": np.full(len(names), what, object),
            "unit": np.full(len(names), a.unit, object),
            "a": one.value,
            "b": other.value,
            "change": interval,
        }


def _taken(estimate: Estimate, places: Array) -> Estimate:
    """The estimates at these places; at −1, which stands for what a run has not, NaN."""
    none = np.full((*estimate.replicates.shape[:1], 1), np.nan)
    replicates = np.concatenate([estimate.replicates, none], axis=1)
    return Estimate(np.append(estimate.value, np.nan)[places], replicates[:, places])


def _of_shares(change: Estimate, a: Counts, b: Counts) -> Interval:
    """Where there are too few events, or too few but events, for batches to tell: from the shares of each run.

    Those are as much wider as it takes for the whole family to hold.
    """
    frequent = change.frequent(a.events + b.events, a.chances + b.chances)
    value, low, high = frequent.simultaneous()
    with np.errstate(invalid="ignore", divide="ignore"):
        in_a, in_b = (rare_share(*counts, 1 - (1 - LEVEL) / len(value)) for counts in (a, b))
    rare = np.isnan(low) & ~np.isnan(value)
    return Interval(value, np.where(rare, in_b.low - in_a.high, low), np.where(rare, in_b.high - in_a.low, high))


def _measured(columns: dict[str, Array], below: Array, definition: Table, block: int) -> dict[str, Measured]:
    """Sums over games, (batches, of), divided by others, of which a block has at most so many."""
    found = {}
    for name, above in columns.items():
        unit, estimate = definition.column(name).unit, ratio(above, below)
        events, chances = above.sum(axis=0), below.sum(axis=0)
        found[name] = Measured(unit, estimate, Counts(events, chances, chances // block) if unit == "share" else None)
    return found


def _of_strategies(run: "Run") -> dict[str, Measured]:
    s = sums(run, "seats")
    columns = {name: array.sum(axis=2) for name, array in per_seat(s).items()}
    ordered = {c.name: columns[c.name] for c in STRATEGIES.columns if c.name in columns}
    return _measured(ordered, s["games"].sum(axis=2), STRATEGIES, block_games(run) * run.plan.seats)


def _of_seats(run: "Run") -> dict[str, Measured]:
    s = sums(run, "seats")
    sums_of = per_seat(s)
    columns = {name: sums_of[name].sum(axis=1) for name in SEAT_COLUMNS}
    return _measured(columns, s["games"].sum(axis=1), STRATEGIES, block_games(run))


def _of_games(run: "Run") -> dict[str, Measured]:
    s = {name: array.sum(axis=1, keepdims=True) for name, array in sums(run, "games").items()}
    columns = {c.name: s[c.name] for c in GAMES.columns if c.name in s and c.kind == "estimate"}
    return _measured(columns, s["games"], GAMES, block_games(run))


def _of_tickets(run: "Run") -> dict[str, Measured]:
    score, win = (offer_effects(run, outcome, "all") for outcome in ("score", "win60"))
    told = fates(run, "all")
    return {
        "score_effect": Measured("points", score),
        "win_effect": Measured("share difference", Estimate(win.value / WHOLE_WIN, win.replicates / WHOLE_WIN)),
        **{name: Measured(TICKETS.column(name).unit, told[name]) for name in TICKET_COLUMNS},
    }


Match = tuple[str, int, int]
"""Something that both runs have: its name and its place in each; −1 in a run that has it not."""


def match_strategies(a: Sequence[str], b: Sequence[str]) -> list[Match]:
    """Strategies of the same name; of the others the first of a with the first of b, and so on.

    >>> match_strategies(["planner", "random"], ["random", "hoarder"])
    [('random', 1, 0), ('planner → hoarder', 0, 1)]
    """
    both = [(name, i, b.index(name)) for i, name in enumerate(a) if name in b]
    gone = [i for i, name in enumerate(a) if name not in b]
    come = [j for j, name in enumerate(b) if name not in a]
    replaced = [(f"{a[i]} → {b[j]}", i, j) for i, j in zip(gone, come, strict=False)]
    left = [(a[i], i, -1) for i in gone[len(come) :]]
    return [*both, *replaced, *left, *((b[j], -1, j) for j in come[len(gone) :])]


def _match_strategies(a: "Run", b: "Run") -> list[Match]:
    return match_strategies(a.strategies, b.strategies)


def _match_seats(a: "Run", b: "Run") -> list[Match]:
    return [(str(seat), seat, seat) for seat in range(a.plan.seats)]


def _match_games(a: "Run", b: "Run") -> list[Match]:
    return [("", 0, 0)]


def _match_tickets(a: "Run", b: "Run") -> list[Match]:
    return match_names(_ticket_names(a.board), _ticket_names(b.board))


def match_names(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Match]:
    """Those of a in their order, and then those that only b has."""
    in_b = {name: place for place, name in enumerate(b)}
    here = [(str(name), place, in_b.get(name, -1)) for place, name in enumerate(a)]
    return here + [(str(name), -1, place) for place, name in enumerate(b) if name not in set(a)]


def _ticket_names(board: "Board") -> list[str]:
    """All different: of several tickets between the same cities the later ones are numbered."""
    seen: dict[str, Iterator[int]] = {}
    numbered = ((name, next(seen.setdefault(name, count(1)))) for name in map(board.ticket_name, board.tickets))
    return [name if number == 1 else f"{name} #{number}" for name, number in numbered]


TABLES = {
    "strategies": (_of_strategies, _match_strategies),
    "seats": (_of_seats, _match_seats),
    "games": (_of_games, _match_games),
    "tickets": (_of_tickets, _match_tickets),
}
"""What a comparison is of: what a run tells of it, and what of two runs belongs together."""

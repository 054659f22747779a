"""The aggregates of a run: exact sums over its games, whose size does not grow with their number.

Each table of TABLES is an array of integers with the axes listed, and then the columns. The sum of two arrays has the
sums over both sets of games. `docs/runs.md` says what each column means.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.core import constants as c
from ttrsim.core import tally as core
from ttrsim.core.records import GAME
from ttrsim.games import Results
from ttrsim.schedule import GROUP_BATCHES

Array = npt.NDArray[np.int64]

PART_COLUMNS = (
    "points_routes",
    "points_markers",
    "points_won",
    "points_lost",
    "points_trail",
    "points_most_tickets",
    "points_stations",
    "points_captures",
    "points_alvin",
    "points_tokens",
)
"""The columns of `parts`, in their order."""
COUNT_COLUMNS = (
    "turns",
    "blind_draws",
    "face_up_draws",
    "wilds_taken",
    "ticket_draws",
    "claims",
    "withdrawn",
    "passes",
)
"""The columns of `counts`, in their order."""
ENDINGS = ("ended", "stalemate", "overlong")
"""How games end, in the order of their codes: from `ENDED` on."""


class Level(Enum):
    """Whether a table has sums by batch, by group of batches, or of the whole run."""

    BATCH = "batch"
    GROUP = "group"
    RUN = "run"

    def number(self, lap: int, batch_laps: int) -> int:
        """Return the number of the batch or group that a lap belongs to."""
        return {"batch": lap // batch_laps, "group": lap // (GROUP_BATCHES * batch_laps), "run": 0}[self.value]


@dataclass(frozen=True)
class SumTable:
    """A table of aggregates."""

    axes: tuple[str, ...]  # what each row is about
    columns: tuple[str, ...]  # sums

    @property
    def level(self) -> Level:
        """By what the sums are kept apart."""
        return {"batch": Level.BATCH, "group": Level.GROUP}.get(self.axes[0], Level.RUN)


TABLES = {
    "games": SumTable(
        ("batch", "line_up"),
        (
            "games",
            "turns",
            "turns_squared",
            *ENDINGS,
            "reshuffles",
            "refreshes",
            "shared_wins",
            "winner_score",
            "margin",
            "spread",
        ),
    ),
    "seats": SumTable(
        ("batch", "strategy", "seat"),
        (
            "games",
            "win60",
            "win60_squared",
            "score",
            "score_squared",
            "won_alone",
            "offered",
            "offered_kept",
            "offered_completed",
            "drawn",
            "drawn_kept",
            "drawn_completed",
            "trail",
            "trains_left",
            *(f"rank_{rank}" for rank in range(1, c.SEATS + 1)),
            *PART_COLUMNS,
            *COUNT_COLUMNS,
        ),
    ),
    "line_ups": SumTable(("batch", "line_up", "strategy"), ("games", "win60", "score", "score_squared")),
    "versus": SumTable(("batch", "strategy", "other"), ("games", "ahead", "tied", "lead")),
    "tickets": SumTable(
        ("batch", "strategy", "seat", "ticket"),
        (
            "offered",
            "offered_win60",
            "offered_score",
        ),
    ),
    "ticket_fates": SumTable(
        ("group", "strategy", "ticket"),
        (
            "kept",
            "kept_win60",
            "kept_score",
            "completed",
            "completed_win60",
            "completed_score",
            "connected",
            "connected_turn",
            "blocked",
            "drawn",
            "drawn_kept",
            "drawn_completed",
        ),
    ),
    "ticket_pairs": SumTable(("group", "ticket", "other"), ("offered", "win60", "score", "score_squared")),
    "routes": SumTable(("group", "strategy", "route"), ("claims", "win60", "score", "turn")),
    "cities": SumTable(("group", "strategy", "city"), ("games", "win60", "score", "turn")),
    "scores": SumTable(("strategy", "score"), ("games", "win60")),
    "lengths": SumTable(("turns",), ("games",)),
    "orders": SumTable(("batch", "order"), ("games",)),
}
"""All tables. `orders` is kept as a dict of its non-zero rows, the others as arrays."""

DENSE = tuple(name for name in TABLES if name != "orders")
AT_LEVEL = {level: tuple(name for name in DENSE if TABLES[name].level is level) for level in Level}
"""The tables that are arrays, by level."""
OFFER_COLUMNS = len(TABLES["tickets"].columns)
"""The core's sums over tickets begin with the columns of `tickets`; those of `ticket_fates` follow."""


@dataclass(frozen=True)
class Sizes:
    """The lengths of the axes of a run's aggregates."""

    line_ups: int
    strategies: int
    seats: int
    tickets: int
    routes: int
    cities: int

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a table's array for one batch, one group, or the run."""
        lengths = {
            "line_up": self.line_ups,
            "strategy": self.strategies,
            "seat": self.seats,
            "ticket": self.tickets,
            "other": self.strategies if name == "versus" else self.tickets,
            "route": self.routes,
            "city": self.cities,
            "score": core.SCORE_BINS,
            "turns": c.TURN_LIMIT * self.seats + 1,
        }
        table = TABLES[name]
        return (*(lengths[axis] for axis in table.axes if axis in lengths), len(table.columns))

    def length(self, level: Level) -> int:
        """Return the number of sums of a batch, a group or the run."""
        return sum(math.prod(self.shape(name)) for name in AT_LEVEL[level])


class Tally:
    """Sums over games, by batch, by group of batches, and over all of them."""

    def __init__(self, sizes: Sizes, batch_laps: int) -> None:
        self.sizes, self.batch_laps = sizes, batch_laps
        self.parts: dict[Level, dict[int, Array]] = {level: {} for level in Level}
        """By level and number, the tables of that level one after the other."""
        self.orders: dict[tuple[int, int], int] = {}  # (batch, order as in `ttrsim.core.tally`) -> games

    def part(self, level: Level, number: int) -> Array:
        """Return all sums of a batch, a group or the run, which are zero at first."""
        of_level = self.parts[level]
        if number not in of_level:
            of_level[number] = np.zeros(self.sizes.length(level), np.int64)
        return of_level[number]

    def tables(self, level: Level, number: int) -> dict[str, Array]:
        """Return the tables of a batch, a group or the run, each (…, columns)."""
        sums, start, tables = self.part(level, number), 0, {}
        for name in AT_LEVEL[level]:
            shape = self.sizes.shape(name)
            end = start + math.prod(shape)
            tables[name] = sums[start:end].reshape(shape)
            start = end
        return tables

    def at(self, lap: int) -> dict[str, Array]:
        """Return all tables to which the games of a lap are added."""
        return {
            name: array
            for level in Level
            for name, array in self.tables(level, level.number(lap, self.batch_laps)).items()
        }

    def array(self, name: str, numbers: Sequence[int]) -> Array:
        """Return a table with these batches or groups along the first axis, unless it is a table of the whole run."""
        level = TABLES[name].level
        if level is Level.RUN:
            return self.tables(level, 0)[name]
        return np.stack([self.tables(level, number)[name] for number in numbers])

    def add_orders(self, batch: int, orders: Array, games: Array) -> None:
        """Add games of a batch: `games` of each order of finishing."""
        for order, number in zip(orders.tolist(), games.tolist(), strict=True):
            self.orders[batch, order] = self.orders.get((batch, order), 0) + number


class Adder:
    """Adds the results of games to a tally."""

    def __init__(self, board: Any, tally: Tally) -> None:
        self.board, self.tally = board, tally
        sizes = tally.sizes
        self._scratch = np.zeros(1, GAME)[0].scratch
        self._sequence = np.zeros(c.ROUTES, np.int64)
        self._room = np.zeros((2, c.ROUTE_WORDS), np.uint64)
        self._tickets = np.zeros((sizes.strategies, sizes.seats, sizes.tickets, core.TICKET_SUMS), np.int64)

    def add(self, lap: int, results: Results, line_ups: Array) -> None:
        """Add games of the batch of `lap`; `results` has the run's numbers for strategies."""
        a = self.tally.at(lap)
        orders = np.zeros(len(results.games), np.int64)
        core.compiled_tally_seats()(
            results.seats, results.games, line_ups, a["games"], a["seats"], a["line_ups"], a["versus"], a["scores"],
            a["lengths"][:, 0], orders,
        )  # fmt: skip
        self._tickets[:] = 0
        core.compiled_tally_tickets()(
            self.board, results.seats, results.games, self._tickets, a["ticket_pairs"], a["routes"], a["cities"],
            self._scratch, self._sequence, self._room,
        )  # fmt: skip
        a["tickets"] += self._tickets[..., :OFFER_COLUMNS]
        a["ticket_fates"] += self._tickets[..., OFFER_COLUMNS:].sum(axis=1)
        self.tally.add_orders(lap // self.tally.batch_laps, *np.unique(orders, return_counts=True))

"""The aggregates of a run: sums over its games, exact and small however many games there are.

Each table of TABLES is an array of integers: the axes as listed, then the columns. Add up two arrays and you have the
sums over both sets of games. `docs/runs.md` says what each column means.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.core import constants as c
from ttrsim.core import tally as core
from ttrsim.core.records import GAME
from ttrsim.simulation import Results

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

GROUP_BATCHES = 4
"""Batches of a group: what mostly describes is summed by group, for a megabyte less and hardly wider intervals."""


class Level(Enum):
    """What a table has sums of: each batch, each group of batches, or the run."""

    BATCH = "batch"
    GROUP = "group"
    RUN = "run"

    def number(self, batch: int) -> int:
        """Which of them a batch belongs to."""
        return {"batch": batch, "group": batch // GROUP_BATCHES, "run": 0}[self.value]

    def numbers(self, batches: Iterable[int]) -> list[int]:
        """Which of them batches belong to, in order."""
        return sorted({self.number(batch) for batch in batches})


@dataclass(frozen=True)
class SumTable:
    """A table of aggregates: of sums."""

    axes: tuple[str, ...]  # what each row is about
    columns: tuple[str, ...]  # sums

    @property
    def level(self) -> Level:
        """What has sums of its own."""
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
            "dealt",
            "dealt_kept",
            "dealt_completed",
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
            "timed",
            "timed_turns",
            "cut",
            "drawn",
            "drawn_kept",
            "drawn_completed",
        ),
    ),
    "ticket_pairs": SumTable(("group", "ticket", "other"), ("offered", "win60", "score", "score_squared")),
    "routes": SumTable(("group", "strategy", "route"), ("claims", "win60", "score", "turns")),
    "cities": SumTable(("group", "strategy", "city"), ("games", "win60", "score", "turns")),
    "scores": SumTable(("strategy", "score"), ("games", "win60")),
    "lengths": SumTable(("turns",), ("games",)),
    "orders": SumTable(("batch", "order"), ("games",)),
}
"""All of them; `orders` is kept as its rows that are not zero, the others as arrays."""

DENSE = tuple(name for name in TABLES if name != "orders")
OFFER_COLUMNS = len(TABLES["tickets"].columns)
"""The core's sums over tickets are these, which `tickets` has by seat, and then those of `ticket_fates`."""


@dataclass(frozen=True)
class Sizes:
    """How many there are of everything a run's aggregates are about."""

    line_ups: int
    strategies: int
    seats: int
    tickets: int
    routes: int
    cities: int

    def shape(self, name: str, batches: Sequence[int]) -> tuple[int, ...]:
        """The shape of a table's array, of these batches."""
        lengths = {
            "batch": len(batches),
            "group": len(Level.GROUP.numbers(batches)),
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
        return (*(lengths[axis] for axis in table.axes), len(table.columns))


class Tally:
    """Sums over games, of one or several batches."""

    def __init__(self, sizes: Sizes, batches: Sequence[int]) -> None:
        self.sizes = sizes
        self.batches = list(batches)
        self.numbers = {level: level.numbers(self.batches) for level in Level}
        self.arrays = {name: np.zeros(sizes.shape(name, self.batches), np.int64) for name in DENSE}
        self.orders: dict[tuple[int, int], int] = {}  # (batch, order as in `ttrsim.core.tally`) -> games
        self._scratch = np.zeros(1, GAME)[0].scratch
        self._sequence = np.zeros(c.ROUTES, np.int64)
        self._room = np.zeros((2, c.ROUTE_WORDS), np.uint64)
        self._tickets = np.zeros((sizes.strategies, sizes.seats, sizes.tickets, core.TICKET_SUMS), np.int64)

    def sums(self, name: str, number: int) -> Array:
        """The part of a table's array that is about a batch or group, by its number; all of it where it has none."""
        level = TABLES[name].level
        return self.arrays[name] if level is Level.RUN else self.arrays[name][self.numbers[level].index(number)]

    def add(self, board: Any, batch: int, results: Results, line_ups: Array) -> None:
        """Add games of a batch: `results` with the run's numbers for strategies, and the line-up of each."""
        a = {name: self.sums(name, TABLES[name].level.number(batch)) for name in DENSE}
        orders = np.zeros(len(results.games), np.int64)
        core.compiled_tally_seats()(
            results.seats, results.games, line_ups, a["games"], a["seats"], a["line_ups"], a["versus"], a["scores"],
            a["lengths"][:, 0], orders,
        )  # fmt: skip
        self._tickets[:] = 0
        core.compiled_tally_tickets()(
            board, results.seats, results.games, self._tickets, a["ticket_pairs"], a["routes"], a["cities"],
            self._scratch, self._sequence, self._room,
        )  # fmt: skip
        a["tickets"] += self._tickets[..., :OFFER_COLUMNS]
        a["ticket_fates"] += self._tickets[..., OFFER_COLUMNS:].sum(axis=1)
        self.add_orders(batch, *np.unique(orders, return_counts=True))

    def add_orders(self, batch: int, orders: Array, games: Array) -> None:
        """Add so many games that ended in these orders."""
        for order, number in zip(orders.tolist(), games.tolist(), strict=True):
            self.orders[batch, order] = self.orders.get((batch, order), 0) + number

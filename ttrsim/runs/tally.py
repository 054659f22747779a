"""The aggregates of a run: sums over its games, by batch, exact and small however many games there are.

Each table of TABLES is an array of integers: the axes as listed, then the columns. Add up two arrays and you have the
sums over both sets of games. `docs/runs.md` says what each column means.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Table:
    """A table of aggregates."""

    axes: tuple[str, ...]  # what each row is about
    columns: tuple[str, ...]  # sums

    @property
    def by_batch(self) -> bool:
        """Whether each batch has sums of its own."""
        return self.axes[0] == "batch"


TABLES = {
    "games": Table(
        ("batch", "line_up"),
        (
            "games",
            "turns",
            "turns_squared",
            "ended",
            "stalemate",
            "overlong",
            "reshuffles",
            "refreshes",
            "shared_wins",
            "winner_score",
            "margin",
            "spread",
        ),
    ),
    "seats": Table(
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
    "line_ups": Table(("batch", "line_up", "strategy"), ("games", "win60", "score", "score_squared")),
    "versus": Table(("batch", "strategy", "other"), ("games", "ahead", "tied", "lead")),
    "tickets": Table(
        ("batch", "strategy", "seat", "ticket"),
        (
            "offered",
            "offered_win60",
            "offered_score",
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
    "ticket_pairs": Table(("batch", "ticket", "other"), ("offered", "win60", "score", "score_squared")),
    "routes": Table(("batch", "strategy", "route"), ("claims", "win60", "score", "turns")),
    "cities": Table(("batch", "strategy", "city"), ("games", "win60", "score", "turns")),
    "scores": Table(("strategy", "score"), ("games", "win60")),
    "lengths": Table(("turns",), ("games",)),
    "orders": Table(("batch", "order"), ("games",)),
}
"""All of them; `orders` is kept as its rows that are not zero, the others as arrays."""

DENSE = tuple(name for name in TABLES if name != "orders")


@dataclass(frozen=True)
class Sizes:
    """How many there are of everything a run's aggregates are about."""

    line_ups: int
    strategies: int
    seats: int
    tickets: int
    routes: int
    cities: int

    def shape(self, name: str, batches: int) -> tuple[int, ...]:
        """The shape of a table's array."""
        lengths = {
            "batch": batches,
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
        self.arrays = {name: np.zeros(sizes.shape(name, len(self.batches)), np.int64) for name in DENSE}
        self.orders: dict[tuple[int, int], int] = {}  # (batch, order as in `ttrsim.core.tally`) -> games
        self._scratch = np.zeros(1, GAME)[0].scratch
        self._sequence = np.zeros(c.ROUTES, np.int64)
        self._room = np.zeros((2, c.ROUTE_WORDS), np.uint64)

    def add(self, board: Any, batch: int, results: Results, line_ups: Array) -> None:
        """Add games of a batch: `results` with the run's numbers for strategies, and the line-up of each."""
        place = self.batches.index(batch)
        a = {name: array[place] if TABLES[name].by_batch else array for name, array in self.arrays.items()}
        orders = np.zeros(len(results.games), np.int64)
        core.compiled_tally_seats()(
            results.seats, results.games, line_ups, a["games"], a["seats"], a["line_ups"], a["versus"], a["scores"],
            a["lengths"][:, 0], orders,
        )  # fmt: skip
        core.compiled_tally_tickets()(
            board, results.seats, results.games, a["tickets"], a["ticket_pairs"], a["routes"], a["cities"],
            self._scratch, self._sequence, self._room,
        )  # fmt: skip
        self.add_orders(batch, *np.unique(orders, return_counts=True))

    def add_orders(self, batch: int, orders: Array, games: Array) -> None:
        """Add so many games that ended in these orders."""
        for order, number in zip(orders.tolist(), games.tolist(), strict=True):
            self.orders[batch, order] = self.orders.get((batch, order), 0) + number

    def merge(self, arrays: Mapping[str, Array], batches: Sequence[int]) -> None:
        """Add the arrays of another tally, of these batches."""
        places = [self.batches.index(batch) for batch in batches]
        for name, array in arrays.items():
            if TABLES[name].by_batch:
                self.arrays[name][places] += array
            else:
                self.arrays[name] += array

"""The aggregates of a run: exact sums over its games, whose size does not grow with their number; and their file.

Each table of TABLES is an array with the axes listed, whose fields `ttrsim.core.sums` names. The sum of two arrays has
the sums over both sets of games. `docs/runs.md` says what each column means.

The file `sums.bin`, in shards and in the summary, begins with a 16-byte hash of the tables, their columns and sizes,
and with the unpacked size of the rest: 64-bit integers, packed by zstd. First come how many batches, groups and orders
there are, then the numbers of the batches and groups, then the orders, then the tables.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ttrsim.core import constants as c
from ttrsim.core import sums
from ttrsim.core.records import GAME
from ttrsim.core.tally import compiled_tally_seats, compiled_tally_tickets
from ttrsim.games import Results
from ttrsim.schedule import GROUP_BATCHES

Array = npt.NDArray[Any]


class Level(Enum):
    """The level of the sums in a table: by batch, by group of batches, or of the whole run."""

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
    record: Any  # of `ttrsim.core.sums`

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Its sums."""
        return tuple(sums.columns(self.record))

    @cached_property
    def dtype(self) -> Any:
        """A row with a field for each column."""
        return np.dtype([(column, np.int64) for column in self.columns])

    @property
    def level(self) -> Level:
        """By what the sums are kept apart."""
        return {"batch": Level.BATCH, "group": Level.GROUP}.get(self.axes[0], Level.RUN)


TABLES = {
    "games": SumTable(("batch", "line_up"), sums.GAME_SUMS),
    "seats": SumTable(("batch", "strategy", "seat"), sums.SEAT_SUMS),
    "deals": SumTable(("batch", "line_up"), sums.DEAL_SUMS),
    "line_ups": SumTable(("batch", "line_up", "strategy"), sums.LINE_UP_SUMS),
    "versus": SumTable(("batch", "strategy", "other"), sums.VERSUS_SUMS),
    "tickets": SumTable(("batch", "strategy", "seat", "ticket"), sums.TICKET_SUMS),
    "ticket_fates": SumTable(("group", "strategy", "ticket"), sums.FATE_SUMS),
    "ticket_pairs": SumTable(("group", "ticket", "other"), sums.PAIR_SUMS),
    "routes": SumTable(("group", "strategy", "route"), sums.ROUTE_SUMS),
    "cities": SumTable(("group", "strategy", "city"), sums.CITY_SUMS),
    "scores": SumTable(("strategy", "score"), sums.SCORE_SUMS),
    "lengths": SumTable(("turns",), sums.LENGTH_SUMS),
    "orders": SumTable(("batch", "order"), sums.LENGTH_SUMS),
}
"""All tables. `orders` is kept as a dict of its non-zero rows, the others as arrays."""

DENSE = tuple(name for name in TABLES if name != "orders")
AT_LEVEL = {level: tuple(name for name in DENSE if TABLES[name].level is level) for level in Level}
"""The tables that are arrays, by level."""


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
            "score": sums.SCORE_BINS,
            "turns": c.TURN_LIMIT * self.seats + 1,
        }
        return tuple(lengths[axis] for axis in TABLES[name].axes if axis in lengths)

    def numbers(self, name: str) -> int:
        """Return how many sums such an array has."""
        return math.prod(self.shape(name)) * len(TABLES[name].columns)

    def length(self, level: Level) -> int:
        """Return the number of sums of a batch, a group or the run."""
        return int(places(self, level)[-1][1].stop)


@cache
def places(sizes: Sizes, level: Level) -> tuple[tuple[str, slice, tuple[int, ...]], ...]:
    """Return the tables of a batch, a group or the run: their names, places among its sums, and shapes."""
    found, start = [], 0
    for name in AT_LEVEL[level]:
        end = start + sizes.numbers(name)
        found.append((name, slice(start, end), sizes.shape(name)))
        start = end
    return tuple(found)


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
        """Return the tables of a batch, a group or the run, as records that the core adds to."""
        part = self.part(level, number)
        return {
            name: part[place].view(TABLES[name].record).reshape(shape)
            for name, place, shape in places(self.sizes, level)
        }

    def at(self, lap: int) -> dict[str, Array]:
        """Return all tables to which the games of a lap are added."""
        return {
            name: array
            for level in Level
            for name, array in self.tables(level, level.number(lap, self.batch_laps)).items()
        }

    def array(self, name: str, numbers: Sequence[int]) -> Array:
        """Return a table with these batches or groups along the first axis, unless it is a table of the whole run."""
        table = TABLES[name]
        if table.level is Level.RUN:
            return self.tables(table.level, 0)[name].view(table.dtype)
        place, shape = next((place, shape) for found, place, shape in places(self.sizes, table.level) if found == name)
        stacked: Array = np.stack([self.part(table.level, number)[place] for number in numbers]).view(table.dtype)
        return stacked.reshape(len(numbers), *shape)

    def add(self, other: "Tally") -> None:
        """Add the sums over other games, by the same batches."""
        for level, parts in other.parts.items():
            for number, part in parts.items():
                self.part(level, number)[:] += part
        for place, games in other.orders.items():
            self.orders[place] = self.orders.get(place, 0) + games

    def add_orders(self, batch: int, orders: Array, games: Array) -> None:
        """Add games of a batch: `games` of each order of finishing."""
        for order, number in zip(orders.tolist(), games.tolist(), strict=True):
            self.orders[batch, order] = self.orders.get((batch, order), 0) + number


class Adder:
    """Adds the results of games to a tally."""

    def __init__(self, board: Any, tally: Tally) -> None:
        self.board, self.tally = board, tally
        self._scratch = np.zeros(1, GAME)[0].scratch
        self._sequence = np.zeros(c.ROUTES, np.int64)
        self._room = np.zeros((2, c.ROUTE_WORDS), np.uint64)

    def add(self, lap: int, results: Results, blocks: Array) -> None:
        """Add whole blocks of the batch of `lap`. blocks: (games,), that of each; strategies have the run's numbers."""
        a = self.tally.at(lap)
        orders = np.zeros(len(results.games), np.int64)
        compiled_tally_seats()(
            results.seats, results.games, blocks, a["games"], a["deals"], a["seats"], a["line_ups"], a["versus"],
            a["scores"], a["lengths"], orders,
        )  # fmt: skip
        compiled_tally_tickets()(
            self.board, results.seats, results.games, a["tickets"], a["ticket_fates"], a["ticket_pairs"], a["routes"],
            a["cities"], self._scratch, self._sequence, self._room,
        )  # fmt: skip
        self.tally.add_orders(lap // self.tally.batch_laps, *np.unique(orders, return_counts=True))


FILE = "sums.bin"
INDEXED = (Level.BATCH, Level.GROUP)
"""Levels that are numbered."""
HEADER = 24
LARGEST = 1 << 32
"""Most bytes that are unpacked."""
LARGEST_ORDERS = 1 << 28
"""Most of those bytes that orders of finishing may take; they are many only with many strategies at large tables."""
COMPRESSION = 1


class WrongSums(Exception):
    """The content is not that of a `sums.bin`, or it is that of another kind of run."""


@cache
def _layout(sizes: Sizes) -> bytes:
    """Return a hash of the tables, their columns and sizes."""
    tables = [
        (name, table.axes, table.columns, (*sizes.shape(name), len(table.columns)))
        for name, table in TABLES.items()
        if name in DENSE
    ]
    return hashlib.sha256(repr(tables).encode()).digest()[:16]


def write_sums(tally: Tally) -> bytes:
    """Return the content of the file of a tally."""
    numbers = {level: sorted(tally.parts[level]) for level in INDEXED}
    orders = [(batch, order, games) for (batch, order), games in sorted(tally.orders.items())]
    head = [*(len(numbers[level]) for level in INDEXED), len(orders)]
    parts: list[Any] = [head, *numbers.values(), np.array(orders, np.int64).reshape(-1)]
    for level in Level:
        for number in sorted(tally.parts[level]) if level in INDEXED else [0]:
            parts.append(tally.part(level, number))
    payload = np.concatenate([np.asarray(part, np.int64) for part in parts]).astype("<i8")
    packed = pa.Codec("zstd", COMPRESSION).compress(payload.tobytes(), asbytes=True)
    return bytes(_layout(tally.sizes) + payload.nbytes.to_bytes(8, "little") + packed)


def read_sums(content: Any, into: Tally, batch_laps: int, laps: range) -> None:
    """Add the sums of a shard's laps, whose batches have `batch_laps`, to a tally of batches as large or larger.

    Raises WrongSums and leaves the tally as it is if the content is wrong.
    """
    if into.batch_laps % batch_laps:
        raise WrongSums(f"has sums by batches of {batch_laps} laps, and the run by {into.batch_laps}")
    values = _Values(_unpacked(content, into.sizes, _most_numbers(into.sizes, batch_laps, laps)))
    batches, groups, orders = values.take(3).tolist()
    if min(batches, groups, orders) < 0 or values.left != _count_numbers(into.sizes, batches, groups, orders):
        raise WrongSums("does not have as many numbers as it says")
    numbers = {level: values.take(many).tolist() for level, many in zip(INDEXED, (batches, groups), strict=True)}
    for level, found in numbers.items():
        first, last = (level.number(lap, batch_laps) for lap in (laps.start, laps.stop - 1))
        if not all(first <= number <= last for number in found):
            raise WrongSums(f"has sums of another {level.value}")
    of_orders = values.take(3 * orders).reshape(-1, 3)
    if not set(of_orders[:, 0].tolist()) <= set(numbers[Level.BATCH]):
        raise WrongSums("has orders of other batches")
    grown = into.batch_laps // batch_laps
    for batch, order, games in of_orders.tolist():
        key = batch // grown, order
        into.orders[key] = into.orders.get(key, 0) + games
    for level in Level:
        for number in numbers.get(level, [0]):
            sums = into.part(level, number // grown)
            sums += values.take(len(sums))


class _Values:
    """Numbers of a file, taken one part after the other."""

    def __init__(self, values: Array) -> None:
        self._values, self._start = values, 0

    @property
    def left(self) -> int:
        """The number of values not taken yet."""
        return len(self._values) - self._start

    def take(self, many: int) -> Array:
        """Return the next numbers."""
        self._start += many
        return self._values[self._start - many : self._start]


@cache
def _lengths(sizes: Sizes) -> dict[Level, int]:
    return {level: sizes.length(level) for level in Level}


def _count_numbers(sizes: Sizes, batches: int, groups: int, orders: int) -> int:
    """Return how many numbers follow the first three in a file."""
    lengths = _lengths(sizes)
    tables = batches * lengths[Level.BATCH] + groups * lengths[Level.GROUP] + lengths[Level.RUN]
    return batches + groups + 3 * orders + tables


def _most_numbers(sizes: Sizes, batch_laps: int, laps: range) -> int:
    """Return how many numbers the file of a shard can have, apart from the orders of finishing."""
    batches, groups = (level.number(laps[-1], batch_laps) - level.number(laps[0], batch_laps) + 1 for level in INDEXED)
    return 3 + _count_numbers(sizes, batches, groups, 0)


def _unpacked(content: Any, sizes: Sizes, most: int) -> Array:
    if bytes(content[:16]) != _layout(sizes):
        raise WrongSums("is damaged, of another board, or of another version of ttrsim")
    size = int.from_bytes(content[16:HEADER], "little")
    if size > min(LARGEST, 8 * most + LARGEST_ORDERS) or size % 8 or size < 24:
        raise WrongSums("is damaged")
    try:
        unpacked = pa.decompress(content[HEADER:], decompressed_size=size, codec="zstd", asbytes=True)
    except (OSError, pa.ArrowException) as e:
        raise WrongSums(f"is damaged: {e}") from None
    return np.frombuffer(unpacked, "<i8")

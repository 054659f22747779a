"""Write and read a tally as the file `sums.bin`, in shards and in the summary.

It begins with a 16-byte hash of the tables, their columns and sizes, and with the unpacked size of the rest: 64-bit
integers, packed by zstd. First come how many batches, groups and orders there are, then the numbers of the batches and
groups, then the orders, then the tables.
"""

import hashlib
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from ttrsim.runs.tally import DENSE, TABLES, Array, Level, Sizes, Tally

FILE = "sums.bin"
INDEXED = (Level.BATCH, Level.GROUP)
"""Levels that are numbered."""
HEADER = 24
LARGEST = 1 << 32
"""Most bytes that are unpacked."""
LARGEST_ORDERS = 1 << 28
"""Most of those bytes that orders of finishing may take; they are many only with many strategies at large tables."""
COMPRESSION = 1
FORMER = {
    "line_ups": {"seats": "games"},
    "versus": {"pairs": "games"},
    "cities": {"visits": "games"},
    "scores": {"seats": "games"},
}
"""By table, columns that older files name otherwise."""


class WrongSums(Exception):
    """The content is not that of a `sums.bin`, or it is that of another kind of run."""


@cache
def _layout(sizes: Sizes, *, former: bool = False) -> bytes:
    """Return a hash of the tables, their columns and sizes; former: with the names of columns in older files."""
    tables = []
    for name in DENSE:
        table, names = TABLES[name], FORMER.get(name, {}) if former else {}
        columns = tuple(names.get(column, column) for column in table.columns)
        tables.append((name, table.axes, columns, (*sizes.shape(name), len(columns))))
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
    if bytes(content[:16]) not in (_layout(sizes), _layout(sizes, former=True)):
        raise WrongSums("is damaged, of another board, or of another version of ttrsim")
    size = int.from_bytes(content[16:HEADER], "little")
    if size > min(LARGEST, 8 * most + LARGEST_ORDERS) or size % 8 or size < 24:
        raise WrongSums("is damaged")
    try:
        unpacked = pa.decompress(content[HEADER:], decompressed_size=size, codec="zstd", asbytes=True)
    except (OSError, pa.ArrowException) as e:
        raise WrongSums(f"is damaged: {e}") from None
    return np.frombuffer(unpacked, "<i8")

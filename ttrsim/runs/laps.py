"""Ranges of laps: shards, the laps still to be played, and the portions of a run that several jobs play.

A shard is an *aligned* range: it has a power of two of laps and begins at a multiple of that number. So two shards are
either nested or disjoint, and two neighbours make a larger one.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

MOST_LAPS = 10**12
MOST_SHARDS = 100_000
"""About the most shards of a run: each one is a folder."""
SHARDS_OF_THREAD = 10
"""Fewest shards for each thread, in a run that has enough laps."""
EVENNESS = 64
"""Portions differ in length by at most one 64th."""


def power_below(number: int) -> int:
    """Return the largest power of two that is at most `number`, which is 1 or more."""
    return 1 << number.bit_length() - 1


def aligned(first: int, most: int) -> range:
    """Return the largest aligned range that begins with the lap `first` and has at most `most` laps.

    >>> aligned(12, 100), aligned(0, 100)
    (range(12, 16), range(0, 64))
    """
    size = power_below(most)
    return range(first, first + (min(size, first & -first) if first else size))


def is_aligned(laps: range) -> bool:
    """Return whether the range has a power of two of laps and begins at a multiple of that number."""
    return len(laps) & len(laps) - 1 == 0 and laps.start % len(laps) == 0


def pieces(laps: range, size: int) -> list[range]:
    """Divide a range of laps at the multiples of `size`."""
    starts = [laps.start, *range((laps.start // size + 1) * size, laps.stop, size)]
    return [range(first, end) for first, end in zip(starts, [*starts[1:], laps.stop], strict=True)]


def around(laps: range) -> Iterator[range]:
    """Yield an aligned range and all aligned ranges around it, up to a size that no run has.

    >>> [next(wider for wider in around(range(6, 7)) if len(wider) == size) for size in (1, 2, 4, 8)]
    [range(6, 7), range(6, 8), range(4, 8), range(0, 8)]
    """
    for size in (1 << power for power in range(len(laps).bit_length() - 1, MOST_LAPS.bit_length() + 1)):
        first = laps.start // size * size
        yield range(first, first + size)


def cover(shards: Iterable[range]) -> list[range]:
    """Return the shards that do not lie within others, in order."""
    covered: list[range] = []
    for laps in sorted(shards, key=lambda laps: (laps.start, -laps.stop)):
        if not covered or laps.start >= covered[-1].stop:
            covered.append(laps)
    return covered


def shard_sizes(laps: int, threads: int) -> tuple[int, int]:
    """Return the fewest and the most laps of a shard of a run on `threads` threads.

    How many it has between these bounds depends on the speed of its games.

    >>> shard_sizes(250_000, 2)
    (2, 8192)
    """
    fewest = power_below(max(1, laps // MOST_SHARDS))
    return fewest, max(fewest, power_below(max(1, laps // (SHARDS_OF_THREAD * threads))))


class Gaps:
    """The laps that are still to be played, as ranges in order."""

    def __init__(self, laps: range, done: Sequence[range] = ()) -> None:
        """done: shards, in order, none within another."""
        self._gaps: list[tuple[int, int]] = []
        first = laps.start
        for shard in done:
            self._add(first, min(shard.start, laps.stop))
            first = max(first, shard.stop)
        self._add(first, laps.stop)

    def _add(self, first: int, end: int) -> None:
        if first < end:
            self._gaps.append((first, end))

    def __len__(self) -> int:
        """Return the number of laps."""
        return sum(end - first for first, end in self._gaps)

    def __bool__(self) -> bool:
        return bool(self._gaps)

    @property
    def first(self) -> int:
        """The first lap still to be played."""
        return self._gaps[0][0]

    def take(self, most: int) -> range:
        """Take out an aligned range of at most `most` laps that begins with the first."""
        first, end = self._gaps.pop(0)
        taken = aligned(first, min(most, end - first))
        if taken.stop < end:
            self._gaps.insert(0, (taken.stop, end))
        return taken

    def give_back(self, laps: range) -> None:
        """Put back laps that were taken out and not played."""
        if not laps:
            return
        place = bisect_left(self._gaps, (laps.start, laps.stop))
        first, end = laps.start, laps.stop
        if place < len(self._gaps) and self._gaps[place][0] == end:
            end = self._gaps.pop(place)[1]
        if place and self._gaps[place - 1][1] == first:
            place -= 1
            first = self._gaps.pop(place)[0]
        self._gaps.insert(place, (first, end))


@dataclass(frozen=True)
class Portion:
    """The laps that one of several jobs plays: the `number`-th, from 1, of `of` ranges of about the same length."""

    number: int = 1
    of: int = 1

    def laps(self, laps: int) -> range:
        """Return the laps that this portion has of a run; none if there are more portions than laps.

        >>> [Portion(number, 3).laps(1000) for number in (1, 2, 3)]
        [range(0, 332), range(332, 664), range(664, 1000)]
        """
        unit = power_below(max(1, laps // (EVENNESS * self.of)))
        units = -(-laps // unit)
        first, end = (min(laps, unit * (units * number // self.of)) for number in (self.number - 1, self.number))
        return range(first, end)

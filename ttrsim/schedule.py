"""Decide who sits where in each block: line-ups, seatings, and how games are numbered and divided into batches.

Everything that plays games uses a `Schedule`, so game i of a seed is the same game in a run, in `simulate`, in a trial,
in the check of a strategy and in `ttrsim play`. A *lap* is one block of each line-up, in order; with a single line-up
it is a block. The number of laps in a *batch* is a power of two, so when a run is extended its batches either keep
their bounds or merge in pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import Literal

import numpy as np
import numpy.typing as npt

from ttrsim.errors import UsageError

Design = Literal["fixed", "mirror", "focal", "mixed"]
Rotate = Literal["cyclic", "all", "none"]
Order = Literal["every", "listed"]
"""The orders at the table of blocks of cyclic rotation: every one in turn, or the listed one for all."""

LineUp = tuple[int, ...]
"""The number of a strategy of the run for each place."""

STRIDE = 31
"""Step from one order at the table to the next: neighbouring permutations are alike, and even a few laps should have
unlike orders. All orders come up before any is repeated, because no number of orders (at most 120) is a multiple of
this prime."""
MOST_STRATEGIES = 20
MOST_LINE_UPS = 2000
"""With more, the aggregates of a run would take too much memory."""
MOST_BATCHES = 200
GROUP_BATCHES = 2
"""Batches per group. Descriptive sums are kept by group, which saves a megabyte and hardly widens the intervals."""
FIRST_LOOK = 32
"""Laps before the first *look*, a check whether the run may stop. The spacing of looks doubles whenever the laps do."""


def make_line_ups(design: Design, players: Sequence[int], seats: int | None) -> list[LineUp]:
    """Return the line-ups of a design. players: the numbers of the strategies as the user listed them.

    >>> make_line_ups("mixed", [0, 1], 2)
    [(0, 0), (0, 1), (1, 1)]
    >>> make_line_ups("focal", [0, 1, 2], 3)
    [(0, 1, 1), (0, 1, 2), (0, 2, 2)]
    """
    if design == "fixed":
        if seats not in (None, len(players)):
            raise UsageError([f"`seats` {seats}: design fixed seats the {len(players)} players listed, each once"])
        return [tuple(players)]
    if seats is None:
        raise UsageError([f"`design` {design}: needs `seats`, the number of seats at a table"])
    different = sorted(set(players), key=list(players).index)
    if design == "focal" and len(different) == 1:
        raise UsageError(["`design` focal: needs a field: list other players after the first"])
    _check_number(design, len(different), seats)
    if design == "mirror":
        return [(strategy,) * seats for strategy in different]
    if design == "mixed":
        return list(combinations_with_replacement(different, seats))
    focal, *field = different
    return [(focal, *others) for others in combinations_with_replacement(field, seats - 1)]


def _check_number(design: Design, strategies: int, seats: int) -> None:
    """Refuse a design with more line-ups than a run can have."""
    free = {"mixed": (strategies, seats), "focal": (strategies - 1, seats - 1)}
    kinds, places = free.get(design, (1, 1))
    if (number := comb(kinds + places - 1, places)) > MOST_LINE_UPS:
        problem = f"{strategies} strategies make {number} line-ups; a run can have at most {MOST_LINE_UPS}"
        raise UsageError([f"`design` {design}: {problem}"])


def make_seatings(line_up: LineUp, rotate: Rotate, order: Order = "every") -> npt.NDArray[np.uint8]:
    """Return the strategy in each seat of a line-up's blocks: (orders, games of a block, players).

    Each block of cyclic rotation has one order at the table, rotated from seat to seat. A line-up's blocks go through
    the orders in turn, because always playing after the same strategy helps or harms. The listed order comes first, the
    others in a fixed sequence. Orders with shorter blocks, such as A, B, A, B, are left out unless order="listed".

    >>> make_seatings((0, 1, 2), "cyclic").tolist()
    [[[0, 1, 2], [1, 2, 0], [2, 0, 1]], [[0, 2, 1], [2, 1, 0], [1, 0, 2]]]
    """
    first_places = tuple(line_up.index(strategy) for strategy in line_up)
    seatings: npt.NDArray[np.uint8] = np.array(line_up, np.uint8)[np.array(_orders(first_places, rotate, order))]
    return seatings


@cache
def _orders(line_up: LineUp, rotate: Rotate, order: Order) -> list[list[LineUp]]:
    """Return the distinct seatings of each order."""
    if rotate == "none":
        return [[line_up]]
    if rotate == "all":
        return [list(dict.fromkeys(permutations(line_up)))]
    if order == "listed":
        return [_turned(line_up)]
    orders: dict[LineUp, list[LineUp]] = {}
    for seated in permutations(line_up):
        turned = _turned(seated)
        orders.setdefault(min(turned), turned)
    longest = max(len(turned) for turned in orders.values())
    whole = [turned for turned in orders.values() if len(turned) == longest]  # all blocks must be equally long
    return [whole[STRIDE * number % len(whole)] for number in range(len(whole))]


def _turned(order: LineUp) -> list[LineUp]:
    """Return the distinct rotations of an order at the table."""
    return list(dict.fromkeys(order[shift:] + order[:shift] for shift in range(len(order))))


def batch_laps(laps: int) -> int:
    """Return the laps per batch in a run of `laps`: the smallest power of two that makes at most 200 batches.

    >>> [batch_laps(laps) for laps in (1, 200, 201, 5000)]
    [1, 1, 2, 32]
    """
    needed = -(-laps // MOST_BATCHES)
    return 1 << (needed - 1).bit_length()


def look_spacing(laps: int) -> int:
    """Return the number of laps between looks once `laps` have been played.

    >>> [look_spacing(laps) for laps in (0, 32, 63, 64, 1000)]
    [1, 1, 1, 2, 16]
    """
    return 1 << max(0, laps.bit_length() - FIRST_LOOK.bit_length())


def is_look(laps: int) -> bool:
    """Return whether there is a look after `laps`, regardless of the number of games in the run."""
    return laps >= FIRST_LOOK and laps % look_spacing(laps) == 0


def next_look(laps: int) -> int:
    """Return the number of laps at which the next look comes, once `laps` have been played."""
    spacing = look_spacing(laps)
    return max(FIRST_LOOK, (laps // spacing + 1) * spacing)


@dataclass(frozen=True)
class Schedule:
    """The games of some line-ups, in order. Games beyond `laps` have a block and a seating, too."""

    line_ups: tuple[LineUp, ...]
    rotate: Rotate
    laps: int
    order: Order = "every"

    @cached_property
    def _by_line_up(self) -> list[npt.NDArray[np.uint8]]:
        """The seatings of each line-up: (orders, games of a block, players)."""
        return [make_seatings(line_up, self.rotate, self.order) for line_up in self.line_ups]

    @cached_property
    def seatings(self) -> npt.NDArray[np.uint8]:
        """The strategy in each seat, in all orders of all line-ups: (different games, players)."""
        return np.concatenate([seatings.reshape(-1, seatings.shape[-1]) for seatings in self._by_line_up])

    @cached_property
    def line_up_of(self) -> npt.NDArray[np.int64]:
        """The line-up of each game of a lap."""
        return np.repeat(np.arange(len(self.line_ups)), [seatings.shape[1] for seatings in self._by_line_up])

    @cached_property
    def _places(self) -> npt.NDArray[np.int64]:
        """The index of the first seating of each game of a lap, their number and their spacing: (3, games)."""
        ends = np.cumsum([0, *(seatings.shape[0] * seatings.shape[1] for seatings in self._by_line_up)])
        of_line_ups = [
            (end + game, seatings.shape[0], seatings.shape[1])
            for end, seatings in zip(ends, self._by_line_up, strict=False)
            for game in range(seatings.shape[1])
        ]
        return np.array(of_line_ups).T

    @property
    def seats(self) -> int:
        """Players at a table."""
        return len(self.line_ups[0])

    @property
    def lap_games(self) -> int:
        """The number of games of a lap."""
        return len(self.line_up_of)

    @property
    def games(self) -> int:
        """The number of games of the run."""
        return self.laps * self.lap_games

    def games_of(self, laps: range) -> range:
        """Return the numbers of the games of these laps."""
        return range(laps.start * self.lap_games, laps.stop * self.lap_games)

    @property
    def batch_laps(self) -> int:
        """The number of laps per batch; the last batch may have fewer."""
        return batch_laps(self.laps)

    @property
    def batches(self) -> int:
        """The number of batches: 101 to 200, or one per lap in runs of up to 200 laps."""
        return -(-self.laps // self.batch_laps)

    def batch(self, number: int) -> range:
        """Return the laps of a batch."""
        first = number * self.batch_laps
        return range(first, min(first + self.batch_laps, self.laps))

    def where(self, games: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
        """Return the block of each game, (games,), and its seating, (games, players)."""
        laps, games_of_lap = np.divmod(games, self.lap_games)
        first, orders, apart = self._places[:, games_of_lap]
        blocks = laps * len(self.line_ups) + self.line_up_of[games_of_lap]
        return blocks, self.seatings[first + laps % orders * apart]

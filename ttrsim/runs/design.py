"""Which strategies meet, in which seats: the line-ups of a run and their seatings."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import Literal

import numpy as np
import numpy.typing as npt

from ttrsim.errors import UsageError

Design = Literal["fixed", "mirror", "focal", "mixed"]
Rotate = Literal["cyclic", "all", "none"]

LineUp = tuple[int, ...]
"""For each place, the number of a strategy of the run."""

STRIDE = 31
"""Orders at the table are taken so far apart: neighbours among permutations are alike, and even a few laps should have
unlike orders. All come before one comes again, for no number of orders (at most 120) is a multiple of this prime."""
MOST_STRATEGIES = 20
MOST_LINE_UPS = 2000
"""With more, the aggregates of a run would take too much memory."""


def make_line_ups(design: Design, players: Sequence[int], seats: int | None) -> list[LineUp]:
    """Return the line-ups of a design. players: the numbers of the strategies as the user listed them.

    >>> make_line_ups("mixed", [0, 1], 2)
    [(0, 0), (0, 1), (1, 1)]
    >>> make_line_ups("focal", [0, 1, 2], 3)
    [(0, 1, 1), (0, 1, 2), (0, 2, 2)]
    """
    if design == "fixed":
        if seats not in (None, len(players)):
            raise UsageError([f"--seats {seats}: design fixed seats the {len(players)} players listed, each once"])
        return [tuple(players)]
    if seats is None:
        raise UsageError([f"--design {design}: needs --seats, the number of seats at a table"])
    different = sorted(set(players), key=list(players).index)
    if design == "focal" and len(different) == 1:
        raise UsageError(["--design focal: needs a field, further players after the first"])
    _check_number(design, len(different), seats)
    if design == "mirror":
        return [(strategy,) * seats for strategy in different]
    if design == "mixed":
        return list(combinations_with_replacement(different, seats))
    focal, *field = different
    return [(focal, *others) for others in combinations_with_replacement(field, seats - 1)]


def _check_number(design: Design, strategies: int, seats: int) -> None:
    """Refuse designs of more line-ups than a run can have."""
    free = {"mixed": (strategies, seats), "focal": (strategies - 1, seats - 1)}
    kinds, places = free.get(design, (1, 1))
    if (number := comb(kinds + places - 1, places)) > MOST_LINE_UPS:
        problem = f"{strategies} strategies make {number} line-ups; a run has at most {MOST_LINE_UPS}"
        raise UsageError([f"--design {design}: {problem}"])


def make_seatings(line_up: LineUp, rotate: Rotate) -> npt.NDArray[np.uint8]:
    """Return the strategy in each seat of a line-up's blocks: (orders, games of a block, players).

    Each block of cyclic rotation has one order at the table, moved on from seat to seat. The blocks of a line-up take
    the orders in turn, for always playing after the same strategy helps or harms. The order listed comes first, the
    others in a fixed order. Orders with shorter blocks, as A, B, A, B, are left out.

    >>> make_seatings((0, 1, 2), "cyclic").tolist()
    [[[0, 1, 2], [1, 2, 0], [2, 0, 1]], [[0, 2, 1], [2, 1, 0], [1, 0, 2]]]
    """
    first_places = tuple(line_up.index(strategy) for strategy in line_up)
    seatings: npt.NDArray[np.uint8] = np.array(line_up, np.uint8)[np.array(_orders(first_places, rotate))]
    return seatings


@cache
def _orders(line_up: LineUp, rotate: Rotate) -> list[list[LineUp]]:
    """Return the seatings of each order, each seating once."""
    if rotate == "none":
        return [[line_up]]
    if rotate == "all":
        return [list(dict.fromkeys(permutations(line_up)))]
    orders: dict[LineUp, list[LineUp]] = {}
    for order in permutations(line_up):
        turned = _turned(order)
        orders.setdefault(min(turned), turned)
    longest = max(len(turned) for turned in orders.values())
    whole = [turned for turned in orders.values() if len(turned) == longest]  # all blocks must be equally long
    return [whole[STRIDE * number % len(whole)] for number in range(len(whole))]


def _turned(order: LineUp) -> list[LineUp]:
    """Return an order at the table in all its rotations, each once."""
    return list(dict.fromkeys(order[shift:] + order[:shift] for shift in range(len(order))))

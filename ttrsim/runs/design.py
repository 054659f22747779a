"""Which strategies meet, in which seats: the line-ups of a run and their rotations."""

from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import Literal

from ttrsim.errors import UsageError

Design = Literal["fixed", "mirror", "focal", "mixed"]
Rotate = Literal["cyclic", "all", "none"]

LineUp = tuple[int, ...]
"""For each place, the number of a strategy of the run."""

MOST_STRATEGIES = 20
MOST_LINE_UPS = 2000
"""With more the aggregates of a run would not fit into little memory."""


def make_line_ups(design: Design, players: Sequence[int], seats: int | None) -> list[LineUp]:
    """The line-ups of a design; players: the numbers of the strategies as the user listed them.

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
        told = f"{strategies} strategies make {number} line-ups; a run has at most {MOST_LINE_UPS}"
        raise UsageError([f"--design {design}: {told}"])


def rotations(line_up: LineUp, rotate: Rotate) -> list[LineUp]:
    """The different seatings of a line-up's block, by seat: each only once.

    >>> rotations((0, 1, 0, 1), "cyclic")
    [(0, 1, 0, 1), (1, 0, 1, 0)]
    """
    if rotate == "none":
        return [line_up]
    if rotate == "all":
        return list(dict.fromkeys(permutations(line_up)))
    return list(dict.fromkeys(line_up[shift:] + line_up[:shift] for shift in range(len(line_up))))

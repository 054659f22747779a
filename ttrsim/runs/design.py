"""Which strategies meet, in which seats: the line-ups of a run and their rotations."""

from collections.abc import Sequence
from itertools import combinations_with_replacement, permutations
from typing import Literal, get_args

from ttrsim.errors import UsageError

Design = Literal["fixed", "mirror", "focal", "mixed"]
Rotate = Literal["cyclic", "all", "none"]
DESIGNS: tuple[Design, ...] = get_args(Design)
ROTATES: tuple[Rotate, ...] = get_args(Rotate)

LineUp = tuple[int, ...]
"""For each place, the number of a strategy of the run."""

MOST_STRATEGIES = 100
MOST_LAP_GAMES = 100_000
"""Games of one block of each line-up, at most: beyond it a run could not be divided into enough batches."""


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
    if design == "mirror":
        return [(strategy,) * seats for strategy in different]
    if design == "mixed":
        return list(combinations_with_replacement(different, seats))
    focal, *field = different
    if not field:
        raise UsageError(["--design focal: needs a field, further players after the first"])
    return [(focal, *others) for others in combinations_with_replacement(field, seats - 1)]


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

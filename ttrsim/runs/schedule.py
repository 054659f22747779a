"""The numbering and division of a run's games: laps, blocks, batches, and the laps after which it may stop.

A *lap* is one block of each line-up, in their order; with one line-up it is a block. A *batch* is a power of two of
laps. So when a run is made longer its batches keep their bounds, or pairs of them become one.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ttrsim.runs.design import LineUp, Rotate, make_seatings

MOST_BATCHES = 200
GROUP_BATCHES = 2
"""Batches of a group. Descriptive sums are kept by group, which saves a megabyte for hardly wider intervals."""
FIRST_LOOK = 32
"""Laps before the first look at whether a run may stop. The distance between looks doubles as the laps do."""


def batch_laps(laps: int) -> int:
    """Return the laps of a batch in a run of `laps`: the smallest power of two that makes at most 200 batches.

    >>> [batch_laps(laps) for laps in (1, 200, 201, 5000)]
    [1, 1, 2, 32]
    """
    needed = -(-laps // MOST_BATCHES)
    return 1 << (needed - 1).bit_length()


def look_spacing(laps: int) -> int:
    """Return how many laps lie between two looks once `laps` have been played.

    >>> [look_spacing(laps) for laps in (0, 32, 63, 64, 1000)]
    [1, 1, 1, 2, 16]
    """
    return 1 << max(0, laps.bit_length() - FIRST_LOOK.bit_length())


def is_look(laps: int) -> bool:
    """Return whether there is a look after `laps`, which does not depend on the number of games."""
    return laps >= FIRST_LOOK and laps % look_spacing(laps) == 0


def next_look(laps: int) -> int:
    """Return the number of laps after which the next look is, if `laps` have been played."""
    spacing = look_spacing(laps)
    return max(FIRST_LOOK, (laps // spacing + 1) * spacing)


@dataclass(frozen=True)
class Schedule:
    """The games of a run in their order."""

    line_ups: tuple[LineUp, ...]
    rotate: Rotate
    laps: int

    @cached_property
    def _by_line_up(self) -> list[npt.NDArray[np.uint8]]:
        """The seatings of each line-up: (orders, games of a block, players)."""
        return [make_seatings(line_up, self.rotate) for line_up in self.line_ups]

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
        """Where the seatings of each game of a lap begin, their number, and the distance between them: (3, games)."""
        ends = np.cumsum([0, *(seatings.shape[0] * seatings.shape[1] for seatings in self._by_line_up)])
        of_line_ups = [
            (end + game, seatings.shape[0], seatings.shape[1])
            for end, seatings in zip(ends, self._by_line_up, strict=False)
            for game in range(seatings.shape[1])
        ]
        return np.array(of_line_ups).T

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
        """The laps of a batch; the last batch may have fewer."""
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
        """Return the block of each game, and its seating: (games, players)."""
        laps, games_of_lap = np.divmod(games, self.lap_games)
        first, orders, apart = self._places[:, games_of_lap]
        blocks = laps * len(self.line_ups) + self.line_up_of[games_of_lap]
        return blocks, self.seatings[first + laps % orders * apart]

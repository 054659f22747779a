"""How the games of a run are numbered and divided: laps, blocks, batches and shards.

A *lap* is one block of each line-up, in their order; with one line-up it is a block. Batches and shards are whole laps,
so each batch has every line-up equally often. Batches depend on the number of laps alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ttrsim.runs.design import LineUp, Rotate, make_seatings

BATCHES = 200


@dataclass(frozen=True)
class Piece:
    """Laps that belong to one batch."""

    batch: int
    first: int  # lap
    laps: int


@dataclass(frozen=True)
class Shard:
    """What is played and stored together: laps one after the other."""

    number: int
    pieces: tuple[Piece, ...]  # one for each batch it has laps of

    @property
    def first(self) -> int:
        """The first lap."""
        return self.pieces[0].first

    @property
    def laps(self) -> int:
        """How many laps."""
        return sum(piece.laps for piece in self.pieces)


@dataclass(frozen=True)
class Schedule:
    """The games of a run in their order."""

    line_ups: tuple[LineUp, ...]
    rotate: Rotate
    laps: int
    shard_games: int  # about so many games a shard

    @cached_property
    def _by_line_up(self) -> list[npt.NDArray[np.uint8]]:
        """Of each line-up: (orders, games of a block, players)."""
        return [make_seatings(line_up, self.rotate) for line_up in self.line_ups]

    @cached_property
    def seatings(self) -> npt.NDArray[np.uint8]:
        """(different games, players): which strategy of the run sits where, in all orders of all line-ups."""
        return np.concatenate([seatings.reshape(-1, seatings.shape[-1]) for seatings in self._by_line_up])

    @cached_property
    def line_up_of(self) -> npt.NDArray[np.int64]:
        """(games of a lap,): the line-up each belongs to."""
        return np.repeat(np.arange(len(self.line_ups)), [seatings.shape[1] for seatings in self._by_line_up])

    @cached_property
    def _places(self) -> npt.NDArray[np.int64]:
        """(3, games of a lap): where the seatings of each begin, how many orders it has, and how far they lie apart."""
        ends = np.cumsum([0, *(seatings.shape[0] * seatings.shape[1] for seatings in self._by_line_up)])
        of_line_ups = [
            (end + game, seatings.shape[0], seatings.shape[1])
            for end, seatings in zip(ends, self._by_line_up, strict=False)
            for game in range(seatings.shape[1])
        ]
        return np.array(of_line_ups).T

    @property
    def lap_games(self) -> int:
        """Games of a lap."""
        return len(self.line_up_of)

    @property
    def games(self) -> int:
        """Games of the run."""
        return self.laps * self.lap_games

    @property
    def batches(self) -> int:
        """Ranges of laps that errors are computed from: 200, or one a lap in smaller runs."""
        return min(BATCHES, self.laps)

    def batch_start(self, batch: int) -> int:
        """The first lap of a batch; that of batch `batches` is the number of laps."""
        return batch * self.laps // self.batches

    @property
    def _pieces(self) -> int:
        """Shards that a batch is divided into, if it is larger than one."""
        wanted = -(-self.laps * self.lap_games // (self.batches * self.shard_games))
        return max(1, min(wanted, self.laps // self.batches))

    @property
    def _grouped(self) -> int:
        """Batches that a shard unites, if they are smaller than one."""
        return max(1, self.shard_games * self.batches // self.games)

    @property
    def shards(self) -> int:
        """How many shards the run has."""
        return self.batches * self._pieces if self._pieces > 1 else -(-self.batches // self._grouped)

    def shard(self, number: int) -> Shard:
        """One of the shards, from 0."""
        if self._pieces > 1:
            batch, part = divmod(number, self._pieces)
            start, laps = self.batch_start(batch), self.batch_start(batch + 1) - self.batch_start(batch)
            first, end = (start + p * laps // self._pieces for p in (part, part + 1))
            return Shard(number, (Piece(batch, first, end - first),))
        batches = range(number * self._grouped, min((number + 1) * self._grouped, self.batches))
        starts = [self.batch_start(batch) for batch in (*batches, batches[-1] + 1)]
        pieces = zip(batches, starts, starts[1:], strict=False)
        return Shard(number, tuple(Piece(batch, first, end - first) for batch, first, end in pieces))

    def shards_of(self, batch: int) -> range:
        """The shards with laps of a batch."""
        if self._pieces > 1:
            return range(batch * self._pieces, (batch + 1) * self._pieces)
        return range(batch // self._grouped, batch // self._grouped + 1)

    def ends_batch(self, shards: int) -> bool:
        """Whether so many shards, from the first on, are whole batches."""
        return shards % self._pieces == 0

    def whole_batches(self, shards: int) -> int:
        """How many batches are whole in so many shards, from the first on."""
        return shards // self._pieces if self._pieces > 1 else min(shards * self._grouped, self.batches)

    def all_shards(self) -> Iterator[Shard]:
        """All of them in order."""
        return map(self.shard, range(self.shards))

    def where(self, games: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
        """The block of each game, and its seating: (games, players)."""
        laps, games_of_lap = np.divmod(games, self.lap_games)
        first, orders, apart = self._places[:, games_of_lap]
        blocks = laps * len(self.line_ups) + self.line_up_of[games_of_lap]
        return blocks, self.seatings[first + laps % orders * apart]

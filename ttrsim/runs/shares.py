"""Win shares of the strategies of a run, with errors, from the records of its shards."""

import math
from dataclasses import dataclass

import numpy as np

from ttrsim.batches import ratio, sidak
from ttrsim.core.tally import WHOLE_WIN
from ttrsim.runs.plan import Plan
from ttrsim.runs.shard_files import ShardRecord
from ttrsim.schedule import MOST_BATCHES


@dataclass(frozen=True)
class Share:
    """The results of a strategy."""

    strategy: str
    seats: int  # summed over games
    win_share: float
    half_width: float | None  # of the 95 % interval of the win share; None if not known
    score: float  # mean


class Shares:
    """Sums by batch, to which shards are added."""

    def __init__(self, plan: Plan) -> None:
        self.strategies, self.games = plan.names, 0
        self._lap_games = plan.schedule.lap_games
        self._batch_laps = plan.batch_laps_at(0)
        self._batches: dict[int, np.ndarray[tuple[int, int], np.dtype[np.int64]]] = {}  # (3, strategies)

    def add(self, record: ShardRecord) -> None:
        """Add a shard, and join batches in pairs as long as there are too many."""
        self.games += record.laps * self._lap_games
        for piece in record.pieces:
            self._add(piece.first_lap // self._batch_laps, np.array([piece.seats, piece.win60, piece.score], np.int64))
        while len(self._batches) > MOST_BATCHES:
            before, self._batches = self._batches, {}
            self._batch_laps *= 2
            for batch, sums in before.items():
                self._add(batch // 2, sums)

    def _add(self, batch: int, sums: np.ndarray[tuple[int, int], np.dtype[np.int64]]) -> None:
        self._batches[batch] = self._batches.get(batch, 0) + sums

    def estimates(self) -> list[Share]:
        """Return the results of each strategy so far.

        An error is not known with fewer than two batches, fewer than 10 wins or losses, or where all batches have the
        same share.
        """
        if not self._batches:
            return []
        seats, win60, score = np.array(list(self._batches.values())).transpose(1, 0, 2)  # each (batches, strategies)
        wins = ratio(win60 / WHOLE_WIN, seats)
        known = wins.frequent(win60.sum(axis=0) / WHOLE_WIN, seats.sum(axis=0)).varied()
        half_widths = (sidak(1, known.freedom) * known.error).tolist()
        return [
            Share(
                name,
                int(seats[:, i].sum()),
                float(wins.value[i]),
                None if math.isnan(half_widths[i]) else half_widths[i],
                float(score[:, i].sum() / seats[:, i].sum()),
            )
            for i, name in enumerate(self.strategies)
        ]

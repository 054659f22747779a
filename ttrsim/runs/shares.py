"""Win shares of the strategies of a run, with errors, from the records of its shards."""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from ttrsim.core.tally import WHOLE_WIN
from ttrsim.runs.plan import Plan
from ttrsim.runs.schedule import MOST_BATCHES
from ttrsim.runs.shard_files import ShardRecord

FEWEST_EVENTS = 10
"""Fewest wins, and losses, for which a share has an error: with fewer, batches without any make it too small."""
FEWEST_BATCHES = 20
"""With fewer, an error is too uncertain to stop a run by it, predict a number of games, or combine it with another."""
ROUNDING = 1e-12
"""Errors up to this size come from rounding alone."""


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

        The win share is a ratio of sums over batches, and its error that of the batches' deviations from it. It is not
        known with fewer than two batches, fewer than 10 wins or losses, or where all batches have the same share.
        """
        if not self._batches:
            return []
        seats, win60, score = np.array(list(self._batches.values())).transpose(1, 0, 2)  # each (batches, strategies)
        total = seats.sum(axis=0)
        share = win60.sum(axis=0) / WHOLE_WIN / total
        half_widths: list[float | None] = [None] * len(self.strategies)
        if (batches := len(seats)) > 1:
            deviations = win60 / WHOLE_WIN - share * seats
            errors = np.sqrt(batches / (batches - 1) * (deviations**2).sum(axis=0)) / total
            wins = win60.sum(axis=0) / WHOLE_WIN
            known = (np.minimum(wins, total - wins) >= FEWEST_EVENTS) & (errors > ROUNDING)
            widths = (stdtrit(batches - 1, 0.975) * errors).tolist()
            half_widths = [width if is_known else None for width, is_known in zip(widths, known, strict=True)]
        means = score.sum(axis=0) / total
        return [
            Share(name, int(total[i]), float(share[i]), half_widths[i], float(means[i]))
            for i, name in enumerate(self.strategies)
        ]

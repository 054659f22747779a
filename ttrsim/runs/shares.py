"""Win shares of the strategies of a run with their errors, from the records of its shards."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from ttrsim.core.tally import WHOLE_WIN
from ttrsim.runs.store import ShardRecord

FEWEST_EVENTS = 10
"""Wins, and losses, that a share has an error from: with fewer, batches without any make it seem too small."""
FEWEST_BATCHES = 20
"""With fewer an error is too uncertain to go by: to stop a run, to tell a number of games, or to put two together."""
ROUNDING = 1e-12
"""Errors that are no larger come from computing with rounded numbers."""


@dataclass(frozen=True)
class Share:
    """How a strategy did."""

    strategy: str
    seats: int  # how often it sat at a table
    win_share: float
    half_width: float | None  # of the 95 % interval of the win share; None where that is not known
    score: float  # mean


class Shares:
    """Sums by batch, growing shard by shard."""

    def __init__(self, strategies: Sequence[str]) -> None:
        self.strategies = list(strategies)
        self.games = 0
        self._batches: dict[int, np.ndarray[tuple[int, int], np.dtype[np.int64]]] = {}  # (3, strategies)

    def add(self, record: ShardRecord) -> None:
        """A shard more."""
        self.games += record.games
        for batch in record.batches:
            sums = np.array([batch.seats, batch.win60, batch.score], np.int64)
            self._batches[batch.batch] = self._batches.get(batch.batch, np.zeros_like(sums)) + sums

    def estimates(self) -> list[Share]:
        """Each strategy's, from what there is so far.

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
            half_widths = [width if told else None for width, told in zip(widths, known, strict=True)]
        means = score.sum(axis=0) / total
        return [
            Share(name, int(total[i]), float(share[i]), half_widths[i], float(means[i]))
            for i, name in enumerate(self.strategies)
        ]

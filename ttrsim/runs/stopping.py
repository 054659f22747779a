"""When a run ends: with its last game, or earlier, as soon as its question is answered; and what it came to.

A run that may stop is looked at after fixed numbers of laps, whatever its number of games. A look takes in nothing
beyond those laps. So where the run ends does not depend on threads, engines, interruptions or whether it was made
longer. What it looks at are the win shares of strategies, with errors, from the records of shards.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import ValidationError

from ttrsim.batches import ratio, sidak
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.errors import UsageError
from ttrsim.runs.plan import Plan, Sprt, UntilCi
from ttrsim.runs.shard_files import ShardRecord
from ttrsim.runs.sprt import Blocks, SprtState, games_of_both
from ttrsim.schedule import MOST_BATCHES, is_look
from ttrsim.strategies.loading import tidy_spec

HYPOTHESES = ("elo0", "elo1", "alpha", "beta")
"""What can be chosen of a sequential test: what its hypotheses say, and how often each may be accepted wrongly."""


def make_stop(
    until_ci: float | None, sprt: str | Sequence[str] | None, hypotheses: Mapping[str, float]
) -> UntilCi | Sprt | None:
    """Return what ends a run early, if anything. until_ci: the half width; sprt: two strategies."""
    if until_ci is not None and sprt is not None:
        raise UsageError(["--until-ci, --sprt: a run stops for one reason; give one of them"])
    if hypotheses and sprt is None:
        raise UsageError([f"--{next(iter(hypotheses))}: needs --sprt"])
    if sprt is not None:
        return make_sprt(parse_pair("--sprt", sprt), hypotheses)
    if until_ci is None:
        return None
    if not 0 < until_ci <= 0.5:
        raise UsageError([f"--until-ci {until_ci}: must be above 0 and at most 0.5, a fraction of 1"])
    return UntilCi(half_width=until_ci)


def make_sprt(names: tuple[str, str], hypotheses: Mapping[str, float]) -> Sprt:
    """Return the test of two strategies, with those of its HYPOTHESES that are given."""
    try:
        return Sprt(first=names[0], second=names[1], **hypotheses)
    except ValidationError as e:
        error = e.errors()[0]
        which = f"--{error['loc'][0]} {error['input']:g}" if error["loc"] else "--sprt"
        raise UsageError([f"{which}: {error['msg'].lower().removeprefix('value error, ')}"]) from None


def parse_pair(option: str, value: str | Sequence[str]) -> tuple[str, str]:
    """Return two strategies as a run's tables call them: of `planner,random`, also with parameters in parentheses."""
    names = [tidy_spec(name) for name in (re.split(r",(?![^(]*\))", value) if isinstance(value, str) else value)]
    if len(names) != 2:
        raise UsageError([f"{option} {value}: write two strategies, for example planner,random"])
    return names[0], names[1]


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


class Watch:
    """Takes shards in any order, examines them in the order of laps, and determines where the run ends."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.shares = Shares(plan)  # of the laps looked at
        self.looked = 0  # laps looked at, from the first on
        self.end: int | None = None if plan.stop else plan.laps
        """The number of laps of the run; None as long as it is not known."""
        self._waiting: dict[int, ShardRecord] = {}
        self._blocks = np.zeros(3, np.int64)  # laps, sum and sum of squares of `sprt.by_lap`

    @property
    def early(self) -> bool:
        """Whether the run ends before its last game."""
        return self.end is not None and self.end < self.plan.laps

    def add(self, record: ShardRecord) -> None:
        """Add a finished shard."""
        self._waiting[record.first_lap] = record
        while self.looked in self._waiting and self.looked != self.end:
            self._look(self._waiting.pop(self.looked))

    def _look(self, record: ShardRecord) -> None:
        self.looked = record.range.stop
        self.shares.add(record)
        for piece in record.pieces:
            self._blocks += (piece.laps, *(piece.difference or (0, 0)))
        if self.looked == self.plan.laps or (self.plan.stop and is_look(self.looked) and self._answered()):
            self.end = self.looked

    def _answered(self) -> bool:
        match self.plan.stop:
            case UntilCi(half_width=wanted):
                return _all_within(self.shares.estimates(), wanted)
            case Sprt():
                state = self.sprt
                return state is not None and state.accepted is not None
        return False

    @property
    def sprt(self) -> SprtState | None:
        """The state of the sequential test; None for other runs."""
        if not isinstance(stop := self.plan.stop, Sprt):
            return None
        number, total, squares = self._blocks.tolist()
        return SprtState.after(stop, Blocks(number, total, squares, games_of_both(self.plan, stop)))


@dataclass(frozen=True)
class Outcome:
    """What a run came to, finished or not."""

    shares: Shares
    digest: str | None  # None as long as laps are missing
    watch: Watch  # has looked at all shards of a finished run
    missing: int = 0  # laps that are not played yet

    @classmethod
    def of(cls, plan: Plan, records: Iterable[ShardRecord], digest: str | None) -> "Outcome":
        """Return what these shards came to; digest: of the run, if it is finished."""
        watch, shares, laps = Watch(plan), Shares(plan), 0
        for record in records:
            watch.add(record)
            shares.add(record)
            laps += record.laps
        missing = 0 if digest else (watch.end or plan.laps) - laps
        return cls(watch.shares if digest else shares, digest, watch, missing)

    @property
    def answered(self) -> bool | None:
        """Whether a run that could stop ended with an answer to its question; None if it has not ended."""
        if self.digest is None or self.watch.early:
            return True if self.digest else None
        if self.watch.sprt:
            return self.watch.sprt.accepted is not None
        return self.more_games is None and self._widest is not None

    @property
    def more_games(self) -> float | None:
        """About how many more games an ended run would have needed for an answer; None if not known."""
        stop, state, games, more = self.watch.plan.stop, self.watch.sprt, self.shares.games, math.nan
        if self.digest and not self.watch.early:
            if state:
                more = games * state.more_blocks / state.blocks
            elif isinstance(stop, UntilCi) and (width := self._widest):
                more = games * ((width / stop.half_width) ** 2 - 1)
        return more if math.isfinite(more) and more > 0 else None

    @property
    def _widest(self) -> float | None:
        """The largest half width of a win share; None if one is not known."""
        widths = [share.half_width for share in self.shares.estimates()]
        return max((width for width in widths if width is not None), default=None) if None not in widths else None


def _all_within(shares: Sequence[Share], half_width: float) -> bool:
    return all(share.half_width is not None and share.half_width <= half_width for share in shares)

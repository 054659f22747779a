"""Playing the games of a run, any part of it, by their numbers alone."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.boards import Board
from ttrsim.core.constants import SEATS
from ttrsim.core.records import GAME_RESULT, SEAT_RESULT
from ttrsim.encode import encode_board
from ttrsim.errors import UserError
from ttrsim.failures import stopped_game
from ttrsim.record import Recording
from ttrsim.runs.plan import Plan
from ttrsim.runs.tally import Sizes
from ttrsim.simulation import Results, Series, StoppedGame, play_seatings
from ttrsim.strategies import Strategy

SEGMENT_GAMES = 20_000
"""Games whose rows are held in memory at a time."""
CALL_SECONDS = 0.2
"""About how long a call of the compiled core lasts: enough that it costs nothing, little enough to interrupt."""
MOST_MORE = 4
"""A call has at most so many times the games of the one before: a few games tell little of how fast they are."""


class Interrupted(Exception):
    """Playing was stopped from outside."""


class Player:
    """Plays the games of a plan. Threads may share one."""

    def __init__(self, plan: Plan, board: Board, strategies: Sequence[Strategy]) -> None:
        self.plan, self.board, self.strategies = plan, board, list(strategies)
        self.schedule = plan.schedule
        self._call_games = 1  # of the next call

    @cached_property
    def record(self) -> Any:
        """The board as the core reads it."""
        return encode_board(self.board)

    @cached_property
    def sizes(self) -> Sizes:
        """How many there are of everything."""
        b, p = self.board, self.plan
        return Sizes(len(p.line_ups), len(self.strategies), p.seats, len(b.tickets), len(b.routes), len(b.cities))

    def compile(self) -> None:
        """Compile what is not compiled, before threads start, each of which would do it."""
        for strategy in self.strategies:
            _ = strategy.compiled
        nothing = np.zeros((0, self.plan.seats), np.uint8)
        self._call(self.strategies[:1], nothing, np.zeros(0, np.int64), np.zeros(0, np.int64))

    def segments(self, first: int, laps: int) -> Iterator[tuple[int, int]]:
        """Laps divided into parts of about SEGMENT_GAMES games: (first, laps) of each."""
        step = max(1, SEGMENT_GAMES // self.schedule.lap_games)
        for start in range(first, first + laps, step):
            yield start, min(step, first + laps - start)

    def play(self, first: int, laps: int, stopped: Callable[[], bool] = lambda: False) -> Results:
        """Play laps. `strategy` in the results is the number of the strategy in the plan.

        Raises Interrupted as soon as `stopped` says so.
        """
        games = np.arange(first * self.schedule.lap_games, (first + laps) * self.schedule.lap_games)
        blocks, seatings = self.schedule.where(games)
        results = Results(np.zeros(len(games), GAME_RESULT), np.zeros(seatings.shape, SEAT_RESULT))
        start = 0
        while start < len(games):
            if stopped():
                raise Interrupted
            wanted = self._call_games
            part = slice(start, start + wanted)
            begun = time.perf_counter()
            played = self._play_part(int(games[start]), seatings[part], blocks[part])
            if len(played.games) == wanted:
                seconds = max(time.perf_counter() - begun, CALL_SECONDS / MOST_MORE)
                self._call_games = max(1, int(wanted * CALL_SECONDS / seconds))
            results.games[part], results.seats[part] = played.games, played.seats
            start = part.stop
        return results

    def _play_part(self, first: int, seatings: npt.NDArray[np.uint8], blocks: npt.NDArray[np.int64]) -> Results:
        """Play games that follow each other, in as few calls as six strategies a call allow."""
        if len(self.strategies) <= SEATS:
            return self._call(self.strategies, seatings, blocks, np.arange(first, first + len(blocks)))
        results = Results(np.zeros(len(blocks), GAME_RESULT), np.zeros(seatings.shape, SEAT_RESULT))
        for places in self._groups(seatings):
            used, inverse = np.unique(seatings[places], return_inverse=True)
            local = inverse.reshape(-1, self.plan.seats).astype(np.uint8)
            of_call = [self.strategies[s] for s in used]
            part = self._call(of_call, local, blocks[places], first + places)
            part.seats["strategy"] = used[part.seats["strategy"]]
            results.games[places], results.seats[places] = part.games, part.seats
        return results

    def _groups(self, seatings: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.int64]]:
        """The rows in groups that each have at most six different strategies."""
        groups: list[tuple[set[int], list[int]]] = []
        for place, seating in enumerate(seatings.tolist()):
            for strategies, places in groups:
                if len(strategies | set(seating)) <= SEATS:
                    strategies |= set(seating)
                    places.append(place)
                    break
            else:
                groups.append((set(seating), [place]))
        return [np.array(places) for _, places in groups]

    def _call(
        self,
        strategies: Sequence[Strategy],
        seatings: npt.NDArray[np.uint8],
        blocks: npt.NDArray[np.int64],
        games: npt.NDArray[np.int64],
    ) -> Results:
        try:
            results = play_seatings(self.record, strategies, seatings, blocks, self.plan.seed, 0)
        except StoppedGame as e:
            series, index = self.alone(int(games[e.row]))
            raise stopped_game(series, index, e.error) from None
        results.games["index"] = games
        return results

    def alone(self, game: int) -> tuple[Series, int]:
        """A series in which a game of the run has the index returned."""
        if not 0 <= game < self.schedule.games:
            raise UserError([f"game {game}: the run has games 0 to {self.schedule.games - 1}"])
        (block,), (seating,) = self.schedule.where(np.array([game]))
        line_up = tuple(self.strategies[s] for s in seating)
        series = Series(self.board, line_up, self.plan.seed)
        return series, int(block) * len(series.seatings)

    def replay(self, game: int) -> tuple[Series, Recording]:
        """One game of the run, recorded."""
        series, index = self.alone(game)
        return series, series.replay(index)

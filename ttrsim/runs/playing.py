"""Play games of a run, given by their numbers."""

import time
from collections.abc import Callable, Sequence
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
from ttrsim.recording import Recording
from ttrsim.runs.plan import Plan
from ttrsim.runs.tally import Sizes
from ttrsim.simulation import Results, Series, StoppedGame, play_seatings
from ttrsim.strategies import Strategy

CALL_SECONDS = 0.2
"""About how long a call of the compiled core lasts: long enough to cost nothing, short enough to interrupt."""
MOST_MORE = 4
"""How much larger than the one before a call may be, in games: the speed of a few games is uncertain."""


class Interrupted(Exception):
    """Playing was stopped from outside."""


class Player:
    """Plays the games of a plan. Threads may share one."""

    def __init__(self, plan: Plan, board: Board, strategies: Sequence[Strategy]) -> None:
        self.plan, self.board, self.strategies = plan, board, list(strategies)
        self.schedule = plan.schedule
        self.call_games = 1  # of the next call
        self.on_games: Callable[[int], None] = lambda games: None
        """Called with the number of games just played, on the thread that played them."""

    @cached_property
    def record(self) -> Any:
        """The BOARD record passed to the core."""
        return encode_board(self.board)

    @cached_property
    def sizes(self) -> Sizes:
        """The lengths of the axes of the run's aggregates."""
        b, p = self.board, self.plan
        return Sizes(len(p.line_ups), len(self.strategies), p.seats, len(b.tickets), len(b.routes), len(b.cities))

    def compile(self) -> None:
        """Compile everything before threads start, or each of them would."""
        for strategy in self.strategies:
            _ = strategy.compiled
        nothing = np.zeros((0, self.plan.seats), np.uint8)
        self._call(self.strategies[:1], nothing, np.zeros(0, np.int64), np.zeros(0, np.int64))

    def play(self, laps: range, stopped: Callable[[], bool] = lambda: False) -> Results:
        """Play laps. `strategy` in the results is the number of the strategy in the plan.

        Raises Interrupted as soon as `stopped` says so.
        """
        numbers = self.schedule.games_of(laps)
        games = np.arange(numbers.start, numbers.stop)
        blocks, seatings = self.schedule.where(games)
        results = Results(np.zeros(len(games), GAME_RESULT), np.zeros(seatings.shape, SEAT_RESULT))
        start = 0
        while start < len(games):
            if stopped():
                raise Interrupted
            wanted = self.call_games
            part = slice(start, start + wanted)
            begun = time.perf_counter()
            played = self._play_part(int(games[start]), seatings[part], blocks[part])
            if len(played.games) == wanted:
                seconds = max(time.perf_counter() - begun, CALL_SECONDS / MOST_MORE)
                self.call_games = max(1, int(wanted * CALL_SECONDS / seconds))
            results.games[part], results.seats[part] = played.games, played.seats
            self.on_games(len(played.games))
            start = part.stop
        return results

    def _play_part(self, first: int, seatings: npt.NDArray[np.uint8], blocks: npt.NDArray[np.int64]) -> Results:
        """Play consecutive games, in as few calls as possible with at most six strategies each."""
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
        """Divide the rows into groups with at most six different strategies each."""
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
        """Return a series that contains a game of the run, and its index there."""
        if not 0 <= game < self.schedule.games:
            raise UserError([f"game {game}: the run has games 0 to {self.schedule.games - 1}"])
        (block,), (seating,) = self.schedule.where(np.array([game]))
        line_up = tuple(self.strategies[s] for s in seating)
        series = Series(self.board, line_up, self.plan.seed)
        return series, int(block) * len(series.seatings)

    def replay(self, game: int) -> tuple[Series, Recording]:
        """Play one game of the run again, and record it."""
        series, index = self.alone(game)
        return series, series.replay(index)

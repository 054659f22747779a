"""Play games by number, given a board, strategies, a schedule, a seed and, in trials, a change to the deals.

`simulate`, runs, trials, the check of a strategy and `ttrsim play` all use this module, so they play the same games.
"""

import copy
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.boards import Board, load_board
from ttrsim.core.constants import PARAMS, RUNNING, SEATS
from ttrsim.core.play import ALL_PLAYED, SixStrategies, compiled_play_games
from ttrsim.core.records import GAME, GAME_RESULT, MIND, ROOM, SEAT_RESULT
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.encode import UNCHANGED, Intervention, encode_board
from ttrsim.errors import UsageError
from ttrsim.failures import stopped_game
from ttrsim.recording import Recording, record_game
from ttrsim.schedule import Order, Schedule
from ttrsim.strategies import Strategy, load_line_up
from ttrsim.strategies.loading import names_in_tables, numbered
from ttrsim.strategies.source import param_places
from ttrsim.threads import on_threads

HIGHEST_GAME = 10**15
"""The highest number that a game can have."""
SHARD_GAMES = 2000
"""Games that a thread plays before it passes them on."""
CALL_SECONDS = 0.2
"""Target duration of a call to the compiled core: long enough to hide its overhead, short enough to interrupt."""
MOST_MORE = 4
"""The factor by which a call may play more games than the one before, as the speed of a few games is uncertain."""


class Interrupted(Exception):
    """Playing was stopped from outside."""


@dataclass(frozen=True)
class Results:
    """The results of games. The columns of both arrays are described in `ttrsim.core.records`."""

    games: npt.NDArray[Any]  # (games,) GAME_RESULT
    seats: npt.NDArray[Any]  # (games, players) SEAT_RESULT

    @property
    def win60(self) -> npt.NDArray[np.int64]:
        """(games, players): win share in 60ths, whole numbers."""
        share = WHOLE_WIN // self.games["winners"].astype(np.int64)[:, None]
        return np.asarray((self.seats["rank"] == 1) * share)

    @property
    def win_share(self) -> npt.NDArray[np.float64]:
        """(games, players): 1/k for each of k winners; a game's shares sum to 1."""
        return self.win60 / WHOLE_WIN


def empty_results(games: int, players: int) -> Results:
    """Return zeroed arrays for the results of games."""
    return Results(np.zeros(games, GAME_RESULT), np.zeros((games, players), SEAT_RESULT))


def joined(shards: Iterable[Results]) -> Results:
    """Join shards in the order of their games."""
    ordered = sorted(shards, key=lambda shard: int(shard.games["index"][0]))
    return Results(*(np.concatenate(parts) for parts in zip(*((s.games, s.seats) for s in ordered), strict=True)))


@dataclass(frozen=True)
class SeatedGame:
    """Everything that determines one game."""

    board: Board
    line_up: tuple[Strategy, ...]  # by seat
    seed: int
    block: int
    intervention: Intervention = UNCHANGED  # its `place` is a seat
    number: int = 0  # of the game in the results
    strategies: tuple[int, ...] = ()  # by seat, the strategies' numbers in the results; if empty, the seat numbers

    @cached_property
    def record(self) -> Any:
        """The BOARD record passed to the core."""
        return encode_board(self.board)

    def replay(self, functions: Sequence[Callable[..., int]] = ()) -> Recording:
        """Play the game and record what happens in it. functions: one per seat, played instead of the strategies'."""
        players = functions or [strategy.compiled for strategy in self.line_up]
        seating = self.strategies or range(len(players))
        where = (self.seed, self.block, self.number, self.intervention)
        return record_game(self.record, players, param_values(self.line_up), seating, *where)


class Games:
    """The games of a schedule. Threads may share one.

    strategies: indexed by the numbers in the schedule's line-ups; intervention: applied to every deal, for the seat of
    the strategy whose number is its `place`.
    """

    def __init__(
        self,
        board: Board,
        strategies: Sequence[Strategy],
        schedule: Schedule,
        seed: int,
        intervention: Intervention = UNCHANGED,
    ) -> None:
        board.check_players(schedule.seats)
        if not 0 <= seed < 2**64:
            raise UsageError([f"seed {seed}: must be from 0 to 2**64 - 1"])
        self.board, self.strategies, self.schedule, self.seed = board, list(strategies), schedule, seed
        self.intervention = intervention
        self.call_games = 1  # of the next call

    def changed(self, intervention: Intervention) -> "Games":
        """Return the same games with every deal changed."""
        games = copy.copy(self)
        games.intervention = intervention
        return games

    def played_by(self, strategies: Sequence[Strategy]) -> "Games":
        """Return the same games with other strategies by the same numbers."""
        games = copy.copy(self)
        games.strategies = list(strategies)
        return games

    @cached_property
    def record(self) -> Any:
        """The BOARD record passed to the core."""
        return encode_board(self.board)

    def compile(self) -> None:
        """Compile everything before threads start; otherwise each of them would."""
        for strategy in self.strategies:
            _ = strategy.compiled
        nothing, nowhere = np.zeros((0, self.schedule.seats), np.uint8), np.zeros(0, np.int64)
        self._call(self.strategies[:1], nothing, nowhere, nowhere, empty_results(*nothing.shape))

    def play(
        self,
        numbers: range,
        stopped: Callable[[], bool] = lambda: False,
        on_games: Callable[[int], None] = lambda games: None,
    ) -> Results:
        """Play consecutive games. Their results do not depend on any other games played.

        Raises Interrupted as soon as `stopped()` is true. `on_games` is called with the number of games just played.
        """
        games = np.arange(numbers.start, numbers.stop)
        blocks, seatings = self.schedule.where(games)
        results = empty_results(*seatings.shape)
        start = 0
        while start < len(games):
            if stopped():
                raise Interrupted
            wanted = self.call_games
            part = slice(start, start + wanted)
            begun = time.perf_counter()
            played = Results(results.games[part], results.seats[part])
            self._play(seatings[part], blocks[part], games[part], played)
            if len(played.games) == wanted:
                seconds = max(time.perf_counter() - begun, CALL_SECONDS / MOST_MORE)
                self.call_games = max(1, int(wanted * CALL_SECONDS / seconds))
            on_games(len(played.games))
            start = part.stop
        return results

    def shards(self, numbers: range, threads: int = 1, size: int | None = None) -> Generator[Results, None, None]:
        """Play games on threads; yield shards as they are finished, in any order.

        size: games per shard, by default SHARD_GAMES. Only a few shards are kept at a time.
        """
        self.compile()
        step = size or SHARD_GAMES
        starts = range(numbers.start, numbers.stop, step)
        return on_threads(threads, self.play, (range(s, min(s + step, numbers.stop)) for s in starts))

    def seated(self, number: int) -> SeatedGame:
        """Return the game with this number."""
        (block,), (seating,) = self.schedule.where(np.array([number]))
        seats, place = tuple(seating.tolist()), self.intervention.place
        line_up = tuple(self.strategies[strategy] for strategy in seats)
        change = replace(self.intervention, place=None if place is None else seats.index(place))
        game = SeatedGame(self.board, line_up, self.seed, int(block), change, number, seats)
        vars(game)["record"] = self.record  # encoded once for all games
        return game

    def _play(
        self,
        seatings: npt.NDArray[np.uint8],
        blocks: npt.NDArray[np.int64],
        numbers: npt.NDArray[np.int64],
        results: Results,
    ) -> None:
        """Play games in as few calls as possible with at most six strategies each, and fill in their results."""
        if len(self.strategies) <= SEATS:
            self._call(self.strategies, seatings, blocks, numbers, results)
            return
        for places in _groups(seatings):
            used, inverse = np.unique(seatings[places], return_inverse=True)
            local = inverse.reshape(-1, seatings.shape[1]).astype(np.uint8)
            of_call = [self.strategies[s] for s in used]
            part = empty_results(*local.shape)
            self._call(of_call, local, blocks[places], numbers[places], part)
            part.seats["strategy"] = used[part.seats["strategy"]]
            results.games[places], results.seats[places] = part.games, part.seats

    def _call(
        self,
        strategies: Sequence[Strategy],
        seatings: npt.NDArray[np.uint8],
        blocks: npt.NDArray[np.int64],
        numbers: npt.NDArray[np.int64],
        results: Results,
    ) -> None:
        """Play one game for each row of `seatings`, (games, players): which of at most six strategies sits where.

        results: filled in here, where they stay: copying them took a fortieth of the time of random games.
        """
        functions = [strategy.compiled for strategy in strategies]
        six = SixStrategies(functions + functions[:1] * (SEATS - len(functions)))  # however many play
        where = (np.ascontiguousarray(seatings), np.ascontiguousarray(blocks), np.uint64(self.seed), 0)
        space = (np.zeros(1, GAME)[0], np.zeros(SEATS, MIND), np.zeros(SEATS, ROOM))
        params, change, error = param_values(strategies), self.intervention.record, None
        play = compiled_play_games()
        try:
            with np.errstate(over="ignore"):  # 64-bit arithmetic wraps around, also uncompiled and on any thread
                row = play(self.record, six, params, *where, change, *space, results.seats, results.games)
        except Exception as e:  # a strategy can raise anything; the rows of earlier games are written
            row, error = int((results.games["ending"] != RUNNING).sum()), e
        if row != ALL_PLAYED:
            raise stopped_game(self.seated(int(numbers[row])), error)
        results.games["index"] = numbers


def _groups(seatings: npt.NDArray[np.uint8]) -> list[npt.NDArray[np.int64]]:
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


def param_values(strategies: Sequence[Strategy]) -> npt.NDArray[np.float64]:
    """Return the parameters of each strategy, (SEATS, PARAMS)."""
    params = np.zeros((SEATS, PARAMS))
    for i, strategy in enumerate(strategies):
        params[i, param_places(strategy.params)] = strategy.values
    return params


def make_games(board: Board | str, players: Sequence[Strategy | str] | str, seed: int, order: Order = "every") -> Games:
    """Return the games of one line-up, from a board and strategies given by name or as objects."""
    loaded = load_board(board) if isinstance(board, str) else board
    strategies, line_up = numbered(load_line_up(players, loaded))
    loaded.check_players(len(line_up))
    schedule = Schedule((line_up,), "cyclic", HIGHEST_GAME, order)
    return Games(loaded, strategies, schedule, seed)


@dataclass(frozen=True)
class Simulated(Results):
    """The results of games of one line-up."""

    strategies: tuple[str, ...]  # the different strategies, by their numbers in `seats["strategy"]`
    events: npt.NDArray[Any] | None = None  # (decisions,) `ttrsim.recording.EVENT` of a recorded game


def simulate(
    *,
    board: Board | str,
    players: Sequence[Strategy | str] | str,
    games: int = 1,
    seed: int = 0,
    threads: int = 1,
    game_index: int | None = None,
    order: Order = "every",
    record: bool = False,
) -> Simulated:
    """Play the first games of a run of one line-up and return their results.

    `players` are the strategies that sit together, as one text, as for `--players` on the command line, or one by one.
    Game i is game i of `ttrsim run` with the same seed: each deal is played once from every seat, and deals take the
    orders at the table in turn. With `order="listed"` every deal is played in the order listed, moved on from seat to
    seat. `game_index` plays only that game. `record=True`, for one game, adds what happened in it as `events`.

    Results number the *different* strategies as a run does; `strategies` has their names. Copies share a number. A
    line-up of nothing but copies cannot be rotated, as the random streams belong to seats: each deal is played once,
    and only the seat tells one copy from another.

    >>> results = simulate(board="usa", players="random,random", games=1000, seed=7, threads=2)
    >>> results.seats["score"].shape, results.strategies
    ((1000, 2), ('random',))
    """
    if games < 1 or threads < 1:
        raise UsageError([f"games = {games}, threads = {threads}: both must be at least 1"])
    if game_index is not None and not 0 <= game_index <= HIGHEST_GAME:
        raise UsageError([f"game_index = {game_index}: must be from 0 to {HIGHEST_GAME}"])
    if record and game_index is None and games > 1:
        raise UsageError(
            [f"record = True with games = {games}: only one game can be recorded; choose it with game_index"]
        )
    all_games = make_games(board, players, seed, order)
    if record:
        return _recorded(all_games, game_index or 0)
    numbers = range(games) if game_index is None else range(game_index, game_index + 1)
    results = joined(all_games.shards(numbers, threads))
    return Simulated(results.games, results.seats, _names(all_games))


def _recorded(games: Games, number: int) -> Simulated:
    """Play one game and keep its events."""
    game = games.seated(number)
    recording = game.replay()
    if not len(recording.result):
        raise stopped_game(game)
    return Simulated(recording.result, recording.seats, _names(games), recording.events)


def _names(games: Games) -> tuple[str, ...]:
    return tuple(names_in_tables(games.strategies))

"""Playing games of one line-up on one board: `simulate`, and the series and shards that it plays."""

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.boards import Board, load_board
from ttrsim.core.constants import PARAMS, RUNNING, SEATS
from ttrsim.core.play import ALL_PLAYED, compiled_play_games
from ttrsim.core.records import GAME, GAME_RESULT, MIND, ROOM, SEAT_RESULT
from ttrsim.encode import encode_board
from ttrsim.errors import UsageError
from ttrsim.failures import stopped_game
from ttrsim.intervention import UNCHANGED, Intervention
from ttrsim.recording import Recording, record_game
from ttrsim.strategies import Strategy, load_line_up

SHARD_GAMES = 2000
"""Games that a thread plays in one go: enough that starting costs nothing, few enough to be interrupted soon."""
HIGHEST_GAME = 10**15
"""The highest index of a game."""


@dataclass(frozen=True)
class Results:
    """What games came to. The columns of both arrays are described in `ttrsim.core.records`."""

    games: npt.NDArray[Any]  # (games,) GAME_RESULT
    seats: npt.NDArray[Any]  # (games, players) SEAT_RESULT
    events: npt.NDArray[Any] | None = None  # (decisions,) `ttrsim.events.EVENT` of a recorded game

    @property
    def win_share(self) -> npt.NDArray[np.float64]:
        """(games, players): 1/k for each of k winners; a game's shares sum to 1."""
        won: npt.NDArray[np.bool_] = self.seats["rank"] == 1
        share: npt.NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
        return share


@dataclass(frozen=True)
class Series:
    """Games of one line-up on one board: everything that decides a game but for its index."""

    board: Board
    line_up: tuple[Strategy, ...]
    seed: int
    rotate: bool = True  # play each deal once for each rotation of the line-up; else once, seated as it is listed
    intervention: Intervention = UNCHANGED  # made in every deal

    def __post_init__(self) -> None:
        self.board.check_players(len(self.line_up))
        if not 0 <= self.seed < 2**64:
            raise UsageError([f"seed {self.seed}: must be from 0 to 2**64 - 1"])

    @cached_property
    def record(self) -> Any:
        """The board as the core reads it."""
        return encode_board(self.board)

    @cached_property
    def seatings(self) -> npt.NDArray[np.uint8]:
        """(rotations, players): which strategy of the line-up sits in each seat, for each game of a block.

        Rotations that seat the same strategies alike are played once: a line-up of one strategy has one.
        """
        players = len(self.line_up)
        keys = [(s.content_sha256, s.values) for s in self.line_up]
        seen: dict[tuple[Any, ...], list[int]] = {}
        for shift in range(players if self.rotate else 1):
            order = [(seat + shift) % players for seat in range(players)]
            seen.setdefault(tuple(keys[i] for i in order), order)
        return np.array(list(seen.values()), np.uint8)

    def play(self, first: int, games: int) -> Results:
        """Play games `first` … `first + games - 1`. The same whatever is played before, beside or after."""
        blocks, rotations = np.divmod(np.arange(first, first + games), len(self.seatings))
        try:
            seatings, change = self.seatings[rotations], self.intervention
            return play_seatings(self.record, self.line_up, seatings, blocks, self.seed, first, change)
        except StoppedGame as e:
            raise stopped_game(self, first + e.row, e.error) from None

    def replay(self, index: int) -> Recording:
        """Play one game, the same as in `play`, and record what happens in it."""
        functions, params = [s.compiled for s in self.line_up], param_values(self.line_up)
        return record_game(self.record, functions, params, self.seatings, self.seed, index, self.intervention)


class StoppedGame(Exception):
    """A strategy failed, or wanted something illegal, in this row of the games that were to be played."""

    def __init__(self, row: int, error: Exception | None = None) -> None:
        super().__init__(row, error)
        self.row, self.error = row, error


@np.errstate(over="ignore")  # 64-bit arithmetic wraps around: uncompiled too, on any thread
def play_seatings(
    board: Any,
    strategies: Sequence[Strategy],
    seatings: npt.NDArray[np.uint8],
    blocks: npt.NDArray[np.int64],
    seed: int,
    first: int,
    intervention: Intervention = UNCHANGED,
) -> Results:
    """Play one game for each row of `seatings`.

    board: its record; strategies: up to six; seatings: (games, players) which of them sits where; blocks: (games,)
    whose deal each game has; first: the index of the first game; intervention: made in each deal.
    """
    results = Results(np.zeros(len(seatings), GAME_RESULT), np.zeros(seatings.shape, SEAT_RESULT))
    game, minds, rooms = np.zeros(1, GAME)[0], np.zeros(SEATS, MIND), np.zeros(SEATS, ROOM)
    functions, params = padded([s.compiled for s in strategies]), param_values(strategies)
    where = (np.ascontiguousarray(seatings), np.ascontiguousarray(blocks), np.uint64(seed), first, intervention.record)
    play = compiled_play_games()
    try:
        row = play(board, functions, params, *where, game, minds, rooms, results.seats, results.games)
    except Exception as e:  # a strategy's, of any kind; the rows of the games before are written
        raise StoppedGame(int((results.games["ending"] != RUNNING).sum()), e) from None
    if row != ALL_PLAYED:
        raise StoppedGame(row)
    return results


def param_values(strategies: Sequence[Strategy]) -> npt.NDArray[np.float64]:
    """(SEATS, PARAMS): the parameters of each strategy."""
    params = np.zeros((SEATS, PARAMS))
    for i, strategy in enumerate(strategies):
        params[i, : len(strategy.values)] = strategy.values
    return params


def padded(functions: Sequence[Any]) -> tuple[Any, ...]:
    """Six functions, for the compiled core wants as many whatever the number of players."""
    return (*functions, *[functions[0]] * (SEATS - len(functions)))


def play_shards(
    series: Series, games: int, threads: int = 1, first: int = 0, shard_games: int | None = None
) -> Iterator[Results]:
    """Play games in shards on several threads; yield them in the order of their index.

    Only a few shards are kept at a time, so memory does not grow with the number of games. shard_games: games in each,
    SHARD_GAMES if not given.
    """
    step = shard_games or SHARD_GAMES
    series.play(first, 0)  # compiles now; else each of the threads would
    with ThreadPoolExecutor(threads) as pool:
        waiting: deque[Future[Results]] = deque()
        for start in range(first, first + games, step):
            waiting.append(pool.submit(series.play, start, min(step, first + games - start)))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def simulate(
    *,
    board: Board | str,
    players: Sequence[Strategy | str] | str,
    games: int = 1,
    seed: int = 0,
    threads: int = 1,
    game_index: int | None = None,
    rotate: bool = True,
    record: bool = False,
) -> Results:
    """Play games and return what they came to.

    `players` are the strategies that sit together, as one text, as for `--players` on the command line, or one by one.
    `game_index` plays only that game of the run. Game i belongs to block i // r, where r is the number of different
    rotations of the line-up (with `rotate=False`: 1). `record=True`, for one game, adds what happened in it as
    `events`.

    >>> results = simulate(board="usa", players="random,random", games=1000, seed=7, threads=2)
    >>> results.seats["score"].shape
    (1000, 2)
    """
    series = make_series(board, players, seed, rotate)
    if games < 1 or threads < 1:
        raise UsageError([f"games = {games}, threads = {threads}: both must be at least 1"])
    if game_index is not None and not 0 <= game_index <= HIGHEST_GAME:
        raise UsageError([f"game_index = {game_index}: must be from 0 to {HIGHEST_GAME}"])
    if record and game_index is None and games > 1:
        raise UsageError([f"record = True with games = {games}: one game is recorded; say which with game_index"])
    if record:
        return _recorded(series, game_index or 0)
    if game_index is not None:
        return series.play(game_index, 1)
    shards = list(play_shards(series, games, threads))
    return Results(np.concatenate([s.games for s in shards]), np.concatenate([s.seats for s in shards]))


def _recorded(series: Series, index: int) -> Results:
    """One game and its events."""
    recording = series.replay(index)
    if not len(recording.result):
        raise stopped_game(series, index)
    return Results(recording.result, recording.seats, recording.events)


def make_series(board: Board | str, players: Sequence[Strategy | str] | str, seed: int, rotate: bool = True) -> Series:
    """A series from a board and strategies, given by name or as objects."""
    loaded = load_board(board) if isinstance(board, str) else board
    return Series(loaded, tuple(load_line_up(players)), seed, rotate)

"""`ttrsim.simulate`: games of one line-up, in memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from ttrsim.boards import Board
from ttrsim.errors import UsageError
from ttrsim.failures import stopped_game
from ttrsim.games import HIGHEST_GAME, Games, Results, joined, make_games
from ttrsim.schedule import Order
from ttrsim.strategies import Strategy
from ttrsim.strategies.loading import names_in_tables


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

"""Begin a tuning: check what is asked for, and find how many games fit into some minutes."""

import contextlib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ttrsim.boards import Board
from ttrsim.choices import TUNE_GAMES, drawn_seed
from ttrsim.compiling import cores
from ttrsim.errors import UsageError
from ttrsim.progress import Listener
from ttrsim.runs.arguments import Players, drawn_words
from ttrsim.strategies import Strategy
from ttrsim.tuning.inputs import TableLike, neighbours_of, number_of, one_strategy, opponents_of, split_names, tables_of
from ttrsim.tuning.match import ArmLaps, Engine, Match
from ttrsim.tuning.playing import TuningState, divide_games
from ttrsim.tuning.search import Space, make_space
from ttrsim.tuning.stored import StageGames, TuningFolder, make_matches, recipe_for

TIMED = 1.0
"""Seconds of play from which a number of games is computed if a number of minutes is given."""


@dataclass(frozen=True)
class New:
    """A tuning that is not begun: what was asked for, checked."""

    space: Space
    matches: list[Match]
    near: list[Match]
    maps: list[str]  # the boards of all tables as the user named them
    worst: bool
    precision: float | None
    games: int | None
    minutes: float  # counts if there is no number of games
    drawn: bool  # the seed, because none was given

    def divided(self, games: int) -> StageGames:
        """Divide a number of games among the stages."""
        return divide_games(games, self.matches, len(self.near), len(self.space.names))

    def begin(
        self, folder: TuningFolder | None, engine: Engine, listener: Listener, stack: contextlib.ExitStack
    ) -> TuningState:
        """Return it as it is played, begun in the folder, which is locked as long as the stack lasts."""
        games = self.games or _games_in(self.minutes, self.matches, engine, listener)
        recipe = recipe_for(
            self.space, self.matches, self.near, self.maps, worst=self.worst, games=games, precision=self.precision,
            stages=self.divided(games),
        )  # fmt: skip
        if folder:
            stack.enter_context(folder.locked())
            folder.begin(recipe)
        if self.drawn:
            listener.message(drawn_words(recipe.seed))
        return TuningState(recipe, self.space, self.matches, self.near)


def new_tuning(
    folder: TuningFolder | None,
    strategy: str | Strategy | None = None,
    board: str | Path | Board | None = None,
    seats: int | None = None,
    tables: Sequence[TableLike] = (),
    against: Players | None = None,
    params: str | Sequence[str] | None = None,
    worst: bool = False,
    games: float | None = None,
    minutes: float | None = None,
    precision: float | None = None,
    seed: int | None = None,
) -> New:
    """Check what was asked for."""
    if folder:
        folder.check_free()
    if strategy is None:
        raise UsageError(["Missing argument 'STRATEGY'."])
    where = tables_of(board, seats, tables)
    chosen = one_strategy(strategy, where)
    space = make_space(chosen, split_names(params))
    every = [*where, *neighbours_of(where)]
    drawn = drawn_seed() if seed is None else seed
    loaded = [(board, number) for _, board, number in every]
    matches = make_matches(loaded, chosen, opponents_of(against, chosen, where), drawn)
    if precision is not None and not 0 < precision <= 0.5:
        raise UsageError([f"`precision` {precision:g}: must be above 0 and at most 0.5, a fraction of 1"])
    new = New(
        space, matches[: len(where)], matches[len(where) :], [name for name, *_ in every], worst, precision,
        _budget(games, minutes), minutes or 0, seed is None,
    )  # fmt: skip
    if new.games:
        new.divided(new.games)  # refuses too few games before anything is compiled
    return new


def _budget(games: float | None, minutes: float | None) -> int | None:
    """Return the number of games; None if it follows from the number of minutes."""
    if games is not None and minutes is not None:
        raise UsageError(["`games`, `minutes`: give one of them"])
    if minutes is None:
        return number_of(TUNE_GAMES if games is None else games)
    if not (math.isfinite(minutes) and minutes > 0):
        raise UsageError([f"`minutes` {minutes:g}: must be above 0"])
    return None


def _games_in(minutes: float, matches: Sequence[Match], engine: Engine, listener: Listener) -> int:
    """Return how many games about as many minutes take, by playing some."""
    listener.doing("Measuring the speed ...")
    games, started = 0, time.monotonic()
    for match in matches:
        match.games.compile()
    size = 1
    while (seconds := time.monotonic() - started) < TIMED:
        start = matches[0].strategy.values
        jobs = [
            ArmLaps(table, 0, start, start, range(piece * size, (piece + 1) * size))
            for piece in range(2 * cores())
            for table in range(len(matches))
        ]
        for job, _ in engine(matches, jobs, lambda games: None):
            games += len(job.laps) * matches[job.table].lap_games
        size *= 2
    found = int(games / seconds * 60 * minutes)
    listener.message(f"About {found:,} games fit into {minutes:g} minutes; --games {found} gives the same result again")
    return found

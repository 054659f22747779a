"""Keep a tuning in a folder: `tuning.json`, its recipe, and `stages.jsonl`, a line for each finished step."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import AliasChoices, Field

from ttrsim.boards import Board, load_board
from ttrsim.errors import UserError
from ttrsim.files import TUNING_FILES
from ttrsim.formatting import command_line
from ttrsim.runs.recipe import Sha256, Stored, hide_home, show_home
from ttrsim.runs.search_folder import SearchFolder, SearchRecipe, check_versions, versions
from ttrsim.strategies import Param, Strategy
from ttrsim.tuning.inputs import one_strategy
from ttrsim.tuning.match import ArmResults, Match, Values
from ttrsim.tuning.search import Space

STAGES_FILE = TUNING_FILES[1]
SECONDS_BETWEEN = 2.0
"""Seconds of play that are lost at most if the process is killed; Ctrl-C loses none that are finished."""

Count = Annotated[int, Field(ge=1, le=10**12)]
Stage = Literal["search", "test", "worth", "near"]
"""The stages of a tuning: a generation of the search; what was found against the start on fresh deals; each parameter
put back to its start; tables that were not searched at."""


class StoredTable(Stored):
    """A table."""

    map: str  # the board as the user named it; a home folder is written ~
    seats: Annotated[int, Field(ge=1, le=6)]
    sha256: Sha256  # of the board's file


class StoredPlayer(Stored):
    """A strategy that plays."""

    spec: str  # as the user writes it; a home folder is written ~
    content_sha256: Sha256  # of what its code does


class StageGames(Stored):
    """The numbers of games of each stage."""

    generations: Count
    candidates: Count  # of a generation
    games: Count  # of a candidate in a generation, at each table
    test: Count  # games of what was found, and as many of the start, at each table
    worth: Count  # games with each parameter put back, at each table
    near: Count  # games of what was found, and as many of the start, at each neighbouring table


class TuningRecipe(SearchRecipe):
    """Everything that decides a tuning."""

    strategy: StoredPlayer
    params: Annotated[tuple[str, ...], Field(min_length=1)]
    tables: Annotated[tuple[StoredTable, ...], Field(min_length=1)]
    near: tuple[StoredTable, ...]  # neighbouring tables, where only the result is tested
    against: Annotated[tuple[StoredPlayer | Literal["self"], ...], Field(min_length=1)]
    worst: bool  # what counts is the table with the smallest gain, not the mean of all
    seed: Annotated[int, Field(ge=0, lt=2**64)]
    games: Count  # asked for, in all
    precision: float | None = None  # half width that the test goes on to, as a fraction of 1
    stages: Annotated[StageGames, Field(validation_alias=AliasChoices("stages", "plan"))]  # plan: in older folders

    @property
    def command(self) -> str:
        """The command that tunes in the same way."""
        tables = [word for table in self.tables for word in ("--table", f"{table.map}/{table.seats}")]
        if len(self.tables) == 1:
            tables = ["--map", self.tables[0].map, "--seats", str(self.tables[0].seats)]
        against = ",".join(other if isinstance(other, str) else other.spec for other in self.against)
        words = ["ttrsim", "tune", self.strategy.spec, *tables, "--against", against, "--params", ",".join(self.params)]
        words += ["--worst"] * self.worst + ["--games", str(self.games), "--seed", str(self.seed)]
        return command_line([*words, *(["--precision", f"{100 * self.precision:g}"] if self.precision else [])])


class Step(Stored):
    """A finished step of a tuning: what some variants won at each table, on the same deals."""

    stage: Stage
    arms: tuple[tuple[float, ...], ...]  # all values of each variant
    first: tuple[int, ...]  # lap, at each table
    laps: tuple[Count, ...]  # at each table
    games: tuple[Count, ...]  # of a batch, at each table
    wins: tuple[tuple[tuple[int, ...], ...], ...]  # of each arm in each batch, in 60ths, at each table

    @classmethod
    def of(cls, stage: Stage, arms: Sequence[tuple[float, ...]], found: ArmResults) -> "Step":
        """Return the step in which this was measured."""
        wins = tuple(tuple(map(tuple, of_table.tolist())) for of_table in found.wins)
        return cls(stage=stage, arms=tuple(arms), first=found.first, laps=found.laps, games=found.games, wins=wins)

    @property
    def measured(self) -> ArmResults:
        """A measurement."""
        return ArmResults(self.first, self.laps, tuple(np.array(of_table) for of_table in self.wins), self.games)

    @property
    def played(self) -> int:
        """The number of games of all variants at all tables."""
        pairs = zip(self.wins, self.games, strict=True)
        return sum(games * len(of_arm) for wins, games in pairs for of_arm in wins)


def recipe_for(
    space: Space, matches: Sequence[Match], near: Sequence[Match], maps: Sequence[str], *, worst: bool,
    games: int, precision: float | None, stages: StageGames,
) -> TuningRecipe:  # fmt: skip
    """Return the recipe of a new tuning. maps: the boards of all tables as the user named them."""
    tables = [
        StoredTable(map=hide_home(name), seats=match.seats, sha256=match.board.sha256)
        for name, match in zip(maps, (*matches, *near), strict=True)
    ]
    return TuningRecipe(
        **versions(),
        strategy=_stored(space.strategy),
        params=space.names,
        tables=tuple(tables[: len(matches)]),
        near=tuple(tables[len(matches) :]),
        against=tuple("self" if other is None else _stored(other) for other in matches[0].against),
        worst=worst,
        seed=matches[0].seed,
        games=games,
        precision=precision,
        stages=stages,
    )


def _stored(strategy: Strategy) -> StoredPlayer:
    return StoredPlayer(spec=hide_home(strategy.spec), content_sha256=strategy.content_sha256)


class TuningFolder(SearchFolder[TuningRecipe, Step]):
    """The folder of a tuning."""

    what, command, files = "tuning", "tune", TUNING_FILES
    recipe, step = TuningRecipe, Step

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._written = 0.0

    def checker(self, recipe: TuningRecipe) -> Callable[[Step], str | None]:
        return lambda step: _problem(step, recipe)

    def write(self, steps: Sequence[Step], *, now: bool = False) -> None:
        """Write the finished steps, all of them, unless that was done a moment ago. now: in any case."""
        if now or time.monotonic() - self._written > SECONDS_BETWEEN:
            super().write(steps)
            self._written = time.monotonic()


def _problem(step: Step, recipe: TuningRecipe) -> str | None:
    """Return how the numbers of a step do not belong together, or None."""
    tables = len(recipe.near if step.stage == "near" else recipe.tables)
    if {len(part) for part in (step.first, step.laps, step.games, step.wins)} != {tables}:
        return f"it should be about {tables} tables"
    arms = {"search": recipe.stages.candidates + 2, "worth": len(step.arms)}.get(step.stage, 2)
    if len(step.arms) != arms:
        return f"it should have {arms} variants"
    for wins, games in zip(step.wins, step.games, strict=True):
        lengths = {len(of_arm) for of_arm in wins}
        if len(wins) != len(step.arms) or len(lengths) != 1 or not min(lengths):
            return f"it should have the wins of {len(step.arms)} variants, in as many batches each"
        if not 0 <= min(map(min, wins)) <= max(map(max, wins)) <= 60 * games:
            return "it has more wins than games"
    return None


def matches_of(recipe: TuningRecipe, *, to_play: bool) -> tuple[list[Match], list[Match]]:
    """Return the tables of a stored tuning, and its neighbouring ones, with boards and strategies as they are now.

    to_play: refuse what would play otherwise than when the tuning began.
    """
    if to_play:
        check_versions(recipe, "tuning")
    strategy = _loaded(recipe.strategy, to_play=to_play)
    against = tuple(None if isinstance(o, str) else _loaded(o, to_play=to_play) for o in recipe.against)
    every = [*recipe.tables, *recipe.near]
    boards = [_board(table, to_play=to_play) for table in every]
    made = make_matches([(b, t.seats) for b, t in zip(boards, every, strict=True)], strategy, against, recipe.seed)
    return made[: len(recipe.tables)], made[len(recipe.tables) :]


def make_matches(
    tables: Sequence[tuple[Board, int]], strategy: Strategy, against: Sequence[Strategy | None], seed: int
) -> list[Match]:
    """Return the match at each table; each has deals of its own."""
    matches = [
        Match(board, seats, strategy, tuple(against), (seed + number) % 2**64)
        for number, (board, seats) in enumerate(tables)
    ]
    for match in matches:
        _ = match.games  # refuses what cannot be played
    return matches


def _loaded(stored: StoredPlayer, *, to_play: bool) -> Strategy:
    if not to_play:
        return _named(show_home(stored.spec))
    strategy = one_strategy(show_home(stored.spec))
    if strategy.content_sha256 != stored.content_sha256:
        raise UserError([f"{stored.spec}: its code has changed since the tuning began; begin it anew"])
    return strategy


def _board(table: StoredTable, *, to_play: bool) -> Board:
    board = load_board(show_home(table.map))
    if to_play and board.sha256 != table.sha256:
        raise UserError([f"{table.map}: has changed since the tuning began; begin it anew"])
    return board


def _named(spec: str) -> Strategy:
    """Return a strategy as it is now: with its usual values if it no longer takes those given, a mere name if gone."""
    name = spec.partition("(")[0]
    for each in (spec, name):
        try:
            return one_strategy(each)
        except UserError:
            continue
    return Strategy(Path(name).stem, Path(name), "", "", "", (), (), "")


def recorded_space(strategy: Strategy, names: Sequence[str], start: Values, arms: Sequence[Values]) -> Space:
    """Return the space that was searched, with the strategy as it started.

    names: of the tuned parameters, in their order; arms: all values of each variant that the search tried. Where the
    strategy has other parameters now, the tuned ones are those that the search changed. Raises UserError if these are
    not as many as the names.
    """
    now = {param.name: param for param in strategy.params}
    if len(strategy.params) == len(start) and all(name in now for name in names):
        return Space(replace(strategy, values=start), tuple(names))
    tried = np.array([start, *arms])
    changed = [int(place) for place in np.flatnonzero((tried != tried[0]).any(axis=0))]
    if len(changed) != len(names):
        raise UserError([f"{strategy.spec}: had other parameters then, and its steps do not show which were tuned"])
    params = [Param(f"parameter {place + 1}", value, value, value) for place, value in enumerate(start)]
    for name, place in zip(names, changed, strict=True):
        ends = tried[:, place].min(), tried[:, place].max()
        if name in now:
            ends = min(ends[0], now[name].low), max(ends[1], now[name].high)
        params[place] = Param(name, start[place], float(ends[0]), float(ends[1]))
    return Space(replace(strategy, params=tuple(params), values=start), tuple(names))

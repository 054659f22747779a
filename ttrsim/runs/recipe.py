"""The content of `run.json`: the recipe of a run, which decides its games, and how it was made."""

import ast
import hashlib
import json
import os
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, model_validator

import ttrsim
from ttrsim.boards import Board, load_board
from ttrsim.boards.reading import locate_board
from ttrsim.choices import ROW_TABLES, RowTable
from ttrsim.core.constants import RULES_VERSION, SEATS
from ttrsim.errors import UsageError
from ttrsim.formatting import command_line
from ttrsim.schedule import MOST_STRATEGIES, Design, LineUp, Rotate, Schedule, batch_laps, make_line_ups
from ttrsim.strategies import Strategy, load_line_up
from ttrsim.strategies.content import content_sha256
from ttrsim.strategies.loading import TUNED, is_shipped, names_in_tables, number_words, numbered, split_line_up
from ttrsim.strategies.source import SWITCHES

MOST_GAMES = 10**12
MOST_RECORDED = 2_000_000  # games of which rows are recorded without being asked for

COPIED = re.compile(r"[^A-Za-z0-9_.-]")  # what the name of a strategy's copy has not; elsewhere it could be a path

Sha256 = Annotated[str, Field(pattern=r"[0-9a-f]{64}")]


class Stored(BaseModel):
    """Part of a stored file: nothing missing, nothing unknown."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class StoredBoard(Stored):
    """The board of a run."""

    id: str  # as the user named it; a home folder is written ~
    variant: str  # "" for the board itself
    sha256: Sha256  # of its file


class StoredStrategy(Stored):
    """A strategy of a run."""

    name: str  # as the run's tables call it
    source: str  # as the user names it without parameters; a home folder is written ~
    copy_name: Annotated[str, Field(pattern=r"^[0-9]+_[A-Za-z0-9_.-]*\.py$")]  # of its copy in the run's `strategies/`
    sha256: Sha256  # of its text, which the copy has: where the run comes from, not what it is
    content_sha256: Sha256  # of what the text does, whatever its comments and docstrings say
    params: dict[str, float]  # all of them

    @property
    def unnamed_values(self) -> str:
        """The values of its parameters, if its name leaves them out: `thrift=0.8, risk=3`. Switches only if set."""
        if TUNED not in self.name:
            return ""
        shown = {name: value for name, value in self.params.items() if value or name not in SWITCHES}
        return ", ".join(f"{name}={number_words(value)}" for name, value in shown.items())


class UntilCi(Stored):
    """Play until every strategy's win share is known to a given precision."""

    half_width: Annotated[float, Field(gt=0, lt=1)]  # of the 95 % interval
    caution: ClassVar[str] = (
        "Stopping this way leaves win shares unbiased; their 95 % intervals hold in about 94 to 95 % of runs."
    )

    @property
    def words(self) -> list[str]:
        """The options that ask for it."""
        return ["--until-ci", f"{100 * self.half_width:.12g}pp"]

    def __str__(self) -> str:
        return command_line(self.words)


class Sprt(Stored):
    """Play until it is known whether the first of two strategies is better, as `ttrsim.runs.stopping` tests it."""

    first: str  # as the run's tables call it
    second: str
    elo0: float = 0.0  # normalised Elo of the first over the second, by the hypothesis H0
    elo1: float = 2.0  # by H1
    alpha: Annotated[float, Field(gt=0, lt=0.5)] = 0.05  # how often H1 is accepted where H0 holds
    beta: Annotated[float, Field(gt=0, lt=0.5)] = 0.05  # how often H0 is accepted where H1 holds
    caution: ClassVar[str] = "Stopping this way pulls win shares towards what was accepted; ± does not allow for it."

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.elo0 >= self.elo1:
            raise ValueError(f"elo0 {self.elo0:g}: must be less than elo1, which is {self.elo1:g}")
        return self

    @property
    def words(self) -> list[str]:
        """The options that ask for it."""
        numbers = [f"--{name}={getattr(self, name):.12g}" for name in ("elo0", "elo1", "alpha", "beta")]
        return ["--sprt", f"{self.first},{self.second}", *numbers]

    def __str__(self) -> str:
        return command_line(self.words)


class InStep(Stored):
    """Stop together with another run, as soon as it is known which of two is better: `ttrsim compare --sprt`."""

    in_step: Literal[True] = True
    caution: ClassVar[str] = "Stopping this way pulls the change towards what was accepted; ± does not allow for it."
    words: ClassVar[list[str]] = []

    def __str__(self) -> str:
        return "ttrsim compare --sprt"


Stop = UntilCi | Sprt | InStep


class Recipe(Stored):
    """Everything that decides the games of a run and what is stored of them."""

    rules_version: int
    kit_sha256: Sha256  # of what the compiled helpers do that strategies share, whatever their comments say
    board: StoredBoard
    strategies: Annotated[tuple[StoredStrategy, ...], Field(min_length=1, max_length=MOST_STRATEGIES)]
    design: Design
    rotate: Rotate
    line_ups: Annotated[tuple[LineUp, ...], Field(min_length=1)]  # strategies by their place in `strategies`
    seed: Annotated[int, Field(ge=0, lt=2**64)]
    laps: Annotated[int, Field(ge=1, le=MOST_GAMES)]
    record: tuple[RowTable, ...]  # tables of rows that are stored
    stop: Stop | None = None  # what ends the run before its last game

    @model_validator(mode="after")
    def _of_one_size(self) -> Self:
        if {len(line_up) for line_up in self.line_ups} != {self.seats} or not 1 <= self.seats <= SEATS:
            raise ValueError(f"line_ups should all have the same number of seats, at most {SEATS}")
        if not {s for line_up in self.line_ups for s in line_up} <= set(range(len(self.strategies))):
            raise ValueError("line_ups should be of numbers of strategies")
        return self

    @cached_property
    def schedule(self) -> Schedule:
        """The numbering and division of the games."""
        return Schedule(self.line_ups, self.rotate, self.laps)

    @cached_property
    def identity(self) -> str:
        """The SHA-256 of what decides each game and what is stored of it: not the recipe's length, any path or comment.

        Every shard has it. So a run may grow, its board and bots may move, and comments in its bots may change.
        """
        deciding = self.model_dump(
            mode="json", exclude={"laps": True, "board": {"id"}, "strategies": {"__all__": {"source", "sha256"}}}
        )
        return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()

    def batch_laps_at(self, lap: int) -> int:
        """Return the laps of the batches that a shard's sums are stored by, if it begins with a lap.

        A run that may stop has batches as small as those of a run that stops just then.
        """
        return batch_laps(lap + 1) if self.stop else self.schedule.batch_laps

    def changed(self, **values: Any) -> "Recipe":
        """Return a checked copy with other values. (`model_copy` would keep the old schedule.)"""
        return Recipe.model_validate({**self.model_dump(), **values})

    def of_texts(self, texts: Mapping[str, bytes]) -> "Recipe":
        """Return the same recipe with the hashes of these texts of its strategies, by the names of their copies."""
        hashes = {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()}
        return self.changed(strategies=[s.model_copy(update={"sha256": hashes[s.copy_name]}) for s in self.strategies])

    @property
    def names(self) -> list[str]:
        """The names of the strategies in tables."""
        return [strategy.name for strategy in self.strategies]

    @property
    def seats(self) -> int:
        """Players at a table."""
        return len(self.line_ups[0])

    @property
    def players(self) -> list[StoredStrategy]:
        """The strategies as the user listed them."""
        listed = self.line_ups[0] if self.design == "fixed" else range(len(self.strategies))
        return [self.strategies[s] for s in listed]

    @property
    def line_up_names(self) -> list[str]:
        """The line-ups in words: `planner, random, random`."""
        return [", ".join(self.names[s] for s in line_up) for line_up in self.line_ups]

    @property
    def options(self) -> dict[str, Any]:
        """The arguments of `make_recipe` that make this recipe."""
        return {
            "board": show_home(self.board.id),
            "players": [spec_of(strategy) for strategy in self.players],
            "games": self.schedule.games,
            "seed": self.seed,
            "design": self.design,
            "seats": None if self.design == "fixed" else self.seats,
            "rotate": self.rotate,
            "record": self.record,
            "stop": self.stop,
        }

    @property
    def command(self) -> str:
        """The command that makes this run."""
        options = self.options
        words = ["ttrsim", "run", "--map", self.board.id, "--players", ",".join(options["players"])]
        words += ["--design", self.design, *(["--seats", str(self.seats)] if options["seats"] else [])]
        words += ["--rotate", self.rotate, "-n", str(options["games"]), "--seed", str(self.seed)]
        words += ["--record", ",".join(self.record) or "none"]
        return command_line([*words, *(self.stop.words if self.stop else [])])


class Provenance(Stored):
    """The versions and the command with which a run was made. No names of people or machines."""

    ttrsim: str
    python: str
    libraries: dict[str, str]
    platform: str
    started: str  # UTC
    command: str


class Begun(Stored):
    """The recipe of a run and its provenance."""

    schema_version: Literal[2] = 2  # goes up whenever a folder is laid out otherwise
    recipe: Annotated[Recipe, Field(validation_alias=AliasChoices("recipe", "plan"))]  # plan: in older folders
    provenance: Provenance


class RunFile(Begun):
    """`run.json`."""

    sha256: Sha256  # of all the rest, by which a change is noticed


def make_recipe(
    *,
    board: str,
    players: str | Sequence[str],
    games: int,
    seed: int,
    design: Design = "fixed",
    seats: int | None = None,
    rotate: Rotate = "cyclic",
    record: Sequence[RowTable] | None = None,
    stop: Stop | None = None,
) -> tuple[Recipe, Board, list[Strategy]]:
    """Make the recipe of a run; return it with its board and its different strategies.

    record: tables of rows to store; None: games and players, unless the run is too large. stop: what ends the run
    before it has that many games.
    """
    if not 1 <= games <= MOST_GAMES:
        raise UsageError([f"-n {games}: must be from 1 to {MOST_GAMES:.0e}".replace("e+", "e")])
    if not 0 <= seed < 2**64:
        raise UsageError([f"seed {seed}: must be from 0 to 2**64 - 1"])
    loaded = load_board(board)
    if seats is not None and design != "fixed":
        loaded.check_players(seats)
    different, numbers = numbered(load_line_up(players, loaded, None if design == "fixed" else seats))
    if len(different) > MOST_STRATEGIES:
        raise UsageError([f"{len(different)} strategies: a run can have at most {MOST_STRATEGIES}"])
    line_ups = make_line_ups(design, numbers, seats)
    loaded.check_players(len(line_ups[0]))
    one_lap = Schedule(tuple(line_ups), rotate, 1)
    laps = -(-games // one_lap.lap_games)
    usual: Sequence[RowTable] = ("games", "players") if laps * one_lap.lap_games <= MOST_RECORDED else ()
    recorded = usual if record is None else record
    strategies = tuple(_stored_strategies(different))
    if isinstance(stop, Sprt):
        specs = split_line_up(players) if isinstance(players, str) else players
        listed = zip(specs, numbers, strict=True)
        stop = _by_names(stop, {spec: strategies[n].name for spec, n in listed if "@" in str(spec)})
        _check_pair(stop, [strategy.name for strategy in strategies], one_lap)
    recipe = Recipe(
        rules_version=RULES_VERSION,
        kit_sha256=kit_sha256(),
        board=StoredBoard(id=hide_home(board), variant=locate_board(board)[1], sha256=loaded.sha256),
        strategies=strategies,
        design=design,
        rotate=rotate,
        line_ups=tuple(line_ups),
        seed=seed,
        laps=laps,
        record=tuple(table for table in ROW_TABLES if table in recorded),
        stop=stop,
    )
    return recipe, loaded, different


def _by_names(test: Sprt, names: Mapping[str, str]) -> Sprt:
    """Return a sequential test of the strategies that the run's tables call by these names."""
    both = {"first": names.get(test.first, test.first), "second": names.get(test.second, test.second)}
    return test.model_copy(update=both)


def _check_pair(test: Sprt, names: Sequence[str], lap: Schedule) -> None:
    """Refuse a sequential test of strategies that the run has not, or has in places that differ."""
    for name in (test.first, test.second):
        if name not in names:
            raise UsageError([f"--sprt: no strategy {name!r} in the run; it has {', '.join(names)}"])
    if test.first == test.second:
        raise UsageError([f"--sprt {test.first},{test.second}: needs two different strategies"])
    first, second = names.index(test.first), names.index(test.second)
    exchange = {first: second, second: first}
    seatings = lap.seatings.tolist()
    if sorted([exchange.get(s, s) for s in seating] for seating in seatings) != sorted(seatings):
        why = (
            "the two sit in different places and after different strategies, which alone makes their win shares differ"
        )
        mend = "they swap places if each is listed once and --rotate is cyclic or all, or with --design mixed"
        raise UsageError([f"--sprt {test.first},{test.second}: {why}; {mend}"])


def _stored_strategies(strategies: Sequence[Strategy]) -> list[StoredStrategy]:
    return [
        StoredStrategy(
            name=name,
            source=strategy.path.stem if is_shipped(strategy.path) else hide_home(str(strategy.path)),
            copy_name=f"{number}_{COPIED.sub('_', strategy.path.stem)[:100]}.py",
            sha256=strategy.sha256,
            content_sha256=strategy.content_sha256,
            params={p.name: value for p, value in zip(strategy.params, strategy.values, strict=True)},
        )
        for number, (name, strategy) in enumerate(zip(names_in_tables(strategies), strategies, strict=True))
    ]


def spec_of(strategy: StoredStrategy) -> str:
    """Return a strategy as users write it, with all its parameters."""
    params = ", ".join(f"{name}={value!r}" for name, value in strategy.params.items())
    return f"{strategy.source}({params})" if params else strategy.source


def hide_home(name: str) -> str:
    """Return a path with ~ in place of the home folder, which may have the user's name."""
    home = os.path.expanduser("~")  # noqa: PTH111 - which raises no error where there is no home folder
    return "~" + name[len(home) :] if name.startswith((home + "/", home + os.sep)) else name


def show_home(name: str) -> str:
    """Undo `hide_home`. (`Path.expanduser` fails at names like ~somebody.)"""
    return os.path.expanduser("~") + name[1:] if name.startswith(("~/", "~" + os.sep)) else name  # noqa: PTH111


@cache
def kit_sha256() -> str:
    """Return the hash of what the compiled helpers do, and of their names: they are as good as part of a strategy."""
    package = Path(ttrsim.__file__).parent
    paths = [package / "bot.py", *(package / "kit").glob("*.py")]
    hashes = {path.name: content_sha256(ast.parse(path.read_bytes())) for path in paths}
    return hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()


@cache
def _libraries() -> dict[str, str]:
    return {name: version(name) for name in ("numba", "llvmlite", "numpy", "pyarrow", "pandas")}


def make_provenance(recipe: Recipe) -> Provenance:
    """Return the provenance of a run that is begun now."""
    return Provenance(
        ttrsim=ttrsim.__version__,
        python=platform.python_version(),
        libraries=_libraries(),
        platform=f"{sys.platform} {platform.machine()}",
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        command=recipe.command,
    )

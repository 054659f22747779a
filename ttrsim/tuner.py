"""Search for a strategy's best parameters, and test what was found: `ttrsim.tune`."""

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim.batches import Interval
from ttrsim.boards import Board
from ttrsim.compiling import compile_first, cores
from ttrsim.errors import Unfinished, UsageError, UserError
from ttrsim.files import check_parent, write_file
from ttrsim.progress import Listener, OnMessage, OnProgress
from ttrsim.runs.arguments import EngineName, Players, check_engine, out_folder
from ttrsim.runs.recipe import hide_home
from ttrsim.strategies import Strategy
from ttrsim.strategies.profiles import Profile, add_profiles, new_profile, own_profiles, profiles_path, table_name
from ttrsim.tuning import frames
from ttrsim.tuning.beginning import new_tuning
from ttrsim.tuning.inputs import TableLike, against_words, strategies_of
from ttrsim.tuning.match import Engine, local_engine
from ttrsim.tuning.playing import START, TuningState, carry_out, gain
from ttrsim.tuning.search import make_space
from ttrsim.tuning.stored import TuningFolder, matches_of, recorded_space

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.report.document import Report


@dataclass
class Tuning:
    """The result of a search for better parameters, tested on deals that it did not see."""

    state: TuningState
    path: Path | None = None  # its folder, if it is kept

    @classmethod
    def open(cls, path: str | Path) -> "Tuning":
        """Open a finished tuning."""
        folder = TuningFolder(Path(path))
        state = _stored(folder, to_play=False)
        if not state.finished:
            raise Unfinished([f"{path}: is unfinished; continue with {folder.resume_command}"])
        return cls(state, folder.path)

    def __repr__(self) -> str:
        return f"<Tuning of {self.start.spec}: {self.verdict}, {self.strategy.spec}>"

    def _repr_html_(self) -> str:
        from ttrsim.notebook import tuning_html

        return tuning_html(self)

    @property
    def start(self) -> Strategy:
        """The strategy as it started."""
        return self.state.space.strategy

    @property
    def changed(self) -> str:
        """A sentence if the strategy has changed since, so that what was found may no longer hold; "" if not."""
        if self.start.content_sha256 == self.state.recipe.strategy.content_sha256:
            return ""
        return f"{self.start.name} has changed since: these results were recorded then, and may not hold for it now."

    @property
    def found(self) -> Strategy:
        """The strategy with the parameters that the search found, whether they are better or not."""
        return replace(self.start, values=self.state.of("test")[0].arms[0])

    @property
    def strategy(self) -> Strategy:
        """The strategy to use: with the parameters found if they are clearly better, else as it started."""
        return self.found if self.verdict == "better" else self.start

    @property
    def gain(self) -> Interval:
        """The gain in win share with the parameters found, on fresh deals, as a mean over the tables."""
        return gain(self.state)

    @property
    def verdict(self) -> str:
        """Return whether the tuned parameters are `better`, `worse`, or `undecided`."""
        return frames.verdict(self.gain)

    @cached_property
    def gains(self) -> "pd.DataFrame":
        """A row for each table, those searched at and their neighbours."""
        return frames.gains_frame(self.state)

    @cached_property
    def parameters(self) -> "pd.DataFrame":
        """A row for each parameter, with what it is worth."""
        return frames.parameters_frame(self.state, self.found.values)

    @cached_property
    def trace(self) -> "pd.DataFrame":
        """A row for each generation of the search."""
        return frames.trace_frame(self.state)

    @property
    def answers(self) -> list[str]:
        """Return the sentences that begin the page: whether there is a gain, and which parameters matter."""
        from ttrsim.report.tuning_glance import answers_of_tuning

        return answers_of_tuning(self)

    @property
    def profiles(self) -> list[Profile]:
        """The parameters found, as profiles of the tables searched at which they are clearly better."""
        gains, recipe = self.gains, self.state.recipe
        against = hide_home(against_words(self.state.matches[0].against))
        return [
            new_profile(
                self.found,
                [gains[f"gain{end}"][row] for end in ("", "_low", "_high")],
                table=table_name(match.board, match.seats),
                against=against,
                games=self.games,
                seed=recipe.seed,
                command=self.command,
                strategy_sha256=recipe.strategy.content_sha256,
                board_sha256=recipe.tables[row].sha256,
            )
            for row, match in enumerate(self.state.matches)
            if gains["verdict"][row] == "better"
        ]

    def save_profiles(self) -> list[Profile]:
        """Add `profiles` to those beside the strategy's file; return them."""
        path = own_profiles(self.start)
        if profiles := self.profiles:
            add_profiles(path, profiles)
        return profiles

    @property
    def games(self) -> int:
        """The number of games played in all."""
        return sum(step.played for step in self.state.steps)

    @property
    def command(self) -> str:
        """The command that tunes in the same way."""
        return self.state.recipe.command

    def json(self) -> dict[str, Any]:
        """Return all numbers, and everything that decides them."""
        from ttrsim.report.tables import frames_json

        value, low, high = (float(end[0]) for end in self.gain)
        return {
            "strategy": self.strategy.spec,
            "verdict": self.verdict,
            "gain": {"value": value, "low": low, "high": high},
            "found": self.found.spec,
            "params": {p.name: v for p, v in zip(self.found.params, self.found.values, strict=True)},
            "games": self.games,
            "answers": self.answers,
            "command": self.command,
            "recipe": self.state.recipe.model_dump(mode="json"),
            "tables": frames_json({"gains": self.gains, "parameters": self.parameters, "trace": self.trace}),
        }

    def save(self, path: str | Path) -> None:
        """Write a .json file."""
        check_parent(Path(path))
        write_file(Path(path), json.dumps(self.json(), ensure_ascii=False, indent=2) + "\n")

    def report(self, *paths: str | Path) -> "Report":
        """Make a report of the tuning, and write it to .html, .md or .json files."""
        from ttrsim.report.of_tuning import report_of_tuning
        from ttrsim.report.page import write_all

        return write_all(paths, lambda: report_of_tuning(self))


def tune(
    strategy: str | Strategy | None = None,
    *,
    board: str | Path | Board | None = None,
    seats: int | None = None,
    tables: Sequence[TableLike] = (),
    against: Players | None = None,
    params: str | Sequence[str] | None = None,
    worst: bool | None = None,
    games: float | None = None,
    minutes: float | None = None,
    precision: float | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    profile: bool = False,
    threads: int | None = None,
    engine: EngineName = "threads",
    scheduler: str | None = None,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> Tuning:
    """Search for parameters with which a strategy wins more, and test them on deals that the search did not see.

    strategy: by name or file, from whose values the search starts; board, seats: the table, or `tables`, such as
    `["usa/2", "usa/4"]`; against: the opponents, of which every combination plays, by default the strategy as it
    starts; `self` is the best found so far; params: which parameters to tune, by default all; worst: judge by the table
    with the smallest gain, not by the mean.

    games: in all, by default 300,000, or as many as take these `minutes`; precision: go on with the test until the gain
    is known to this half width, such as 0.003.

    out: a folder to keep it in; resume: go on with the tuning in that folder; profile: add what is clearly better to
    the profiles beside the strategy's file, with which `my_bot.py@best` plays.

    >>> tuning = tune("planner", board="usa", seats=2, against="planner,hoarder", games=20_000, seed=1)
    >>> tuning.answers, tuning.strategy, tuning.gains, tuning.parameters
    """
    folder = None if out is None else TuningFolder(out_folder(out).path)
    listener = Listener(progress, message)
    check_engine(engine, scheduler, threads)
    given: dict[str, Any] = {"strategy": strategy, "board": board, "seats": seats, "tables": tables or None}
    given |= {"against": against, "params": params, "worst": worst, "games": games, "minutes": minutes}
    given |= {"precision": precision, "seed": seed}
    given = {name: value for name, value in given.items() if value is not None}
    with contextlib.ExitStack() as stack:
        part = _begun(folder, list(given), stack) if resume else new_tuning(folder, **given)
        match = part.matches[0]
        if profile:
            own_profiles(match.strategy)
        compile_first(strategies_of(match), listener)
        plays = stack.enter_context(_engine(engine, scheduler, threads, listener))
        state = part if isinstance(part, TuningState) else part.begin(folder, plays, listener, stack)
        return _tuned(state, folder, plays, listener, profile=profile)


def _tuned(
    state: TuningState, folder: TuningFolder | None, engine: Engine, listener: Listener, *, profile: bool
) -> Tuning:
    """Play what is not finished of a tuning, and keep it in the folder."""
    for match in (*state.matches, *state.near):
        match.games.compile()
    try:
        carry_out(state, engine, listener, lambda: folder.write(state.steps) if folder else None)
    finally:
        if folder:
            folder.write(state.steps, now=True)
    tuning = Tuning(state, folder.path if folder else None)
    if profile:
        tables = ", ".join(kept.table for kept in tuning.save_profiles()) or "nothing, because no gain is clear"
        listener.message(f"Kept in {profiles_path(tuning.start.path)}: {tables}")
    return tuning


def _begun(folder: TuningFolder | None, given: Sequence[str], stack: contextlib.ExitStack) -> TuningState:
    """Return the tuning to go on with; its folder is locked as long as the stack lasts.

    given: what else was given, which is refused.
    """
    if folder is None:
        raise UsageError(["`resume`: needs `out`, the folder of the tuning"])
    state = _stored(folder, to_play=True)
    if given:
        raise UsageError([f"`{given[0]}`: was chosen when the tuning in {folder.path} began; leave it out"])
    stack.enter_context(folder.locked())
    return replace(state, steps=folder.read()[1])  # another process may have gone on with it


def _stored(folder: TuningFolder, *, to_play: bool) -> TuningState:
    """Return the tuning in a folder, as far as it has come. to_play: refuse what has changed since it began."""
    recipe, steps = folder.read()
    matches, near = matches_of(recipe, to_play=to_play)
    strategy, arms = matches[0].strategy, [arm for step in steps for arm in step.arms]
    if len({len(arm) for arm in arms}) > 1:
        raise UserError([f"{folder.path}: its steps have different numbers of values; start anew in another folder"])
    if arms:  # the parameters of the strategy, or their usual values, may have changed
        space = recorded_space(strategy, recipe.params, steps[0].arms[START], arms)
    else:
        space = make_space(strategy, recipe.params)
    return TuningState(recipe, space, matches, near, steps)


def how_to_continue(out: Path) -> str:
    """Say how far an interrupted tuning has come and how to go on; nothing if none was begun."""
    folder = TuningFolder(out)
    if not folder.begun:
        return ""
    recipe, steps = folder.read()
    searched = sum(step.stage == "search" for step in steps)
    done = f"{searched} of {recipe.stages.generations} generations finished and kept"
    return f"{done}; continue with: {folder.resume_command}"


@contextlib.contextmanager
def _engine(engine: EngineName, scheduler: str | None, threads: int | None, listener: Listener) -> Iterator[Engine]:
    """Yield what plays the games."""
    if engine == "dask":
        from ttrsim.tuning.workers import dask_engine

        with dask_engine(scheduler, threads or cores(), listener.message) as plays:
            yield plays
    else:
        yield local_engine(threads or cores())

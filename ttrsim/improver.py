"""Search for a few changes that make a board fairer, and let other strategies judge them: `ttrsim.improve`."""

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ttrsim.batches import LEVEL
from ttrsim.boards import Board, load_board
from ttrsim.boards.edit import apply_to
from ttrsim.choices import drawn_seed
from ttrsim.compiling import compile_first, cores
from ttrsim.errors import Unfinished
from ttrsim.examination import Balance, balance
from ttrsim.files import check_new, check_parent, write_file
from ttrsim.formatting import counted
from ttrsim.improving import frames
from ttrsim.improving.beginning import begun_search, games_in, new_search
from ttrsim.improving.changes import Change, with_changes
from ttrsim.improving.measuring import Bench, gain, measured
from ttrsim.improving.search import SHARES, Search
from ttrsim.improving.stored import TESTS, Gain, ImprovementFolder, ImprovementRecipe, Step
from ttrsim.progress import GameCounter, Listener, OnGames, OnMessage, OnProgress
from ttrsim.runs.arguments import EngineName, Players, check_engine, chosen, drawn_words, out_folder
from ttrsim.runs.in_memory import PlayAll, play_all
from ttrsim.runs.playing import Player
from ttrsim.runs.recipe import show_home
from ttrsim.stats.balance import LIKE_PUBLISHED
from ttrsim.stats.balance import balance as judge
from ttrsim.stats.deciding import read_tables
from ttrsim.stats.sizes import ALL
from ttrsim.strategies import load_line_up

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.report.document import Report

JUDGED_SEED = 10**9
"""Added to the seed: the deals on which the result is judged, which the search does not play."""
PROPOSED = "proposed.toml"
"""The name of the proposed board in the folder of a search."""


@dataclass
class Improvement:
    """The result of a search for a fairer board, judged by strategies that played no part in the search."""

    recipe: ImprovementRecipe
    steps: list[Step]
    found: tuple[Change, ...]  # what the search found
    before: Balance | None = None  # the judges' examinations, if anything was found
    after: Balance | None = None
    path: Path | None = None  # its folder, if it is kept

    @classmethod
    def open(cls, path: str | Path) -> "Improvement":
        """Open a finished search."""
        folder = ImprovementFolder(Path(path))
        recipe, steps = folder.read()
        unfinished = Unfinished([f"{path}: is unfinished; continue with {folder.resume_command}"])

        def refuse(players: Iterable[Player], on_games: OnGames) -> NoReturn:
            raise unfinished

        found = _search(recipe, steps, refuse).run()
        if not found:
            return cls(recipe, steps, found, path=folder.path)
        if not all((folder.path / name).is_dir() for name in TESTS):
            raise unfinished
        sides = [stored_balance(folder.path / name) for name in TESTS]
        if any(len(side.runs) != len(sides[0].runs) or not all(run.finished for run in side.runs) for side in sides):
            raise unfinished
        return cls(recipe, steps, found, sides[0], sides[1], folder.path)

    def __repr__(self) -> str:
        return f"<Improvement of {self.recipe.board}: {len(self.changes)} changes proposed>"

    @cached_property
    def gains(self) -> dict[str, Gain]:
        """The judges' gain in each goal, with errors; empty if nothing was found."""
        if not self.before or not self.after:
            return {}
        before, after = (measured(_mixed(side), self.recipe.goals) for side in (self.before, self.after))
        goals = {goal: [goal] for goal in self.recipe.goals} | {"all": self.recipe.goals}
        return {name: gain(before, after, of) for name, of in goals.items()}

    @property
    def verdict(self) -> str:
        """better: the judges clearly find the board fairer in a goal, and not less fair in all; else nothing."""
        return frames.verdict(self.gains)

    @property
    def changes(self) -> list[str]:
        """The changes to make, as `--set` takes them; none if the judges do not clearly find the board fairer."""
        return [change.setting for change in self.found] if self.verdict == "better" else []

    @property
    def diff(self) -> list[str]:
        """The changes to make, in words with the values before."""
        return frames.changed_words(self.recipe, self.changes)

    @property
    def board(self) -> Board:
        """The board with the changes to make."""
        return load_board(self._name)

    @property
    def text(self) -> str:
        """The board's file with the changes to make; its comments and layout stay."""
        return apply_to(show_home(self.recipe.board), self.changes)[1]

    @property
    def _name(self) -> str:
        return with_changes(show_home(self.recipe.board), self.found if self.verdict == "better" else ())

    @cached_property
    def singles(self) -> "pd.DataFrame":
        """Single changes, the best first, with gains on fresh deals."""
        return frames.singles_frame(load_board(show_home(self.recipe.board)), self.steps)

    @cached_property
    def pareto(self) -> "pd.DataFrame":
        """The sizes of the board with more and more changes."""
        return frames.path_frame(self.steps)

    @cached_property
    def log(self) -> "pd.DataFrame":
        """The steps of the search."""
        return frames.steps_frame(self.steps)

    @property
    def games(self) -> int:
        """The number of games played in all."""
        judged = [run for side in (self.before, self.after) if side for run in side.runs]
        return sum(step.games for step in self.steps) + sum(run.games_played for run in judged)

    @property
    def answers(self) -> list[str]:
        """Return the sentences that begin the page: whether the board can be made fairer, and what that changes."""
        from ttrsim.report.tuning_glance import answers_of_improvement

        return answers_of_improvement(self)

    def sizes_table(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and rows of sizes before and after, beside those of the published boards."""
        from ttrsim.report.size_words import TITLES, in_unit, size_words
        from ttrsim.stats.published_boards import NAMES

        examined = [side for side in (self.before, self.after) if side]
        rows = [
            [TITLES[str(old["question"])], size_words(old), size_words(new)]
            + [in_unit(old[board], str(old["unit"])) for board in NAMES]
            for old, new in zip(*(_sizes(side) for side in examined), strict=True)
        ]
        return ["", "Before", "After", *NAMES.values()], rows

    def json(self) -> dict[str, Any]:
        """Return all numbers, and everything that decides them."""
        from ttrsim.report.tables import frames_json

        return {
            "answers": self.answers,
            "verdict": self.verdict,
            "changes": self.changes,
            "diff": self.diff,
            "found": [change.setting for change in self.found],
            "gains": {goal: {"value": value, "error": error} for goal, (value, error) in self.gains.items()},
            "sizes": {
                name: _numbers(side) for name, side in zip(TESTS, (self.before, self.after), strict=True) if side
            },
            "games": self.games,
            "command": self.recipe.command,
            "recipe": self.recipe.model_dump(mode="json"),
            "tables": frames_json({"singles": self.singles, "path": self.pareto, "steps": self.log}),
        }

    def save(self, path: str | Path) -> None:
        """Write a .json file with all numbers, or a .toml file with the board as proposed."""
        check_parent(Path(path))
        board = Path(path).suffix == ".toml"
        write_file(Path(path), self.text if board else json.dumps(self.json(), ensure_ascii=False, indent=2) + "\n")

    def report(self, *paths: str | Path) -> "Report":
        """Make a report of the search, and write it to .html, .md or .json files."""
        from ttrsim.report.of_improvement import report_of_improvement
        from ttrsim.report.page import write_all

        return write_all(paths, lambda: report_of_improvement(self))


def improve(
    board: str | Path | Board | None = None,
    *,
    goal: str | Sequence[str] | None = None,
    players: Players | None = None,
    judges: Players | None = None,
    seats: int | str | Sequence[int] | None = None,
    games: float | None = None,
    minutes: float | None = None,
    max_changes: int | None = None,
    keep: Sequence[str] = (),
    least: int | None = None,
    most: int | None = None,
    stretch: float | None = None,
    seed: int | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    threads: int | None = None,
    engine: EngineName = "threads",
    scheduler: str | None = None,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> Improvement:
    """Search for a few changes that make a board fairer, and have strategies that played no part in it judge them.

    goal: what to mend, of tickets, seats, routes (dead ones, and dead cities) and strategies, by default the first
    three; players, judges: the strategies of the search, and the others that judge; seats: numbers of players at a
    table, by default all that the board allows; games: in all, by default a million, or what `minutes` allow.

    max_changes: propose at most this many; keep: what must stay as it is, such as `tickets of Paris`, `rules.hand` or
    `route Brest–Dieppe`; least, most: the points that a ticket may have; stretch: a ticket may have at most this
    many times the points that tickets of its length usually have on the board, and at least 1/stretch of them; 2 by
    default.

    out: a folder to keep the search in, or a .toml file for the board if one is proposed; resume: go on with the
    search in it.

    >>> found = improve("usa", players="random", judges="random_kind", seats=2, games=4000, keep=["routes"], seed=1)
    >>> found.answers, found.diff, found.singles, found.pareto
    """
    file = Path(out) if out is not None and Path(out).suffix == ".toml" else None
    folder = None if out is None or file else ImprovementFolder(out_folder(out).path)
    if file:
        check_new(file)
    listener = Listener(progress, message)
    check_engine(engine, scheduler, threads)
    given = {"board": board, "goal": goal, "players": players, "judges": judges, "seats": seats, "games": games}
    given |= {"minutes": minutes, "max_changes": max_changes, "keep": tuple(keep) or None}
    given |= {"least": least, "most": most, "stretch": stretch, "seed": seed}
    if resume:
        recipe, steps = begun_search(folder, [*chosen(given)])
    else:
        if folder:
            folder.check_free()
        recipe, steps = new_search(chosen(given), drawn := drawn_seed() if seed is None else seed), []
    compile_first(load_line_up([*recipe.players, *recipe.judges]), listener)
    with _engine(engine, scheduler, threads, listener) as play:
        if minutes is not None:
            recipe = recipe.model_copy(update={"games": games_in(minutes, recipe, play, listener)})
        if folder and not resume:
            folder.begin(recipe)
        if seed is None and not resume:
            listener.message(drawn_words(drawn))
        with folder.locked() if folder else contextlib.nullcontext():
            changes = _found(recipe, steps, folder, play, listener)
            found = _tested(recipe, steps, changes, folder, threads or cores(), listener)
    if file and found.changes:
        found.save(file)
    elif file:
        listener.message(f"{file} was not written: there is nothing to propose")
    return found


def _search(
    recipe: ImprovementRecipe,
    steps: list[Step],
    play: PlayAll,
    on_games: OnGames = lambda games: None,
    on_step: Callable[[Step], None] = lambda step: None,
) -> Search:
    players = [show_home(spec) for spec in recipe.players]
    bench = Bench(players, recipe.seats, recipe.goals, recipe.seed, play, on_games)
    return Search(recipe, bench, steps, on_step)


def _found(
    recipe: ImprovementRecipe,
    steps: list[Step],
    folder: ImprovementFolder | None,
    play: PlayAll,
    listener: Listener,
) -> tuple[Change, ...]:
    """Play what is not finished of a search, and keep it in the folder; return the changes that it found."""
    of, done = int((1 - SHARES["judged"]) * recipe.games), sum(step.games for step in steps)
    count = GameCounter(listener, of, done=done, about=True).played

    def keep(step: Step) -> None:
        if folder:
            folder.write(steps)
        listener.message(f"{step.name}: {step.games:,} games of {counted(len(step.arms), 'board')}")

    found = _search(recipe, steps, play, count, keep).run()
    if folder:
        for arm in {arm.sha256: arm for step in steps if step.name == "together" for arm in step.arms}.values():
            folder.keep(with_changes(show_home(recipe.board), [Change(text, text, "") for text in arm.changes]))
    return found


def _tested(
    recipe: ImprovementRecipe, steps: list[Step], found: tuple[Change, ...], folder: ImprovementFolder | None,
    threads: int, listener: Listener,
) -> Improvement:  # fmt: skip
    """Let the judges examine the changes, and keep the proposed board in the folder."""
    result = Improvement(recipe, steps, found, path=folder.path if folder else None)
    if found:
        sides = _judged(recipe, found, folder.path if folder else None, threads, listener)
        result = replace(result, before=sides[0], after=sides[1])
    if folder and result.changes:
        write_file(folder.path / PROPOSED, result.text, own=True)
    return result


def _judged(
    recipe: ImprovementRecipe, found: Sequence[Change], folder: Path | None, threads: int, listener: Listener
) -> tuple[Balance, Balance]:
    """Return the judges' examinations of the board as it was and with the changes."""
    name = show_home(recipe.board)
    tables = 2 * len(TESTS) * len(recipe.seats)  # mirror and mixed
    sides = []
    for test, changes in zip(TESTS, ((), found), strict=True):
        listener.message(f"The board {'with the changes' if changes else 'as it is'}, judged by {', '.join(recipe.judges)}")  # fmt: skip  # noqa: E501
        sides.append(
            balance(
                board=with_changes(name, changes), players=[show_home(spec) for spec in recipe.judges],
                seats=recipe.seats, games=max(1, int(SHARES["judged"] * recipe.games / tables)),
                seed=(recipe.seed + JUDGED_SEED) % 2**64, out=folder / test if folder else None, threads=threads,
                progress=listener.progress, message=None,
            )
        )  # fmt: skip
    return sides[0], sides[1]


def stored_balance(folder: Path) -> Balance:
    """Return a stored examination, by the bounds of the published boards."""
    runs = read_tables(folder)
    return Balance(runs, judge(runs, LIKE_PUBLISHED), LIKE_PUBLISHED, LEVEL)


def _sizes(side: Balance) -> list[dict[Any, Any]]:
    """Return the sizes over all tables."""
    return side.sizes[side.sizes["players"] == ALL].to_dict("records")


def _numbers(side: Balance) -> dict[str, dict[str, float]]:
    """Return the size of each question with the ends of its interval."""
    return {row["question"]: {end: row[end] for end in ("size", "size_low", "size_high")} for row in _sizes(side)}


def _mixed(side: Balance) -> list[Any]:
    return [run for run in side.runs if run.recipe.design == "mixed" or len(run.strategies) == 1]


def how_to_continue(out: Path) -> str:
    """Say how far an interrupted search has come and how to go on; nothing if none was begun."""
    folder = ImprovementFolder(out)
    if not folder.begun:
        return ""
    _, steps = folder.read()
    return f"{len(steps)} steps finished and kept; continue with: {folder.resume_command}"


@contextlib.contextmanager
def _engine(engine: EngineName, scheduler: str | None, threads: int | None, listener: Listener) -> Iterator[PlayAll]:
    """Yield the function that plays the games of the search."""
    if engine == "dask":
        from ttrsim.runs.dask_workers import dask_workers, play_all_on_dask

        with dask_workers(scheduler, threads or cores(), listener.message) as workers:
            yield partial(play_all_on_dask, workers)
    else:
        yield partial(play_all, threads or cores())

"""Make and merge runs: `ttrsim.run`, and functions for other commands that play runs.

A run without a folder of its own is played into a temporary one, so all runs are made and read in the same way.
"""

import contextlib
import math
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ttrsim.boards import Board
from ttrsim.choices import RowTable, drawn_seed
from ttrsim.compiling import compile_first, cores
from ttrsim.errors import UsageError
from ttrsim.files import Temporary
from ttrsim.formatting import counted
from ttrsim.progress import GameCounter, Listener, OnMessage, OnProgress
from ttrsim.runs.arguments import (
    NEEDED,
    EngineName,
    Players,
    begun_words,
    check_engine,
    chosen,
    drawn_words,
    out_folder,
    row_tables,
    whole,
)
from ttrsim.runs.copies import check_rules, load_player
from ttrsim.runs.laps import Gaps, Portion
from ttrsim.runs.make import carry_out, check_same, opened, take_shards
from ttrsim.runs.playing import Engine, Player, aggregate_bytes, local_engine
from ttrsim.runs.read import Run
from ttrsim.runs.recipe import Recipe, make_recipe
from ttrsim.runs.rows import estimated_bytes
from ttrsim.runs.stopping import HYPOTHESES, Shares, make_stop
from ttrsim.runs.store import Folder, check_free
from ttrsim.runs.stored_files import ShardRecord
from ttrsim.schedule import Design, Rotate
from ttrsim.strategies import StrategyError
from ttrsim.strategies.loading import tell_profiles


def run(
    *,
    board: str | Path | Board | None = None,
    players: Players | None = None,
    games: float | None = None,
    seed: int | None = None,
    design: Design | None = None,
    seats: int | None = None,
    rotate: Rotate | None = None,
    record: str | Sequence[RowTable] | None = None,
    until_ci: float | None = None,
    sprt: str | Sequence[str] | None = None,
    elo0: float | None = None,
    elo1: float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    portion: str | None = None,
    threads: int | None = None,
    engine: EngineName = "threads",
    scheduler: str | None = None,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> Run:
    """Play games and return them as a run.

    `board`, `players` and `games` are required unless a run in a folder is continued. `games` is rounded up to whole
    laps. The seed is drawn at random if none is given. `design`, `seats`, `rotate`, `record` and `portion` are as in
    `ttrsim run`.

    until_ci: stop when every win share is known to this half width, for example 0.005; sprt: stop when it is known
    which of two strategies is better, under the hypotheses `elo0` and `elo1` with error rates `alpha` and `beta`.

    out: the folder to keep the run in; without it, the run is kept in a temporary folder that is deleted when the run
    is closed or no longer used. resume: continue the run in that folder, with more games if `games` is larger; start it
    if there is none.

    progress: called with a `ttrsim.progress.Progress` now and then; message: called with each message.

    >>> run = run(board="usa", players="planner,one_step", games=20_000, seed=1)
    >>> run.stats("strategies")[["strategy", "win_share"]]
    """
    given = {
        "board": board,
        "players": players,
        "games": None if games is None else whole("games", games),
        "seed": seed,
        "design": design,
        "seats": seats,
        "rotate": rotate,
        "record": None if record is None else row_tables(record),
        "stop": make_stop(until_ci, sprt, chosen(dict(zip(HYPOTHESES, (elo0, elo1, alpha, beta), strict=True)))),
    }
    folder = None if out is None else out_folder(out)
    check_engine(engine, scheduler, threads)
    if engine == "dask" and folder is None:
        raise UsageError(["`engine` dask: needs `out`, a folder that all workers share"])
    _check_folder(folder, given, portion, resume=resume)
    player = _player(folder, given, resume=resume)
    laps = _portion(portion, player.recipe)
    listener = Listener(progress, message)
    if not laps.laps(player.recipe.laps):
        listener.warn(_nothing_words(portion, player.recipe))
    if scheduler:  # the workers compile, once they are known to be fit
        tell_profiles(player.strategies, listener)
    else:
        compile_first(player.strategies, listener)
    about = _about(player, folder, given)
    with _engine(engine, scheduler, threads or cores(), listener) as plays:
        if folder is None:
            return play_unkept(player, plays, listener, about)
        try:
            return play(player, folder, plays, listener, resume=resume, portion=laps, about=about)
        except StrategyError as e:
            raise StrategyError([*e.problems, f"{folder.path}: {_hint(folder)}"]) from None


def _hint(folder: Folder) -> str:
    """Return advice for when a strategy has failed."""
    if folder.present():
        return "with a corrected file it is a different run: choose another -o for it"
    return "nothing was finished: once the file is corrected, repeat the whole command without --resume"


def _check_folder(folder: Folder | None, given: Mapping[str, Any], portion: str | None, *, resume: bool) -> None:
    """Refuse a run that lacks a required option or cannot be made in the folder."""
    if folder is None and (resume or portion):
        raise UsageError([f"{'--resume' if resume else '--portion'}: needs -o, the folder of the run"])
    if not (resume and folder and folder.begun):
        missing = [option for name, option in NEEDED.items() if given[name] is None]
        if missing and resume and folder:
            problem = f"no run was begun there; to begin one, also give {', '.join(missing)}"
            raise UsageError([f"-o {folder.path}: {problem}"])
        if missing:
            raise UsageError([f"Missing option '{missing[0]}'."])
        if portion and given["seed"] is None:
            raise UsageError(["`portion`: needs `seed`, so that all portions belong to one run"])
    if folder:
        check_free(folder, resume=resume)


def _player(folder: Folder | None, options: Mapping[str, Any], *, resume: bool) -> Player:
    """Return a player for the run in the folder, with the given options changed, or for a new run."""
    given = chosen(options)
    begun = folder.read().recipe if folder and resume and folder.begun else None
    if folder and begun and not given:
        check_rules(folder, begun)
        return load_player(folder, begun)
    player = new_player(**{"seed": drawn_seed(), **(begun.options if begun else {}), **given})
    if folder and begun and folder.holds_results:
        check_same(folder, player.recipe)
    return player


def new_player(*, board: str | Path | Board, **options: Any) -> Player:
    """Return a player for a new run."""
    player = Player(*make_recipe(board=board.id if isinstance(board, Board) else str(board), **options))
    if isinstance(board, Board) and board != player.board:
        raise UsageError([f"board {board.id}: differs from its file; a run needs the board exactly as in its file"])
    return player


def _portion(portion: str | None, recipe: Recipe) -> Portion:
    """Parse `3/100` as the third of 100 portions."""
    if portion is None:
        return Portion()
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", portion)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError([f"`portion` {portion}: write it as 3/100, the third of 100 portions"])
    if recipe.stop:
        raise UsageError([f"`portion` {portion}: one portion alone cannot decide when {recipe.stop} stops the run"])
    return Portion(int(match[1]), int(match[2]))


def _nothing_words(portion: str | None, recipe: Recipe) -> str:
    """Return the message that a portion has nothing to play."""
    laps = f"{counted(recipe.laps, 'lap')} of {counted(recipe.schedule.lap_games, 'game')}"
    return f"portion {portion}: nothing to play, because the run has fewer laps than portions ({laps})"


@contextlib.contextmanager
def _engine(engine: EngineName, scheduler: str | None, threads: int, listener: Listener) -> Iterator[Engine]:
    """Yield the engine that plays the shards."""
    if engine == "dask":
        from ttrsim.runs.cluster import dask_engine

        with dask_engine(scheduler, threads, listener.message) as plays:
            yield plays
    else:
        yield local_engine(threads)


def _about(player: Player, folder: Folder | None, given: Mapping[str, Any]) -> list[str]:
    """Return messages about what will be played and stored."""
    recipe, games, sentences = player.recipe, player.schedule.games, []
    if given["seed"] is None:
        if not (folder and folder.begun and folder.read().recipe.seed == recipe.seed):
            sentences.append(drawn_words(recipe.seed))
        elif given["board"] is not None:  # the whole command again
            sentences.append(begun_words(recipe.seed, folder.path))
    if given["games"] not in (None, games):
        sentences.append(f"Playing {games:,} games ({given['games']:,} rounded up to whole laps)")
    if recipe.stop:
        most = counted(games, "game")
        sentences.append(f"Stops after {most}, or earlier by {recipe.stop}, checked regularly")
    if folder:
        rows = estimated_bytes(recipe.record, games, recipe.seats)
        sentences.append(f"Saving the run in {folder.path} (about {bytes_words(rows + aggregate_bytes(recipe))})")
    return sentences


def bytes_words(count: float) -> str:
    """Format a number of bytes as `85.0 MB`."""
    units = ["kB", "MB", "GB", "TB"]
    power = min(max(int(math.log10(max(count, 1)) // 3), 1), len(units))
    return f"{count / 1000**power:,.1f} {units[power - 1]}"


def play(
    player: Player,
    folder: Folder,
    engine: Engine,
    listener: Listener,
    *,
    resume: bool = True,
    portion: Portion | None = None,
    about: Iterable[str] = (),
    home: Temporary | None = None,
) -> Run:
    """Play the missing games of a run in a folder, and return the run.

    about: messages to give once the run can no longer be refused; home: the temporary folder around it, if any.
    """
    with opened(folder, player, resume=resume, report=listener.warn) as staging:
        for sentence in about:
            listener.message(sentence)
        with counting(player, listener) as update:
            outcome = carry_out(player, engine, folder, staging, portion=portion, on_shard=update, report=listener.warn)
    return Run(folder, player, outcome, home)


def play_unkept(player: Player, engine: Engine, listener: Listener, about: Iterable[str] = ()) -> Run:
    """Play a run in a temporary folder and return it."""
    place, home = place_for(None)
    return play(player, Folder(place / "run"), engine, listener, about=about, home=home)


def place_for(out: Path | None) -> tuple[Path, Temporary | None]:
    """Return the folder for runs and, if none is given and it is temporary, the object that deletes it."""
    if out:
        return out, None
    home = Temporary()
    return home.path, home


@contextlib.contextmanager
def counting(player: Player, listener: Listener) -> Iterator[Callable[[Shares], None]]:
    """Report the games of a run as they are played; yield the function to call with the sums after each shard."""
    games = GameCounter(listener, player.schedule.games)

    def update(shares: Shares) -> None:
        if listener.counts:
            games.finished(shares.games, shares.estimates())

    if listener.counts:
        player.on_games = games.played
    try:
        yield update
    finally:
        player.on_games = ignore


def ignore(games: int) -> None:
    """Ignore the number of games."""


def _no_engine(player: Player, staging: Path | None, gaps: Gaps) -> Generator[ShardRecord, None, None]:
    """Play nothing: an engine for runs whose shards come from elsewhere."""
    yield from ()


def merge(out: Path, paths: Sequence[Path], listener: Listener) -> Run:
    """Merge the shards of all portions into the folder `out`, sum them up if none is missing, and return the run."""
    portions, target = [Folder(path) for path in paths], Folder(out)
    longest = max(portions, key=lambda folder: folder.read().recipe.laps)
    player = load_player(longest, longest.read().recipe)
    listener.doing("Putting the shards together ...")
    with opened(target, player, resume=True, report=listener.warn) as staging:
        take_shards(target, staging, player, portions, listener.warn)
        outcome = carry_out(player, _no_engine, target, staging, report=listener.warn)
    return Run(target, player, outcome)

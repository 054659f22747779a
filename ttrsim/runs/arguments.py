"""Check the arguments of functions that make runs: numbers of games and players, folders, engines and seeds."""

import math
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from ttrsim.boards import Board
from ttrsim.choices import ROW_TABLES, USUAL_SEATS, RowTable, drawn_seed
from ttrsim.errors import UsageError
from ttrsim.runs.make import check_same
from ttrsim.runs.playing import Player
from ttrsim.runs.store import Folder, check_free, check_summary, refuse
from ttrsim.strategies import Strategy

Players = str | Sequence[str | Strategy]
"""Strategies as users list them: in one string, or as a sequence."""
EngineName = Literal["threads", "dask"]
NEEDED = {"board": "--map", "players": "--players", "games": "-n"}
"""The parameters that a new run needs, and their options on the command line."""


def chosen(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def whole(parameter: str, number: float) -> int:
    """Return a number of games, which may be given as 1e6, as an integer."""
    if isinstance(number, int):
        return number
    if not math.isfinite(number) or number != int(number):
        raise UsageError([f"`{parameter}` {number}: must be a whole number"])
    return int(number)


def seat_numbers(seats: int | str | Iterable[int]) -> list[int]:
    """Return numbers of players at a table, given as one, as several or as text, in order.

    >>> seat_numbers("4,2")
    [2, 4]
    """
    listed = [seats] if isinstance(seats, int) else seats.split(",") if isinstance(seats, str) else seats
    try:
        return sorted({int(one) if isinstance(one, str) else operator.index(one) for one in listed})
    except (TypeError, ValueError) as e:
        wanted = "must be numbers of players, for example 4 or [2, 4]"
        raise UsageError([f"`seats` {seats!r}: {wanted}"]) from e


def usual_seats(seats: int | str | Iterable[int] | None, board: Board) -> list[int]:
    """Return numbers of players at a table; if none are given 2 to 5, as far as the board allows."""
    if seats is not None:
        return seat_numbers(seats)
    fewest, most = board.rules.players
    return [number for number in USUAL_SEATS if fewest <= number <= most] or [fewest]


def row_tables(record: str | Sequence[RowTable]) -> list[RowTable]:
    """Return the tables of rows to record, given as `games,players`, as `none` or as a sequence."""
    listed = [] if record == "none" else record.split(",") if isinstance(record, str) else record
    names = [name.strip() for name in listed]
    for name in names:
        if name not in ROW_TABLES:
            raise UsageError([f"`record`: no table {name!r}; tables are {', '.join(ROW_TABLES)}, or none"])
    return names  # type: ignore[return-value]


def out_folder(out: str | Path) -> Folder:
    """Return the folder to keep a run in, which must have a name."""
    if str(out) == "":
        raise UsageError(["-o: is empty; name a folder, such as runs/first"])
    return Folder(out)


def check_engine(engine: str, scheduler: str | None, threads: int | None) -> None:
    """Refuse engines that do not exist, and options that do not go with one."""
    if engine not in ("threads", "dask"):
        raise UsageError([f"`engine` {engine}: must be threads or dask"])
    if scheduler is not None and engine != "dask":
        raise UsageError([f"`scheduler` {scheduler}: needs `engine` dask"])
    if scheduler is not None and threads:
        raise UsageError([f"-j {threads}: has no effect with --scheduler, whose workers have threads of their own"])


def seed_for(given: int | None, runs: Iterable[Path], out: Path | None) -> tuple[int, list[str]]:
    """Return the given seed, else that of a run begun in one of these folders, else one drawn at random.

    Also return messages about a seed that was not given.
    """
    if given is not None:
        return given, []
    for folder in map(Folder, runs):
        if out and folder.begun:
            seed = folder.read().recipe.seed
            return seed, [begun_words(seed, out)]
    seed = drawn_seed()
    return seed, [drawn_words(seed)]


def drawn_words(seed: int) -> str:
    """Return the message that a seed was drawn."""
    return f"Seed {seed} was drawn; --seed {seed} gives the same games again"


def begun_words(seed: int, out: Path) -> str:
    """Return the message that the seed is that of a run begun in a folder."""
    return f"Continuing with seed {seed}, as in {out}"


def check_all(out: Path, runs: Mapping[str, Player], files: re.Pattern[str] | None = None) -> None:
    """Refuse a folder if any of these runs cannot be played in it.

    runs: by the names of their own folders in it; files: the names of other files that ttrsim writes to it.
    """
    for name, player in runs.items():
        path = out / name
        folder = Folder(path)
        for parent in path.parents:
            if parent.exists() and not parent.is_dir():
                raise UsageError([f"{parent}: is a file, not a folder"])
        check_free(folder, resume=True)
        if folder.begun and folder.present():
            check_same(folder, player.recipe)
        check_summary(folder, player.recipe)
    _check_beside(out, runs, files)


def _check_beside(out: Path, runs: Mapping[str, Player], files: re.Pattern[str] | None) -> None:
    """Refuse a folder with unrelated files next to the runs, unless one of these runs was begun there."""
    for name, player in runs.items():
        folder = Folder(out / name)
        if folder.begun and folder.read().recipe.identity == player.recipe.identity:
            return
    if Folder(out).begun:
        raise UsageError([f"{out}: holds another run; choose a folder that is empty or does not exist"])
    beside = [path for path in sorted(out.glob("*")) if path.name not in runs and not Folder(path).begun]
    refuse(out, [path for path in beside if not (files and files.fullmatch(path.name))])

"""Runs that a command makes for itself: played into folders that are kept, or into temporary ones."""

import contextlib
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ttrsim.cli.output import note
from ttrsim.cli.usual import begun_words, chosen_seed, drawn_words
from ttrsim.errors import UsageError
from ttrsim.shell import command_line

if TYPE_CHECKING:
    from ttrsim.runs import Run
    from ttrsim.runs.local import Engine
    from ttrsim.runs.playing import Player


def seed_for(given: int | None, runs: Sequence[Path], out: Path | None) -> tuple[int, str | None]:
    """Return the seed given, that of a run begun in one of these folders, or one that is drawn.

    Also return a sentence about a seed that was not given, to be printed once nothing can be refused any more.
    """
    from ttrsim.runs.store import Folder

    if given is not None:
        return given, None
    for folder in map(Folder, runs):
        if folder.begun:
            seed = folder.read().plan.seed
            return seed, begun_words(seed, out)
    seed = chosen_seed(None)
    return seed, drawn_words(seed)


def check_all(runs: "Iterable[tuple[Path, Player]]") -> None:
    """Refuse folders that any of these runs cannot be played into, before the first game."""
    from ttrsim.runs.make import check_same
    from ttrsim.runs.ownership import check_free
    from ttrsim.runs.store import Folder

    for path, player in runs:
        folder = Folder(path)
        for parent in path.parents:
            if parent.exists() and not parent.is_dir():
                raise UsageError([f"{parent}: is a file, not a folder"])
        check_free(folder, resume=True)
        if folder.begun and folder.present():
            check_same(folder, player.plan)


@contextlib.contextmanager
def kept_in(out: Path | None) -> Iterator[Path]:
    """Yield the folder for runs, a temporary one if none is given; after Ctrl-C say how to go on with what is kept."""
    if out is None:
        with tempfile.TemporaryDirectory() as forgotten:
            yield Path(forgotten)
        return
    try:
        yield out
    except KeyboardInterrupt:
        note(f"What is finished stays in {command_line([str(out)])}; the same command goes on with it")
        raise


def play_into(path: Path, player: "Player", engine: "Engine", *, quiet: bool) -> "Run":
    """Play a run into a folder, as much of it as is missing there, with progress, and return it."""
    from ttrsim.cli.progress import Progress
    from ttrsim.runs import Run
    from ttrsim.runs.make import carry_out, opened
    from ttrsim.runs.store import Folder

    folder, progress = Folder(path), Progress(player, quiet=quiet)
    try:
        with opened(folder, player, resume=True, report=progress.note) as staging:
            carry_out(player, engine, folder, staging, on_shard=progress.update, report=progress.note)
    finally:
        progress.end()
    return Run.open(path)

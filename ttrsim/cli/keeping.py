"""Runs that a command makes for itself: played into folders that are kept, or into temporary ones."""

import contextlib
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
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


def check_all(out: Path, runs: "Mapping[str, Player]", files: re.Pattern[str] | None = None) -> None:
    """Refuse a folder that any of these runs, by the names of their own folders in it, cannot be played into.

    files: the names of further files that ttrsim writes into it.
    """
    from ttrsim.runs.make import check_same
    from ttrsim.runs.ownership import check_free, check_summary
    from ttrsim.runs.store import Folder

    for name, player in runs.items():
        path = out / name
        folder = Folder(path)
        for parent in path.parents:
            if parent.exists() and not parent.is_dir():
                raise UsageError([f"{parent}: is a file, not a folder"])
        check_free(folder, resume=True)
        if folder.begun and folder.present():
            check_same(folder, player.plan)
        check_summary(folder, player.plan)
    check_beside(out, runs, files)


def check_beside(out: Path, runs: "Mapping[str, Player]", files: re.Pattern[str] | None) -> None:
    """Refuse a folder in which others have files beside the runs, unless one of these runs was begun there."""
    from ttrsim.runs.ownership import refuse
    from ttrsim.runs.store import Folder

    for name, player in runs.items():
        folder = Folder(out / name)
        if folder.begun and folder.read().plan.identity == player.plan.identity:
            return
    beside = [path for path in sorted(out.glob("*")) if path.name not in runs and not Folder(path).begun]
    refuse(out, [path for path in beside if not (files and files.fullmatch(path.name))])


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
        if any(out.glob("*")):
            note(f"What is finished stays in {command_line([str(out)])}; the same command goes on with it")
        else:
            note(f"Nothing is in {command_line([str(out)])} yet; the same command begins again")
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

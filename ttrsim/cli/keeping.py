"""Runs that a command makes for itself: played into folders that are kept, or into temporary ones."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ttrsim.cli.output import note
from ttrsim.shell import command_line

if TYPE_CHECKING:
    from ttrsim.runs import Run
    from ttrsim.runs.local import Engine
    from ttrsim.runs.playing import Player


@contextlib.contextmanager
def kept_in(out: Path | None) -> Iterator[Path]:
    """The folder for runs, a temporary one if none is given; after Ctrl-C it says how to go on with what is kept."""
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
    """The run, played into a folder or as much of it as is missing there, with progress."""
    from ttrsim.cli.progress import Progress
    from ttrsim.runs import Run
    from ttrsim.runs.make import carry_out, opened
    from ttrsim.runs.store import Folder

    folder, progress = Folder(path), Progress(player.schedule.games, quiet=quiet)
    try:
        with opened(folder, player, resume=True):
            carry_out(player, engine, folder, on_shard=progress.update, report=progress.note)
    finally:
        progress.end()
    return Run.open(path)

"""Print or write a game for `ttrsim play` and `ttrsim replay`: as a transcript, as JSON, or as files to look at."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttrsim.cli.output import note, write_json
from ttrsim.cli.progress import doing
from ttrsim.cli.usual import PathName, options
from ttrsim.errors import UsageError
from ttrsim.files import check_parent

if TYPE_CHECKING:
    from ttrsim.report.game import Game


_path = PathName(dir_okay=False)
output_options = options(
    click.option("--json", "as_json", is_flag=True, help="Write JSON: every decision and what came of it."),
    click.option("--html", type=_path, help="Write a page to this file that shows the game turn by turn."),
    click.option("--png", type=_path, help="Draw the board at the end to this file."),
    click.option("--gif", type=_path, help="Draw the board turn by turn to this file, as a moving picture."),
)
"""Given to a command as `as_json`, `html`, `png` and `gif`, which `check_files` and `write_game` take."""


def check_files(*, html: Path | None, png: Path | None, gif: Path | None, **_: bool) -> None:
    """Refuse files that cannot be written, before the game is played."""
    for kind, path in (("png", png), ("gif", gif)):
        if path and path.suffix.lower() != f".{kind}":
            raise UsageError([f"--{kind} {path}: the picture's name must end in .{kind}"])
    for option, path in (("--html", html), ("--png", png), ("--gif", gif)):
        if path:
            check_parent(path, option)


def write_game(game: "Game", *, as_json: bool, html: Path | None, png: Path | None, gif: Path | None, quiet: bool) -> None:  # fmt: skip  # noqa: E501
    """Write the files and the JSON asked for, or else print the transcript."""
    writes = [(path, write) for path, write in ((html, game.html), (png, game.png), (gif, game.gif)) if path]
    with doing("Drawing the game ...", quiet=quiet or not writes):
        for path, write in writes:
            write(path)
    if not quiet:
        for path, _ in writes:
            note(f"Wrote {path}")
    if as_json:
        write_json(game.json())
    elif not writes:
        from ttrsim.cli.transcript import write_transcript

        write_transcript(game.seated, game.recording, game.number)

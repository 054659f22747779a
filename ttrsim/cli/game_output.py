"""Print or write a game for `ttrsim play` and `ttrsim replay`: as a transcript, as JSON, or as files to look at."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttrsim.cli.output import check_folder, note, write_json
from ttrsim.cli.progress import doing
from ttrsim.cli.usual import PathName, options
from ttrsim.errors import UsageError
from ttrsim.files import write_file

if TYPE_CHECKING:
    from ttrsim.games import SeatedGame
    from ttrsim.recording import Recording


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
            check_folder(path, option)


def write_game(game: "SeatedGame", recording: "Recording", index: int, *, as_json: bool, html: Path | None, png: Path | None, gif: Path | None, quiet: bool) -> None:  # fmt: skip  # noqa: E501
    """Write the files and the JSON asked for, or else print the transcript."""
    with doing("Drawing the game ...", quiet=quiet or not (html or png or gif)):
        if html:
            from ttrsim.report.replay import replay_page

            write_file(html, replay_page(game, recording, index))
        if png:
            from ttrsim.report.picture import draw_end

            draw_end(game, recording, png)
        if gif:
            from ttrsim.report.film import draw_film

            draw_film(game, recording, gif)
    for path in (html, png, gif):
        if path and not quiet:
            note(f"Wrote {path}")
    if as_json:
        from ttrsim.cli.game_json import game_json

        write_json(game_json(game, recording, index))
    elif not (html or png or gif):
        from ttrsim.cli.transcript import write_transcript

        write_transcript(game, recording, index)

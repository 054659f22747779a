"""What `ttrsim play` and `ttrsim replay` make of a game: a transcript, JSON, or a page to look at."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttrsim.cli.output import note, write_json
from ttrsim.errors import UsageError

if TYPE_CHECKING:
    from ttrsim.record import Recording
    from ttrsim.simulation import Series


def telling_options(command: Any) -> Any:
    """The options that say how a game is told."""
    path = click.Path(dir_okay=False, path_type=Path)
    for option in (
        click.option("--html", type=path, help="Write a page to this file that shows the game turn by turn."),
        click.option("--json", "as_json", is_flag=True, help="Write JSON: every decision and what came of it."),
    ):
        command = option(command)
    return command


def check_files(html: Path | None) -> None:
    """Complain of a file that cannot be written before the game is played."""
    if html and not html.parent.is_dir():
        raise UsageError([f"--html {html}: there is no folder {str(html.parent)!r}; make it first"])


def tell_game(
    series: "Series", recording: "Recording", index: int, *, as_json: bool, html: Path | None, quiet: bool
) -> None:
    """Write what is asked for; if nothing is, print the transcript."""
    if html:
        from ttrsim.report.replay import replay_page

        html.write_text(replay_page(series, recording, index), "utf-8", newline="\n")
        if not quiet:
            note(f"Wrote {html}")
    if as_json:
        from ttrsim.cli.game_json import game_json

        write_json(game_json(series, recording, index))
    elif not html:
        from ttrsim.cli.transcript import write_transcript

        write_transcript(series, recording, index)

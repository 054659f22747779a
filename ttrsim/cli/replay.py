"""`ttrsim replay`: one game of a run."""

from pathlib import Path

import click

from ttrsim.cli.compiling import ready_to_replay
from ttrsim.cli.progress import doing
from ttrsim.cli.telling import check_files, tell_game, telling_options
from ttrsim.cli.usual import PathName, quiet_option


@click.command()
@click.argument("run", type=PathName())
@click.option(
    "--game", type=click.IntRange(0, 10**15), required=True, help="The number of the game in the run, from 0."
)
@telling_options
@quiet_option
def replay(
    run: Path, game: int, as_json: bool, html: Path | None, png: Path | None, gif: Path | None, quiet: bool
) -> None:
    """Play one game of the run in the folder RUN again, and show what happens in it.

    It is shown as by `ttrsim play`: as a transcript, or in the form of --html, --png, --gif or --json alone. Any game
    of the run can be played again, whether or not its rows were recorded.
    """
    check_files(html, png, gif)
    _, player = ready_to_replay(run, quiet=quiet)
    with doing("Playing the game again ...", quiet=quiet):
        series, recording = player.replay(game)
    tell_game(series, recording, game, as_json=as_json, html=html, png=png, gif=gif, quiet=quiet)

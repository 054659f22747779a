"""`ttrsim replay`: one game of a run."""

from pathlib import Path
from typing import Any

import click

import ttrsim
from ttrsim.cli.game_output import check_files, output_options, write_game
from ttrsim.cli.progress import console
from ttrsim.cli.usual import PathName, quiet_option


@click.command()
@click.argument("run", type=PathName())
@click.option(
    "--game", type=click.IntRange(0, 10**15), required=True, help="The number of the game in the run, from 0."
)
@output_options
@quiet_option
def replay(run: Path, game: int, quiet: bool, **output: Any) -> None:
    """Play one game of the run in the folder RUN again, and show what happens in it.

    It is shown as by `ttrsim play`: as a transcript, or in the form of --html, --png, --gif or --json alone. Any game
    of the run can be played again, whether or not its rows were recorded.
    """
    check_files(**output)
    with console(quiet=quiet) as shown:
        played = ttrsim.Run.open(run).replay(game, **shown.callbacks)
    write_game(played, quiet=quiet, **output)

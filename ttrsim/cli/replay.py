"""`ttrsim replay`: one game of a run."""

from pathlib import Path

import click

from ttrsim.cli.progress import doing
from ttrsim.cli.telling import check_files, tell_game, telling_options


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--game", type=click.IntRange(0, 10**15), required=True, help="Its number in the run, from 0.")
@telling_options
@click.option("--quiet", is_flag=True, help="No messages on stderr but errors.")
def replay(
    run: Path, game: int, as_json: bool, html: Path | None, png: Path | None, gif: Path | None, quiet: bool
) -> None:
    """Play one game of the run in the folder RUN again, and tell what happens in it.

    As `ttrsim play` does: in a transcript, or in the form of --html, --png, --gif or --json alone. The game is played
    by its number, so no rows need be recorded.
    """
    from ttrsim.cli.compiling import compile_first
    from ttrsim.runs.read import check_rules, load_player
    from ttrsim.runs.store import Folder

    check_files(html, png, gif)
    folder = Folder(run)
    plan = folder.read().plan
    check_rules(folder, plan)
    player = load_player(folder, plan)
    compile_first(player.strategies, quiet=quiet)
    with doing("Playing the game again ...", quiet=quiet):
        series, recording = player.replay(game)
    tell_game(series, recording, game, as_json=as_json, html=html, png=png, gif=gif, quiet=quiet)

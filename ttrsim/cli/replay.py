"""`ttrsim replay`: one game of a run."""

from pathlib import Path

import click

from ttrsim.cli.output import write_json


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--game", type=click.IntRange(0, 10**15), required=True, help="Its number in the run, from 0.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON: every decision and what came of it.")
@click.option("--quiet", is_flag=True, help="No messages on stderr but errors.")
def replay(run: Path, game: int, as_json: bool, quiet: bool) -> None:
    """Play one game of the run in the folder RUN again, and print what happens in it.

    The same transcript as of `ttrsim play`. The game is played by its number, so no rows need be recorded.
    """
    from ttrsim.cli.compiling import compile_first
    from ttrsim.runs.read import check_rules, load_player
    from ttrsim.runs.store import Folder

    folder = Folder(run)
    plan = folder.read().plan
    check_rules(folder, plan)
    player = load_player(folder, plan)
    compile_first(player.strategies, quiet=quiet)
    series, recording = player.replay(game)
    if as_json:
        from ttrsim.cli.game_json import game_json

        write_json(game_json(series, recording, game))
    else:
        from ttrsim.cli.transcript import write_transcript

        write_transcript(series, recording, game)

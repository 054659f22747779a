"""`ttrsim merge`: the parts of a run, played by several jobs, become one."""

from pathlib import Path

import click

from ttrsim.cli.output import note
from ttrsim.cli.usual import OutFolder, PathName, quiet_option, summary_option


@click.command()
@click.argument("out", type=OutFolder())
@click.argument("parts", nargs=-1, required=True, type=PathName())
@summary_option
@quiet_option
def merge(out: Path, parts: tuple[Path, ...], as_json: bool, quiet: bool) -> None:
    """Merge the shards of the folders PARTS in the folder OUT.

    Each part was made by `ttrsim run --only-shards I/N`, with all other options the same. Games that are still missing
    are counted; play them with `ttrsim run --resume -o OUT`, or merge again with further parts.
    """
    from ttrsim.cli.progress import doing
    from ttrsim.cli.run import tell
    from ttrsim.runs.make import opened
    from ttrsim.runs.merge import merge_parts
    from ttrsim.runs.read import load_player
    from ttrsim.runs.store import Folder

    folders = [Folder(part) for part in parts]
    target = Folder(out)
    longest = max(folders, key=lambda folder: folder.read().plan.laps)
    player = load_player(longest, longest.read().plan)
    with (
        doing("Putting the shards together ...", quiet=quiet) as line,
        opened(target, player, resume=True, report=note) as staging,
    ):

        def report(message: str) -> None:
            line.end()
            note(message)

        outcome = merge_parts(target, staging, player, folders, report)
    if outcome.missing and not quiet:
        games = outcome.missing * player.schedule.lap_games
        note(f"{games:,} of {player.schedule.games:,} games are missing")
    tell(player, target, outcome, as_json=as_json)

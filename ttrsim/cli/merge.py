"""`ttrsim merge`: the parts of a run, played by several jobs, become one."""

from pathlib import Path

import click

from ttrsim.cli.output import note
from ttrsim.cli.progress import console
from ttrsim.cli.run import tell
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
    from ttrsim.runs.merge import merge as merge_parts

    with console(quiet=quiet) as shown:
        found = merge_parts(out, parts, shown.listener)
    if missing := found.outcome.missing:
        games, of = missing * found.plan.schedule.lap_games, found.plan.schedule.games
        if not quiet:
            note(f"{games:,} of {of:,} games are missing")
    tell(found, as_json=as_json)

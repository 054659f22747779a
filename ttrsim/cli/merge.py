"""`ttrsim merge`: the parts of a run, played by several jobs, become one."""

from pathlib import Path

import click

from ttrsim.cli.output import note
from ttrsim.cli.usual import quiet_option, summary_option


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("parts", nargs=-1, required=True, type=click.Path(path_type=Path))
@summary_option
@quiet_option
def merge(out: Path, parts: tuple[Path, ...], as_json: bool, quiet: bool) -> None:
    """Merge the shards of the folders PARTS in the folder OUT.

    Each part was made by `ttrsim run --only-shards I/N`, with all other options the same. Shards that are still missing
    are named; play them with `ttrsim run --resume -o OUT`, or merge again with further parts.
    """
    from ttrsim.cli.progress import doing
    from ttrsim.cli.run import tell
    from ttrsim.runs.make import opened
    from ttrsim.runs.merge import merge_parts
    from ttrsim.runs.read import load_player
    from ttrsim.runs.store import Folder

    folders = [Folder(part) for part in parts]
    target = Folder(out)
    player = load_player(folders[0], folders[0].read().plan)
    with opened(target, player, resume=True), doing("Putting the shards together ...", quiet=quiet) as line:

        def report(message: str) -> None:
            line.end()
            note(message)

        outcome, missing = merge_parts(target, player, folders, report)
    if missing and not quiet:
        listed = ", ".join(map(str, missing[:5])) + (", …" if len(missing) > 5 else "")
        note(f"{len(missing)} of {player.schedule.shards} shards missing: {listed}")
    tell(player, target, outcome, as_json=as_json)

"""`ttrsim verify`: whether a run is as it was written, and comes out the same again."""

from pathlib import Path

import click

from ttrsim.cli.compiling import ready_to_replay
from ttrsim.cli.output import write
from ttrsim.cli.progress import doing
from ttrsim.cli.usual import quiet_option
from ttrsim.errors import UserError
from ttrsim.numerals import counted
from ttrsim.shell import command_line


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--sample", type=click.IntRange(0), default=20, help="Of how many shards a lap is played again; 20 if not given."
)
@quiet_option
def verify(run: Path, sample: int, quiet: bool) -> None:
    """Hash every file of the run in the folder RUN, and play a sample of its games again.

    Ends with 0 if the run is finished and undamaged; with 1 if something is wrong, naming the files, or if shards are
    still to be played, as in a part played with --only-shards. `ttrsim run --resume` mends damage and plays what is
    missing.
    """
    from ttrsim.runs.verify import verify_run

    folder, player = ready_to_replay(run, quiet=quiet)
    plan = player.plan
    with doing("Hashing files, then playing a sample of games again ...", quiet=quiet):
        verdict = verify_run(folder, player, sample)
    if verdict.problems:
        raise UserError(verdict.problems)
    early = verdict.digest is not None and verdict.shards < plan.schedule.shards
    of_all = f"{counted(verdict.shards, 'shard')}, at which {plan.stop} ended the run"
    told = of_all if early else f"{verdict.shards} of {plan.schedule.shards} shards"
    write(f"{told}: all as written")
    write(f"{counted(verdict.games_replayed, 'game')} played again came out the same")
    if verdict.digest:
        write(f"Digest {verdict.digest}")
    else:
        told = f"{verdict.missing} of {plan.schedule.shards} shards still to be played"
        raise UserError(
            [f"{run}: is unfinished: {told}; {command_line(['ttrsim', 'run', '--resume', '-o', str(run)])}"]
        )

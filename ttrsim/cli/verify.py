"""`ttrsim verify`: whether a run is as it was written, and comes out the same again."""

import re
from pathlib import Path
from typing import Any

import click

import ttrsim
from ttrsim.cli.options import PathName, quiet_option
from ttrsim.cli.output import write
from ttrsim.cli.progress import console
from ttrsim.errors import UserError
from ttrsim.formatting import command_line, counted


class Sample(click.ParamType):  # type: ignore[type-arg]
    """A number of shards, or None for all games."""

    name = "number or all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        if value is None or value == "all":
            return None
        if not isinstance(value, int) and not re.fullmatch(r"\d{1,9}", value):
            self.fail(f"{value!r} is no number of shards; write 20, for example, or all", param, ctx)
        return int(value)


@click.command()
@click.argument("run", type=PathName())
@click.option(
    "--sample",
    type=Sample(),
    default="20",
    help="Of how many shards a lap is played again, or all: every game; 20 if not given.",
)
@quiet_option
def verify(run: Path, sample: int | None, quiet: bool) -> None:
    """Hash every file of the run in the folder RUN, and play a sample of its games again.

    Ends with 0 if the run is finished and undamaged; with 1 if something is wrong, naming the files, or if shards are
    still to be played, as in a part played with --only-shards. `ttrsim run --resume` mends damage and plays what is
    missing.
    """
    from ttrsim.compiling import compile_first
    from ttrsim.runs.read import check_rules
    from ttrsim.runs.verify import verify_run

    found = ttrsim.Run.open(run)
    check_rules(found.folder, found.plan)
    plan = found.plan
    with console(quiet=quiet) as shown:
        compile_first(found.player.strategies, shown.listener)
        shown.tell("Hashing files, then playing a sample of games again ...")
        verdict = verify_run(found.folder, found.player, sample)
    if verdict.problems:
        raise UserError(verdict.problems)
    early = verdict.digest is not None and verdict.games < plan.schedule.games
    games = f"{verdict.games:,} of {plan.schedule.games:,} games"
    if early:
        games = f"{verdict.games:,} games, at which {plan.stop} ended the run"
    write(f"{games}, in {counted(verdict.shards, 'shard')}: all as written")
    write(f"{counted(verdict.games_replayed, 'game')} played again came out the same")
    if verdict.digest:
        write(f"Digest {verdict.digest}")
    else:
        missing = f"{verdict.missing:,} of {plan.schedule.games:,} games still to be played"
        command = command_line(["ttrsim", "run", "--resume", "-o", str(run)])
        raise UserError([f"{run}: is unfinished: {missing}; {command}"])

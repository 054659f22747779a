"""Play many games (`ttrsim run`), merge the parts of a run (`ttrsim merge`) and check a run (`ttrsim verify`)."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

import ttrsim
from ttrsim.cli.console import console
from ttrsim.cli.interrupting import last_words
from ttrsim.cli.options import (
    OutFolder,
    PathName,
    board_option,
    design_options,
    games_option,
    out_option,
    players_option,
    quiet_option,
    seed_option,
    summary_option,
    threads_option,
)
from ttrsim.cli.output import heading, note, table, write, write_json
from ttrsim.cli.stop_options import parse_points, stop_json, stop_options, tell_stop
from ttrsim.errors import Unfinished, UsageError, UserError
from ttrsim.formatting import command_line, counted, decimal

if TYPE_CHECKING:
    from ttrsim.runs import Run

ENGINES = ("threads", "dask")


@click.command()
@board_option()
@players_option()
@games_option("How many games, for example 1e6; rounded up to whole laps.")
@design_options(
    design="Who sits together: fixed, the players listed (the default); with --seats: mirror, copies of each; focal, "
    "the first against all fields of the others; mixed, all compositions.",
    seats="Seats at a table, for the designs other than fixed.",
    rotate="Seatings in which each deal is played: cyclic (the default), all or none.",
)
@seed_option()
@threads_option
@out_option("The run's folder; a new one, unless --resume is given.")
@click.option("--resume", is_flag=True, help="Continue the run in the folder, with more games if -n is larger; begin it if there is none.")  # fmt: skip  # noqa: E501
@click.option("--record", metavar="TABLES", help="Rows to store: games,players,tickets,claims, or none.")
@click.option("--only-shards", "part", metavar="I/N", help="Play the I-th of N parts; ttrsim merge puts them together.")
@stop_options
@click.option(
    "--engine", type=click.Choice(ENGINES), help="What plays the games: threads (the default) or dask, a cluster."
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Address of the Dask cluster, for example tcp://host:8786; if not given, -j processes.",
)
@summary_option
@quiet_option
def run(as_json: bool, quiet: bool, **options: Any) -> None:
    """Play many games and say which strategies win.

    Each deal is played once for each rotation of the strategies and, if there are several line-ups, by each of them.
    Those games are a lap. With -o the results are stored; an interrupted run is continued with --resume and comes to
    the same results as an undisturbed one.
    """
    if options["resume"]:  # what was chosen once counts, and not what is usual
        options = {name: value if name in AS_GIVEN or _typed(name) else None for name, value in options.items()}
    if options["until_ci"] is not None:
        options["until_ci"] = parse_points("--until-ci", options["until_ci"])
    out = options["out"]
    if out is None:
        if options["record"]:
            raise UsageError(["--record: needs -o, the folder of the run"])
        options["record"] = "none"

    def words() -> str:
        return way_on(out, options) if out else ""

    with console(quiet=quiet) as shown, last_words(words):
        try:
            found = ttrsim.run(**{**options, "engine": options["engine"] or "threads"}, **shown.callbacks)
        except (KeyboardInterrupt, Unfinished):
            if told := words():
                shown.note(told)
            raise
    tell(found, as_json=as_json)


AS_GIVEN = ("out", "resume", "part", "threads", "engine", "scheduler")
"""Options that say how a run is played: with --resume too, they may come from the settings."""


def _typed(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) == ParameterSource.COMMANDLINE


def way_on(out: Path, options: dict[str, Any]) -> str:
    """Say how many games are finished, and how to go on with an interrupted run; nothing if none was begun."""
    from ttrsim.runs.store import Folder

    folder = Folder(out)
    if not folder.begun:
        return ""
    schedule = folder.read().plan.schedule
    again = {"--engine": options["engine"], "--scheduler": options["scheduler"], "--only-shards": options["part"]}
    given = [word for name, value in again.items() if value for word in (name, value)]
    games = sum(len(schedule.games_of(laps)) for laps in folder.present())
    done = f"{games:,} of {schedule.games:,} games finished and kept"
    return f"{done}; go on with: {command_line(['ttrsim', 'run', '--resume', '-o', str(out), *given])}"


def tell(found: "Run", *, as_json: bool) -> None:
    """Print the summary."""
    outcome, plan = found.outcome, found.plan
    shares = outcome.shares
    if as_json:
        write_json(
            {
                "board": plan.board.id,
                "seed": plan.seed,
                "games": shares.games,
                "planned_games": plan.schedule.games,
                "digest": outcome.digest,
                "folder": str(found.path) if found.path else None,
                "strategies": [vars(share) for share in shares.estimates()],
                **(stop_json(outcome) if plan.stop else {}),
            }
        )
        return
    heading(f"{found.board.name} ({plan.board.id}), {counted(shares.games, 'game')}, seed {plan.seed}")
    rows: list[list[str | int]] = [
        [
            share.strategy,
            f"{100 * share.win_share:.2f}",
            "–" if share.half_width is None else f"{100 * share.half_width:.2f}",
            decimal(share.score),
        ]
        for share in shares.estimates()
    ]
    if rows:
        write()
        table(["Strategy", "Win share, %", "±", "Mean score"], rows)
        write()
        write("±: half of the 95 % interval, from batches of blocks")
    if plan.stop:
        tell_stop(outcome)
    if outcome.digest:
        write(f"Digest {outcome.digest}")
    else:
        write(f"{shares.games:,} of {plan.schedule.games:,} games played")


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


class SampleSize(click.ParamType):  # type: ignore[type-arg]
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
    type=SampleSize(),
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

"""Play many games (`ttrsim run`), merge portions of a run (`ttrsim merge`) and check a run (`ttrsim verify`)."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.cli.console import console, resumable
from ttrsim.cli.options import (
    OutFolder,
    PathName,
    board_option,
    design_options,
    engine_options,
    games_option,
    out_option,
    players_option,
    quiet_option,
    seed_option,
    summary_option,
    threads_option,
    typed,
)
from ttrsim.cli.output import heading, note, paragraph, table, write, write_json
from ttrsim.cli.stop_options import parse_points, print_stop, stop_json, stop_options
from ttrsim.errors import UsageError, UserError
from ttrsim.formatting import command_line, counted, decimal

if TYPE_CHECKING:
    from ttrsim.runs import Run


@click.command(context_settings={"allow_extra_args": True})
@board_option()
@players_option()
@games_option("Number of games, for example 1e6; rounded up to whole laps.")
@design_options(
    design="Who plays together: fixed, the players listed (the default); with --seats: mirror, copies of each; focal, "
    "the first against every combination of the others; mixed, all combinations.",
    seats="Players at a table, for designs other than fixed.",
    rotate="The seatings in which each deal is played: cyclic (the default), all or none.",
)
@seed_option()
@threads_option
@out_option("The folder of the run; it must be new, unless --resume is given.")
@click.option("--resume", is_flag=True, help="Continue the run in the folder, with more games if -n is larger; start it if there is none.")  # fmt: skip  # noqa: E501
@click.option("--record", metavar="TABLES", help="Tables of rows to store: games,players,tickets,claims, or none.")
@click.option("--portion", metavar="I/N", help="Play only the I-th of N portions; ttrsim merge puts them together.")
@stop_options
@engine_options
@summary_option
@quiet_option
def run(as_json: bool, quiet: bool, **options: Any) -> None:
    """Play many games and report which strategies win.

    Each deal is played once for every rotation of the strategies and, if there are several line-ups, by each of them;
    together these games are a lap. With -o the results are stored. An interrupted run can be continued with --resume
    and ends with the same results as one that was never interrupted.
    """
    if extra := click.get_current_context().args:
        again = " --resume" if options["resume"] else ""
        example = command_line(["ttrsim", "run", *again.split(), "-o", extra[0]])
        raise UsageError([f"{extra[0]}: belongs to no option; the folder of a run is given with -o: {example}"])
    if options["resume"]:  # what was chosen when the run was begun counts, not the defaults in option files
        options = {name: value if name in AS_GIVEN or typed(name) else None for name, value in options.items()}
    if options["until_ci"] is not None:
        options["until_ci"] = parse_points("--until-ci", options["until_ci"])
    out = options["out"]
    if out is None:
        if options["record"]:
            raise UsageError(["--record: needs -o, the folder of the run"])
        options["record"] = "none"

    with resumable(lambda: how_to_continue(out, options) if out else "", quiet=quiet) as shown:
        found = ttrsim.run(**{**options, "engine": options["engine"] or "threads"}, **shown.callbacks)
    print_summary(found, as_json=as_json)


AS_GIVEN = ("out", "resume", "portion", "threads", "engine", "scheduler")
"""Options of how a run is played, not what: they may come from option files even with --resume."""


def how_to_continue(out: Path, options: dict[str, Any]) -> str:
    """State how many games are finished and how to continue an interrupted run; nothing if none was begun."""
    from ttrsim.runs.store import Folder

    folder = Folder(out)
    if not folder.begun:
        return ""
    schedule = folder.read().recipe.schedule
    again = {"--engine": options["engine"], "--scheduler": options["scheduler"], "--portion": options["portion"]}
    given = [word for name, value in again.items() if value for word in (name, value)]
    games = sum(len(schedule.games_of(laps)) for laps in folder.present())
    done = f"{games:,} of {schedule.games:,} games finished and kept"
    return f"{done}; continue with: {command_line(['ttrsim', 'run', '--resume', '-o', str(out), *given])}"


def print_summary(found: "Run", *, as_json: bool) -> None:
    """Print the summary of a run."""
    outcome, recipe = found.outcome, found.recipe
    shares = outcome.shares
    if as_json:
        write_json(
            {
                "board": recipe.board.id,
                "seed": recipe.seed,
                "games": shares.games,
                "planned_games": recipe.schedule.games,
                "digest": outcome.digest,
                "folder": str(found.path) if found.path else None,
                "strategies": [vars(share) for share in shares.estimates()],
                **(stop_json(outcome) if recipe.stop else {}),
            }
        )
        return
    heading(f"{found.board.name} ({recipe.board.id}), {counted(shares.games, 'game')}, seed {recipe.seed}")
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
        write("±: half of the 95 % interval")
        for strategy in recipe.strategies:
            if strategy.unnamed_values:
                paragraph(f"{strategy.name}: {strategy.unnamed_values}")
    if recipe.stop:
        print_stop(outcome)
    if outcome.digest:
        write(f"Digest {outcome.digest}")
    else:
        write(f"{shares.games:,} of {recipe.schedule.games:,} games played")


@click.command()
@click.argument("out", type=OutFolder())
@click.argument("portions", nargs=-1, required=True, type=PathName())
@summary_option
@quiet_option
def merge(out: Path, portions: tuple[Path, ...], as_json: bool, quiet: bool) -> None:
    """Merge the shards of the folders PORTIONS into the folder OUT.

    Each portion was played by `ttrsim run --portion I/N`, with all other options the same. If games are still missing,
    the command says how many; play them with `ttrsim run --resume -o OUT`, or merge again with more portions.
    """
    from ttrsim.runs.run import merge as merge_portions

    with console(quiet=quiet) as shown:
        found = merge_portions(out, portions, shown.listener)
    if missing := found.outcome.missing:
        games, of = missing * found.recipe.schedule.lap_games, found.recipe.schedule.games
        if not quiet:
            note(f"{games:,} of {of:,} games are missing")
    print_summary(found, as_json=as_json)


class SampleSize(click.ParamType):  # type: ignore[type-arg]
    """A number of shards, or None for all games."""

    name = "number or all"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        if value is None or value == "all":
            return None
        if not isinstance(value, int) and not re.fullmatch(r"\d{1,9}", value):
            self.fail(f"{value!r} is not a number of shards; write 20, for example, or all", param, ctx)
        return int(value)


@click.command()
@click.argument("run", type=PathName())
@click.option(
    "--sample",
    type=SampleSize(),
    default="20",
    help="Play one lap of this many shards again (20 by default), or all games.",
)
@quiet_option
def verify(run: Path, sample: int | None, quiet: bool) -> None:
    """Hash every file of the run in the folder RUN, and play a sample of its games again.

    Exits with 0 if the run is finished and undamaged; with 1 if something is wrong, naming the files, or if shards have
    not been played yet, as in a portion played with --portion. `ttrsim run --resume` repairs damage and plays what is
    missing.
    """
    from ttrsim.compiling import compile_first
    from ttrsim.runs.copies import check_rules
    from ttrsim.runs.verify import verify_run

    found = ttrsim.Run.open(run)
    check_rules(found.folder, found.recipe)
    recipe = found.recipe
    with console(quiet=quiet) as shown:
        compile_first(found.player.strategies, shown.listener)
        shown.tell("Hashing files, then playing a sample of games again ...")
        verdict = verify_run(found.folder, found.player, sample)
    if verdict.problems:
        raise UserError(verdict.problems)
    early = verdict.digest is not None and verdict.games < recipe.schedule.games
    games = f"{verdict.games:,} of {recipe.schedule.games:,} games"
    if early:
        games = f"{verdict.games:,} games, after which {recipe.stop} ended the run"
    write(f"{games}, in {counted(verdict.shards, 'shard')}: undamaged")
    write(f"{counted(verdict.games_replayed, 'game')} played again with the same results")
    if verdict.digest:
        write(f"Digest {verdict.digest}")
    else:
        missing = f"{verdict.missing:,} of {recipe.schedule.games:,} games have not been played yet"
        command = command_line(["ttrsim", "run", "--resume", "-o", str(run)])
        raise UserError([f"{run}: is unfinished: {missing}; continue with: {command}"])

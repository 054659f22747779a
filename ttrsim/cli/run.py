"""`ttrsim run`: many games, summed up and stored."""

import contextlib
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ttrsim.choices import ROW_TABLES, RowTable
from ttrsim.cli.interrupting import last_words
from ttrsim.cli.output import heading, note, table, write, write_json
from ttrsim.cli.stopping import announce_stop, parse_stop, stop_json, stop_options, tell_stop
from ttrsim.cli.usual import (
    DESIGNS,
    ROTATES,
    Count,
    OutFolder,
    begun_words,
    board_option,
    chosen_seed,
    cores,
    quiet_option,
    seed_option,
    summary_option,
    tell_seed,
    threads_option,
)
from ttrsim.errors import Unfinished, UsageError
from ttrsim.numerals import counted, decimal
from ttrsim.shell import command_line

if TYPE_CHECKING:
    from ttrsim.runs.laps import Part
    from ttrsim.runs.local import Engine
    from ttrsim.runs.make import Outcome
    from ttrsim.runs.plan import Plan
    from ttrsim.runs.playing import Player
    from ttrsim.runs.store import Folder

ENGINES = ("threads", "dask")


def parse_record(value: str | None) -> "list[RowTable] | None":
    """Return the tables named in `--record`."""
    if value is None:
        return None
    names = [] if value == "none" else [name.strip() for name in value.split(",")]
    for name in names:
        if name not in ROW_TABLES:
            raise UsageError([f"--record: no table {name!r}; tables are {', '.join(ROW_TABLES)}, or none"])
    return names  # type: ignore[return-value]


def parse_part(value: str | None) -> "Part | None":
    """Return `3/100` as the third of 100 parts."""
    from ttrsim.runs.laps import Part

    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,9})/(\d{1,9})", value)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise UsageError([f"--only-shards {value}: write it as 3/100, the third of 100 parts"])
    return Part(int(match[1]), int(match[2]))


@click.command()
@board_option()
@click.option("--players", metavar="STRATEGIES", help="For example planner,one_step or planner,my_bot.py.")
@click.option("-n", "games", type=Count(), help="How many games, for example 1e6; rounded up to whole laps.")
@click.option(
    "--design",
    type=click.Choice(DESIGNS),
    help="Who sits together: fixed, the players listed (the default); with --seats: mirror, copies of each; focal, the "
    "first against all fields of the others; mixed, all compositions.",
)
@click.option("--seats", type=click.IntRange(1, 6), help="Seats at a table, for the designs other than fixed.")
@click.option(
    "--rotate",
    type=click.Choice(ROTATES),
    help="Seatings in which each deal is played: cyclic (the default), all or none.",
)
@seed_option()
@threads_option
@click.option("-o", "out", type=OutFolder(), help="The run's folder; a new one, unless --resume is given.")
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
def run(out: Path | None, threads: int | None, engine: str | None, scheduler: str | None, part: str | None, resume: bool, as_json: bool, quiet: bool, **options: Any) -> None:  # fmt: skip  # noqa: E501
    """Play many games and say which strategies win.

    Each deal is played once for each rotation of the strategies and, if there are several line-ups, by each of them.
    Those games are a lap. With -o the results are stored; an interrupted run is continued with --resume and comes to
    the same results as an undisturbed one.
    """
    from ttrsim.cli.compiling import compile_first
    from ttrsim.runs.make import opened
    from ttrsim.runs.ownership import check_free
    from ttrsim.runs.store import Folder

    folder = Folder(out) if out else None
    if resume:  # what was chosen once counts, and not what is usual
        options = {name: value if _typed(name) else None for name, value in options.items()}
    options["record"], options["stop"], shards = parse_record(options["record"]), parse_stop(options), parse_part(part)
    _check_options(folder, options, part, resume=resume)
    _check_engine(folder, engine, scheduler, threads)
    if folder:
        check_free(folder, resume=resume)
    player, drawn = make_player(folder, options, resume=resume)
    if part and player.plan.stop:
        raise UsageError([f"--only-shards {part}: a part cannot know when {player.plan.stop} is to stop the run"])
    if not scheduler:  # elsewhere the workers compile, once they are known to be fit
        compile_first(player.strategies, quiet=quiet)
    again = _words({"--engine": engine, "--scheduler": scheduler, "--only-shards": part})
    with (
        make_engine(engine, scheduler, threads or cores(), quiet=quiet) as plays,
        opened(folder, player, resume=resume, report=note) if folder else contextlib.nullcontext() as staging,
    ):
        if not quiet:
            if drawn:
                tell_seed(player.plan.seed)
            elif resume and options["seed"] is None and options["board"] is not None:  # the whole command again
                note(begun_words(player.plan.seed, out))
            tell_plan(player.plan, folder, asked=options["games"])
        if shards and not shards.laps(player.plan.laps):
            note(f"--only-shards {part}: nothing to play, for there are more parts than {laps_of(player.plan)}")
        outcome = play(player, folder, staging, plays, shards, again, quiet=quiet)
    tell(player, folder, outcome, as_json=as_json)


def _typed(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) == ParameterSource.COMMANDLINE


def _check_options(folder: "Folder | None", options: dict[str, Any], part: str | None, *, resume: bool) -> None:
    if folder is None and (resume or part or options["record"]):
        given = "--resume" if resume else "--only-shards" if part else "--record"
        raise UsageError([f"{given}: needs -o, the folder of the run"])
    if not (resume and folder and folder.begun):
        needed = {"board": "--map", "players": "--players", "games": "-n"}
        missing = [name for option, name in needed.items() if options[option] is None]
        if missing and resume and folder:
            problem = f"no run was begun there; to begin one, also give {', '.join(missing)}"
            raise UsageError([f"-o {folder.path}: {problem}"])
        if missing:
            raise UsageError([f"Missing option '{missing[0]}'."])
        if part and options["seed"] is None:
            raise UsageError(["--only-shards: needs --seed, so that all parts are of one run"])


def _check_engine(folder: "Folder | None", engine: str | None, scheduler: str | None, threads: int | None) -> None:
    if scheduler is not None and engine != "dask":
        raise UsageError([f"--scheduler {scheduler}: needs --engine dask"])
    if scheduler is not None and threads:
        raise UsageError([f"-j {threads}: says nothing with --scheduler, whose workers have threads of their own"])
    if engine == "dask" and folder is None:
        raise UsageError(["--engine dask: needs -o, a folder that all workers share"])


def make_engine(
    engine: str | None, scheduler: str | None, threads: int, *, quiet: bool
) -> "contextlib.AbstractContextManager[Engine]":
    """Return the engine that plays the shards."""
    if engine == "dask":
        from ttrsim.runs.cluster import dask_engine

        return dask_engine(scheduler, threads, (lambda message: None) if quiet else note)
    from ttrsim.runs.local import local_engine

    return contextlib.nullcontext(local_engine(threads))


def _words(options: dict[str, str | None]) -> list[str]:
    return [word for name, value in options.items() if value for word in (name, value)]


def make_player(folder: "Folder | None", options: dict[str, Any], *, resume: bool) -> "tuple[Player, bool]":
    """Return a player for the run in the folder or the options, and whether its seed was drawn."""
    from ttrsim.runs.make import check_same
    from ttrsim.runs.plan import make_plan
    from ttrsim.runs.playing import Player
    from ttrsim.runs.read import check_rules, load_player

    begun = folder.read().plan if folder and resume and folder.begun else None
    given = {name: value for name, value in options.items() if value is not None}
    if folder and begun and not given:
        check_rules(folder, begun)
        return load_player(folder, begun), False
    if begun:
        given = {**begun.options, **given}
    drawn = "seed" not in given
    player = Player(*make_plan(**{**given, "seed": chosen_seed(given.get("seed"))}))
    if folder and begun and folder.holds_results:
        check_same(folder, player.plan)
    return player, drawn


def tell_plan(plan: "Plan", folder: "Folder | None", asked: int | None) -> None:
    """Print what is going to be played and stored."""
    from ttrsim.runs.rows import estimated_bytes
    from ttrsim.runs.shard import aggregate_bytes

    games = plan.schedule.games
    if asked is not None and asked != games:
        note(f"Playing {games:,} games ({asked:,} rounded up to whole laps)")
    if plan.stop:
        note(announce_stop(plan))
    if folder:
        rows = estimated_bytes(plan.record, games, plan.seats)
        recorded = f"rows of {', '.join(plan.record)}" if plan.record else "no rows"
        note(f"Storing aggregates and {recorded}, about {size(rows + aggregate_bytes(plan))}, in {folder.path}")


def laps_of(plan: "Plan") -> str:
    """Return into what a run can be divided, as `3 laps, of 2 games each`."""
    return f"{counted(plan.laps, 'lap')}, of {counted(plan.schedule.lap_games, 'game')} each"


def size(count: float) -> str:
    """Return a number of bytes as `85.0 MB`."""
    units = ["kB", "MB", "GB", "TB"]
    power = min(max(int(math.log10(max(count, 1)) // 3), 1), len(units))
    return f"{count / 1000**power:,.1f} {units[power - 1]}"


def play(player: "Player", folder: "Folder | None", staging: Path | None, engine: "Engine", part: "Part | None", again: list[str], *, quiet: bool) -> "Outcome":  # fmt: skip  # noqa: E501
    """Play the run, with progress; if it ends early, say how to go on. again: options to go on with."""
    from ttrsim.cli.progress import Progress
    from ttrsim.runs.make import carry_out
    from ttrsim.strategies import StrategyError

    progress = Progress(player, quiet=quiet)
    if folder is None:
        try:
            return carry_out(player, engine, on_shard=progress.update)
        finally:
            progress.end()
    try:
        with last_words(lambda: way_on(player, folder, again)):
            return carry_out(player, engine, folder, staging, part=part, on_shard=progress.update, report=progress.note)
    except (KeyboardInterrupt, Unfinished):
        progress.note(way_on(player, folder, again))
        raise
    except StrategyError as e:
        if folder.present():
            hint = "games with a corrected file are another run: choose another -o for them"
        else:
            hint = "nothing was finished: with the file corrected, give the whole command again, without --resume"
        raise StrategyError([*e.problems, f"{folder.path}: {hint}"]) from None
    finally:
        progress.end()


def way_on(player: "Player", folder: "Folder", again: list[str]) -> str:
    """Say how many games are finished, and how to go on with an interrupted run."""
    command = ["ttrsim", "run", "--resume", "-o", str(folder.path), *again]
    games = sum(len(player.schedule.games_of(laps)) for laps in folder.present())
    done = f"{games:,} of {player.schedule.games:,} games finished and kept"
    return f"{done}; go on with: {command_line(command)}"


def tell(player: "Player", folder: "Folder | None", outcome: "Outcome", *, as_json: bool) -> None:
    """Print the summary."""
    shares, plan = outcome.shares, player.plan
    if as_json:
        write_json(
            {
                "board": plan.board.id,
                "seed": plan.seed,
                "games": shares.games,
                "planned_games": plan.schedule.games,
                "digest": outcome.digest,
                "folder": str(folder.path) if folder else None,
                "strategies": [vars(share) for share in shares.estimates()],
                **(stop_json(outcome) if plan.stop else {}),
            }
        )
        return
    heading(f"{player.board.name} ({plan.board.id}), {counted(shares.games, 'game')}, seed {plan.seed}")
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

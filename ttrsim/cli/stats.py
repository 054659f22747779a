"""`ttrsim stats`: what the games of a run say."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttrsim.cli.frames import write_csv, write_frame
from ttrsim.cli.output import check_folder, check_form, heading, note, paragraph, write_json
from ttrsim.cli.progress import Line, doing
from ttrsim.cli.usual import NumberRange, PathName, csv_option, json_option
from ttrsim.errors import UsageError
from ttrsim.numerals import counted
from ttrsim.report.tables import frames_json

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run
    from ttrsim.stats.frames import Table

TABLES = (
    "sanity",
    "strategies",
    "versus",
    "strength",
    "seats",
    "tickets",
    "pairs",
    "routes",
    "cities",
    "scores",
    "games",
)
OVERVIEW = ("sanity", "strategies", "seats")
"""What is printed if no table is asked for."""
BY = {
    "strategies": ("strategy", "seat"),
    "tickets": ("strategy", "seat", "all"),
    "routes": ("all", "strategy"),
    "cities": ("all", "strategy"),
}
FIRST = 40
"""Pairs of tickets, and paths, that are printed; all with --json or --csv."""
PATHS = "paths"
"""A table of one ticket, and from games, not from aggregates."""


@click.command()
@click.argument("run", type=PathName())
@click.argument("which", metavar="[TABLE]", type=click.Choice((*TABLES, PATHS)), required=False)
@click.option("--by", metavar="WHAT", help="How rows are split: strategies by seat; tickets by seat or all (together); routes and cities by strategy.")  # fmt: skip  # noqa: E501
@click.option("--ticket", metavar="TICKET", help="For paths: the ticket, for example 'Denver-El Paso'.")
@click.option("--margin", type=NumberRange(0, 100), default=1.0, show_default=True, help="For seats: by how many points of win share a balanced one may be off.")  # fmt: skip  # noqa: E501
@click.option("--payoffs", type=PathName(), help="Write the win share of each strategy in each line-up to this file, as OpenSpiel reads it.")  # fmt: skip  # noqa: E501
@json_option
@csv_option
def stats(run: Path, which: str | None, by: str | None, ticket: str | None, margin: float, payoffs: Path | None, as_json: bool, as_csv: bool) -> None:  # fmt: skip  # noqa: E501
    """Show the statistics of a run, with 95 % intervals.

    \b
    sanity      whether the run can be believed, and how often rare cases of the rules occurred
    strategies  wins, scores and what they are made of, tickets, trails, turns
    versus      every strategy against every other: who finishes ahead, who wins more, how sure that is
    strength    one scale from the orders of finishing, and the ranks each can have
    seats       wins by seat: balanced or not
    tickets     what it is worth to be offered each ticket, and what becomes of it
    pairs       pairs of tickets that are worth more, or less, together
    routes      how often and when each is claimed
    cities      how many players come there, and when
    scores      how final scores are distributed
    games       how long they are, how close, how they end
    paths       by which cities a ticket (--ticket) is completed, in some games of the run

    Without a TABLE it prints sanity, strategies and seats. ± is half of the interval. --json and --csv have more
    columns; docs/statistics.md says what each is.
    """
    _check_options(which, by, ticket, as_json=as_json, as_csv=as_csv)
    if payoffs:
        check_folder(payoffs, "--payoffs")
    wanted = [which] if which else list(OVERVIEW)
    with doing("Reading the run ...") as line:
        from ttrsim.runs import Run
        from ttrsim.stats.sanity import sanity, verdict

        opened = Run.open(run)
        if ticket:
            frames = _paths(opened, ticket, line)
        else:
            frames = {name: make(opened, name, by, margin / 100) for name in wanted}
        panel = frames["sanity"] if "sanity" in frames else sanity(opened)
    if payoffs:
        _write_payoffs(opened, payoffs)
    if as_csv:
        note(verdict(panel))
        write_csv(frames[wanted[0]])
    elif as_json:
        write_json({**_run(opened), "sanity": verdict(panel), "tables": frames_json(frames)})
    else:
        _write_head(opened, panel)
        for name, frame in frames.items():
            write_frame(name, _definition(name), frame, FIRST if name in ("pairs", PATHS) else None)


def _check_options(which: str | None, by: str | None, ticket: str | None, *, as_json: bool, as_csv: bool) -> None:
    check_form(as_json=as_json, as_csv=as_csv)
    if as_csv and which is None:
        raise UsageError([f"--csv: needs a table: {', '.join((*TABLES, PATHS))}"])
    if (ticket is not None) != (which == PATHS):
        raise UsageError(["paths and --ticket belong together: ttrsim stats RUN paths --ticket 'Denver-El Paso'"])
    if by is not None and by not in (allowed := BY.get(which or "", ())):
        right = f"{which} can be split by {', '.join(allowed)}" if allowed else f"only {', '.join(BY)} can be split"
        raise UsageError([f"--by {by}: {right}"])


def make(run: "Run", name: str, by: str | None, margin: float) -> "pd.DataFrame":
    """The frame of that name."""
    from ttrsim.stats import FRAMES

    options: dict[str, Any] = {"by": by} if by else {"margin": margin} if name == "seats" else {}
    frame: pd.DataFrame = FRAMES[name][1](run, **options)
    return frame


def _paths(run: "Run", ticket: str, line: Line) -> "dict[str, pd.DataFrame]":
    from ttrsim.cli.compiling import compile_to_replay
    from ttrsim.stats.paths import paths, plays_again

    if plays_again(run):
        compile_to_replay(run, line)
    return {PATHS: paths(run, ticket).paths}


def _definition(name: str) -> "Table":
    from ttrsim.stats import FRAMES
    from ttrsim.stats.paths import PATHS as OF_PATHS

    return OF_PATHS if name == PATHS else FRAMES[name][0]


def _write_payoffs(run: "Run", path: Path) -> None:
    from ttrsim.stats.payoffs import missing_line_ups, write_payoffs

    write_payoffs(run, path)
    note(f"Wrote payoffs of {len(run.plan.line_ups)} line-ups to {path}")
    if missing := missing_line_ups(run):
        note(f"{missing} line-ups of these strategies were not played; a run with --design mixed has all")


def _run(run: "Run") -> dict[str, Any]:
    return {
        "board": run.board.id,
        "seed": run.plan.seed,
        "games": run.games_played,
        "planned_games": run.plan.schedule.games,
        "digest": run.digest,
    }


def _write_head(run: "Run", panel: "pd.DataFrame") -> None:
    from ttrsim.stats.sanity import verdict

    heading(f"{run.board.name} ({run.board.id}), {counted(run.games_played, 'game')}, {run.plan.seats} players, seed {run.plan.seed}")  # fmt: skip  # noqa: E501
    paragraph(verdict(panel))

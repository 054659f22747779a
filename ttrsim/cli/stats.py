"""`ttrsim stats`: what the games of a run say."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.choices import PATHS, STATISTICS
from ttrsim.cli.console import console
from ttrsim.cli.options import NumberRange, PathName, csv_option, json_option
from ttrsim.cli.output import check_form, heading, note, paragraph, write_csv, write_frame, write_json
from ttrsim.errors import UsageError
from ttrsim.files import check_parent
from ttrsim.formatting import counted
from ttrsim.report.tables import frames_json

if TYPE_CHECKING:
    from ttrsim.runs import Run
    from ttrsim.stats.frames import Table

OVERVIEW = ("sanity", "strategies", "seats")
"""What is printed if no table is asked for."""
FIRST = 40
"""Pairs of tickets, and paths, that are printed; all with --json or --csv."""


@click.command()
@click.argument("run", type=PathName())
@click.argument("which", metavar="[TABLE]", type=click.Choice((*STATISTICS, PATHS)), required=False)
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
    from ttrsim.stats.sanity import verdict
    from ttrsim.views import check_statistics

    check_form(as_json=as_json, as_csv=as_csv)
    if as_csv and which is None:
        raise UsageError([f"--csv: needs a table: {', '.join((*STATISTICS, PATHS))}"])
    check_statistics(which, by, ticket)
    if payoffs:
        check_parent(payoffs, "--payoffs")
    with console() as shown:
        shown.tell("Reading the run ...")
        opened = ttrsim.Run.open(run)
        options: dict[str, Any] = {"by": by, "margin": margin / 100, "ticket": ticket, **shown.callbacks}
        frames = {name: opened.stats(name, **options) for name in ([which] if which else OVERVIEW)}
        panel = frames["sanity"] if "sanity" in frames else opened.stats("sanity")
        sure = verdict(panel)
    if payoffs:
        _write_payoffs(opened, payoffs)
    if as_csv:
        note(sure)
        write_csv(next(iter(frames.values())))
    elif as_json:
        write_json({**_run(opened), "sanity": sure, "tables": frames_json(frames)})
    else:
        _write_head(opened, sure)
        for name, frame in frames.items():
            write_frame(name, _definition(name), frame, FIRST if name in ("pairs", PATHS) else None)


def _definition(name: str) -> "Table":
    from ttrsim.stats import FRAMES
    from ttrsim.stats.paths import PATHS as OF_PATHS

    return OF_PATHS if name == PATHS else FRAMES[name][0]


def _write_payoffs(run: "Run", path: Path) -> None:
    from ttrsim.stats.strategies import missing_line_ups, write_payoffs

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


def _write_head(run: "Run", sure: str) -> None:
    heading(f"{run.board.name} ({run.board.id}), {counted(run.games_played, 'game')}, {run.plan.seats} players, seed {run.plan.seed}")  # fmt: skip  # noqa: E501
    paragraph(sure)

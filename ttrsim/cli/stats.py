"""Show the statistics of a run (`ttrsim stats`)."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.cli.console import console
from ttrsim.cli.options import Name, NumberRange, OutFile, PathName, csv_option, json_option, replace_option
from ttrsim.cli.output import (
    ANSWERS_WIDER,
    check_form,
    heading,
    note,
    paragraph,
    write,
    write_csv,
    write_frame,
    write_json,
)
from ttrsim.errors import UsageError
from ttrsim.files import check_parent
from ttrsim.formatting import counted
from ttrsim.report.tables import frames_json
from ttrsim.stats.catalogue import OVERVIEW, TABLES, definition

if TYPE_CHECKING:
    from ttrsim.runs import Run

FINE = ("ok", "–")
"""Results of checks that need no words."""
HELP = """Show the statistics of a run, with 95 % intervals.

\b
{tables}

Answers come first, then TABLE, or strategies and seats if none is named. ± is half of the interval. A table is as wide
as the terminal; --wide prints all its columns. --json and --csv have more; docs/statistics.md says what each is.
"""


def _help() -> str:
    wide = max(map(len, TABLES)) + 2
    return HELP.format(tables="\n".join(f"{name:{wide}}{table.help}" for name, table in TABLES.items()))


@click.command(help=_help())
@click.argument("run", type=PathName())
@click.argument("which", metavar="[TABLE]", type=Name(tuple(TABLES)), required=False)
@click.option("--by", metavar="WHAT", help="How rows are split: strategies by seat; tickets by seat or all (together); routes and cities by strategy.")  # fmt: skip  # noqa: E501
@click.option("--ticket", metavar="TICKET", help="For paths: the ticket, for example 'Denver-El Paso'.")
@click.option("--margin", type=NumberRange(0, 100), default=1.0, show_default=True, help="For seats: the deviation, in wins per 100 games, that still counts as balanced.")  # fmt: skip  # noqa: E501
@click.option("--payoffs", type=OutFile(), help="Write the win share of each strategy in each line-up to this file, in OpenSpiel's format.")  # fmt: skip  # noqa: E501
@replace_option
@click.option("--wide", is_flag=True, help="Print all columns, even those for which the terminal has no room.")
@json_option
@csv_option
def stats(run: Path, which: str | None, by: str | None, ticket: str | None, margin: float, payoffs: Path | None, wide: bool, as_json: bool, as_csv: bool) -> None:  # fmt: skip  # noqa: E501
    """Print tables of statistics."""
    from ttrsim.stats.sanity_checks import checks_line, verdict
    from ttrsim.views import answers, check_statistics

    check_form(as_json=as_json, as_csv=as_csv)
    if as_csv and which is None:
        raise UsageError([f"--csv: needs a table: {', '.join(TABLES)}"])
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
        found = [] if as_json or as_csv else answers(opened, margin / 100, which or "")
    if payoffs:
        _write_payoffs(opened, payoffs)
    if as_csv:
        note(sure)
        write_csv(next(iter(frames.values())))
    elif as_json:
        write_json({**_run(opened), "sanity": sure, "tables": frames_json(frames)})
    else:
        _write_head(opened)
        fine = panel["result"].isin(FINE).all()
        checks = f"Checks: {checks_line(panel).replace(' checks', '', 1)}" if fine else sure
        for answer in [*found, f"{checks}."]:
            paragraph(answer)
        for name, frame in frames.items():
            if which or name != "sanity":
                write_frame(name, definition(name), frame, TABLES[name].printed, wide=wide)
        if found:
            write()
            paragraph(ANSWERS_WIDER)


def _write_payoffs(run: "Run", path: Path) -> None:
    from ttrsim.stats.rating import missing_line_ups, write_payoffs

    write_payoffs(run, path)
    note(f"Wrote payoffs of {len(run.recipe.line_ups)} line-ups to {path}")
    if missing := missing_line_ups(run):
        note(f"{missing} line-ups of these strategies were not played; a run with --design mixed has all")


def _run(run: "Run") -> dict[str, Any]:
    return {
        "board": run.board.id,
        "seed": run.recipe.seed,
        "games": run.games_played,
        "planned_games": run.recipe.schedule.games,
        "digest": run.digest,
    }


def _write_head(run: "Run") -> None:
    heading(f"{run.board.name} ({run.board.id}), {counted(run.games_played, 'game')}, {run.recipe.seats} players, seed {run.recipe.seed}")  # fmt: skip  # noqa: E501

"""Measure what a habit costs or brings (`ttrsim habits`)."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.choices import HABITS_GAMES, HABITS_PLAYERS
from ttrsim.cli.console import console
from ttrsim.cli.options import (
    OutFile,
    board_argument,
    csv_option,
    games_option,
    json_option,
    players_option,
    quiet_option,
    replace_option,
    seats_option,
    seed_option,
    threads_option,
)
from ttrsim.cli.output import check_form, heading, note, paragraph, table, write, write_csv, write_json
from ttrsim.files import check_picture

if TYPE_CHECKING:
    from ttrsim.restricted import Habits


@click.command()
@board_argument()
@click.option("--habit", "habits", multiple=True, metavar="HABIT", help="A switch of the strategies, for example never_draws_tickets or opening_tickets=3; may be repeated; by default all that can matter on the board.")  # fmt: skip  # noqa: E501
@players_option("The strategies, each tried on its own.", default=HABITS_PLAYERS, show_default=True)
@seats_option("2 to 5, as far as the board allows")
@click.option("--against", metavar="STRATEGIES", help="The opponents, for example planner,hoarder: every combination of them plays; by default copies of the strategy.")  # fmt: skip  # noqa: E501
@games_option("Games with each habit at each table, and as many without.", default=HABITS_GAMES, show_default=True)
@seed_option()
@threads_option
@click.option("-o", "output", type=OutFile(), help="Also draw the changes: a .png, .svg or .pdf file.")
@replace_option
@json_option
@csv_option
@quiet_option
def habits(output: Path | None, as_json: bool, as_csv: bool, quiet: bool, **options: Any) -> None:
    """Measure what a habit costs or brings: good strategies with one habit changed, and without, on the same deals.

    For example `ttrsim habits usa --habit never_draws_tickets`: how much less often does a strategy win that never
    draws tickets? One player at the table has the habit, in each seat in turn; everybody else plays as usual.
    `ttrsim strategies show planner` lists the habits that can be changed.
    """
    check_form(as_json=as_json, as_csv=as_csv)
    if output:
        check_picture(output)
    with console(quiet=quiet) as shown:
        found = ttrsim.habits(**options, **shown.callbacks)
    if output:
        found.plot(output)
    if as_csv:
        write_csv(found.frame)
    elif as_json:
        write_json(found.json())
    else:
        print_habits(found)
    if output:
        note(f"Drew the habits to {output}")


def print_habits(found: "Habits") -> None:
    """Print what was found, in sentences and as a table."""
    from ttrsim.report.tables import grid
    from ttrsim.tuning.habits import HABITS

    heading(f"{found.board.name} ({found.board.id}): {found.about}")
    for sentence in found.answers:
        paragraph(sentence)
    shown = grid(HABITS, found.frame)
    write()
    table(shown.header, shown.rows)
    for words in shown.notes:
        paragraph(words)

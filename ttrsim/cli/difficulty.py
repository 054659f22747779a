"""Measure how hard tickets are (`ttrsim difficulty`)."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.choices import DIFFICULTY_GAMES, DIFFICULTY_PLAYERS
from ttrsim.cli.balance import parse_seats
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
    seed_option,
    threads_option,
)
from ttrsim.cli.output import check_form, heading, note, paragraph, table, write, write_measurement
from ttrsim.files import check_picture

if TYPE_CHECKING:
    from ttrsim.measurement import Difficulty

FAILS = ("ticket", "points", "difficulty", "verdict", "blocked_by")
TAKES = ("ticket", "extra", "score_effect", "win_effect")
"""Beginnings of the columns printed in the two tables; --json and --csv have all."""


@click.command()
@board_argument()
@players_option("The strategies; each plays against copies of itself.", default=DIFFICULTY_PLAYERS, show_default=True)
@click.option(
    "--seats",
    metavar="NUMBERS",
    help="Numbers of players at a table, for example 2,4; by default 2 to 5, as far as the board allows.",
)
@games_option("Games with each ticket at each table.", default=DIFFICULTY_GAMES, show_default=True)
@click.option("--ticket", "tickets", multiple=True, metavar="TICKET", help="Show only this ticket, for example 'Denver-El Paso'; may be repeated.")  # fmt: skip  # noqa: E501
@seed_option()
@threads_option
@click.option("-o", "output", type=OutFile(), help="Also draw difficulty against points: a .png, .svg or .pdf file.")
@replace_option
@json_option
@csv_option
@quiet_option
def difficulty(
    seats: str | None, output: Path | None, as_json: bool, as_csv: bool, quiet: bool, **options: Any
) -> None:
    """Measure how hard each ticket is: how often it fails if it must be kept, what it takes, and what blocks it.

    At each table all seats have copies of one strategy, and one of them must keep the ticket and knows it. The same
    deals are played with every ticket, so the luck of the deal cancels between them.

    A ticket is harder or easier than its points say by comparison with par, the curve of difficulty by points that
    fits all tickets best. All tickets are played even if only some are shown, because par needs all of them.
    """
    check_form(as_json=as_json, as_csv=as_csv)
    if output:
        check_picture(output)
    with console(quiet=quiet) as shown:
        found = ttrsim.difficulty(**options, seats=parse_seats(seats) if seats else None, **shown.callbacks)
    if output:
        found.plot(output)
    write_measurement(found, print_difficulty, as_json=as_json, as_csv=as_csv)
    if output:
        note(f"Drew difficulty to {output}")


def print_difficulty(found: "Difficulty") -> None:
    """Print the answers, then what each ticket takes for the strategy that fails least, table by table."""
    from ttrsim.report.tables import grid
    from ttrsim.trials.difficulty import DIFFICULTY, strongest
    from ttrsim.trials.tickets import overruled_words

    board, trial = found.trial.board, found.trial
    heading(f"{board.name} ({board.id}), {trial.schedule.games:,} games with each ticket at each table, seed {trial.seed}")  # fmt: skip  # noqa: E501
    for sentence in found.answers:
        paragraph(sentence)
    for players, rows in found.frame.groupby("players"):
        best = strongest(rows)
        rows = rows[rows["strategy"] == best]
        for title, columns in (
            ("how often it fails", FAILS),
            ("what it takes and brings, against the average ticket", TAKES),
        ):
            shown = grid(DIFFICULTY, rows[[c for c in rows if str(c).startswith(columns)]]).joined
            write()
            heading(f"{players} players, {best}: {title}")
            table(shown.header, shown.rows)
    write()
    for sentence in [*shown.notes, *([overruled_words(found.overruled)] if found.overruled else [])]:
        paragraph(sentence)

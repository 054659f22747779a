"""Search for a few changes that make a board fairer (`ttrsim improve`)."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.choices import IMPROVE_GAMES, IMPROVE_GOALS, IMPROVE_JUDGES, IMPROVE_PLAYERS, MOST_CHANGES
from ttrsim.cli.console import resumable
from ttrsim.cli.options import (
    NumberRange,
    board_argument,
    engine_options,
    games_option,
    json_option,
    out_option,
    players_option,
    quiet_option,
    seats_option,
    seed_option,
    threads_option,
    typed,
)
from ttrsim.cli.output import heading, paragraph, table, write, write_grid, write_json

if TYPE_CHECKING:
    from ttrsim.improver import Improvement

LISTED = 10
"""The most single changes that are printed; --json has all."""
AS_GIVEN = ("out", "resume", "threads", "engine", "scheduler")
"""Options of how a search is played, not what."""


@click.command()
@board_argument(required=False)
@click.option("--goal", metavar="GOALS", help=f"What to improve: tickets, seats, routes (dead ones, and dead cities), strategies; {IMPROVE_GOALS} by default.")  # fmt: skip  # noqa: E501
@players_option(f"The strategies of the search; {IMPROVE_PLAYERS} by default.")
@click.option("--judges", metavar="STRATEGIES", help=f"Other strategies, which judge the result; {IMPROVE_JUDGES} by default.")  # fmt: skip  # noqa: E501
@seats_option()
@games_option(f"Games in all, for example 1e7; {IMPROVE_GAMES:,} by default.", "-n", "--games")
@click.option("--minutes", type=NumberRange(0, min_open=True), help="About how many minutes to play, instead of --games.")  # fmt: skip  # noqa: E501
@click.option("--max-changes", type=click.IntRange(1, 100), help=f"Propose at most this many changes; {MOST_CHANGES} by default.")  # fmt: skip  # noqa: E501
@click.option("--keep", multiple=True, metavar="WHAT", help="What must stay as it is: 'tickets of Paris', 'ticket Brest-Nantes', 'route Brest-Dieppe', 'routes', 'rules.hand', 'new routes'; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--least", type=click.IntRange(1, 1000), help="The least points that a ticket may have; 1 by default.")
@click.option("--most", type=click.IntRange(1, 1000), help="The most points that a ticket may have; 40 by default.")
@click.option("--stretch", metavar="FACTOR", type=NumberRange(1, 1000), help="A ticket may have at most this many times the points that tickets of its length usually have on the board, and at least 1/FACTOR of them; 2 by default.")  # fmt: skip  # noqa: E501
@seed_option()
@threads_option
@engine_options
@out_option("A folder to keep the search in, which must be new unless --resume is given; or a new .toml file for the proposed board, which is not written if nothing is proposed.")  # fmt: skip  # noqa: E501
@click.option("--resume", is_flag=True, help="Continue the search in the folder.")
@json_option
@quiet_option
def improve(as_json: bool, quiet: bool, **options: Any) -> None:
    """Search for a few changes that make BOARD fairer, and have strategies that played no part in it judge them.

    It tries points of tickets, cards and points at the start by seat, lengths, colours and tracks of routes, and the
    number of players from which parallel routes are open. Each step plays deals that no other step plays. What brings
    nothing measurable is left out, and if the judges do not clearly find the board fairer, it proposes nothing.
    """
    options["engine"] = options["engine"] or "threads"
    if options["resume"]:  # all else was chosen when it began; options of files are for new ones
        options = {name: value for name, value in options.items() if name in AS_GIVEN or typed(name)}
    out = options["out"]

    def words() -> str:
        from ttrsim.improver import how_to_continue

        return how_to_continue(Path(out)) if out else ""

    with resumable(words, quiet=quiet) as shown:
        found = ttrsim.improve(**options, **shown.callbacks)
    write_json(found.json()) if as_json else print_improvement(found)


def print_improvement(found: "Improvement") -> None:
    """Print what to change, what that does to each size, and what single changes do."""
    from ttrsim.formatting import command_line
    from ttrsim.improving.frames import PATH, SINGLES
    from ttrsim.words import listed

    recipe = found.recipe
    heading(f"{recipe.board}; {found.games:,} games, seed {recipe.seed}")
    for sentence in found.answers:
        paragraph(sentence)
    if found.changes:
        write()
        for line in found.diff:
            write(f"  {line}")
    if found.before and found.after:
        write()
        judge = "judge" if recipe.judges[1:] else "judges"
        heading(f"Before and after, as {listed(recipe.judges)} {judge} it, beside the published boards")
        shown = found.sizes_table()
        table(shown[0], shown[1])
        if found.before.unlike_published:
            paragraph(found.before.unlike_published)
    for title, definition, frame in (
        ("Single changes, on fresh deals", SINGLES, found.singles.head(LISTED)),
        ("Changes made together, as the strategies of the search see it", PATH, found.pareto),
    ):
        if len(frame):
            write_grid(definition, frame, title)
    if found.path:
        write()
        write(f"For a page about it: {command_line(['ttrsim', 'report', str(found.path), '-o', 'improved.html'])}")

"""`ttrsim plot`: pictures of what a run or trials say."""

from pathlib import Path

import click

from ttrsim.cli.console import console
from ttrsim.cli.options import NumberRange, PathName
from ttrsim.cli.output import note

KINDS = (
    "tickets",
    "difficulty",
    "fair",
    "routes",
    "cities",
    "gifts",
    "closed",
    "paths",
    "strategies",
    "strength",
    "versus",
    "scores",
    "parts",
    "seats",
    "lengths",
    "convergence",
    "precision",
    "race",
)


@click.command()
@click.argument("kind", metavar="KIND", type=click.Choice(KINDS))
@click.argument("data", metavar="RUN", type=PathName())
@click.option("-o", "output", type=PathName(), required=True, help="The picture to write: .png, .svg or .pdf.")
@click.option("--value", metavar="COLUMN", help="What to show: for tickets win_effect or score_effect; for routes claim_rate, turn or contest; for cities visitors, turn or contest; for gifts and closed see docs/plots.md.")  # fmt: skip  # noqa: E501
@click.option(
    "--strategy", metavar="NAME", help="Show tickets, routes, cities, paths or closed of this strategy alone."
)
@click.option("--ticket", metavar="TICKET", help="For paths: the ticket, for example 'Denver-El Paso'.")
@click.option("--margin", type=NumberRange(0, 100), help="For tickets and seats: by how many points something may be off; 1 if not given.")  # fmt: skip  # noqa: E501
def plot(kind: str, data: Path, output: Path, value: str | None, strategy: str | None, ticket: str | None, margin: float | None) -> None:  # fmt: skip  # noqa: E501
    """Plot what a run shows.

    \b
    tickets      what it does to be offered each ticket
    routes       how often, or when, each route is claimed, on the board
    cities       how many players come to each city, or when, on the board
    paths        by which routes a ticket is completed, on the board (--ticket)
    strategies   the share of games that each strategy wins
    strength     how strong each strategy is, and the ranks it can have
    versus       how often each strategy finishes before each other one
    scores       how scores are distributed, and with which of them games are won
    parts        what the mean score of each strategy is made of
    seats        the win share of each seat
    lengths      how many turns games have
    convergence  win shares with their intervals, against games
    precision    how narrow the intervals of win shares are, against games
    race         how scores rise in a few games, which are played again

    \b
    With a file that `ttrsim tickets` or `ttrsim routes` wrote with --json in place of RUN:
    tickets      what it does to be dealt each ticket
    difficulty   how often each ticket fails, against its printed value (tickets --force)
    fair         the value each ticket has, and the one it should have (tickets --fair)
    gifts        what owning each route from the start is worth, on the board (routes --gift)
    closed       what closing each route or city changes for a strategy, on the board (routes --close)
    """
    from ttrsim.views import plot as draw

    wanted = {"value": value, "strategy": strategy, "ticket": ticket, "margin": margin}
    with console() as shown:
        shown.tell(f"Drawing {kind} ...")
        draw(data, kind, output, wanted, shown.listener)
    note(f"Drew {kind} to {output}")

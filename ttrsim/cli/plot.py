"""Draw what a run or trials show (`ttrsim plot`)."""

from itertools import chain
from pathlib import Path

import click

from ttrsim.choices import TRIAL_COMMANDS
from ttrsim.cli.console import console
from ttrsim.cli.options import Count, NumberRange, OutFile, PathName, replace_option
from ttrsim.cli.output import note
from ttrsim.plots.catalogue import PLOTS

SEVERAL = "With several runs, or with folders that `ttrsim balance -o` made:"
TUNED = "With the folder that `ttrsim tune -o` made in place of RUN:"


def _help() -> str:
    """List the plots of a run, and those of trials."""
    width = max(map(len, PLOTS))
    of_run = [f"{name:{width}}  {plot.shows}" for name, plot in PLOTS.items() if plot.of_run and not plot.of_several]
    of_several = [f"{name:{width}}  {plot.shows}" for name, plot in PLOTS.items() if plot.of_several]
    of_trials = [
        f"{name:{width}}  {plot.shows} ({TRIAL_COMMANDS[plot.trials].removeprefix('ttrsim ')})"
        for name, plot in PLOTS.items()
        if plot.trials
    ]
    of_tuning = [f"{name:{width}}  {plot.shows}" for name, plot in PLOTS.items() if plot.tuning]
    told = "With a file that `ttrsim tickets` or `ttrsim routes` wrote with --json in place of RUN:"
    kinds = (("", of_run), (SEVERAL, of_several), (told, of_trials), (TUNED, of_tuning))
    parts = [[*([""] if head else []), "\b", *([head] if head else []), *lines] for head, lines in kinds]
    return "\n".join(["Plot what a run shows.", "", *chain(*parts)])


def _names(quality: str) -> str:
    """List the plots that have a quality."""
    *names, last = (name for name, plot in PLOTS.items() if getattr(plot, quality))
    return f"{', '.join(names)} and {last}" if names else last


VALUES = "; ".join(f"for {name} {', '.join(plot.values)}" for name, plot in PLOTS.items() if plot.values)


@click.command(help=_help())
@click.argument("kind", metavar="PLOT", type=click.Choice([*PLOTS]))
@click.argument("data", metavar="RUN...", type=PathName(), nargs=-1, required=True)
@click.option("-o", "output", type=OutFile(), required=True, help="The picture to write: .png, .svg or .pdf.")
@replace_option
@click.option("--value", metavar="COLUMN", help=f"What to show: {VALUES}. The first is the default.")
@click.option("--strategy", metavar="NAME", help=f"For {_names('by_strategy')}: show this strategy alone.")
@click.option("--ticket", metavar="TICKET", help=f"For {_names('by_ticket')}: the ticket, such as 'Denver-El Paso'.")
@click.option("--margin", type=NumberRange(0, 100), help=f"For {_names('has_margin')}: how many points are too few to matter; 1 by default.")  # fmt: skip  # noqa: E501
@click.option("--games", type=Count(), help=f"For {_names('takes_games')}: how many games of the run to play again; 500 by default.")  # fmt: skip  # noqa: E501
def plot(kind: str, data: tuple[Path, ...], output: Path, value: str | None, strategy: str | None, ticket: str | None, margin: float | None, games: int | None) -> None:  # fmt: skip  # noqa: E501
    """Plot what a run or trials show."""
    from ttrsim.views import plot as draw

    wanted = {"value": value, "strategy": strategy, "ticket": ticket, "margin": margin, "games": games}
    with console() as shown:
        shown.tell(f"Drawing {kind} ...")
        draw(data, kind, output, wanted, shown.listener)
    note(f"Drew {kind} to {output}")

"""Write what games show: reports, pages to explore and plots (`ttrsim report`, `ttrsim explore`, `ttrsim plot`)."""

from itertools import chain
from pathlib import Path

import click

import ttrsim
from ttrsim.choices import TRIAL_COMMANDS
from ttrsim.cli.console import console, doing
from ttrsim.cli.options import Count, Name, NumberRange, OutFile, PathName, quiet_option, replace_option
from ttrsim.cli.output import note
from ttrsim.files import write_file
from ttrsim.plots.catalogue import PLOTS

KINDS = ("run", "balance", "compare", "tickets", "tuning", "improvement", "runs")


@click.command()
@click.argument("data", metavar="DATA...", type=PathName(), nargs=-1, required=True)
@click.option("-o", "outputs", type=OutFile(page="report"), multiple=True, required=True, help="The report to write: .html, .md or .json; may be repeated.")  # fmt: skip  # noqa: E501
@replace_option
@click.option("--kind", type=click.Choice(KINDS), help="The kind of report, if DATA does not make it clear.")
@click.option("--margin", type=NumberRange(0, 100), help="The deviation of a win share, in percentage points, that is too small to matter: by default 1; for a balance, as much as on the published boards.")  # fmt: skip  # noqa: E501
@quiet_option
def report(
    data: tuple[Path, ...], outputs: tuple[Path, ...], kind: str | None, margin: float | None, quiet: bool
) -> None:
    """Write a report: answers in words first, then figures with the tables behind them.

    \b
    run      the folder of one run
    runs     the folders of several: which strategy wins where
    balance  the folder that ttrsim balance -o made: whether a board is fair
    compare  the folder that ttrsim compare -o made, or two runs with --kind compare: what changed;
             two folders that ttrsim balance -o made: which of them is nearer to fair
    tuning   the folder that ttrsim tune -o made: what was gained
    improvement  the folder that ttrsim improve -o made: which changes make the board fairer
    tickets  a file that ttrsim tickets or ttrsim routes wrote with --json

    A page is a single file: it needs no network, and can be read without JavaScript.
    """
    from ttrsim.report.kinds import report_of
    from ttrsim.report.page import as_files, check_paths

    check_paths(outputs, data)
    with doing("Computing statistics and drawing figures ...", quiet=quiet):
        files = as_files(report_of(data, kind, None if margin is None else margin / 100), outputs)
    for path, content in files.items():
        write_file(path, content)
        if not quiet:
            note(f"Wrote {path}")


@click.command()
@click.argument("data", metavar="FOLDER", type=PathName())
@click.option(
    "-o", "out", type=OutFile(page="explorer"), required=True, help="The page to write: a name that ends in .html."
)
@replace_option
@quiet_option
def explore(data: Path, out: Path, quiet: bool) -> None:
    """Write a page to explore what games say about a board: tickets, routes and cities on its map.

    FOLDER is what ttrsim balance -o made, for all numbers of players, or the folder of a run. The page is a single
    file that needs no network. Choose the number of players and a strategy; click up to three tickets of an opening
    offer, a route or a city.
    """
    with console(quiet=quiet) as shown:
        ttrsim.explore(data, out, **shown.callbacks)
    if not quiet:
        note(f"Wrote {out}")


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
@click.argument("kind", metavar="PLOT", type=Name([*PLOTS]))
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

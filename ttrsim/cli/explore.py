"""Write a page to explore what games say about a board (`ttrsim explore`)."""

from pathlib import Path

import click

import ttrsim
from ttrsim.cli.console import console
from ttrsim.cli.options import OutFile, PathName, quiet_option, replace_option
from ttrsim.cli.output import note


@click.command()
@click.argument("data", metavar="FOLDER", type=PathName())
@click.option("-o", "out", type=OutFile(), required=True, help="The page to write: a name that ends in .html.")
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

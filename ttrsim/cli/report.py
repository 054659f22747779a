"""Write a report of runs or trials (`ttrsim report`) as a page, as Markdown, or as JSON with every number."""

from pathlib import Path

import click

from ttrsim.cli.console import doing
from ttrsim.cli.options import NumberRange, OutFile, PathName, quiet_option, replace_option
from ttrsim.cli.output import note
from ttrsim.files import write_file

KINDS = ("run", "balance", "compare", "tickets", "tuning", "improvement", "runs")


@click.command()
@click.argument("data", metavar="DATA...", type=PathName(), nargs=-1, required=True)
@click.option("-o", "outputs", type=OutFile(), multiple=True, required=True, help="The report to write: .html, .md or .json; may be repeated.")  # fmt: skip  # noqa: E501
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

"""`ttrsim report`: what runs and trials say, as a page to read, as Markdown, or as JSON with every number."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttrsim.cli.output import check_folder, note
from ttrsim.cli.progress import doing
from ttrsim.cli.usual import NumberRange, PathName, quiet_option
from ttrsim.errors import UsageError
from ttrsim.files import write_file

if TYPE_CHECKING:
    from ttrsim.report.document import Report

KINDS = ("run", "balance", "compare", "tickets", "runs")
SUFFIXES = (".html", ".md", ".json")


@click.command()
@click.argument("data", metavar="DATA...", type=PathName(), nargs=-1, required=True)
@click.option("-o", "outputs", type=PathName(), multiple=True, required=True, help="The report to write: .html, .md or .json; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--kind", type=click.Choice(KINDS), help="Which report, where DATA does not tell.")
@click.option("--margin", type=NumberRange(0, 100), default=1.0, show_default=True, help="By how many points of a hundred a win share may be off without mattering.")  # fmt: skip  # noqa: E501
@quiet_option
def report(data: tuple[Path, ...], outputs: tuple[Path, ...], kind: str | None, margin: float, quiet: bool) -> None:
    """Write a report: answers in words first, then figures with the tables behind them.

    \b
    run      the folder of one run
    runs     the folders of several: which strategy wins where
    balance  the folder that ttrsim balance -o made: whether a board is fair
    compare  the folder that ttrsim compare -o made, or two runs with --kind compare: what changed
    tickets  what ttrsim tickets or ttrsim routes wrote with --json

    A page is a single file: it needs no network, and no JavaScript to be read.
    """
    check_outputs(outputs, data)
    with doing("Computing and drawing what there is to report ...", quiet=quiet):
        made = make_report(data, kind, margin / 100)
    write_report(made, outputs, quiet=quiet)


def check_outputs(paths: tuple[Path, ...], data: tuple[Path, ...]) -> None:
    """Refuse files that cannot be written, and to write over the data, before anything is computed."""
    for path in paths:
        if path.suffix not in SUFFIXES:
            raise UsageError([f"-o {path}: a report's name ends in {', '.join(SUFFIXES)}"])
        check_folder(path)
        if path.resolve() in [given.resolve() for given in data]:
            raise UsageError([f"-o {path}: is what the report is about; choose another name"])


def make_report(data: tuple[Path, ...], kind: str | None, margin: float) -> "Report":
    """Make the report of a kind, by default the one that the data are for."""
    from ttrsim.report.kinds import MAKERS, kind_of

    return MAKERS[kind or kind_of(data)](data, margin)


def write_report(made: "Report", paths: tuple[Path, ...], *, quiet: bool) -> None:
    """Write each file in the format of its name."""
    for path in paths:
        with doing(f"Writing {path} ...", quiet=quiet):
            write_file(path, written(made, path.suffix))
        if not quiet:
            note(f"Wrote {path}")


def written(made: "Report", suffix: str) -> str:
    """Return the text of a report in the format of a name's ending."""
    import json

    from ttrsim.report.document import report_json
    from ttrsim.report.page import report_markdown, report_page

    forms: dict[str, Callable[[Report], str]] = {
        ".html": report_page,
        ".md": report_markdown,
        ".json": lambda report: json.dumps(report_json(report), ensure_ascii=False, indent=1) + "\n",
    }
    return forms[suffix](made)

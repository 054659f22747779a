"""`ttrsim demo`: a first look."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttrsim.cli.output import heading, paragraph, write
from ttrsim.cli.progress import doing
from ttrsim.cli.usual import OutFolder, cores, quiet_option
from ttrsim.errors import UserError
from ttrsim.files import write_file
from ttrsim.shell import command_line

if TYPE_CHECKING:
    from ttrsim.report.document import Report
    from ttrsim.runs.playing import Player

PLAYERS = "planner,blocker,hoarder,long_hauler"
GAMES = 20_000


@click.command()
@click.option("-o", "out", type=OutFolder(), default=Path("ttrsim-demo"), show_default=True, help="A folder for the run and its report; what was begun there is continued.")  # fmt: skip  # noqa: E501
@quiet_option
def demo(out: Path, quiet: bool) -> None:
    """Play 20,000 games of four strategies on USA, and write a report about them.

    The first time it compiles the game, which takes half a minute on a small machine.
    """
    from ttrsim.cli.compiling import compile_first
    from ttrsim.cli.keeping import kept_in, play_into
    from ttrsim.report.of_run import report_of_run
    from ttrsim.runs.local import local_engine
    from ttrsim.runs.plan import make_plan
    from ttrsim.runs.playing import Player

    player, page = Player(*make_plan(board="usa", players=PLAYERS, games=GAMES, seed=1)), out / "report.html"
    check_folder(out, player)
    with kept_in(out):
        compile_first(player.strategies, quiet=quiet)
        run = play_into(out / "run", player, local_engine(cores()), quiet=quiet)
        with doing("Computing and drawing what there is to report ...", quiet=quiet):
            report = report_of_run(run)
        write_page(report, page, out / "run")
    for answer in report.answers[:2]:
        heading(answer.question)
        paragraph(answer.words)
        write()
    write(f"The report: {page.resolve()}")
    write(f"The games: ttrsim stats {out / 'run'}, or ttrsim replay {out / 'run'} --game 0 --html game.html")


def check_folder(out: Path, player: "Player") -> None:
    """Refuse a folder in which others have files, among them a report.html before there is anything to report."""
    from ttrsim.cli.keeping import check_all
    from ttrsim.runs.ownership import refuse
    from ttrsim.runs.store import Folder

    check_all(out, {"run": player})
    if Folder(out / "run").read_summary() is None:
        refuse(out, [path for path in [out / "report.html"] if os.path.lexists(path)])


def write_page(report: "Report", page: Path, run: Path) -> None:
    """Write the report, unless another file is in its place."""
    from ttrsim.cli.report import written

    content = written(report, page.suffix)
    if not os.path.lexists(page):
        write_file(page, content)
    elif not page.is_file() or page.read_bytes() != content.encode():
        told = "is not the report that this ttrsim writes of the run, and stays as it is"
        again = command_line(["ttrsim", "report", str(run), "-o", "FILE.html"])
        raise UserError([f"{page}: {told}; move it elsewhere, or write the report by {again}"])

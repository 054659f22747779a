"""Play 20,000 games and write a report about them (`ttrsim demo`)."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.cli.console import console
from ttrsim.cli.options import out_option, quiet_option
from ttrsim.cli.output import heading, paragraph, write
from ttrsim.errors import UserError
from ttrsim.files import write_file
from ttrsim.formatting import command_line

if TYPE_CHECKING:
    from ttrsim.report.document import Report
    from ttrsim.runs.playing import Player

PLAYERS = "planner,blocker,hoarder,long_hauler"
GAMES = 20_000


@click.command()
@out_option(
    "A folder for the run and its report; a run already begun there is continued.",
    default=Path("ttrsim-demo"),
    show_default=True,
)
@quiet_option
def demo(out: Path, quiet: bool) -> None:
    """Play 20,000 games of four strategies on USA, and write a report about them.

    The first time, it compiles the game, which takes half a minute on a small machine.
    """
    from ttrsim.runs.run import new_player

    games: dict[str, Any] = {"board": "usa", "players": PLAYERS, "games": GAMES, "seed": 1}
    check_folder(out, new_player(**games))
    page = out / "report.html"
    with console(quiet=quiet, out=out) as shown:
        run = ttrsim.run(**games, out=out / "run", resume=True, **shown.callbacks)
        shown.tell("Computing statistics and drawing figures ...")
        report = run.report()
    write_page(report, page, out / "run")
    for answer in report.answers[:2]:
        heading(answer.question)
        paragraph(answer.words)
        write()
    write(f"The report: {page.resolve()}")
    write(f"The games: ttrsim stats {out / 'run'}, or ttrsim replay {out / 'run'} --game 0 --html game.html")


def check_folder(out: Path, player: "Player") -> None:
    """Refuse a folder with files of somebody else, such as a report.html although the run is not finished."""
    from ttrsim.runs.arguments import check_all
    from ttrsim.runs.store import Folder, refuse

    check_all(out, {"run": player})
    if Folder(out / "run").read_summary() is None:
        refuse(out, [path for path in [out / "report.html"] if os.path.lexists(path)])


def write_page(report: "Report", page: Path, run: Path) -> None:
    """Write the report, but replace no other file."""
    from ttrsim.report.page import report_page

    content = report_page(report)
    if not os.path.lexists(page):
        write_file(page, content)
    elif not page.is_file() or page.read_bytes() != content.encode():
        kept = "is not the report that this version of ttrsim writes for the run, so it is left alone"
        again = command_line(["ttrsim", "report", str(run), "-o", "FILE.html"])
        raise UserError([f"{page}: {kept}; move it elsewhere, or write the report with {again}"])

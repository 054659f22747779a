"""`ttrsim demo`: a first look."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttrsim.cli.output import heading, paragraph, write
from ttrsim.cli.progress import doing
from ttrsim.cli.usual import OutFolder, cores, quiet_option
from ttrsim.errors import UsageError

if TYPE_CHECKING:
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
    from ttrsim.cli.keeping import play_into
    from ttrsim.cli.report import write_report
    from ttrsim.report.of_run import report_of_run
    from ttrsim.runs.local import local_engine
    from ttrsim.runs.plan import make_plan
    from ttrsim.runs.playing import Player

    player = Player(*make_plan(board="usa", players=PLAYERS, games=GAMES, seed=1))
    check_folder(out, player)
    compile_first(player.strategies, quiet=quiet)
    run = play_into(out / "run", player, local_engine(cores()), quiet=quiet)
    with doing("Computing and drawing what there is to report ...", quiet=quiet):
        report, page = report_of_run(run), out / "report.html"
        write_report(report, (page,), quiet=True)
    for answer in report.answers[:2]:
        heading(answer.question)
        paragraph(answer.words)
        write()
    write(f"The report: {page.resolve()}")
    write(f"The games: ttrsim stats {out / 'run'}, or ttrsim replay {out / 'run'} --game 0 --html game.html")


def check_folder(out: Path, player: "Player") -> None:
    """Refuse a folder that is not empty and not an earlier demo's: a report.html there may be somebody's own."""
    from ttrsim.cli.keeping import check_all
    from ttrsim.runs.ownership import named
    from ttrsim.runs.store import Folder

    run = Folder(out / "run")
    check_all([(run.path, player)])
    if run.begun and run.read().plan.identity == player.plan.identity:
        return
    if found := sorted(path for path in out.glob("*") if path != run.path):
        problem = f"is not empty, and no folder of ttrsim demo: it holds {named(found, out)}"
        raise UsageError([f"{out}: {problem}; choose a folder that is empty or does not exist"])

"""Views of a run: frames, pictures, pages, games.

These are the methods of `ttrsim.Run`, which lies in a part of the package that knows nothing of statistics, plots and
reports.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim.compiling import compile_first
from ttrsim.errors import UsageError
from ttrsim.files import check_picture
from ttrsim.progress import Listener
from ttrsim.stats.catalogue import TABLES, function

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ttrsim.report.document import Report as Report
    from ttrsim.report.game import Game as Game
    from ttrsim.runs import Run

MARGIN = 0.01
"""The default difference in win share that does not matter."""


def check_statistics(table: str | None, by: str | None, ticket: str | None) -> None:
    """Refuse tables, splits and tickets that do not exist or do not go together."""
    if table is not None and table not in TABLES:
        raise UsageError([f"no table {table!r}; tables are {', '.join(TABLES)}"])
    if (ticket is not None) != (table is not None and TABLES[table].of_ticket):
        raise UsageError(["paths and --ticket belong together: ttrsim stats RUN paths --ticket 'Denver-El Paso'"])
    split = {name: statistic.by for name, statistic in TABLES.items() if statistic.by}
    if by is not None and by not in (allowed := split.get(table or "", ())):
        right = f"{table} can be split by {', '.join(allowed)}" if allowed else f"only {', '.join(split)} can be split"
        raise UsageError([f"`by` {by}: {right}"])


def stats(
    run: "Run", table: str, by: str | None, margin: float, ticket: str | None, listener: Listener
) -> "pd.DataFrame":
    """Return a table of statistics."""
    from ttrsim.stats.paths import paths, plays_again

    check_statistics(table, by, ticket)
    if ticket is not None:
        if plays_again(run):
            before_replay(run, listener)
        return paths(run, ticket).paths
    options: dict[str, Any] = {"by": by} if by else {"margin": margin} if table == "seats" else {}
    frame: pd.DataFrame = function(table)(run, **options)
    return frame


def before_replay(run: "Run", listener: Listener) -> None:
    """Compile the strategies of a run, and announce that games are played again."""
    from ttrsim.runs.copies import check_replay

    check_replay(run.folder, run.recipe)
    compile_first(run.player.strategies, listener)
    listener.doing("Playing games of the run again ...")


def plot(
    data: "Run | Path | Sequence[Path]", kind: str, path: Path | None, wanted: Mapping[str, Any], listener: Listener
) -> "Axes":
    """Draw a plot of a run, of several, or of a file of trials, and write it if there is a path.

    wanted: the fields of `plots.draw.Wanted`.
    """
    from ttrsim.plots.catalogue import PLOTS
    from ttrsim.plots.draw import Wanted, draw
    from ttrsim.plots.saving import save

    if path is not None:
        check_picture(path)
    if kind not in PLOTS:
        raise UsageError([f"no plot {kind!r}; plots are {', '.join(PLOTS)}"])
    axes = draw(kind, data, Wanted(**wanted), lambda run: before_replay(run, listener))
    if path is not None:
        save(axes, path)
    return axes


def answers(run: "Run", margin: float = MARGIN, table: str = "") -> list[str]:
    """Return the sentences with which the page of a run begins. table: only those about it."""
    from ttrsim.report.glance import answers_of_run

    return answers_of_run(run, margin, table)


def report(run: "Run", paths: Sequence[str | Path], margin: float) -> "Report":
    """Make the report of a run and write it to these files."""
    from ttrsim.report.of_run import report_of_run
    from ttrsim.report.page import write_all

    return write_all(paths, lambda: report_of_run(run, margin))


def replay(run: "Run", game: int, listener: Listener) -> "Game":
    """Play one game of a run again."""
    from ttrsim.report.game import Game
    from ttrsim.runs.copies import check_replay

    check_replay(run.folder, run.recipe)
    compile_first(run.player.strategies, listener)
    listener.doing("Playing the game again ...")
    return Game(*run.player.replay(game), game)

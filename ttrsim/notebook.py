"""Show frames with their errors in one cell, `ttrsim.tidy`, and the objects of the front door in a notebook."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttrsim.errors import UserError
from ttrsim.formatting import counted
from ttrsim.stats.catalogue import TABLES, definition

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.boards import Board
    from ttrsim.comparison import Comparison
    from ttrsim.examination import Balance
    from ttrsim.measurement import Trials
    from ttrsim.report.document import Figure
    from ttrsim.report.game import Game
    from ttrsim.report.tables import Grid
    from ttrsim.restricted import Habits
    from ttrsim.runs import Run
    from ttrsim.stats.frames import Definition
    from ttrsim.sweeper import Sweep
    from ttrsim.tuner import Tuning

FIRST = 12
"""Rows of a table that are shown."""
WHO_WINS = ("Strategy", "Wins, %", "Score")
"""Columns about strategies that a run shows."""
NUMBER = re.compile(r"[+−]?[\d,.]+( ± [\d,.]+)?( \(.*\))?|–")


def tidy(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return a frame of statistics as `ttrsim stats` prints it: text, with estimates such as `13.40 ± 0.90`.

    The columns are those that are printed; shares are in %. `attrs["notes"]` says what they are. Choose rows before,
    and columns afterwards.

    >>> tidy(run.stats("tickets", by="all"))[["Ticket", "Extra wins, pp"]]
    """
    import pandas as pd

    shown = printed(frame)
    made = pd.DataFrame(shown.rows, index=frame.index, columns=shown.header)
    made.attrs = {"notes": shown.notes}
    return made


def printed(frame: "pd.DataFrame") -> "Grid":
    """Return the cells of a frame of statistics, each estimate with its half interval."""
    from ttrsim.report.tables import grid

    name = frame.attrs.get("table")
    definition = _definitions().get(str(name))
    if definition is None:
        raise UserError(["this frame is none of statistics, or has lost its `attrs`; give one as run.stats makes it"])
    try:
        return grid(definition, frame).joined
    except KeyError as e:
        raise UserError([f"the column {e.args[0]} is missing; choose columns after ttrsim.tidy, not before"]) from None


def _definitions() -> "dict[str, Definition]":
    from ttrsim import trials
    from ttrsim.improving.frames import PATH, SIDES, SINGLES, STEPS
    from ttrsim.stats.balance import BALANCE, SUMMARY
    from ttrsim.stats.compare import CHANGES
    from ttrsim.stats.fairness import FAIRNESS
    from ttrsim.stats.paths import PATH_ROUTES
    from ttrsim.stats.several_runs import ACROSS
    from ttrsim.stats.sizes import SIZES
    from ttrsim.stats.standings import CONVERGENCE
    from ttrsim.stats.variance import LUCK_ACROSS
    from ttrsim.tuning.frames import GAINS, PARAMETERS, SWEEP, TRACE
    from ttrsim.tuning.habits import HABITS

    others = (ACROSS, BALANCE, SUMMARY, SIZES, FAIRNESS, CHANGES, CONVERGENCE, LUCK_ACROSS, PATH_ROUTES)
    searched = (GAINS, PARAMETERS, TRACE, SWEEP, HABITS, SINGLES, PATH, STEPS, SIDES)
    catalogued = (*map(definition, TABLES), *(table for table, _ in trials.FRAMES.values()))
    return {table.name: table for table in (*catalogued, *others, *searched)}


@dataclass(frozen=True)
class View:
    """A view of an object in a notebook."""

    title: str
    about: Sequence[str] = ()
    tables: "Sequence[tuple[str, Grid]]" = ()  # each with its title
    figure: "Figure | None" = None
    paper: str = "light"  # "dark" if the figure is legible in dark colours, too
    key: str = ""  # tells the figure apart from others with the same words above
    asked: Sequence[str] = ()  # what can be asked of the object
    warnings: Sequence[str] = ()

    @property
    def name(self) -> str:
        """A name for the figure, unique in the notebook."""
        return f"figure-{zlib.crc32(' '.join([self.title, *self.about, self.key]).encode()):08x}"

    @property
    def html(self) -> str:
        """The HTML element."""
        from ttrsim.plots.theme import PAGE_PAINTS
        from ttrsim.report.page import inline, render

        return render("notebook.html", shown=self, inline=inline, themes=PAGE_PAINTS, most=FIRST, numeric=_numeric)


def _numeric(grid: "Grid") -> list[bool]:
    """Return which columns hold numbers."""
    return [all(NUMBER.fullmatch(row[i]) for row in grid.rows) for i in range(len(grid.header))]


def run_html(run: "Run") -> str:
    """Show the board, the games, who wins, and the methods to go on with."""
    recipe = run.recipe
    played, planned = run.games_played, recipe.schedule.games
    games = counted(played, "game") if run.finished else f"{played:,} of {planned:,} games"
    where = f"in {run.path}" if run.path else "not kept"
    rows = f"rows: {', '.join(f'`{table}`' for table in recipe.record)}" if recipe.record else ""
    asked = [
        f'`stats("strategies")`: {", ".join(TABLES)}',
        '`plot("tickets")`, `report("run.html")`, `replay(0)`',
        rows,
    ]
    about = f"{games}, {recipe.seats} players, seed {recipe.seed}, {where}"
    tables, warnings = [], _warnings(run.board)
    try:
        tables = [("", printed(run.stats("strategies")).only(WHO_WINS))]
    except UserError as e:  # no batch is finished yet, or a file is damaged
        warnings = [*warnings, *e.problems]
    return View(_title(run.board), [about], tables, asked=asked, warnings=warnings).html


def board_html(board: "Board") -> str:
    """Show the map."""
    from ttrsim.plots.board import draw_board
    from ttrsim.plots.style import styled
    from ttrsim.report.document import Figure

    figure = Figure(lambda: styled(draw_board)(board), f"Map of {board.name}")
    return View("", [_board_words(board)], figure=figure, paper="dark", key=board.sha256).html


def comparison_html(found: "Comparison") -> str:
    """Show both sides, and how win shares changed."""
    sides = [f"{name}: {_run_words(run)}" for name, run in (("A", found.a), ("B", found.b))]
    changes = found.changes[found.changes["what"] == "win_share"]
    tables = [
        (name.capitalize(), printed(rows))
        for name in ("strategies", "seats")
        if len(rows := changes[changes["table"] == name])
    ]
    conditions = [f"{result.condition.text}: {result.result}" for result in found.conditions]
    asked = ['`changes`, `table("tickets")`: all changes', '`report("compare.html")`', "the runs `a` and `b`"]
    warnings = _warnings(found.a.board) or _warnings(found.b.board)
    about = [*found.answers, *sides, *conditions]
    return View("What changes from A to B", about, tables, asked=asked, warnings=warnings).html


def balance_html(found: "Balance") -> str:
    """Show the overall verdict, and the size of each question beside those of the published boards."""
    from ttrsim.stats.sizes import ALL

    board, games = found.runs[0].board, sum(run.games_played for run in found.runs)
    about = f"{counted(games, 'game')} of {', '.join(found.runs[0].strategies)}"
    asked = ["`sizes`, `frame`: all sizes and verdicts", '`report("balance.html")`', "`runs`"]
    over_all = found.sizes[found.sizes["players"] == ALL]
    title, tables = f"{_title(board)}: {found.verdict}", [("", printed(over_all))]
    return View(title, [*found.answers, about, found.sanity], tables, asked=asked, warnings=_warnings(board)).html


def trials_html(found: "Trials") -> str:
    """Show each frame."""
    trial = found.trial
    players = ", ".join(found.players)
    about = f"{counted(trial.schedule.games, 'game')} with each change, and without; {players}, seed {trial.seed}"
    tables = [(name.capitalize(), printed(frame)) for name, frame in found.frames.items()]
    asked = ["`frames`: all rows and columns", '`save("trials.json")`']
    lines = [about, *found.answers]
    return View(_title(trial.board), lines, tables, asked=asked, warnings=_warnings(trial.board)).html


def tuning_html(found: "Tuning") -> str:
    """Show what was found, the strategy to use, the gains and the parameters."""
    about = [*found.answers, f"strategy: `{found.strategy.spec}`"]
    tables = [("Gains", printed(found.gains)), ("Parameters", printed(found.parameters))]
    asked = ["`gains`, `parameters`, `trace`", '`report("tuned.html")`', "`strategy`: the strategy to use"]
    title = f"{found.start.spec} at {'; '.join(match.title for match in found.state.matches)}"
    return View(title, about, tables, asked=asked, warnings=_warnings(found.state.matches[0].board)).html


def sweep_html(found: "Sweep") -> str:
    """Show what was found, and the picture."""
    from ttrsim.report.document import Figure

    figure = Figure(found.plot, f"Win share of {found.strategy.name} by {' and '.join(found.grid)}")
    title, warnings = f"{found.strategy.spec}: {', '.join(found.grid)}", _warnings(found.match.board)
    asked = ["`frame`: all numbers", '`plot("sweep.png")`']
    return View(title, [found.about, *found.answers], figure=figure, asked=asked, warnings=warnings).html


def habits_html(found: "Habits") -> str:
    """Show what was found, and the picture."""
    from ttrsim.report.document import Figure

    figure = Figure(found.plot, "How much more often strategies win with a habit changed")
    asked = ["`frame`: all numbers", '`plot("habits.png")`']
    lines = [found.about, *found.answers]
    return View(f"{found.board.name}: habits", lines, figure=figure, asked=asked, warnings=_warnings(found.board)).html


def game_html(game: "Game") -> str:
    """Show how the game ended: who won, and the board."""
    from ttrsim.report.document import Figure
    from ttrsim.report.pictures import end_picture

    seated, recording = game.seated, game.recording
    figure = Figure(lambda: end_picture(seated, recording), f"The board at the end of game {game.number}")
    asked = ['`html("game.html")`: turn by turn', '`png("game.png")`', '`gif("game.gif")`', "`json()`"]
    return View(_title(seated.board), [game_words(game)], figure=figure, key=seated.board.sha256, asked=asked).html


def game_words(game: "Game") -> str:
    """Say which game it is, and how it ended."""
    from ttrsim.report.pictures import seats_and_scores

    table = game.recording.game.table
    ended = "" if len(game.recording.seats) else ", stopped"
    turns = counted(int(table.turn), "turn")
    return f"Game {game.number}: {', '.join(seats_and_scores(game.seated, table))}; {turns}{ended}"


def _title(board: "Board") -> str:
    return f"{board.name} ({board.id})"


def _board_words(board: "Board") -> str:
    fewest, most = board.rules.players
    counts = [counted(len(board.cities), "city", "cities"), counted(len(board.routes), "route")]
    players = f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
    return f"{_title(board)}: {', '.join((*counts, counted(len(board.tickets), 'ticket')))}, for {players}"


def _run_words(run: "Run") -> str:
    games = counted(run.games_played, "game")
    return f"{_title(run.board)}, {games} of {', '.join(run.strategies)}, seed {run.recipe.seed}"


def _warnings(board: "Board") -> list[str]:
    from ttrsim.plots.narrow_board import RECONSTRUCTION

    return [RECONSTRUCTION] if board.status == "reconstruction" else []

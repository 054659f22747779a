"""Draw a plot of the catalogue from a run or from a file of trials."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from ttrsim import plots, stats
from ttrsim.boards import Board
from ttrsim.choices import TRIAL_COMMANDS
from ttrsim.errors import UsageError
from ttrsim.plots.catalogue import PLOTS, Plot
from ttrsim.runs import Run
from ttrsim.stats.deciding import read_tables, table_names
from ttrsim.stats.paths import plays_again
from ttrsim.trials.stored import read_stored
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ttrsim.stats.paths import TicketPaths


@dataclass(frozen=True)
class Data:
    """The source of a plot."""

    frame: "pd.DataFrame | TicketPaths"
    board: Board | None  # None for several
    about: tuple[str, ...]  # which games, part by part
    strategies: "pd.DataFrame | None" = None  # the same of each strategy, if there are several


@dataclass(frozen=True)
class Wanted:
    """The caller's choices; None for the default."""

    value: str | None = None  # the column to show
    strategy: str | None = None  # the only strategy to show
    margin: float | None = None  # what does not matter, in points of a hundred or of score
    ticket: str | None = None
    games: int | None = None  # to play again


DrawnFrom = Run | Path


def draw(
    name: str, data: DrawnFrom | Sequence[DrawnFrom], wanted: Wanted, before_replay: Callable[[Run], None]
) -> "Axes":
    """Draw a plot from a run or its folder, or from the JSON that `ttrsim tickets` or `ttrsim routes` wrote.

    data: several runs, or folders that `ttrsim balance` made, only if the plot is of several runs.

    before_replay: is called with the run if games of it must be played again.
    """
    plot = PLOTS[name]
    _check(name, plot, wanted)
    sources = [data] if isinstance(data, DrawnFrom) else [*data]
    drawn = _from_several(plot, sources) if plot.of_several else _from_one(name, sources, wanted, before_replay)
    options: dict[str, Any] = {"value": wanted.value} if wanted.value else {}
    if wanted.margin is not None:
        options["margin"] = wanted.margin if wanted.value == "score_effect" else wanted.margin / 100
    if drawn.strategies is not None:
        options["strategies"] = drawn.strategies
    function, about = getattr(plots, name), " · ".join(drawn.about)
    if plot.on_board:
        axes: Axes = function(drawn.frame, drawn.board, about=about, **options)
    else:
        axes = function(drawn.frame, about=" · ".join(filter(None, [_board_words(drawn.board), about])), **options)
    return axes


def _board_words(board: Board | None) -> str:
    """Name the board, marked if it is a reconstruction."""
    return f"{board.name}{' (reconstruction)' * (board.status == 'reconstruction')}" if board else ""


def _from_one(name: str, sources: Sequence[DrawnFrom], wanted: Wanted, before_replay: Callable[[Run], None]) -> Data:
    if len(sources) > 1:
        several = listed((other for other in PLOTS if PLOTS[other].of_several), "or")
        raise UsageError([f"{name} is drawn from one run, not from {len(sources)}; draw {several} from several"])
    plot, (data,) = PLOTS[name], sources
    if plot.tuning:
        return _from_tuning(name, plot, data)
    if isinstance(data, Path) and not data.is_dir():
        return _from_trials(name, plot, data, wanted.strategy)
    return _from_run(name, plot, data, wanted, before_replay)


def _from_several(plot: Plot, sources: Sequence[DrawnFrom]) -> Data:
    """Make what a plot shows of runs, and of the mixed tables in folders that `ttrsim balance` made."""
    runs = [run for source in sources for run in _runs_in(source)]
    for run in runs:
        run.check_begun()
    frame = resolve_name(plot.statistic)(runs)
    boards = {run.board.id: run.board for run in runs}
    players = sorted({run.recipe.seats for run in runs})
    games = sorted({run.games_played for run in runs})
    each = " each" if len(runs) > 1 else ""
    about = (
        f"{listed(map(str, players))} players",
        f"{' to '.join(f'{end:,}' for end in dict.fromkeys((games[0], games[-1])))} games{each}",
        ", ".join(dict.fromkeys(name for run in runs for name in run.strategies)),
    )
    return Data(frame, next(iter(boards.values())) if len(boards) == 1 else None, about)


def _runs_in(source: DrawnFrom) -> list[Run]:
    """Return the run, or those of the mixed tables of a folder that `ttrsim balance` made."""
    if isinstance(source, Run):
        return [source]
    if not table_names(source):
        return [Run.open(source)]
    runs = read_tables(source)
    return [run for run in runs if run.recipe.design == "mixed"] or runs


def _check(name: str, plot: Plot, wanted: Wanted) -> None:
    """Refuse choices that the plot does not have."""
    if wanted.value is not None and wanted.value not in plot.values:
        right = f"it can show {listed(plot.values, 'or')}" if plot.values else "it has none to choose from"
        raise UsageError([f"{name} has no value {wanted.value!r}; {right}"])
    if wanted.strategy is not None and not plot.by_strategy:
        right = listed(other for other in PLOTS if PLOTS[other].by_strategy)
        raise UsageError([f"{name} cannot show {wanted.strategy} alone; {right} can show one strategy"])
    if wanted.margin is not None and not plot.has_margin:
        right = listed(other for other in PLOTS if PLOTS[other].has_margin)
        raise UsageError([f"{name} has no margin, but {wanted.margin:g} was given; {right} have one"])
    if wanted.games is not None and not plot.takes_games:
        right = listed(other for other in PLOTS if PLOTS[other].takes_games)
        raise UsageError([f"{name} plays no games again, but `games` {wanted.games} was given; {right} does"])
    if wanted.games is not None and wanted.games < 1:
        raise UsageError([f"`games` {wanted.games}: must be at least 1"])
    if wanted.ticket is not None and not plot.by_ticket:
        right = listed(other for other in PLOTS if PLOTS[other].by_ticket)
        raise UsageError([f"{name} does not show one ticket, but {wanted.ticket!r} was given; {right} does"])
    if wanted.ticket is None and plot.by_ticket:
        raise UsageError([f"{name}: needs a ticket, for example --ticket 'Denver-El Paso'"])


def _from_run(name: str, plot: Plot, data: Run | Path, wanted: Wanted, before_replay: Callable[[Run], None]) -> Data:
    path = data if isinstance(data, Path) else data.folder.path
    if not plot.of_run:
        raise UsageError([f"{path}: {name} is drawn from what `{_command(plot)}` writes, not from a run"])
    run = Run.open(data) if isinstance(data, Path) else data
    run.check_begun()
    strategy = wanted.strategy
    if strategy is not None:
        _check_strategy(path, strategy, run.strategies)
    if plot.replays and (not plot.by_ticket or plays_again(run)):
        before_replay(run)
    frame = _frame(run, plot, strategy, wanted)
    if plot.needs and not len(frame):
        raise UsageError([f"{path}: {name} needs {plot.needs}"])
    games = [f"{run.recipe.seats} players", f"{run.games_played:,} games", ", ".join(run.strategies)]
    whose = [f"only {strategy}"] if strategy else []
    each = stats.tickets(run) if name == "tickets" and not strategy and len(run.strategies) > 1 else None
    return Data(frame, run.board, (*whose, *games, f"seed {run.recipe.seed}"), each)


def _frame(run: Run, plot: Plot, strategy: str | None, wanted: Wanted) -> Any:
    """Make what the plot shows of a run."""
    if plot.table:
        return run.table(plot.table)
    make = resolve_name(plot.statistic)
    if plot.by_ticket:
        return make(run, wanted.ticket, strategy)
    if plot.takes_games and wanted.games is not None:
        return make(run, wanted.games)
    options = {"by": "strategy" if strategy else "all"} if plot.by_strategy else {}
    return _rows_of(make(run, **options), strategy)


def _from_trials(name: str, plot: Plot, path: Path, strategy: str | None) -> Data:
    if path.exists() and not plot.trials:
        raise UsageError([f"{path}: {name} is drawn from the folder of a run (ttrsim run -o FOLDER); this is a file"])
    stored = read_stored(path, f"{name} is drawn from what `{_command(plot)}` writes")
    if plot.trials not in stored.frames:
        has = ", ".join(stored.frames)
        raise UsageError([f"{path}: has {has} but not {plot.trials}, which `{_command(plot)}` writes"])
    frame = stored.frames[plot.trials]
    players = f"{stored.focal} against {', '.join(stored.others)}"
    if plot.trials == "closed":
        strategy = strategy or stored.focal
        players = f"{', '.join(stored.players)}: what {strategy} gains"
    if strategy is not None:
        _check_strategy(path, strategy, frame["strategy"].unique())
    games = f"{stored.games:,} games with each change and without"
    return Data(_rows_of(frame, strategy), stored.board, (games, players, f"seed {stored.seed}"))


def _from_tuning(name: str, plot: Plot, data: Run | Path) -> Data:
    from ttrsim.tuner import Tuning

    if not isinstance(data, Path) or not data.is_dir():
        raise UsageError([f"{data}: {name} is drawn from the folder of a tuning (ttrsim tune -o FOLDER)"])
    tuning = Tuning.open(data)
    matches = tuning.state.matches
    players = f"{matches[0].seats} players" if len(matches) == 1 else f"{len(matches)} tables"
    about = (players, f"{tuning.games:,} games", tuning.start.spec, f"seed {matches[0].seed}")
    return Data(getattr(tuning, plot.tuning), matches[0].board, about)


def _command(plot: Plot) -> str:
    """Return the command that makes the trials that a plot shows."""
    return f"{TRIAL_COMMANDS.get(plot.trials, 'ttrsim tickets')} ... --json > FILE"


def _check_strategy(path: Path, strategy: str, known: Iterable[str]) -> None:
    if strategy not in (names := list(known)):
        raise UsageError([f"{path}: has no strategy {strategy}; it has {', '.join(names)}"])


def _rows_of(frame: "pd.DataFrame", strategy: str | None) -> "pd.DataFrame":
    return frame[frame["strategy"] == strategy].reset_index(drop=True) if strategy else frame

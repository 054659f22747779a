"""Every kind of plot by name: what it shows, what it is made of, and what makes it of a run or of trials."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim import plots
from ttrsim.boards import Board
from ttrsim.errors import UsageError
from ttrsim.formatting import counted
from ttrsim.plots.routes_cities import CITIES, CLOSED, GIFTS, ROUTES
from ttrsim.plots.tickets import OUTCOMES

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ttrsim.runs import Run
    from ttrsim.stats.paths import Found


@dataclass(frozen=True)
class Kind:
    """A kind of plot."""

    shows: str
    draw: "Callable[..., Axes]"
    of_run: "Callable[..., Any] | None" = None  # makes what it draws of a run and a strategy or None; and of a ticket
    of_trials: str = ""  # the table of trials that it shows
    values: tuple[str, ...] = ()  # columns that it can show, the usual one first
    on_board: bool = False
    by_strategy: bool = False  # it can be of one strategy
    has_margin: bool = False
    of_ticket: bool = False  # it is of one ticket
    plays_again: "Callable[[Run], bool]" = lambda run: False  # whether it must play games of the run again


def _stats(name: str) -> "Callable[[Run, str | None], pd.DataFrame]":
    """What makes a frame of `ttrsim.stats`: of one strategy if one is named, else as it is, or of all together."""

    def make(run: "Run", strategy: str | None) -> "pd.DataFrame":
        from ttrsim.stats import FRAMES

        options = {"by": "strategy" if strategy else "all"} if name in ("tickets", "routes", "cities") else {}
        frame: pd.DataFrame = FRAMES[name][1](run, **options)
        return _rows_of(frame, strategy)

    return make


def _convergence(run: "Run", strategy: str | None) -> "pd.DataFrame":
    from ttrsim.stats.strategies import FIRST_STEP, convergence

    frame = convergence(run)
    if frame.empty:
        told = f"has {counted(len(run.batches), 'finished batch', 'finished batches')}, and {FIRST_STEP} are needed"
        raise UsageError([f"{run.folder.path}: {told}: play more games"])
    return frame


def _race(run: "Run", strategy: str | None) -> "pd.DataFrame":
    from ttrsim.stats.scores import race

    return race(run)


def _paths(run: "Run", strategy: str | None, ticket: str) -> "Found":
    from ttrsim.stats.paths import paths

    return paths(run, ticket, strategy)


def _paths_again(run: "Run") -> bool:
    from ttrsim.stats.paths import plays_again

    return plays_again(run)


def _table(name: str) -> "Callable[[Run, str | None], pd.DataFrame]":
    return lambda run, strategy: run.table(name)


KINDS = {
    "tickets": Kind(
        "what it does to be offered each ticket",
        plots.tickets,
        _stats("tickets"),
        "swaps",
        tuple(OUTCOMES),
        by_strategy=True,
        has_margin=True,
    ),
    "difficulty": Kind("how often each ticket fails, against its printed value", plots.difficulty, None, "forced"),
    "fair": Kind("the value each ticket has, and the one it should have", plots.fair, None, "fair"),
    "routes": Kind(
        "how often, or when, each route is claimed, on the board",
        plots.routes,
        _stats("routes"),
        values=tuple(ROUTES),
        on_board=True,
        by_strategy=True,
    ),
    "cities": Kind(
        "how many players come to each city, or when, on the board",
        plots.cities,
        _stats("cities"),
        values=tuple(CITIES),
        on_board=True,
        by_strategy=True,
    ),
    "gifts": Kind(
        "what owning each route from the start is worth, on the board",
        plots.gifts,
        None,
        "gifts",
        tuple(GIFTS),
        on_board=True,
    ),
    "closed": Kind(
        "what closing each route or city changes for a strategy, on the board",
        plots.closed,
        None,
        "closed",
        tuple(CLOSED),
        on_board=True,
        by_strategy=True,
    ),
    "paths": Kind(
        "by which routes a ticket is completed, on the board",
        plots.paths,
        _paths,
        on_board=True,
        by_strategy=True,
        of_ticket=True,
        plays_again=_paths_again,
    ),
    "strategies": Kind("the share of games that each strategy wins", plots.strategies, _stats("strategies")),
    "strength": Kind("how strong each strategy is, and the ranks it can have", plots.strength, _stats("strength")),
    "versus": Kind("how often each strategy finishes before each other one", plots.versus, _stats("versus")),
    "scores": Kind("how scores are distributed, and with which of them games are won", plots.scores, _table("scores")),
    "parts": Kind("what the mean score of each strategy is made of", plots.parts, _stats("strategies")),
    "seats": Kind("the win share of each seat", plots.seats, _stats("seats"), has_margin=True),
    "lengths": Kind("how many turns games have", plots.lengths, _table("lengths")),
    "convergence": Kind("win shares with their intervals, against games", plots.convergence, _convergence),
    "precision": Kind("how narrow the intervals of win shares are, against games", plots.precision, _convergence),
    "race": Kind(
        "how scores rise in a few games, which are played again", plots.race, _race, plays_again=lambda run: True
    ),
}
"""All of them. `docs/plots.md` lists them too."""


@dataclass(frozen=True)
class Data:
    """What a plot is drawn from."""

    frame: "pd.DataFrame | Found"
    board: Board
    about: tuple[str, ...]  # which games, part by part


@dataclass(frozen=True)
class Wanted:
    """What of the data a plot shows; None for what is usual."""

    value: str | None = None  # the column
    strategy: str | None = None  # the only one
    margin: float | None = None  # by how many points of a hundred, or points of score, something may be off
    ticket: str | None = None


def draw(name: str, data: "Run | Path", wanted: Wanted, before_replay: "Callable[[Run], None]") -> "Axes":
    """A plot of a run or its folder, or of the JSON that `ttrsim tickets` or `ttrsim routes` wrote.

    before_replay: is called with the run if games of it must be played again.
    """
    kind = KINDS[name]
    _check(name, kind, wanted)
    if isinstance(data, Path) and not data.is_dir():
        drawn = _of_trials(name, kind, data, wanted.strategy)
    else:
        drawn = _of_run(name, kind, data, wanted, before_replay)
    value, margin = wanted.value, wanted.margin
    options: dict[str, Any] = {"value": value} if value else {}
    if margin is not None:
        options["margin"] = margin if value == "score_effect" else margin / 100
    if kind.on_board:
        return kind.draw(drawn.frame, drawn.board, about=" · ".join(drawn.about), **options)
    named = drawn.board.name + (" (reconstruction)" if drawn.board.status == "reconstruction" else "")
    return kind.draw(drawn.frame, about=" · ".join([named, *drawn.about]), **options)


def _check(name: str, kind: Kind, wanted: Wanted) -> None:
    value, strategy, margin, ticket = wanted.value, wanted.strategy, wanted.margin, wanted.ticket
    if value is not None and value not in kind.values:
        right = f"it can show {', '.join(kind.values)}" if kind.values else "it has nothing to choose"
        raise UsageError([f"--value {value}: {name} has no such values; {right}"])
    if strategy is not None and not kind.by_strategy:
        right = ", ".join(other for other in KINDS if KINDS[other].by_strategy)
        raise UsageError([f"--strategy {strategy}: {name} is not of one strategy; {right} can be"])
    if margin is not None and not kind.has_margin:
        right = " and ".join(other for other in KINDS if KINDS[other].has_margin)
        raise UsageError([f"--margin {margin:g}: {name} has no margin; {right} have one"])
    if ticket is not None and not kind.of_ticket:
        right = " and ".join(other for other in KINDS if KINDS[other].of_ticket)
        raise UsageError([f"--ticket {ticket}: {name} is not of one ticket; {right} is"])
    if ticket is None and kind.of_ticket:
        raise UsageError([f"{name}: say of which ticket, for example --ticket 'Denver-El Paso'"])


def _of_run(name: str, kind: Kind, data: "Run | Path", wanted: Wanted, before_replay: "Callable[[Run], None]") -> Data:
    path = data if isinstance(data, Path) else data.folder.path
    if kind.of_run is None:
        made = f"{_command(kind)} ... --json > FILE"
        raise UsageError([f"{path}: {name} cannot be made of a run, but of what `{made}` writes"])
    from ttrsim.runs import Run

    run = Run.open(data) if isinstance(data, Path) else data
    run.check_begun()
    strategy = wanted.strategy
    if strategy is not None:
        _check_strategy(path, strategy, run.strategies)
    ticket = {"ticket": wanted.ticket} if kind.of_ticket else {}
    if kind.plays_again(run):
        before_replay(run)
    games = [f"{run.plan.seats} players", f"{run.games_played:,} games", ", ".join(run.strategies)]
    whose = [f"only {strategy}"] if strategy else []
    return Data(kind.of_run(run, strategy, **ticket), run.board, (*whose, *games, f"seed {run.plan.seed}"))


def _of_trials(name: str, kind: Kind, path: Path, strategy: str | None) -> Data:
    if path.exists() and not kind.of_trials:
        raise UsageError([f"{path}: {name} is made of the folder of a run (ttrsim run -o FOLDER), and this is a file"])
    from ttrsim.trials.stored import read_stored

    made = f"{_command(kind)} ... --json > FILE"
    stored = read_stored(path, f"{name} is made of what `{made}` writes")
    if kind.of_trials not in stored.frames:
        has = ", ".join(stored.frames)
        raise UsageError([f"{path}: has {has} and not {kind.of_trials}, as `{made}` writes it"])
    frame = stored.frames[kind.of_trials]
    players = f"{stored.focal} against {', '.join(stored.others)}"
    if kind.of_trials == "closed":
        strategy = strategy or stored.focal
        players = f"{', '.join(stored.players)}: what {strategy} gains"
    if strategy is not None:
        _check_strategy(path, strategy, frame["strategy"].unique())
    games = f"{stored.games:,} games with each change and without"
    return Data(_rows_of(frame, strategy), stored.board, (games, players, f"seed {stored.seed}"))


def _command(kind: Kind) -> str:
    """What makes the trials that it shows."""
    from ttrsim.trials.stored import COMMANDS

    return COMMANDS.get(kind.of_trials, "")


def _check_strategy(path: Path, strategy: str, known: Iterable[str]) -> None:
    if strategy not in (names := list(known)):
        raise UsageError([f"--strategy {strategy}: {path} has {', '.join(names)}"])


def _rows_of(frame: "pd.DataFrame", strategy: str | None) -> "pd.DataFrame":
    return frame[frame["strategy"] == strategy].reset_index(drop=True) if strategy else frame

"""Judge whether a board is balanced, once or repeatedly until everything is decided: `ttrsim.balance`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim.batches import LEVEL
from ttrsim.boards import Board, load_board
from ttrsim.choices import BALANCE_BUDGET, BALANCE_GAMES, BALANCE_PLAYERS
from ttrsim.compiling import compile_first, cores
from ttrsim.errors import UsageError
from ttrsim.formatting import counted
from ttrsim.progress import Listener, OnMessage, OnProgress
from ttrsim.runs.arguments import Players, check_all, out_folder, seat_numbers, seed_for, whole
from ttrsim.runs.playing import Player, local_engine
from ttrsim.runs.read import Run
from ttrsim.runs.run import new_player, place_for, play
from ttrsim.runs.store import Folder
from ttrsim.schedule import Design
from ttrsim.stats import deciding
from ttrsim.stats.balance import Bounds, Margin, bounds_of, summary
from ttrsim.stats.balance import balance as judge
from ttrsim.stats.deciding import Decided, Look
from ttrsim.stats.published_boards import published_boards
from ttrsim.stats.sanity_checks import panels
from ttrsim.stats.sizes import overall, sizes, to_decide

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.report.document import Report

DESIGNS: tuple[Design, ...] = ("mirror", "mixed")
UNDECIDED = {
    "seats": ("seat",),
    "tickets": ("ticket",),
    "strategies": ("lead of a strategy", "leads of strategies"),
    "cities": ("city", "cities"),
    "routes": ("route",),
    "games": ("end of games", "ends of games"),
    "sizes": ("size",),
}
"""The thing that a verdict of each question is about, and its plural."""


@dataclass
class Balance:
    """An examination of a board: its runs, and the verdicts on them."""

    runs: list[Run]
    frame: "pd.DataFrame"  # all verdicts
    bounds: Bounds  # by question
    level: float  # of the intervals
    decided: Decided | None = None  # the result of the looks, with `until_decided`
    looks: Sequence[Look] = ()  # those that were made, with `until_decided`

    @classmethod
    def open(cls, folder: str | Path, margin: Margin = None) -> "Balance":
        """Open the folder of an examination, and judge it by a margin, which is not stored."""
        bounds, looks = bounds_of(margin), deciding.read_looks(Path(folder))
        runs, level = deciding.read_tables(Path(folder)), deciding.LOOK_LEVEL if looks else LEVEL
        return cls(runs, judge(runs, bounds, level), bounds, level, looks=looks)

    def __repr__(self) -> str:
        return f"<Balance of {self.runs[0].board.id}: {self.verdict}, {len(self.frame)} verdicts>"

    def _repr_html_(self) -> str:
        from ttrsim.notebook import balance_html

        return balance_html(self)

    @property
    def verdict(self) -> str:
        """The worst verdict: imbalanced if anything is, else undecided if anything is, else balanced."""
        return overall(self.frame, self.sizes, self.bounds)

    @cached_property
    def sizes(self) -> "pd.DataFrame":
        """The sizes of the board's unfairness, one for each question, beside those of the published boards."""
        return sizes(self.runs, self.frame, self.bounds, self.level)

    @property
    def answers(self) -> list[str]:
        """Return the sentences that begin the page: how fair the board is beside the published ones."""
        from ttrsim.report.balance_glance import answers_of_balance

        return answers_of_balance(self)

    @property
    def unlike_published(self) -> str:
        """The differences of these games from those of the published boards, the board aside; "" if there are none."""
        return published_boards().unlike(self.runs[0])

    @property
    def sets_bounds(self) -> str:
        """A sentence if the board is one of the published boards by which it is judged; "" if not."""
        return published_boards().itself(self.runs[0]) if None in self.bounds.values() else ""

    @property
    def summary(self) -> "pd.DataFrame":
        """The numbers of verdicts of each kind, by question and table."""
        return summary(self.frame)

    @property
    def sanity(self) -> str:
        """Return whether the runs can be trusted."""
        return panels(self.runs)

    def report(self, *paths: str | Path) -> "Report":
        """Make a report of the examination, and write it to .html, .md or .json files."""
        from ttrsim.report.of_balance import report_of_balance
        from ttrsim.report.page import write_all

        return write_all(paths, lambda: report_of_balance(self))


def balance(
    *,
    board: str | Path | Board,
    players: Players = BALANCE_PLAYERS,
    seats: int | str | Sequence[int] | None = None,
    games: float = BALANCE_GAMES,
    margin: Margin = None,
    seed: int | None = None,
    until_decided: bool = False,
    budget: float | None = None,
    out: str | Path | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> Balance:
    """Examine a board: seats, tickets, strategies, cities, routes, and how games end.

    Several different strategies play at tables of every size, each against copies of itself and in every combination.

    seats: the numbers of players at a table, by default all that the board allows; games: at each table; margin: by
    default what is like the published boards is balanced; or "strict" (1 point for everything), the deviation in win
    share that is tolerated, or a bound for each question; until_decided: play on at the tables with undecided verdicts,
    up to `budget` games in total; out: a folder for the runs; runs already begun there are continued.

    >>> balance(board="usa", players="random,random_kind", seats=2, games=400, seed=1).verdict
    """
    if budget is not None and not until_decided:
        raise UsageError([f"`budget` {budget}: needs `until_decided`"])
    most = whole("budget", BALANCE_BUDGET if budget is None else budget) if until_decided else None
    bounds = bounds_of(margin)
    folder = None if out is None else out_folder(out).path
    seed, about_seed = seed_for(seed, table_folders(folder), folder)
    numbers = None if seats is None else seat_numbers(seats)
    tables = make_tables(board, players, numbers, whole("games", games), seed)
    listener = Listener(progress, message)
    looks = begun_looks(folder, tables, most)
    tables = {name: player.changed(laps=looks[-1].laps[name]) for name, player in tables.items()}
    if folder:
        check_all(folder, tables, deciding.OWN_NAMES)
    compile_first([strategy for player in tables.values() for strategy in player.strategies], listener)
    for sentence in about_seed:
        listener.message(sentence)
    played = Tables(folder, tables, threads or cores(), listener)
    if most is not None:
        return until_all_is_decided(played, looks, bounds, most)
    runs = played(looks[-1].laps)
    listener.doing("Judging the board ...")
    return Balance(runs, judge(runs, bounds), bounds, LEVEL)


def table_folders(out: Path | None) -> list[Path]:
    """Return the folders that the runs of tables can have."""
    return [out / f"{seats}-{design}" for seats in range(1, 7) for design in DESIGNS] if out else []


def make_tables(
    board: str | Path | Board, players: Players, seats: Sequence[int] | None, games: int, seed: int
) -> dict[str, Player]:
    """Return players for the runs of the examination, by the names of their folders: mirror and mixed tables."""
    fewest, most = (board if isinstance(board, Board) else load_board(board)).rules.players
    shared: dict[str, Any] = {"board": board, "players": players, "games": games, "seed": seed, "record": ()}
    numbers = sorted(set(seats or range(fewest, most + 1)))
    first = new_player(**shared, design="mirror", seats=min(numbers))
    designs = DESIGNS if len(first.strategies) > 1 else DESIGNS[:1]  # one strategy meets itself either way
    return {
        f"{number}-{design}": new_player(**shared, design=design, seats=number)
        for number in numbers
        for design in designs
    }


def begun_looks(out: Path | None, tables: Mapping[str, Player], budget: int | None) -> list[Look]:
    """Return the looks begun in a folder, or a first one. budget: games in total, if there are looks."""
    first = Look(laps={name: player.recipe.laps for name, player in tables.items()}, wanted={})
    begun = deciding.read_looks(out) if out else []
    if begun and budget is None:
        file = deciding.FILE
        raise UsageError([f"{out}: was played with `until_decided` ({file}); give that too, or choose another `out`"])
    if begun and begun[0].laps != first.laps:
        problem = f"{out}: its first look was at different tables or a different number of games"
        raise UsageError([f"{problem}; give the same `games`, `seats` and `players`, or choose another `out`"])
    games = deciding.games_of(first.laps, {name: player.schedule.lap_games for name, player in tables.items()})
    if budget is not None and games > budget:
        alone = f"the first look alone takes {games:,} games at {counted(len(tables), 'table')}"
        raise UsageError([f"`budget` {budget}: {alone}; give a smaller `games` or a larger `budget`"])
    return begun or [first]


class Tables:
    """Play the tables of an examination, as far as they have not been played yet."""

    def __init__(self, out: Path | None, tables: Mapping[str, Player], threads: int, listener: Listener) -> None:
        self.folder, self.home = place_for(out)
        self.players, self.listener = tables, listener
        self.engine = local_engine(threads)
        self.runs: dict[str, Run] = {}

    def __call__(self, laps: Mapping[str, int]) -> list[Run]:
        """Return the runs of all tables, each with this number of laps."""
        for number, (name, player) in enumerate(self.players.items(), 1):
            if name not in self.runs or self.runs[name].recipe.laps != laps[name]:
                longer = player.changed(laps=laps[name])
                about = (
                    f"{longer.recipe.seats} players, {longer.recipe.design}, {counted(longer.schedule.games, 'game')}"
                )
                self.listener.message(f"Table {number} of {len(self.players)}: {about}")
                self.runs[name] = play(longer, Folder(self.folder / name), self.engine, self.listener, home=self.home)
        return [self.runs[name] for name in self.players]


def until_all_is_decided(tables: Tables, looks: Sequence[Look], bounds: Bounds, budget: int) -> Balance:
    """Play on at the tables with undecided verdicts, with the looks of `ttrsim.stats.deciding`."""
    made: list[Balance] = []

    def look(now: Look) -> "pd.DataFrame":
        runs = tables(now.laps)
        tables.listener.doing("Judging the board ...")
        level = deciding.LOOK_LEVEL
        made.append(Balance(runs, judge(runs, bounds, level), bounds, level))
        return to_decide(made[-1].frame, made[-1].sizes, bounds)

    def keep(begun: Sequence[Look]) -> None:
        deciding.write_looks(tables.folder, begun)
        wanted = f", for {wanted_words(begun[-1].wanted)}" if begun[-1].wanted else ""
        tables.listener.message(f"Look {len(begun)} of at most {deciding.LOOKS}{wanted}")

    lap_games = {name: player.schedule.lap_games for name, player in tables.players.items()}
    decided = deciding.decide(looks, lap_games, budget, look, keep)
    return replace(made[-1], decided=decided, looks=decided.looks)


def wanted_words(wanted: Mapping[str, Mapping[str, int]]) -> str:
    """Describe what was undecided, such as `2-mixed (3 tickets), 3-mixed (1 seat, 1 ticket)`."""
    told = []
    for name, counts in wanted.items():
        of = ", ".join(counted(number, *UNDECIDED[question]) for question, number in counts.items())
        told.append(f"{name} ({of})")
    return ", ".join(told)

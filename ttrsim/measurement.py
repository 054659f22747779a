"""Measure what a change alone does, on the same deals with it and without.

`ttrsim.tickets`, `ttrsim.difficulty` and `ttrsim.routes` are here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ttrsim
from ttrsim.boards import Board, load_board
from ttrsim.boards.board import find_places, find_tickets
from ttrsim.choices import (
    DIFFICULTY_GAMES,
    DIFFICULTY_PLAYERS,
    ROUNDS,
    SEEDS,
    TOP,
    TRIAL_GAMES,
    drawn_seed,
)
from ttrsim.compiling import compile_first, cores
from ttrsim.core.constants import RULES_VERSION
from ttrsim.errors import UsageError
from ttrsim.files import check_parent, write_file
from ttrsim.progress import Listener, OnMessage, OnProgress
from ttrsim.runs.arguments import Players, drawn_words, usual_seats, whole
from ttrsim.runs.recipe import hide_home
from ttrsim.strategies import load_line_up
from ttrsim.strategies.loading import numbered
from ttrsim.trials import FRAMES, Trial, busiest, make_trial
from ttrsim.trials.difficulty import answer, stacked, where_hard
from ttrsim.trials.difficulty import difficulty as measure_difficulty
from ttrsim.trials.routes import check_changes
from ttrsim.trials.search import Limits

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass
class Trials:
    """The results of changes: a frame for each kind of change."""

    tables: tuple[Trial, ...]  # played; there are several only with `also`
    frames: "dict[str, pd.DataFrame]"  # by name: swaps, forced or fair; closed, gifts, changed
    board: str  # as the user named it
    options: Mapping[str, Any]  # what else decides the games

    @property
    def trial(self) -> Trial:
        """The first table."""
        return self.tables[0]

    @property
    def players(self) -> list[str]:
        """The strategies at the first table, that of the focal seat first."""
        return [strategy.spec for strategy in self.trial.line_up]

    @property
    def answers(self) -> list[str]:
        """Return the sentences that begin the page: what the changes do."""
        from ttrsim.report.trial_glance import answers_of_trials

        return answers_of_trials(self)

    @property
    def overruled(self) -> int:
        """The number of games in which the strategy left out a ticket that it had to keep."""
        return sum(frame.attrs.get("overruled", 0) for frame in self.frames.values())

    def __repr__(self) -> str:
        frames = ", ".join(f"{name} ({len(frame)} rows)" for name, frame in self.frames.items())
        return f"<{type(self).__name__} on {self.trial.board.id}: {frames}, seed {self.trial.seed}>"

    def _repr_html_(self) -> str:
        from ttrsim.notebook import trials_html

        return trials_html(self)

    @property
    def frame(self) -> "pd.DataFrame":
        """The frame, if there is one alone."""
        if len(self.frames) != 1:
            raise UsageError([f"there are several frames: {', '.join(self.frames)}; take one of `frames`"])
        return next(iter(self.frames.values()))

    @property
    def searched(self) -> list[dict[str, Any]]:
        """The steps of a search for fair values, in order: its rounds, and tests on deals that it did not see."""
        return list(self.frames["fair"].attrs["searched"]) if "fair" in self.frames else []

    def json(self) -> dict[str, Any]:
        """Return all numbers, and everything that decides the games."""
        from ttrsim.report.tables import frames_json

        trial = self.trial
        return {
            "board": trial.board.id,
            "map": hide_home(self.board),
            **self.options,
            "seed": trial.seed,
            "games": trial.schedule.games,
            "players": self.players,
            "ttrsim": ttrsim.__version__,
            "rules_version": RULES_VERSION,
            "board_sha256": trial.board.sha256,
            "strategies": {strategy.spec: strategy.sha256 for table in self.tables for strategy in table.line_up},
            "tables": frames_json(self.frames),
            **({"searched": self.searched} if self.searched else {}),
            **({"overruled": self.overruled} if self.overruled else {}),
        }

    def save(self, path: str | Path) -> None:
        """Write a .json file, from which `ttrsim plot` and `ttrsim report` draw."""
        check_parent(Path(path))
        write_file(Path(path), json.dumps(self.json(), ensure_ascii=False, indent=2) + "\n")


@dataclass(repr=False)
class Difficulty(Trials):
    """The difficulty of tickets: `frame` has a row for each number of players, strategy and ticket."""

    @property
    def players(self) -> list[str]:
        """The strategies, each of which played against copies of itself."""
        return list(dict.fromkeys(table.line_up[0].spec for table in self.tables))

    @property
    def answers(self) -> list[str]:
        """Return where tickets get hard, if there are several numbers of players, then a sentence or two for each."""
        words = [answer(rows) for _, rows in self.frame.groupby("players")]
        return [where_hard(self.frame), *words] if len(words) > 1 else words

    def plot(self, path: str | Path | None = None, *, strategy: str | None = None) -> "Axes":
        """Draw difficulty against printed points, a panel for each number of players, and write it if there is a path.

        strategy: whose difficulty; by default that of the strategy that fails least at the largest table.
        """
        from ttrsim.plots.difficulty_panels import difficulty_panels
        from ttrsim.plots.saving import drawn

        if strategy not in (None, *self.players):
            raise UsageError([f"`strategy` {strategy}: did not play; there are {', '.join(self.players)}"])
        board = self.trial.board
        mark = " (reconstruction)" if board.status == "reconstruction" else ""
        games = f"{self.trial.schedule.games:,} games with each ticket, seed {self.trial.seed}"
        about = f"{board.name}{mark} · {games}"
        return drawn(lambda: difficulty_panels(self.frame, strategy=strategy, about=about), path)


def tickets(
    *,
    board: str | Path | Board,
    players: Players,
    games: float = TRIAL_GAMES,
    seed: int | None = None,
    tickets: Sequence[str] = (),
    force: bool = False,
    fair: bool = False,
    rounds: int | None = None,
    objective: str | None = None,
    also: Sequence[Players] = (),
    least: int | None = None,
    most: int | None = None,
    step: int | None = None,
    free_level: bool = False,
    threads: int | None = None,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> Trials:
    """Measure what being dealt each ticket does, how hard it is, or what it should be worth.

    The focal seat, that of the first strategy, is dealt the ticket in place of the first one of its deck.

    games: with each change, and as many without; tickets: only these, by default all; force: make the focal seat keep
    the ticket; fair: find what each ticket should be worth, in at most `rounds` rounds of games. For a fair value only:
    objective: what should be equal for all tickets, score or win; also: line-ups of more tables, counted equally;
    least, most, step: the points a ticket may have; free_level: let the sum of all points change.

    >>> tickets(board="usa", players="planner,one_step", tickets=["Denver-El Paso"], seed=1).frame
    """
    if force and fair:
        raise UsageError(["`force` and `fair` exclude each other; `fair` forces tickets too"])
    of_search: dict[str, Any] = {"rounds": rounds, "objective": objective, "least": least, "most": most, "step": step}
    of_search |= {"free_level": free_level or None, "also": [line_up_words(line_up) for line_up in also] or None}
    given = {name: value for name, value in of_search.items() if value is not None}
    if given and not fair:
        raise UsageError([f"`{next(iter(given))}`: only `fair` searches for values"])
    trial = _trial(board, players, games, seed)
    find_tickets(trial.board, tickets)
    which = "forced" if force else "fair" if fair else "swaps"
    tables = [trial]
    for number, line_up in enumerate(also, 1):  # other deals at each table, so that chance averages out
        tables.append(_trial(trial.board, line_up, games, (trial.seed + number) % SEEDS))
    options: dict[str, Any] = {}
    if fair:
        bounds = {name: given[name] for name in ("least", "most", "step") if name in given}
        options = {name: given[name] for name in ("rounds", "objective") if name in given}
        options |= {"also": tables[1:], "limits": Limits(**bounds, hold_level=not free_level)}
    found = _measured(
        tables, board, {which: list(tickets) or None}, options, seed, threads, Listener(progress, message)
    )
    return replace(found, options={"rounds": ROUNDS, **given} if fair else {})


def difficulty(
    *,
    board: str | Path | Board,
    players: Players = DIFFICULTY_PLAYERS,
    seats: int | str | Sequence[int] | None = None,
    tickets: Sequence[str] = (),
    games: float = DIFFICULTY_GAMES,
    seed: int | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> Difficulty:
    """Measure how hard each ticket is for weak and strong strategies, what it takes and what blocks it.

    Each strategy plays against copies of itself; one seat must keep the ticket, and knows it.

    seats: the numbers of players at a table, 2 to 5 as far as the board allows if not given; tickets: show only these;
    games: with each ticket at each table.

    >>> difficulty(board="usa", players="one_step,planner", seats=2, games=20, seed=1).frame
    """
    loaded = board if isinstance(board, Board) else load_board(board)
    find_tickets(loaded, tickets)
    numbers = usual_seats(seats, loaded)
    line_ups = [[of] * number for number in numbers for of in numbered(load_line_up(players, loaded, number))[0]]
    first = _trial(loaded, line_ups[0], games, seed)
    tables = [_trial(loaded, line_up, games, first.seed) for line_up in line_ups]
    listener = Listener(progress, message)
    compile_first([line_up[0] for line_up in line_ups], listener)
    if seed is None:
        listener.message(drawn_words(first.seed))
    frames = []
    for number, table in enumerate(tables, 1):
        listener.message(f"Table {number} of {len(tables)}: {len(table.line_up)} players, {table.line_up[0].spec}")
        frames.append(
            measure_difficulty(table, list(tickets) or None, threads=threads or cores(), on_games=listener.count)
        )
    named = board.id if isinstance(board, Board) else str(board)
    return Difficulty(tuple(tables), {"difficulty": stacked(frames)}, named, {"seats": numbers})


def routes(
    *,
    board: str | Path | Board,
    players: Players,
    games: float = TRIAL_GAMES,
    seed: int | None = None,
    change: Sequence[str] = (),
    close: Sequence[str] = (),
    gift: Sequence[str] = (),
    top: int | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> Trials:
    """Measure what changing or closing a route does for everybody, and what owning it from the start is worth.

    change: changes of routes as `--set` takes them, several tried together with semicolons between them; close: routes,
    connections or cities; gift: routes to give to the focal seat, that of the first strategy; top: close and give away
    this many of the busiest connections, 5 if nothing is named.

    >>> routes(board="usa", players="planner,one_step", close=["Denver-Omaha"], seed=1).frame
    >>> routes(board="usa", players="planner,one_step", change=["route Denver-Omaha length = 2"], seed=1).answers
    """
    trial = _trial(board, players, games, seed)
    find_places(trial.board, [*close, *gift])
    check_changes(trial.board, change)
    wide = busiest(trial.board, top or TOP) if top or not (close or gift or change) else []
    asked: dict[str, list[str] | None] = {
        "closed": [*close, *wide],
        "gifts": [*gift, *wide],
        "changed": list(dict.fromkeys(change)),
    }
    wanted = {name: names for name, names in asked.items() if names}
    return _measured([trial], board, wanted, {}, seed, threads, Listener(progress, message))


def line_up_words(players: Players) -> str:
    """Return a line-up as it is written in a command."""
    return players if isinstance(players, str) else ",".join(p if isinstance(p, str) else p.spec for p in players)


def _trial(board: str | Path | Board, players: Players, games: float, seed: int | None) -> Trial:
    return make_trial(
        board=str(board) if isinstance(board, Path) else board,
        players=players,
        games=whole("games", games),
        seed=drawn_seed() if seed is None else seed,
    )


def _measured(
    tables: Sequence[Trial],
    board: str | Path | Board,
    wanted: "Mapping[str, list[str] | None]",
    options: Mapping[str, Any],
    seed: int | None,
    threads: int | None,
    listener: Listener,
) -> Trials:
    """Make the frames. wanted: what each is about, None for everything; seed: as it was given."""
    compile_first([strategy for table in tables for strategy in table.line_up], listener)
    if seed is None:
        listener.message(drawn_words(tables[0].seed))
    given = {"threads": threads or cores(), "on_games": listener.count, **options}
    frames = {which: FRAMES[which][1](tables[0], names, **given) for which, names in wanted.items()}
    return Trials(tuple(tables), frames, board.id if isinstance(board, Board) else str(board), {})

"""Play strategies with one habit changed, on the same deals as without the change: `ttrsim.habits`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ttrsim
from ttrsim.boards import Board, load_board
from ttrsim.choices import HABITS_GAMES, HABITS_PLAYERS, drawn_seed
from ttrsim.compiling import compile_first, cores
from ttrsim.core.constants import RULES_VERSION
from ttrsim.errors import UsageError, did_you_mean
from ttrsim.progress import GameCounter, Listener, OnMessage, OnProgress
from ttrsim.runs.arguments import Players, drawn_words, usual_seats
from ttrsim.runs.recipe import hide_home
from ttrsim.strategies import Strategy
from ttrsim.strategies.loading import split_line_up
from ttrsim.strategies.source import SWITCHES
from ttrsim.tuning.habits import ALL, FEWEST, HabitResults, habits_answers, habits_frame
from ttrsim.tuning.inputs import number_of, one_strategy, opponents_of, strategies_of
from ttrsim.tuning.match import Match, local_engine, measure
from ttrsim.tuning.playing import BATCHES
from ttrsim.tuning.search import Space
from ttrsim.tuning.stored import make_matches

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

Habit = tuple[str, float]
"""A switch and its value."""


@dataclass
class Habits:
    """The costs and gains of habits: `frame` has a row for each habit, strategy and number of players."""

    frame: "pd.DataFrame"
    played: tuple[HabitResults, ...]  # tables
    named: str  # the board, as the user named it
    against: str  # the opponents; "" for copies of the strategy

    @property
    def board(self) -> Board:
        """The board."""
        return self.played[0].match.board

    def __repr__(self) -> str:
        return f"<Habits on {self.board.id}: {len(self.frame)} rows, seed {self.played[0].match.seed}>"

    def _repr_html_(self) -> str:
        from ttrsim.notebook import habits_html

        return habits_html(self)

    @property
    def about(self) -> str:
        """The games played, in a line."""
        games, seed = int(self.frame["games"].max()), self.played[0].match.seed
        against = f"against {self.against}" if self.against else "each against copies of itself"
        return f"{against}, {games:,} games with each habit at each table, seed {seed}"

    @property
    def answers(self) -> list[str]:
        """The results, in sentences."""
        return habits_answers(self.frame)

    def json(self) -> dict[str, Any]:
        """Return all numbers, and everything that decides them."""
        from ttrsim.report.tables import frames_json

        strategies = {table.strategy: table.match.strategy.sha256 for table in self.played}
        return {
            "board": self.board.id,
            "map": hide_home(self.named),
            "players": list(strategies),
            "seats": list(dict.fromkeys(table.match.seats for table in self.played)),
            "against": self.against,
            "seed": self.played[0].match.seed,
            "games": int(self.frame["games"].max()),
            "ttrsim": ttrsim.__version__,
            "rules_version": RULES_VERSION,
            "board_sha256": self.board.sha256,
            "strategies": strategies,
            "answers": self.answers,
            "tables": frames_json({"habits": self.frame}),
        }

    def plot(self, path: str | Path | None = None) -> "Axes":
        """Draw the changes in win share, a panel for each strategy, and write the picture if there is a path."""
        from ttrsim.plots.saving import drawn
        from ttrsim.plots.tuning import habits as draw

        mark = " (reconstruction)" if self.board.status == "reconstruction" else ""
        return drawn(lambda: draw(self.frame, about=f"{self.board.name}{mark}, {self.about}"), path)


def habits(
    *,
    board: str | Path | Board,
    habits: str | Sequence[str] = (),
    players: Players = HABITS_PLAYERS,
    seats: int | str | Sequence[int] | None = None,
    against: Players | None = None,
    games: float = HABITS_GAMES,
    seed: int | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> Habits:
    """Measure what a habit costs or brings: strategies with one of their switches set, and without, on the same deals.

    habits: switches, such as `never_draws_tickets` or `opening_tickets=3`, by default all that can matter on the board;
    seats: the numbers of players at a table, 2 to 5 as far as the board allows if not given; against: the opponents, of
    which every combination plays, by default copies of the strategy; games: with each habit at each table.

    >>> habits(board="usa", habits="claims_at_once", players="planner", seats=2, games=200, seed=1).frame
    """
    loaded = load_board(board) if not isinstance(board, Board) else board
    asked = [parse_habit(one) for one in ([habits] if isinstance(habits, str) else habits)]
    numbers = usual_seats(seats, loaded)
    drawn = drawn_seed() if seed is None else seed
    matches = _contests(loaded, numbers, players, against, drawn)
    chosen = _chosen(loaded, [match.strategy for _, match in matches], asked)
    games = number_of(games)
    listener = Listener(progress, message)
    compile_first([strategy for _, match in matches for strategy in strategies_of(match)], listener)
    if seed is None:
        listener.message(drawn_words(drawn))
    played = _play(matches, chosen, games, threads or cores(), listener)
    named = loaded.id if isinstance(board, Board) else str(board)
    return Habits(habits_frame(played), tuple(played), named, _against_words(against))


def parse_habit(text: str) -> Habit:
    """Return the switch and its value.

    >>> parse_habit("opening_tickets=3"), parse_habit("draws_blind")
    (('opening_tickets', 3.0), ('draws_blind', 1.0))
    """
    name, equals, value = (part.strip() for part in text.partition("="))
    if name not in SWITCHES:
        hint = did_you_mean(name, SWITCHES, f"habits are {', '.join(SWITCHES)}")
        raise UsageError([f"`habits` {text}: there is no habit of that name{hint}"])
    most = SWITCHES[name][1]
    if most > 1 and not equals:
        raise UsageError([f"`habits` {text}: say how many, as in {name}=3"])
    if equals and not (value.isdecimal() and 1 <= int(value) <= most):
        raise UsageError([f"`habits` {text}: must be {f'from 1 to {most}' if most > 1 else '1'}"])
    return name, float(value or 1)


def _contests(
    board: Board, seats: Sequence[int], players: Players, against: Players | None, seed: int
) -> list[tuple[str, Match]]:
    """Return the match of each strategy, as it is typed, at each table."""
    given = split_line_up(players) if isinstance(players, str) else list(players)
    if not given:
        raise UsageError(["`players`: names nobody"])
    found: list[tuple[str, Match]] = []
    for strategy in dict.fromkeys(given):
        for number in seats:
            board.check_players(number)
            table = (board.id, board, number)
            loaded = one_strategy(strategy, [table])
            others = opponents_of(against, loaded, [table])
            (match,) = make_matches([(board, number)], loaded, others, (seed + len(found)) % 2**64)
            found.append((strategy if isinstance(strategy, str) else strategy.spec, match))
    return found


def _chosen(board: Board, strategies: Sequence[Strategy], asked: Sequence[Habit]) -> list[Habit]:
    """Return the habits to play: those asked for, or all that can matter on the board and that a strategy has."""
    had = {param.name for strategy in strategies for param in strategy.params if param.switch}
    if missing := [name for name, _ in asked if name not in had]:
        names = ", ".join(dict.fromkeys(strategy.name for strategy in strategies))
        raise UsageError([f"`habits` {missing[0]}: is not among the SWITCHES of {names}"])
    usual = [(name, 1.0) for name in SWITCHES if name != "opening_tickets"]
    usual[1:1] = [("opening_tickets", float(FEWEST)), ("opening_tickets", float(ALL))]
    found = list(dict.fromkeys(asked)) or [
        habit for habit in usual if habit[0] in had and (board.rules.stations or habit[0] != "never_builds_stations")
    ]
    if not found:
        raise UsageError(["`players`: none of them has SWITCHES, so there is no habit to change"])
    return found


def _play(
    matches: Sequence[tuple[str, Match]], habits: Sequence[Habit], games: int, threads: int, listener: Listener
) -> list[HabitResults]:
    """Play each strategy with each of the habits that it has, and without any, at each table."""
    batches = min(BATCHES, *(match.laps(games) for _, match in matches))
    own = [_own_habits(match.strategy, habits) for _, match in matches]
    laps = [match.laps(games, batches) * match.lap_games for _, match in matches]
    of = sum((1 + len(of_table)) * number for of_table, number in zip(own, laps, strict=True))
    count, tables = GameCounter(listener, of).played, []
    for (name, match), of_table in zip(matches, own, strict=True):
        if not of_table:
            continue
        strategy = match.strategy
        match.games.compile()
        arms = [Space(strategy, (switch,)).with_values([value]) for switch, value in of_table]
        found = measure([match], [*arms, strategy.values], strategy.values, [0], games, batches, local_engine(threads), count)  # fmt: skip  # noqa: E501
        tables.append(HabitResults(name, match, tuple(map(habit_name, of_table)), (*arms, strategy.values), found))
    return tables


def _own_habits(strategy: Strategy, habits: Sequence[Habit]) -> list[Habit]:
    names = [param.name for param in strategy.params if param.switch]
    return [habit for habit in habits if habit[0] in names]


def habit_name(habit: Habit) -> str:
    """Return a habit as it is typed."""
    name, value = habit
    return f"{name}={value:.0f}" if SWITCHES[name][1] > 1 else name


def _against_words(against: Players | None) -> str:
    if against is None:
        return ""
    listed = split_line_up(against) if isinstance(against, str) else against
    return ", ".join(one if isinstance(one, str) else one.spec for one in listed)

"""Turn what callers give into what plays: tables, opponents, parameters, and a number of games."""

from collections.abc import Sequence
from pathlib import Path

from ttrsim.boards import Board, load_board
from ttrsim.boards.reading import board_names
from ttrsim.errors import UsageError
from ttrsim.runs.arguments import Players, whole
from ttrsim.strategies import Strategy, load_line_up
from ttrsim.strategies.loading import numbered, split_line_up
from ttrsim.tuning.match import SELF, Match

MOST_GAMES = 10**11
NEAR_COUNTS = 2
"""The number of other table sizes that are neighbours of a table, besides another board."""

TableLike = str | tuple[str | Board, int]
"""A table: `usa/2`, or a board and a number of players."""
NamedTable = tuple[str, Board, int]
"""A table: its board as the user named it, the board, and the number of players."""


def one_strategy(strategy: str | Strategy, tables: Sequence[NamedTable] = ()) -> Strategy:
    """Return the strategy to be tuned. tables: those to tune at, of which a single one decides `planner@best`."""
    (loaded,) = load_line_up([strategy], *_only(tables))
    return loaded


def _only(tables: Sequence[NamedTable]) -> tuple[Board | None, int | None]:
    """Return the board and the number of players of a single table; None for several."""
    return tables[0][1:] if len(tables) == 1 else (None, None)


def split_names(names: str | Sequence[str] | None) -> list[str] | None:
    """Return parameters given as `thrift,tempo` or as a sequence."""
    if names is None:
        return None
    return [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)


def opponents_of(against: Players | None, strategy: Strategy, tables: Sequence[NamedTable]) -> list[Strategy | None]:
    """Return the different opponents; None for the strategy itself as the best variant so far."""
    if against is None:
        return [strategy]
    listed = split_line_up(against) if isinstance(against, str) else list(against)
    others, _ = numbered(load_line_up((one for one in listed if one != SELF), *_only(tables)))
    if not listed:
        raise UsageError(["`against`: names nobody"])
    return [*others, *([None] if SELF in listed else [])]


def against_words(against: Sequence[Strategy | None]) -> str:
    """List the opponents."""
    return ", ".join("itself" if other is None else other.spec for other in against)


def tables_of(board: str | Path | Board | None, seats: int | None, tables: Sequence[TableLike]) -> list[NamedTable]:
    """Return the tables, each as its board's name, the board and the number of players."""
    if tables and (board is not None or seats is not None):
        raise UsageError([f"`{'board' if board is not None else 'seats'}`: `tables` name boards and players already"])
    if not tables and (board is None or seats is None):
        raise UsageError([f"Missing option '{'--map' if board is None else '--seats'}'."])
    if board is not None and seats is not None:
        return [_table(str(board) if isinstance(board, Path) else board, seats)]
    return [_table(*(parse_table(table) if isinstance(table, str) else table)) for table in tables]


def parse_table(text: str) -> tuple[str, int]:
    """Return the board and the number of players of `usa/2`."""
    name, _, number = text.rpartition("/")
    if not name or not number.isdecimal() or len(number) > 2:
        raise UsageError([f"`tables` {text}: write a table as board and number of players, such as usa/2"])
    return name, int(number)


def _table(board: str | Board, seats: int) -> NamedTable:
    loaded = load_board(board) if isinstance(board, str) else board
    loaded.check_players(seats)
    return loaded.id if isinstance(board, Board) else board, loaded, seats


def neighbours_of(tables: Sequence[NamedTable]) -> list[NamedTable]:
    """Return tables near the first of these: other numbers of players, and another board that comes with ttrsim."""
    name, board, seats = tables[0]
    here = {number for other, _, number in tables if other == name}
    fewest, most = board.rules.players
    counts = sorted((n for n in range(fewest, most + 1) if n not in here), key=lambda n: (abs(n - seats), n))
    found = [(name, board, number) for number in sorted(counts[:NEAR_COUNTS])]
    boards = {other.partition(":")[0] for other, *_ in tables}
    for other in (load_board(other) for other in board_names() if ":" not in other and other not in boards):
        if other.rules.players[0] <= seats <= other.rules.players[1]:
            return [*found, (other.id, other, seats)]
    return found


def strategies_of(match: Match) -> list[Strategy]:
    """Return all strategies that play."""
    return [match.strategy, *(other for other in match.against if other)]


def number_of(games: float) -> int:
    """Return a number of games, checked."""
    number = whole("games", games)
    if not 1 <= number <= MOST_GAMES:
        raise UsageError([f"`games` {number}: must be from 1 to {MOST_GAMES:,}"])
    return number

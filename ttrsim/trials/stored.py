"""What `ttrsim tickets` and `ttrsim routes` write with --json, read again."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim.boards import Board, load_board
from ttrsim.boards.reading import locate_board
from ttrsim.errors import UsageError
from ttrsim.runs.plan import show_home
from ttrsim.trials import FRAMES

if TYPE_CHECKING:
    import pandas as pd

COMMANDS = {
    "swaps": "ttrsim tickets",
    "forced": "ttrsim tickets --force",
    "fair": "ttrsim tickets --fair",
    "gifts": "ttrsim routes --gift",
    "closed": "ttrsim routes --close",
}
"""What makes each table of trials."""

KINDS = {"key": "a word", "number": "a number"} | dict.fromkeys(
    ("count", "estimate", "description"), "a number or null"
)
"""What the values of each kind of column are."""
LARGEST = 1e15
"""No number of a trial is so large."""


@dataclass(frozen=True)
class StoredTrials:
    """Trials as they were written, with the board as it is now."""

    path: Path
    map: str  # the board as the user named it; a home folder is written ~
    board: Board
    seed: int
    games: int  # with each change, and as many without
    players: list[str]  # the focal seat's strategy first
    frames: "dict[str, pd.DataFrame]"  # by their names in `COMMANDS`
    made: dict[str, Any]  # versions, hashes, and rounds of correcting values; files of earlier versions have none

    @property
    def focal(self) -> str:
        """The strategy in the seat that something is changed for."""
        return self.players[0]

    @property
    def others(self) -> list[str]:
        """Those it plays against."""
        return self.players[1:]


def read_stored(path: Path, right: str) -> StoredTrials:
    """Trials from a file. right: what the file should be, for who gives another one."""
    if not path.exists():
        raise UsageError([f"{path}: there is no such file or folder"])
    try:
        told = json.loads(path.read_text("utf-8"))
        tables = {name: told["tables"][name]["rows"] for name in told["tables"] if name in COMMANDS}
        named = str(told.get("map", told["board"]))
        made = {key: told[key] for key in ("ttrsim", "rules_version", "board_sha256", "rounds") if key in told}
        made["strategies"] = {str(name): str(digest) for name, digest in told.get("strategies", {}).items()}
        seed, games, players = int(told["seed"]), int(told["games"]), [str(name) for name in told["players"]]
        sound = isinstance(told["players"], list) and 0 <= seed < 2**64 and games > 0
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        sound = False
    if not sound or not tables or not players:
        raise UsageError([f"{path}: holds no trials; {right}"])
    board = _board(path, show_home(named))
    for name, rows in tables.items():
        if problem := _problem(name, rows):
            raise UsageError([f"{path}: its table {name} {problem}; write it again with {COMMANDS[name]}"])
    frames = {name: _frame(rows) for name, rows in tables.items()}
    return StoredTrials(path, named, board, seed, games, players, frames, made)


def _board(path: Path, named: str) -> Board:
    """The board of the trials, from where it was, or from beside the file."""
    for name in (named, path.parent / named):
        if locate_board(name)[0].exists():
            return load_board(name)
    raise UsageError([f"{path}: is of the board {named}, which is neither here nor beside it; copy it there"])


def _problem(name: str, rows: Any) -> str | None:
    """What is wrong with the rows of a table, if anything."""
    if not isinstance(rows, list) or not rows:
        return "has no rows"
    for number, row in enumerate(rows, 1):
        for key, kind in _keys(name).items():
            if not isinstance(row, dict) or key not in row:
                return f"has no {key}"
            if not _fits(row[key], kind):
                return f"has {key} = {json.dumps(row[key])[:60]} in row {number}, which should be {KINDS[kind]}"
    return None


def _keys(name: str) -> dict[str, str]:
    """What each row of a table has, ends of intervals too, and of which kind."""
    found: dict[str, str] = {}
    for column in FRAMES[name][0].columns:
        found[column.name] = "number" if column.name == "players" else column.kind
        if column.has_interval:
            found |= dict.fromkeys((f"{column.name}_low", f"{column.name}_high"), column.kind)
    return found


def _fits(value: object, kind: str) -> bool:
    """Whether a value may be of the kind; what could not be told is null."""
    if kind == "key":
        return isinstance(value, str) and value != ""
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
    return number or (value is None and kind != "number")


def _frame(rows: list[dict[str, Any]]) -> "pd.DataFrame":
    """The rows, with NaN for what has no value."""
    import pandas as pd

    return pd.DataFrame([{k: float("nan") if v is None else v for k, v in row.items()} for row in rows])

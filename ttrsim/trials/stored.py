"""Read the files that `ttrsim tickets` and `ttrsim routes` wrote with --json."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim.boards import Board, load_board
from ttrsim.boards.file import MAX_SEATS
from ttrsim.boards.reading import locate_board
from ttrsim.choices import TRIAL_COMMANDS
from ttrsim.errors import UsageError
from ttrsim.files import Unreadable, decoded, read_file
from ttrsim.runs.recipe import show_home
from ttrsim.trials import FRAMES

if TYPE_CHECKING:
    import pandas as pd

KINDS = {"key": "a word", "number": "a number"} | dict.fromkeys(
    ("count", "estimate", "description"), "a number or null"
)
"""The values of each kind of column, in words."""
MOST_BYTES = 8 * 1024 * 1024
"""The most bytes of a file; one of all tickets and all routes of a board has some hundred thousand."""
MOST_ROWS, MOST_LETTERS = 300, 1000
"""The most rows of a table, one for each ticket, or for each route and city, of each strategy; letters of a name."""
MOST_CHANGED = 100 * MOST_ROWS
"""The most rows of a table of changed routes, which has rows for all of these for each change."""
ABOUT = {
    "swaps": ("ticket",),
    "forced": ("ticket",),
    "fair": ("ticket",),
    "closed": ("strategy", "closed"),
    "gifts": ("route",),
    "changed": ("setting", "table", "of", "what"),
}
"""The columns that tell the rows of a table apart."""
SEARCH_OPTIONS = ("rounds", "objective", "least", "most", "step", "free_level", "also")
"""Options of `ttrsim tickets --fair` that are stored where they were given."""
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
    frames: "dict[str, pd.DataFrame]"  # by their names in `TRIAL_COMMANDS`
    made: dict[str, Any]  # versions, hashes, and rounds of correcting values; files of earlier versions have none

    @property
    def focal(self) -> str:
        """The strategy in the seat that something is changed for."""
        return self.players[0]

    @property
    def others(self) -> list[str]:
        """Return the strategies it plays against."""
        return self.players[1:]


def read_stored(path: Path, right: str) -> StoredTrials:
    """Read trials from a file. right: what the file should be, for the error message."""
    if not path.exists():
        raise UsageError([f"{path}: there is no such file or folder"])
    try:
        content = json.loads(decoded(read_file(path, MOST_BYTES)))
        tables = {name: content["tables"][name]["rows"] for name in content["tables"] if name in TRIAL_COMMANDS}
        named = str(content.get("map", content["board"]))
        made = {
            key: content[key] for key in ("ttrsim", "rules_version", "board_sha256", *SEARCH_OPTIONS) if key in content
        }
        made["strategies"] = {str(name): str(digest) for name, digest in content.get("strategies", {}).items()}
        seed, games, players = int(content["seed"]), int(content["games"]), [str(name) for name in content["players"]]
        sound = isinstance(content["players"], list) and 0 <= seed < 2**64 and games > 0
        sound = sound and max(map(len, players), default=0) <= MOST_LETTERS
    except Unreadable as e:
        raise UsageError([f"{path}: {e}; {right}"]) from None
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        sound = False
    if not sound or not tables or not players:
        raise UsageError([f"{path}: holds no trials; {right}"])
    board = _board(path, show_home(named))
    for name, rows in tables.items():
        if problem := _problem(name, rows):
            raise UsageError([f"{path}: its table {name} {problem}; write it again with {TRIAL_COMMANDS[name]}"])
    frames = {name: _frame(rows) for name, rows in tables.items()}
    return StoredTrials(path, named, board, seed, games, players, frames, made)


def _board(path: Path, named: str) -> Board:
    """Return the board of the trials, from its own path or from beside the file."""
    for name in (named, path.parent / named):
        if locate_board(name)[0].exists():
            return load_board(name)
    raise UsageError(
        [f"{path}: is about the board {named}, which is neither at that path nor next to this file; copy it here"]
    )


def _problem(name: str, rows: Any) -> str | None:
    """Describe the problem of the rows of a table; return None if there is none."""
    if not isinstance(rows, list) or not rows:
        return "has no rows"
    most = MOST_CHANGED if name == "changed" else MOST_ROWS * (MAX_SEATS if "strategy" in ABOUT[name] else 1)
    if len(rows) > most:
        return f"has {len(rows):,} rows; there are at most {most:,}"
    seen = set()
    for number, row in enumerate(rows, 1):
        for key, kind in _keys(name).items():
            if not isinstance(row, dict) or key not in row:
                return f"has no {key}"
            if not _fits(row[key], kind):
                return f"has {key} = {json.dumps(row[key])[:60]} in row {number}, which should be {KINDS[kind]}"
        about = tuple(row[key] for key in ABOUT[name])
        if about in seen:
            return f"has {' with '.join(about)} twice"
        seen.add(about)
    return None


def _keys(name: str) -> dict[str, str]:
    """Return the keys that each row of a table has, with ends of intervals, and the kind of each."""
    found: dict[str, str] = {}
    for column in FRAMES[name][0].columns:
        found[column.name] = "number" if column.name == "players" else column.kind
        if column.has_interval:
            found |= dict.fromkeys((f"{column.name}_low", f"{column.name}_high"), column.kind)
    return found


def _fits(value: object, kind: str) -> bool:
    """Return whether a value may be of the kind; a value that is not known is null."""
    if kind == "key":
        return isinstance(value, str) and 0 < len(value) <= MOST_LETTERS
    number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
    return number or (value is None and kind != "number")


def _frame(rows: list[dict[str, Any]]) -> "pd.DataFrame":
    """Return the rows, with NaN for what has no value."""
    import pandas as pd

    return pd.DataFrame([{k: float("nan") if v is None else v for k, v in row.items()} for row in rows])

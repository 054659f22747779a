"""What `ttrsim tickets` and `ttrsim routes` write with --json, read again."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim.boards import Board, load_board
from ttrsim.errors import UsageError

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


@dataclass(frozen=True)
class Stored:
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


def read_stored(path: Path, right: str) -> Stored:
    """Trials from a file. right: what the file should be, for who gives another one."""
    if not path.exists():
        raise UsageError([f"{path}: there is no such file or folder"])
    try:
        told = json.loads(path.read_text("utf-8"))
        frames = {name: _frame(told["tables"][name]["rows"]) for name in told["tables"] if name in COMMANDS}
        named = str(told.get("map", told["board"]))
        made = {key: told[key] for key in ("ttrsim", "rules_version", "board_sha256", "rounds") if key in told}
        made["strategies"] = {str(name): str(digest) for name, digest in told.get("strategies", {}).items()}
        seed, games, players = int(told["seed"]), int(told["games"]), [str(name) for name in told["players"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        frames = {}
    if not frames or not players:
        raise UsageError([f"{path}: is not that; {right}"])
    board = load_board(str(Path(named).expanduser()))
    return Stored(path, named, board, seed, games, players, frames, made)


def _frame(rows: list[dict[str, Any]]) -> "pd.DataFrame":
    """The rows, with NaN for what has no value."""
    import pandas as pd

    return pd.DataFrame([{k: float("nan") if v is None else v for k, v in row.items()} for row in rows])

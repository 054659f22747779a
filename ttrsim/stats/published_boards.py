"""Read the sizes of the published boards, as this program measured them, and say what is like them.

`published_sizes.json` beside this module holds them, written by `scripts/make_reports.py`: of the base boards whose
routes and tickets are the published ones.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.batches import Interval
from ttrsim.files import write_file
from ttrsim.stats.effects import EFFECTS, PLACES, Dead, Mean, Size, sizes_of, together
from ttrsim.stats.frames import interval_of
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

FILE = Path(__file__).with_name("published_sizes.json")
NAMES = {"usa": "USA", "europe": "Europe", "old_west": "Old West"}
"""The boards that others are compared with."""
ALLOWED = 1.25
"""A size up to a quarter larger than the largest of the published boards is still like theirs."""
LEVEL = 0.99
"""The level of the stored intervals: the highest that any verdict needs, which is that of looks."""

Key = tuple[str, int]
"""A question and a number of players."""
Limit = tuple[float, float]
"""A bound, and half the interval of it."""


@dataclass(frozen=True)
class PublishedBoards:
    """The sizes of the published boards, with the strategies and games behind them."""

    strategies: Sequence[str]
    games: int  # at each table
    rules_version: int
    sizes: Mapping[str, Mapping[Key, Size]]  # by board
    worst: Mapping[str, Mapping[Key, Interval]]  # the effect farthest from 0, without its sign

    def sizes_over(self, question: str, players: Sequence[int]) -> dict[str, Interval]:
        """Return the size of each board over tables of these numbers of players, if it was played with all of them."""
        return {
            board: together([sizes[question, number] for number in players]).size
            for board, sizes in self.sizes.items()
            if all((question, number) in sizes for number in players)
        }

    def size_limit(self, question: str, players: Sequence[int]) -> Limit | None:
        """Return the largest size that is like that of the published boards; None if none has these tables."""
        return _limit(self.sizes_over(question, players).values())

    def worst_limit(self, question: str, players: int) -> Limit | None:
        """Return the largest effect of a single seat or ticket, or lead of a strategy, that is like theirs."""
        return _limit(worst[question, players] for worst in self.worst.values() if (question, players) in worst)

    def other_bots(self, run: "Run") -> bool:
        """Return whether other strategies play in the run, so that their strengths are not comparable."""
        return {*run.strategies} != {*self.strategies}

    def itself(self, run: "Run") -> str:
        """Return a sentence if the board of a run is one of these, so that it is compared with itself, too; or ""."""
        if run.board.id not in self.sizes:
            return ""
        return f"{run.board.name} is itself one of the published boards that set the bounds."

    def unlike(self, run: "Run") -> str:
        """Return a sentence on how a run differs other than by its board; "" if it does not."""
        bots = f"with other bots ({listed(self.strategies)})" if self.other_bots(run) else ""
        other = self.rules_version != run.recipe.rules_version
        rules = f"with rules version {self.rules_version}" if other else ""
        how = " and ".join(filter(None, [bots, rules]))
        return f"The published boards were measured {how}, so part of any difference may come from that." if how else ""


def _limit(sizes: Iterable[Interval]) -> Limit | None:
    found = [*sizes]
    if not found:
        return None
    value, low, high = max(found, key=lambda size: float(size.value))
    return ALLOWED * float(value), ALLOWED * float(max(high - value, value - low))


@cache
def published_boards() -> PublishedBoards:
    """Return the sizes stored in this package."""
    return read_published_boards(FILE)


def read_published_boards(path: Path) -> PublishedBoards:
    """Return the sizes stored in a file."""
    stored = json.loads(path.read_text("utf-8"))
    boards = stored.pop("boards")
    sizes = {board: {_key(row): _size(row) for row in rows} for board, rows in boards.items()}
    worst = {
        board: {_key(row): Interval(*np.array(row["worst"])) for row in rows if "worst" in row}
        for board, rows in boards.items()
    }
    return PublishedBoards(**stored, sizes=sizes, worst=worst)


def _key(row: Mapping[str, Any]) -> Key:
    return row["question"], row["players"]


def _size(row: Mapping[str, Any]) -> Size:
    if row["question"] in PLACES:
        return Dead(*(frozenset(row[name]) for name in ("surely", "likely", "perhaps")))
    size = Interval(*np.array(row["size"]))
    return Mean.from_size(size, root=row["question"] in EFFECTS)


def write_published_boards(boards: "Mapping[str, tuple[Sequence[Run], pd.DataFrame]]", path: Path = FILE) -> None:
    """Store the sizes of boards, all played alike: the runs of each, and the verdicts on them by intervals of LEVEL."""
    some = next(iter(boards.values()))[0][0]
    stored = {
        "strategies": some.strategies,
        "games": some.games_played,
        "rules_version": some.recipe.rules_version,
        "boards": {board: _stored(runs, frame) for board, (runs, frame) in boards.items()},
    }
    write_file(path, json.dumps(stored, indent=1, ensure_ascii=False) + "\n")


def _stored(runs: "Sequence[Run]", frame: "pd.DataFrame") -> list[dict[str, Any]]:
    rows = []
    for run in runs:
        if run.recipe.design == "mixed":
            for question, size in sizes_of(run, LEVEL).items():
                row: dict[str, Any] = {"question": question, "players": run.recipe.seats}
                if isinstance(size, Dead):
                    sets = (("surely", size.surely), ("likely", size.likely), ("perhaps", size.perhaps))
                    row |= {name: sorted(some) for name, some in sets}
                else:
                    row["size"] = _rounded(size.size)
                if question in EFFECTS:
                    row["worst"] = _rounded(_farthest(frame, question, run.recipe.seats))
                rows.append(row)
    return rows


def _rounded(interval: Interval) -> list[float]:
    return [round(float(end), 6) for end in interval]


def _farthest(frame: "pd.DataFrame", question: str, players: int) -> Interval:
    """Return the effect that is farthest from 0 at tables of this size, without its sign.

    Its interval holds for all of a table at once, so also for the farthest.
    """
    rows = frame[(frame["question"] == question) & (frame["players"] == players)]
    ends = interval_of(rows[rows["value_low"].notna()], "value")
    place = int(np.argmax(np.abs(ends.value)))
    value, low, high = (end[place] for end in ends)
    return Interval(value, low, high) if value >= 0 else Interval(-value, -high, -low)

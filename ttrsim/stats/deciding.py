"""Play on where an examination is undecided: at most five looks, at doubled numbers of games.

Looking several times and stopping at the first verdict errs more often than looking once. So the error is divided among
the looks (Bonferroni): the intervals of each have the level 1 − 0.05/5. Those of all looks then hold together in at
least 95 of 100 examinations, whatever made them stop.
"""

import hashlib
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, ValidationError

from ttrsim.batches import level_of_each
from ttrsim.errors import UsageError, UserError
from ttrsim.files import LOOKS_FILE
from ttrsim.runs.read import Run
from ttrsim.runs.recipe import MOST_GAMES, Sha256, Stored
from ttrsim.runs.store import Folder
from ttrsim.runs.stored_files import read_json, sync_folder, write_synced
from ttrsim.stats.verdicts import enough_for_half, rounded

if TYPE_CHECKING:
    import pandas as pd

LOOKS = 5
LOOK_LEVEL = level_of_each(LOOKS)
FILE = LOOKS_FILE
UNFINISHED = re.compile(r"looks\.json\.[0-9a-f]{8}")
"""The name that a new `looks.json` has until it is complete."""
OWN_NAMES = re.compile(rf"{re.escape(FILE)}|{UNFINISHED.pattern}")
TABLE = re.compile(r"\d-(mirror|mixed)")
"""The names of the runs of an examination."""
LEAST_GROWTH = 8
"""Another look must have at least an eighth more games, or it is not worth it."""

Reason = Literal["decided", "budget", "looks"]
Counts = dict[str, int]


class Look(Stored):
    """The games that one look is at."""

    laps: dict[str, Annotated[int, Field(ge=1, le=MOST_GAMES)]]  # by table, as 2-mirror
    wanted: dict[str, Counts]  # verdicts undecided at the look before, by table and question


class LooksFile(Stored):
    """`looks.json`: every look that was begun, and a hash of them."""

    looks: Annotated[tuple[Look, ...], Field(min_length=1, max_length=LOOKS)]
    sha256: Sha256


@dataclass(frozen=True)
class Decided:
    """The result of all looks."""

    frame: "pd.DataFrame"  # everything to be decided, at the last look
    looks: list[Look]
    reason: Reason  # why there were no more


def decide(
    looks: Sequence[Look],
    lap_games: Mapping[str, int],
    budget: int,
    look: Callable[[Look], "pd.DataFrame"],
    keep: Callable[[Sequence[Look]], None] = lambda looks: None,
) -> Decided:
    """Make looks until nothing is undecided, the budget of games is spent, or five were made.

    looks: those that were begun, at least the first; lap_games: games of a lap by table; look: plays each table up to
    its laps and returns the verdicts, by intervals of LOOK_LEVEL; keep: stores all looks before the last is played.
    """
    made = [*looks]
    while True:
        keep(made)
        frame = look(made[-1])
        wanted = undecided(frame)
        laps = doubled(made[-1].laps, list(wanted), lap_games, budget)
        reason: Reason = "decided" if not wanted else "looks" if len(made) == LOOKS else "budget"
        if reason != "budget" or laps == made[-1].laps:
            return Decided(frame, made, reason)
        made.append(Look(laps=laps, wanted=wanted))


def doubled(laps: Mapping[str, int], tables: Sequence[str], lap_games: Mapping[str, int], budget: int) -> Counts:
    """Return the laps of each table at the next look: twice as many at `tables`, or as many as the budget allows.

    >>> doubled({"2-mirror": 100, "2-mixed": 100}, ["2-mixed"], {"2-mirror": 2, "2-mixed": 2}, 550)
    {'2-mirror': 100, '2-mixed': 175}
    """
    left = max(0, budget - games_of(laps, lap_games))
    more = {table: min(laps[table], left // len(tables) // lap_games[table]) for table in tables}
    worth = {table: number for table, number in more.items() if number * LEAST_GROWTH >= laps[table]}
    return {table: number + worth.get(table, 0) for table, number in laps.items()}


def games_of(laps: Mapping[str, int], lap_games: Mapping[str, int]) -> int:
    """Return the games of all tables."""
    return sum(number * lap_games[table] for table, number in laps.items())


def undecided(frame: "pd.DataFrame") -> dict[str, Counts]:
    """Return how many verdicts are undecided, by table and question.

    A city or a route counts at the table where it is used most.
    """
    found: dict[str, Counts] = {}
    for row in frame[frame["verdict"] == "undecided"].to_dict("records"):
        counts = found.setdefault(f"{row['players']}-{row['table']}", {})
        counts[row["question"]] = counts.get(row["question"], 0) + 1
    return dict(sorted(found.items()))


def more_games(frame: "pd.DataFrame") -> float:
    """Return about how many games more, at all tables together, would decide half of what is undecided at each.

    NaN if that is not known at any table.
    """
    needed = frame.groupby(["players", "table"])["more_games"].agg(lambda more: enough_for_half(more.to_numpy(float)))
    return float(rounded(needed.sum(min_count=1)))


def table_names(folder: Path) -> list[str]:
    """Return the names of the runs that an examination has in a folder, by their number of players."""
    return sorted(path.name for path in folder.glob("*") if TABLE.fullmatch(path.name) and Folder(path).begun)


def read_tables(folder: Path) -> list[Run]:
    """Return the runs of an examination."""
    if not (names := table_names(folder)):
        raise UsageError([f"{folder}: has no tables such as 2-mirror and 2-mixed, which ttrsim balance -o makes"])
    return [Run.open(folder / name) for name in names]


def read_looks(folder: Path) -> list[Look]:
    """Return the looks that were begun in a folder; none if no examination went on there until all is decided."""
    path = folder / FILE
    try:
        stored = LooksFile.model_validate_json(read_json(path))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except (OSError, ValidationError):
        raise UserError([f"{path}: is damaged, or was not written by ttrsim; move it elsewhere"]) from None
    if stored.sha256 != _hash(stored.looks):
        raise UserError([f"{path}: was altered; move the folder elsewhere, and play it again"])
    return [*stored.looks]


def write_looks(folder: Path, looks: Sequence[Look]) -> None:
    """Store the looks atomically in place of those that were read, and remove what a killed process left."""
    for left in folder.glob(f"{FILE}.*"):
        if UNFINISHED.fullmatch(left.name) and left.is_file():
            left.unlink(missing_ok=True)
    if looks == read_looks(folder):
        return
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f"{FILE}.{uuid.uuid4().hex[:8]}"
    stored = LooksFile(looks=tuple(looks), sha256=_hash(looks))
    write_synced(unfinished, stored.model_dump_json(indent=1).encode())
    try:
        unfinished.replace(folder / FILE)
    except FileNotFoundError:
        raise UserError([f"{folder}: another process is working on these tables; wait for it or stop it"]) from None
    sync_folder(folder)


def _hash(looks: Sequence[Look]) -> str:
    return hashlib.sha256("\n".join(look.model_dump_json() for look in looks).encode()).hexdigest()

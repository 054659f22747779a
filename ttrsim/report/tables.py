"""Frames as tables of words: numbers as they are printed, what stands over the columns, and what explains them."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ttrsim.formatting import TOO_CLOSE, decimal, seat_name

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.stats.frames import Column, Definition

HALF = "± is half of the 95 % interval, or its ends where it is lopsided."
SUFFIXES = {"share": ", %", "share difference": ", pp"}
NAMES = ("what", "question")
"""Columns that name what a row measures, printed with its unit."""
PLACES = ("of", "worst_of")
"""Columns that may name a seat."""
SEAT = re.compile(r"seat \d")
SEE_UNIT = "see unit"
"""The unit of columns whose rows each have their own, in the column `unit`."""
NOTED_UNITS = ("points", "tickets", "trains", "turns", "log odds")
"""Units that are explained below a table."""
LOPSIDED = 0.2
"""The distance of an estimate from the middle of its interval, in half widths, beyond which both ends are printed."""
GROUPED = 10_000
"""Numbers from here on have commas between thousands."""
DECIMALS = {"dead": 0, "share": 2, "share difference": 2, "turns": 1, "log odds": 3}


NEW = (
    "the range for 95 of 100 strategies that were not tested, if those tested are a fair sample; it needs at least 3 "
    "strategies. ± is chance alone."
)
SIGN = "Sign: where it says “depends”, one strategy clearly gains and another clearly loses."


@dataclass(frozen=True)
class Grid:
    """A table as it is printed."""

    header: list[str]
    meanings: list[str]  # of each column, a sentence or some
    rows: list[list[str]]
    notes: list[str]  # sentences that say what the columns are

    @property
    def joined(self) -> "Grid":
        """The table with each half interval in the cell of its estimate: `13.40 ± 0.90` or `0.02 (0.01 to 0.09)`."""
        own = [i for i, head in enumerate(self.header) if head != "±"]
        has_half = {i for i in own if self.header[i + 1 : i + 2] == ["±"]}
        rows = [[_joined(row[i], row[i + 1]) if i in has_half else row[i] for i in own] for row in self.rows]
        return Grid([self.header[i] for i in own], [self.meanings[i] for i in own], rows, self.notes)

    def only(self, heads: Sequence[str]) -> "Grid":
        """Return some columns, without the other notes."""
        places = [self.header.index(head) for head in heads]
        rows = [[row[i] for i in places] for row in self.rows]
        return Grid([*heads], [self.meanings[i] for i in places], rows, [HALF])


def _joined(value: str, half: str) -> str:
    if half == "–":
        return value
    return f"{value} ({half})" if " to " in half else f"{value} ± {half}"


def grid(definition: "Definition", frame: "pd.DataFrame") -> Grid:
    """Return the printed columns of a frame, each estimate with half its 95 % interval beside it."""
    shown = [column for column in definition.columns if column.head and column.name in frame]
    told = definition.meanings
    heads = [head for column in shown for head in _heads(column, told[column.name], _intervals(definition))]
    rows = [[text for column in shown for text in _cells(column, row)] for row in _records(frame)]
    notes = _notes(definition, shown) if rows else []
    return Grid([head for head, _ in heads], [meaning for _, meaning in heads], rows, notes)


def _records(frame: "pd.DataFrame") -> list[dict[Any, Any]]:
    """Return the rows as dictionaries. Without `attrs`, which pandas would copy for each of them."""
    plain = frame.copy(deep=False)
    plain.attrs = {}
    return plain.to_dict("records")


def _head(column: "Column") -> str:
    return column.head.removesuffix(" ±")


def _intervals(definition: "Definition") -> str:
    """Describe what the intervals hold for, with column headings in place of names."""
    text = definition.intervals
    for column in (column for column in definition.columns if column.head):
        text = text.replace(f"`{column.name}`", f"“{_head(column)}”")
    return text


def _heads(column: "Column", meaning: str, intervals: str) -> list[tuple[str, str]]:
    """Return the headings and meanings of the one or two printed columns of a column."""
    found = [(_head(column) + SUFFIXES.get(column.unit, ""), meaning)]
    return [*found, ("±", f"{HALF} {intervals}".strip())] if column.head.endswith("±") else found


def _in_words(column: "Column", row: dict[Any, Any]) -> Any:
    """Return a value as it is printed: a seat by when it plays, which data number from 0."""
    value = row[column.name]
    if column.name == "seat" and column.kind == "key":
        return seat_name(value).removesuffix(" player")
    if column.name in PLACES and row.get("table") == "seats":
        return seat_name(int(value))
    return called(value) if column.name in PLACES else value


def called(name: Any) -> Any:
    """Return how readers call what data name, seats by when they play: `called("seat 0") == "1st player"`."""
    return seat_name(int(name.removeprefix("seat "))) if isinstance(name, str) and SEAT.fullmatch(name) else name


def _cells(column: "Column", row: dict[Any, Any]) -> list[str]:
    unit = row["unit"] if column.unit == SEE_UNIT else column.unit
    if column.name == "more_games":
        return [games_more_cell(row["more_games"])]
    named = column.name in NAMES and "unit" in row
    value = what_words(row[column.name], row["unit"]) if named else _in_words(column, row)
    if column.kind == "prediction":
        return [ends_of(row, column.name, unit)]
    cells = [cell(value, unit, measured=column.has_interval)]
    if column.head.endswith("±"):
        low, high = (row[f"{column.name}_{end}"] for end in ("low", "high"))
        ends = f"{cell(low, unit)} to {cell(high, unit)}"
        half = cell((high - low) / 2, unit) if low < high or unit != "dead" else "–"
        cells.append(ends if lopsided(row[column.name], low, high) else half)
    return cells


def ends_of(row: Mapping[Any, Any], column: str, unit: str) -> str:
    """Format the ends of an interval: `−4.1 … 23.0`."""
    low, high = (row[f"{column}_{end}"] for end in ("low", "high"))
    scale = 100 if unit.startswith("share") else 1
    return f"{decimal(scale * low)} … {decimal(scale * high)}" if low == low else "–"


def games_more_cell(more: float) -> str:
    """Format the number of games that an undecided question needs, at least; a bound of 0 says nothing."""
    if more > TOO_CLOSE:
        return "too close to call"
    return "no estimate" if more == 0 else cell(more, "games", measured=False)


def lopsided(value: float, low: float, high: float) -> bool:
    """Return whether an estimate is too far from the middle of its interval for ± to be honest, as for rare events."""
    return abs(value - (low + high) / 2) > LOPSIDED * (high - low) / 2


def cell(value: Any, unit: str, *, measured: bool = True) -> str:
    """Format a value of a unit, shares in %; whole numbers without decimals unless they are measured.

    >>> cell(0.25, "share"), cell(-3.0, "points", measured=False), cell(float("nan"), "points")
    ('25.00', '−3', '–')
    """
    if isinstance(value, str):
        return value
    if value != value:
        return "–"
    scale = 100 if unit.startswith("share") else 1
    whole = scale == 1 and not measured and float(value).is_integer()
    digits = 0 if whole else DECIMALS.get(unit, 2)
    return decimal(scale * value, digits, grouped=round(abs(scale * value), digits) >= GROUPED)


def what_words(what: str, unit: str) -> str:
    """Return a column's name and unit: `win share, %` or `points, routes`."""
    words = re.sub(r"\btrail$", "longest path", what.replace("_", " "))
    if words.startswith("points "):
        return f"points, {words.removeprefix('points ')}"
    return words if unit in words.split() and unit not in SUFFIXES else f"{words}{SUFFIXES.get(unit, f', {unit}')}"


def _notes(definition: "Definition", shown: "list[Column]") -> list[str]:
    notes = []
    if any(column.head.endswith("±") for column in shown):
        notes.append(f"{HALF} {_intervals(definition)}")
    plain = {unit: {unit, unit.removesuffix("s")} for unit in NOTED_UNITS}  # in heads that name their unit
    units = {
        unit: [
            _head(c)
            for c in shown
            if c.unit == unit and not plain[unit] & {_head(c).lower(), *_head(c).lower().split()}
        ]
        for unit in NOTED_UNITS
    }
    if noted := [f"{', '.join(heads)} in {unit}" for unit, heads in units.items() if heads]:
        notes.append(f"{'; '.join(noted)}.")
    if any(c.unit == SEE_UNIT for c in shown):
        notes.append("Changes of values in % are in percentage points.")
    if any(c.unit == "share difference" for c in shown):
        notes.append("pp: percentage points, such as wins per 100 games.")
    if predicted := [_head(c) for c in shown if c.kind == "prediction"]:
        notes.append(f"{', '.join(predicted)}: {NEW}")
    if any(c.name.endswith("_sign") for c in shown):
        notes.append(SIGN)
    if described := [_head(c) for c in shown if c.kind == "description"]:
        notes.append(f"Description only, because strategies chose it: {', '.join(described)}.")
    return notes


def frames_json(frames: "dict[str, pd.DataFrame]") -> dict[str, Any]:
    """Return frames as JSON by name, with the units and meanings of their columns."""
    return {
        name: {
            "columns": {
                column: {"unit": frame.attrs["units"][column], "meaning": frame.attrs["meanings"][column]}
                for column in frame.columns
                if column in frame.attrs["units"]
            },
            "rows": json.loads(frame.to_json(orient="records", double_precision=15)),
        }
        for name, frame in frames.items()
    }

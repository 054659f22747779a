"""What every frame of statistics looks like: its columns, their units, and in a sentence what each of them is.

`docs/statistics.md` is written from these definitions, and `ttrsim stats` prints by them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ttrsim.stats.batches import Interval

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["key", "count", "number", "estimate", "description"]
"""What tells rows apart; a count; another number without error; with an interval, a value that holds by chance of
the deal or by design; with an interval, a mere description, of what strategies chose to do."""


@dataclass(frozen=True)
class Column:
    """A column of a frame. Estimates and descriptions have two more, `_low` and `_high`, the ends of the interval."""

    name: str
    kind: Kind
    unit: str  # "share" is a number from 0 to 1, printed in %; "" where there is none
    meaning: str
    head: str = ""  # over the column where frames are printed; those without are left out there

    @property
    def has_interval(self) -> bool:
        return self.kind in ("estimate", "description")


@dataclass(frozen=True)
class Table:
    """A kind of frame."""

    name: str
    row: str  # what a row is about
    columns: tuple[Column, ...]
    sorted_by: str  # "" keeps the order of board or plan
    intervals: str = "Each interval holds for itself."

    def column(self, name: str) -> Column:
        """The column of that name."""
        return next(column for column in self.columns if column.name == name)


def build(table: Table, data: Mapping[str, Any]) -> "pd.DataFrame":
    """The frame of these values by column, Intervals where the column has one; columns without values are left out.

    Arrays of several axes are laid out in their order, so all must have the same shape.
    """
    import pandas as pd

    assert set(data) <= {column.name for column in table.columns}, set(data)
    columns: dict[str, Any] = {}
    for column in table.columns:
        if column.name not in data:
            continue
        value = data[column.name]
        if column.has_interval:
            assert isinstance(value, Interval), column.name
            columns |= dict(zip(_ends(column), map(np.ravel, value), strict=True))
        else:
            columns[column.name] = np.ravel(value)
    frame = pd.DataFrame(columns)
    if table.sorted_by:
        keys = [c.name for c in table.columns if c.kind == "key" and c.name in ("strategy", "seat") and c.name in frame]
        frame = _sorted(frame, table.sorted_by, keys)
    frame.attrs = {"table": table.name, "row": table.row, "meanings": meanings(table), "units": units(table)}
    return frame


def _sorted(frame: "pd.DataFrame", by: str, within: Sequence[str]) -> "pd.DataFrame":
    """Largest first; where rows are of several strategies or seats, within those, in the order they came in."""
    if by in ("win_share", "strength"):
        within = [name for name in within if name != "strategy"]
    order = frame.assign(
        **{f"_{name}": frame[name].map({v: i for i, v in enumerate(frame[name].unique())}) for name in within}
    )
    places = [f"_{name}" for name in within]
    return frame.loc[
        order.sort_values([*places, by], ascending=[*(True for _ in places), False], kind="stable").index
    ].reset_index(drop=True)


def _ends(column: Column) -> tuple[str, str, str]:
    return column.name, f"{column.name}_low", f"{column.name}_high"


def meanings(table: Table) -> dict[str, str]:
    """What each column is."""
    return {c.name: f"Description only: {c.meaning}" if c.kind == "description" else c.meaning for c in table.columns}


def units(table: Table) -> dict[str, str]:
    """The unit of each column."""
    return {c.name: c.unit for c in table.columns}


def described(table: Table) -> str:
    """The table's definition in Markdown, for `docs/statistics.md`."""
    told = meanings(table)
    rows = [f"| {c.name} | {c.unit or '–'} | {'±' if c.has_interval else ''} | {told[c.name]} |" for c in table.columns]
    order = f" Sorted by {table.sorted_by}, the largest first." if table.sorted_by else ""
    return "\n".join(
        [f"{table.row}{order} {table.intervals}", "", "| column | unit | ± | what it is |", "|---|---|---|---|", *rows]
    )

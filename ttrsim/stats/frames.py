"""Define frames of statistics, by columns with units and meanings, and build them from the sums of a run.

The tables in `docs/statistics.md` and the output of `ttrsim stats` follow these definitions.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ttrsim.batches import Array, Interval

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

Kind = Literal["key", "count", "number", "estimate", "description", "prediction"]
"""key: identifies a row; count; number: any other without an error; estimate: a value with an interval, caused by the
luck of the deal or by design; description: a value with an interval that only describes what strategies chose to do;
prediction: a mean over strategies with the interval in which one not tested lies; only its ends are printed."""


@dataclass(frozen=True)
class Column:
    """A column of a frame. One with an interval adds two more, `_low` and `_high`, the ends of the interval."""

    name: str
    kind: Kind
    unit: str  # shares and their differences are fractions, printed in %; "" if there is none
    meaning: str
    head: str = ""  # its heading in print; "" leaves the column out; "Wins ±" prints half the interval, too

    @property
    def has_interval(self) -> bool:
        return self.kind in ("estimate", "description", "prediction")


@dataclass(frozen=True)
class Definition:
    """The definition of a frame."""

    name: str
    row: str  # what a row is about
    columns: tuple[Column, ...]
    sorted_by: str  # a column; "" keeps the order of board or run
    intervals: str = "Each interval holds on its own."
    smallest_first: bool = False
    at_once: tuple[str, ...] = ()  # columns whose intervals hold for all rows at once

    def column(self, name: str) -> Column:
        """Return the column of that name."""
        return next(column for column in self.columns if column.name == name)

    @property
    def meanings(self) -> dict[str, str]:
        """The meaning of each column."""
        return {c.name: "Description only: " * (c.kind == "description") + c.meaning for c in self.columns}

    @property
    def units(self) -> dict[str, str]:
        """The unit of each column."""
        return {column.name: column.unit for column in self.columns}

    @property
    def attrs(self) -> dict[Hashable | None, Any]:
        """The `attrs` of a frame: its name, what a row is about, and meanings and units by column."""
        return {"table": self.name, "row": self.row, "meanings": Fixed(self.meanings), "units": Fixed(self.units)}


def build(definition: Definition, data: Mapping[str, Any]) -> "pd.DataFrame":
    """Build a frame from values by column, Intervals where the column has one; leave out columns without values.

    Arrays with several axes are flattened in order, so all must have the same shape.
    """
    import pandas as pd

    assert set(data) <= {column.name for column in definition.columns}, set(data)
    columns: dict[str, Any] = {}
    for column in definition.columns:
        if column.name not in data:
            continue
        value = data[column.name]
        if column.has_interval:
            assert isinstance(value, Interval), column.name
            columns |= dict(zip(_ends(column), map(np.ravel, value), strict=True))
        else:
            columns[column.name] = np.ravel(value)
    frame = _sorted(pd.DataFrame(columns), definition)
    frame.attrs = definition.attrs
    return frame


class Fixed(dict[str, str]):
    """A dictionary that cannot be changed, so pandas need not copy it with every selection of rows."""

    def __deepcopy__(self, memo: object) -> "Fixed":
        return self

    def __reduce__(self) -> tuple[type["Fixed"], tuple[dict[str, str]]]:
        return Fixed, (dict(self),)

    def _refuse(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("the meanings and units of a frame's columns cannot be changed; change a copy: dict(...)")

    __setitem__ = __delitem__ = __ior__ = update = setdefault = pop = popitem = clear = _refuse


def joined(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Concatenate the values of several parts by column, as `build` takes them."""
    return {name: _concatenated([part[name] for part in parts]) for name in parts[0]}


def _concatenated(values: Sequence[Any]) -> Any:
    if isinstance(values[0], Interval):
        return Interval(*map(np.concatenate, zip(*values, strict=True)))
    return np.concatenate(values)


def _sorted(frame: "pd.DataFrame", definition: Definition) -> "pd.DataFrame":
    """Sort by the definition's column, within each strategy or seat if there are several."""
    if not definition.sorted_by:
        return frame
    within = [name for name in ("strategy", "seat") if name in frame and frame[name].duplicated().any()]
    places = {f"_{name}": frame.groupby(name, sort=False).ngroup() for name in within}
    ascending = [*(True for _ in places), definition.smallest_first]
    ordered = frame.assign(**places).sort_values([*places, definition.sorted_by], ascending=ascending, kind="stable")
    return ordered.drop(columns=list(places)).reset_index(drop=True)


def interval_of(frame: "pd.DataFrame", name: str) -> Interval:
    """Return the column of that name with the ends of its intervals."""
    return Interval(*(frame[f"{name}{end}"].to_numpy(float) for end in ("", "_low", "_high")))


def _ends(column: Column) -> tuple[str, str, str]:
    return column.name, f"{column.name}_low", f"{column.name}_high"


def described(definition: Definition) -> str:
    """Return a definition in Markdown, for `docs/statistics.md`."""
    means, columns = definition.meanings, definition.columns
    rows = [f"| {c.name} | {c.unit or '–'} | {'±' if c.has_interval else ''} | {means[c.name]} |" for c in columns]
    order = f"Sorted by `{definition.sorted_by}`, {'smallest' if definition.smallest_first else 'largest'} first."
    head = " ".join(filter(None, [definition.row, order if definition.sorted_by else "", definition.intervals]))
    return "\n".join([head, "", "| column | unit | ± | what it is |", "|---|---|:-:|---|", *rows])


def sums(run: "Run", table: str) -> dict[str, Array]:
    """Return the columns of a table of aggregates, each an array with the table's axes, batches or groups first."""
    run.check_begun()
    array = run.array(table)
    return {column: array[column] for column in array.dtype.names or ()}


def block_games(run: "Run") -> int:
    """Return the number of games per block for the line-up with the most rotations."""
    return int(np.bincount(run.schedule.line_up_of).max())


def to_groups(run: "Run", array: Array) -> Array:
    """Add up sums by batch into sums by group of batches."""
    starts = np.flatnonzero(np.diff(run.groups, prepend=-1))
    return np.add.reduceat(array, starts, axis=0)

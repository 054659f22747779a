"""How frames of statistics are written: as tables for people, as CSV, as JSON."""

import json
from typing import TYPE_CHECKING, Any

import click

from ttrsim.cli.output import heading, paragraph, table, write

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.stats.frames import Column, Table

SUFFIXES = {"share": ", %", "share difference": ", pp"}
TOLD = ("points", "tickets", "trains", "turns", "log odds")
"""Units that are told below a table."""
DECIMALS = {"share": 2, "share difference": 2, "turns": 1, "log odds": 3}


def write_csv(frame: "pd.DataFrame") -> None:
    """All columns of the frame."""
    click.echo(frame.to_csv(index=False, lineterminator="\n"), nl=False)


def frames_json(frames: "dict[str, pd.DataFrame]") -> dict[str, Any]:
    """Frames by name, each with what its columns are."""
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


def write_frame(name: str, definition: "Table", frame: "pd.DataFrame", most: int | None = None) -> None:
    """A heading, the rows, or the first `most` of them, and what there is to say of the columns."""
    shown = [column for column in definition.columns if column.head and column.name in frame]
    first = frame if most is None else frame.head(most)
    header = [head for column in shown for head in _heads(column)]
    rows = [[text for column in shown for text in _cells(column, row)] for row in first.to_dict("records")]
    write()
    heading(name.capitalize())
    if not rows:
        write("Nothing to tell of this run.")
        return
    table(header, rows)
    _write_notes(definition, shown)
    if len(first) < len(frame):
        write(f"The first {len(first)} of {len(frame)} {name}; --csv and --json have all.")


def _head(column: "Column") -> str:
    return column.head.removesuffix(" ±")


def _heads(column: "Column") -> list[str]:
    title = _head(column) + SUFFIXES.get(column.unit, "")
    return [title, "±"] if column.head.endswith("±") else [title]


def _cells(column: "Column", row: dict[Any, Any]) -> list[str]:
    values = [row[column.name]]
    if column.head.endswith("±"):
        values.append((row[f"{column.name}_high"] - row[f"{column.name}_low"]) / 2)
    return [cell(value, column.unit, measured=column.has_interval) for value in values]


def cell(value: Any, unit: str, *, measured: bool = True) -> str:
    """A value of that unit as it is printed, shares in %; what was not measured is whole where it can be."""
    if isinstance(value, str):
        return value
    if value != value:
        return "–"
    scale = 100 if unit.startswith("share") else 1
    whole = scale == 1 and not measured and float(value).is_integer()
    text = f"{scale * value:.{0 if whole else DECIMALS.get(unit, 2)}f}"
    return (text.removeprefix("-") if float(text) == 0 else text).replace("-", "−")


def _write_notes(definition: "Table", shown: "list[Column]") -> None:
    if any(column.has_interval for column in shown):
        paragraph(f"± is half of the 95 % interval. {definition.intervals}")
    units = {unit: [_head(c) for c in shown if c.unit == unit] for unit in TOLD}
    if told := [f"{', '.join(heads)} in {unit}" for unit, heads in units.items() if heads]:
        paragraph(f"{'; '.join(told)}.")
    if any(c.unit == "share difference" for c in shown):
        paragraph("pp: points of a hundred.")
    if described := [_head(c) for c in shown if c.kind == "description"]:
        paragraph(f"Description only, for strategies chose it: {', '.join(described)}.")

"""Print text, aligned tables, frames of statistics, JSON, CSV and errors."""

import io
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeGuard

import click

from ttrsim.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.report.tables import Grid
    from ttrsim.stats.frames import Column, Definition

MAX_WIDTH = 100
"""The most columns that text takes, however wide the terminal."""
NUMBER = r"[+−-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?%?"
KEPT = ("points", "win_share", "win_effect", "advantage", "verdict", "result", "value")
"""Columns that a narrow terminal has room for before others."""
ANSWERS_WIDER = "Intervals of the answers above the tables are wider, because they hold for all answers together."
"""The note where answers head the same output as tables."""
NO_NUMBER = re.compile(r"is not a valid (integer|float)( range)?")


def complain(problems: Iterable[str]) -> None:
    """Print each problem as one `Error: ...` line on stderr."""
    for problem in problems:
        _echo(f"{click.style('Error:', fg='red')} {printable(problem)}", err=True)


def _echo(text: str, *, err: bool = False) -> None:
    click.echo(text, err=err, color=False if os.environ.get("NO_COLOR") or dumb() else None)


def dumb() -> bool:
    """Return whether the terminal would print escape sequences, such as those for colours, as text."""
    return os.environ.get("TERM") == "dumb"


def note(message: str) -> None:
    """Print a line for the person at the terminal, on stderr."""
    _echo(printable(message), err=True)


def heading(text: str) -> None:
    """Print a bold line."""
    _echo(click.style(printable(text), bold=True))


def printable(text: str) -> str:
    """Return the text with control characters, which files or arguments may contain, as escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def in_plain_words(problem: str) -> str:
    """Reword click's messages about values that are not numbers."""
    return NO_NUMBER.sub(lambda found: "is not a " + ("whole number" if found[1] == "integer" else "number"), problem)


def width() -> int:
    """Return the number of columns that text may take."""
    return min(_columns(), MAX_WIDTH)


def write(text: str = "") -> None:
    """Print a line of data, on stdout."""
    _echo(printable(text))


def paragraph(text: str) -> None:
    """Print prose on stdout, wrapped to the width."""
    _echo(textwrap.fill(printable(text), width(), subsequent_indent="  ", break_on_hyphens=False))


def write_json(value: object) -> None:
    """Print the value as JSON, with JSON's escapes where stdout is not UTF-8, such as a pipe on Windows."""
    _echo(json.dumps(value, ensure_ascii=_lacks_letters(sys.stdout), indent=2))


def table(header: Sequence[str], rows: Sequence[Sequence[str | int]], *, indent: int = 0) -> None:
    """Print the rows below the header, if there is one. Numbers are right-aligned; the last column is wrapped.

    >>> table(["Board", "Cities"], [["usa", 36]])
    Board  Cities
    usa        36
    """
    cells = [[printable(str(cell)) for cell in row] for row in rows]
    numeric = [all(_is_number(cell) for cell in column) for column in zip(*cells, strict=True)]
    lines = [list(header), *cells] if header else cells
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for i, line in enumerate(lines):
        *first, last = [c.rjust(w) if n else c.ljust(w) for c, w, n in zip(line, widths, numeric, strict=True)]
        left = "".join([" " * indent, *(cell + "  " for cell in first)])
        for text in _wrapped(last, left):
            _echo(click.style(text, bold=True) if header and i == 0 else text)


def fitted(columns: dict[str, list[str]], least: Sequence[str]) -> dict[str, list[str]]:
    """Leave out columns, in the order of `least`, until the table fits the terminal. columns: cells by heading."""
    widths = {head: 2 + max(map(len, [head, *map(str, cells)])) for head, cells in columns.items()}
    left_out = _too_wide(widths, least)
    return {head: cells for head, cells in columns.items() if head not in left_out}


def _too_wide(widths: dict[str, int], order: Iterable[str]) -> list[str]:
    """Choose the columns to leave out, in this order, until the others fit the terminal."""
    left, left_out = dict(widths), []
    for name in order:
        if sum(left.values()) - 2 <= _columns():
            break
        if left.pop(name, None):
            left_out.append(name)
    return left_out


def _columns() -> int:
    return shutil.get_terminal_size((MAX_WIDTH, 24)).columns


def _is_number(cell: str) -> bool:
    return re.fullmatch(rf"{NUMBER}( ± {NUMBER}| \({NUMBER} to {NUMBER}\))?|{NUMBER} … {NUMBER}|–|", cell) is not None


def _wrapped(text: str, left: str) -> list[str]:
    room = max(width() - len(left), 12)
    if len(text.strip()) <= room or not text.strip():
        return [(left + text).rstrip()]
    first, *others = textwrap.wrap(text.strip(), room, break_on_hyphens=False, break_long_words=False)
    return [left + first, *(" " * len(left) + line for line in others)]


def check_form(*, as_json: bool, as_csv: bool) -> None:
    """Refuse --json together with --csv."""
    if as_json and as_csv:
        raise UsageError(["--json and --csv exclude each other"])


def escape_what_cannot_be_encoded() -> None:
    """Let stdout print escapes for characters that it cannot encode, as stderr does.

    A pipe on Windows cannot encode ł, and no stream can encode bytes of a file name that are not UTF-8.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _lacks_letters(stream: object) -> TypeGuard[io.TextIOWrapper]:
    return isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8"


def quiet_stdout() -> None:
    """Discard output that is not written yet, so that the interpreter does not complain at exit."""
    if sys.stdout is not None:  # as it is where stdout was closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_csv(frame: "pd.DataFrame") -> None:
    """Print the frame as CSV, with all its columns."""
    click.echo(frame.to_csv(index=False, lineterminator="\n"), nl=False)


def write_frame(
    name: str, definition: "Definition", frame: "pd.DataFrame", most: int | None = None, *, wide: bool = False
) -> None:
    """Print a heading, the rows (at most `most` of them) and notes on the columns.

    wide: with all columns, even if the terminal has no room for them.
    """
    from ttrsim.report.tables import grid

    first = frame if most is None else frame.head(most)
    shown = grid(definition, first).joined
    columns = [column for column in definition.columns if column.head and column.name in first]
    left_out = [] if wide else _without_room(columns, shown)
    if left_out:
        shown = grid(definition, first.drop(columns=[column.name for column in left_out])).joined
    write()
    heading(name.capitalize())
    if not shown.rows:
        write("This run has nothing to show here.")
        return
    table(shown.header, shown.rows)
    for note in shown.notes:
        paragraph(note)
    if left_out:
        heads = ", ".join(column.head.removesuffix(" ±") for column in left_out)
        paragraph(f"Columns without room: {heads}; --wide shows them.")
    if len(first) < len(frame):
        write(f"These are the first {len(first)} of {len(frame)} {name}; --csv and --json have all.")


def write_grid(definition: "Definition", frame: "pd.DataFrame", title: str = "") -> None:
    """Print a heading, all rows, and notes on the columns."""
    from ttrsim.report.tables import grid

    shown = grid(definition, frame)
    write()
    if title:
        heading(title)
    table(shown.header, shown.rows)
    for note in shown.notes:
        paragraph(note)


def _without_room(columns: "Sequence[Column]", shown: "Grid") -> "list[Column]":
    """Choose the columns to leave out where the terminal is too narrow: counts, predictions, then from the right."""
    cells = zip(*[shown.header, *shown.rows], strict=True)
    widths = {column.name: 2 + max(map(len, of)) for column, of in zip(columns, cells, strict=True)}
    order = ["count", "prediction", "number", "description", "estimate"]
    from_right = [column for column in reversed(columns) if column.kind in order and column.name not in KEPT]
    by_kind = sorted(from_right, key=lambda column: order.index(column.kind))
    left_out = _too_wide(widths, [column.name for column in by_kind])
    return [column for column in columns if column.name in left_out]

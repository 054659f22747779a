"""Print aligned tables, frames of statistics and one-line errors."""

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

    from ttrsim.stats.frames import Table

MAX_WIDTH = 100
"""Text is laid out for a terminal, but no wider than this."""
NO_NUMBER = re.compile(r"is not a valid (integer|float)( range)?")


def complain(problems: Iterable[str]) -> None:
    """Print each problem as one `Error: ...` line on stderr."""
    for problem in problems:
        _echo(f"{click.style('Error:', fg='red')} {printable(problem)}", err=True)


def _echo(text: str, *, err: bool = False) -> None:
    click.echo(text, err=err, color=False if os.environ.get("NO_COLOR") or dumb() else None)


def dumb() -> bool:
    """Return whether the terminal shows escapes, as for colours, as letters."""
    return os.environ.get("TERM") == "dumb"


def note(message: str) -> None:
    """Print a line for the person at the terminal, on stderr."""
    _echo(printable(message), err=True)


def heading(text: str) -> None:
    """Print a bold line."""
    _echo(click.style(printable(text), bold=True))


def printable(text: str) -> str:
    """Return the text with its control characters, which may come from files or arguments, as escapes."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def in_plain_words(problem: str) -> str:
    """Reword what click says of a value that is not a number."""
    return NO_NUMBER.sub(lambda found: "is not a " + ("whole number" if found[1] == "integer" else "number"), problem)


def width() -> int:
    """Return the number of columns for text."""
    return min(shutil.get_terminal_size((MAX_WIDTH, 24)).columns, MAX_WIDTH)


def write(text: str = "") -> None:
    """Print a line of data, on stdout."""
    _echo(printable(text))


def paragraph(text: str) -> None:
    """Print prose on stdout, wrapped to the width."""
    _echo(textwrap.fill(printable(text), width(), subsequent_indent="  ", break_on_hyphens=False))


def write_json(value: object) -> None:
    """The value as JSON, on stdout; where that lacks letters, as a pipe on Windows does, with JSON's own escapes."""
    _echo(json.dumps(value, ensure_ascii=_lacks_letters(sys.stdout), indent=2))


def table(header: Sequence[str], rows: Sequence[Sequence[str | int]], *, indent: int = 0) -> None:
    """Print the rows under the header, if any: numbers to the right, the last column wrapped to the width.

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


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+−-]?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?%?|–", cell) is not None


def _wrapped(text: str, left: str) -> list[str]:
    room = max(width() - len(left), 12)
    if len(text.strip()) <= room or not text.strip():
        return [(left + text).rstrip()]
    first, *others = textwrap.wrap(text.strip(), room, break_on_hyphens=False, break_long_words=False)
    return [left + first, *(" " * len(left) + line for line in others)]


def check_form(*, as_json: bool, as_csv: bool) -> None:
    """Refuse to write in two forms at once."""
    if as_json and as_csv:
        raise UsageError(["--json and --csv exclude each other"])


def take_every_letter() -> None:
    """Let stdout have escapes for letters that its encoding lacks, as stderr has.

    A pipe on Windows takes no ł, and none takes the bytes of a file's name that are no UTF-8.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _lacks_letters(stream: object) -> TypeGuard[io.TextIOWrapper]:
    return isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8"


def quiet_stdout() -> None:
    """Send what is still unwritten nowhere, so that the interpreter does not complain when it ends."""
    if sys.stdout is not None:  # it is None where stdout was closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_csv(frame: "pd.DataFrame") -> None:
    """Print all columns of the frame as CSV."""
    click.echo(frame.to_csv(index=False, lineterminator="\n"), nl=False)


def write_frame(name: str, definition: "Table", frame: "pd.DataFrame", most: int | None = None) -> None:
    """Print a heading, the rows, or the first `most` of them, and notes on the columns."""
    from ttrsim.report.tables import grid

    first = frame if most is None else frame.head(most)
    shown = grid(definition, first)
    write()
    heading(name.capitalize())
    if not shown.rows:
        write("This run has nothing to show here.")
        return
    table(shown.header, shown.rows)
    for note in shown.notes:
        paragraph(note)
    if len(first) < len(frame):
        write(f"The first {len(first)} of {len(frame)} {name}; --csv and --json have all.")

"""How frames of statistics are written: as tables for people, as CSV."""

from typing import TYPE_CHECKING

import click

from ttrsim.cli.output import heading, paragraph, table, write
from ttrsim.report.tables import grid

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.stats.frames import Table


def write_csv(frame: "pd.DataFrame") -> None:
    """All columns of the frame."""
    click.echo(frame.to_csv(index=False, lineterminator="\n"), nl=False)


def write_frame(name: str, definition: "Table", frame: "pd.DataFrame", most: int | None = None) -> None:
    """A heading, the rows, or the first `most` of them, and what there is to say of the columns."""
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

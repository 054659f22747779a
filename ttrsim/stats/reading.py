"""A run's sums, column by column, at the level they are wanted."""

from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array

if TYPE_CHECKING:
    from ttrsim.runs import Run


def sums(run: "Run", table: str) -> dict[str, Array]:
    """Return the columns of a table of aggregates, each an array with the table's axes, batches or groups first."""
    run.check_begun()
    array = run.array(table)
    return {column: array[..., i] for i, column in enumerate(run.columns(table))}


def block_games(run: "Run") -> int:
    """Return the games of a block of the line-up with the most rotations."""
    return int(np.bincount(run.schedule.line_up_of).max())


def to_groups(run: "Run", array: Array) -> Array:
    """Return sums by batch, added up by group of batches."""
    starts = np.flatnonzero(np.diff(run.groups, prepend=-1))
    return np.add.reduceat(array, starts, axis=0)

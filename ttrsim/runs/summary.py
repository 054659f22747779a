"""Add up the aggregates of a run's shards, and write them as tables that any program can read."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ttrsim.core.sums import LOWEST_SCORE
from ttrsim.core.tally import TIED
from ttrsim.errors import UserError
from ttrsim.runs.playing import Player, names_of
from ttrsim.runs.recipe import Recipe
from ttrsim.runs.rows import COMPRESSION, Names
from ttrsim.runs.store import Folder
from ttrsim.runs.stored_files import DamagedShard, FileRecord, ShardRecord, Summary, check_file, file_record, read_file
from ttrsim.runs.tally import FILE, TABLES, Sizes, Tally, WrongSums, read_sums, write_sums
from ttrsim.schedule import batch_laps

SUMMARISED = (FILE, *(f"{name}.parquet" for name in TABLES))
"""The files of a summary."""


def add_up(sizes: Sizes, folder: Folder, records: Iterable[ShardRecord], batch_laps: int) -> Tally:
    """Return the sums of these shards, by batches of `batch_laps`."""
    tally = Tally(sizes, batch_laps)
    for record in records:
        path = folder.shard(record.range) / FILE
        try:
            add_sums(path, record.files.get(FILE), tally, record.batch_laps, record.range)
        except DamagedShard as e:
            raise UserError([f"{e}; ttrsim run --resume plays it again"]) from None
    return tally


def add_sums(path: Path, file: FileRecord | None, tally: Tally, batch_laps: int, laps: range) -> None:
    """Add a file of sums to a tally. Raises DamagedShard."""
    if file is None:
        raise DamagedShard(f"{path}: is not among the files that were written")
    try:
        read_sums(read_file(path, file), tally, batch_laps, laps)
    except WrongSums as e:
        raise DamagedShard(f"{path}: {e}") from None


def labels(axis: str, table: str, names: Names) -> Sequence[str] | None:
    """Return the names along an axis, or None if it has numbers."""
    if axis == "other":
        axis = "strategy" if table == "versus" else "ticket"
    return {
        "line_up": names.line_ups,
        "strategy": names.strategies,
        "ticket": names.tickets,
        "route": names.routes,
        "city": names.cities,
    }.get(axis)


def table_of_sums(tally: Tally, table: str, names: Names) -> pa.Table:
    """Return a table of sums, with a row for each combination of its axes that has a sum other than zero."""
    if table == "orders":
        return _orders(tally, names)
    spec = TABLES[table]
    numbers = sorted(tally.parts[spec.level])
    array = tally.array(table, numbers)
    places = np.nonzero(array != np.zeros((), array.dtype))
    columns: dict[str, Any] = {}
    for axis, place in zip(spec.axes, places, strict=True):
        axis_labels = labels(axis, table, names)
        if axis_labels is not None:
            columns[axis] = pa.DictionaryArray.from_arrays(pa.array(place.astype(np.int16)), pa.array(axis_labels))
        elif axis in ("batch", "group"):
            columns[axis] = np.array(numbers, np.int16)[place]
        else:
            columns[axis] = (place + (LOWEST_SCORE if axis == "score" else 0)).astype(np.int16)
    rows = array[places]
    columns.update({name: np.ascontiguousarray(rows[name]) for name in spec.columns})
    return pa.table(columns)


def _orders(tally: Tally, names: Names) -> pa.Table:
    rows = sorted(tally.orders.items())
    words = {order: order_words(order, names.strategies, tally.sizes.seats) for (_, order), _ in rows}
    return pa.table(
        {
            "batch": pa.array([batch for (batch, _), _ in rows], pa.int16()),
            "order": pa.array([words[order] for (_, order), _ in rows], pa.string()).dictionary_encode(),
            "games": pa.array([games for _, games in rows], pa.int64()),
        }
    )


def order_words(order: int, strategies: Sequence[str], seats: int) -> str:
    """Return an order of finishing as `planner > random = random`."""
    text = ""
    for place in range(seats):
        code = order >> 8 * place & 255
        text += " = " if code & TIED else " > " if place else ""
        text += strategies[code & ~TIED]
    return text


def summarise(player: Player, folder: Folder, records: Sequence[ShardRecord], digest: str) -> None:
    """Write the summary of a finished run, given the records of all its shards and its digest."""
    laps = records[-1].range.stop
    tally = add_up(player.sizes, folder, records, batch_laps(laps))
    names = names_of(player)
    files: dict[str, Any] = {FILE: write_sums(tally)}
    for name, spec in TABLES.items():
        sink = pa.BufferOutputStream()
        pq.write_table(
            table_of_sums(tally, name, names),
            sink,
            compression="zstd",
            compression_level=COMPRESSION,
            use_dictionary=list(spec.axes),  # sums are packed better as they are
            store_schema=False,
            write_statistics=False,
        )
        files[f"{name}.parquet"] = sink.getvalue()
    summary = Summary(
        run=player.recipe.identity,
        planned_laps=player.recipe.laps,
        laps=laps,
        digest=digest,
        files={name: file_record(content) for name, content in files.items()},
    )
    folder.publish_summary(summary, files)


def summary_problem(folder: Folder, recipe: Recipe, records: Sequence[ShardRecord], digest: str) -> str | None:
    """Describe the problem of a run's summary, given its shards and digest; return None if there is none."""
    summary, path = folder.read_summary(), folder.summary / "summary.json"
    if summary is None:
        return f"{folder.summary}: is missing or damaged"
    if summary.run != recipe.identity or summary.digest != digest:
        return f"{folder.summary}: belongs to other results"
    planned = recipe.laps, sum(record.laps for record in records)
    if (summary.planned_laps, summary.laps) != planned or summary.files.keys() != set(SUMMARISED):
        return f"{path}: was altered"
    try:
        for name, file in summary.files.items():
            check_file(folder.summary / name, file)
    except DamagedShard as e:
        return str(e)
    return None

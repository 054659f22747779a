"""The aggregates of a whole run, from those of its shards, as tables that anybody can read."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ttrsim.core import tally as core
from ttrsim.errors import UserError
from ttrsim.runs.plan import Plan
from ttrsim.runs.playing import Player
from ttrsim.runs.rows import Names
from ttrsim.runs.shard import TALLY_FILE, names_of, read_tally
from ttrsim.runs.store import DamagedShard, Folder, ShardRecord, Summary, check_file, file_record
from ttrsim.runs.tally import TABLES, Array, Tally

SUMMARISED = tuple(f"{name}.parquet" for name in TABLES)
"""The files of a summary."""
COMPRESSION = 16
"""zstd's level: a sixth smaller than its usual one, for half a second."""


def add_up(player: Player, folder: Folder, shards: Iterable[int], batches: Sequence[int]) -> Tally:
    """The aggregates of these shards, which have games of these batches."""
    tally = Tally(player.sizes, batches)
    for number in shards:
        path = folder.shard(number) / TALLY_FILE
        try:
            check_file(path, folder.record(number).files[TALLY_FILE])
            read_tally(path, tally)
        except DamagedShard as e:
            raise UserError([f"{e}; ttrsim run --resume plays shard {number} again"]) from None
    return tally


def labels(axis: str, table: str, names: Names) -> Sequence[str] | None:
    """The names along an axis; None where numbers are."""
    if axis == "other":
        axis = "strategy" if table == "versus" else "ticket"
    return {
        "line_up": names.line_ups,
        "strategy": names.strategies,
        "ticket": names.tickets,
        "route": names.routes,
        "city": names.cities,
    }.get(axis)


def tidy(tally: Tally, table: str, names: Names) -> pa.Table:
    """A table of aggregates: a row for each combination of its axes that is not zero throughout."""
    if table == "orders":
        return _orders(tally, names)
    array, spec = tally.arrays[table], TABLES[table]
    places = np.nonzero(array.any(axis=-1))
    columns: dict[str, Any] = {}
    for axis, place in zip(spec.axes, places, strict=True):
        axis_labels = labels(axis, table, names)
        if axis_labels is not None:
            columns[axis] = pa.DictionaryArray.from_arrays(pa.array(place.astype(np.int16)), pa.array(axis_labels))
        elif axis in ("batch", "group"):
            columns[axis] = np.array(tally.numbers[spec.level], np.int16)[place]
        else:
            columns[axis] = (place + (core.LOWEST_SCORE if axis == "score" else 0)).astype(np.int16)
    sums = array[places]
    columns.update({name: np.ascontiguousarray(sums[:, i]) for i, name in enumerate(spec.columns)})
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
    """An order of finishing as `planner > random = random`."""
    text = ""
    for place in range(seats):
        code = order >> 8 * place & 255
        text += " = " if code & core.TIED else " > " if place else ""
        text += strategies[code & ~core.TIED]
    return text


def summarise(player: Player, folder: Folder, records: Sequence[ShardRecord], digest: str) -> None:
    """Write the aggregates of a finished run, of which these are all shards and this is the digest."""
    batches = player.schedule.whole_batches(len(records))
    tally = add_up(player, folder, range(len(records)), range(batches))
    names = names_of(player)
    files = {}
    for name, spec in TABLES.items():
        table = tidy(tally, name, names)
        sink = pa.BufferOutputStream()
        pq.write_table(
            table,
            sink,
            compression="zstd",
            compression_level=COMPRESSION,
            use_dictionary=list(spec.axes),  # sums are packed better as they are
            store_schema=False,
            write_statistics=False,
        )
        files[f"{name}.parquet"] = (sink.getvalue(), len(table))
    summary = Summary(
        games=sum(r.games for r in records),
        batches=batches,
        digest=digest,
        files={name: file_record(*file) for name, file in files.items()},
    )
    folder.publish_summary(summary, {name: content for name, (content, _) in files.items()})


def summary_problem(folder: Folder, plan: Plan, records: Sequence[ShardRecord], digest: str) -> str | None:
    """What is wrong with the summary of a run with these shards and this digest, if anything."""
    summary, path = folder.read_summary(), folder.summary / "summary.json"
    if summary is None or summary.digest != digest:
        return f"{folder.summary}: is missing or not of this run"
    games, batches = sum(r.games for r in records), plan.schedule.whole_batches(len(records))
    if (summary.games, summary.batches) != (games, batches) or summary.files.keys() != set(SUMMARISED):
        return f"{path}: was altered"
    try:
        for name, file in summary.files.items():
            check_file(folder.summary / name, file)
            if pq.read_metadata(folder.summary / name).num_rows != file.rows:
                return f"{path}: was altered"
    except DamagedShard as e:
        return str(e)
    return None


def dense(table: Any, name: str, shape: tuple[int, ...]) -> Array:
    """A tidy table, as a frame with all its names as categories, as the array it was made from."""
    spec = TABLES[name]
    array = np.zeros(shape, np.int64)
    places = []
    for axis in spec.axes:
        if hasattr(table[axis], "cat"):
            places.append(table[axis].cat.codes.to_numpy())
        else:
            places.append(table[axis].to_numpy() - (core.LOWEST_SCORE if axis == "score" else 0))
    array[tuple(places)] = table[list(spec.columns)].to_numpy()
    return array

"""Playing one shard: its games, their aggregates and rows, and the record of all that."""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ttrsim.runs.duel import Duel
from ttrsim.runs.plan import Plan
from ttrsim.runs.playing import Interrupted, Player
from ttrsim.runs.rows import Names, RowWriter, Segment
from ttrsim.runs.schedule import Shard
from ttrsim.runs.store import BatchRecord, FileRecord, Folder, ShardRecord, file_record
from ttrsim.runs.tally import DENSE, GROUP_BATCHES, TABLES, Array, Tally
from ttrsim.simulation import Results

TALLY_FILE = "tally.parquet"
PROBE_STRIDE = 7919  # a prime, so that the laps that are played again lie anywhere in their shards


def play_shard(
    player: Player, number: int, folder: Folder | None = None, stopped: Callable[[], bool] = lambda: False
) -> ShardRecord:
    """Play a shard and, with a folder, store it. Raises `playing.Interrupted` as soon as `stopped` says so."""
    shard = player.schedule.shard(number)
    tally = Tally(player.sizes, [piece.batch for piece in shard.pieces])
    duel, content, probed = Duel(player.plan, tally.batches), Content(), Content()
    writers = [RowWriter(table) for table in player.plan.record] if folder else []
    names = names_of(player)
    for segment in _segments(player, shard, names, stopped):
        batch = int(segment.batches[0])
        tally.add(player.record, batch, segment.results, segment.line_ups)
        content.add(segment.results)
        probed.add(lap_of(player, segment.results, probe_lap(shard)))
        duel.add(batch, segment.results)
        for writer in writers:
            writer.add(segment)
    files = {f"{writer.table}.parquet": (writer.finish(), writer.rows) for writer in writers}
    if folder:
        files[TALLY_FILE] = write_tally(tally)
    record = _record(
        player, shard, tally, duel, (content, probed), {name: file_record(*file) for name, file in files.items()}
    )
    if folder:
        if stopped():  # a worker's last games may have lasted longer than its run, and another be in the folder now
            raise Interrupted
        folder.publish(record, {name: buffer for name, (buffer, _) in files.items()})
    return record


def _segments(player: Player, shard: Shard, names: Names, stopped: Callable[[], bool]) -> Iterator[Segment]:
    """The games of a shard in parts that fit into memory, each of one batch."""
    for piece in shard.pieces:
        for first, laps in player.segments(piece.first, piece.laps):
            results = player.play(first, laps, stopped)
            blocks, _ = player.schedule.where(results.games["index"])
            batches = np.full(len(blocks), piece.batch)
            yield Segment(results, blocks, batches, blocks % len(player.schedule.line_ups), names)


def names_of(player: Player) -> Names:
    """What the numbers in a run's results are called."""
    board, plan = player.board, player.plan
    return Names(
        line_ups=plan.line_up_names,
        strategies=plan.names,
        tickets=[board.ticket_name(t) for t in board.tickets],
        routes=[board.route_name(r) for r in board.routes],
        cities=[city.name for city in board.cities],
    )


class Content:
    """The digest of results, which does not depend on the parts they come in."""

    def __init__(self) -> None:
        self._games, self._seats = hashlib.sha256(), hashlib.sha256()

    def add(self, results: Results) -> None:
        """Further results."""
        self._games.update(results.games.tobytes())
        self._seats.update(results.seats.tobytes())

    def hexdigest(self) -> str:
        """Of all so far."""
        return hashlib.sha256(self._games.digest() + self._seats.digest()).hexdigest()


def probe_lap(shard: Shard) -> int:
    """The lap of a shard that is played again to verify it."""
    return shard.first + shard.number * PROBE_STRIDE % shard.laps


def lap_of(player: Player, results: Results, lap: int) -> Results:
    """The part of results that is of a lap."""
    there = results.games["index"] // player.schedule.lap_games == lap
    return Results(results.games[there], results.seats[there])


def probe(player: Player, lap: int) -> str:
    """The digest of a lap's results, played again."""
    content = Content()
    content.add(player.play(lap, 1))
    return content.hexdigest()


def _record(
    player: Player,
    shard: Shard,
    tally: Tally,
    duel: Duel,
    contents: tuple[Content, Content],
    files: dict[str, FileRecord],
) -> ShardRecord:
    content, probed = contents
    lap_games = player.schedule.lap_games
    sums = tally.arrays["line_ups"].sum(axis=1)  # (batches, strategies, columns)
    return ShardRecord(
        shard=shard.number,
        first_game=shard.first * lap_games,
        games=shard.laps * lap_games,
        content_sha256=content.hexdigest(),
        probe_lap=probe_lap(shard),
        probe_sha256=probed.hexdigest(),
        batches=tuple(
            BatchRecord(
                batch=piece.batch,
                games=piece.laps * lap_games,
                seats=of_batch[:, 0].tolist(),
                win60=of_batch[:, 1].tolist(),
                score=of_batch[:, 2].tolist(),
                difference=duel.sums(piece.batch),
            )
            for piece, of_batch in zip(shard.pieces, sums, strict=True)
        ),
        files=files,
    )


def write_tally(tally: Tally) -> tuple[pa.Buffer, int]:
    """A tally as a Parquet file: a row a table and batch, group or run, its numbers in one list; and how many rows.

    `orders` comes as two rows a batch, the orders and how many games ended so.
    """
    rows: list[tuple[str, int, Array]] = []
    for name in DENSE:
        rows += [(name, number, tally.sums(name, number).reshape(-1)) for number in tally.numbers[TABLES[name].level]]
    for batch in tally.batches:
        of_batch = sorted((order, games) for (b, order), games in tally.orders.items() if b == batch)
        for column, name in enumerate(("orders", "order_games")):
            rows.append((name, batch, np.array([pair[column] for pair in of_batch], np.int64)))
    offsets = np.cumsum([0, *(len(values) for _, _, values in rows)])
    lists = pa.LargeListArray.from_arrays(pa.array(offsets), pa.array(np.concatenate([v for _, _, v in rows])))
    names, numbers, _ = zip(*rows, strict=True)
    table = pa.table({"table": pa.array(names), "number": pa.array(numbers, pa.int32()), "sums": lists})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", use_dictionary=False, store_schema=False, write_statistics=False)
    return sink.getvalue(), len(rows)


def read_tally(path: Any, into: Tally) -> None:
    """Add a tally that was written to another."""
    table = pq.read_table(path)
    lists = table["sums"].combine_chunks()
    values, offsets = lists.flatten().to_numpy(), lists.offsets.to_numpy() - lists.offsets[0].as_py()
    keys = zip(table["table"].to_pylist(), table["number"].to_pylist(), strict=True)
    rows = {key: values[offsets[i] : offsets[i + 1]] for i, key in enumerate(keys)}
    for (name, number), sums in rows.items():
        if name == "orders":
            into.add_orders(number, sums, rows["order_games", number])
        elif name in DENSE:
            target = into.sums(name, number)
            target += sums.reshape(target.shape)


def aggregate_bytes(plan: Plan) -> float:
    """About how large the aggregates of a run will be, in its shards and in the summary."""
    s, strategies = plan.schedule, len(plan.strategies)
    of_batch = strategies * plan.seats * 130 + 100  # numbers, on a board like USA
    of_group = strategies * 900 + 1700
    groups = -(-s.batches // GROUP_BATCHES)
    in_summary = s.batches * of_batch + groups * of_group
    in_shards = max(s.batches, s.shards) * of_batch + max(groups, s.shards) * of_group + 2000 * s.shards
    return 1.5 * (in_summary + in_shards)

"""Rows of games as Parquet, which `--record` stores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from ttrsim.choices import RowTable
from ttrsim.core import constants as c
from ttrsim.core.records import GAME_RESULT, SEAT_RESULT
from ttrsim.core.sums import COUNT_COLUMNS, ENDINGS, PART_COLUMNS
from ttrsim.encode import bits
from ttrsim.games import Results

Array = npt.NDArray[Any]
Columns = dict[str, pa.Array]

ROW_BYTES: dict[RowTable, float] = {"games": 2.0, "players": 9.0, "tickets": 1.2, "claims": 2.7}
"""About how many bytes a row takes, for the size printed before a run."""
ROWS_A_SEAT = {"tickets": 7, "claims": 15}
"""About how many rows there are per seat of a game."""


@dataclass(frozen=True)
class Names:
    """The names that the numbers in results stand for."""

    line_ups: Sequence[str]
    strategies: Sequence[str]
    tickets: Sequence[str]
    routes: Sequence[str]
    cities: Sequence[str]


@dataclass(frozen=True)
class Segment:
    """Games to be stored, with their blocks and line-ups."""

    results: Results
    blocks: Array  # (games,)
    line_ups: Array  # (games,)
    names: Names


def estimated_bytes(tables: Sequence[RowTable], games: int, seats: int) -> float:
    """Estimate the size of the rows of a run."""
    rows = {"games": games, "players": games * seats, **{t: games * seats * n for t, n in ROWS_A_SEAT.items()}}
    return sum(ROW_BYTES[table] * rows[table] for table in tables)


def _named(codes: Array, names: Sequence[str]) -> pa.Array:
    """Return names in place of numbers from 0, and null for negative ones."""
    small = codes.astype(np.int16)
    return pa.DictionaryArray.from_arrays(pa.array(small, mask=small < 0), pa.array(list(names), pa.string()))


def _numbers(values: Array, kind: type) -> pa.Array:
    return pa.array(np.ascontiguousarray(values, kind))


def _game_columns(s: Segment) -> Columns:
    games = s.results.games
    ender = games["ender"].astype(np.int8)
    return {
        "game": _numbers(games["index"], np.int64),
        "block": _numbers(s.blocks, np.int64),
        "line_up": _named(s.line_ups, s.names.line_ups),
        "turns": _numbers(games["turns"], np.int16),
        "winners": _numbers(games["winners"], np.int8),
        "ender": pa.array(ender, mask=ender < 0),
        "ending": _named(games["ending"] - c.ENDED, ENDINGS),
        "reshuffles": _numbers(games["reshuffles"], np.int16),
        "refreshes": _numbers(games["refreshes"], np.int16),
        "dry_turns": _numbers(games["dry_turns"], np.int16),
    }


def _player_columns(s: Segment) -> Columns:
    games, seats = s.results.games, s.results.seats.reshape(-1)
    players = s.results.seats.shape[1]
    winners = np.repeat(games["winners"], players)
    parts, counts = seats["parts"].astype(np.int16), seats["counts"]
    offered, kept, completed = seats["offered"], seats["kept"], seats["completed"]
    drawn = seats["drawn"] & ~offered
    shares = pa.array([0.0, *(1 / k for k in range(1, c.SEATS + 1))])
    won = np.where(seats["rank"] == 1, winners, 0).astype(np.int8)
    return {
        "game": _numbers(np.repeat(games["index"], players), np.int64),
        "seat": _numbers(np.tile(np.arange(players), len(games)), np.int8),
        "strategy": _named(seats["strategy"], s.names.strategies),
        "score": _numbers(seats["score"], np.int16),
        "rank": _numbers(seats["rank"], np.int8),
        "win_share": pa.DictionaryArray.from_arrays(pa.array(won), shares),
        "trail": _numbers(seats["trail"], np.int16),
        "trains_left": _numbers(seats["trains_left"], np.int16),
        "offered": _sizes(offered),
        "offered_kept": _sizes(offered & kept),
        "offered_completed": _sizes(offered & completed),
        "drawn": _sizes(drawn),
        "drawn_kept": _sizes(drawn & kept),
        "drawn_completed": _sizes(drawn & completed),
        **{name: _numbers(parts[:, i], np.int16) for i, name in enumerate(PART_COLUMNS)},
        **{name: _numbers(counts[:, i], np.int16) for i, name in enumerate(COUNT_COLUMNS)},
    }


def _sizes(sets: Array) -> pa.Array:
    """Return the number of members of each set (words in the last axis)."""
    return _numbers(np.bitwise_count(sets).sum(axis=-1, dtype=np.int16), np.int16)


def _members(sets: Array) -> tuple[Array, Array, Array]:
    """Return the game, seat and number of every member of every set (games, players, words)."""
    game, seat, member = np.nonzero(bits(sets))
    return game, seat, member


def _holds(sets: Array, game: Array, seat: Array, member: Array) -> pa.Array:
    words = sets[game, seat, member >> 6]
    return pa.array((words >> (member & 63).astype(np.uint64) & np.uint64(1)).astype(bool))


def _of_seats(s: Segment, game: Array, seat: Array) -> Columns:
    return {
        "game": _numbers(s.results.games["index"][game], np.int64),
        "seat": _numbers(seat, np.int8),
        "strategy": _named(s.results.seats["strategy"][game, seat], s.names.strategies),
    }


def _ticket_columns(s: Segment) -> Columns:
    seats = s.results.seats
    game, seat, ticket = _members(seats["offered"] | seats["drawn"])
    return {
        **_of_seats(s, game, seat),
        "ticket": _named(ticket, s.names.tickets),
        "offered": _holds(seats["offered"], game, seat, ticket),
        "kept": _holds(seats["kept"], game, seat, ticket),
        "completed": _holds(seats["completed"], game, seat, ticket),
    }


def _claim_columns(s: Segment) -> Columns:
    game, seat, route = _members(s.results.seats["routes"])
    claimed = s.results.games["claimed"][game, route]
    return {
        **_of_seats(s, game, seat),
        "route": _named(route, s.names.routes),
        "turn": _numbers(claimed // s.results.seats.shape[1] + 1, np.int16),
        "table_turn": _numbers(claimed, np.int16),
    }


COLUMNS: dict[RowTable, Callable[[Segment], Columns]] = {
    "games": _game_columns,
    "players": _player_columns,
    "tickets": _ticket_columns,
    "claims": _claim_columns,
}
COMPRESSION = 1  # zstd's level of rows and summaries: higher ones take longer than they save
GROUP_ROWS = 20_000
"""Most rows of a row group."""
RISING = ("game", "block")  # increasing numbers, stored by their differences


def rows_problem(table: RowTable, rows: pa.Table, games: range) -> str | None:
    """Describe the problem of rows read from a shard with these games; return None if there is none."""
    wanted = _schema(table)
    if rows.schema.names != wanted.names:
        return f"should have exactly the columns {', '.join(wanted.names)}, in this order"
    for field in wanted:
        found = rows.schema.field(field.name).type
        if not _same_type(found, field.type):
            return f"column {field.name} is {found}, not {field.type}"
        if rows[field.name].null_count and field.name != "ender":
            return f"column {field.name} has missing values"
    numbers = rows["game"].to_numpy()
    if len(numbers) and not (games.start <= numbers.min() and numbers.max() < games.stop):
        return f"has games outside {games.start} to {games.stop - 1}"
    return None


def _same_type(found: pa.DataType, wanted: pa.DataType) -> bool:
    """Return whether two types are the same, apart from the codes of dictionaries."""
    found, wanted = (t.value_type if pa.types.is_dictionary(t) else t for t in (found, wanted))
    return bool(found.equals(wanted))


@cache
def _schema(table: RowTable) -> pa.Schema:
    """Return the columns of a table and their types."""
    results = Results(np.zeros(0, GAME_RESULT), np.zeros((0, 1), SEAT_RESULT))
    nothing = np.zeros(0, np.int64)
    return pa.table(COLUMNS[table](Segment(results, nothing, nothing, Names((), (), (), (), ())))).schema


class RowWriter:
    """Writes rows of a table to a Parquet file in memory."""

    def __init__(self, table: RowTable) -> None:
        self.table = table
        self.rows = 0
        self._sink = pa.BufferOutputStream()
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[pa.Table] = []  # of less than a row group together

    def add(self, segment: Segment) -> None:
        """Add the rows of further games."""
        table = pa.table(COLUMNS[self.table](segment))
        self.rows += len(table)
        self._waiting.append(table)
        if sum(map(len, self._waiting)) >= GROUP_ROWS:
            self._write()

    def _write(self) -> None:
        """Write what waits, in row groups."""
        table = pa.concat_tables(self._waiting)
        self._waiting = []
        if self._writer is None:
            rising = [name for name in RISING if name in table.column_names]
            self._writer = pq.ParquetWriter(
                self._sink,
                table.schema,
                compression="zstd",
                compression_level=COMPRESSION,
                use_dictionary=[name for name in table.column_names if name not in rising],
                column_encoding=dict.fromkeys(rising, "DELTA_BINARY_PACKED"),
                write_statistics=["game"],
                store_schema=False,
            )
        self._writer.write_table(table, row_group_size=GROUP_ROWS)

    def finish(self) -> pa.Buffer:
        """Return the content of the file."""
        if self._waiting or self._writer is None:
            self._write()
        assert self._writer is not None
        self._writer.close()
        return self._sink.getvalue()

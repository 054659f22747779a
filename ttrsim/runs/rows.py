"""Rows of games as Parquet: what `--record` stores."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from ttrsim.choices import RowTable
from ttrsim.core import constants as c
from ttrsim.encode import bits
from ttrsim.runs.tally import COUNT_COLUMNS, ENDINGS, PART_COLUMNS
from ttrsim.simulation import Results

Array = npt.NDArray[Any]
Columns = dict[str, pa.Array]

ROW_BYTES: dict[RowTable, float] = {"games": 2.0, "players": 9.0, "tickets": 1.2, "claims": 2.7}
"""About how many bytes a row takes: for the size told beforehand."""
ROWS_A_SEAT = {"tickets": 7, "claims": 15}
"""About how many rows a seat of a game has."""


@dataclass(frozen=True)
class Names:
    """What the numbers in results are called."""

    line_ups: Sequence[str]
    strategies: Sequence[str]
    tickets: Sequence[str]
    routes: Sequence[str]
    cities: Sequence[str]


@dataclass(frozen=True)
class Segment:
    """Games to be stored, and where they belong."""

    results: Results
    blocks: Array  # (games,)
    batches: Array  # (games,)
    line_ups: Array  # (games,)
    names: Names


def estimated_bytes(tables: Sequence[RowTable], games: int, seats: int) -> float:
    """About how large the rows of a run will be."""
    rows = {"games": games, "players": games * seats, **{t: games * seats * n for t, n in ROWS_A_SEAT.items()}}
    return sum(ROW_BYTES[table] * rows[table] for table in tables)


def _named(codes: Array, names: Sequence[str]) -> pa.Array:
    """Names in place of numbers from 0; null for negative ones."""
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
        "batch": _numbers(s.batches, np.int16),
        "line_up": _named(s.line_ups, s.names.line_ups),
        "turns": _numbers(games["turns"], np.int16),
        "winners": _numbers(games["winners"], np.int8),
        "ender": pa.array(ender, mask=ender < 0),
        "ending": _named(games["ending"] - c.ENDED, ENDINGS),
        "reshuffles": _numbers(games["reshuffles"], np.int16),
        "refreshes": _numbers(games["refreshes"], np.int16),
    }


def _player_columns(s: Segment) -> Columns:
    games, seats = s.results.games, s.results.seats.reshape(-1)
    players = s.results.seats.shape[1]
    winners = np.repeat(games["winners"], players)
    parts, counts = seats["parts"].astype(np.int16), seats["counts"]
    dealt, kept, completed = seats["dealt"], seats["kept"], seats["completed"]
    drawn = seats["drawn"] & ~dealt
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
        "trains_left": _numbers(seats["trains"], np.int16),
        "dealt": _sizes(dealt),
        "dealt_kept": _sizes(dealt & kept),
        "dealt_completed": _sizes(dealt & completed),
        "drawn": _sizes(drawn),
        "drawn_kept": _sizes(drawn & kept),
        "drawn_completed": _sizes(drawn & completed),
        **{name: _numbers(parts[:, i], np.int16) for i, name in enumerate(PART_COLUMNS)},
        **{name: _numbers(counts[:, i], np.int16) for i, name in enumerate(COUNT_COLUMNS)},
    }


def _sizes(sets: Array) -> pa.Array:
    """How many members each set (words in the last axis) has."""
    return _numbers(np.bitwise_count(sets).sum(axis=-1, dtype=np.int16), np.int16)


def _members(sets: Array) -> tuple[Array, Array, Array]:
    """Every member of every set (games, players, words): its game, seat and number."""
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
    game, seat, ticket = _members(seats["dealt"] | seats["drawn"])
    return {
        **_of_seats(s, game, seat),
        "ticket": _named(ticket, s.names.tickets),
        "opening": _holds(seats["dealt"], game, seat, ticket),
        "kept": _holds(seats["kept"], game, seat, ticket),
        "completed": _holds(seats["completed"], game, seat, ticket),
    }


def _claim_columns(s: Segment) -> Columns:
    game, seat, route = _members(s.results.seats["routes"])
    order = s.results.games["claimed"][game, route]
    return {
        **_of_seats(s, game, seat),
        "route": _named(route, s.names.routes),
        "turn": _numbers(order // s.results.seats.shape[1] + 1, np.int16),
        "order": _numbers(order, np.int16),
    }


COLUMNS: dict[RowTable, Callable[[Segment], Columns]] = {
    "games": _game_columns,
    "players": _player_columns,
    "tickets": _ticket_columns,
    "claims": _claim_columns,
}
COMPRESSION = 1  # zstd's level: higher ones take longer than they save
RISING = ("game", "block")  # numbers that only grow, stored by their differences


class RowWriter:
    """Collects rows of a table as a Parquet file in memory."""

    def __init__(self, table: RowTable) -> None:
        self.table = table
        self.rows = 0
        self._sink = pa.BufferOutputStream()
        self._writer: pq.ParquetWriter | None = None

    def add(self, segment: Segment) -> None:
        """One row group more."""
        columns = COLUMNS[self.table](segment)
        table = pa.table(columns)
        if self._writer is None:
            rising = [name for name in RISING if name in columns]
            self._writer = pq.ParquetWriter(
                self._sink,
                table.schema,
                compression="zstd",
                compression_level=COMPRESSION,
                use_dictionary=[name for name in columns if name not in rising],
                column_encoding=dict.fromkeys(rising, "DELTA_BINARY_PACKED"),
                write_statistics=["game"],
                store_schema=False,
            )
        self._writer.write_table(table)
        self.rows += len(table)

    def finish(self) -> pa.Buffer:
        """The file."""
        assert self._writer is not None
        self._writer.close()
        return self._sink.getvalue()

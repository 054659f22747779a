"""Reading a run: its rows and aggregates as pandas frames, its games as they were played."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ttrsim.boards import Board, load_board
from ttrsim.choices import RowTable
from ttrsim.core.constants import RULES_VERSION
from ttrsim.errors import UserError
from ttrsim.numerals import counted
from ttrsim.runs.plan import Plan, StrategyPlan, kit_sha256, show_home
from ttrsim.runs.playing import Player
from ttrsim.runs.rows import Names
from ttrsim.runs.shard import names_of
from ttrsim.runs.store import DamagedShard, FileRecord, Folder, check_file
from ttrsim.runs.summary import add_up, dense, labels, tidy
from ttrsim.runs.tally import TABLES, Array, Tally
from ttrsim.strategies import Strategy, load_strategy

NAMED = ("strategy", "other", "ticket", "route", "city", "line_up", "ending", "order")
"""Columns of names, which frames have as categories."""


class Run:
    """A run that was stored, finished or not.

    >>> run = Run.open("runs/first")
    >>> run.players.groupby("strategy")["score"].mean()
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.file = folder.read()
        self.plan: Plan = self.file.plan
        self.player = load_player(folder, self.plan)
        self.board: Board = self.player.board
        self.strategies: list[str] = self.plan.names

    @classmethod
    def open(cls, path: str | Path) -> "Run":
        """The run in a folder."""
        return cls(Folder(path))

    @property
    def finished(self) -> bool:
        """Whether all of it was played and summed up."""
        return self.folder.read_summary() is not None

    @property
    def digest(self) -> str | None:
        """Of a finished run: equal if and only if all results are."""
        summary = self.folder.read_summary()
        return summary.digest if summary else None

    @cached_property
    def batches(self) -> list[int]:
        """The batches that are there with all their games."""
        present, schedule, summary = set(self.folder.present()), self.plan.schedule, self.folder.read_summary()
        batches = min(summary.batches, schedule.batches) if summary else schedule.batches
        return [b for b in range(batches) if present.issuperset(schedule.shards_of(b))]

    @cached_property
    def shards(self) -> list[int]:
        """The shards of those batches."""
        return sorted({number for batch in self.batches for number in self.plan.schedule.shards_of(batch)})

    @property
    def games_played(self) -> int:
        """Games of those batches."""
        return sum(self.plan.schedule.shard(n).laps for n in self.shards) * self.plan.schedule.lap_games

    def check_begun(self) -> None:
        """Refuse to tell anything of a run of which no batch is there."""
        if not self.batches:
            raise UserError([f"{self.folder.path}: no batch is finished yet"])

    @cached_property
    def games(self) -> pd.DataFrame:
        """A row a game."""
        return self.rows("games")

    @cached_property
    def players(self) -> pd.DataFrame:
        """A row a seat of a game."""
        return self.rows("players")

    @cached_property
    def tickets(self) -> pd.DataFrame:
        """A row a ticket that a seat was offered."""
        return self.rows("tickets")

    @cached_property
    def claims(self) -> pd.DataFrame:
        """A row a route claimed."""
        return self.rows("claims")

    def rows(self, table: RowTable, shards: int | None = None) -> pd.DataFrame:
        """The rows of a table, in the order of games; of so many shards, the first ones, if that is said."""
        if table not in self.plan.record:
            recorded = ",".join(self.plan.record) or "none"
            raise UserError(
                [f"{self.folder.path}: {table} were not recorded, but {recorded} (see ttrsim run --record)"]
            )
        self.check_begun()
        parts = [self._rows_of(number, f"{table}.parquet") for number in self.shards[:shards]]
        return self._frame(pa.concat_tables(parts), table)

    def _rows_of(self, number: int, file: str) -> pa.Table:
        try:
            record = self.folder.record(number)
        except DamagedShard as e:
            raise UserError([f"{e}; ttrsim run --resume plays shard {number} again"]) from None
        return _read(self.folder.shard(number) / file, record.files.get(file))

    @cached_property
    def names(self) -> Names:
        """What numbers are called."""
        return names_of(self.player)

    @cached_property
    def _tally(self) -> Tally:
        return add_up(self.player, self.folder, self.shards, self.batches)

    def table(self, name: str) -> pd.DataFrame:
        """A table of aggregates; `docs/runs.md` describes all."""
        _check_table(name)
        summary = self.folder.read_summary()
        if summary is None:
            return self._frame(tidy(self._tally, name, self.names), name)
        if lost := summary.batches - len(self.batches):
            told = f"shards of {counted(lost, 'batch', 'batches')} of the finished run are missing"
            raise UserError([f"{self.folder.shards}: {told}; ttrsim run --resume plays them again"])
        file = f"{name}.parquet"
        return self._frame(_read(self.folder.summary / file, summary.files.get(file)), name)

    def array(self, name: str) -> Array:
        """A table of aggregates, but for `orders`, as integers: `axes(name)` in order, then `columns(name)`."""
        _check_table(name)
        if name == "orders":
            raise UserError(["orders are a table only, there being so many that never occur"])
        if not self.finished:
            return self._tally.arrays[name]
        return dense(self.table(name), name, self.player.sizes.shape(name, self.batches))

    def axes(self, name: str) -> dict[str, Sequence[str] | Sequence[int]]:
        """What the axes of `array(name)` are called, and what stands along each."""
        shape = self.player.sizes.shape(name, self.batches)
        numbers = TABLES[name].level.numbers(self.batches)
        return {
            axis: (numbers if axis in ("batch", "group") else labels(axis, name, self.names) or range(length))
            for axis, length in zip(TABLES[name].axes, shape, strict=False)
        }

    def _frame(self, table: pa.Table, name: str) -> pd.DataFrame:
        """The table in pandas, with all names as categories, in the order of the board or plan."""
        frame: pd.DataFrame = table.unify_dictionaries().to_pandas()
        for column in frame.columns:
            if found := labels(column, name, self.names):
                frame[column] = frame[column].cat.set_categories(found)
        return frame

    def columns(self, name: str) -> Sequence[str]:
        """What the last axis of `array(name)` holds."""
        return TABLES[name].columns


def _check_table(name: str) -> None:
    if name not in TABLES:
        raise UserError([f"no table {name!r}; tables are {', '.join(TABLES)}"])


def _read(path: Path, file: FileRecord | None) -> pa.Table:
    """A table of which the record is given, if it is as it was written."""
    if file is None:
        raise UserError([f"{path}: is not among the files that were written; ttrsim run --resume makes it again"])
    try:
        check_file(path, file)
        named = [name for name in pq.read_schema(path).names if name in NAMED]
        return pq.read_table(path, read_dictionary=named).replace_schema_metadata()  # which pandas would heed
    except DamagedShard as e:
        raise UserError([f"{e}; ttrsim run --resume makes it again"]) from None
    except (OSError, pa.ArrowException) as e:
        raise UserError([f"{path}: cannot be read: {e}; ttrsim run --resume makes it again"]) from None


def load_player(folder: Folder, plan: Plan) -> Player:
    """What plays the games of a stored run: its board and strategies, from where they were or from the run's copies."""
    return Player(plan, _load_board(folder, plan), [_load_strategy(folder, s) for s in plan.strategies])


def check_rules(folder: Folder, plan: Plan) -> None:
    """Refuse to play games of a run that this version would play otherwise."""
    if plan.rules_version != RULES_VERSION:
        told = f"is by rules version {plan.rules_version}; this ttrsim plays by {RULES_VERSION}"
        raise UserError([f"{folder.path}: {told}"])
    if plan.kit_sha256 != kit_sha256():
        raise UserError([f"{folder.path}: the helpers of strategies (ttrsim.kit) have changed since it was played"])


def _load_board(folder: Folder, plan: Plan) -> Board:
    copy = str(folder.path / "board.toml") + (f":{plan.board.variant}" if plan.board.variant else "")
    for name in (show_home(plan.board.id), copy):
        try:
            board = load_board(name)
        except UserError:
            continue
        if board.sha256 == plan.board.sha256:
            return replace(board, id=plan.board.id)
    raise UserError([f"{folder.path / 'board.toml'}: is missing, or is not the board of the run"])


def _load_strategy(folder: Folder, strategy: StrategyPlan) -> Strategy:
    copy = folder.path / "strategies" / strategy.copy_name
    for name in (show_home(strategy.source), str(copy)):
        try:
            loaded = load_strategy(name, strategy.params)
        except UserError:
            continue
        if loaded.sha256 == strategy.sha256:
            return replace(loaded, name=strategy.name.partition("(")[0].partition(" #")[0])
    raise UserError([f"{copy}: is missing, or is not the strategy of the run"])

"""Read a run: its rows and aggregates as pandas frames, and its games."""

import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from ttrsim import views
from ttrsim.boards import Board
from ttrsim.choices import RowTable
from ttrsim.errors import UserError
from ttrsim.files import Temporary
from ttrsim.progress import Listener, OnMessage, OnProgress
from ttrsim.runs.copies import load_player
from ttrsim.runs.laps import pieces
from ttrsim.runs.make import check_run
from ttrsim.runs.playing import Player, names_of
from ttrsim.runs.recipe import Recipe
from ttrsim.runs.rows import Names, rows_problem
from ttrsim.runs.stopping import Outcome
from ttrsim.runs.store import Folder, OldFolder
from ttrsim.runs.stored_files import DamagedShard, FileRecord, ShardRecord, Summary, read_file
from ttrsim.runs.summary import add_sums, add_up, labels, table_of_sums
from ttrsim.runs.tally import FILE, TABLES, Array, Level, Tally
from ttrsim.schedule import GROUP_BATCHES, Schedule

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ttrsim.views import Game, Report

NAMED = ("strategy", "other", "ticket", "route", "city", "line_up", "ending", "order")
"""Columns of names, which are categories in frames."""


class Run:
    """A run, finished or not, just played or stored.

    >>> run = Run.open("runs/first")
    >>> run.stats("tickets", by="all")
    """

    _home: Temporary | None = None  # where the run lies, if it is not kept

    def __init__(
        self,
        folder: Folder,
        player: Player | None = None,
        outcome: Outcome | None = None,
        home: Temporary | None = None,
    ) -> None:
        self.folder, self._home = folder, home
        self.file = folder.read()
        self.recipe: Recipe = self.file.recipe
        if player:
            self.player = Player(self.recipe, replace(player.board, id=self.recipe.board.id), player.strategies)
        else:
            self.player = load_player(folder, self.recipe)
        self.board: Board = self.player.board
        self.strategies: list[str] = self.recipe.names
        if outcome:
            self.outcome = outcome

    @classmethod
    def open(cls, path: str | Path) -> "Run":
        """Return the run in a folder."""
        folder = Folder(path)
        try:
            return cls(folder)
        except OldFolder:
            from ttrsim.runs.old_folders import OldRun

            return OldRun(folder)

    def close(self) -> None:
        """Remove the run if it lies in a temporary folder."""
        if self._home:
            shutil.rmtree(self.folder.path, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __repr__(self) -> str:
        games = f"{self.games_played:,} of {self.recipe.schedule.games:,} games"
        where = "not kept" if self._home else f"in {self.folder.path}"
        return f"<Run of {self.board.id}: {games}, {', '.join(self.strategies)}, seed {self.recipe.seed}, {where}>"

    def _repr_html_(self) -> str:
        from ttrsim.notebook import run_html

        return run_html(self)

    @property
    def path(self) -> Path | None:
        """The folder that the run is kept in; None if it is not kept."""
        return None if self._home else self.folder.path

    @cached_property
    def outcome(self) -> Outcome:
        """Win shares, and how the run ended."""
        return Outcome.of(self.recipe, map(self._record, self.present), self.digest)

    @property
    def finished(self) -> bool:
        """Return whether all games were played and summed up."""
        return self.summary is not None

    @property
    def digest(self) -> str | None:
        """The digest of a finished run, which is equal if and only if all results are; else None."""
        return self.summary.digest if self.summary else None

    @cached_property
    def summary(self) -> Summary | None:
        """The summary of a finished run; None for others, also if the run was made longer since it was written."""
        summary = self.folder.read_summary()
        if summary is None or summary.run != self.recipe.identity or summary.planned_laps != self.recipe.laps:
            return None
        return summary if summary.laps <= self.recipe.laps else None

    @cached_property
    def schedule(self) -> Schedule:
        """The numbering and division of the games. An unfinished run that may stop ends at its first missing lap."""
        laps = self.summary.laps if self.summary else self._gapless if self.recipe.stop else self.recipe.laps
        return replace(self.recipe.schedule, laps=max(1, laps))

    @property
    def _gapless(self) -> int:
        """The number of laps stored before the first missing one."""
        laps = 0
        for shard in self.present:
            if shard.start != laps:
                break
            laps = shard.stop
        return laps

    @cached_property
    def present(self) -> list[range]:
        """The shards that are stored, by their laps."""
        return self.folder.present()

    @cached_property
    def batches(self) -> list[int]:
        """The batches of which all games are stored."""
        schedule = self.schedule
        if self.summary:
            return list(range(schedule.batches))
        played: Counter[int] = Counter()
        for laps in self.present:
            for piece in pieces(laps, schedule.batch_laps):
                played[piece.start // schedule.batch_laps] += len(piece)
        return sorted(b for b, laps in played.items() if b < schedule.batches and laps == len(schedule.batch(b)))

    @cached_property
    def shards(self) -> list[range]:
        """The shards of those batches, by their laps."""
        whole, size = set(self.batches), self.schedule.batch_laps
        return [laps for laps in self.present if laps.start // size in whole and laps.stop <= self.schedule.laps]

    @property
    def games_played(self) -> int:
        """Games of those batches."""
        return sum(len(self.schedule.batch(b)) for b in self.batches) * self.schedule.lap_games

    def check_begun(self) -> None:
        """Refuse a run of which no batch is complete."""
        if not self.batches:
            raise UserError([f"{self.folder.path}: no batch is finished yet"])

    @cached_property
    def games(self) -> pd.DataFrame:
        """One row per game."""
        return self.rows("games")

    @cached_property
    def players(self) -> pd.DataFrame:
        """One row per seat of a game."""
        return self.rows("players")

    @cached_property
    def tickets(self) -> pd.DataFrame:
        """One row per ticket that a seat was offered."""
        return self.rows("tickets")

    @cached_property
    def claims(self) -> pd.DataFrame:
        """One row per route claimed."""
        return self.rows("claims")

    def rows(self, table: RowTable, games: int | None = None) -> pd.DataFrame:
        """Return the rows of a table in the order of games; with `games`, of about that many of the first ones."""
        self.check_recorded(table)
        self.check_begun()
        self._check_stored()
        parts, read = [], 0
        for laps in self.shards:
            if games is None or read < games:
                parts.append(self._rows_of(laps, table))
                read += len(laps) * self.schedule.lap_games
        frame = self._frame(pa.concat_tables(parts), table)
        if table == "games":
            batch = frame["block"] // (len(self.recipe.line_ups) * self.schedule.batch_laps)
            frame.insert(2, "batch", batch.astype("int16"))
        return frame

    def check_recorded(self, table: RowTable) -> None:
        """Refuse rows that were not recorded."""
        if table not in self.recipe.record:
            recorded = ",".join(self.recipe.record) or "none"
            raise UserError(
                [f"{self.folder.path}: {table} were not recorded; recorded: {recorded} (see ttrsim run --record)"]
            )

    def _check_stored(self) -> None:
        """Refuse to read rows if shards were removed from a finished run."""
        missing = self.games_played - sum(map(len, self.shards)) * self.schedule.lap_games
        if missing:
            problem = f"{missing:,} of {self.games_played:,} games are missing"
            raise UserError([f"{self.folder.path}: {problem}; ttrsim run --resume plays them again"])

    def _rows_of(self, laps: range, table: RowTable) -> pa.Table:
        path = self.folder.shard(laps) / f"{table}.parquet"
        try:
            record = self.folder.record(laps)
            check_run(self.folder, self.recipe, record)
            if path.name not in record.files:
                raise DamagedShard(f"{path}: is not among the files that were written")
            rows = read_rows(path, record.files[path.name], table, self.schedule.games_of(laps))
            for column in rows.column_names:
                known = labels(column, table, self.names)
                if known and not set(rows[column].unique().to_pylist()).issubset(known):
                    raise DamagedShard(f"{path}: column {column} has names that the run does not have")
            return rows
        except DamagedShard as e:
            raise UserError([f"{e}; ttrsim run --resume plays it again"]) from None

    @cached_property
    def names(self) -> Names:
        """The names that the numbers in the results stand for."""
        return names_of(self.player)

    @cached_property
    def tally(self) -> Tally:
        """The sums of the games of those batches."""
        tally, size = Tally(self.player.sizes, self.schedule.batch_laps), self.schedule.batch_laps
        if self.summary:
            laps, path = range(self.summary.laps), self.folder.summary / FILE
            try:
                add_sums(path, self.summary.files.get(FILE), tally, size, laps)
            except DamagedShard as e:
                raise UserError([f"{e}; ttrsim run --resume makes it again"]) from None
            return tally
        return add_up(self.player.sizes, self.folder, map(self._record, self.shards), size)

    def _record(self, laps: range) -> ShardRecord:
        try:
            record = self.folder.record(laps)
        except DamagedShard as e:
            raise UserError([f"{e}; ttrsim run --resume plays it again"]) from None
        check_run(self.folder, self.recipe, record)
        return record

    def table(self, name: str) -> pd.DataFrame:
        """Return a table of sums; `docs/runs.md` describes all."""
        check_table(name)
        return self._frame(table_of_sums(self.tally, name, self.names), name)

    def array(self, name: str) -> Array:
        """Return a table of sums, but for `orders`, as an array along `axes(name)` with a field for each column."""
        check_arrays(name)
        return self.tally.array(name, self.numbers(name))

    @property
    def groups(self) -> Array:
        """The group of each batch."""
        return np.array(self.batches) // GROUP_BATCHES

    def numbers(self, name: str) -> list[int]:
        """Return the batches or groups that the first axis of a table is about."""
        level, size = TABLES[name].level, self.schedule.batch_laps
        return sorted({level.number(batch * size, size) for batch in self.batches})

    def axes(self, name: str) -> dict[str, Sequence[str] | Sequence[int]]:
        """Return the names of the axes of `array(name)`, each with its labels."""
        level = [self.numbers(name)] if TABLES[name].level is not Level.RUN else []
        named = [axis for axis in TABLES[name].axes if axis not in ("batch", "group")]
        lengths = self.player.sizes.shape(name)
        along = [labels(axis, name, self.names) or range(length) for axis, length in zip(named, lengths, strict=False)]
        return dict(zip(TABLES[name].axes, [*level, *along], strict=True))

    def _frame(self, table: pa.Table, name: str) -> pd.DataFrame:
        """Convert a table to pandas, with all names as categories in the order of the board or run."""
        frame: pd.DataFrame = table.unify_dictionaries().to_pandas()
        for column in frame.columns:
            if found := labels(column, name, self.names):
                frame[column] = frame[column].cat.set_categories(found)
        return frame

    def stats(
        self,
        table: str,
        *,
        by: str | None = None,
        margin: float = 0.01,
        ticket: str | None = None,
        progress: OnProgress | None = None,
        message: OnMessage | None = None,
    ) -> pd.DataFrame:
        """Return a table of `ttrsim stats`: every estimate with the ends of its 95 % interval.

        by: how rows are split; margin: by how much of win share a balanced seat may be off, for `seats`; ticket: for
        `paths`, which plays games again if claims were not recorded.

        >>> run.stats("tickets", by="all")
        """
        return views.stats(self, table, by, margin, ticket, Listener(progress, message))

    @property
    def answers(self) -> list[str]:
        """Return the sentences that begin the page: who wins, and what seats, tickets and routes do."""
        return views.answers(self)

    def plot(
        self,
        kind: str,
        path: str | Path | None = None,
        *,
        value: str | None = None,
        strategy: str | None = None,
        ticket: str | None = None,
        margin: float | None = None,
        progress: OnProgress | None = None,
        message: OnMessage | None = None,
    ) -> "Axes":
        """Draw a plot of `ttrsim plot`, and write it to a .png, .svg or .pdf file if there is a path.

        margin: of win share, or with value="score_effect" in points.
        """
        points = margin if margin is None or value == "score_effect" else 100 * margin
        wanted = {"value": value, "strategy": strategy, "ticket": ticket, "margin": points}
        return views.plot(self, kind, None if path is None else Path(path), wanted, Listener(progress, message))

    def report(self, *paths: str | Path, margin: float = 0.01) -> "Report":
        """Make the report of the run, and write it to .html, .md or .json files.

        margin: by how much of win share something may be off without mattering.
        """
        return views.report(self, paths, margin)

    def replay(self, game: int, *, progress: OnProgress | None = None, message: OnMessage | None = None) -> "Game":
        """Play one game of the run again, and return everything that happens in it."""
        return views.replay(self, game, Listener(progress, message))


def check_table(name: str) -> None:
    """Refuse a name that is not that of a table of sums."""
    if name not in TABLES:
        raise UserError([f"no table {name!r}; tables are {', '.join(TABLES)}"])


def check_arrays(name: str) -> None:
    """Refuse a name that is not that of a table of sums with an array."""
    check_table(name)
    if name == "orders":
        raise UserError(["orders have no array, because most possible orders never occur; use run.table('orders')"])


def read_rows(path: Path, file: FileRecord, table: RowTable, games: range) -> pa.Table:
    """Return the rows of a shard. Raises DamagedShard if they are not as they were written."""
    content = read_file(path, file)
    try:
        read = pq.read_table(pa.BufferReader(content), read_dictionary=list(NAMED)).replace_schema_metadata()
        read.validate(full=True)
    except (OSError, pa.ArrowException) as e:
        raise DamagedShard(f"{path}: cannot be read: {e}") from None
    if problem := rows_problem(table, read, games):
        raise DamagedShard(f"{path}: {problem}")
    return read

"""Read the statistics of folders of format 1, which were written up to rules version 2.

In that format the batches are 200 ranges of laps of about the same size, and four of them make a group. Only finished
runs can be read; they have their sums as Parquet tables.
"""

import json
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import ValidationError

from ttrsim.choices import RowTable
from ttrsim.core.sums import LOWEST_SCORE
from ttrsim.errors import UserError
from ttrsim.runs.copies import load_player, load_stored
from ttrsim.runs.read import NAMED, Run, check_arrays, check_table
from ttrsim.runs.recipe import Provenance, Recipe, RunFile
from ttrsim.runs.store import Folder
from ttrsim.runs.stored_files import DamagedShard, FileRecord, read_file, read_json
from ttrsim.runs.tally import TABLES, Array, Level

GROUP_BATCHES = 4
RENAMED = {
    "seats": {"dealt": "offered", "dealt_kept": "offered_kept", "dealt_completed": "offered_completed"},
    "ticket_fates": {"timed": "connected", "timed_turns": "connected_turn", "cut": "blocked"},
    "routes": {"turns": "turn"},
    "cities": {"turns": "turn", "games": "visits"},
    "line_ups": {"games": "seats"},
    "versus": {"games": "pairs"},
    "scores": {"games": "seats"},
    "players": {"dealt": "offered", "dealt_kept": "offered_kept", "dealt_completed": "offered_completed"},
    "tickets": {"opening": "offered"},
    "claims": {"order": "table_turn"},
}
"""By table, the new names of columns that had others."""


class OldRun(Run):
    """A finished run in a folder of format 1."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        try:
            stored = json.loads(read_json(folder.path / "run.json"))
            self._summary = json.loads(read_json(folder.summary / "summary.json"))
            values = {name: value for name, value in stored["plan"].items() if name != "shard_games"}
            values["strategies"] = [{**strategy, "content_sha256": "0" * 64} for strategy in values["strategies"]]
            recipe = Recipe.model_validate(values)
            self._batches, self._digest = int(self._summary["batches"]), str(self._summary["digest"])
        except FileNotFoundError:
            raise UserError([f"{folder.path}: is in folder format 1 and was not finished; play it again"]) from None
        except (OSError, ValueError, TypeError, KeyError, ValidationError) as e:
            raise UserError([f"{folder.path}: is damaged: {e}"]) from None
        self.recipe = _with_contents(folder, recipe)
        self.player = load_player(folder, self.recipe)
        self.board, self.strategies = self.player.board, self.recipe.names
        provenance = Provenance.model_validate(stored["provenance"])
        self.file = RunFile.model_construct(recipe=self.recipe, provenance=provenance, sha256=stored["sha256"])

    @property
    def finished(self) -> bool:
        """True: unfinished runs are refused."""
        return True

    @property
    def digest(self) -> str:
        """The digest as that version computed it."""
        return self._digest

    @cached_property
    def batches(self) -> list[int]:
        """The numbers of its batches."""
        return list(range(self._batches))

    @property
    def groups(self) -> Array:
        """The group of each batch."""
        return np.array(self.batches) // GROUP_BATCHES

    @property
    def games_played(self) -> int:
        """The number of games."""
        return int(self._summary["games"])

    def rows(self, table: RowTable, games: int | None = None) -> pd.DataFrame:
        """Return the rows of a table in the order of games; with `games`, of about that many of the first ones."""
        self.check_recorded(table)
        parts, read = [], 0
        for shard in sorted(self.folder.shards.iterdir()):
            if games is None or read < games:
                record = self._json(shard / "done.json")["record"]
                parts.append(self._read(shard / f"{table}.parquet", record["files"]))
                read += record["games"]
        return self._frame(pa.concat_tables(parts), table).rename(columns=RENAMED.get(table, {}))

    def table(self, name: str) -> pd.DataFrame:
        """Return a table of sums; `docs/runs.md` describes all. Columns that were not counted then are 0."""
        check_table(name)
        if f"{name}.parquet" not in self._summary["files"]:
            raise UserError([f"{self.folder.path}: is in folder format 1, which has no sums of {name}; play it again"])
        found = self._read(self.folder.summary / f"{name}.parquet", self._summary["files"])
        frame = self._frame(found, name).rename(columns=RENAMED.get(name, {}))
        spec = TABLES[name]
        counted = frame.assign(**{column: 0 for column in spec.columns if column not in frame})
        return counted[[*spec.axes, *spec.columns]]

    def array(self, name: str) -> Array:
        """Return a table of sums, but for `orders`, as an array along `axes(name)` with a field for each column."""
        check_arrays(name)
        table, spec = self.table(name), TABLES[name]
        array = np.zeros([len(along) for along in self.axes(name).values()], spec.dtype)
        places = []
        for axis in spec.axes:
            if hasattr(table[axis], "cat"):
                places.append(table[axis].cat.codes.to_numpy())
            else:
                places.append(table[axis].to_numpy() - (LOWEST_SCORE if axis == "score" else 0))
        for column in spec.columns:
            array[column][tuple(places)] = table[column]
        return array

    def numbers(self, name: str) -> list[int]:
        """Return the batches or groups that the first axis of a table is about."""
        return sorted(set(self.groups.tolist())) if TABLES[name].level is Level.GROUP else self.batches

    def _json(self, path: Path) -> Any:
        try:
            return json.loads(read_json(path))
        except (OSError, ValueError) as e:
            raise UserError([f"{path}: cannot be read: {e}"]) from None

    def _read(self, path: Path, files: Any) -> pa.Table:
        """Read a table after checking its hash."""
        try:
            file = FileRecord(bytes=files[path.name]["bytes"], sha256=files[path.name]["sha256"])
            content = read_file(path, file)
            return pq.read_table(pa.BufferReader(content), read_dictionary=list(NAMED)).replace_schema_metadata()
        except (DamagedShard, KeyError, TypeError, ValidationError, OSError, pa.ArrowException) as e:
            raise UserError([f"{path}: is damaged: {e}"]) from None


def _with_contents(folder: Folder, recipe: Recipe) -> Recipe:
    """Return the recipe with the hashes of what its strategies do, which that version did not record."""
    loaded = [load_stored(folder, strategy, "sha256").content_sha256 for strategy in recipe.strategies]
    pairs = zip(recipe.strategies, loaded, strict=True)
    return recipe.changed(strategies=[strategy.model_copy(update={"content_sha256": sha}) for strategy, sha in pairs])

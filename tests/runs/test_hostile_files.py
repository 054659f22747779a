"""Stored files that somebody made up, with the right hashes: one clear error each."""

import io
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from runs.making import in_order, make_player, play, store
from ttrsim.errors import UserError
from ttrsim.runs import Run
from ttrsim.runs.recipe import Begun
from ttrsim.runs.store import Folder
from ttrsim.runs.stored_files import Done, file_record, hash_of
from ttrsim.runs.tally import HEADER

TABLES = ("games", "players", "tickets", "claims")


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    return store(tmp_path_factory.mktemp("hostile") / "run", games=80, record=TABLES).folder.path


@pytest.fixture
def run(whole, tmp_path) -> Folder:
    """A run that is not summed up, so that its shards are read."""
    path = Path(shutil.copytree(whole, tmp_path / "run"))
    shutil.rmtree(path / "summary")
    return Folder(path)


def seal(folder: Folder, name: str, content: bytes, **changes) -> Path:
    """Put a file into the first shard, with a record that says so."""
    laps = folder.present()[0]
    record = folder.record(laps)
    record = record.model_copy(update={"files": {**record.files, name: file_record(content)}, **changes})
    (folder.shard(laps) / name).write_bytes(content)
    done = Done(record=record, sha256=hash_of(record)).model_dump_json()
    (folder.shard(laps) / "done.json").write_text(done, "utf-8")
    return folder.shard(laps) / name


def rows(folder: Folder, table: str) -> pa.Table:
    return pq.read_table(folder.shard(folder.present()[0]) / f"{table}.parquet")


def with_column(table: pa.Table, name: str, values) -> pa.Table:
    return table.set_column(table.schema.get_field_index(name), name, pa.array(values))


def written(table: pa.Table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


HOSTILE_ROWS = {
    "no rows of a table": (lambda t: t.select([]), "should have exactly the columns game"),
    "a column missing": (lambda t: t.drop_columns(["strategy"]), "should have exactly the columns game"),
    "a column more": (lambda t: t.append_column("x", pa.array([0] * len(t))), "should have exactly the columns game"),
    "columns in another order": (lambda t: t.select(t.column_names[::-1]), "should have exactly the columns game"),
    "strings": (lambda t: with_column(t, "score", ["x"] * len(t)), "column score is string, not int16"),
    "fractions": (lambda t: with_column(t, "score", np.zeros(len(t))), "column score is double, not int16"),
    "nulls": (lambda t: with_column(t, "score", pa.nulls(len(t), pa.int16())), "column score has missing values"),
    "names as numbers": (
        lambda t: with_column(t, "strategy", [1] * len(t)),
        "column strategy is int64, not",
    ),
    "a name of nobody": (
        lambda t: with_column(t, "strategy", ["nobody"] * len(t)),
        "column strategy has names that the run does not have",
    ),
    "games of others": (lambda t: with_column(t, "game", [10**6] * len(t)), "has games outside 0 to "),
    "games before the first": (lambda t: with_column(t, "game", [-1] * len(t)), "has games outside 0 to "),
}


@pytest.mark.parametrize("case", HOSTILE_ROWS)
def test_rows_of_another_shape_are_refused(run, case):
    change, told = HOSTILE_ROWS[case]
    path = seal(run, "players.parquet", written(change(rows(run, "players"))))
    with pytest.raises(UserError, match=re.escape(f"{path}: {told}") + ".*; ttrsim run --resume plays it again"):
        _ = Run.open(run.path).players


def test_an_index_that_no_name_has_is_refused(run):
    """Written by hand: its only dictionary page says two names, its indices 3 and more."""
    whole = written(pa.table({"game": pa.array([0, 1]), "x": pa.array(["a", "b"]).dictionary_encode()}))
    path = seal(run, "players.parquet", whole[:60] + bytes([255] * 20) + whole[80:])
    with pytest.raises(UserError, match=re.escape(f"{path}: ")):
        _ = Run.open(run.path).players


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(100) + b"\xff\xff\xff\x7fPAR1", b"dear"])
def test_what_is_no_parquet_is_refused(run, content):
    path = seal(run, "games.parquet", content)
    with pytest.raises(UserError, match=re.escape(f"{path}: cannot be read: ")):
        _ = Run.open(run.path).games


def sums_of(folder: Folder) -> tuple[bytes, np.ndarray]:
    """Return the head of the first shard's file of sums, and its numbers."""
    content = (folder.shard(folder.present()[0]) / "sums.bin").read_bytes()
    size = int.from_bytes(content[16:HEADER], "little")
    return content[:16], np.frombuffer(pa.decompress(content[HEADER:], size, "zstd", asbytes=True), "<i8").copy()


def sums_file(head: bytes, numbers: np.ndarray, size: int | None = None) -> bytes:
    packed = pa.Codec("zstd").compress(numbers.tobytes(), asbytes=True)
    return head + (numbers.nbytes if size is None else size).to_bytes(8, "little") + packed


def changed(numbers: np.ndarray, place: int, value: int) -> np.ndarray:
    numbers = numbers.copy()
    numbers[place] = value
    return numbers


HOSTILE_SUMS = {
    "nothing": lambda head, numbers: b"",
    "of other tables": lambda head, numbers: sums_file(bytes(16), numbers),
    "2^40 batches": lambda head, numbers: sums_file(head, changed(numbers, 0, 2**40)),
    "2^62 orders": lambda head, numbers: sums_file(head, changed(numbers, 2, 2**62)),
    "less than no batches": lambda head, numbers: sums_file(head, changed(numbers, 0, -1)),
    "another batch": lambda head, numbers: sums_file(head, changed(numbers, 3, 2**40)),
    "another group": lambda head, numbers: sums_file(head, changed(numbers, 3 + int(numbers[0]), -7)),
    "orders of another batch": lambda head, numbers: sums_file(head, changed(numbers, 3 + numbers[:2].sum(), 199)),
    "fewer numbers": lambda head, numbers: sums_file(head, numbers[:-1]),
    "more numbers": lambda head, numbers: sums_file(head, np.append(numbers, 0)),
    "a size that is not so": lambda head, numbers: sums_file(head, numbers, numbers.nbytes + 8),
    "a size beyond any": lambda head, numbers: sums_file(head, numbers, 2**60),
    "no size": lambda head, numbers: sums_file(head, numbers, 0),
    "a gigabyte of zeros": lambda head, numbers: sums_file(head, np.zeros(2**27, np.int64)),
    "no zstd": lambda head, numbers: head + numbers.nbytes.to_bytes(8, "little") + b"dear",
}


@pytest.mark.parametrize("case", HOSTILE_SUMS)
def test_sums_of_another_shape_are_refused_and_not_unpacked(run, monkeypatch, case):
    sizes, decompress = [], pa.decompress
    head, numbers = sums_of(run)
    path = seal(run, "sums.bin", HOSTILE_SUMS[case](head, numbers))

    def unpack(content, decompressed_size, **options):
        sizes.append(decompressed_size)
        return decompress(content, decompressed_size=decompressed_size, **options)

    monkeypatch.setattr("ttrsim.runs.tally.pa.decompress", unpack)
    with pytest.raises(UserError, match=re.escape(f"{path}: ") + ".*; ttrsim run --resume plays it again"):
        Run.open(run.path).table("seats")
    assert all(size < 2**27 for size in sizes)


@pytest.mark.parametrize("batch_laps", [2, 3, 2**40])
def test_sums_by_batches_that_are_none_of_the_runs_are_refused(tmp_path, batch_laps):
    play(make_player(games=8), tmp_path / "run", in_order(range(1)))
    folder = Folder(tmp_path / "run")
    path = seal(folder, "sums.bin", (folder.shard(range(1)) / "sums.bin").read_bytes(), batch_laps=batch_laps)
    with pytest.raises(UserError, match=re.escape(f"{path}: has sums by batches of {batch_laps} laps")):
        Run.open(folder.path).table("seats")


@pytest.fixture
def endless(run) -> Folder:
    """The run, said to have a million million laps."""
    begun = run.read()
    run.write_run(Begun(recipe=begun.recipe.changed(laps=10**12), provenance=begun.provenance))
    return run


def test_a_million_million_laps_are_no_work(endless, ttrsim):
    ended = ttrsim("stats", endless.path)
    assert (ended.code, ended.err) == (1, f"Error: {endless.path}: no batch is finished yet\n")
    ended = ttrsim("verify", endless.path, "--quiet", "--sample", 1)
    assert ended.code == 1
    assert "1,999,999,999,920 of 2,000,000,000,000 games have not been played yet" in ended.err
    taken = []

    def engine(player, staging, gaps):
        taken.append(gaps.take(2**20))
        yield from ()

    outcome = play(Run.open(endless.path).player, endless.path, engine, resume=True)
    assert (outcome.missing, len(taken)) == (10**12 - 40, 1)


@pytest.mark.parametrize("copy", ["board.toml", "strategies/0_random.py"])
def test_a_folder_in_place_of_a_copy_is_told_with_how_to_mend_it(run, ttrsim, copy):
    (run.path / copy).unlink()
    (run.path / copy).mkdir()
    ended = ttrsim("verify", run.path, "--quiet", "--sample", 1)
    assert (ended.code, f"{run.path / copy}: is missing, or was altered" in ended.err) == (1, True)
    ended = ttrsim("run", "--resume", "-o", run.path, "--quiet")
    assert ended.code == 1
    told = "is a folder where the run has a file; move it elsewhere"
    assert ended.err == f"Error: {run.path / copy}: {told}\n"
    (run.path / copy).rmdir()
    assert ttrsim("run", "--resume", "-o", run.path, "--quiet").code == 0


def test_only_all_games_played_again_find_one_that_was_altered(tmp_path, monkeypatch, ttrsim):
    """Altered before it was hashed: every file is as it was written, and a probe is of other laps."""
    player = make_player(games=8)
    plays = player.play

    def altered(laps, *more):
        results = plays(laps, *more)
        results.seats["score"][results.games["index"] == 5] += 1
        return results

    monkeypatch.setattr(player, "play", altered)
    play(player, tmp_path / "run", in_order(range(4)))
    assert Folder(tmp_path / "run").record(range(4)).probe_lap != 2
    assert ttrsim("verify", tmp_path / "run", "--quiet").code == 0
    ended = ttrsim("verify", tmp_path / "run", "--quiet", "--sample", "all")
    assert (ended.code, "games 0 to 7 have other results when played again" in ended.err) == (1, True)


def test_a_record_of_other_laps_than_its_name_is_refused(run, ttrsim):
    first, second, *_ = run.present()
    shutil.rmtree(run.shard(second))
    shutil.copytree(run.shard(first), run.shard(second))
    assert "done.json: was altered" in ttrsim("verify", run.path, "--quiet").err
    assert json.loads((run.shard(second) / "done.json").read_text("utf-8"))["record"]["first_lap"] == 0

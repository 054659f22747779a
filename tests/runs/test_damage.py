"""Damaged and altered files of shards, summaries and copies: named, not read, and made again."""

import json
import re
import shutil

import pytest

from runs.damaging import damage_altered, damage_removed, damage_truncated
from runs.making import content, store
from ttrsim.errors import UserError
from ttrsim.runs import Run
from ttrsim.runs.store import Folder
from ttrsim.runs.stored_files import shard_name


@pytest.mark.parametrize("damage", [damage_truncated, damage_altered, damage_removed])
@pytest.mark.parametrize("file", ["players.parquet", "sums.bin", "done.json"])
def test_damaged_shard_is_named_and_played_again(tmp_path, ttrsim, damage, file):
    path = tmp_path / "run"
    store(path, games=2000, record=("players",))
    before, laps = content(path), Folder(path).present()[2]
    damage(path / "shards" / shard_name(laps) / file)
    verified = ttrsim("verify", path, "--quiet")
    assert verified.code == 1
    assert re.search(rf"Error: \S+{shard_name(laps)}.{file}: .*--resume plays it again\n$", verified.err)
    resumed = ttrsim("run", "--resume", "-o", path, "-j", 1)
    assert resumed.code == 0
    told = f"shard {laps[0]}-{laps[-1]} is removed, to be played again"
    assert re.search(rf"{shard_name(laps)}.{file}: .*; {told}\n", resumed.err)
    assert content(path) == before
    assert ttrsim("verify", path).code == 0


def test_damaged_summary_is_noticed_and_made_again(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=1000)
    before = content(path)
    damage_altered(path / "summary" / "tickets.parquet")
    assert "tickets.parquet: was altered" in ttrsim("verify", path).err
    assert ttrsim("run", "--resume", "-o", path, "--quiet").code == 0
    assert content(path) == before


@pytest.mark.parametrize("changed", ["planned_laps", "laps", "files"])
def test_altered_summary_json_is_noticed_and_made_again(tmp_path, ttrsim, changed):
    path = tmp_path / "run"
    store(path, games=400)
    before, file = content(path), path / "summary" / "summary.json"
    told = json.loads(file.read_text("utf-8"))
    told[changed] = {} if changed == "files" else told[changed] - 1
    file.write_text(json.dumps(told), "utf-8")
    told = ttrsim("verify", path, "--quiet").err
    assert told == f"Error: {file}: was altered; ttrsim run --resume makes it again\n"
    assert ttrsim("run", "--resume", "-o", path, "--quiet").code == 0
    assert content(path) == before


@pytest.mark.parametrize("file", ["sums.bin", "games.parquet"])
def test_altered_tables_are_not_read(tmp_path, file):
    path = tmp_path / "run"
    run = store(path, games=400, record=("games",))
    altered = (path / "summary" if file == "sums.bin" else run.folder.shard(run.present[0])) / file
    damage_altered(altered)
    run = Run.open(path)
    with pytest.raises(UserError, match=re.escape(f"{altered}: was altered: ") + ".*--resume"):
        run.table("line_ups") if file == "sums.bin" else run.games


@pytest.mark.parametrize("copy", ["board.toml", "strategies/1_random_kind.py"])
def test_altered_copy_of_a_source_is_noticed_and_written_again(tmp_path, ttrsim, copy):
    path = tmp_path / "run"
    store(path, games=400)
    before = (path / copy).read_bytes()
    damage_altered(path / copy)
    ended = ttrsim("verify", path, "--quiet")
    assert (ended.code, ended.err) == (1, f"Error: {path / copy}: is missing, or was altered; ttrsim run --resume copies it again\n")  # fmt: skip  # noqa: E501
    assert ttrsim("run", "--resume", "-o", path, "--quiet").code == 0
    assert (path / copy).read_bytes() == before


def test_merge_takes_the_board_of_the_portions_where_its_file_has_changed(tmp_path, ttrsim, board_file, small_board):
    board = board_file(small_board)
    store(tmp_path / "part", board=str(board), games=400)
    board.write_text(small_board.replace("trains = 10", "trains = 9"), "utf-8")
    assert ttrsim("merge", tmp_path / "whole", tmp_path / "part", "--quiet").code == 0
    assert (tmp_path / "whole" / "board.toml").read_text("utf-8") == small_board
    board.unlink()
    assert ttrsim("verify", tmp_path / "whole", "--quiet").code == 0


def test_sums_of_a_finished_run_do_not_need_its_shards_but_its_rows_do(tmp_path, ttrsim):
    path = tmp_path / "run"
    run = store(path, games=2000)
    told = ttrsim("stats", path).out
    run.folder.remove(lost := run.present[1])
    assert ttrsim("stats", path).out == told
    with pytest.raises(UserError, match=rf"{2 * len(lost)} of 2,000 games are missing; ttrsim run --resume"):
        _ = Run.open(path).games


@pytest.mark.parametrize("place", ["shard", "summary"])
def test_a_file_in_the_place_of_a_folder_is_noticed_and_left(tmp_path, ttrsim, place):
    path = tmp_path / "run"
    run = store(path, games=2000)
    before = content(path)
    file = path / "summary" if place == "summary" else run.folder.shard(run.present[1])
    shutil.rmtree(file)
    file.write_text("dear", "utf-8")
    assert ttrsim("verify", path, "--quiet").code == 1
    ended = ttrsim("run", "--resume", "-o", path, "-j", 1, "--quiet")
    assert (ended.code, f"{file}: was not written by ttrsim" in ended.err) == (1, True)
    assert file.read_text("utf-8") == "dear"
    file.unlink()
    assert ttrsim("run", "--resume", "-o", path, "-j", 1, "--quiet").code == 0
    assert content(path) == before


def test_games_that_come_out_otherwise_are_noticed(tmp_path, ttrsim, monkeypatch):
    path = tmp_path / "run"
    store(path, games=1000)
    monkeypatch.setattr("ttrsim.runs.verify.replay_hash", lambda player, laps: "0" * 64)
    ended = ttrsim("verify", path)
    assert ended.code == 1
    assert "have other results when played again" in ended.err

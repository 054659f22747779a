"""Questions that a stored run cannot answer, or no longer reliably, are refused with what to do."""

import re
import shutil

import pytest

from runs.making import store
from ttrsim.errors import UserError
from ttrsim.runs import Run
from ttrsim.runs.store import Folder


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Run:
    """A run that has rows of games alone."""
    return store(tmp_path_factory.mktemp("refusals") / "run", games=2000, record=("games",))


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda run: run.rows("players"), "players were not recorded; recorded: games (see ttrsim run --record)"),
        (
            lambda run: run.array("orders"),
            "orders have no array, because most possible orders never occur",
        ),
        (lambda run: run.table("prices"), "no table 'prices'; tables are games, "),
        (lambda run: run.array("prices"), "no table 'prices'; tables are games, "),
    ],
    ids=["rows_not_recorded", "orders_as_array", "table_unknown", "array_unknown"],
)
def test_what_a_run_has_not(run, ask, told):
    with pytest.raises(UserError, match=re.escape(told)):
        ask(run)


def test_rows_of_which_nothing_is_finished(tmp_path, run):
    path = shutil.copytree(run.folder.path, tmp_path / "run")
    shutil.rmtree(path / "shards")
    shutil.rmtree(path / "summary")
    with pytest.raises(UserError, match="no batch is finished yet"):
        Run.open(path).rows("games")


def test_a_damaged_portion_is_not_merged_but_named(tmp_path, run, ttrsim):
    part = shutil.copytree(run.folder.path, tmp_path / "part")
    damaged = Folder(part).shard(run.present[0]) / "sums.bin"
    damaged.write_bytes(b"")
    ended = ttrsim("merge", tmp_path / "whole", part, "--quiet")
    assert (ended.code, ended.out) == (1, "")
    assert re.fullmatch(rf"Error: {re.escape(str(damaged))}: .*; play that portion again with --resume\n", ended.err)
    assert not list((tmp_path / "whole" / "shards").iterdir())


def test_merge_takes_a_shard_anew_that_was_damaged(tmp_path, run, ttrsim):
    whole, part = (shutil.copytree(run.folder.path, tmp_path / name) for name in ("whole", "part"))
    laps = run.present[1]
    damaged = Folder(whole).shard(laps) / "sums.bin"
    damaged.write_bytes(b"")
    ended = ttrsim("merge", whole, part, "--quiet")
    assert ended.code == 0
    assert f"shard {laps[0]}-{laps[-1]} is removed, to be played again" in ended.err
    assert damaged.read_bytes() == (Folder(part).shard(laps) / "sums.bin").read_bytes()
    assert Run.open(whole).digest == run.digest


def test_merge_tells_how_many_games_are_missing(tmp_path, run, ttrsim):
    part = shutil.copytree(run.folder.path, tmp_path / "part")
    Folder(part).remove(run.present[1])
    ended = ttrsim("merge", tmp_path / "whole", part)
    assert f"{2 * len(run.present[1])} of 2,000 games are missing\n" in ended.err
    assert not (tmp_path / "whole" / "summary").exists()


def test_a_run_whose_board_and_its_copy_have_changed(tmp_path, board_file, small_board, ttrsim):
    board = board_file(small_board)
    path = store(tmp_path / "run", board=str(board), games=400).folder.path
    board.write_text(small_board.replace("trains = 10", "trains = 9"), "utf-8")
    (path / "board.toml").unlink()
    ended = ttrsim("replay", path, "--game", 0)
    assert (ended.code, ended.out) == (1, "")
    told = f"is missing, or is not the board of the run; restore the file, or {board} as it was"
    assert ended.err == f"Error: {path / 'board.toml'}: {told}\n"


def test_the_other_side_of_a_stored_run_is_one_board_or_one_line_up(run, ttrsim):
    ended = ttrsim("compare", run.folder.path, "--players", "random,random", "--players", "random_kind,random_kind")
    assert ended.code == 2
    assert "one side is a run: give one board or --players once for the other" in ended.err

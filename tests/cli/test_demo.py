"""`ttrsim demo` writes only into a folder that is new, empty, or an earlier demo's."""

import pytest

from ttrsim.cli.demo import GAMES, PLAYERS, check_folder
from ttrsim.errors import UsageError
from ttrsim.runs.make import opened
from ttrsim.runs.plan import make_plan
from ttrsim.runs.playing import Player
from ttrsim.runs.store import Folder


@pytest.fixture(scope="module")
def player():
    return Player(*make_plan(board="usa", players=PLAYERS, games=GAMES, seed=1))


def begin(folder, player):
    with opened(Folder(folder / "run"), player, resume=True):
        pass


def test_report_of_somebody_else_is_not_written_over(ttrsim, tmp_path):
    (tmp_path / "report.html").write_text("mine")
    ended = ttrsim("demo", "-o", tmp_path, "--quiet")
    assert (ended.code, ended.out) == (2, "")
    assert f"{tmp_path}: is not empty, and no folder of ttrsim demo: it holds report.html" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text() == "mine"


def test_folder_beside_which_another_run_lies_is_refused(tmp_path, player):
    other = Player(*make_plan(board="usa", players="random,random", games=10, seed=1))
    begin(tmp_path, other)
    (tmp_path / "report.html").write_text("of that run")
    with pytest.raises(UsageError, match=r"it holds report\.html"):
        check_folder(tmp_path, player)


def test_run_that_is_somebody_else_s_is_refused(tmp_path, player):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"holds files that are not of a run begun there: notes\.txt"):
        check_folder(tmp_path, player)


def test_new_and_empty_folders_and_those_of_a_demo_are_taken(tmp_path, player):
    check_folder(tmp_path / "new", player)
    assert not (tmp_path / "new").exists()
    check_folder(tmp_path, player)
    (tmp_path / "run").mkdir()  # killed before anything was written
    check_folder(tmp_path, player)
    begin(tmp_path, player)
    (tmp_path / "report.html").write_text("an earlier demo's")
    check_folder(tmp_path, player)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.html", "run"]


def test_folder_without_a_name_is_refused(ttrsim):
    ended = ttrsim("demo", "-o", "", "--quiet")
    assert (ended.code, ended.out) == (2, "")
    assert "is empty; name a folder, such as runs/first" in ended.err

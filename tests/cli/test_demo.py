"""`ttrsim demo` writes only into a folder that is new, empty, or an earlier demo's."""

import re

import pytest
from runs.making import store

from ttrsim.cli.demo import GAMES, PLAYERS, check_folder, write_page
from ttrsim.errors import UsageError, UserError
from ttrsim.report.of_run import report_of_run
from ttrsim.runs.make import opened
from ttrsim.runs.playing import Player
from ttrsim.runs.recipe import make_recipe
from ttrsim.runs.store import Folder


@pytest.fixture(scope="module")
def player():
    return Player(*make_recipe(board="usa", players=PLAYERS, games=GAMES, seed=1))


def begin(folder, player):
    with opened(Folder(folder / "run"), player, resume=True):
        pass


def test_report_of_somebody_else_is_not_written_over(ttrsim, tmp_path):
    (tmp_path / "report.html").write_text("mine")
    ended = ttrsim("demo", "-o", tmp_path, "--quiet")
    assert (ended.code, ended.out) == (2, "")
    assert f"{tmp_path}: holds files that are not from a run begun there: report.html" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    assert (tmp_path / "report.html").read_text() == "mine"


def test_folder_beside_which_another_run_lies_is_refused(tmp_path, player):
    other = Player(*make_recipe(board="usa", players="random,random", games=10, seed=1))
    begin(tmp_path, other)
    (tmp_path / "report.html").write_text("of that run")
    with pytest.raises(UsageError, match=r"begun there: report\.html"):
        check_folder(tmp_path, player)


def test_folder_that_is_a_run_itself_is_refused_as_such(tmp_path, player):
    with opened(Folder(tmp_path), player, resume=True):
        pass
    with pytest.raises(UsageError, match="holds another run; choose a folder"):
        check_folder(tmp_path, player)


def test_run_that_is_somebody_else_s_is_refused(tmp_path, player):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine")
    with pytest.raises(UsageError, match=r"holds files that are not from a run begun there: notes\.txt"):
        check_folder(tmp_path, player)


def test_new_and_empty_folders_and_those_of_a_demo_are_taken(tmp_path, player):
    check_folder(tmp_path / "new", player)
    assert not (tmp_path / "new").exists()
    check_folder(tmp_path, player)
    (tmp_path / "run").mkdir()  # killed before anything was written
    check_folder(tmp_path, player)
    begin(tmp_path, player)
    (tmp_path / "notes.txt").write_text("mine")
    check_folder(tmp_path, player)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "run"]


def test_a_report_is_somebody_else_s_as_long_as_there_is_nothing_to_report(tmp_path, player):
    begin(tmp_path, player)
    (tmp_path / "report.html").write_text("mine")
    with pytest.raises(UsageError, match=r"begun there: report\.html"):
        check_folder(tmp_path, player)


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr("ttrsim.cli.demo.PLAYERS", "random,random_kind")
    monkeypatch.setattr("ttrsim.cli.demo.GAMES", 400)


def test_a_report_is_written_once_and_another_file_in_its_place_stays(tmp_path, monkeypatch):
    run, page = store(tmp_path / "run", games=80), tmp_path / "report.html"
    write_page(report_of_run(run), page, run.folder.path)
    before = page.read_bytes()
    assert b"random_kind" in before
    report = report_of_run(run)
    write_page(report, page, run.folder.path)
    assert page.read_bytes() == before
    page.write_text("mine")
    monkeypatch.setattr("ttrsim.report.page.report_page", lambda report: before.decode())
    kept = "is not the report that this version of ttrsim writes for the run, so it is left alone; move it"
    told = f"{re.escape(str(page))}: {kept}"
    with pytest.raises(UserError, match=told):
        write_page(report, page, run.folder.path)
    assert page.read_text() == "mine"


@pytest.mark.parametrize("begun", [False, True])
def test_an_interrupted_demo_says_what_remains_and_how_to_go_on(ttrsim, tmp_path, monkeypatch, quick, begun):
    def interrupt(*words, **options):
        raise KeyboardInterrupt

    late = "ttrsim.report.of_run.report_of_run" if begun else "ttrsim.runs.run.compile_first"
    monkeypatch.setattr(late, interrupt)
    ended = ttrsim("demo", "-o", tmp_path / "demo", "--quiet")
    assert ended.code == 130
    assert (tmp_path / "demo").exists() == begun
    told = "Finished games are kept in {}; the same" if begun else "Nothing is in {} yet; the same command starts again"
    assert told.format(tmp_path / "demo") in ended.err


def test_folder_without_a_name_is_refused(ttrsim):
    ended = ttrsim("demo", "-o", "", "--quiet")
    assert (ended.code, ended.out) == (2, "")
    assert "is empty; name a folder, such as runs/first" in ended.err

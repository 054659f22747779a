"""Data decide the kind of their report; data without one are refused in words."""

import pytest

from ttrsim.cli.report import KINDS
from ttrsim.errors import UsageError
from ttrsim.report import page
from ttrsim.report.document import Report
from ttrsim.report.kinds import MAKERS, kind_of

FOLDERS = ("one", "two", "both/a", "both/b", "board/2-mirror", "board/4-mixed", "half/a", "tables/a/3-mixed", "tables/b/3-mixed")  # fmt: skip  # noqa: E501


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Folders that look like runs, and files."""
    monkeypatch.chdir(tmp_path)
    for name in FOLDERS:
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "run.json").write_text("{}", "utf-8")
    (tmp_path / "empty").mkdir()
    for name in ("forced.json", "routes.json", "notes.txt"):
        (tmp_path / name).write_text("{}", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (["one"], "run"),
        (["one", "two"], "runs"),
        (["one", "two", "both/a"], "runs"),
        (["both"], "compare"),
        (["board"], "balance"),
        (["board", "tables/a"], "compare"),
        (["tables"], "compare"),
        (["forced.json"], "tickets"),
        (["forced.json", "routes.json"], "tickets"),
    ],
)
def test_data_tell_their_kind(data, names, kind):
    assert kind_of([data / name for name in names]) == kind


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nothing"], "nothing: there is no such file or folder"),
        (["empty"], "empty: is empty; a report needs runs (folders with run.json)"),
        (["half"], "half: has a; a report needs runs"),
        (["."], ".: has board, both, empty, forced.json, half …; a report needs runs"),
        (["notes.txt"], "notes.txt: is a file, but not .json"),
        (["one", "empty"], "empty: is a folder without run.json; give only runs, or only .json files"),
        (["one", "forced.json"], "forced.json: is a file; give only runs, or only .json files"),
        (["both", "one"], "both: is a folder without run.json; give only runs"),
        (["board", "tables/a", "tables/b"], "tables/b: were made by ttrsim balance; give only one or two"),
        (["one", "--kind", "compare"], "one: a report of kind compare needs two runs, two balances, or the folder"),
        (["board", "one", "--kind", "compare"], "board one: a report of kind compare needs two runs, two balances, or"),
        (["half", "--kind", "compare"], "half: a report of kind compare needs two runs"),
        (["forced.json"], "forced.json: holds no trials; a report needs runs"),
        (["notes.txt", "--kind", "tickets"], "notes.txt: holds no trials"),
        (["one", "--kind", "tickets"], "one: cannot be read: it is a folder, not a file; a report needs runs"),
        (["nothing", "--kind", "tickets"], "nothing: there is no such file or folder"),
    ],
)
def test_other_data_are_refused_in_a_line(ttrsim, data, words, told):
    ended = ttrsim("report", *words, "-o", "x.html")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert told in ended.err.replace("\\", "/")
    assert not (data / "x.html").exists()


def test_several_runs_are_of_different_tables(run):
    path = run.folder.path
    with pytest.raises(UsageError, match="both are usa, 3 players, fixed"):
        MAKERS["runs"]([path, path], 0.01)


def test_the_command_offers_every_kind():
    assert set(KINDS) == set(MAKERS)


def test_a_report_that_cannot_be_drawn_leaves_no_file(tmp_path, monkeypatch):
    def fail(report):
        raise RuntimeError("a fault in drawing")

    monkeypatch.setitem(page.FORMS, ".html", fail)
    made = Report("run", "Title", [], [], [], "", [], [], [])
    with pytest.raises(RuntimeError):
        page.write_all([tmp_path / "report.md", tmp_path / "report.html"], lambda: made)
    assert list(tmp_path.iterdir()) == []

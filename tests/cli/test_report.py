"""`ttrsim report` and `ttrsim demo`: files, kinds, and mistakes."""

import json

import pytest

RUN = ("run", "--map", "usa", "--players", "random,random_kind", "-n", "60", "--seed", "5", "-j", "1", "--quiet")


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A run, and the tables of an examination."""
    from ttrsim.cli import main

    folder = tmp_path_factory.mktemp("report")
    assert main([*RUN, "-o", str(folder / "first")]) == 0
    tables = ["balance", "usa", "--players", "random,random_kind", "--seats", "2", "-n", "60", "--seed", "3", "--quiet"]
    assert main([*tables, "-o", str(folder / "tables")]) == 0
    return folder


def test_each_ending_is_written_in_its_form(ttrsim, folders, tmp_path):
    paths = [tmp_path / f"report{ending}" for ending in (".html", ".md", ".json")]
    ended = ttrsim("report", folders / "first", *(word for path in paths for word in ("-o", path)))
    assert (ended.code, ended.out) == (0, "")
    assert [path.name in ended.err for path in paths] == [True] * 3
    page, words, told = (path.read_text("utf-8") for path in paths)
    assert page.startswith("<!doctype html>")
    assert words.startswith("<!-- written by ttrsim -->\n# USA: ")
    assert json.loads(told)["kind"] == "run"


@pytest.mark.parametrize(
    ("data", "kind"),
    [(["first"], "run"), (["tables"], "balance"), (["first", "tables/2-mixed"], "runs")],
)
def test_data_tell_which_report_it_is(ttrsim, folders, tmp_path, data, kind):
    path = tmp_path / "report.json"
    assert ttrsim("report", *(folders / name for name in data), "-o", path, "--quiet").err == ""
    assert json.loads(path.read_text("utf-8"))["kind"] == kind


def test_margin_decides_what_matters(ttrsim, folders, tmp_path):
    verdicts = {}
    for margin in ("0.01", "100"):
        path = tmp_path / f"{margin}.json"
        ttrsim("report", folders / "first", "--margin", margin, "-o", path)
        verdicts[margin] = {row["verdict"] for row in json.loads(path.read_text("utf-8"))["tables"]["seats"]["rows"]}
    assert verdicts["100"] == {"balanced"}
    assert "balanced" not in verdicts["0.01"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("first",), "'-o'"),
        (("first", "-o", "report.doc"), "-o report.doc: a report's name ends in .html, .md, .json"),
        (("first", "-o", "no/report.md"), "there is no folder 'no'"),
        (("nowhere", "-o", "report.md"), "nowhere"),
        (("first", "--kind", "balance", "-o", "report.md"), "first"),
        (("first", "tables", "--kind", "balance", "-o", "report.md"), "first"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(ttrsim, folders, monkeypatch, arguments, message):
    monkeypatch.chdir(folders)
    ended = ttrsim("report", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert len([line for line in ended.err.splitlines() if "Error: " in line and message in line]) == 1

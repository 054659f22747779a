"""`ttrsim stats`."""

import csv
import io
import json

import numpy as np
import pytest
from runs.making import store

from ttrsim.stats.catalogue import STATISTICS


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return store(tmp_path_factory.mktemp("stats") / "run", design="mixed", seats=2, games=3000, record=())


FIRST_COLUMNS = {
    **dict.fromkeys(("strategies", "versus", "strength", "tickets", "scores"), "Strategy"),
    "sanity": "Check",
    "seats": "Seat",
    "luck": "Outcome",
    "pairs": "Ticket",
    "routes": "Route",
    "cities": "City",
    "games": "Line-up",
}


@pytest.mark.parametrize("name", STATISTICS)
def test_every_table_is_printed_after_a_line_of_checks(run, ttrsim, name):
    ended = ttrsim("stats", run.folder.path, name)
    assert ended.code == 0
    words, _, shown = ended.out.partition("\n\n")
    head, *answers = words.splitlines()
    assert head == "USA (usa), 3,000 games, 2 players, seed 5"
    assert any(line.startswith(("Checks: ", "Sanity: ")) for line in answers)
    title, columns = shown.splitlines()[:2]
    assert title.lower() == name
    assert columns.split()[0] == FIRST_COLUMNS[name]
    assert "nan" not in ended.out


def test_without_a_table_answers_come_first_and_checks_are_a_line(run, ttrsim):
    lines = ttrsim("stats", run.folder.path).out.splitlines()
    named = [line.partition(":")[0] for line in lines]
    parts = ["USA", "Wins", "Tickets", "Seats", "Routes", "Checks", "Strategies"]
    assert sorted(parts, key=named.index) == parts
    assert "Sanity" not in named
    assert lines[-1].endswith("because they hold for all answers together.")


@pytest.mark.parametrize("table", ["strategies", "seats", "tickets", "routes"])
def test_a_table_begins_with_the_answers_that_are_about_it(run, ttrsim, table):
    words, own = (" ".join(ttrsim("stats", run.folder.path, *which).out.split()) for which in ((), (table,)))
    begins = {"strategies": "USA: ", "seats": "Seats: ", "tickets": "Tickets: ", "routes": "Routes: "}[table]
    answer = own[own.index(begins) : own.index("Checks: ")]
    assert len(answer) > 40
    assert answer in words
    others = {"Wins: ", "Seats: ", "Tickets: ", "Routes: "} - {begins}
    assert sum(other in answer for other in others) == (table == "strategies")


@pytest.mark.parametrize("columns", [80, 100, 150])
def test_tables_fit_the_terminal_unless_all_columns_are_wanted(run, ttrsim, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    for name in ("strategies", "tickets", "seats", "versus"):
        narrow, wide = (ttrsim("stats", run.folder.path, name, *options).out for options in ((), ("--wide",)))
        assert max(map(len, narrow.splitlines())) <= columns
        head = next(line for line in narrow.splitlines() if line.startswith(f"{FIRST_COLUMNS[name]} "))
        whole = next(line for line in wide.splitlines() if line.startswith(f"{FIRST_COLUMNS[name]} "))
        assert ("--wide shows them" in " ".join(narrow.split())) == (head.split() != whole.split())
        assert "--wide shows" not in wide


@pytest.mark.parametrize("name", STATISTICS)
def test_json_and_csv_hold_the_whole_frame(run, ttrsim, name):
    frame = run.stats(name)
    told = json.loads(ttrsim("stats", run.folder.path, name, "--json").out)
    assert told["games"] == 3000
    rows = told["tables"][name]["rows"]
    assert [list(row) for row in rows] == [list(frame.columns)] * len(frame)
    assert set(told["tables"][name]["columns"]) <= set(frame.columns)
    written = list(csv.DictReader(io.StringIO(ttrsim("stats", run.folder.path, name, "--csv").out)))
    assert len(written) == len(frame)
    for column in frame.columns:
        values = frame[column].tolist()
        for value, in_json, in_csv in zip(values, rows, written, strict=True):
            if isinstance(value, str):
                assert value == in_json[column] == in_csv[column]
            elif np.isnan(value):
                assert in_json[column] is None
                assert in_csv[column] == ""
            else:
                assert in_json[column] == pytest.approx(value)
                assert float(in_csv[column]) == pytest.approx(value)


@pytest.mark.parametrize(("name", "by"), [(name, by) for name, statistic in STATISTICS.items() for by in statistic.by])
def test_rows_by(run, ttrsim, name, by):
    rows = json.loads(ttrsim("stats", run.folder.path, name, "--by", by, "--json").out)["tables"][name]["rows"]
    assert ("strategy" in rows[0]) == (by != "all")
    assert ("seat" in rows[0]) == (by == "seat")


def test_margin_decides_what_is_balanced(run, ttrsim):
    assert "imbalanced" not in ttrsim("stats", run.folder.path, "seats", "--margin", 50).out
    assert "balanced" in ttrsim("stats", run.folder.path, "seats", "--margin", 50).out
    assert " balanced" not in ttrsim("stats", run.folder.path, "seats", "--margin", 0).out


def test_payoffs_are_read_as_openspiel_reads_them(run, ttrsim, tmp_path):
    path = tmp_path / "payoffs.csv"
    ended = ttrsim("stats", run.folder.path, "--payoffs", path, "--csv", "strength")
    assert ended.code == 0
    assert f"Wrote payoffs of 3 line-ups to {path}" in ended.err
    assert "were not played" not in ended.err
    table = np.loadtxt(path, delimiter=",")
    assert table[:, :2].tolist() == [[2, 0], [1, 1], [0, 2]]
    assert table[[0, 2], [2, 3]].tolist() == [0.5, 0.5]
    assert table[1, 2:].sum() == pytest.approx(1)


def test_payoffs_of_a_design_without_all_line_ups_are_told_to_be_partial(ttrsim, tmp_path):
    run = store(tmp_path / "run", games=200, record=())
    ended = ttrsim("stats", run.folder.path, "--payoffs", tmp_path / "payoffs.csv", "strength", "--csv")
    assert "2 line-ups of these strategies were not played; a run with --design mixed has all" in ended.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["seats", "--by", "strategy"], "--by strategy: only strategies, tickets, routes, cities can be split"),
        (["tickets", "--by", "route"], "--by route: tickets can be split by strategy, seat, all"),
        (["--csv"], "--csv: needs a table: sanity, strategies,"),
        (["seats", "--csv", "--json"], "--json and --csv exclude each other"),
    ],
)
def test_what_makes_no_sense_is_refused(run, ttrsim, arguments, message):
    ended = ttrsim("stats", run.folder.path, *arguments)
    assert ended.code == 2
    assert message in ended.err
    assert ended.out == ""


def test_a_folder_without_a_run_is_refused(ttrsim, tmp_path):
    ended = ttrsim("stats", tmp_path)
    assert ended.code == 2
    assert ended.err.startswith("Error: ")
    assert ended.err.count("\n") == 1


def test_paths_of_a_ticket(run, ttrsim):
    ended = ttrsim("stats", run.folder.path, "paths", "--ticket", "denver-el paso")
    assert ended.code == 0
    assert "Denver – Santa Fe – El Paso" in ended.out
    rows = json.loads(ttrsim("stats", run.folder.path, "paths", "--ticket", "denver-el paso", "--json").out)
    assert sum(row["share"] for row in rows["tables"]["paths"]["rows"]) == pytest.approx(1)


@pytest.mark.parametrize("arguments", [["paths"], ["tickets", "--ticket", "Denver-El Paso"]])
def test_paths_and_a_ticket_belong_together(run, ttrsim, arguments):
    ended = ttrsim("stats", run.folder.path, *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert "paths and --ticket belong together" in ended.err

"""Folders of format 1: their statistics are those printed when it was the format; no more is done."""

import csv
import zipfile
from io import StringIO
from pathlib import Path

import pytest

from ttrsim.runs import Run
from ttrsim.runs.tally import TABLES

STORED = Path(__file__).parents[1] / "golden" / "run_of_format_1.zip"
"""60 games with all rows, and what `ttrsim stats --csv` printed of them then."""

RENAMED = {"opening_": "offered_", "kept_later": "drawn_keep_rate", "contest": "taken"}
"""Columns of statistics that have other names now."""
CHANGED = ("more_games", "win_share_kept", "score_kept", "score_effect_", "win_effect_")
"""Beginnings of the columns that are computed otherwise now, such as intervals of effects, or are gone."""


@pytest.fixture(scope="module")
def old(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("old") / "run"
    with zipfile.ZipFile(STORED) as stored:
        stored.extractall(path)
    return path


@pytest.mark.parametrize("table", ["strategies", "tickets", "routes", "cities", "scores", "seats"])
def test_statistics_are_those_of_the_version_that_wrote_it(old, ttrsim, table):
    ended = ttrsim("stats", old, table, "--csv")
    assert ended.code == 0, ended.err
    printed = (old / f"{table}.csv").read_text("utf-8")
    for before, now in RENAMED.items():
        printed = printed.replace(before, now)
    then, now = ([*csv.DictReader(StringIO(text))] for text in (printed, ended.out))
    kept = [column for column in then[0] if not column.startswith(CHANGED)]
    now, then = ([{column: row[column] for column in kept} for row in rows] for rows in (now, then))
    assert now == then


def test_rows_add_up_to_the_sums(old):
    run = Run.open(old)
    seats = run.table("seats").groupby("strategy", observed=True)["offered_kept"].sum()
    rows = run.players.groupby("strategy", observed=True)["offered_kept"].sum()
    assert rows.to_dict() == seats.to_dict()
    assert set(run.claims["table_turn"]) <= set(range(run.games["turns"].max()))
    assert run.tickets["offered"].sum() == run.table("tickets")["offered"].sum()


def test_arrays_hold_what_tables_hold(old):
    run = Run.open(old)
    for name in TABLES.keys() - {"orders", "deals"}:
        array = run.array(name)
        assert tuple(run.table(name)) == TABLES[name].axes + TABLES[name].columns
        assert all(array[column].sum() == run.table(name)[column].sum() for column in array.dtype.names)


def test_what_was_not_summed_then_is_refused(old, ttrsim):
    ended = ttrsim("stats", old, "luck")
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "is in folder format 1, which has no sums of deals; play it again" in ended.err


@pytest.mark.parametrize("command", [["verify"], ["replay", "--game", 3], ["run", "--resume", "-o"]])
def test_replaying_or_going_on_is_refused_with_the_version_named(old, ttrsim, command):
    before = {path: path.read_bytes() for path in old.rglob("*") if path.is_file()}
    ended = ttrsim(*command, old)
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "is in folder format 1; this ttrsim plays runs in format 2" in ended.err
    assert {path: path.read_bytes() for path in old.rglob("*") if path.is_file()} == before


def test_an_unfinished_one_is_refused(old, ttrsim, tmp_path):
    with zipfile.ZipFile(STORED) as stored:
        stored.extractall(tmp_path / "run")
    (tmp_path / "run" / "summary" / "summary.json").unlink()
    ended = ttrsim("stats", tmp_path / "run")
    assert (ended.code, ended.err) == (1, f"Error: {tmp_path / 'run'}: is in folder format 1 and was not finished; play it again\n")  # fmt: skip  # noqa: E501

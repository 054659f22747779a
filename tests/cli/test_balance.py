"""`ttrsim balance`, as a user meets it."""

import csv
import io
import json
import subprocess

import pytest
from conftest import SMALL_BOARD, TTRSIM

pytestmark = pytest.mark.usefixtures("not_the_first_run")

FEW = ("--players", "random,long_route", "-n", "1000", "--seed", "5", "-j", "1", "--quiet")


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    path = tmp_path_factory.mktemp("boards") / "small.toml"
    path.write_text(SMALL_BOARD, "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def kept(board, tmp_path_factory):
    """A folder with the runs of an examination, and what was told of it as JSON by a real process."""
    folder = str(tmp_path_factory.mktemp("kept") / "runs")
    words = [*TTRSIM, "balance", board, *FEW, "-o", folder, "--json", "--fail-on", "imbalanced"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 3
    return folder, json.loads(ended.stdout)


def test_all_tables_of_the_board_are_examined(ttrsim, board, kept):
    folder, told = kept
    tables = [(table["players"], table["table"]) for table in told["tables"]]
    assert tables == [(2, "mirror"), (2, "mixed"), (3, "mirror"), (3, "mixed")]
    assert min(table["games"] for table in told["tables"]) >= 1000
    assert told["verdict"] == "imbalanced"
    assert told["sanity"].startswith("Sanity: ")
    assert ttrsim("verify", f"{folder}/3-mixed").code == 0


def test_words_csv_and_json_tell_the_same(ttrsim, board, kept):
    folder, told = kept
    rows = list(csv.DictReader(io.StringIO(ttrsim("balance", board, *FEW, "-o", folder, "--csv").out)))
    assert [row["verdict"] for row in rows] == [row["verdict"] for row in told["rows"]]
    assert set(rows[0]) - {"value_low", "value_high"} == set(told["columns"])
    words = ttrsim("balance", board, *FEW, "-o", folder)
    assert words.out.startswith(f"Small ({board}): imbalanced\n")
    assert "\nSanity: " in words.out
    assert "Dominant strategy" in words.out
    assert "\nImbalanced\n" in words.out
    counted = sum(row["imbalanced"] for row in told["summary"])
    assert counted == [row["verdict"] for row in rows].count("imbalanced")


def test_margins_and_gates(ttrsim, board, kept):
    play = ("balance", board, *FEW, "-o", kept[0])
    wide = [
        word for name in ("30", "strategies=100", "cities=0", "routes=0", "games=100") for word in ("--margin", name)
    ]
    assert ttrsim(*play).code == 0
    loose = ttrsim(*play, *wide, "--fail-on", "undecided", "--json")
    assert (loose.code, json.loads(loose.out)["verdict"]) == (0, "balanced")
    assert json.loads(loose.out)["bounds"]["tickets"] == 0.3
    assert ttrsim(*play, *wide, "--margin", "seats=0.001", "--fail-on", "undecided").code == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere",), "nowhere"),
        (("BOARD", "--margin", "seat=1"), "--margin seat=1: write it as 2, or tickets=3; there are seats, tickets"),
        (("BOARD", "--margin", "x"), "--margin x: write it as 2"),
        (("BOARD", "--seats", "9"), "--seats 9: write numbers of players, as 2,4"),
        (("BOARD", "--seats", "4"), "is for 2 to 3 players, not 4"),
        (("BOARD", "-n", "0"), "-n 0: must be from 1"),
        (("BOARD", "--players", "plannner"), "plannner"),
        (("BOARD", "--json", "--csv"), "--json and --csv exclude each other"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(ttrsim, board, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    ended = ttrsim("balance", *(board if word == "BOARD" else word for word in arguments), "--quiet")
    assert (ended.code, ended.out) == (2, "")
    assert len([line for line in ended.err.splitlines() if "Error: " in line and message in line]) == 1
    assert not list(tmp_path.iterdir())


def test_one_strategy_needs_no_mixed_tables(ttrsim, board):
    told = ttrsim("balance", board, "--players", "random", "-n", "400", "--seed", "5", "-j", "1", "--quiet")
    assert "of random at 2 tables" in told.out
    assert "mixed" not in told.out
    assert "Tickets" in told.out
    assert told.out.endswith("\nIt holds for this strategy.\n")

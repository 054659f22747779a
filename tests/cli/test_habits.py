"""`ttrsim habits`."""

import csv
import io
import json

import pytest

GAMES = ("--players", "planner", "--seats", "2", "-n", "200", "--seed", "1")


@pytest.mark.usefixtures("not_the_first_run")
def test_answers_come_first_then_the_table(ttrsim, tmp_path):
    ended = ttrsim("habits", "usa", "--habit", "claims_at_once", *GAMES, "-o", tmp_path / "habits.png")
    lines = ended.out.splitlines()
    assert ended.code == 0
    assert lines[0] == "USA (usa): each against copies of itself, 200 games with each habit at each table, seed 1"
    assert lines[1].startswith("Claiming at once costs wins at all 1 table, most −")
    assert any(line.startswith("Habit ") for line in lines)
    assert (tmp_path / "habits.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.usefixtures("not_the_first_run")
def test_json_and_csv_have_the_same_numbers(ttrsim):
    words = ("habits", "usa", "--habit", "claims_at_once", "--habit", "opening_tickets=3", *GAMES, "--quiet")
    rows = json.loads(ttrsim(*words, "--json").out)["tables"]["habits"]["rows"]
    printed = list(csv.DictReader(io.StringIO(ttrsim(*words, "--csv").out)))
    assert (
        [row["habit"] for row in rows] == [row["habit"] for row in printed] == ["claims_at_once", "opening_tickets=3"]
    )
    assert [row["win_change"] for row in rows] == pytest.approx([float(row["win_change"]) for row in printed])


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--habit", "draw_blind"), "--habit draw_blind: there is no habit of that name"),
        (("--seats", "two"), "--seats two: write the numbers of players as 2,4"),
        (("-o", "x.bmp"), "-o x.bmp: a picture's name ends in .png"),
        (("--json", "--csv"), "--json and --csv exclude each other"),
    ],
)
def test_mistakes_are_refused_in_a_line_before_anything_is_played(ttrsim, words, problem):
    ended = ttrsim("habits", "usa", *words)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert problem in ended.err

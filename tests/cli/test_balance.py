"""`ttrsim balance`, as a user meets it."""

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import SMALL_BOARD, TTRSIM

from ttrsim import examination
from ttrsim.report.size_words import size_words

pytestmark = pytest.mark.usefixtures("not_the_first_run")

TWO = ("--players", "random,long_route", "-j", "1")
FEW = (*TWO, "-n", "1000", "--seed", "5", "--quiet")


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    path = tmp_path_factory.mktemp("boards") / "small.toml"
    path.write_text(SMALL_BOARD, "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def kept(board, tmp_path_factory):
    """A folder with the runs of an examination, and the JSON that a real process printed."""
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
    assert words.out.startswith(f"Small ({board}): imbalanced\nSmall: farther from fair than the published boards in ")
    assert " ".join(told["answers"]) in " ".join(words.out.split())
    assert "\nSanity: " in words.out
    assert "The published boards were measured with other bots (planner, blocker" in " ".join(words.out.split())
    counted = sum(row["imbalanced"] for row in told["summary"])
    assert counted == [row["verdict"] for row in rows].count("imbalanced")
    row = next(row for row in told["sizes"]["rows"] if (row["question"], row["players"]) == ("tickets", "all"))
    assert re.search(rf"^Tickets +{size_words(row)} ", words.out, re.MULTILINE)
    assert told["bounds"] == dict.fromkeys(told["bounds"], "published")


def test_strict_bounds_are_one_point_for_everything(ttrsim, board, kept):
    strict = json.loads(ttrsim("balance", board, *FEW, "-o", kept[0], "--margin", "strict", "--json").out)
    assert strict["bounds"] == dict.fromkeys(kept[1]["bounds"], 0.01)
    assert {row["bound"] for row in strict["rows"]} == {0.01}
    assert [row["value"] for row in strict["rows"]] == [row["value"] for row in kept[1]["rows"]]
    words = ttrsim("balance", board, *FEW, "-o", kept[0], "--margin", "strict").out
    assert "\nSmall: beyond the bounds that were set in " in words
    assert "\nAll verdicts\n" in words


def test_larger_number_of_games_goes_on_to_what_one_begun_with_it_says(ttrsim, board, kept, tmp_path):
    begun, larger = (*TWO, "-n", "300", "--seed", "5", "--quiet"), tmp_path / "runs"
    assert ttrsim("balance", board, *begun, "-o", larger).code == 0
    assert ttrsim("run", "--resume", "-n", "1000", "-o", larger / "2-mirror", "--quiet").code == 0  # and then killed
    assert json.loads(ttrsim("balance", board, *FEW, "-o", larger, "--json").out) == kept[1]
    fewer = ttrsim("balance", board, *begun, "-o", larger)
    assert (fewer.code, fewer.out) == (2, "")
    assert "has 1,000 games already, more than -n 300; a run can be made longer, not shorter" in fewer.err


def test_same_command_without_a_seed_goes_on_wherever_the_board_lies(ttrsim, board, kept, tmp_path):
    folder, told = kept
    moved = shutil.copy(board, tmp_path / "moved.toml")
    again = ttrsim("balance", moved, *TWO, "-n", "1000", "-o", folder, "--json")
    assert (again.code, json.loads(again.out)) == (0, told)
    assert again.err.splitlines()[0] == f"Continuing with seed 5, as in {folder}"
    changed = tmp_path / "changed.toml"
    changed.write_text(Path(board).read_text("utf-8").replace("points = 4", "points = 5"), "utf-8")
    other = ttrsim("balance", changed, *TWO, "-n", "1000", "-o", folder)
    assert (other.code, other.out) == (2, "")
    assert "is a different run: board was" in other.err


def test_what_is_not_ttrsim_s_is_refused_before_any_game(ttrsim, board, tmp_path):
    mine = tmp_path / "runs" / "3-mixed" / "summary" / "mine.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    ended = ttrsim("balance", board, *FEW, "-o", tmp_path / "runs")
    assert (ended.code, ended.out) == (2, "")
    assert "3-mixed: holds files that are not from a run begun there: summary" in ended.err
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["3-mixed"]
    assert mine.read_text() == "mine"
    under_a_file = ttrsim("balance", board, *FEW, "-o", mine / "runs")
    assert (under_a_file.code, under_a_file.err.count("mine.txt: is a file, not a folder")) == (2, 1)
    assert "name a folder" in ttrsim("balance", board, *FEW, "-o", "").err


UNTIL = (*TWO, "--seats", "2", "-n", "200", "--seed", "5", "--margin", "9", "--until-decided", "--quiet")


def test_more_is_played_where_verdicts_are_undecided(ttrsim, board, tmp_path):
    folder = tmp_path / "runs"
    ended = ttrsim("balance", board, *UNTIL, "--budget", "3000", "-o", folder, "--json")
    told = json.loads(ended.out)
    first, *more = told["looks"]
    assert (ended.code, told["level"], first) == (0, 0.99, {"games": {"2-mirror": 200, "2-mixed": 200}, "wanted": {}})
    assert 1 <= len(more) <= 4
    for before, look in zip(told["looks"], more, strict=False):
        grown = {name for name, games in look["games"].items() if games > before["games"][name]}
        assert grown == set(look["wanted"])
    last = more[-1]["games"]
    assert [table["games"] for table in told["tables"]] == list(last.values())
    assert sum(last.values()) <= 3000
    assert told["ended"] == ("budget" if told["verdict"] == "undecided" or told["more_games"] else "decided")
    alone = ttrsim("run", "--resume", "-o", folder / "2-mixed", "--json").out
    assert json.loads(alone)["digest"] == told["tables"][1]["digest"]


def test_examination_until_decided_that_was_stopped_goes_on_to_the_same(ttrsim, board, tmp_path, monkeypatch):
    command = ("balance", board, *UNTIL, "--budget", "2000", "--json", "-o")
    undisturbed, play = ttrsim(*command, tmp_path / "undisturbed"), examination.play
    for stopped in (2, 3):
        calls = []

        def stop(*words, calls=calls, stopped=stopped, **options):
            calls.append(words)
            if len(calls) == stopped:
                raise KeyboardInterrupt
            return play(*words, **options)

        monkeypatch.setattr(examination, "play", stop)
        assert ttrsim(*command, tmp_path / f"{stopped}").code == 130
        monkeypatch.setattr(examination, "play", play)
        assert ttrsim(*command, tmp_path / f"{stopped}").out == undisturbed.out


def test_words_say_what_was_played_for_what(ttrsim, board, tmp_path):
    folder = tmp_path / "runs"
    ended = ttrsim("balance", board, *UNTIL, "--budget", "1000", "-o", folder)
    assert "\nLook  Total games  Played to settle\n   1          400  all tables\n" in ended.out
    assert "\nThe budget of games is used up.\nStill undecided: " in ended.out
    assert "± is half of the 99 % interval;" in " ".join(ended.out.split())
    once = [word for word in UNTIL if word != "--until-decided"]
    refused = ttrsim("balance", board, *once, "-o", folder)
    assert (refused.code, "was played with --until-decided (looks.json)" in refused.err) == (2, True)
    other = ttrsim("balance", board, *UNTIL, "-n", "300", "-o", folder)
    assert (other.code, "its first look was at different tables or a different number of games" in other.err) == (
        2,
        True,
    )


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
        (
            ("BOARD", "--margin", "seat=1"),
            "--margin seat=1: write it as strict, 2 or tickets=3, in percentage points; the questions are seats",
        ),
        (("BOARD", "--margin", "x"), "--margin x: write it as strict"),
        (("BOARD", "--seats", "2;4"), "--seats 2;4: write the numbers of players as 2,4"),
        (("BOARD", "--seats", "9"), "is for 2 to 3 players, not 9"),
        (("BOARD", "--seats", "4"), "is for 2 to 3 players, not 4"),
        (("BOARD", "-n", "0"), "-n 0: must be from 1"),
        (("BOARD", "--players", "plannner"), "plannner"),
        (("BOARD", "--budget", "1e6"), "--budget 1000000: needs --until-decided"),
        (("BOARD", "--until-decided", "--budget", "1e3"), "--budget 1000: the first look alone takes 160,0"),
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
    assert told.out.endswith("\nThe verdicts hold for this strategy.\n")


def test_one_command_examines_a_change_against_the_board_as_it_is(ttrsim, board, tmp_path):
    words = (
        "balance",
        board,
        "--set",
        "rules.start_points = [0, 3, 6]",
        *TWO,
        "--seats",
        "2",
        "-n",
        "400",
        "--seed",
        "5",
    )
    folder = tmp_path / "both"
    ended = ttrsim(*words, "--against", board, "-o", folder, "--json", "--quiet")
    told = json.loads(ended.out)
    assert (ended.code, told["a"]["board"], told["unpaired"]) == (0, board, [])
    assert told["b"]["board"].endswith("[rules.start_points = [0, 3, 6]]")
    again = ttrsim("compare", folder / "a", folder / "b", "--json", "--quiet")
    assert json.loads(again.out) == told
    refused = ttrsim(*words, "--against", board, "--until-decided")
    assert (refused.code, "--against: goes with neither --fail-on nor --until-decided" in refused.err) == (2, True)


def test_words_say_what_to_do_with_commands(ttrsim, board, kept):
    words = ttrsim("balance", board, *FEW, "-o", kept[0]).out
    assert "\nWhat to do\n" in words
    assert kept[1]["remedies"]
    for remedy in kept[1]["remedies"]:
        assert remedy["command"] in words
    assert {row["of"] for row in kept[1]["act_on"]} == {
        row["of"] for row in kept[1]["rows"] if row["verdict"] == "imbalanced"
    }

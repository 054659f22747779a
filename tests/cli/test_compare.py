"""`ttrsim compare`, as a user meets it."""

import csv
import io
import json
import re
import shutil
import subprocess

import pytest
from conftest import SMALL_BOARD, TTRSIM
from runs.making import store

from ttrsim.runs.store import Folder

pytestmark = pytest.mark.usefixtures("not_the_first_run")

PLAY = ("--players", "random,random_kind", "-n", "2000", "--seed", "5", "-j", "1", "--quiet")


@pytest.fixture(scope="module")
def boards(tmp_path_factory):
    """The small board, one with other points, and what they are called."""
    folder = tmp_path_factory.mktemp("boards")
    (folder / "old.toml").write_text(SMALL_BOARD, "utf-8")
    (folder / "new.toml").write_text(SMALL_BOARD.replace("points = 4", "points = 24"), "utf-8")
    return str(folder / "old.toml"), str(folder / "new.toml")


@pytest.fixture(scope="module")
def runs(boards, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return [str(store(folder / f"run{i}", board=b, games=2000, record=()).folder.path) for i, b in enumerate(boards)]


def test_two_runs_are_told_apart(ttrsim, runs):
    ended = ttrsim("compare", *runs)
    assert ended.code == 0
    answers = json.loads(ttrsim("compare", *runs, "--json").out)["answers"]
    printed = " ".join(ended.out.partition("\nStrategies\n")[0].split())
    assert " ".join(answers) in printed
    assert "trail" not in ended.out
    assert "Paired: both played the same blocks" in ended.out
    assert [line for line in ended.out.splitlines() if line in ("Strategies", "Seats", "Games")] == [
        "Strategies",
        "Seats",
        "Games",
    ]
    assert "nan" not in ended.out
    tickets = ttrsim("compare", *runs, "tickets").out
    titles = ("Tickets: score effect, points", "Tickets: win effect, pp", "Tickets: completed kept, %")
    assert all(title in tickets.splitlines() for title in titles)


def test_tables_fit_a_narrow_terminal_and_wide_has_the_rows_of_what_never_happens(ttrsim, runs, monkeypatch):
    monkeypatch.setenv("COLUMNS", "72")
    narrow, wide = (ttrsim("compare", *runs, *options).out for options in ((), ("--wide",)))
    assert max(map(len, narrow.partition("\nStrategies\n")[2].splitlines())) <= 72
    assert "overlong, %" not in narrow
    assert "\noverlong, % " in wide


@pytest.mark.parametrize("form", ["boards", "maps", "run and board", "board and run"])
def test_boards_are_played_as_runs_of_them_would_be(ttrsim, boards, runs, form):
    words = {
        "boards": (*boards, *PLAY),
        "maps": ("--map", boards[0], "--map", boards[1], *PLAY),
        "run and board": (runs[0], boards[1], "--quiet"),
        "board and run": (boards[0], runs[1], "--quiet"),
    }[form]
    stored, played = (json.loads(ttrsim("compare", *w, "--json").out) for w in (runs, words))
    assert played["rows"] == stored["rows"]
    assert [played[side]["digest"] for side in "ab"] == [stored[side]["digest"] for side in "ab"]
    assert played["paired"]


def test_strategies_are_played_against_each_other_s_field(ttrsim, boards):
    ended = ttrsim("compare", "--map", boards[0], *PLAY, "--players", "random,random")
    assert ended.code == 0
    assert "random_kind" in ended.out


def test_csv_has_all_rows_and_json_what_they_mean(ttrsim, runs):
    rows = list(csv.DictReader(io.StringIO(ttrsim("compare", *runs, "--csv").out)))
    told = json.loads(ttrsim("compare", *runs, "--json").out)
    assert [row["what"] for row in rows] == [row["what"] for row in told["rows"]]
    assert set(rows[0]) - {"change_low", "change_high"} == set(told["columns"])
    assert {row["table"] for row in rows} == {"strategies", "seats", "games", "tickets", "routes"}
    assert {row["table"] for row in csv.DictReader(io.StringIO(ttrsim("compare", *runs, "seats", "--csv").out))} == {
        "seats"
    }


def test_what_is_played_is_kept_and_gone_on_with(ttrsim, boards, tmp_path):
    first = ttrsim("compare", *boards, *PLAY, "-o", tmp_path / "kept", "--json")
    (tmp_path / "kept" / "b" / "summary" / "summary.json").unlink()
    again = ttrsim("compare", *boards, *PLAY, "-o", tmp_path / "kept", "--json")
    assert again.out == first.out
    assert ttrsim("verify", tmp_path / "kept" / "a").code == 0
    other = ttrsim("compare", *boards, *PLAY, "--seed", 6, "-o", tmp_path / "kept")
    assert (other.code, other.out) == (2, "")
    assert "is a different run: seed was 5, not 6" in other.err


UNSEEDED = tuple(word for word in PLAY if word not in ("--seed", "5", "--quiet"))


def test_larger_number_of_games_goes_on_to_what_one_begun_with_it_says(ttrsim, boards, runs, tmp_path):
    out = tmp_path / "kept"
    assert ttrsim("compare", *boards, *PLAY, "-n", "700", "-o", out).code == 0
    assert ttrsim("run", "--resume", "-n", "2000", "-o", out / "a", "--quiet").code == 0  # and then killed
    grown, begun = ttrsim("compare", *boards, *PLAY, "-o", out, "--json"), ttrsim("compare", *runs, "--json")
    assert (grown.code, grown.out) == (0, begun.out)
    fewer = ttrsim("compare", *boards, *PLAY, "-n", "700", "-o", out)
    assert (fewer.code, fewer.out) == (2, "")
    assert "has 2,000 games already, more than -n 700; a run can be made longer, not shorter" in fewer.err


def test_sequential_test_that_was_not_answered_goes_on_to_the_same_answer(ttrsim, boards, tmp_path):
    play = (
        "compare",
        "--map",
        boards[0],
        *PLAY,
        "--players",
        "random,random",
        "--sprt",
        "random",
        "--elo1",
        "20",
        "--json",
    )
    begun = ttrsim(*play, "-n", "2000", "-o", tmp_path / "begun")
    assert json.loads(begun.out)["a"]["games"] > 100
    assert json.loads(ttrsim(*play, "-n", "100", "-o", tmp_path / "grown").out)["sprt"]["accepted"] is None
    assert ttrsim(*play, "-n", "2000", "-o", tmp_path / "grown").out == begun.out


def test_same_command_without_a_seed_goes_on_wherever_the_boards_lie(ttrsim, boards, tmp_path):
    out = tmp_path / "kept"
    drawn = ttrsim("compare", *boards, *UNSEEDED, "-n", "200", "-o", out, "--json")
    seed = json.loads(drawn.out)["a"]["seed"]
    moved = [shutil.copy(board, tmp_path) for board in boards]
    again = ttrsim("compare", *moved, *UNSEEDED, "-n", "200", "-o", out, "--json")
    assert (again.code, again.out) == (0, drawn.out)
    assert again.err.splitlines()[0] == f"Continuing with seed {seed}, as in {out}"


def test_what_is_not_ttrsim_s_is_refused_before_any_game(ttrsim, boards, tmp_path):
    mine = tmp_path / "kept" / "b" / "strategies" / "mine.py"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    for test in ((), ("--sprt", "random")):
        ended = ttrsim("compare", *boards, *PLAY, *test, "-o", tmp_path / "kept")
        assert (ended.code, ended.out) == (2, "")
        assert "b: holds files that are not from a run begun there: strategies" in ended.err
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["b"]
    assert mine.read_text() == "mine"
    assert "name a folder" in ttrsim("compare", *boards, *PLAY, "-o", "").err


CONDITIONS = [
    (("--fail-on", "seat>5pp"), 0, "--fail-on seat>5pp: kept"),
    (("--fail-on", "seat>5pp", "--fail-on", "points_lost<-1point"), 3, "\n--fail-on points_lost<-1point: broken ("),
    (("--fail-on", "ticket>+3pints"), 2, "Error: --fail-on ticket>+3pints: ticket is measured in pp or points"),
]


@pytest.mark.parametrize(("arguments", "code", "told"), CONDITIONS)
def test_exit_code_says_whether_conditions_are_kept(ttrsim, runs, arguments, code, told):
    ended = ttrsim("compare", *runs, *arguments)
    assert ended.code == code
    assert told in (ended.err if code == 2 else ended.out)


def test_exit_code_of_a_broken_condition_is_that_of_the_process(runs):
    """Only a process has one: pipelines ask for it."""
    arguments, code, told = CONDITIONS[1]
    ended = subprocess.run([*TTRSIM, "compare", *runs, *arguments], capture_output=True, text=True, check=False)
    assert ended.returncode == code
    assert told in ended.stdout
    assert "Traceback" not in ended.stderr


def test_undecided_passes_unless_it_is_to_fail(ttrsim, runs):
    tickets = json.loads(ttrsim("compare", *runs, "tickets", "--json").out)["rows"]
    row = max((row for row in tickets if row["what"] == "win_effect"), key=lambda row: row["change"])
    bound = f"ticket:{row['of']}>{100 * row['change']:.4f}pp"
    passed = ttrsim("compare", *runs, "--fail-on", bound)
    assert passed.code == 0
    assert ": undecided (" in passed.out
    assert ttrsim("compare", *runs, "--fail-on", bound, "--undecided", "fail").code == 3
    as_csv = ttrsim("compare", *runs, "--fail-on", bound, "--csv")
    assert ": undecided (" in as_csv.err
    told = json.loads(ttrsim("compare", *runs, "--fail-on", bound, "--json").out)["conditions"]
    assert [condition["result"] for condition in told] == ["undecided"]


def test_sequential_test_stops_at_the_same_batch_on_any_number_of_threads(ttrsim, boards, tmp_path):
    play = ("--map", boards[0], *PLAY, "--players", "random,random", "-n", "2000", "--sprt", "random", "--elo1", "20")
    with_one = ttrsim("compare", *play, "-o", tmp_path / "one", "--json")
    told = json.loads(with_one.out)
    test = told["sprt"]
    assert test["accepted"] in ("H0", "H1")
    assert 32 <= told["a"]["games"] // 2 < 1000
    assert ttrsim("compare", *play, "-j", 2, "-o", tmp_path / "two", "--json").out == with_one.out
    assert ttrsim("compare", *play, "-o", tmp_path / "one", "--json").out == with_one.out
    for side in "ab":
        assert Folder(tmp_path / "one" / side).present()[-1].stop == told["a"]["games"] // 2
    kept = ttrsim("compare", tmp_path / "one" / "a", tmp_path / "one" / "b", "--sprt", "random", "--elo1", "20")
    assert f"accepted {test['accepted']}" in kept.out
    assert f"{test['blocks']} batches" in kept.out


def test_that_pairing_means_nothing_stands_in_json_too(ttrsim, boards, tmp_path):
    other = tmp_path / "cards.toml"
    other.write_text(SMALL_BOARD.replace("wilds = { cards = 6 }", "wilds = { cards = 9 }"), "utf-8")
    for board, otherwise in ((boards[1], []), (other, ["cards"])):
        ended = ttrsim("compare", boards[0], board, *PLAY, "-o", tmp_path / "kept" / f"{len(otherwise)}", "--json")
        told = json.loads(ended.out)
        assert (told["paired"], told["dealt_otherwise"]) == (True, otherwise)
    kept = [tmp_path / "kept" / "1" / side for side in "ab"]
    assert "the boards deal different cards: pairing gains nothing" in " ".join(ttrsim("compare", *kept).out.split())


@pytest.mark.parametrize("test", [(), ("--sprt", "random")])
def test_damaged_shard_of_what_is_kept_is_named_and_played_again(ttrsim, boards, tmp_path, test):
    command = ("compare", *boards, *PLAY, *test, "-o", tmp_path / "kept", "--json")
    first = ttrsim(*command)
    damaged = sorted((tmp_path / "kept" / "a" / "shards").glob("*/sums.bin"))[1]
    damaged.write_bytes(b"")
    again = ttrsim(*command)
    assert (again.code, again.out) == (0, first.out)
    told = rf"{re.escape(str(damaged))}: has 0 bytes; \d+ were written; shard \d+-\d+ is removed, to be played again\n"
    assert re.fullmatch(told, again.err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "both sides are the same: give two runs, two boards, or --players twice"),
        (("OLD",), "both sides are the same: give two runs"),
        (("OLD", "NEW"), "Missing option '--players'."),
        (("--players", "random,random", "--players", "random,random_kind"), "Missing option '--map'."),
        (("OLD", "NEW", "OLD", *PLAY), "a comparison has two sides"),
        (("OLD", "OLD", *PLAY), "nothing differs: both sides are the same games"),
        (("RUN0", "RUN1", "--map", "usa"), "are already the two sides; leave it out"),
        (("RUN0", "NEW", "--seed", "3"), "--seed: is the same as in"),
        (("RUN0", "NEW", "-n", "300"), "-n: is the same as in"),
        (("RUN0", "RUN1", "-n", "300"), "-n: "),
        (("RUN0", "-o", "x"), "both sides are the same"),
        (("RUN0", "RUN1", "-o", "x"), "-o x: both sides are stored already"),
        (("RUN0", "nowhere"), "nowhere: is not the folder of a run, and there is no board 'nowhere'; boards are "),
        (("nowhere", "other"), "nowhere: is not the folder of a run, and there is no board 'nowhere'"),
        (("RUN0", "RUN1", "--json", "--csv"), "--json and --csv exclude each other"),
        (("RUN0", "RUN1", "--elo1", "3"), "--elo1: needs --sprt"),
        (
            ("RUN0", "RUN1", "--sprt", "planner"),
            "--sprt planner: does not play on both sides; those compared are random",
        ),
        (("RUN0", "RUN1", "--sprt", "random", "--elo0", "5"), "--sprt: elo0 5: must be less than elo1, which is 2"),
        (("RUN0", "OLD", "--players", "random,random,random"), "tables of 2 players and tables of 3"),
        (("RUN0", "RUN1", "--fail-on", "seat"), "--fail-on seat: write it as seat>1pp"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(ttrsim, boards, runs, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    places = {"OLD": boards[0], "NEW": boards[1], "RUN0": runs[0], "RUN1": runs[1]}
    ended = ttrsim("compare", *(places.get(word, word) for word in arguments))
    assert (ended.code, ended.out) == (2, "")
    assert len([line for line in ended.err.splitlines() if "Error: " in line and message in line]) == 1
    assert not list(tmp_path.iterdir())

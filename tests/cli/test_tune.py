"""`ttrsim tune` and `ttrsim sweep` on the command line."""

import json

import pytest
from conftest import words_of
from report.reading import first_words

from ttrsim.core.jit import COMPILED

pytestmark = [
    pytest.mark.usefixtures("not_the_first_run"),
    pytest.mark.skipif(not COMPILED, reason="plain Python plays too slowly for so many games"),
]
WORDS = ("--map", "usa", "--seats", "2", "--against", "planner", "--params", "alarm", "--seed", "1", "-n", "6000")


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    """The folder of a tuning that the command made."""
    from ttrsim.cli import main

    path = tmp_path_factory.mktemp("tune") / "tuned"
    assert main(["tune", "planner(alarm=90)", *WORDS, "-o", str(path), "--quiet"]) == 0
    return path


def test_command_says_what_python_says(ttrsim, tuned):
    import ttrsim as library

    ended = ttrsim("tune", "planner(alarm=90)", *WORDS, "-j", "1", "--json")
    found = library.Tuning.open(tuned)
    assert (ended.code, json.loads(ended.out)) == (0, json.loads(json.dumps(found.json())))
    assert found.verdict == "better"


def test_a_finished_tuning_is_shown_again_with_the_line_to_use(ttrsim, tuned):
    ended = ttrsim("tune", "--resume", "-o", tuned)
    assert ended.code == 0
    assert "A gain: on fresh deals at usa, 2 players, the tuned parameters bring" in ended.out
    line = next(line for line in ended.out.splitlines() if line.startswith("To use it: "))
    _, players = words_of(line.removeprefix("To use it: "))
    assert ttrsim("run", "--map", "usa", "--players", f"{players},planner", "-n", "10", "--quiet").code == 0


def test_a_page_is_written_from_the_folder(ttrsim, tuned, tmp_path):
    assert ttrsim("report", tuned, "-o", tmp_path / "a.html", "-o", tmp_path / "a.json", "--quiet").code == 0
    report = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert report["kind"] == "tuning"
    said = [f"{report['title']}.", *(f"{card['title']}: {card['words']}" for card in report["cards"])]
    assert " ".join(said) in " ".join(ttrsim("tune", "--resume", "-o", tuned).out.split())
    assert report["answers"][0]["answer"].startswith("A gain")
    assert set(report["tables"]) == {"gains", "parameters"}
    page = (tmp_path / "a.html").read_text("utf-8")
    assert page.count("<svg") >= 2
    assert 40 < len(first_words(page)) <= 120


def test_a_report_is_not_written_over_the_tuning(ttrsim, tuned):
    before = (tuned / "tuning.json").read_bytes()
    ended = ttrsim("report", tuned, "-o", tuned / "tuning.json", "--quiet")
    assert (ended.code, "is part of the tuning in" in ended.err) == (2, True)
    assert (tuned / "tuning.json").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("planner", "--map", "usa"), "Missing option '--seats'"),
        (("planner", "--map", "usa", "--seats", "2", "-n", "10"), "-n 10: too few for a search"),
        (("planner", *WORDS, "--params", "alarms"), "--params alarms: planner has no parameter"),
        ((*WORDS,), "Missing argument 'STRATEGY'"),
        (("--resume",), "--resume: needs -o"),
    ],
)
def test_mistakes_are_named_by_their_options(ttrsim, words, problem):
    ended = ttrsim("tune", *words)
    assert (ended.code, ended.out) == (2, "")
    assert problem in ended.err


def test_a_tuning_that_was_begun_is_continued_without_other_options(ttrsim, tuned):
    ended = ttrsim("tune", "--resume", "-o", tuned, "--seats", "3")
    assert ended.code == 2
    assert "--seats: was chosen when the tuning" in ended.err


def test_a_sweep_is_printed_and_drawn(ttrsim, tmp_path):
    words = ("sweep", "planner", "alarm=12,90", "--map", "usa", "--seats", "2", "-n", "400", "--seed", "1")
    ended = ttrsim(*words, "-o", tmp_path / "sweep.png")
    assert ended.code == 0
    assert "No values clearly win more than planner." in ended.out
    assert "alarm=90" in ended.out
    assert (tmp_path / "sweep.png").exists()
    rows = json.loads(ttrsim(*words, "--json").out)["tables"]["sweep"]["rows"]
    assert [row["verdict"] for row in rows] == ["", "worse"]
    assert ttrsim(*words, "--csv").out.splitlines()[0].startswith("parameters,value,games,win_share")

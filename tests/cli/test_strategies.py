"""`ttrsim strategies`: list, show, new and check."""

import json
import re
import subprocess
import sys

import pytest

from ttrsim.core.jit import COMPILED
from ttrsim.strategies import strategy_names

pytestmark = pytest.mark.usefixtures("not_the_first_run")

BAD = "def take_turn(board, table, hand, mind):\n    return 99 if table.turn > 3 else 1\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A new folder, which the command runs in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_list_has_every_strategy_with_the_first_sentence_of_its_docstring(ttrsim):
    ended = ttrsim("strategies", "list")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0].split() == ["Strategy", "What", "it", "does"]
    assert [line.split()[0] for line in lines[1:] if line[0] != " "] == strategy_names()
    assert "Plays one of the legal actions, each equally likely.\n" in ended.out
    told = json.loads(ttrsim("strategies", "list", "--json").out)
    assert [s["strategy"] for s in told] == strategy_names()


def test_listing_compiles_nothing():
    code = "import sys; from ttrsim.cli import main; main(['strategies', 'list']); print('numba' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.endswith("False\n")


def test_show_tells_what_a_strategy_does_its_file_parameters_and_decisions(ttrsim, here):
    ttrsim("strategies", "new", "mine")
    ended = ttrsim("strategies", "show", "mine.py")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("mine\nmine.py\n\nBuilds its tickets first")
    assert "\nParameter  Default  Low  High\nthrift           3    0    10\n" in ended.out
    assert "Its own functions: keep_opening, take_turn, keep_drawn; the defaults make all other decisions" in ended.out
    told = json.loads(ttrsim("strategies", "show", "mine.py", "--json").out)
    assert told["parameters"]["greed"] == {"default": 12, "low": 0, "high": 45, "whole": False, "switch": False}


def test_show_lists_switches_apart_from_the_parameters(ttrsim):
    shown = ttrsim("strategies", "show", "planner").out
    assert re.search(
        r"\nSwitch +On +The strategy then\nnever_draws_tickets +1 +draws no tickets after the opening\n", shown
    )
    assert "draws_blind" not in shown.partition("\nSwitch ")[0]


def test_show_source_prints_the_file_itself(ttrsim, here):
    ttrsim("strategies", "new", "mine")
    assert ttrsim("strategies", "show", "mine.py", "--source").out == (here / "mine.py").read_text("utf-8")


def test_new_writes_a_strategy_that_plays(ttrsim, here):
    ended = ttrsim("strategies", "new", "mine")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("Wrote mine.py. Play it with `ttrsim play --map usa --players mine.py,random`")
    assert ttrsim("play", "--map", "usa", "--players", "mine.py(greed=20),random", "--seed", 1).code == 0


def test_new_overwrites_nothing(ttrsim, here):
    (here / "mine.py").write_text("precious", "utf-8")
    ended = ttrsim("strategies", "new", "mine")
    assert (ended.code, ended.err) == (
        1,
        "Error: mine.py: already exists and is left alone; choose another name or -o FILE\n",
    )
    assert (here / "mine.py").read_text("utf-8") == "precious"
    assert ttrsim("strategies", "new", "mine", "-o", "other.py").code == 0
    assert 'NAME = "mine"' in (here / "other.py").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("new", "my-bot"), "'my-bot': a strategy's name consists of letters, digits and _"),
        (("new", "mine", "-o", "mine.txt"), "mine.txt: a strategy's file ends in .py"),
        (("new", "planner"), "'planner': a strategy that comes with ttrsim has this name"),
        (("new", "mine", "-o", "sub/mine.py"), "sub/mine.py: there is no folder 'sub'; make it first"),
        (("show", "randon"), "no strategy 'randon'; did you mean random"),
        (("check", "random", "--board", "usaa"), "no board 'usaa'"),
        (("check", "random(risk=1)"), "random: no parameter 'risk'"),
        (("check", "random,random"), "'random,random': give one strategy to check"),
        (("check", "random", "--games", "0"), "0 is not in the range"),
        (("chek", "random"), "No such command 'chek'"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(ttrsim, here, arguments, message):
    ended = ttrsim("strategies", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert [line for line in ended.err.splitlines() if "Error: " in line and message in line]


def test_check_passes_a_good_strategy_with_a_clear_verdict(ttrsim, here):
    ended = ttrsim("strategies", "check", "random", "--board", "san_francisco", "--games", 30, "--quick")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines()[0].split() == ["Board", "Players", "Games", "Games/s", "µs", "Passes", "Stalemates"]
    assert "random PASSES. 120 games at 3 tables: all actions legal, all indices within their" in ended.out


def test_check_says_what_to_write_in_place_of_an_import_from_core_or_kit(ttrsim, here):
    old = "from ttrsim.kit.chance import any_kind\n\n\ndef decide(board, table, hand, mind):\n"
    (here / "old.py").write_text(f"{old}    return any_kind(board, table, hand, mind)\n", "utf-8")
    note = "old.py, line 1: imports from the insides of ttrsim: write `from ttrsim.bot import any_kind`"
    compiled = ttrsim("warm", "old.py")
    assert (f"{note} (`ttrsim strategies check old.py` lists all such lines)" in compiled.err) == COMPILED
    ended = ttrsim("strategies", "check", "old.py", "--board", "usa", "--games", 10, "--quick", "--quiet")
    assert (ended.code, ended.err, ended.out.splitlines()[-1]) == (0, "", f"Note: {note}")


def test_check_fails_a_bad_strategy_with_1_and_says_why(ttrsim, here):
    (here / "bad.py").write_text(BAD, "utf-8")
    ended = ttrsim("strategies", "check", "bad.py", "--board", "usa", "--quick", "--quiet")
    assert ended.code == 1
    assert "bad (bad.py) FAILS (" in ended.out
    assert ended.err.startswith(
        "Error: bad (bad.py), as the 1st player in turn 5, asked for 'turn', chose an illegal action, 99; "
    )
    told = json.loads(ttrsim("strategies", "check", "bad.py", "--board", "usa", "--quick", "--json").out)
    assert (told["passed"], len(told["problems"])) == (False, 1)


def test_check_tells_mistakes_in_the_file_itself(ttrsim, here):
    (here / "bad.py").write_text("import os\n" + BAD.replace("table.turn", "table.trun"), "utf-8")
    ended = ttrsim("strategies", "check", "bad.py")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.splitlines()[0].startswith("Error: bad.py, line 1: imports os: a strategy may import from ")
    assert ended.err.splitlines()[1].startswith("Error: bad.py, line 3: table has no field 'trun'; did you mean turn")

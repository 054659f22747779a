"""Strategies by name and file, their parameters, and what is compiled when; with real processes where caches matter."""

import inspect
import json
import os
import re
import secrets
import subprocess
import sys

import pytest

from ttrsim.core.jit import COMPILED, PARTS
from ttrsim.errors import UsageError
from ttrsim.games import make_games
from ttrsim.runs.recipe import make_recipe
from ttrsim.strategies import load_line_up, load_strategy, strategy_names
from ttrsim.strategies.building import run_module
from ttrsim.strategies.loading import load_source, names_in_tables, new_text
from ttrsim.strategies.source import StrategyError

compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
PATIENT = """\
from ttrsim.kit.chance import any_kind

NAME = "patient"
PARAMS = {"haste": (1, 0, 9), "patience": (10, 0, 40)}


def take_turn(board, table, hand, mind):
    if waits(table, mind) and table.deck_cards > 0:
        return 1
    return any_kind(board, table, hand, mind)


def waits(table, mind):
    return table.turn < 1 * mind.params["patience"]


def decide(board, table, hand, mind):
    return any_kind(board, table, hand, mind)
"""
PROBE = """
import json, os, sys
from pathlib import Path
from ttrsim.core.code_cache import CodeCache
from ttrsim.games import make_games
made, put = [], CodeCache.put
CodeCache.put = lambda cache, key, code: made.append(key) or put(cache, key, code)
bot = Path(sys.argv[1])
times = bot.stat().st_atime_ns, bot.stat().st_mtime_ns
for text, params in json.loads(sys.argv[2]):
    bot.write_text(text, "utf-8")
    os.utime(bot, ns=times)
    made.clear()
    results = make_games("usa", f"{bot}{params},random", 42).play(range(1))
    print(results.seats["counts"][0, 0, 1], len(made), flush=True)  # cards drawn blind
"""


@pytest.fixture
def bot(tmp_path):
    """The file of a strategy that draws blind for its first turns."""
    path = tmp_path / "bot.py"
    path.write_text(PATIENT, "utf-8")
    return path


def played_anew(bot, *versions):
    """Play a game of each version of a bot, a text with parameters, in one new process.

    Return how many cards it drew blind in each, and how many functions were compiled for that.
    """
    command = [sys.executable, "-c", PROBE, str(bot), json.dumps(versions)]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return [tuple(map(int, line.split())) for line in ended.stdout.splitlines()]


def test_each_decision_is_answered_by_its_own_function_else_by_decide(bot):
    shown = make_games("usa", f"{bot}(patience=40),random", 1).seated(0).replay().events
    mine = shown[shown["seat"] == 0]
    early = mine[(mine["turn"] < 40) & (mine["phase"] == 3)]
    assert len(early) == 20
    assert (early["action"] == 1).all()
    assert (mine[mine["phase"] == 0]["action"] >= 100).all()


def test_what_the_file_leaves_out_is_answered_by_the_defaults(tmp_path):
    path = tmp_path / "bot.py"
    path.write_text("def pay_tunnel(board, table, hand, mind):\n    return 3\n", "utf-8")
    recording = make_games("europe", f"{path},{path}", 1).seated(0).replay()
    assert recording.illegal is None
    assert (recording.events["action"][recording.events["phase"] == 5] == 3).all()


def test_parameters_are_read_by_name_and_change_nothing_that_is_compiled(bot):
    strategies = load_line_up(f"{bot},{bot}(patience=3),{bot}(haste=2, patience=40)")
    assert [s.values for s in strategies] == [(1, 10), (1, 3), (2, 40)]
    assert len({s.compiled for s in strategies}) == 1
    assert [s.spec for s in strategies] == [str(bot), f"{bot}(patience=3)", f"{bot}(haste=2, patience=40)"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{}(patience=41)", "bot: patience = 41: must be from 0 to 40"),
        ("{}(patience=-1)", "bot: patience = -1: must be from 0 to 40"),
        ("{}(patience=nan)", "bot: patience = nan: must be from 0 to 40"),
        ("{}(patienc=4)", "bot: no parameter 'patienc'; did you mean patience?"),
        ("{}(patience)", "is not parameter=number"),
        ("{}(patience=much)", "is not parameter=number"),
        ("{}(patience=1, patience=2)", "'patience' is given twice"),
    ],
)
def test_wrong_values_of_parameters_are_told(bot, spec, message):
    with pytest.raises(UsageError) as raised:
        load_line_up(spec.format(bot))
    assert message in str(raised.value)


def test_names_in_tables_leave_out_many_values():
    values = {"thrift": 1, "risk": 5, "trains": 6, "tempo": 7, "hunger": 8}
    several, many = load_strategy("planner", dict(list(values.items())[:2])), load_strategy("planner", values)
    others = load_strategy("planner", values | {"rival": 9})
    assert names_in_tables([several, many, others]) == [several.spec, "planner(tuned)", "planner(tuned) #2"]
    assert many.spec == "planner(thrift=1, risk=5, trains=6, tempo=7, hunger=8)"
    recipe, *_ = make_recipe(board="usa", players=[several, many], games=2, seed=1)
    first, second = (strategy.unnamed_values for strategy in recipe.strategies)
    assert first == ""
    assert second.startswith("thrift=1, risk=5, trains=6, tempo=7, hunger=8, full=")
    assert "never" not in second


def test_two_strategies_may_have_one_name(bot, tmp_path):
    (tmp_path / "other.py").write_text(PATIENT.replace("(10, 0, 40)", "(0, 0, 40)"), "utf-8")
    series = make_games("usa", f"{bot},{tmp_path / 'other.py'}", 3)
    assert [s.name for s in series.strategies] == ["patient", "patient"]
    assert series.schedule.lap_games == 2
    assert len(series.play(range(2)).games) == 2


def test_what_was_loaded_is_played_whatever_becomes_of_the_file(bot):
    strategy = load_strategy(str(bot))
    bot.write_text("'this is not Python\n" * 40, "utf-8")
    assert make_games("usa", [strategy, "random"], 3).play(range(1)).seats["counts"][0, 0, 1] >= 5


def test_line_ends_and_byte_order_mark_of_windows_make_no_other_strategy(bot):
    plain = load_strategy(str(bot))
    bot.write_bytes(b"\xef\xbb\xbf" + PATIENT.replace("\n", "\r\n").encode())
    assert load_strategy(str(bot)) == plain


@pytest.mark.parametrize("name", strategy_names())
def test_every_function_of_a_strategy_stands_where_python_finds_one(name):
    functions = [f for f in vars(run_module(load_source(name))).values() if inspect.isfunction(f)]
    for function in functions:
        if function.__module__.startswith("ttrsim_strategy_"):
            assert inspect.getsource(function).startswith("def ")


@pytest.mark.skipif(not PARTS, reason="the code is not kept by ttrsim")
def test_a_strategy_in_a_users_folder_is_kept_compiled_and_an_edit_compiles_what_it_changes(bot):
    played_anew(bot, (PATIENT, ""))
    never_seen = secrets.randbits(60)  # another would have been compiled by another test, or an earlier run
    edited = PATIENT.replace("1 * mind", f"{never_seen} * mind")
    versions = (PATIENT, ""), (PATIENT, "(patience=30)"), (PATIENT + "# the end\n", ""), (edited, "")
    # What is edited, the function that calls it, and what hands decisions on are compiled.
    assert [compiled for _, compiled in played_anew(bot, *versions)] == [0, 0, 0, 3]


@compiled_only
def test_an_edit_is_played_even_if_size_and_time_of_the_file_stay_as_they_were(bot):
    ((drawn, _),) = played_anew(bot, (PATIENT, ""))
    assert drawn >= 5
    factors = {0: (0, 4), 3: (15, 60), 1: (5, 14)}
    edits = [(PATIENT.replace("1 * mind", f"{factor} * mind"), "") for factor in factors]
    for (drawn, _), (fewest, most) in zip(played_anew(bot, *edits), factors.values(), strict=True):
        assert fewest <= drawn <= most


def test_the_file_to_start_from_loads_and_names_itself(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(new_text("mine"), "utf-8")
    strategy = load_strategy(str(path))
    assert strategy.name == "mine"
    assert strategy.params
    assert strategy.doc.startswith("Builds its tickets")


def test_strategies_are_listed_and_read_without_compiling():
    code = "import sys; import ttrsim.strategies as s; s.load_strategy('random'); print('numba' in sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "False\n"


def test_the_names_of_strategies_that_come_with_ttrsim_stay_theirs(tmp_path):
    own, named, free = (tmp_path / name for name in ("planner.py", "mine.py", "other.py"))
    own.write_text("def decide(board, table, hand, mind):\n    return 1\n", "utf-8")
    named.write_text('NAME = "planner"\n' + own.read_text("utf-8"), "utf-8")
    free.write_text('NAME = "free"\nPARAMS = {"risk": (1, 0, 9)}\n' + own.read_text("utf-8"), "utf-8")
    names = [s.name for s in load_line_up(["planner", str(own), str(named), str(free)])]
    assert names == ["planner", "planner.py", "mine.py", "free"]
    recipe = make_recipe(board="usa", players=f"planner,{own},{free}(risk=5)", games=6, seed=1)[0]
    assert recipe.names == ["planner", "planner.py", "free(risk=5)"]


def test_a_file_beside_is_thought_of(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_bot.py").write_text(PATIENT, "utf-8")
    with pytest.raises(UsageError, match=re.escape("no strategy 'my_bot'; did you mean my_bot.py?")):
        load_strategy("my_bot")


def test_a_file_that_is_too_large_is_refused(tmp_path):
    (tmp_path / "bot.py").write_text("x = 1\n" * 50_000, "utf-8")
    with pytest.raises(StrategyError, match=r"bot.py: is too large: such a file has at most 131,072 bytes"):
        load_strategy(str(tmp_path / "bot.py"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "bot.py")
    with pytest.raises(StrategyError, match=r"bot.py: cannot be read: it is a pipe, not a file"):
        load_strategy(str(tmp_path / "bot.py"))


@compiled_only
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
@pytest.mark.parametrize("name", [b"bot\xff.py", b"bots\xff/bot.py"])
def test_a_path_that_is_not_utf_8_is_refused_before_it_is_compiled(tmp_path, name):
    path = tmp_path / os.fsdecode(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(PATIENT, "utf-8")
    strategy = load_strategy(str(path))
    with pytest.raises(StrategyError) as raised:
        _ = strategy.compiled
    hint = "rename the file or its folder"
    assert raised.value.problems == [f"{path}: its path is not UTF-8, so it cannot be compiled; {hint}"]


def test_the_first_mistakes_of_many_are_told_and_how_many_more_there_are(tmp_path):
    text = "def take_turn(board, table, hand, mind):\n" + "    table.foo = 1\n" * 1000
    (tmp_path / "bot.py").write_text(text, "utf-8")
    with pytest.raises(StrategyError) as refusal:
        load_strategy(str(tmp_path / "bot.py"))
    assert len(refusal.value.problems) == 21
    # One more than there are lines: it answers nothing, either.
    assert refusal.value.problems[-1] == "and 981 more problems, which fixing these may fix too"


def test_a_line_that_is_no_python_is_shown_in_short(tmp_path):
    (tmp_path / "bot.py").write_text("x = " + "(" * 50_000, "utf-8")
    with pytest.raises(StrategyError) as refusal:
        load_strategy(str(tmp_path / "bot.py"))
    assert [problem for problem in refusal.value.problems if len(problem) > len(str(tmp_path)) + 200] == []

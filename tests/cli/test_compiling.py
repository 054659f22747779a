"""The message before something is compiled."""

import re
import subprocess
import sys

import pytest

from ttrsim import compiling
from ttrsim.cli.output import _is_number
from ttrsim.compiling import compile_first
from ttrsim.core.jit import COMPILED
from ttrsim.progress import Listener
from ttrsim.strategies import load_line_up

compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@pytest.fixture
def only_the_game_is_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr("ttrsim.core.jit.CACHE_FOLDER", tmp_path)
    compiling._game_mark().touch()


@compiled_only
@pytest.mark.usefixtures("only_the_game_is_compiled")
def test_compiling_a_strategy_is_announced_once():
    told = []
    compile_first(load_line_up("planner,planner(thrift=2),random"), Listener(message=told.append))
    assert told == ["Compiling planner (only again if it changes): about 10 seconds ..."]
    compile_first(load_line_up("planner,random"), Listener(message=told.append))
    assert len(told) == 1


@compiled_only
@pytest.mark.usefixtures("only_the_game_is_compiled")
def test_the_yardsticks_take_no_time_to_speak_of():
    told = []
    compile_first(load_line_up("random,random_kind"), Listener(message=told.append))
    assert told == []


@compiled_only
def test_a_strategy_whose_code_changed_is_compiled_again_and_one_whose_comments_changed_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr("ttrsim.core.jit.CACHE_FOLDER", tmp_path)
    compiling._game_mark().touch()
    bot = tmp_path / "bot.py"
    texts = ("return 0", "return 0  # always passes", "return 1")
    compiled = []
    for text in texts:
        bot.write_text(f"def decide(board, table, hand, mind):\n    {text}\n", "utf-8")
        compiled.append(compile_first(load_line_up(str(bot))))
    assert compiled == [["bot"], [], ["bot"]]


@compiled_only
def test_compiling_the_game_compiles_the_adding_up_of_runs_too():
    code = (
        "from ttrsim.compiling import compile_game; from ttrsim.core import tally; compile_game(); "
        "print(*(of.cache_info().currsize for of in (tally.compiled_tally_seats, tally.compiled_tally_tickets)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "1 1\n"


@compiled_only
@pytest.mark.usefixtures("only_the_game_is_compiled")
def test_warm_tells_what_was_compiled_and_when_there_was_nothing_to_compile(ttrsim):
    assert re.fullmatch(r"Compiled random, random_kind in \d+\.\d s\n", ttrsim("warm", "random,random_kind").out)
    again = "Nothing to compile: the game and random, random_kind are already compiled\n"
    assert ttrsim("warm", "random", "random_kind").out == again


@pytest.mark.parametrize("cell", ["12", "1,234", "−12,345,678.9", "+3.5%", "–"])
def test_numbers_are_aligned_to_the_right(cell):
    assert _is_number(cell)


@pytest.mark.parametrize("cell", ["1,23", "1,,234", ",123", "2–5", "usa"])
def test_other_cells_are_no_numbers(cell):
    assert not _is_number(cell)

"""Failures in a game are reported with file, line, game, seat and turn, and the command that shows them again."""

import re

import pytest
from conftest import words_of

from ttrsim.core.jit import COMPILED
from ttrsim.games import simulate
from ttrsim.strategies import StrategyError

START = "from ttrsim.kit.chance import any_kind\n\n\ndef decide(board, table, hand, mind):\n"
GO_ON = "    return any_kind(board, table, hand, mind)\n"
FAILURES = [
    ("    if table.turn > 40:\n        raise ValueError\n", 6, "ValueError"),
    ("    assert table.turn < 40\n", 5, "AssertionError"),
]


@pytest.fixture
def bot(tmp_path):
    """Writes a strategy that begins with START to `bot.py` and returns its path."""

    def write(text):
        path = tmp_path / "bot.py"
        path.write_text(START + text + GO_ON, "utf-8")
        return path

    return write


@pytest.mark.parametrize(("text", "line", "problem"), FAILURES)
def test_exception_in_a_batch_is_told_with_its_game_and_the_command_that_shows_it(bot, ttrsim, text, line, problem):
    path = bot(text.replace("table.turn", "table.turn * (table.tickets_left == 17)"))
    with pytest.raises(StrategyError) as raised:
        simulate(board="usa", players=f"{path},random", games=4000, seed=5)
    told = str(raised.value)
    assert told.startswith(f"{path}, line {line}: decide: {problem}")
    found = re.search(
        r"as the (\w+) player in turn (\d+), asked for '[a-z ]+'; `ttrsim (play .*)` shows the game", told
    )
    assert found
    command = words_of(found[3])
    shown = ttrsim(*command, "--quiet")
    assert shown.code == 1
    assert f"Seed 5, game {command[command.index('--game') + 1]}" in shown.out
    assert shown.err.startswith(f"Error: {path}, line {line}: decide: {problem}")
    assert f"as the {found[1]} player in turn {found[2]}, " in shown.err


def test_exception_is_told_in_each_way_to_play(bot):
    path = bot("    assert table.turn < 4\n")
    for arguments in ({"games": 10}, {"game_index": 2}, {"game_index": 2, "record": True}):
        with pytest.raises(
            StrategyError, match=r"bot.py, line 5: decide: AssertionError, as the 1st player in turn 5, "
        ):
            simulate(board="europe", players=f"{path},random", seed=1, order="listed", **arguments)


def test_illegal_action_in_a_batch_is_told_with_its_game(bot):
    path = bot("    if table.turn > 40:\n        return 7\n")
    with pytest.raises(
        StrategyError,
        match=r"bot \(.*bot.py\), as the \w+ player in turn 42, asked for '.*', chose an illegal action, 7; `",
    ):
        simulate(board="usa", players=f"random,{path}", games=10, seed=5)


@pytest.mark.skipif(not COMPILED, reason="plain Python divides by nothing itself")
def test_division_by_zero_that_ends_in_an_illegal_action_is_told_with_its_line(bot, ttrsim):
    path = bot("    if table.turn > 40:\n        return -1 - abs(7 // (int(table.turn) // 1000))\n")
    with pytest.raises(StrategyError) as raised:
        simulate(board="usa", players=f"random,{path}", games=10, seed=5)
    place = f"{path}, line 6: decide: ZeroDivisionError: "
    assert str(raised.value).startswith(place)
    assert "and so chose an illegal action, -" in str(raised.value)
    shown = ttrsim("play", "--map", "usa", "--players", f"random,{path}", "--seed", 5, "--quiet")
    assert (shown.code, shown.err.startswith(f"Error: {place}")) == (1, True)

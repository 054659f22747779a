"""The check of strategies by games: each wrong strategy here has one thing wrong, and good ones pass."""

import re
from dataclasses import replace

import pytest
from conftest import SMALL_BOARD
from in_process import play_here

from ttrsim.checking import Extent, check_strategy
from ttrsim.core.jit import COMPILED
from ttrsim.strategies import load_strategy

START = "from ttrsim.core.constants import *\nfrom ttrsim.kit.chance import any_kind\n"
DECIDE = "def decide(board, table, hand, mind):\n"
GO_ON = "    return any_kind(board, table, hand, mind)\n"
SHORT = Extent(games=20, seconds=0.5, plain_seconds=2, patience=60)  # where nothing hangs, a slow machine has time
HANGING = replace(SHORT, patience=1)
compiled_only = pytest.mark.skipif(not COMPILED, reason="plain Python meets it at once")


@pytest.fixture
def checked(tmp_path, monkeypatch):
    """Checks a strategy on San Francisco, in a process of its own only if it hangs: its path, and what is found."""

    def check(text, extent=SHORT):
        path = tmp_path / "bot.py"
        path.write_text(START + text, "utf-8")
        if extent.patience == SHORT.patience:
            play_here(monkeypatch)
        return path, check_strategy(load_strategy(str(path)), ["san_francisco"], extent)

    return check


def test_a_good_strategy_passes_and_is_measured(checked):
    _, found = checked(DECIDE + GO_ON)
    assert (found.passed, found.problems) == (True, [])
    assert not any("leaves out" in note for note in found.notes)
    assert [r.table for r in found.reports] == [("san_francisco", n) for n in (2, 3, 4)]
    assert all(r.games >= 2 and r.rate > 0 and r.micros > 0 for r in found.reports)
    assert found.compared > 20


def test_leaving_out_a_ticket_that_must_be_kept_is_noted_and_no_fault(checked):
    path, found = checked(DECIDE + "    if table.phase == OPENING:\n        return KEEP + 0b01\n" + GO_ON)
    assert found.problems == []
    assert [report.forced for report in found.reports] == [6, 0, 0]  # at the smallest table, of two tickets offered
    *_, note = found.notes
    assert note.startswith(f"{path}: leaves out the ticket that it must keep at the opening in 3 of 6 decisions.")
    assert "Begin with `hand.must_keep`" in note


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("    i = 0\n    while table.turn > 5:\n        i += 1 & table.players\n", (5, 6)),
        ("    while table.turn > 5 and mind.memory[0] < 1:\n        mind.memory[1] += 1\n", (4, 5)),
        ("    if hand.cards[WILD] > 1:\n        while True:\n            mind.memory[1] += 1\n", (5, 6)),
    ],
)
@compiled_only
def test_an_endless_loop_is_found_with_its_line(checked, text, where):
    path, found = checked(DECIDE + text + GO_ON, HANGING)
    assert not found.passed
    assert any(found.problems[0].startswith(f"{path}, line {n}: decide: never ends here, as the ") for n in where)
    assert "on san_francisco with" in found.problems[0]


@compiled_only
def test_an_endless_loop_in_a_rare_game_is_found_too(checked):
    text = "    if table.turn == 3 and hand.cards[WILD] == 2:\n        while True:\n            mind.memory[1] += 1\n"
    path, found = checked(DECIDE + text + GO_ON, replace(HANGING, seconds=60))  # all games, however slow the machine is
    assert any(found.problems[0].startswith(f"{path}, line {n}: decide: never ends here") for n in (5, 6))


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("    if table.turn > 9:\n        raise ValueError\n", 5, "decide: ValueError, as the"),
        ("    k = mind.memory[64 + table.turn]\n    if k == 77:\n        return 0\n", 4, "decide: IndexError: index"),
    ],
)
def test_an_exception_and_an_index_out_of_bounds_are_found_with_their_line(checked, text, line, problem):
    path, found = checked(DECIDE + text + GO_ON)
    assert found.problems[0].startswith(f"{path}, line {line}: {problem}")


def test_an_illegal_action_is_found_with_the_command_that_shows_it(checked):
    path, found = checked(DECIDE + "    if table.turn == 9:\n        return 99\n" + GO_ON)
    assert (
        f"bot ({path}), as the 2nd player in turn 10, asked for 'turn', chose an illegal action, 99"
        in found.problems[0]
    )
    shows = f"`ttrsim play --map san_francisco --players {path},{path} --seed 4 --game 0 --order listed`"
    assert shows in found.problems[0]


@compiled_only
def test_a_slow_strategy_passes_with_games_broken_off_and_as_many_decisions_as_time_allows(checked):
    slow = "    for _ in range(150_000):\n        mind.memory[0] = (5 * mind.memory[0] + 1) % 1_000_003\n"
    _, found = checked(DECIDE + slow + GO_ON, replace(SHORT, watched=0.03, plain_seconds=1))
    assert found.problems == []
    assert found.broken_off >= 1
    assert found.compared >= 1


@compiled_only
def test_a_slow_strategy_that_a_parameter_makes_quicker_plays_whole_games_with_that(checked):
    slow = "    for _ in range(int(mind.params['loops'])):\n        mind.memory[0] = (5 * mind.memory[0] + 1) % 1_009\n"
    params = "PARAMS = {'luck': (0, 0, 1), 'loops': (2_000_000, 100, 2_500_000)}\n"
    _, found = checked(params + DECIDE + slow + GO_ON)
    assert (found.problems, found.broken_off) == ([], 0)
    assert found.quickened == "loops = 100"
    assert all(r.games >= 1 and r.rate > 0 for r in found.reports)


@compiled_only
def test_games_that_do_not_end_for_tunnels_left_again_and_again_are_told_as_such(tmp_path, monkeypatch):
    play_here(monkeypatch)
    text = """\
    if table.phase == TUNNEL:
        return DECLINE
    action = any_kind(board, table, hand, mind)
    for _ in range(99):
        if table.phase == TURN and not CLAIM <= action < STATION:
            action = any_kind(board, table, hand, mind)
    return action
"""
    bot, board = tmp_path / "bot.py", tmp_path / "tunnels.toml"
    only_tunnels = re.sub(r"(tracks = \[.*?\]).* }", r"\1, tunnel = true }", SMALL_BOARD)
    board.write_text(only_tunnels.replace("rules.hand = 4", "rules.hand = 4\nrules.tunnel_cards = 8"), "utf-8")
    bot.write_text(START + DECIDE + text, "utf-8")
    (problem,) = check_strategy(load_strategy(str(bot)), [str(board)], SHORT).problems
    where = re.escape(f"with itself on {board} with 2 players")  # one game alone if the machine is slow
    assert re.search(rf"\d games? {where} had not ended after 400 turns per player: in \d+ of them it laid", problem)
    assert "laid out cards at a tunnel and took them back; it must pay there (PAY + wilds, not DECLINE)" in problem


@compiled_only
def test_what_is_remembered_in_the_room_is_found(checked):
    text = "    room.minds[0].memory[0] += 1\n    blind = room.minds[0].memory[0] % 7 > 3 and table.deck_cards > 0\n"
    draw = "    if blind and table.phase == TURN:\n        return DRAW_BLIND\n"
    _, found = checked(DECIDE.replace("mind", "mind, room") + text + draw + GO_ON)
    assert "played twice, are not the same: " in found.problems[0]


def test_a_change_of_what_is_shown_is_found_with_its_field(checked):
    text = "def spoil(t):\n    t.trains[0] = 3\n\n\n" + DECIDE + "    spoil(table)\n" + GO_ON
    path, found = checked(text)
    assert found.problems[0].startswith(f"{path}: changed table.trains, as the 1st player before the first turn, ")
    assert "board, table and hand are read-only" in found.problems[0]


def test_a_parameter_at_its_bounds_is_tried(checked):
    text = 'PARAMS = {"risk": (1, 0, 4)}\n' + DECIDE + '    assert mind.params["risk"] < 4\n'
    _, found = checked(text + GO_ON)
    assert found.problems[0].startswith("with risk = 4: ")
    assert ", line 5: decide: AssertionError" in found.problems[0]


@compiled_only
def test_a_strategy_that_decides_otherwise_compiled_is_found(checked):
    path, found = checked(DECIDE + "    mind.memory[0] = table.score[0] * 1_000_000_000 % 7\n" + GO_ON)
    assert found.problems[0].startswith(f"{path}: leaves a different mind in plain Python than when compiled, as the ")


@pytest.mark.parametrize("sum_", ["1.0 / zero", "np.sqrt(zero - 1.0)", "np.log(zero)"], ids=["divide", "sqrt", "log"])
def test_a_sum_without_meaning_is_found_with_its_line(checked, sum_):
    text = f"    zero = mind.params['zero']\n    return any_kind(board, table, hand, mind) if {sum_} != 3.0 else 0\n"
    path, found = checked("import numpy as np\nPARAMS = {'zero': (0, 0, 1)}\n" + DECIDE + text)
    assert len(found.problems) == 1
    assert found.problems[0].startswith(f"{path}, line 7: decide: ")
    assert "; compiled code would continue with inf, nan or a meaningless number" in found.problems[0]

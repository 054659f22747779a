"""Every mistake of a strategy's writer becomes one message with file, line, what is wrong and what would be right."""

import pytest

from ttrsim.core.jit import COMPILED
from ttrsim.strategies import StrategyError, load_strategy
from ttrsim.strategies.mistakes import mistakes
from ttrsim.strategies.source import read_source

GOOD = """\
from ttrsim.core.constants import DRAW_BLIND, KEEP
from ttrsim.kit.chance import any_kind
import numpy as np

NAME = "good"
PARAMS = {"risk": (0.5, 0, 1), "greed": (1, 0, 3)}


def enough(hand, least):
    return hand.cards.sum() >= least * mind_is_not_here()


def mind_is_not_here():
    return 1


def take_turn(board, table, hand, mind):
    if enough(hand, 20 * mind.params["risk"]):
        return any_kind(board, table, hand, mind)
    return DRAW_BLIND if table.deck_cards > 0 else any_kind(board, table, hand, mind)
"""
TURN = "def take_turn(board, table, hand, mind):\n"
USE = "from ttrsim.kit.chance import any_kind\nimport numpy as np\n"
compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@pytest.fixture
def bot(tmp_path):
    """Writes a strategy to `bot.py` and returns its path."""

    def write(text):
        path = tmp_path / "bot.py"
        path.write_text(text, "utf-8")
        return path

    return write


def told(path, line, *words):
    """Return whether compiling a strategy fails with a problem that names file and line, and has these words."""
    with pytest.raises(StrategyError) as raised:
        _ = load_strategy(str(path)).compiled
    problem = raised.value.problems[0]
    print(problem)
    assert problem.startswith(f"{path}, line {line}: ")
    assert "\n" not in problem
    for word in words:
        assert word in problem
    return True


def test_a_good_strategy_has_no_mistakes(bot):
    strategy = load_strategy(str(bot(GOOD)))
    assert (strategy.name, [p.name for p in strategy.params], strategy.values) == ("good", ["risk", "greed"], (0.5, 1))
    assert callable(strategy.compiled)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("def take_turn(board, table, hand, mind)\n    return 1\n", 1, ["not Python: expected ':'", "def take_turn("]),
        ("x = 1\n\n  y = 2\n", 3, ["not Python: unexpected indent: y = 2"]),
        ('"""Empty."""\n', 1, ["answers no decision: write a function decide, or one of keep_opening"]),
        ("def take_trun(board, table, hand, mind):\n    return 1\n", 1, ["take_trun; did you mean take_turn?"]),
        (
            "def best(board, table, hand, mind):\n    return 1\n",
            1,
            ["nothing calls best", "keep_opening, choose_start"],
        ),
        (TURN + "    return 1\n\ndef keep_openings(board):\n    return 1\n", 4, ["did you mean keep_opening?"]),
        (TURN + "    return 1\n\n" + TURN + "    return 2\n", 4, ["take_turn is defined twice, first in line 1"]),
        ("def decide(table, hand, mind):\n    return 1\n", 1, ["write def decide(board, table, hand, mind):"]),
        ("def decide(board, table, mind, hand):\n    return 1\n", 1, ["write def decide(board, table, hand, mind):"]),
        ("def decide(board, table, hand, mind, n=1):\n    return 1\n", 1, ["write def decide("]),
        (USE + "take_turn = any_kind\n", 3, ["take_turn is not a function of this file"]),
        ("async def decide(board, table, hand, mind):\n    return 1\n", 1, ["async def decide: write def"]),
        ("import random\n" + TURN + "    return 1\n", 1, ["imports random", "below(mind.rng, n)"]),
        (
            "import numba\n" + TURN + "    return 1\n",
            1,
            ["a strategy may import from ttrsim.bot, numpy, math"],
        ),
        ("from .other import f\n" + TURN + "    return 1\n", 1, ["imports .other: "]),
        ("WEIGHTS = open('w.txt').read()\n" + TURN + "    return 1\n", 1, ["open: a strategy must not depend on"]),
        ("NAME = 3\n" + TURN + "    return 1\n", 1, ["NAME = 3: write one word of letters"]),
        ("PARAMS = 3\n" + TURN + "    return 1\n", 1, ['PARAMS = 3: write PARAMS = {"risk": (default, ']),
        ("def decide(board, table):\n    return 1\n", 1, ["decide(board, table) has the wrong arguments: write def"]),
        (
            'PARAMS = {"risk": (1, 0, 1)}\n' + TURN + '    return int(mind.params["rsk"])\n',
            3,
            ["'rsk'; did you mean risk?"],
        ),
        (TURN + '    return int(mind.params["risk"])\n', 2, ["no parameter 'risk'; the file has no PARAMS"]),
        (TURN + "    return table.trian[0]\n", 2, ["table has no field 'trian'; did you mean trains"]),
        (TURN + "    return hand.card[0]\n", 2, ["hand has no field 'card'; did you mean cards"]),
        (
            TURN + "    return mind.work.grup_count\n",
            2,
            ["mind.work has no field 'grup_count'; did you mean group_count"],
        ),
        (
            TURN + "    table.turn = 3\n    return 1\n",
            2,
            ["changes table.turn: board, table and hand are read-only", "mind.memory"],
        ),
        (TURN + "    hand.cards[2] += 1\n    return 1\n", 2, ["changes hand.cards[2]"]),
        (TURN + "    if table.turn > 3:\n        return 1\n", 3, ["take_turn can end here without an action"]),
        (TURN + "    for i in range(3):\n        return 1\n", 3, ["take_turn can end here without an action"]),
        (TURN + "    return\n", 2, ["take_turn has `return`: an action is a whole number"]),
        (TURN + "    return 0.5\n", 2, ["take_turn has `return 0.5`: an action is a whole number"]),
        (TURN + "    x = [1, 2]\n    return x[0]\n", 2, ["take_turn makes a list", "use a tuple"]),
        (TURN + "    x = {1: 2}\n    return x[1]\n", 2, ["makes a dict"]),
        (TURN + "    return max(k for k in range(3))\n", 2, ["makes a generator"]),
        (TURN + "    return len(str(table.turn))\n", 2, ["makes a text"]),
        (
            USE + TURN + "    x = np.zeros(3)\n    return int(x[0])\n",
            4,
            ["makes an array with np.zeros", "mind.memory"],
        ),
        (USE + TURN + "    return int(np.random.random())\n", 4, ["np.random.random does not follow the game's seed"]),
        (TURN + "    with table:\n        return 1\n", 2, ["cannot use with"]),
        (TURN + "    yield 1\n    return 1\n", 2, ["cannot use yield"]),
        (TURN + "    import math\n    return 1\n", 2, ["import within a function: move it to the top"]),
        (
            TURN + "    return again(table)\n\ndef again(table):\n    return again(table)\n",
            4,
            ["calls itself", "a loop"],
        ),
        (
            USE + TURN + "    return any_kint(board, table, hand, mind)\n",
            4,
            ["'any_kint' is not defined", "any_kind"],
        ),
    ],
)
def test_mistake_that_the_text_shows_is_told_when_the_file_is_loaded(bot, text, line, words):
    path = bot(text)
    with pytest.raises(StrategyError) as raised:
        load_strategy(str(path))
    assert raised.value.problems[0].startswith(f"{path}, line {line}: ")
    for word in words:
        assert word in raised.value.problems[0]


@pytest.mark.parametrize(
    ("entry", "wrong"),
    [
        ("'risk': 3", "it needs three numbers and has 1"),
        ("'risk': (0, 1)", "it needs three numbers and has 2"),
        ("'risk': (3, 0, 1)", "the default, 3, is not from 0 to 1"),
        ("'risk': (3, 5, 1)", "the lowest, 5, is above the highest, 1"),
        ("'risk': (0, 0, 'x')", "'x' is not a plain number such as 12 or 0.5"),
        ("'risk': (0, 0, 1 / 2)", "1 / 2 is not a plain number"),
        ("'my risk': (0, 0, 1)", "a name is one word of letters, digits and _, in quotes"),
        ("risk: (0, 0, 1)", "a name is one word"),
        ("'good': (0, 0, 1)", "that name is used twice"),
    ],
)
def test_what_is_wrong_with_which_entry_of_params_is_told(bot, entry, wrong):
    path = bot("PARAMS = {\n    'good': (1, 0, 1),\n    " + entry + ",\n}\n" + TURN + "    return 1\n")
    with pytest.raises(StrategyError) as raised:
        load_strategy(str(path))
    hint = 'write PARAMS = {"risk": (default, lowest, highest)}'
    (problem,) = raised.value.problems
    assert problem.startswith(f"{path}, line 3: PARAMS has {{{entry}}}: {wrong}")
    assert problem.endswith(f"; {hint}")


def test_all_mistakes_are_told_at_once_from_top_to_bottom(bot):
    path = bot("import os\n\n\ndef take_turn(board, table, hand, mind):\n    return table.trian + hand.crds\n")
    with pytest.raises(StrategyError) as raised:
        load_strategy(str(path))
    assert [p.split(": ")[0] for p in raised.value.problems] == [f"{path}, line {n}" for n in (1, 5, 5)]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (
            "from ttrsim.kit.chance import any_kint\n" + TURN + "    return 1\n",
            1,
            ["ttrsim.kit.chance has no 'any_kint'"],
        ),
        (
            "from ttrsim.kit.chanc import any_kind\n" + TURN + "    return 1\n",
            1,
            ["ttrsim.kit has no 'chanc'; did you mean chance"],
        ),
        ("X = 1 // 0\n" + TURN + "    return 1\n", 1, ["fails when it is loaded: ZeroDivisionError"]),
    ],
)
def test_mistake_that_running_the_file_shows_is_told_when_it_is_compiled(bot, text, line, words):
    assert told(bot(text), line, *words)


@compiled_only
@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (
            TURN + "    return table.trains[0] / 2\n",
            1,
            ["take_turn may return a number with a fraction", "use // or int"],
        ),
        (TURN + "    return table.trains[0] > 2\n", 1, ["take_turn may return a truth value"]),
        (TURN + "    return table.trains\n", 1, ["returned", "an action is a whole number"]),
        (
            TURN + "    return many(hand)\n\ndef many(hand):\n    return hand.crds[0]\n",
            5,
            ["hand has no field 'crds'; did you mean cards"],
        ),
        (
            TURN + "    return many(hand)\n\ndef many(hand, n):\n    return hand.cards[0]\n",
            2,
            ["many() missing 1 required"],
        ),
        (
            USE + TURN + "    return any_kind(board, table, hand)\n",
            4,
            ["missing 1 required positional argument: 'mind'"],
        ),
        (TURN + "    x = 1 if table.turn else table.open\n    return x[0]\n", 2, ["values of different types"]),
        (TURN + "    return table.trains['x']\n", 2, ["take_turn: IndexError"]),
        (TURN + "    for w in table.trains.tolist():\n        pass\n    return 1\n", 2, ["tolist"]),
        (
            USE + TURN + "    return int(np.cumsum(table.trains)[0])\n",
            4,
            ["which is impossible during a game"],
        ),
        (TURN + "    print(table.turn)\n    return 1\n", 2, ["take_turn prints", "NUMBA_DISABLE_JIT=1"]),
        (
            TURN + "    return none(hand)\n\ndef none(hand):\n    if hand.seat > 9:\n        return 1\n",
            1,
            ["take_turn may return nothing"],
        ),
        (TURN + "    while True:\n        pass\n", 1, ["take_turn never returns, because its loop has no end"]),
    ],
)
def test_mistake_that_compiling_shows_is_told_in_plain_words(bot, text, line, words):
    assert told(bot(text), line, *words)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        (
            "from ttrsim.kit.hands import (\n    best_claim,\n    best_drow,\n)\n\n"
            + TURN
            + "    return best_draw(hand)\n",
            3,
            "ttrsim.kit.hands has no 'best_drow'; did you mean best_draw",
        ),
        ("from ttrsim.kit.hand import best_draw\n\n" + TURN + "    return 1\n", 1, "ttrsim.kit has no 'hand'; did you"),
        ("import ttrsim.kit.hand\n\n" + TURN + "    return 1\n", 1, "ttrsim.kit has no 'hand'; did you mean hands"),
        (
            "from ttrsim.kit import plan\n\n" + TURN + "    return 1\n",
            1,
            "ttrsim.kit has no 'plan'; did you mean plans",
        ),
        (
            "import numpy as np\n\nT = np.zeros(3)\n\n" + TURN + "    T[0] += 1\n    return 1\n",
            6,
            "take_turn changes T[0]: tables at the top of the file cannot change; store what changes in mind.memory",
        ),
        (
            "def take_turn(board, table):\n    return hand.seat + mind.memory[0] + hand.offered\n",
            1,
            "take_turn(board, table) has the wrong arguments: write def take_turn(board, table, hand, mind):",
        ),
        ('NAME = "my bot"\n' + TURN + "    return 1\n", 1, "NAME = 'my bot': write one word of letters, digits and _"),
    ],
)
def test_the_cause_alone_is_told(bot, text, line, problem):
    path = bot(text)
    with pytest.raises(StrategyError) as raised:
        load_strategy(str(path))
    assert len(raised.value.problems) == 1
    assert raised.value.problems[0].startswith(f"{path}, line {line}: {problem}")


def test_a_local_array_of_the_name_of_a_table_may_be_changed(bot):
    text = "T = (1, 2)\n\n" + TURN + "    T = mind.memory\n    T[0] += 1\n    return 1\n"
    assert mistakes(read_source(bot(text), text)) == []


@pytest.mark.parametrize("text", ["x = " + "-" * 30_000 + "1", "x = " + "a." * 50_000 + "a"])
def test_expressions_nested_too_deeply_are_told(bot, text):
    with pytest.raises(StrategyError, match=r"bot\.py.*(nested too deeply|too many nested)"):
        load_strategy(str(bot(f"{text}\n{GOOD}")))


@compiled_only
def test_expressions_too_deep_to_compile_are_told(bot):
    text = f"{USE}{TURN}    return {' + '.join(['1'] * 900)}\n"
    with pytest.raises(StrategyError, match=r"bot\.py: an expression is nested too deeply"):
        _ = load_strategy(str(bot(text))).compiled


def test_a_number_too_large_for_a_parameter_is_told(bot):
    with pytest.raises(StrategyError, match=r"PARAMS has .*: 10+… is not a plain number"):
        load_strategy(str(bot(GOOD.replace("(0.5, 0, 1)", f"(1{'0' * 400}, 0, 1)"))))


def test_what_is_imported_from_within_no_module_is_told(bot):
    with pytest.raises(StrategyError, match=r"ttrsim\.core\.deal\.deal has no 'x'"):
        load_strategy(str(bot(f"from ttrsim.core.deal.deal import x\n{GOOD}")))

"""`ttrsim.bot`: what it offers, and that strategies and pages that come with ttrsim import nothing else of it."""

import ast
import inspect
import os
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttrsim import bot
from ttrsim.boards import load_board
from ttrsim.boards.board import plain as plain_name
from ttrsim.core import constants as c
from ttrsim.core.apply import apply
from ttrsim.core.deal import deal
from ttrsim.core.guard import KERNEL, checked
from ttrsim.core.jit import COMPILED
from ttrsim.core.names import name_key
from ttrsim.core.play import ready_minds
from ttrsim.core.records import GAME, MIND, ROOM
from ttrsim.encode import encode_board, words
from ttrsim.errors import UsageError
from ttrsim.files import data_folder
from ttrsim.games import param_values
from ttrsim.strategies import StrategyError, load_strategy, strategy_names
from ttrsim.strategies.allowed import open_names
from ttrsim.strategies.loading import load_source, new_text

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "bot.md"
CODE = Path(bot.__file__).read_text("utf-8")
HEAD = """\
# What a bot can import

All of it is in `ttrsim.bot`, version {version}: `from ttrsim.bot import PASS, keep_plan`. The version is raised when a
name is removed or when its arguments or its meaning change; a name that is added leaves it as it is. This page is
written from the code. [strategies/README.md](../strategies/README.md) explains how to write a bot, and
[ARCHITECTURE.md](../ARCHITECTURE.md) when each action is legal.
"""
BLOCKS = [
    (name, block)
    for name in ("strategies/README.md", "docs/tutorial.md", "docs/python_api.md", "README.md")
    for block in re.findall(r"```python[^\n]*\n(.*?)```", (ROOT / name).read_text("utf-8"), re.S)
    if "def take_turn" in block or "def pay_tunnel" in block
]


def groups():
    """Return the headings of the module and the names below each, as they stand there."""
    found = {}
    for line in CODE.splitlines():
        if line.startswith("# ") and not line.startswith(("# ruff", "# isort")):
            found[heading := line[2:]] = []
        elif line.startswith("from "):
            found[heading] += [a.asname or a.name for a in ast.parse(line).body[0].names]
    return found


def plain(value):
    """Return the Python function of a kernel."""
    return getattr(value, "py_func", value)


def row(name):
    """Return a function's row in the page: its arguments and the first paragraph of its docstring."""
    function = plain(getattr(bot, name))
    first = " ".join(inspect.getdoc(function).partition("\n\n")[0].split())
    return f"| `{name}{inspect.signature(function)}` | {first.replace('|', chr(92) + '|')} |"


def page():
    parts = [HEAD.format(version=bot.VERSION)]
    for heading, names in groups().items():
        constants = [name for name in names if not callable(plain(getattr(bot, name)))]
        rows = [row(name) for name in names if name not in constants]
        parts.append(f"## {heading}\n")
        if constants:
            parts.append(", ".join(f"`{name}`" for name in constants) + "\n")
        if rows:
            parts.append("\n".join(["| function | what it does |", "|---|---|", *rows]) + "\n")
    return "\n".join(parts)


def imported(text):
    """Return the modules that a text imports."""
    nodes = list(ast.walk(ast.parse(text)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module for node in nodes if isinstance(node, ast.ImportFrom)}


@pytest.mark.skipif(not COMPILED, reason="some functions are written otherwise where nothing is compiled")
def test_the_page_says_what_there_is():
    """Written by REGENERATE_GOLDEN=1."""
    if os.environ.get("REGENERATE_GOLDEN"):
        PAGE.write_text(page(), "utf-8")
    assert PAGE.read_text("utf-8") == page()


def test_a_strategy_can_have_all_of_it_and_nothing_else():
    listed = {name for names in groups().values() for name in names} | {"VERSION"}
    assert {name for name in vars(bot) if not name.startswith("_")} == listed
    assert set(checked(bot).__all__) == listed == open_names(Path(bot.__file__).with_suffix(""))


@pytest.mark.parametrize("name", strategy_names())
def test_a_strategy_that_comes_with_ttrsim_imports_nothing_else_of_it(name):
    text = (data_folder() / "strategies" / f"{name}.py").read_text("utf-8")
    assert "ttrsim.bot" in imported(text) <= {"ttrsim.bot", "numpy", "math"}
    assert load_strategy(name).notes == []


def test_the_file_to_start_from_and_the_pages_import_nothing_else_of_it():
    assert len(BLOCKS) >= 4
    for _, text in [("new", new_text("mine")), *BLOCKS]:
        assert "ttrsim.bot" in imported(text) <= {"ttrsim.bot", "numpy", "math"}


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("from ttrsim.core.constants import PASS", "write `from ttrsim.bot import PASS`"),
        ("from ttrsim.kit.hands import best_claim, best_draw", "write `from ttrsim.bot import best_claim, best_draw`"),
        ("from ttrsim.kit.defaults import take_turn as usual", "write `from ttrsim.bot import default_take_turn`"),
        ("from ttrsim.kit import defaults", "see docs/bot.md for a replacement of defaults"),
        ("import ttrsim.core.constants as c", "see docs/bot.md for a replacement of constants"),
        ("from ttrsim.core.constants import *", "write `from ttrsim.bot import …`"),
        (
            "from ttrsim.kit.hands import best_draw, payment",
            "replacement of payment",
        ),
    ],
)
def test_an_import_from_the_insides_works_and_a_note_says_what_to_write(tmp_path, line, note):
    path = tmp_path / "old.py"
    path.write_text(f'"""Old."""\n\n{line}\n\n\ndef take_turn(board, table, hand, mind):\n    return 1\n', "utf-8")
    (told,) = load_strategy(str(path)).notes
    assert told.startswith(f"{path}, line 3: imports from the insides of ttrsim: write `from ttrsim.bot import ")
    assert note in told


def test_a_name_that_is_not_there_is_a_mistake_with_what_was_meant(tmp_path):
    path = tmp_path / "typo.py"
    text = "from ttrsim.bot import best_drow\n\n\ndef decide(board, table, hand, mind):\n    return 1\n"
    path.write_text(text, "utf-8")
    with pytest.raises(StrategyError, match=r"typo.py, line 1: ttrsim.bot has no 'best_drow'; did you mean best_draw"):
        load_source(str(path))


def test_actions_have_the_codes_of_the_table_in_architecture():
    made = [bot.take(bot.WILD), bot.pay(2), bot.keep(5), bot.keep(np.uint64(3)), bot.choose_city(np.uint8(7))]
    assert made == [19, 32, 105, 103, 407]
    assert bot.claim(np.uint8(191), np.uint8(9), 6) == 10_000 + 19_196
    assert bot.station(7, 3, 0) == 30_730
    assert bot.marker(np.uint8(63), 0, 2) == 46_302


@given(st.sets(st.integers(0, 191)))
def test_walking_a_set_finds_each_member_once_in_order(members):
    routes, found, route = words(members, 3), [], bot.NOBODY
    while (route := bot.next_member(routes, route)) != bot.NOBODY:
        found.append(route)
    assert found == sorted(members)
    assert bot.size_of(routes) == len(members)
    assert [i for i in range(192) if bot.contains(routes, i)] == found


@given(st.sets(st.integers(0, 63)))
def test_walking_a_word_finds_each_bit_once_in_order(members):
    (word,), found, city = words(members, 1), [], bot.NOBODY
    while (city := bot.next_bit(word, city)) != bot.NOBODY:
        found.append(city)
    assert found == sorted(members)


def test_every_function_has_a_docstring_and_is_a_kernel_but_the_one_for_the_top_of_a_file():
    for name in (name for names in groups().values() for name in names):
        value = getattr(bot, name)
        if callable(value):
            assert isinstance(value, KERNEL) or value is name_key, name
            assert inspect.getdoc(plain(value)), name


@pytest.fixture
def write(tmp_path):
    """Writes a bot that answers its turns so and plays `any_action` else; returns it loaded."""

    def write(turn, before=""):
        path = tmp_path / "mine.py"
        start = f"from ttrsim.bot import *\nimport numpy as np\n\n{before}\n\n"
        functions = f"def take_turn(board, table, hand, mind, room):\n{turn}\n"
        path.write_text(start + functions, "utf-8")
        return load_strategy(str(path))

    return write


def answer(strategy, board="usa", games=1):
    """Return its answers, a game each, to the first turn on a board, with what it kept of the games before."""
    record, game = encode_board(load_board(board)), np.zeros(1, GAME)[0]
    minds, room, found = np.zeros(c.SEATS, MIND), np.zeros(1, ROOM)[0], []
    for number in range(games):
        deal(record, game, np.uint64(1), number, 2)
        ready_minds(game, minds, param_values([strategy] * 2), np.array([0, 1], np.uint8))
        strategy.compiled(record, game.table, game.hands[0], minds[0], room)
        for seat in range(2):
            assert apply(record, game, c.KEEP + (1 << game.hands[seat].offered) - 1)
        found.append(strategy.compiled(record, game.table, game.hands[0], minds[0], room))
    return found if games > 1 else found[0]


@pytest.mark.parametrize("name", ["usa", "europe:mega", "old_west", "san_francisco"])
def test_a_city_is_found_by_its_name(name):
    board = load_board(name)
    record = encode_board(board)
    assert [bot.city_named(record, bot.name_key(city.name)) for city in board.cities] == list(range(len(board.cities)))
    assert all(bot.name_key(plain_name(city.name)) == bot.name_key(city.name) for city in board.cities)
    assert bot.city_named(record, bot.name_key("Atlantis")) == c.NOWHERE


def test_the_number_of_a_name_is_its_hash_in_python_2_7():
    assert [hex(bot.name_key(name)) for name in ("Toronto", "København")] == [
        "0xe6eebb73ead9f180",
        "0x8a2ca89f6407c5ed",
    ]


def test_a_board_is_known_by_its_name_and_variants_have_the_same():
    key = bot.name_key("usa")
    assert [bot.is_board(encode_board(load_board(n)), key) for n in ("usa", "usa:mega", "europe")] == [
        True,
        True,
        False,
    ]


def test_a_bot_asks_for_a_board_and_a_city_at_the_top_of_its_file(write):
    turn = "    return 1000 * is_board(board, USA) + city_named(board, MONTREAL)"
    strategy = write(turn, 'USA, MONTREAL = name_key("USA"), name_key("Montreal")')
    board = load_board("usa")
    assert answer(strategy) == 1000 + board.city("Montréal")
    assert answer(strategy, "europe") == c.NOWHERE


def test_further_room_is_zero_when_a_game_begins_and_kept_within_it(write):
    turn = """\
    first = mind.integers[0] + mind.integers[INTEGERS - 1] + int(mind.floats[0] + mind.floats[FLOATS - 1])
    if table.phase == TURN:
        mind.integers[0], mind.floats[FLOATS - 1] = 99, 0.5
    return first"""
    opening = "def keep_opening(board, table, hand, mind):\n    mind.integers[INTEGERS - 1] += 3\n"
    opening += "    mind.floats[0] += 4.5\n    return 1\n"
    assert answer(write(turn, opening), games=3) == [7, 7, 7]


def test_a_parameter_that_is_a_whole_number_counts_as_one_and_takes_no_fraction(tmp_path):
    path = tmp_path / "mine.py"
    head = 'PARAMS = {"depth": (3, 1, 9, int), "risk": (1, 0, 2)}\n\n\ndef take_turn(board, table, hand, mind):\n'
    path.write_text(f'{head}    return hand.cards[mind.params["depth"]] * 0 + 10 % mind.params["depth"]\n', "utf-8")
    assert answer(load_strategy(str(path), {"depth": 4.0, "risk": 0.5})) == 2
    with pytest.raises(UsageError, match=r"mine: depth = 2.5: must be a whole number"):
        load_strategy(str(path), {"depth": 2.5})


def test_a_game_played_out_by_ones_own_policy_has_its_parameters_and_begins_without_memory(write):
    policy = """\
PARAMS = {"n": (2, 1, 3, int)}


def usual(board, table, hand, mind, room):
    mind.memory[0] += mind.params["n"]
    return default_answer(board, table, hand, mind, room)


def withdrawn(board, table, hand, mind, room):
    return PASS
"""
    turn = """\
    imagine(board, table, hand, room, np.uint64(5))
    by_default = play_out(board, room, DRAW_BLIND, hand.seat)
    imagine(board, table, hand, room, np.uint64(5))
    by_usual = play_out_by(usual, board, mind, room, DRAW_BLIND, hand.seat)
    counted = room.minds[hand.seat].memory[0]
    imagine(board, table, hand, room, np.uint64(5))
    again = play_out_by(usual, board, mind, room, DRAW_BLIND, hand.seat)
    if by_usual != by_default or again != by_default or room.minds[hand.seat].memory[0] != counted:
        return -1
    imagine(board, table, hand, room, np.uint64(5))
    illegal = play_out_by(withdrawn, board, mind, room, DRAW_BLIND, hand.seat)
    return counted % 2 * 1000 + counted if illegal == 0.0 and by_usual > 0.0 else -2"""
    assert 20 < answer(write(turn, policy)) < 1000


def test_a_price_for_each_route_is_what_a_path_costs(write):
    turn = """\
    ends = board.ticket_ends[0]
    set_prices(board, mind, 1, 0, 0)
    fewest = path_price(board, table, hand, mind, ends)
    for route in range(board.routes):
        mind.integers[route] = 7
    set_route_prices(board, mind, mind.integers)
    sevenfold = path_price(board, table, hand, mind, ends)
    find_path(board, table, hand, mind, ends)
    dear = next_member(mind.work.path, NOBODY)
    mind.integers[dear] = MOST_PRICE
    set_route_prices(board, mind, mind.integers)
    find_path(board, table, hand, mind, ends)
    return 100 * (sevenfold // 7 - fewest) + sevenfold % 7 + contains(mind.work.path, dear)"""
    assert answer(write(turn)) == 0


def test_code_is_kept_apart_for_functions_that_are_handed_on_as_arguments(write):
    policies = ["return 7", "return 8"]
    turn = "    return call(answer, board)"
    before = "def call(f, board):\n    return f(board)\n\n\ndef answer(board):\n    {}\n"
    assert [answer(write(turn, before.format(policy))) for policy in policies] == [7, 8]


@pytest.mark.parametrize("entry", ["(2.5, 1, 9, int)", "(2, 1, 9.5, int)", "(2, 1, 9, float)", "(2, 1, 9, 12)"])
def test_the_bounds_of_a_whole_number_are_whole_and_int_is_the_only_word_for_it(tmp_path, entry):
    path = tmp_path / "mine.py"
    path.write_text(f'PARAMS = {{"n": {entry}}}\n\n\ndef decide(board, table, hand, mind):\n    return 1\n', "utf-8")
    with pytest.raises(StrategyError, match=r"mine.py, line 1: PARAMS .*(is not a whole|needs three) number"):
        load_source(str(path))

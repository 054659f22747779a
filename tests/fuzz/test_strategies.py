"""Any strategy's file is read or its mistakes are reported, and `check` ends with a verdict."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.calling import examples, promised, working_in
from ttrsim.errors import UserError
from ttrsim.files import data_folder
from ttrsim.strategies import load_strategy

TEXTS = [path.read_text("utf-8") for path in sorted((data_folder() / "strategies").glob("*.py"))]
WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
CONSTANT = re.compile(r"\b\d+(\.\d+)?\b")
JUNK = ["(", ")", ":", '"', "'''", "\t", "\x00", "\x0c", "\\", "💥", "é", "lambda: 0", "del x", "yield", "await x", "*", "**", "=", ":=", "1_0", "0x", "1e999", "1j", "None", "...", "@", "async ", "global x", "import os", "from . import x", "from ttrsim.kit import nothing", "import ttrsim.kit.plans.x.y", "from ttrsim.core.deal.deal import x", "'\\d'", "match x:", "(" * 300, "-" * 3000 + "1", "[" * 80 + "]" * 80, "a." * 5000 + "a", "1" * 5000, "NAME = 5", "NAME = 'a b'", "PARAMS = {}", "PARAMS = {'a': (10**400, 0, 1)}", f"PARAMS = {{'a': (1{'0' * 400}, 0, 1)}}", "PARAMS = {'a': (1, 0, 2), **{}}", "PARAMS = {'a': " + "(" * 150 + "1" + ")" * 150 + "}", "mind.params['x']", "def decide(): pass", "def take_turn(*a, **k): pass", "class X: pass"]  # fmt: skip  # noqa: E501


def changed(text: str, rng) -> str:
    """Return a line deleted, doubled or moved, names swapped, a constant replaced, junk put in."""
    lines = text.split("\n")
    i = rng.randrange(len(lines))
    words = WORD.findall(text) or ["x"]
    match rng.choice(["delete", "double", "move", "names", "constant", "junk", "line of junk", "cut"]):
        case "delete":
            del lines[i]
        case "double":
            lines.insert(i, lines[i])
        case "move":
            lines.insert(rng.randrange(len(lines)), lines.pop(i))
        case "names":
            return re.sub(rf"\b{rng.choice(words)}\b", rng.choice(words), text, count=rng.randint(0, 3))
        case "constant":
            return _with(text, CONSTANT, rng.choice(["0", "-1", "999999999999", "0.5", "1e999", "'x'", "None"]), rng)
        case "junk":
            place = rng.randrange(len(lines[i]) + 1)
            lines[i] = lines[i][:place] + rng.choice(JUNK) + lines[i][place:]
        case "line of junk":
            lines.insert(i, rng.choice(["", "    "]) + rng.choice(JUNK))
        case "cut":
            del lines[i:]
    return "\n".join(lines)


def _with(text: str, pattern: re.Pattern[str], new: str, rng) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    one = rng.choice(found)
    return text[: one.start()] + new + text[one.end() :]


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("strategies")


@examples(120)
@given(text=st.sampled_from(TEXTS), rng=st.randoms(use_true_random=False), times=st.integers(1, 3))
def test_any_change_of_a_strategy_gives_one_or_clear_messages(folder, text, rng, times):
    for _ in range(times):
        text = changed(text, rng)
    path = folder / "my_bot.py"
    path.write_text(text, "utf-8")
    try:
        loaded = load_strategy(str(path))
    except UserError as e:
        told = e.problems
    else:
        assert loaded.text == path.read_text("utf-8")
        return
    assert told
    assert all(problem.startswith(f"{path}") and "\n" not in problem for problem in told), told


@pytest.mark.parametrize("junk", JUNK)
def test_junk_is_told_in_lines_that_name_the_file(folder, junk):
    (folder / "junk.py").write_text(f"{junk}\n", "utf-8")
    with working_in(folder):
        ended = promised("strategies", "show", "junk.py", codes=(0, 1))
        assert all(line.startswith("Error: junk.py") for line in ended.err.splitlines())


@examples(4)
@given(rng=st.randoms(use_true_random=False))
def test_check_ends_with_a_verdict_on_any_strategy(folder, rng):
    text = (data_folder() / "strategies" / "random.py").read_text("utf-8")
    (folder / "my_bot.py").write_text(changed(text, rng), "utf-8")
    with working_in(folder):
        promised("strategies", "check", "my_bot.py", "--board", "san_francisco", "--quick", "--games", "4", codes=(0, 1))  # fmt: skip  # noqa: E501

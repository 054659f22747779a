"""Stale code is never played: what is compiled follows each change, and nothing but changes is compiled anew."""

import sys
from types import ModuleType

import numba
import numpy as np
import pytest

from ttrsim.core.code_key import content_key
from ttrsim.core.jit import COMPILED, PARTS, kernel

pytestmark = pytest.mark.skipif(not PARTS, reason="code is kept by numba" if COMPILED else "nothing is compiled")

SHALLOW = '''"""What is at the bottom."""
import numpy as np
from ttrsim.core.jit import kernel

RATE = 2
POINTS = (1, 2, 4)
TABLE = np.array([10, 20, 30])
HAND = np.dtype([("wild", "i8"), ("red", "i8")])


@kernel
def rated(n, by=3):
    """Return some points."""
    return RATE * n + by + POINTS[1] + TABLE[2]


@kernel
def other(n):
    return n
'''
MIDDLE = """from ttrsim.core.jit import kernel
from bottom import rated


@kernel
def middle(n):
    return rated(n) + 1
"""
TOP = """from ttrsim.core.jit import kernel
from middle import middle


@kernel
def top(n):
    return middle(n) * 1000
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Run three modules, each of which calls the one before, with some text replaced; returns the last of them."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def run(**edits: tuple[str, str]) -> ModuleType:
        for name, text in (("bottom", SHALLOW), ("middle", MIDDLE), ("top", TOP)):
            old, new = edits.get(name, ("", ""))
            assert old in text
            path = tmp_path / f"{name}.py"
            path.write_text(text.replace(old, new) if old else text, "utf-8")
            module = ModuleType(name)
            module.__file__ = str(path)
            monkeypatch.setitem(sys.modules, name, module)
            exec(compile(path.read_text("utf-8"), str(path), "exec"), module.__dict__)
        return sys.modules["top"]

    return run


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ({"bottom": ("RATE = 2", "RATE = 3")}, 51_000),
        ({"bottom": ("(1, 2, 4)", "(1, 3, 4)")}, 47_000),
        ({"bottom": ("[10, 20, 30]", "[10, 20, 40]")}, 56_000),
        ({"bottom": ("by=3", "by=4")}, 47_000),
        ({"bottom": ("* n + by", "* n - by")}, 40_000),
        ({"middle": ("+ 1", "+ 2")}, 47_000),
        ({"middle": ("import rated", "import other as rated")}, 6_000),
        ({"top": ("1000", "100")}, 4_600),
    ],
)
def test_an_edit_anywhere_below_is_played(written, edit, expected):
    assert written().top(5) == 46_000
    assert written(**edit).top(5) == expected
    assert written().top(5) == 46_000


def test_a_changed_field_of_a_record_is_played(written):
    reads = "\n\n@kernel\ndef top(hands):\n    return hands[0].red\n"
    top = "return middle(n) * 1000", "return middle(n) * 1000" + reads
    for fields, red in (("wild i8, red i8", 2), ("wild i4, red i8", 2), ("red i8, wild i8", 1)):
        hands = np.array([(1, 2)], [tuple(field.split()) for field in fields.split(", ")])
        assert written(top=top).top(hands) == red


@pytest.mark.parametrize(
    "edit",
    [
        {"bottom": ("Return some points.", "Return points.\n\n    Several.")},
        {"bottom": ("RATE = 2", "# a comment\nRATE = 2")},
        {"bottom": ("return n\n", "return n + 1\n")},
        {"middle": ("import rated", "import other, rated")},
    ],
    ids=["docstring", "comment", "another function", "another import"],
)
def test_what_does_not_matter_changes_no_key(written, edit):
    before = content_key(written().top.py_func)
    assert content_key(written(**edit).top.py_func) == before


def test_where_errors_name_lines_a_shifted_line_changes_the_key(written):
    shifted = {"top": ("@kernel", "# a comment\n@kernel")}
    assert content_key(written().top.py_func) == content_key(written(**shifted).top.py_func)
    assert content_key(written().top.py_func, lines=True) != content_key(written(**shifted).top.py_func, lines=True)


def test_functions_that_call_each_other_have_keys(written):
    mutual = "return middle(n) * 1000\n\ndef even(n):\n    return n == 0 or odd(n - 1)\n\ndef odd(n):\n    return {}\n"
    keys = set()
    for end in ("n != 0 and even(n - 1)", "n == 1 or even(n - 1)"):
        module = written(top=("return middle(n) * 1000", mutual.format(end)))
        keys |= {content_key(module.even), content_key(module.odd)}
    assert len(keys) == 4


def test_what_cannot_be_described_is_never_found_again(written):
    top = "return middle(n) * 1000", "return middle(n) * 1000\n\nSTATE = {}\ndef state():\n    return STATE\n"
    assert content_key(written(top=top).state) != content_key(written(top=top).state)


def test_kernels_of_the_package_can_all_be_described():
    from ttrsim.core import code_key, play, tally

    functions = [play.play_games, tally.tally_seats, tally.tally_tickets]
    seen = set()
    while functions:
        function = functions.pop()
        if function not in seen:
            seen.add(function)
            functions += code_key._content(function, False).callees
    assert len(seen) > 100
    before = {function: content_key(function) for function in seen}
    code_key._content.cache_clear()
    assert {function: content_key(function) for function in seen} == before


def test_a_function_handed_on_as_an_argument_is_known_by_its_content():
    from ttrsim.core.parts import _type_digest

    def adding(n):
        def add(x):
            return x + n

        return kernel(add)

    kernels = adding(1), adding(1), adding(2)
    one, same, other = (_type_digest(numba.typeof(each)) for each in kernels)
    assert one == same != other

"""The hash of what code does: comments change nothing, all else does, and every version of Python agrees."""

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ttrsim
from ttrsim.files import data_folder
from ttrsim.strategies import content
from ttrsim.strategies.content import content_sha256
from ttrsim.strategies.loading import load_strategy

KIT = Path(ttrsim.__file__).parent / "kit"
FILES = sorted([*KIT.glob("*.py"), *(data_folder() / "strategies").glob("*.py")])
SAMPLE = '''\
"""A docstring."""
# a comment
from __future__ import annotations

import math as m
from . import nothing
from typing import Final

LIMIT: Final[int] = 1_000
"""What the limit is."""
VALUES = [0x10, 1e3, 1e999, 2j, None, True, ..., u"text", b"\\x00", "\\u2764 \\ud800", "a" "b", -1]
TABLE = {"a": 1, **{}, (1, *VALUES): {2, 3}}
TEXT = f"{LIMIT}{LIMIT!r:>{10}}" "" f"{{" "}" f"{LIMIT = }" f"{LIMIT:}"


@staticmethod
def takes(a, /, b: int = 3, *more, c, d=4, **rest) -> int:  # type: ignore
    """Do something."""
    global LIMIT
    total = 0 if a < b <= c != d else not (a or b and c)
    for x, *y in zip(more, rest.items()):
        total += x[1:2, ::3] @ y if x is not None else -x ** ~x
        if (z := total) > 5:
            continue
        break
    else:
        del total
    while total: total -= 1
    return [i for i in range(3) if i for j in y] + [lambda *, k=1: (yield)]


class Plain(dict, metaclass=type):
    """A class."""

    async def wait(self):
        async with self as other, other[0]:
            return {k: v async for k, v in self}
        await self

    def match(self, what):
        def inner():
            nonlocal what
            what = yield from self
        match what:
            case {"a": [1, *rest], **others} | Plain(x=None):
                raise ValueError from None
            case "text" | -1.5 if rest:
                assert what, "no"
            case _:
                pass
        try:
            pass
        except* (OSError, ValueError) as e:
            ...
        finally:
            ...
'''
SAMPLE_SHA256 = "8a89d1e334abadd12db925576258ee54fbb770aba81a5b529723adae9c3d33db"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")


def sha256(text: str) -> str:
    return content_sha256(ast.parse(text))


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("x = 16", "\n\n# a comment\nx  =  (0x10)  # another\n"),
        ("x = 'ab'", 'x = """a""" "b"'),
        ("x = 'a'", "x = u'a'"),
        ("x = []  # type: list", "x = []"),
        ("def f():\n  return 1", 'def f():\n    """Say what it does."""\n    return 1'),
        ("async def f():\n  return 1", 'async def f():\n    """Say what it does."""\n    return 1'),
        ("class A:\n  x = 1", 'class A:\n    """Say what it is."""\n    x = 1\n    """And what that is."""'),
        ("x = 1", '"""Say what the file is."""\nx = 1\n"""And what x is."""\n'),
        ("x = f'a{x}b'", "x = '' f'a{x}' 'b'"),
    ],
)
def test_comments_docstrings_and_layout_change_nothing(text, same):
    assert sha256(text) == sha256(same)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("x = 1", "x = 2"),
        ("x = 1", "y = 1"),
        ("x = 1", "x = 1.0"),
        ("x = 1", "x = True"),
        ("x = 'a'", "x = b'a'"),
        ("x = 'None'", "x = None"),
        ("x = [1, 2]", "x = [2, 1]"),
        ("x = [[1], 2]", "x = [[1, 2]]"),
        ("x = {1: 2, **y}", "x = {1: 2, y: y}"),
        ("x = a - b - c", "x = a - (b - c)"),
        ("f(x, y)", "f(x, y=y)"),
        ("def f(a, b=1): return a", "def f(a=1, b=1): return a"),
        ("def f(a, b): return a", "def f(a, /, b): return a"),
        ("if a:\n  x = 1\n  y = 1", "if a:\n  x = 1\ny = 1"),
        ("x = f'{a}b'", "x = f'{a}' + 'b'"),
        ("x = f'{a}'", "x = f'{a!r}'"),
        ("x = 'a docstring'", "'a docstring'"),
        ("return_('a docstring')", "return_()"),
    ],
)
def test_what_changes_the_meaning_changes_the_hash(text, other):
    assert sha256(text) != sha256(other)


def test_each_name_number_and_text_of_the_code_counts():
    tree, changed = ast.parse(SAMPLE), 0
    before = content_sha256(tree)
    notes = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if name == "kind" or value is None or isinstance(value, ast.AST | list) or node in notes:
                continue
            setattr(node, name, "else" if isinstance(value, str) else 7.5)
            assert content_sha256(tree) != before, f"{ast.dump(node)} can be changed unnoticed"
            setattr(node, name, value)
            changed += 1
    assert content_sha256(tree) == before
    assert changed > 100


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_code_written_anew_without_its_comments_has_the_same_hash(file):
    tree = ast.parse(file.read_bytes())
    assert sha256(ast.unparse(tree)) == content_sha256(tree)


def test_code_that_is_nested_deeply_or_has_a_very_large_number_has_a_hash():
    assert len({sha256(f"x = {'-' * 900}1"), sha256(f"x = {'-' * 901}1"), sha256(f"x = 0x{'f' * 9000}")}) == 3


def test_a_strategy_knows_its_own(tmp_path):
    bot, text = tmp_path / "bot.py", (data_folder() / "strategies" / "random.py").read_text("utf-8")
    bot.write_text(text + "\n# a comment\n", "utf-8")
    shipped, own = load_strategy("random"), load_strategy(str(bot))
    assert shipped.content_sha256 == own.content_sha256 == sha256(text)
    assert shipped.sha256 != own.sha256


def test_the_hash_is_what_it_was():
    """Were it another, on any version of Python, no stored run could be gone on with there."""
    assert sha256(SAMPLE) == SAMPLE_SHA256


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_of_python_has_the_same_hashes(version, tmp_path):
    sample = tmp_path / "sample.py"
    sample.write_text(SAMPLE, "utf-8")
    files = [sample, *FILES]
    code = "import ast, json, pathlib, runpy, sys; content = runpy.run_path(sys.argv[1])['content_sha256']; "
    code += "print(json.dumps([content(ast.parse(pathlib.Path(path).read_bytes())) for path in sys.argv[2:]]))"
    command = [python(version), "-I", "-c", code, content.__file__, *map(str, files)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(found) == [content_sha256(ast.parse(path.read_bytes())) for path in files]


def python(version: str) -> str:
    """Return a Python of this version that is installed here, by itself, by pyenv or by uv; skip the test without."""
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        return sys.executable
    name = f"python{version}"
    found = [shutil.which(name) or "", *map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/{name}"))]
    if uv := shutil.which("uv"):
        words = [uv, "python", "find", "--offline", "--no-python-downloads", version]
        found.append(subprocess.run(words, capture_output=True, text=True).stdout.strip())
    for path in filter(None, found):  # pyenv puts names on the path that do not work
        if subprocess.run([path, "-I", "-c", ""], capture_output=True).returncode == 0:
            return path
    pytest.skip(f"there is no Python {version} on this machine")

"""Docstrings begin with what a thing is or does, and their examples come out as they say."""

import ast
import builtins
import doctest
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from runs.making import store

import ttrsim
from ttrsim.boards import load_board
from ttrsim.core.jit import COMPILED

PACKAGE = Path(ttrsim.__file__).parent
KNOWN = {"load_board": load_board}
"""Names that examples may use without a word on where it comes from."""


class Checker(doctest.OutputChecker):
    """A result that a docstring does not print may be anything, as long as there is one."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return not want or super().check_output(want, got, optionflags)


def docstrings() -> Iterator[doctest.DocTest]:
    """Yield those with examples that bring along all that they use; others need a game that is being played."""
    for file in sorted(PACKAGE.rglob("*.py")):
        if ">>> " in file.read_text("utf-8"):
            parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
            module = importlib.import_module(".".join(parts).removesuffix(".__init__"))
            found = doctest.DocTestFinder().find(module, extraglobs=KNOWN)
            yield from (test for test in found if complete(test))


def complete(test: doctest.DocTest) -> bool:
    """Return whether there are examples, more than a bot's function, and all names in them are explained."""
    written = [ast.parse(example.source) for example in test.examples]
    nodes = [node for one in written for node in ast.walk(one)]
    explained = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    explained |= {node.name for node in nodes if isinstance(node, ast.alias)} | set(test.globs) | set(dir(builtins))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    return bool(nodes) and not any(isinstance(node, ast.FunctionDef) for node in nodes) and used <= explained


TESTS = list(docstrings())


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with a run and two examinations as they are called in examples."""
    path = tmp_path_factory.mktemp("examples")
    store(path / "runs" / "first", games=2000)
    for name in ("before", "after"):
        store(path / name / "2-mirror", design="mirror", players="random", seats=2, games=400)
    return path


@pytest.mark.skipif(not COMPILED, reason="plain Python plays too slowly for so many games")
@pytest.mark.parametrize("test", TESTS, ids=[test.name for test in TESTS])
def test_example(test, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    failed, _ = doctest.DocTestRunner(Checker(), optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert not failed, capsys.readouterr().out


def test_examples_are_found():
    assert len(TESTS) > 30


CLAUSES = {"Of", "What", "When", "Where", "Whether", "Which", "Who", "How"}
"""Words with which a clause begins that neither says what a thing is nor what it does."""


def test_no_text_about_code_begins_with_a_clause():
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                first = node.value.value.split(maxsplit=1)[0]
                found += [f"{file}:{node.lineno}: {first}"] * (first in CLAUSES)
    assert found == []

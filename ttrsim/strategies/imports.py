"""What a strategy imports from ttrsim that does not exist, found by reading; importing it would take a second."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import ttrsim
from ttrsim.errors import did_you_mean
from ttrsim.strategies.source import Source

PACKAGE = Path(ttrsim.__file__).parent
PACKAGES = ("core", "kit")
"""The packages of ttrsim that strategies may import from."""


def missing_imports(source: Source) -> Iterator[tuple[int, str]]:
    """Imports of modules and names that `ttrsim.core` and `ttrsim.kit` do not have, each with its line."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            wanted = [(alias.lineno, node.module or "", alias.name) for alias in node.names]
        elif isinstance(node, ast.Import):
            wanted = [(alias.lineno, *alias.name.rpartition(".")[::2]) for alias in node.names]
        else:
            continue
        yield from ((line, problem) for line, module, name in wanted if (problem := _problem(module, name)))


def _problem(module: str, name: str) -> str | None:
    """What is wrong with `from module import name`, if anything."""
    first, *parts = module.split(".")
    if first != "ttrsim" or not parts or parts[0] not in PACKAGES:
        return None
    for depth, part in enumerate([*parts[1:], name], 1):
        owner = ".".join(parts[:depth])
        known = _names_of(PACKAGE.joinpath(*parts[:depth]))
        if part != "*" and part not in known:
            return f"ttrsim.{owner} has no {part!r}{did_you_mean(part, known)}"
    return None


@cache
def _names_of(path: Path) -> frozenset[str]:
    """What can be imported from a package or a module, given by its path without `.py`."""
    if path.is_dir():
        return frozenset(file.stem for file in path.glob("*.py")) - {"__init__"}
    if not path.with_suffix(".py").is_file():
        return frozenset()
    return frozenset(_bound(ast.parse(path.with_suffix(".py").read_text("utf-8")).body))


def _bound(statements: list[ast.stmt]) -> Iterator[str]:
    """The names that the statements of a module bind, also within `if`."""
    for node in statements:
        if isinstance(node, ast.If):
            yield from _bound(node.body + node.orelse)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        else:
            yield from (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))

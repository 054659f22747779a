"""Check that a strategy names only attributes and builtins that are on a list.

The lists contain what decisions need and nothing that leads from a record to the memory around it, such as `.base`,
`.flat` or `.ctypes` of an array, or to the rest of the machine.
"""

import ast
import builtins
import math
from collections.abc import Iterator

import numpy as np

from ttrsim.core import records
from ttrsim.errors import did_you_mean
from ttrsim.strategies.imports import INSIDES, NUMPY, PACKAGES, missing_name
from ttrsim.strategies.source import Source

OF_ARRAYS = "T all any argmax argmin astype copy max mean min ndim prod reshape shape size sum tolist"
OF_TABLES = (
    "add append count extend get index insert items keys pop setdefault sort split strip update values bit_length"
)
"""Attributes of lists, dicts, strings and numbers, from which a file makes its tables."""
RECORDS = [made for made in vars(records).values() if isinstance(made, np.dtype)]
FIELDS = frozenset(name for made in RECORDS for name in made.names or ())
ATTRIBUTES = FIELDS.union(OF_ARRAYS.split(), OF_TABLES.split())
PLAIN = """abs all any bin bool dict divmod enumerate filter float frozenset int len list map max min ord pow print
    range repr reversed round set slice sorted str sum tuple zip __name__"""
ERRORS = [name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)]
BUILTINS = frozenset(PLAIN.split()).union(ERRORS)
"""The builtins that a strategy may name."""


def strange_names(source: Source) -> Iterator[tuple[int, str]]:
    """Yield attributes, builtins and decorators that a strategy may not use, each as a line and a message."""
    modules = _modules(source)
    own = {n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and (problem := _attribute_problem(node, modules)):
            yield node.lineno, problem
        elif isinstance(node, ast.Name) and node.id not in BUILTINS | own and _is_pythons(node.id):
            yield node.lineno, f"{node.id} is not for strategies"
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
            yield node.lineno, f"{node.name} has a decorator, which a strategy cannot use"


def _is_pythons(name: str) -> bool:
    return name.startswith("__") or hasattr(builtins, name)


def _modules(source: Source) -> dict[str, str]:
    """Return the modules that the file imports, by the names it gives them: `{"np": "numpy"}`."""
    found: dict[str, str] = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            found |= {a.asname or a.name.partition(".")[0]: _module(a) for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module in ("ttrsim", *INSIDES):
            found |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return found


def _module(alias: ast.alias) -> str:
    """Return the module that `import …` binds: without `as`, the package."""
    return alias.name if alias.asname else alias.name.partition(".")[0]


def _attribute_problem(node: ast.Attribute, modules: dict[str, str]) -> str | None:
    """Describe the problem of an attribute `….name`; return None if it may be used."""
    owner, name = ast.unparse(node.value), node.attr
    first, dot, rest = owner.partition(".")
    if first not in modules:
        return None if name in ATTRIBUTES else f"{owner} has no field {name!r}{did_you_mean(name, ATTRIBUTES)}"
    module = modules[first] + dot + rest
    known = {"numpy": NUMPY, "math": vars(math), "ttrsim": PACKAGES}.get(module)
    if known is None:
        return missing_name(module, name) if module.startswith("ttrsim.") else f"{module}.{name} is not for strategies"
    return None if name in known and not name.startswith("_") else f"{owner}.{name} is not for strategies"

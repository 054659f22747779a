"""Find imports that a strategy may not use or that do not exist, without importing anything, which takes a second."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import ttrsim
from ttrsim.errors import did_you_mean
from ttrsim.strategies.source import Source, at

PACKAGE = Path(ttrsim.__file__).parent
BOT = "ttrsim.bot"
"""The module that strategies are to import from."""
INSIDES = ("ttrsim.core", "ttrsim.kit")
"""Packages that they may still import from, as they did before there was `ttrsim.bot`."""
PACKAGES = ("bot", "core", "kit")
"""What strategies may import of ttrsim."""
ALLOWED = (BOT, "numpy", "math")
"""What a strategy may import, beside the insides. A change of anything else would not recompile the strategy."""
TYPES = "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp float32 float64"
SUMS = """abs absolute add all any arccos arcsin arctan arctan2 argmax argmin bitwise_and bitwise_or bitwise_xor ceil
    clip cos cosh cumprod cumsum deg2rad divide dot e equal exp exp2 expm1 fabs floor floor_divide fmax fmin fmod
    greater hypot inf invert isfinite isinf isnan left_shift less log log10 log1p log2 logical_and logical_not
    logical_or max maximum mean median min minimum mod multiply nan negative pi power prod rad2deg right_shift rint
    round sign sin sinh sqrt square std subtract sum tan tanh trunc var where"""
MAKERS = "append arange array asarray concatenate copy eye full full_like linspace ones ones_like sort stack unique"
NUMPY = frozenset(f"{TYPES} {SUMS} {MAKERS} zeros zeros_like".split())
"""What a strategy may use of numpy: types, arithmetic, and functions that make tables at the top of its file; but not
`empty`, which shows what was in that memory before.
"""
KERNELS = ("kernel", "inline_kernel")
"""The decorators of functions in `ttrsim.core` and `ttrsim.kit` that strategies may use, besides constants."""
PLAIN = ("name_key",)
"""The functions without one, for the top of a strategy's file."""


def foreign_imports(source: Source) -> Iterator[tuple[int, str]]:
    """Yield imports of anything that is not allowed, each as a line and a message."""
    for line, module, name in _imports(source):
        wanted = f"numpy.{name}" if module == "numpy" else module or name
        if not may_import(module, name):
            hint = "; for chance use below(mind.rng, n) of ttrsim.bot" if "random" in wanted else ""
            yield line, f"imports {wanted}: a strategy may import from {', '.join(ALLOWED)}{hint}"


def missing_imports(source: Source) -> Iterator[tuple[int, str]]:
    """Yield imports of names that the modules of ttrsim do not have for strategies, each as a line and a message."""
    for line, module, name in _imports(source):
        if problem := missing_name(module, name):
            yield line, problem


def old_imports(source: Source) -> list[str]:
    """Say of each import from the insides of ttrsim what to write instead."""
    found: dict[tuple[int, str], list[str]] = {}
    for line, module, name in _imports(source):
        if f"{module}.{name}".startswith(INSIDES):
            found.setdefault((line, module), []).append(name)
    return [at(source.path, line, _instead(module, names)) for (line, module), names in sorted(found.items())]


def _instead(module: str, names: list[str]) -> str:
    """Say what to write in place of an import of names from a module of the insides."""
    known = open_names(PACKAGE / "bot")
    new = [_names_in_bot().get((module, name), name) for name in names]
    there = [name for name in new if name in known] or ["…"]
    missing = [name for name in names if name not in (*known, "*") and _names_in_bot().get((module, name)) is None]
    hint = f"; docs/bot.md says what there is instead of {', '.join(missing)}" if missing else ""
    return f"imports from the insides of ttrsim: write `from {BOT} import {', '.join(there)}`{hint}"


@cache
def _names_in_bot() -> dict[tuple[str, str], str]:
    """Return how `ttrsim.bot` calls each name of the modules that it imports from."""
    tree = ast.parse((PACKAGE / "bot.py").read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {(node.module or "", a.name): a.asname or a.name for node in imports for a in node.names}


def _imports(source: Source) -> Iterator[tuple[int, str, str]]:
    """Yield the line, module and name of each import; `import numpy` has no module."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            yield from ((alias.lineno, module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.lineno, *alias.name.rpartition(".")[::2]) for alias in node.names)


def may_import(module: str, name: str) -> bool:
    """Return whether a strategy may import a name from a module, provided that it exists."""
    if module == "numpy":
        return name in NUMPY
    if module == "ttrsim":
        return name in PACKAGES
    return module == "math" or module.startswith((BOT, *INSIDES)) or (not module and name in ALLOWED)


def missing_name(module: str, name: str) -> str | None:
    """Say that a module of ttrsim has no such name for strategies; return None if it has."""
    first, *parts = module.split(".")
    if first != "ttrsim" or not parts or parts[0] not in PACKAGES:
        return None
    for depth, part in enumerate([*parts[1:], name], 1):
        owner = ".".join(parts[:depth])
        known = open_names(PACKAGE.joinpath(*parts[:depth]))
        if part != "*" and part not in known:
            return f"ttrsim.{owner} has no {part!r}{did_you_mean(part, known)}"
    return None


@cache
def open_names(path: Path) -> frozenset[str]:
    """Return the names that strategies can import from a package or module, given by its path without `.py`."""
    if path.is_dir():
        return frozenset(file.stem for file in path.glob("*.py")) - {"__init__"}
    if not path.with_suffix(".py").is_file():
        return frozenset()
    return frozenset(_open(ast.parse(path.with_suffix(".py").read_text("utf-8")).body))


def _open(statements: list[ast.stmt]) -> Iterator[str]:
    """Yield the kernels and constants that the statements of a module bind, also within `if` and by imports."""
    for node in statements:
        if isinstance(node, ast.If):
            yield from _open(node.body + node.orelse)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(INSIDES):
            known = open_names(PACKAGE.joinpath(*(node.module or "").split(".")[1:]))
            yield from (alias.asname or alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.FunctionDef):
            if node.name in PLAIN or any(isinstance(d, ast.Name) and d.id in KERNELS for d in node.decorator_list):
                yield node.name
        else:
            bound = (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            yield from (name for name in bound if name.isupper() or name == "default_answer")

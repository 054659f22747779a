"""Find names that a strategy may not use, or that do not exist: imports, attributes, builtins and fields.

Nothing is imported to check imports, as that would take a second. The lists contain what decisions need, and nothing
that leads from a record to the memory around it, such as `.base`, `.flat` or `.ctypes` of an array, or to the rest of
the machine.
"""

import ast
import builtins
import math
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import ttrsim
from ttrsim.core import records
from ttrsim.core.records import BOARD, GAME, HAND, MIND, ROOM, TABLE, WORK
from ttrsim.errors import did_you_mean
from ttrsim.strategies.source import Source, at, root

PACKAGE = Path(ttrsim.__file__).parent
BOT = "ttrsim.bot"
"""The module that strategies import from."""
INSIDES = ("ttrsim.core", "ttrsim.kit")
"""Packages that strategies may still import from, as they did before `ttrsim.bot` existed."""
PACKAGES = ("bot", "core", "kit")
"""The modules and packages of ttrsim that strategies may import."""
ALLOWED = (BOT, "numpy", "math")
"""All other modules that a strategy may import. A change of anything else would not recompile the strategy."""
TYPES = "bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 intp float32 float64"
SUMS = """abs absolute add all any arccos arcsin arctan arctan2 argmax argmin bitwise_and bitwise_or bitwise_xor ceil
    clip cos cosh cumprod cumsum deg2rad divide dot e equal exp exp2 expm1 fabs floor floor_divide fmax fmin fmod
    greater hypot inf invert isfinite isinf isnan left_shift less log log10 log1p log2 logical_and logical_not
    logical_or max maximum mean median min minimum mod multiply nan negative pi power prod rad2deg right_shift rint
    round sign sin sinh sqrt square std subtract sum tan tanh trunc var where"""
MAKERS = "append arange array asarray concatenate copy eye full full_like linspace ones ones_like sort stack unique"
NUMPY = frozenset(f"{TYPES} {SUMS} {MAKERS} zeros zeros_like".split())
"""The names of numpy that a strategy may use: types, arithmetic, and functions that make tables at the top of its file;
but not `empty`, which shows what was in that memory before.
"""
KERNEL_DECORATORS = ("kernel", "inline_kernel")
"""The decorators that mark functions of `ttrsim.core` and `ttrsim.kit` which strategies may use."""
PLAIN_FUNCTIONS = ("name_key",)
"""Functions without such a decorator that strategies may call at the top of their file."""


def foreign_imports(source: Source) -> Iterator[tuple[int, str]]:
    """Yield a line number and a message for each import that is not allowed."""
    for line, module, name in _imports(source):
        wanted = f"numpy.{name}" if module == "numpy" else module or name
        if not may_import(module, name):
            hint = "; for chance use below(mind.rng, n) of ttrsim.bot" if "random" in wanted else ""
            yield line, f"imports {wanted}: a strategy may import from {', '.join(ALLOWED)}{hint}"


def missing_imports(source: Source) -> Iterator[tuple[int, str]]:
    """Yield a line number and a message for each import of a name that ttrsim does not offer to strategies."""
    for line, module, name in _imports(source):
        if problem := missing_name(module, name):
            yield line, problem


def old_imports(source: Source) -> list[str]:
    """Describe what to write instead of each import from the insides of ttrsim."""
    found: dict[tuple[int, str], list[str]] = {}
    for line, module, name in _imports(source):
        if f"{module}.{name}".startswith(INSIDES):
            found.setdefault((line, module), []).append(name)
    return [at(source.path, line, _instead(module, names)) for (line, module), names in sorted(found.items())]


def _instead(module: str, names: list[str]) -> str:
    """Describe what to write instead of importing these names from a module of the insides."""
    known = open_names(PACKAGE / "bot")
    new = [_names_in_bot().get((module, name), name) for name in names]
    there = [name for name in new if name in known] or ["…"]
    missing = [name for name in names if name not in (*known, "*") and _names_in_bot().get((module, name)) is None]
    hint = f"; see docs/bot.md for a replacement of {', '.join(missing)}" if missing else ""
    return f"imports from the insides of ttrsim: write `from {BOT} import {', '.join(there)}`{hint}"


@cache
def _names_in_bot() -> dict[tuple[str, str], str]:
    """Map each (module, name) that `ttrsim.bot` imports to the name it has there."""
    tree = ast.parse((PACKAGE / "bot.py").read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return {(node.module or "", a.name): a.asname or a.name for node in imports for a in node.names}


def _imports(source: Source) -> Iterator[tuple[int, str, str]]:
    """Yield the line number, module and name of each import; `import numpy` has no module."""
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
    """Say that a module of ttrsim does not offer a name to strategies; return None if it does."""
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
    if path == PACKAGE / "bot":  # strategies may use all of it, so its forty modules need not be read
        return frozenset({"VERSION", *_names_in_bot().values()})
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
            if node.name in PLAIN_FUNCTIONS or any(
                isinstance(d, ast.Name) and d.id in KERNEL_DECORATORS for d in node.decorator_list
            ):
                yield node.name
        else:
            bound = (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
            yield from (name for name in bound if name.isupper() or name == "default_answer")


OF_ARRAYS = "T all any argmax argmin astype copy max mean min ndim prod reshape shape size sum tolist"
OF_TABLES = (
    "add append count extend get index insert items keys pop setdefault sort split strip update values bit_length"
)
"""Attributes of lists, dicts, strings and numbers, which a file needs to make its tables."""
ALL_RECORDS = [made for made in vars(records).values() if isinstance(made, np.dtype)]
FIELDS = frozenset(name for made in ALL_RECORDS for name in made.names or ())
ATTRIBUTES = FIELDS.union(OF_ARRAYS.split(), OF_TABLES.split())
PLAIN = """abs all any bin bool dict divmod enumerate filter float frozenset int len list map max min ord pow print
    range repr reversed round set slice sorted str sum tuple zip __name__"""
ERRORS = [name for name, value in vars(builtins).items() if isinstance(value, type) and issubclass(value, Exception)]
BUILTINS = frozenset(PLAIN.split()).union(ERRORS)
"""The builtins that a strategy may name."""


def forbidden_names(source: Source) -> Iterator[tuple[int, str]]:
    """Yield a line number and a message for each attribute, builtin or decorator that a strategy may not use."""
    modules = _modules(source)
    own = {n.id for n in ast.walk(source.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and (problem := _attribute_problem(node, modules)):
            yield node.lineno, problem
        elif isinstance(node, ast.Name) and node.id not in BUILTINS | own and _is_pythons(node.id):
            yield node.lineno, f"{node.id} is not available to strategies"
        elif isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
            yield node.lineno, f"{node.name} has a decorator: strategies cannot use decorators"


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
    """Return the module that an import binds: without `as`, the package."""
    return alias.name if alias.asname else alias.name.partition(".")[0]


def _attribute_problem(node: ast.Attribute, modules: dict[str, str]) -> str | None:
    """Describe the problem of an attribute `….name`; return None if it may be used."""
    owner, name = ast.unparse(node.value), node.attr
    first, dot, rest = owner.partition(".")
    if first not in modules:
        return None if name in ATTRIBUTES else f"{owner} has no field {name!r}{did_you_mean(name, ATTRIBUTES)}"
    module = modules[first] + dot + rest
    if module.startswith("ttrsim."):
        return missing_name(module, name)
    known = {"numpy": NUMPY, "math": vars(math), "ttrsim": PACKAGES}.get(module, ())
    allowed = name in known and not name.startswith("_")
    return None if allowed else f"{owner}.{name} is not available to strategies"


RECORDS: dict[str, np.dtype[Any]] = {"board": BOARD, "table": TABLE, "hand": HAND, "mind": MIND, "room": ROOM}
INNER = {"mind.work": WORK, "room.game": GAME}
READ_ONLY = ("board", "table", "hand")


def field_mistakes(source: Source) -> Iterator[tuple[int, str]]:
    """Yield mistakes in functions that answer decisions; only there are the arguments surely the records."""
    for function in (source.functions[name] for name in source.decisions):
        stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        records = {name: dtype for name, dtype in RECORDS.items() if name not in stored}
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and _is_unknown(node, records):
                yield node.lineno, unknown_field(ast.unparse(node.value), node.attr, _dtype(node.value, records))
            elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                name = root(node)
                if name in READ_ONLY and name in records:
                    yield node.lineno, f"changes {ast.unparse(node)}: {WRITING_HINT}"


WRITING_HINT = "board, table and hand are read-only; store what the strategy should remember in mind.memory"


def record_name(dtype: np.dtype[Any]) -> str:
    """Return what strategies call a record of this type, such as `table`."""
    return next((name for name, known in {**RECORDS, **INNER}.items() if known == dtype), "the record")


def unknown_field(owner: str, field: str, dtype: np.dtype[Any] | None) -> str:
    """Say that a record has no such field, and which fields it has."""
    names = (dtype.names if dtype is not None else None) or ()
    has = f"it has {', '.join(names)}" if names else ""
    return f"{owner} has no field {field!r}{did_you_mean(field, names, has)}"


def _is_unknown(node: ast.Attribute, records: dict[str, np.dtype[Any]]) -> bool:
    dtype = _dtype(node.value, records)
    return dtype is not None and dtype.names is not None and node.attr not in dtype.names


def _dtype(node: ast.expr, records: dict[str, np.dtype[Any]]) -> np.dtype[Any] | None:
    """Return the type of an expression such as `room.minds[0].work`; None where the text does not show it."""
    if isinstance(node, ast.Name):
        return records.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _dtype(node.value, records)
        known = owner is not None and owner.names is not None and node.attr in owner.names
        return owner[node.attr] if known and owner is not None else None
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice | ast.Tuple):
        array = _dtype(node.value, records)
        return array.base if array is not None and len(array.shape) == 1 else None
    return None

"""The parts of Python that a strategy cannot use, because it is compiled and makes nothing new while it plays."""

import ast
import re
from collections.abc import Iterator

from ttrsim.strategies.imports import PLAIN
from ttrsim.strategies.source import Source, root

MADE: dict[type[ast.AST], str] = {
    ast.List: "a list",
    ast.Dict: "a dict",
    ast.Set: "a set",
    ast.ListComp: "a list",
    ast.DictComp: "a dict",
    ast.SetComp: "a set",
    ast.GeneratorExp: "a generator",
    ast.JoinedStr: "a text",
}
MAKERS = {"list": "a list", "dict": "a dict", "set": "a set", "sorted": "a list", "str": "a text"}
ARRAY_MAKERS = re.compile(
    "(zeros|ones|empty|full|copy)(_like)?|(as)?array|arange|linspace|(arg)?sort|unique|where|append"
)
MAKING_HINT = "while a game is played: use a tuple, a loop, a set as the bits of a number, or mind.memory"
UNKNOWN: dict[type[ast.AST], str] = {
    ast.With: "with",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Await: "await",
    ast.Global: "global: what a strategy wants to remember goes into mind.memory",
    ast.Nonlocal: "nonlocal",
    ast.ClassDef: "class",
    ast.Match: "match: write if and elif",
    ast.Import: "import within a function: write it at the top",
    ast.ImportFrom: "import within a function: write it at the top",
}
ELSEWHERE = ("open", "exec", "eval", "compile", "input", "globals", "vars", "__import__")
LOADERS = ("load", "loadtxt", "genfromtxt", "fromfile", "memmap")


def language_mistakes(source: Source) -> Iterator[tuple[int, str]]:
    """Parts of Python that cannot be compiled, and reading from elsewhere: a change there would go unnoticed."""
    numpy = _names_of_numpy(source)
    yield from _changed_tables(source)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.AsyncFunctionDef):
            yield node.lineno, f"async def {node.name}: write def"
        elif isinstance(node, ast.Call):
            yield from ((node.lineno, problem) for problem in _reading(node.func, numpy))
    for function in source.functions.values():
        for node in _within(function):
            for problem in _problems(node, numpy):
                yield getattr(node, "lineno", function.lineno), f"{function.name} {problem}"


def _changed_tables(source: Source) -> Iterator[tuple[int, str]]:
    """Functions that change a table at the top of the file: compiled code would go on with the table as it was."""
    tables = {n.id for s in source.tree.body if isinstance(s, ast.Assign | ast.AnnAssign) for n in _stored(s)}
    for function in source.functions.values():
        own = {n.id for n in _stored(function)} | {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                name = root(node)
                if name in tables - own:
                    hint = (
                        "tables at the top of a file cannot be changed; what is to be remembered goes into mind.memory"
                    )
                    yield node.lineno, f"{function.name} changes {ast.unparse(node)}: {hint}"


def _stored(node: ast.AST) -> Iterator[ast.Name]:
    return (n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def printing(source: Source) -> Iterator[tuple[int, str]]:
    """Calls of print, which are only for strategies that run uncompiled."""
    for function in source.functions.values():
        for node in ast.walk(function):
            if _is_print(node):
                hint = "remove it, or set NUMBA_DISABLE_JIT=1: then strategies run uncompiled and may print"
                yield getattr(node, "lineno", 1), f"{function.name} prints, which compiled code should not: {hint}"


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _called(node.func) == "print"


def _within(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """All nodes of a function's body but those within a call of print."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if not _is_print(node):
            yield node
            waiting += ast.iter_child_nodes(node)


def _problems(node: ast.AST, numpy: set[str]) -> Iterator[str]:
    made = MADE.get(type(node))
    if made and not isinstance(getattr(node, "ctx", None), ast.Store):
        yield f"makes {made} {MAKING_HINT}"
    if type(node) in UNKNOWN:
        yield f"cannot use {UNKNOWN[type(node)]}"
    if isinstance(node, ast.Call):
        name = _called(node.func)
        if name in PLAIN:
            yield f'calls {name}, which works only at the top of the file, as in PARIS = {name}("Paris")'
        if name in MAKERS:
            yield f"makes {MAKERS[name]} {MAKING_HINT}"
        if _is_numpys(node.func, numpy) and ARRAY_MAKERS.fullmatch(name or ""):
            yield f"makes an array with {ast.unparse(node.func)} {MAKING_HINT}, or an array at the top of the file"


def _reading(function: ast.expr, numpy: set[str]) -> Iterator[str]:
    name = _called(function)
    if name in ELSEWHERE or (name in LOADERS and _is_numpys(function, numpy)):
        yield f"{ast.unparse(function)}: all that a strategy plays by must stand in its file"
    owner = function.value if isinstance(function, ast.Attribute) else None
    if isinstance(owner, ast.Attribute) and owner.attr == "random" and _is_numpys(owner, numpy):
        yield f"{ast.unparse(function)} is not of the game's seed: use below(mind.rng, n) of ttrsim.bot"


def _called(function: ast.expr) -> str | None:
    """`print` of `print(1)`, `zeros` of `np.zeros(3)`."""
    if isinstance(function, ast.Attribute):
        return function.attr if isinstance(function.value, ast.Name) else None
    return function.id if isinstance(function, ast.Name) else None


def _is_numpys(function: ast.expr, numpy: set[str]) -> bool:
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id in numpy


def _names_of_numpy(source: Source) -> set[str]:
    imports = [alias for node in ast.walk(source.tree) if isinstance(node, ast.Import) for alias in node.names]
    return {alias.asname or alias.name for alias in imports if alias.name == "numpy"}

"""Find mistakes that show in the text of a strategy, each with its line and what would be right.

These include the parts of Python that a strategy cannot use, because it is compiled and allocates nothing while it
plays.
"""

import ast
import builtins
import difflib
import re
from collections.abc import Iterator

from ttrsim.errors import did_you_mean
from ttrsim.strategies.allowed import PLAIN_FUNCTIONS, field_mistakes, forbidden_names, foreign_imports, missing_imports
from ttrsim.strategies.source import ARGUMENTS, DECIDE, DECISIONS, ROOM, Source, at, parameter_read, root

Mistake = tuple[int, str]
"""A line number and what is wrong there."""

DECISION_NAMES = (*DECISIONS.values(), DECIDE)
WHOLE_NUMBER_HINT = "an action is a whole number, such as DRAW_BLIND or take(kind) (ttrsim.bot)"


def mistakes(source: Source) -> list[str]:
    """Return all mistakes that the text shows, from top to bottom."""
    finders = (foreign_imports, _decisions, _uncalled, _params, _recursion, field_mistakes, language_mistakes)
    found = {mistake for finder in finders for mistake in finder(source)}
    found |= set(missing_imports(source)) or set(_names(source))  # a missing import leaves its name undefined
    found = found or set(forbidden_names(source))
    if not found and not source.decisions:
        found = {(1, f"answers no decision: write a function {DECIDE}, or one of {', '.join(DECISIONS.values())}")}
    return [at(source.path, line, problem) for line, problem in sorted(found)]


def _decisions(source: Source) -> Iterator[Mistake]:
    """Yield functions that answer decisions but take wrong arguments or do not always return an action."""
    for name in source.decisions:
        node = source.functions[name]
        if not _takes_arguments(node):
            written = f"{name}({ast.unparse(node.args)})"
            yield node.lineno, f"{written} has the wrong arguments: write def {name}({', '.join(ARGUMENTS)}):"
        if not _ends(node.body):
            end = node.body[-1].end_lineno or node.lineno
            yield end, f"{name} can end here without an action: end every path through it with `return …`"
        for part in ast.walk(node):
            if isinstance(part, ast.Return) and _is_no_action(part.value):
                written = ast.unparse(part)
                yield part.lineno, f"{name} has `{written}`: {WHOLE_NUMBER_HINT}"
    for statement in source.tree.body:
        for name in _bound(statement):
            if name in DECISION_NAMES and not isinstance(statement, ast.FunctionDef):
                call = f"def {name}({', '.join(ARGUMENTS)}):"
                yield (
                    statement.lineno,
                    f"{name} is not a function of this file: write {call} and call the other one there",
                )


def _takes_arguments(node: ast.FunctionDef) -> bool:
    """Return whether a function has the arguments of one that answers decisions."""
    return _arguments(node) in (list(ARGUMENTS), [*ARGUMENTS, ROOM])


def _arguments(node: ast.FunctionDef) -> list[str]:
    a = node.args
    others = [f"*{x.arg}" for x in (a.vararg, a.kwarg, *a.kwonlyargs) if x]
    return [x.arg for x in (*a.posonlyargs, *a.args)] + others + ["=" for _ in a.defaults]


def _is_no_action(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and type(value.value) is not int)


def _ends(body: list[ast.stmt]) -> bool:
    """Return whether every path through these statements returns or raises."""
    return any(_is_end(statement) for statement in body)


def _is_end(node: ast.stmt) -> bool:
    if isinstance(node, ast.If):
        return _ends(node.body) and _ends(node.orelse)
    if isinstance(node, ast.While):
        always = isinstance(node.test, ast.Constant) and bool(node.test.value)
        return always and not any(isinstance(part, ast.Break) for part in ast.walk(node))
    if isinstance(node, ast.Try):
        return _ends(node.body + node.orelse) and all(_ends(handler.body) for handler in node.handlers)
    return isinstance(node, ast.Return | ast.Raise)


def _uncalled(source: Source) -> Iterator[Mistake]:
    """Yield functions defined twice, and uncalled ones that seem meant to answer a decision."""
    called = {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name)}
    first: dict[str, int] = {}
    for node in source.tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if node.name in first:
            yield node.lineno, f"{node.name} is defined twice, first in line {first[node.name]}"
        first.setdefault(node.name, node.lineno)
        if node.name in called or node.name in DECISION_NAMES or isinstance(node, ast.AsyncFunctionDef):
            continue
        near = difflib.get_close_matches(node.name, DECISION_NAMES, 1, 0.7)
        if near:
            yield node.lineno, f"nothing calls {node.name}; did you mean {near[0]}?"
        elif _arguments(node)[: len(ARGUMENTS)] == list(ARGUMENTS):
            yield (
                node.lineno,
                f"nothing calls {node.name}; the functions that answer decisions are {', '.join(DECISION_NAMES)}",
            )


def _params(source: Source) -> Iterator[Mistake]:
    """Yield parameters that are read but not in PARAMS."""
    known = [p.name for p in source.params]
    for node in ast.walk(source.tree):
        name = parameter_read(node)
        if name is not None and name not in known and isinstance(node, ast.Subscript):
            has = f"PARAMS has {', '.join(known)}" if known else "the file has no PARAMS"
            yield node.lineno, f"no parameter {name!r}{did_you_mean(name, known, has)}"


def _recursion(source: Source) -> Iterator[Mistake]:
    """Yield functions that call themselves, directly or indirectly: compiled and cached, they would crash."""
    calls = {
        name: {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} & source.functions.keys()
        for name, node in source.functions.items()
    }
    for name, node in source.functions.items():
        reached: set[str] = set()
        while new := {callee for f in reached | {name} for callee in calls[f]} - reached:
            reached |= new
        if name in reached:
            yield node.lineno, f"{name} calls itself, which compiled code cannot: write a loop"


def _names(source: Source) -> Iterator[Mistake]:
    """Yield names that are defined nowhere."""
    if any(isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in source.tree.body):
        return
    everywhere = {name for node in source.tree.body for name in _bound(node)} | set(dir(builtins)) | {"__name__"}
    for function in source.functions.values():
        known = everywhere | {name for node in ast.walk(function) for name in _bound(node)}
        if function.name in source.decisions and not _takes_arguments(function):
            known |= {*ARGUMENTS, ROOM}  # that they are missing is reported once
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in known:
                yield node.lineno, f"{node.id!r} is not defined{did_you_mean(node.id, known)}"


def _bound(node: ast.AST) -> list[str]:
    """Return the names that a statement, or any node within a function, defines."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, ast.stmt):
        return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return [node.id] if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else []


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
MAKING_HINT = "during a game: use a tuple, a loop, a set as the bits of a number, or mind.memory"
UNKNOWN: dict[type[ast.AST], str] = {
    ast.With: "with",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.Await: "await",
    ast.Global: "global: store what the strategy should remember in mind.memory",
    ast.Nonlocal: "nonlocal",
    ast.ClassDef: "class",
    ast.Match: "match: write if and elif",
    ast.Import: "import within a function: move it to the top of the file",
    ast.ImportFrom: "import within a function: move it to the top of the file",
}
ELSEWHERE = ("open", "exec", "eval", "compile", "input", "globals", "vars", "__import__")
LOADERS = ("load", "loadtxt", "genfromtxt", "fromfile", "memmap")


def language_mistakes(source: Source) -> Iterator[tuple[int, str]]:
    """Yield parts of Python that cannot be compiled, and reads of other files, whose changes would go unnoticed."""
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
    """Yield functions that change a table of the file's top level: compiled code would use the table as it was."""
    tables = {n.id for s in source.tree.body if isinstance(s, ast.Assign | ast.AnnAssign) for n in _stored(s)}
    for function in source.functions.values():
        own = {n.id for n in _stored(function)} | {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
        for node in ast.walk(function):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                name = root(node)
                if name in tables - own:
                    hint = "tables at the top of the file cannot change; store what changes in mind.memory"
                    yield node.lineno, f"{function.name} changes {ast.unparse(node)}: {hint}"


def _stored(node: ast.AST) -> Iterator[ast.Name]:
    return (n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def printing(source: Source) -> Iterator[tuple[int, str]]:
    """Yield calls of print, which only strategies that run uncompiled may make."""
    for function in source.functions.values():
        for node in ast.walk(function):
            if _is_print(node):
                hint = "remove it, or set NUMBA_DISABLE_JIT=1, so that strategies run uncompiled and may print"
                yield getattr(node, "lineno", 1), f"{function.name} prints, which compiled code cannot: {hint}"


def _is_print(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _called(node.func) == "print"


def _within(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield all nodes of a function's body except those within a call of print."""
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
        if name in PLAIN_FUNCTIONS:
            yield f'calls {name}, which works only at the top of the file, as in PARIS = {name}("Paris")'
        if name in MAKERS:
            yield f"makes {MAKERS[name]} {MAKING_HINT}"
        if _is_numpys(node.func, numpy) and ARRAY_MAKERS.fullmatch(name or ""):
            yield f"makes an array with {ast.unparse(node.func)} {MAKING_HINT}, or an array at the top of the file"


def _reading(function: ast.expr, numpy: set[str]) -> Iterator[str]:
    name = _called(function)
    if name in ELSEWHERE or (name in LOADERS and _is_numpys(function, numpy)):
        yield f"{ast.unparse(function)}: a strategy must not depend on anything outside its file"
    owner = function.value if isinstance(function, ast.Attribute) else None
    if isinstance(owner, ast.Attribute) and owner.attr == "random" and _is_numpys(owner, numpy):
        yield f"{ast.unparse(function)} does not follow the game's seed: use below(mind.rng, n) of ttrsim.bot"


def _called(function: ast.expr) -> str | None:
    """Return the name that is called: `print` in `print(1)`, `zeros` in `np.zeros(3)`."""
    if isinstance(function, ast.Attribute):
        return function.attr if isinstance(function.value, ast.Name) else None
    return function.id if isinstance(function, ast.Name) else None


def _is_numpys(function: ast.expr, numpy: set[str]) -> bool:
    return isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id in numpy


def _names_of_numpy(source: Source) -> set[str]:
    imports = [alias for node in ast.walk(source.tree) if isinstance(node, ast.Import) for alias in node.names]
    return {alias.asname or alias.name for alias in imports if alias.name == "numpy"}

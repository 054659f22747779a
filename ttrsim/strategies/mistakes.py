"""Mistakes that show in the text of a strategy, each with its line and what would be right."""

import ast
import builtins
import difflib
from collections.abc import Iterator

from ttrsim.errors import did_you_mean
from ttrsim.strategies.allowed import strange_names
from ttrsim.strategies.fields import field_mistakes
from ttrsim.strategies.imports import foreign_imports, missing_imports
from ttrsim.strategies.language import language_mistakes
from ttrsim.strategies.source import ARGUMENTS, DECIDE, DECISIONS, ROOM, Source, at, parameter_read

Mistake = tuple[int, str]
"""A line and what is wrong there."""

DECISION_NAMES = (*DECISIONS.values(), DECIDE)
WHOLE_NUMBER_HINT = "an action is a whole number, as DRAW_BLIND or take(kind) (ttrsim.bot)"


def mistakes(source: Source) -> list[str]:
    """Return all mistakes that the text shows, from top to bottom."""
    finders = (foreign_imports, _decisions, _strangers, _params, _recursion, field_mistakes, language_mistakes)
    found = {mistake for finder in finders for mistake in finder(source)}
    found |= set(missing_imports(source)) or set(_names(source))  # what is not imported is known nowhere
    found = found or set(strange_names(source))
    if not found and not source.decisions:
        found = {(1, f"answers no decision: write a function {DECIDE}, or one of {', '.join(DECISIONS.values())}")}
    return [at(source.path, line, problem) for line, problem in sorted(found)]


def _decisions(source: Source) -> Iterator[Mistake]:
    """Yield functions that answer decisions and have other arguments, or do not always end with an action."""
    for name in source.decisions:
        node = source.functions[name]
        if not _takes_arguments(node):
            written = f"{name}({ast.unparse(node.args)})"
            yield node.lineno, f"{written} has other arguments: write def {name}({', '.join(ARGUMENTS)}):"
        if not _ends(node.body):
            end = node.body[-1].end_lineno or node.lineno
            yield end, f"{name} can end here without an action: end it with `return …`, for every way through it"
        for part in ast.walk(node):
            if isinstance(part, ast.Return) and _is_no_action(part.value):
                written = ast.unparse(part)
                yield part.lineno, f"{name} has `{written}`: {WHOLE_NUMBER_HINT}"
    for statement in source.tree.body:
        for name in _bound(statement):
            if name in DECISION_NAMES and not isinstance(statement, ast.FunctionDef):
                call = f"def {name}({', '.join(ARGUMENTS)}):"
                yield statement.lineno, f"{name} is no function of this file: write {call} and call the other there"


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
    """Return whether nothing comes after these statements: each way through them returns or raises."""
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


def _strangers(source: Source) -> Iterator[Mistake]:
    """Yield functions written twice, and uncalled ones that seem meant to answer a decision."""
    called = {node.id for node in ast.walk(source.tree) if isinstance(node, ast.Name)}
    first: dict[str, int] = {}
    for node in source.tree.body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if node.name in first:
            yield node.lineno, f"{node.name} is written twice, first in line {first[node.name]}"
        first.setdefault(node.name, node.lineno)
        if node.name in called or node.name in DECISION_NAMES or isinstance(node, ast.AsyncFunctionDef):
            continue
        near = difflib.get_close_matches(node.name, DECISION_NAMES, 1, 0.7)
        if near:
            yield node.lineno, f"nothing calls {node.name}; did you mean {near[0]}?"
        elif _arguments(node)[: len(ARGUMENTS)] == list(ARGUMENTS):
            yield node.lineno, f"nothing calls {node.name}; decisions are answered by {', '.join(DECISION_NAMES)}"


def _params(source: Source) -> Iterator[Mistake]:
    """Yield parameters that are read but not in PARAMS."""
    known = [p.name for p in source.params]
    for node in ast.walk(source.tree):
        name = parameter_read(node)
        if name is not None and name not in known and isinstance(node, ast.Subscript):
            has = f"PARAMS has {', '.join(known)}" if known else "the file has no PARAMS"
            yield node.lineno, f"no parameter {name!r}{did_you_mean(name, known, has)}"


def _recursion(source: Source) -> Iterator[Mistake]:
    """Yield functions that call themselves, directly or through others: compiled and cached, they would crash."""
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
            known |= {*ARGUMENTS, ROOM}  # that they are missing is told once
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in known:
                yield node.lineno, f"no name {node.id!r} here{did_you_mean(node.id, known)}"


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

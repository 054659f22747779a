"""Compile a strategy's text into one function that answers every decision of a seat.

The file runs as a module. Each function it defines becomes a kernel, so a strategy's author never sees the compiler;
parameters become indices; and one more function hands each decision to the function that answers it.
"""

import ast
import builtins
import copy
import hashlib
import inspect
import linecache
import re
import sys
import types
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from ttrsim.core.code_key import content_key
from ttrsim.core.constants import SECOND, TURN
from ttrsim.core.guard import checked
from ttrsim.core.jit import COMPILED, compile_for, kernel_with
from ttrsim.core.play import STRATEGY_SIGNATURE
from ttrsim.strategies.allowed import BUILTINS, may_import
from ttrsim.strategies.faults import compile_fault, running_fault
from ttrsim.strategies.mistakes import WHOLE_NUMBER_HINT, printing
from ttrsim.strategies.source import (
    ARGUMENTS,
    DECIDE,
    DECISIONS,
    INTEGER,
    ROOM,
    Source,
    StrategyError,
    at,
    param_places,
    parameter_read,
    read_source,
    too_deep,
)

ANSWER = "ttrsim_answer"
"""The function that is added to a strategy's module."""
NUMBERS = ("integers", "floats")
"""Fields of a mind that are cleared only for strategies that name them."""
DEFAULT = "default_answer"
"""The function of `ttrsim.kit.defaults` that answers every decision the file does not."""
WHOLE_NUMBER = re.compile(r"u?int\d+|Literal\[int\]\(.*\)")
"""Numba's names for the types that an action may have."""
OTHERS = {"float": "a number with a fraction (use // or int(…))", "bool": "a truth value", "Optional": "nothing"}
"""Beginnings of numba's names for other types, and what those types are."""


@cache
def build(path: Path, text: str, guarded: bool) -> Callable[..., int]:
    """Return the strategy as one function (board, table, hand, mind, room) -> action, compiled or from the cache."""
    source, namespace = _kernels(path, text, guarded)
    if not COMPILED:
        uncompiled: Callable[..., int] = namespace[ANSWER]
        return uncompiled
    try:
        _check_answers(source, namespace)
        answer: Callable[..., int] = compile_for(STRATEGY_SIGNATURE, namespace[ANSWER])
    except StrategyError:
        raise
    except Exception as e:  # numba raises many kinds
        raise compile_fault(source, e) from None
    return answer


def code_key(path: Path, text: str, guarded: bool) -> str:
    """Return a key that changes with anything the strategy's compiled code depends on."""
    return content_key(_kernels(path, text, guarded)[1][ANSWER], lines=guarded)


@cache
def _kernels(path: Path, text: str, guarded: bool) -> tuple[Source, dict[str, Any]]:
    """Read the file and run it as a module, whose functions become kernels.

    guarded: restricted to what it may see, by `ttrsim.core.guard`.
    """
    source = read_source(path, text)
    if COMPILED and (printed := list(printing(source))):
        raise StrategyError([at(path, line, problem) for line, problem in printed])
    try:
        module = run_module(source, guarded)
    except RecursionError:
        raise too_deep(path) from None
    namespace = module.__dict__
    if COMPILED:
        _name_by_content(module)
    for name in source.functions:
        if inspect.isfunction(namespace[name]):
            namespace[name] = kernel_with(namespace[name], checked=guarded)
    return source, namespace


def run_module(source: Source, guarded: bool = True) -> types.ModuleType:
    """Run the file as a module named after its content. Its functions are still plain Python."""
    tree = _prepared(source, guarded)
    digest = hashlib.sha256((source.text + ast.unparse(tree)).encode()).hexdigest()[:16]
    module = types.ModuleType(f"ttrsim_strategy_{source.path.stem}_{digest}")
    module.__file__ = str(source.path.resolve())
    if guarded:
        module.__dict__["__builtins__"] = {name: getattr(builtins, name) for name in BUILTINS} | {"__import__": _import}
    sys.modules[module.__name__] = module  # numba looks there for a function's module
    lines = [f"{line}\n" for line in source.text.split("\n")]
    linecache.cache[module.__file__] = len(source.text), None, lines, module.__file__  # and here for its text
    try:
        exec(compile(tree, module.__file__, "exec"), module.__dict__)
    except Exception as e:
        raise running_fault(source, e) from None
    return module


def _prepared(source: Source, guarded: bool) -> ast.Module:
    """Return the file's tree with parameters as indices and the function that hands decisions on.

    That function gets the line numbers of a function of the file: numba reads the text there, and the tokenizer of
    Python 3.12 and later refuses text that begins within a docstring.
    """
    tree: ast.Module = _Indices(source).visit(copy.deepcopy(source.tree))
    addition = ast.parse(_answer_text(source, guarded))
    for node in ast.walk(addition):
        ast.copy_location(node, source.functions[source.decisions[0]])
    tree.body += addition.body
    return tree


def _answer_text(source: Source, guarded: bool) -> str:
    """Return the text of the function that hands each decision to the one that answers it, the commonest first.

    Decisions that the file leaves to the defaults go to those compiled once for all strategies.
    """
    rest = DECIDE if DECIDE in source.functions else DEFAULT
    order = [TURN, SECOND, *(phase for phase in DECISIONS if phase not in (TURN, SECOND))]
    lines = [] if rest == DECIDE else [f"from ttrsim.kit.defaults import {DEFAULT}"]
    lines += [f"def {ANSWER}({', '.join(ARGUMENTS)}, {ROOM}):"]
    if any(isinstance(node, ast.Attribute) and node.attr in NUMBERS for node in ast.walk(source.tree)):
        lines.insert(0, "from ttrsim.core.play import clear_numbers")
        lines.append("    clear_numbers(table, mind)")
    if guarded:
        lines.insert(0, "from ttrsim.core.guard import clear_room, show")
        lines += ["    clear_room(table, room)"] * any(_wants_room(f) for f in source.functions.values())
        lines += [
            "    show(board, table, hand, mind, room)",
            "    board, table, hand = room.board, room.table, room.hand",
        ]
    for phase in order:
        name = source.answers(phase)
        if name in source.functions and name != rest:
            lines.append(f"    if table.phase == {phase}: return {_call(source, name)}")
    return "\n".join([*lines, f"    return {_call(source, rest)}"])


def _wants_room(function: ast.FunctionDef) -> bool:
    return ROOM in (argument.arg for argument in function.args.args)


def _call(source: Source, name: str) -> str:
    """Return the call of a function that answers decisions, in the file or among the defaults."""
    function = source.functions.get(name)
    wants_room = function is None or _wants_room(function)
    return f"{name}({', '.join([*ARGUMENTS, ROOM] if wants_room else ARGUMENTS)})"


def _import(name: str, _globals: Any = None, _locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    """Import a module for a strategy's file: its kernels come with bounds checks."""
    package, _, last = name.rpartition(".")
    if not all(may_import(*wanted) for wanted in [(name, what) for what in fromlist or ()] or [(package, last)]):
        raise ImportError(f"a strategy cannot import {name}")
    return checked(__import__(name, fromlist=fromlist))


class _Indices(ast.NodeTransformer):
    """Turns `….params["risk"]` into `….params[2]`, because parameters get their values when a game is played.

    A parameter that is a whole number becomes `int(….params[2])`.
    """

    def __init__(self, source: Source) -> None:
        self.params = {
            p.name: (place, p.whole) for p, place in zip(source.params, param_places(source.params), strict=True)
        }

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        name = parameter_read(node)
        if name is None:
            return node
        place, whole = self.params[name]
        node.slice = ast.copy_location(ast.Constant(place), node.slice)
        if not whole or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Call(ast.copy_location(ast.Name(INTEGER, ast.Load()), node), [node], []), node)


def _name_by_content(module: types.ModuleType) -> None:
    """Put a hash of the file's content and of how it is compiled into the functions' qualified names.

    Numba's cache goes by these names and by the file's time and size. With the latter alone it would run code compiled
    before an edit, if the edit changed neither or happened during compilation.
    """
    digest = module.__name__.rpartition("_")[2]
    for name, value in module.__dict__.items():
        if inspect.isfunction(value) and value.__module__ == module.__name__:
            value.__qualname__ = f"{name}_{digest}"


def _check_answers(source: Source, namespace: dict[str, Any]) -> None:
    """Refuse functions that answer a decision with anything but a whole number; numba would truncate a float."""
    for name in source.decisions:
        namespace[name].compile(STRATEGY_SIGNATURE.args[: len(source.functions[name].args.args)])
        returned = str(namespace[name].nopython_signatures[0].return_type)
        if not WHOLE_NUMBER.fullmatch(returned):
            what = next((words for start, words in OTHERS.items() if returned.startswith(start)), returned)
            problem = f"{name} may return {what}: {WHOLE_NUMBER_HINT}"
            if not any(isinstance(part, ast.Return) for part in ast.walk(source.functions[name])):
                problem = f"{name} never returns, because its loop has no end: {WHOLE_NUMBER_HINT}"
            raise StrategyError([at(source.path, source.functions[name].lineno, problem)])

"""From the text of a strategy to one compiled function that answers every decision of a seat.

The file runs as a module. Each function it defines becomes a kernel, so a strategy's author sees no compiler;
parameters become indices; and one function more hands each decision to the function that answers it.
"""

import ast
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

from ttrsim.core import jit
from ttrsim.core.constants import SECOND, TURN
from ttrsim.core.jit import COMPILED, compile_for, kernel
from ttrsim.core.play import STRATEGY_SIGNATURE
from ttrsim.strategies.faults import compile_fault, running_fault
from ttrsim.strategies.language import printing
from ttrsim.strategies.mistakes import WHOLE_NUMBER_HINT
from ttrsim.strategies.source import (
    ARGUMENTS,
    DECIDE,
    DECISIONS,
    ROOM,
    Source,
    StrategyError,
    at,
    parameter_read,
    read_source,
    too_deep,
)

ANSWER = "ttrsim_answer"
"""The function that is added to a strategy's module."""
DEFAULT = "default_answer"
"""The function of `ttrsim.kit.standard` that answers what the file does not."""
WHOLE_NUMBER = re.compile(r"u?int\d+|Literal\[int\]\(.*\)")
"""The names that numba gives to the types an action may have."""
OTHERS = {"float": "a number with a fraction (use // or int(…))", "bool": "a truth value", "Optional": "nothing"}
"""How its names of types that an action may not have begin, and what these types are."""


@cache
def build(path: Path, text: str, checked: bool = False) -> Callable[..., int]:
    """The strategy as one function (board, table, hand, mind, room) -> action, compiled or from the cache.

    checked: with bounds checks, in the strategy's own functions alone: core and kit with such checks would take minutes
    to compile.
    """
    source = read_source(path, text)
    if COMPILED and (printed := list(printing(source))):
        raise StrategyError([at(path, line, problem) for line, problem in printed])
    try:
        module = run_module(source)
    except RecursionError:
        raise too_deep(path) from None
    namespace = module.__dict__
    try:
        if COMPILED:
            _name_by_content(module, "_checked" if checked else "")
        own_kernel = _checked_kernel() if checked and COMPILED else kernel
        for name in source.functions:
            if inspect.isfunction(namespace[name]):
                namespace[name] = own_kernel(namespace[name])
        if COMPILED:
            _check_answers(source, namespace)
        answer: Callable[..., int] = compile_for(STRATEGY_SIGNATURE, namespace[ANSWER])
    except StrategyError:
        raise
    except Exception as e:  # numba raises of all kinds
        raise compile_fault(source, e) from None
    return answer


def _checked_kernel() -> Callable[..., Any]:
    """The core's decorator of compiled functions, with bounds checks."""
    decorator: Callable[..., Any] = jit.numba.njit(**jit.OPTIONS, boundscheck=True)  # type: ignore[attr-defined]
    return decorator


def run_module(source: Source) -> types.ModuleType:
    """Run the file as a module, whose name tells its content. Its functions are still plain Python."""
    tree = _prepared(source)
    digest = hashlib.sha256((source.text + ast.unparse(tree)).encode()).hexdigest()[:16]
    module = types.ModuleType(f"ttrsim_strategy_{source.path.stem}_{digest}")
    module.__file__ = str(source.path.resolve())
    sys.modules[module.__name__] = module  # numba looks there for a function's module
    lines = [f"{line}\n" for line in source.text.split("\n")]
    linecache.cache[module.__file__] = len(source.text), None, lines, module.__file__  # and here for its text
    try:
        exec(compile(tree, module.__file__, "exec"), module.__dict__)
    except Exception as e:
        raise running_fault(source, e) from None
    return module


def _prepared(source: Source) -> ast.Module:
    """The file's tree with parameters as indices and the function that hands decisions on.

    That stands where a function of the file does: numba reads the text there, and the tokenizer of Python 3.12 and
    later takes none that begins within a docstring.
    """
    tree: ast.Module = _Indices(source).visit(copy.deepcopy(source.tree))
    addition = ast.parse(_answer_text(source))
    for node in ast.walk(addition):
        ast.copy_location(node, source.functions[source.decisions[0]])
    tree.body += addition.body
    return tree


def _answer_text(source: Source) -> str:
    """Hands each decision to the function that answers it, the commonest first.

    What the file leaves to the defaults, those answer that were compiled once for all strategies.
    """
    rest = DECIDE if DECIDE in source.functions else DEFAULT
    order = [TURN, SECOND, *(phase for phase in DECISIONS if phase not in (TURN, SECOND))]
    lines = [] if rest == DECIDE else [f"from ttrsim.kit.standard import {DEFAULT}"]
    lines += [f"def {ANSWER}({', '.join(ARGUMENTS)}, {ROOM}):"]
    for phase in order:
        name = source.answers(phase)
        if name in source.functions and name != rest:
            lines.append(f"    if table.phase == {phase}: return {_call(source, name)}")
    return "\n".join([*lines, f"    return {_call(source, rest)}"])


def _call(source: Source, name: str) -> str:
    """The call of a function that answers decisions, of the file or the defaults'."""
    function = source.functions.get(name)
    wants_room = function is None or ROOM in (argument.arg for argument in function.args.args)
    return f"{name}({', '.join([*ARGUMENTS, ROOM] if wants_room else ARGUMENTS)})"


class _Indices(ast.NodeTransformer):
    """`….params["risk"]` becomes `….params[2]`: a parameter's value is looked up when a game is played."""

    def __init__(self, source: Source) -> None:
        self.names = [p.name for p in source.params]

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        name = parameter_read(node)
        if name is not None:
            node.slice = ast.copy_location(ast.Constant(self.names.index(name)), node.slice)
        return node


def _name_by_content(module: types.ModuleType, way: str) -> None:
    """Let the functions' qualified names tell the file's content, as the module's name does, and how it is compiled.

    numba's cache goes by these names and by the file's time and size. By the latter alone it would play code compiled
    before an edit, if the edit changed neither or came while the file was compiled.
    """
    digest = module.__name__.rpartition("_")[2]
    for name, value in module.__dict__.items():
        if inspect.isfunction(value) and value.__module__ == module.__name__:
            value.__qualname__ = f"{name}_{digest}{way}"


def _check_answers(source: Source, namespace: dict[str, Any]) -> None:
    """Every function that answers a decision must return a whole number: numba would truncate a float."""
    for name in source.decisions:
        namespace[name].compile(STRATEGY_SIGNATURE.args[: len(source.functions[name].args.args)])
        returned = str(namespace[name].nopython_signatures[0].return_type)
        if not WHOLE_NUMBER.fullmatch(returned):
            what = next((words for start, words in OTHERS.items() if returned.startswith(start)), returned)
            problem = f"{name} may return {what}: {WHOLE_NUMBER_HINT}"
            if not any(isinstance(part, ast.Return) for part in ast.walk(source.functions[name])):
                problem = f"{name} never returns, for its loop has no end: {WHOLE_NUMBER_HINT}"
            raise StrategyError([at(source.path, source.functions[name].lineno, problem)])

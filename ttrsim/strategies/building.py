"""From the text of a strategy to one compiled function that answers every decision of a seat.

The file runs as a module. Each function it defines becomes a kernel, so a strategy's author sees no compiler;
parameters become indices; and one function more hands each decision to the function that answers it.
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
    parameter_read,
    read_source,
    too_deep,
)

ANSWER = "ttrsim_answer"
"""The function that is added to a strategy's module."""
NUMBERS = ("integers", "floats")
"""Fields of a mind that are cleared for strategies that name them."""
DEFAULT = "default_answer"
"""The function of `ttrsim.kit.defaults` that answers what the file does not."""
WHOLE_NUMBER = re.compile(r"u?int\d+|Literal\[int\]\(.*\)")
"""The names that numba gives to the types an action may have."""
OTHERS = {"float": "a number with a fraction (use // or int(…))", "bool": "a truth value", "Optional": "nothing"}
"""How its names of types that an action may not have begin, and what these types are."""


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
    except Exception as e:  # numba raises of all kinds
        raise compile_fault(source, e) from None
    return answer


def code_key(path: Path, text: str, guarded: bool) -> str:
    """Return what changes with anything the strategy's compiled code depends on."""
    return content_key(_kernels(path, text, guarded)[1][ANSWER], lines=guarded)


@cache
def _kernels(path: Path, text: str, guarded: bool) -> tuple[Source, dict[str, Any]]:
    """Read the file and run it as a module, whose functions become kernels.

    guarded: with all that keeps it to what it may see, as `ttrsim.core.guard` says.
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
    """Run the file as a module, whose name tells its content. Its functions are still plain Python."""
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
    """The file's tree with parameters as indices and the function that hands decisions on.

    That stands where a function of the file does: numba reads the text there, and the tokenizer of Python 3.12 and
    later takes none that begins within a docstring.
    """
    tree: ast.Module = _Indices(source).visit(copy.deepcopy(source.tree))
    addition = ast.parse(_answer_text(source, guarded))
    for node in ast.walk(addition):
        ast.copy_location(node, source.functions[source.decisions[0]])
    tree.body += addition.body
    return tree


def _answer_text(source: Source, guarded: bool) -> str:
    """Hands each decision to the function that answers it, the commonest first.

    What the file leaves to the defaults, those answer that were compiled once for all strategies.
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
    """The call of a function that answers decisions, of the file or the defaults'."""
    function = source.functions.get(name)
    wants_room = function is None or _wants_room(function)
    return f"{name}({', '.join([*ARGUMENTS, ROOM] if wants_room else ARGUMENTS)})"


def _import(name: str, _globals: Any = None, _locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
    """`import` as a strategy's file has it: kernels come with bounds checks."""
    package, _, last = name.rpartition(".")
    if not all(may_import(*wanted) for wanted in [(name, what) for what in fromlist or ()] or [(package, last)]):
        raise ImportError(f"a strategy cannot import {name}")
    return checked(__import__(name, fromlist=fromlist))


class _Indices(ast.NodeTransformer):
    """`….params["risk"]` becomes `….params[2]`: a parameter's value is looked up when a game is played.

    That of a parameter which is a whole number becomes `int(….params[2])`.
    """

    def __init__(self, source: Source) -> None:
        self.names = [p.name for p in source.params]
        self.whole = [p.whole for p in source.params]

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        name = parameter_read(node)
        if name is None:
            return node
        index = self.names.index(name)
        node.slice = ast.copy_location(ast.Constant(index), node.slice)
        if not self.whole[index] or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Call(ast.copy_location(ast.Name(INTEGER, ast.Load()), node), [node], []), node)


def _name_by_content(module: types.ModuleType) -> None:
    """Let the functions' qualified names tell the file's content, as the module's name does, and how it is compiled.

    numba's cache goes by these names and by the file's time and size. By the latter alone it would play code compiled
    before an edit, if the edit changed neither or came while the file was compiled.
    """
    digest = module.__name__.rpartition("_")[2]
    for name, value in module.__dict__.items():
        if inspect.isfunction(value) and value.__module__ == module.__name__:
            value.__qualname__ = f"{name}_{digest}"


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

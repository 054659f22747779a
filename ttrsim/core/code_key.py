"""Keys of compiled functions, which change with whatever the compiled code depends on and with nothing else.

A key covers the bytecode of a function and of all functions it calls, with their constants, their default values and
what the names in them mean. Docstrings, comments and layout are not in it.
"""

import hashlib
import inspect
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

import numba
import numpy as np

OURS = "ttrsim"
"""The package whose modules are read for what their names mean; others change with their version."""
FIXED = {"builtins", "math", "numpy"}
"""Packages whose functions and types are known by their names."""

CONSTANT = (bool, int, float, complex, str, bytes, np.generic, np.dtype, numba.types.Type)
"""Types of values that their text describes."""


class _Part(NamedTuple):
    """The content of one function."""

    digest: bytes
    callees: tuple[FunctionType, ...]


def content_key(function: Callable[..., Any], *, lines: bool = False) -> str:
    """Return the key of a function by its content and the content of all it calls.

    lines: include the file and the lines of functions outside ttrsim, because errors name them.
    """
    assert isinstance(function, FunctionType)
    digests, todo = {}, [function]
    while todo:
        found = todo.pop()
        if found not in digests:
            digests[found], callees = _content(found, lines and not found.__module__.startswith(f"{OURS}."))
            todo += callees
    digest = hashlib.sha256(digests.pop(function))
    for other in sorted(digests.values()):
        digest.update(other)
    return digest.hexdigest()


@cache
def _content(function: FunctionType, lines: bool) -> _Part:
    """Digest the content of a function and the meaning of its names, and find the functions that it names."""
    codes = list(_codes(function.__code__))
    callees: dict[FunctionType, None] = {}
    written = [_name(function)]
    written += [_code_text(code, function.__doc__) for code in codes]
    if lines:
        written += [repr((c.co_filename, c.co_firstlineno, c.co_linetable)) for c in codes]
    names = sorted({name for code in codes for name in code.co_names})
    for name in names:
        if name in function.__globals__:
            written.append(f"{name} = {_meaning(function.__globals__[name], names, callees)}")
    values = [*(function.__defaults__ or ()), *sorted((function.__kwdefaults__ or {}).items())]
    values += [cell.cell_contents for cell in function.__closure__ or ()]
    written += [_meaning(value, names, callees) for value in values]
    return _Part(hashlib.sha256("\n".join(written).encode()).digest(), tuple(callees))


def _name(function: FunctionType) -> str:
    """Name a function by its file, because a strategy's module and functions are named by the whole text."""
    code = function.__code__
    return f"{'/'.join(Path(code.co_filename).parts[-2:])}: {code.co_qualname}"


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code of a function and of those defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _code_text(code: CodeType, docstring: str | None) -> str:
    """Return the bytecode with its constants as text. The docstring is left out, nested code is written separately."""
    constants = [None if c == docstring or isinstance(c, CodeType) else c for c in code.co_consts]
    variables = code.co_varnames, code.co_cellvars, code.co_freevars, code.co_argcount, code.co_flags
    handlers = code.co_exceptiontable
    return repr((code.co_code, [(type(c), c) for c in constants], code.co_names, variables, handlers))


def _meaning(value: Any, names: list[str], callees: dict[FunctionType, None]) -> str:
    """Return a text that says what a value is. Functions are added to the callees, because they depend on more.

    names: the attributes that may be looked up in a module.
    """
    if isinstance(function := inspect.unwrap(value) if hasattr(value, "__wrapped__") else value, FunctionType):
        callees[function] = None
        options = sorted(getattr(value, "targetoptions", {}).items())
        return f"{_name(function)} {options}"
    if isinstance(value, ModuleType):
        return _module(value, names, callees)
    if isinstance(value, tuple):
        return f"({', '.join(_meaning(v, names, callees) for v in value)})"
    if isinstance(value, np.ndarray):
        return f"{value.dtype!r} {value.shape} {value.tobytes().hex()}"
    if value is None or isinstance(value, CONSTANT):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, (type, BuiltinFunctionType, np.ufunc)):
        package = (getattr(value, "__module__", None) or "numpy").partition(".")[0]
        if package in FIXED:
            return f"{package}.{value.__name__}"
    return f"unknown {uuid.uuid4()}"  # so nothing that depends on it is found again


def _module(module: ModuleType, names: list[str], callees: dict[FunctionType, None]) -> str:
    """Return what the names mean in a module of ttrsim, as text; other modules are known by their names."""
    text = module.__name__
    if text.partition(".")[0] != OURS:
        return text
    for name in names:
        value = getattr(module, name, None)
        if value is not None and not (isinstance(value, ModuleType) and not value.__name__.startswith(f"{text}.")):
            text += f" {name} = {_meaning(value, names, callees)}"
    return text

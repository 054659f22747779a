"""Whatever goes wrong when a strategy is run or compiled, as one clear message with file and line."""

import ast
import importlib
import re
import traceback
from pathlib import Path

import numpy as np

from ttrsim.core import records
from ttrsim.errors import did_you_mean
from ttrsim.strategies.fields import WRITING_HINT, record_name, unknown_field
from ttrsim.strategies.source import Source, StrategyError, at
from ttrsim.strategies.uncompiled import first_fault

TRIAL = 10.0
"""Seconds of uncompiled play in which to find the real exception behind what numba says."""
PLACE = re.compile(r'File "([^"]+)", line (\d+)|at (.+?) \((\d+)\)')
"""How numba's messages say where something is."""
HINTS = {
    r"NRT required|Only accept returning of array|reflected list|DictType|unicode_type|\blist\(|\bset\(": (
        "makes a list, a dict, a text or an array; nothing can be made while a game is played: use a tuple, "
        "a set as the bits of a number, or mind.memory"
    ),
    r"array index type float64": "an index is a fraction: use // or int(…)",
    r"Cannot unify": "a name has values of types that do not go together: use two names",
    r"missing a required argument|too many positional|unexpected keyword": "other arguments are wanted there",
    r"nestedarray.*to int64": "returns an array, not an action",
}
"""What may be meant by numba's messages, by pattern, the surest first."""


def running_fault(source: Source, error: Exception) -> StrategyError:
    """The error of a file that fails when it runs as a module."""
    line = exception_place(source, error)[0] or 1
    return StrategyError([at(source.path, line, f"fails when it is read: {exception_words(error)}")])


def exception_place(source: Source, error: BaseException) -> tuple[int | None, str | None]:
    """The line and the function in which an exception was met: the innermost of this file."""
    path = str(source.path.resolve())
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return (frames[-1].lineno, frames[-1].name) if frames else (None, None)


def exception_words(error: BaseException) -> str:
    """An exception in words, with what would be right where that can be told."""
    if isinstance(error, AttributeError) and isinstance(error.obj, np.record):
        return unknown_field(record_name(error.obj.dtype), str(error.name), error.obj.dtype)
    if isinstance(error, ImportError):
        return _import_words(error)
    if "read-only" in str(error):
        return f"changes what it is shown: {WRITING_HINT}"
    text = str(error)
    if isinstance(error, RuntimeWarning):  # numpy's; compiled code says nothing
        return f"{text}; compiled code goes on with inf, nan or a number without meaning"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _import_words(error: ImportError) -> str:
    wanted = re.search(r"cannot import name '(\w+)' from '([\w.]+)'", str(error))
    if not wanted:
        return str(error)
    return f"{wanted[2]} has no {wanted[1]!r}{did_you_mean(wanted[1], dir(importlib.import_module(wanted[2])))}"


def compile_fault(source: Source, error: Exception) -> StrategyError:
    """The error of a file that numba cannot compile: the exception that plain Python meets, or what numba says."""
    fault = first_fault(source.path, source.text, tuple(p.default for p in source.params), TRIAL)
    if fault is not None and fault.line and not fault.endless:
        return StrategyError([at(source.path, fault.line, f"{fault.function}: {fault.problem}")])
    return StrategyError([_numba_words(source, error)])


def _numba_words(source: Source, error: Exception) -> str:
    if isinstance(error, KeyError):  # so numba says that a record has no such field
        return _field_words(source, str(error.args[0]))
    message = str(error)
    lines = [text.strip() for text in message.splitlines()]
    essence = next((text for text in lines if text and "pipeline (step" not in text), type(error).__name__)
    hint = next((words for pattern, words in HINTS.items() if re.search(pattern, message)), "cannot be compiled")
    return at(source.path, _numba_line(source.path, message) or 1, f"{hint} (numba: {_cut(essence)})")


def _cut(text: str) -> str:
    text = re.sub(r"Record\(.*\)", "a record", text)
    return text if len(text) < 160 else text[:150] + " …"


def _field_words(source: Source, field: str) -> str:
    """Which record is meant the types do not tell; the fields of all are named that are like it."""
    places = [n for n in ast.walk(source.tree) if isinstance(n, ast.Attribute) and n.attr == field]
    line = places[0].lineno if places else 1
    owner = ast.unparse(places[0].value) if places else "a record"
    known = {n for r in (records.BOARD, records.TABLE, records.HAND, records.MIND, records.WORK) for n in r.names or ()}
    return at(source.path, line, f"{owner} has no field {field!r}{did_you_mean(field, known)}")


def _numba_line(path: Path, message: str) -> int | None:
    """The first line of the file that numba's message names: the innermost place."""
    for match in PLACE.finditer(message):
        if Path(match[1] or match[3]).name == path.name:
            return int(match[2] or match[4])
    return None

"""What goes wrong when a strategy is run or compiled, as one clear message with file and line."""

import re
import traceback
from pathlib import Path

from ttrsim.strategies.source import Source, StrategyError, at

PLACE = re.compile(r'File "([^"]+)", line (\d+)|at (\S+) \((\d+)\)')
"""How numba tells where something is."""


def running_fault(source: Source, error: Exception) -> StrategyError:
    """The error of a file that fails when it runs as a module."""
    return StrategyError([at(source.path, _line(source, error), f"fails when it is read: {_words(error)}")])


def _line(source: Source, error: BaseException) -> int:
    """The line of the file at which an exception was met last."""
    path = str(source.path.resolve())
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return next((line for line in reversed(lines) if line), 1)


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def compile_fault(source: Source, error: Exception) -> StrategyError:
    """The error of a file that numba cannot compile."""
    line = _numba_line(source.path, str(error))
    essence = next((text for text in str(error).splitlines() if text and "pipeline" not in text), "")
    return StrategyError([at(source.path, line or 1, f"cannot be compiled: {type(error).__name__}: {essence[:300]}")])


def _numba_line(path: Path, message: str) -> int | None:
    """The first line of the file that numba's message names: the innermost place."""
    for match in PLACE.finditer(message):
        if Path(match[1] or match[3]).name == path.name:
            return int(match[2] or match[4])
    return None

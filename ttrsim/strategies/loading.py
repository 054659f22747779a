"""From a strategy's file to a compiled function that answers every decision of a seat.

A strategy file is Python and is run as such. It has a docstring, a NAME, PARAMS (name -> default, lowest, highest) and
the function `decide(board, table, hand, mind)`, which returns a legal action.
"""

import ast
import difflib
import hashlib
import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ttrsim.core.constants import PARAMS as MOST_PARAMS
from ttrsim.core.jit import compile_for
from ttrsim.core.play import STRATEGY_SIGNATURE
from ttrsim.data import data_folder
from ttrsim.errors import UsageError, UserError

ARGUMENTS = ["board", "table", "hand", "mind"]


class StrategyError(UserError):
    """A strategy that cannot be had, or that did something illegal."""


@dataclass(frozen=True)
class Param:
    """A number that tunes a strategy."""

    name: str
    default: float
    low: float  # the lowest value that makes sense
    high: float  # the highest


@dataclass(frozen=True)
class Strategy:
    """A strategy with values for its parameters.

    >>> load_strategy("random").name
    'random'
    """

    name: str
    path: Path
    doc: str  # what it does, in plain words
    sha256: str  # of its file
    params: tuple[Param, ...]
    values: tuple[float, ...]  # one for each parameter

    @cached_property
    def compiled(self) -> Callable[..., int]:
        """`decide`, compiled: (board, table, hand, mind) -> action."""
        function: Callable[..., int] = _compiled(self.path, self.sha256)
        return function

    @property
    def spec(self) -> str:
        """The strategy as one writes it: `planner(risk=0.3)`."""
        changed = [
            f"{p.name}={value!r}" for p, value in zip(self.params, self.values, strict=True) if value != p.default
        ]
        shipped = self.path.parent == data_folder() / "strategies"
        written = self.path.stem if shipped else str(self.path)
        return written + (f"({', '.join(changed)})" if changed else "")


def strategy_names() -> list[str]:
    """The strategies that come with ttrsim."""
    return sorted(path.stem for path in (data_folder() / "strategies").glob("*.py"))


def load_strategy(name: str, values: dict[str, float] | None = None) -> Strategy:
    """A strategy by name (`"random"`) or file (`"my_bot.py"`), with values for some of its parameters."""
    path = _locate(name)
    source = _read(path)
    module = _run(path, source)
    params = _params(path, module)
    given = values or {}
    _check_values(path, params, given)
    return Strategy(
        name=getattr(module, "NAME", path.stem),
        path=path,
        doc=inspect.cleandoc(module.__doc__ or ""),
        sha256=hashlib.sha256(source.encode()).hexdigest(),
        params=params,
        values=tuple(float(given.get(p.name, p.default)) for p in params),
    )


def _locate(name: str) -> Path:
    if name.endswith(".py"):
        return Path(name)
    known = strategy_names()
    if name not in known:
        near = difflib.get_close_matches(name, known, 3, 0.4) or known
        raise UsageError([f"no strategy {name!r}; did you mean {', '.join(near)}? (a file's name ends in .py)"])
    return data_folder() / "strategies" / f"{name}.py"


def _read(path: Path) -> str:
    try:
        source = path.read_text("utf-8")
        ast.parse(source)
    except OSError as e:
        raise StrategyError([f"{path}: cannot be read: {e.strerror}"]) from None
    except UnicodeDecodeError:
        raise StrategyError([f"{path}: is not UTF-8 text"]) from None
    except SyntaxError as e:
        raise StrategyError([f"{path}, line {e.lineno}: {e.msg}"]) from None
    return source


@cache
def _run(path: Path, source: str) -> types.ModuleType:
    """The file as a module whose name tells its content: code compiled from another content is never taken for it."""
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    module = types.ModuleType(f"ttrsim_strategy_{path.stem}_{digest}")
    module.__file__ = str(path.resolve())
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, module.__file__, "exec"), module.__dict__)
    except Exception as e:
        raise StrategyError([f"{path}: fails when it is read: {type(e).__name__}: {e}"]) from None
    decide = getattr(module, "decide", None)
    if not inspect.isfunction(decide):
        raise StrategyError([f"{path}: has no function `decide({', '.join(ARGUMENTS)})`"])
    if list(inspect.signature(decide).parameters) != ARGUMENTS:
        raise StrategyError([f"{path}: `decide` must have the arguments ({', '.join(ARGUMENTS)})"])
    return module


def _params(path: Path, module: types.ModuleType) -> tuple[Param, ...]:
    try:
        params = tuple(Param(name, *map(float, numbers)) for name, numbers in getattr(module, "PARAMS", {}).items())
    except (AttributeError, TypeError, ValueError):
        raise StrategyError([f"{path}: PARAMS must map each name to (default, low, high)"]) from None
    if len(params) > MOST_PARAMS:
        raise StrategyError([f"{path}: {len(params)} parameters; there is room for {MOST_PARAMS}"])
    return params


def _check_values(path: Path, params: tuple[Param, ...], given: dict[str, float]) -> None:
    names = [p.name for p in params]
    for name in given:
        if name not in names:
            raise UsageError([f"{path.stem}: no parameter {name!r}; parameters are: {', '.join(names) or 'none'}"])


@cache
def _compiled(path: Path, sha256: str) -> Any:
    return compile_for(STRATEGY_SIGNATURE, _run(path, _read(path)).__dict__["decide"])

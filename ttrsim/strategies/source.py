"""Read a strategy's file: its text, its name and parameters, and the functions it defines.

Nothing in the file runs here, so strategies are listed and shown without compiling anything.
"""

import ast
import hashlib
import inspect
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ttrsim.core import constants as c
from ttrsim.errors import UserError, did_you_mean, first_of
from ttrsim.files import Unreadable, decoded, read_file
from ttrsim.strategies.content import content_sha256

ARGUMENTS = ("board", "table", "hand", "mind")
ROOM = "room"
"""An extra argument that a function answering a decision may take."""
DECISIONS = {
    c.OPENING: "keep_opening",
    c.START: "choose_start",
    c.STACK: "place_stack",
    c.TURN: "take_turn",
    c.SECOND: "second_card",
    c.TUNNEL: "pay_tunnel",
    c.ALVIN: "move_alvin",
    c.MARKER: "place_marker",
    c.TOKEN: "choose_token",
    c.KEEPING: "keep_drawn",
}
"""The function that answers each decision; `ttrsim.kit.defaults` has one of each name."""
MOST_BYTES = 128 * 1024
"""The largest a file may be; those that come with ttrsim have up to 12,000 bytes."""
SWITCHES = {
    "never_draws_tickets": (c.NEVER_DRAWS_TICKETS, 1, "draws no tickets after the opening"),
    "opening_tickets": (
        c.OPENING_TICKETS,
        c.OFFER,
        "keeps this many tickets at the opening, or as near as the rules allow",
    ),
    "never_takes_wilds": (c.NEVER_TAKES_WILDS, 1, "takes no face-up wild while it can draw another card"),
    "draws_blind": (c.DRAWS_BLIND, 1, "takes no face-up card while it can draw from the deck"),
    "claims_at_once": (c.CLAIMS_AT_ONCE, 1, "claims what it can pay instead of gathering cards first"),
    "ignores_rivals": (c.IGNORES_RIVALS, 1, "claims nothing early, or at all, because rivals seem to want it"),
    "ignores_trail": (c.IGNORES_TRAIL, 1, "sees no worth in a route that makes its longest path longer"),
    "never_builds_stations": (c.NEVER_BUILDS_STATIONS, 1, "builds no stations"),
}
"""Switches that a file may list in SWITCHES: the place in `mind.params`, the highest value, and what it then does.

The helpers of the kit go by them.
"""
DECIDE = "decide"
"""The function that answers every decision without a function of its own."""


class StrategyError(UserError):
    """A strategy cannot be read or compiled, or did something that it must not do."""


@dataclass(frozen=True)
class Param:
    """A number that tunes a strategy."""

    name: str
    default: float
    low: float  # the lowest value that makes sense
    high: float  # the highest
    whole: bool = False  # declared to be a whole number
    switch: bool = False  # changes a habit of the strategy, and is no matter of tuning


def param_places(params: Sequence[Param]) -> list[int]:
    """Return the place of each parameter of a strategy in `mind.params`."""
    return [SWITCHES[param.name][0] if param.switch else place for place, param in enumerate(params)]


@dataclass(frozen=True)
class Source:
    """The text of a strategy's file, and what can be read from it."""

    path: Path
    text: str
    tree: ast.Module
    name: str  # NAME, or the file's if it gives none
    params: tuple[Param, ...]

    @property
    def doc(self) -> str:
        """A description of the strategy, in plain words."""
        return inspect.cleandoc(ast.get_docstring(self.tree) or "")

    @property
    def sentence(self) -> str:
        """The first sentence of the description, "" if there is none."""
        return re.split(r"(?<=[.!?]) ", " ".join(self.doc.split("\n\n")[0].split()))[0]

    @property
    def sha256(self) -> str:
        """The hash of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @cached_property
    def content_sha256(self) -> str:
        """The hash of what the code does, whatever its comments and docstrings say."""
        return content_sha256(self.tree)

    @cached_property
    def functions(self) -> dict[str, ast.FunctionDef]:
        """The functions that the file defines, by name."""
        return {node.name: node for node in self.tree.body if isinstance(node, ast.FunctionDef)}

    @property
    def decisions(self) -> list[str]:
        """The names of the functions that answer decisions."""
        return [name for name in (*DECISIONS.values(), DECIDE) if name in self.functions]

    def answers(self, phase: int) -> str:
        """Return the name of the function that answers a decision: the file's own, or that of the defaults."""
        own = DECISIONS[phase]
        return DECIDE if own not in self.functions and DECIDE in self.functions else own


def at(path: Path, line: int, problem: str) -> str:
    """Return a problem with its place in front."""
    return f"{path}, line {line}: {problem}"


def parameter_read(node: ast.AST) -> str | None:
    """Return the name of the parameter that a node reads, as in `mind.params["risk"]`; None if it reads none."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return None
    of_params = isinstance(node.value, ast.Attribute) and node.value.attr == "params"
    return node.slice.value if of_params and isinstance(node.slice.value, str) else None


def root(node: ast.expr) -> str | None:
    """Return the name that an expression such as `table.trains[0]` begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def too_deep(path: Path) -> StrategyError:
    """Return the error for a file whose expressions are nested too deeply to be read."""
    return StrategyError([f"{path}: an expression is nested too deeply; split it into several"])


def read_text(path: Path) -> str:
    """Return the text of a strategy's file."""
    try:
        text = decoded(read_file(path, MOST_BYTES))
    except Unreadable as e:
        raise StrategyError([f"{path}: {e}"]) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")  # line endings do not make it another strategy


def read_source(path: Path, text: str) -> Source:
    """Parse the text of a strategy's file. Whether it makes sense, `ttrsim.strategies.mistakes` finds out."""
    try:
        tree = ast.parse(text, str(path))
    except (SyntaxError, ValueError) as e:  # ValueError: a null character
        line = getattr(e, "lineno", None) or 1
        written = (getattr(e, "text", None) or "").strip()
        shown = f": {_cut(written)}" if written else ""
        raise StrategyError([at(path, line, f"not Python: {getattr(e, 'msg', e)}{shown}")]) from None
    except (RecursionError, MemoryError):
        raise too_deep(path) from None
    params = _params(path, tree)
    return Source(path, text, tree, _name(path, tree), (*params, *_switches(path, tree, params)))


def _assigned(tree: ast.Module, name: str) -> ast.expr | None:
    """Return the value that the file assigns to a name at its top level, if any."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            value: ast.expr | None = getattr(node, "value", None)
            return value
    return None


def _name(path: Path, tree: ast.Module) -> str:
    value = _assigned(tree, "NAME")
    if value is None:  # a file's name may have line breaks or undecodable bytes, a table or picture may not
        return "".join(letter if letter.isprintable() else "_" for letter in path.stem)
    if isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value.isidentifier():
        return value.value
    hint = 'write one word of letters, digits and _, such as NAME = "my_bot"'
    raise StrategyError([at(path, value.lineno, f"NAME = {_written(value)}: {hint}")])


def _params(path: Path, tree: ast.Module) -> tuple[Param, ...]:
    value = _assigned(tree, "PARAMS")
    if value is None:
        return ()
    if not isinstance(value, ast.Dict):
        raise StrategyError([at(path, value.lineno, f"PARAMS = {_written(value)}: {PARAMS_HINT}")])
    params: list[Param] = []
    problems = []
    for key, numbers in zip(value.keys, value.values, strict=True):
        try:
            param = _param(key, numbers)
            if param.name in [p.name for p in params]:
                raise ValueError("that name is used twice")
            params.append(param)
        except ValueError as e:
            written = _written(ast.Dict([key], [numbers]))
            problems.append(at(path, numbers.lineno, f"PARAMS has {written}: {e}; {PARAMS_HINT}"))
    if len(params) > c.OWN_PARAMS:
        problems.append(at(path, value.lineno, f"{len(params)} parameters; there is room for {c.OWN_PARAMS}"))
    if problems:
        raise StrategyError(first_of(problems))
    return tuple(params)


def _switches(path: Path, tree: ast.Module, params: Sequence[Param]) -> tuple[Param, ...]:
    value = _assigned(tree, "SWITCHES")
    if value is None:
        return ()
    elements = value.elts if isinstance(value, ast.Tuple | ast.List) else [value]
    taken, problems = [param.name for param in params], []
    for element in elements:
        name = str(element.value if isinstance(element, ast.Constant) else None)
        if name not in SWITCHES:
            hint = did_you_mean(name, SWITCHES, f"switches are {', '.join(SWITCHES)}")
            problems.append(at(path, element.lineno, f"SWITCHES has {_written(element)}, which is no switch{hint}"))
        elif name in taken:
            problems.append(at(path, element.lineno, f"SWITCHES has {name}: that name is used twice"))
        taken.append(name)
    if problems:
        raise StrategyError(first_of(problems))
    names = taken[len(params) :]
    return tuple(Param(name, 0.0, 0.0, float(SWITCHES[name][1]), whole=True, switch=True) for name in names)


PARAMS_HINT = 'write PARAMS = {"risk": (default, lowest, highest)}'
INTEGER = "int"
"""Written after the three numbers of a parameter that is a whole number."""


def _param(key: ast.expr | None, numbers: ast.expr) -> Param:
    """Return a parameter as PARAMS declares it. Raises ValueError, which says what is wrong with it."""
    name = key.value if isinstance(key, ast.Constant) else None
    if not isinstance(name, str) or not name.isidentifier():
        raise ValueError("a name is one word of letters, digits and _, in quotes")
    elements = numbers.elts if isinstance(numbers, ast.Tuple | ast.List) else [numbers]
    whole = len(elements) == 4 and isinstance(elements[3], ast.Name) and elements[3].id == INTEGER
    elements = elements[:3] if whole else elements
    if len(elements) != 3:
        raise ValueError(f"it needs three numbers and has {len(elements)}")
    default, low, high = map(_number, elements)
    if low > high:
        raise ValueError(f"the lowest, {low:g}, is above the highest, {high:g}")
    if not low <= default <= high:
        raise ValueError(f"the default, {default:g}, is not from {low:g} to {high:g}")
    fractions = [value for value in (default, low, high) if whole and not value.is_integer()]
    if fractions:
        raise ValueError(f"{fractions[0]:g} is not a whole number, as `int` after it says")
    return Param(name, default, low, high, whole)


def _number(node: ast.expr) -> float:
    try:
        value = ast.literal_eval(node)
        if isinstance(value, int | float) and math.isfinite(value):
            return float(value)
    except (ValueError, TypeError, OverflowError):
        pass
    raise ValueError(f"{_written(node)} is not a plain number such as 12 or 0.5")


def _written(node: ast.AST) -> str:
    """Return an expression as text short enough for a sentence."""
    return _cut(ast.unparse(node))


def _cut(text: str) -> str:
    return text if len(text) < 80 else text[:77] + "…"

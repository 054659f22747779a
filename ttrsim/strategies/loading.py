"""Load strategies by name or file, with values for their parameters, and line-ups: `planner(risk=0.3),my_bot.py`."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ttrsim.errors import UsageError, did_you_mean, first_of
from ttrsim.files import data_folder
from ttrsim.progress import Listener
from ttrsim.strategies.allowed import old_imports
from ttrsim.strategies.mistakes import mistakes
from ttrsim.strategies.source import Param, Source, StrategyError, read_source, read_text, too_deep

if TYPE_CHECKING:
    from ttrsim.boards import Board

TUNED = "(tuned)"
"""Stands in names in tables in place of many values."""
MOST_NAMED = 4
"""The most values that a name in tables lists."""


@dataclass(frozen=True)
class Strategy:
    """A strategy with values for its parameters.

    >>> load_strategy("random").name
    'random'
    """

    name: str  # in tables: as its file says, but `planner.py` if `planner` is one that comes with ttrsim
    path: Path
    doc: str  # a description in plain words
    sha256: str  # of its text
    content_sha256: str  # of what the code does: the same if only comments differ
    params: tuple[Param, ...]
    values: tuple[float, ...]  # one per parameter
    text: str = field(repr=False)  # of its file when it was loaded; this is what plays
    guarded: bool = True  # restricted by `ttrsim.core.guard`; those that come with ttrsim are trusted
    profile_note: str = field(default="", compare=False, repr=False)  # for the user, about the profile

    @cached_property
    def compiled(self) -> Callable[..., int]:
        """The compiled function that answers every decision: (board, table, hand, mind, room) -> action."""
        from ttrsim.core.jit import COMPILED
        from ttrsim.strategies.building import build

        if COMPILED:
            _check_name(self.path)
        return build(self.path, self.text, self.guarded)

    @property
    def code_key(self) -> str:
        """A key that changes with anything the compiled code depends on."""
        from ttrsim.strategies.building import code_key

        return code_key(self.path, self.text, self.guarded)

    @property
    def notes(self) -> list[str]:
        """Parts of its file that work but should be written differently, each with its line."""
        return old_imports(read_source(self.path, self.text))

    @property
    def spec(self) -> str:
        """The strategy as a user writes it: `planner(risk=0.3)`, `bots/my_bot.py(greed=20)`."""
        return (self.path.stem if is_shipped(self.path) else str(self.path)) + self._changes

    @property
    def title(self) -> str:
        """The name in a run's tables: `planner(risk=0.3)`, `my_bot(greed=20)`, or `planner(tuned)` for many values."""
        return self.name + (TUNED if len(self._changed) > MOST_NAMED else self._changes)

    @property
    def _changes(self) -> str:
        return f"({', '.join(self._changed)})" if self._changed else ""

    @property
    def _changed(self) -> list[str]:
        pairs = zip(self.params, self.values, strict=True)
        return [f"{p.name}={number_words(value)}" for p, value in pairs if value != p.default]


def number_words(value: float) -> str:
    """Return a parameter's value as a user writes it.

    >>> number_words(5.0), number_words(0.25)
    ('5', '0.25')
    """
    return repr(value).removesuffix(".0")


def is_shipped(path: Path) -> bool:
    """Return whether a strategy's file is one that comes with ttrsim."""
    return path.parent == data_folder() / "strategies"


def strategy_names() -> list[str]:
    """Return the names of the strategies that come with ttrsim."""
    return sorted(path.stem for path in (data_folder() / "strategies").glob("*.py"))


def load_source(name: str) -> Source:
    """Read a strategy's file, given by name or path, and check its text for mistakes."""
    path = _locate(name)
    try:
        return _checked(path, read_text(path))
    except RecursionError:
        raise too_deep(path) from None


@lru_cache(maxsize=32)
def _checked(path: Path, text: str) -> Source:
    """Return the checked source; cached because a command asks for the same strategy several times."""
    source = read_source(path, text)
    if problems := mistakes(source):
        raise StrategyError(first_of(problems))
    return source


def new_text(name: str) -> str:
    """Return the text of a small working strategy to start from."""
    template = Path(__file__).with_name("new_strategy.txt").read_text("utf-8")
    return template.replace("{name}", name)


def load_strategy(
    name: str,
    values: Mapping[str, float] | None = None,
    *,
    board: "Board | str | None" = None,
    seats: int | None = None,
) -> Strategy:
    """Return a strategy by name (`"random"`) or file (`"my_bot.py"`), with values for some of its parameters.

    board, seats: the table, which decides the values of `"planner@best"`.
    """
    name, profile = split_profile(name)
    source = load_source(name)
    given, origin, note = values or {}, source.path.stem, ""
    if profile is not None:
        if given:
            known = ", ".join(f"{key}={number_words(float(value))}" for key, value in given.items())
            raise UsageError([f"{name}: has values, {known}, and a profile, @{profile}; leave out one of them"])
        from ttrsim.strategies.profiles import played_at  # seldom needed

        given, origin, note = played_at(source, profile, board, seats)
    check_values(origin, source.params, given)
    chosen = tuple(float(given.get(p.name, p.default)) for p in source.params)
    taken = source.name in strategy_names() and not is_shipped(source.path)
    name = source.path.name if taken else source.name
    guarded = not is_shipped(source.path)
    hashes = source.sha256, source.content_sha256
    return Strategy(name, source.path, source.doc, *hashes, source.params, chosen, source.text, guarded, note)


PROFILE = re.compile(r"(?P<name>.+?)\s*@(?P<profile>[^@./\\]*)", re.DOTALL)


def split_profile(name: str) -> tuple[str, str | None]:
    """Return a strategy's name without its profile, and the profile.

    >>> split_profile("planner@best"), split_profile("bots@home/my_bot.py")
    (('planner', 'best'), ('bots@home/my_bot.py', None))
    """
    found = PROFILE.fullmatch(name)
    return (found["name"], found["profile"]) if found else (name, None)


def _locate(name: str) -> Path:
    """Return the file of a strategy given by name or path."""
    if name.endswith(".py"):
        return Path(name)
    known = strategy_names()
    if name not in known:
        if Path(f"{name}.py").is_file():
            raise UsageError([f"no strategy {name!r}; did you mean {name}.py? (a file's name ends in .py)"])
        hint = did_you_mean(name, known, f"strategies are {', '.join(known)}")
        raise UsageError([f"no strategy {name!r}{hint} (a file's name ends in .py)"])
    return data_folder() / "strategies" / f"{name}.py"


def _check_name(path: Path) -> None:
    """Refuse a file that numba cannot compile because of its name."""
    try:
        str(path.resolve()).encode()
    except UnicodeEncodeError:
        problem = "its path is not UTF-8, so it cannot be compiled; rename the file or its folder"
        raise StrategyError([f"{path}: {problem}"]) from None


def check_values(strategy: str, params: tuple[Param, ...], given: Mapping[str, float]) -> None:
    """Refuse values of parameters that a strategy has not, or that are out of bounds."""
    known = {p.name: p for p in params}
    has = f"parameters are {', '.join(known)}" if known else "it has none"
    for name, value in given.items():
        if name not in known:
            raise UsageError([f"{strategy}: no parameter {name!r}{did_you_mean(name, known, has)}"])
        low, high = known[name].low, known[name].high
        if not low <= value <= high:
            raise UsageError([f"{strategy}: {name} = {value:g}: must be from {low:g} to {high:g}"])
        if known[name].whole and not float(value).is_integer():
            raise UsageError([f"{strategy}: {name} = {value:g}: must be a whole number"])


SPEC = re.compile(r"\s*(?P<name>[^(),]+?)\s*(\((?P<values>[^()]*)\)\s*(?P<profile>@\w*)?)?\s*")


def load_line_up(
    line_up: str | Iterable[str | Strategy], board: "Board | None" = None, seats: int | None = None
) -> list[Strategy]:
    """Load the strategies of a line-up, by seat: from one text, or from names and strategies.

    board, seats: the table, which decides the values of `planner@best`; by default all of the line-up sit there.
    """
    specs = split_line_up(line_up) if isinstance(line_up, str) else list(line_up)
    return [spec if isinstance(spec, Strategy) else _load(spec, board, seats or len(specs)) for spec in specs]


def split_line_up(line_up: str) -> list[str]:
    """Return the strategies of a line-up as they are written.

    >>> split_line_up("planner(risk=3, full=1), random")
    ['planner(risk=3, full=1)', 'random']
    """
    return [spec.strip() for spec in re.split(r",(?![^(]*\))", line_up)]


def numbered(listed: Sequence[Strategy]) -> tuple[list[Strategy], tuple[int, ...]]:
    """Return the distinct strategies of a line-up, and for each listed one its number among them."""
    noted = {strategy.spec: strategy for strategy in listed if strategy.profile_note}
    different = list(({strategy.spec: strategy for strategy in listed} | noted).values())
    specs = [strategy.spec for strategy in different]
    return different, tuple(specs.index(strategy.spec) for strategy in listed)


def names_in_tables(strategies: Iterable[Strategy]) -> list[str]:
    """Return the names of distinct strategies; the second `bot` becomes `bot #2`."""
    names: list[str] = []
    for strategy in strategies:
        name = strategy.title
        same = sum(other == name or other.startswith(f"{name} #") for other in names)
        names.append(f"{name} #{same + 1}" if same else name)
    return names


def tidy_spec(spec: str) -> str:
    """Return a strategy as a run's tables name it: without needless spaces and with the shortest numbers.

    >>> tidy_spec("planner( risk = 5.0,thrift=.5)")
    'planner(risk=5, thrift=0.5)'
    """
    match = SPEC.fullmatch(spec)
    if not match or not match["values"]:
        return spec.strip()
    try:
        pairs = [(name.strip(), float(number)) for name, number in (p.split("=") for p in match["values"].split(","))]
    except ValueError:
        return spec.strip()
    return f"{match['name']}({', '.join(f'{name}={number_words(number)}' for name, number in pairs)})"


def tell_profiles(strategies: Iterable[Strategy], listener: Listener) -> None:
    """Report which profiles strategies play with, if they were asked for."""
    for note in dict.fromkeys(strategy.profile_note for strategy in strategies if strategy.profile_note):
        listener.message(note)


def _load(spec: str, board: "Board | None", seats: int) -> Strategy:
    match = SPEC.fullmatch(spec)
    if not match:
        forms = "name, name(parameter=number, ...) or name@best"
        raise UsageError([f"players: {spec.strip()!r}: write a strategy as {forms}"])
    values = {}
    for pair in filter(None, (p.strip() for p in (match["values"] or "").split(","))):
        name, _, number = pair.partition("=")
        if name.strip() in values:
            raise UsageError([f"players: {spec.strip()!r}: {name.strip()!r} is given twice"])
        try:
            values[name.strip()] = float(number)
        except ValueError:
            raise UsageError([f"players: {spec.strip()!r}: {pair!r} is not parameter=number"]) from None
    return load_strategy(match["name"] + (match["profile"] or ""), values, board=board, seats=seats)

"""Line-ups as a user writes them: `planner,planner(risk=0.3),my_bot.py`."""

import re
from collections.abc import Iterable, Sequence

from ttrsim.errors import UsageError
from ttrsim.strategies.loading import Strategy, load_strategy, number_words

SPEC = re.compile(r"\s*(?P<name>[^(),]+?)\s*(\((?P<values>[^()]*)\))?\s*")


def load_line_up(line_up: str | Iterable[str | Strategy]) -> list[Strategy]:
    """The strategies of a line-up, by seat: from one text, or from names and strategies."""
    specs = re.split(r",(?![^(]*\))", line_up) if isinstance(line_up, str) else line_up
    return [spec if isinstance(spec, Strategy) else _load(spec) for spec in specs]


def numbered(listed: Sequence[Strategy]) -> tuple[list[Strategy], tuple[int, ...]]:
    """Return the different strategies of a line-up, and the number of each listed one among them."""
    different = list({strategy.spec: strategy for strategy in listed}.values())
    specs = [strategy.spec for strategy in different]
    return different, tuple(specs.index(strategy.spec) for strategy in listed)


def names_in_tables(strategies: Iterable[Strategy]) -> list[str]:
    """Return the names of different strategies, of which the second `bot` is `bot #2`."""
    names: list[str] = []
    for strategy in strategies:
        name = strategy.title
        same = sum(other == name or other.startswith(f"{name} #") for other in names)
        names.append(f"{name} #{same + 1}" if same else name)
    return names


def tidy(spec: str) -> str:
    """A strategy as a run's tables call it: without needless spaces, and with numbers at their shortest.

    >>> tidy("planner( risk = 5.0,thrift=.5)")
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


def _load(spec: str) -> Strategy:
    match = SPEC.fullmatch(spec)
    if not match:
        raise UsageError([f"players: {spec.strip()!r}: write a strategy as name or name(parameter=number, ...)"])
    values = {}
    for pair in filter(None, (p.strip() for p in (match["values"] or "").split(","))):
        name, _, number = pair.partition("=")
        if name.strip() in values:
            raise UsageError([f"players: {spec.strip()!r}: {name.strip()!r} is given twice"])
        try:
            values[name.strip()] = float(number)
        except ValueError:
            raise UsageError([f"players: {spec.strip()!r}: {pair!r} is not parameter=number"]) from None
    return load_strategy(match["name"], values)

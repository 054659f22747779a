"""Search for the parameters with which a strategy wins most, by CMA-ES.

Each generation tries candidates drawn around a mean, and moves the mean, and the spread around it, towards those that
won most. Every candidate's win share is noisy, so the result is made of means, never the candidate that was luckiest.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ttrsim.batches import Array
from ttrsim.errors import UsageError, did_you_mean
from ttrsim.strategies import Param, Strategy
from ttrsim.strategies.loading import check_values
from ttrsim.tuning.match import Values

CANDIDATES = 16
"""Candidates of a generation."""
SPREAD, LEAST_SPREAD, MOST_SPREAD = 0.3, 0.06, 0.25
"""Standard deviation of the first candidates: a share of how far the start is above the lowest value, but at least and
at most these shares of the whole range. So one of 12 that may be up to 100 is first looked for near 12."""
WHOLE_SPREAD = 0.4
"""The least standard deviation of a whole number, so that its neighbours are tried to the end."""
SAME = 1e-9
"""Values closer than this share of their range are the same."""
DIGITS = 3
"""Values are rounded to about this many digits of their range."""


@dataclass(frozen=True)
class Space:
    """The parameters of a strategy that are tuned, and their bounds."""

    strategy: Strategy
    names: tuple[str, ...]

    @property
    def start(self) -> Values:
        """All values of the strategy as it starts."""
        return self.strategy.values

    @cached_property
    def places(self) -> list[int]:
        """The tuned parameters by their numbers."""
        names = [param.name for param in self.strategy.params]
        return [names.index(name) for name in self.names]

    @property
    def params(self) -> list[Param]:
        """The tuned parameters."""
        return [self.strategy.params[place] for place in self.places]

    @cached_property
    def spread(self) -> Array:
        """The standard deviations of the first candidates."""
        return np.array([_spread(p, self.start[at]) for p, at in zip(self.params, self.places, strict=True)])

    @property
    def bounds(self) -> tuple[Array, Array]:
        """The lowest and the highest coordinates; the start is at 0, and 1 is one standard deviation of the first."""
        start = np.array([self.start[place] for place in self.places])
        ends = ([p.low for p in self.params], [p.high for p in self.params])
        low, high = ((np.array(end) - start) / self.spread for end in ends)
        return low, high

    def values(self, coordinates: Array) -> Values:
        """Return all values at some coordinates, within bounds and rounded."""
        values = np.array(self.start)
        values[self.places] += coordinates * self.spread
        return self.rounded(values)

    def rounded(self, values: Array) -> Values:
        """Return all values, the tuned ones within bounds and rounded unless they are those of the start."""
        found = list(self.start)
        for param, place in zip(self.params, self.places, strict=True):
            if abs(values[place] - self.start[place]) > SAME * (param.high - param.low):
                found[place] = min(max(round(float(values[place]), _digits(param)), param.low), param.high)
        return tuple(found)

    def with_values(self, chosen: Sequence[float]) -> Values:
        """Return all values with these for the tuned parameters. Raises UsageError where one is out of bounds."""
        check_values(self.strategy.name, self.strategy.params, dict(zip(self.names, chosen, strict=True)))
        values = list(self.start)
        for place, value in zip(self.places, chosen, strict=True):
            values[place] = float(value)
        return tuple(values)

    def put_back(self, values: Values) -> list[tuple[str, Values]]:
        """Return the values with each changed parameter put back to its start, by the parameter's name."""
        changed = [place for place in self.places if values[place] != self.start[place]]
        return [(self.strategy.params[at].name, (*values[:at], self.start[at], *values[at + 1 :])) for at in changed]


def make_space(strategy: Strategy, names: Sequence[str] | None, given_as: str | None = "params") -> Space:
    """Return the space of these parameters, by default of all whose bounds differ and that are no switches.

    given_as: the argument in which the caller's user named them; None if the name alone says what was typed.
    """
    free = [param.name for param in strategy.params if param.low < param.high]
    tuned = [param.name for param in strategy.params if param.name in free and not param.switch]
    if not (free if names else tuned):
        raise UsageError([f"{strategy.spec}: has no parameters to tune; PARAMS in its file would declare them"])
    given = f"`{given_as}` " if given_as else ""
    for name in names or ():
        if name not in free:
            hint = did_you_mean(name, free, f"parameters are {', '.join(free)}")
            raise UsageError([f"{given}{name}: {strategy.name} has no parameter of that name to tune{hint}"])
    return Space(strategy, tuple(name for name in free if name in (names or tuned)))


def _spread(param: Param, start: float) -> float:
    width = param.high - param.low
    spread = min(max(SPREAD * (start - param.low), LEAST_SPREAD * width), MOST_SPREAD * width)
    return max(spread, WHOLE_SPREAD) if param.whole else spread


def _digits(param: Param) -> int:
    """Return the digits after the point that a parameter's values have."""
    return 0 if param.whole else max(0, DIGITS - 1 - math.floor(math.log10(param.high - param.low)))


class Search:
    """The search: `ask` for candidates, `tell` how often each won. The same answers give the same search."""

    def __init__(self, space: Space, seed: int) -> None:
        from cma import CMAEvolutionStrategy  # it takes two seconds

        self.space = space
        dice = np.random.RandomState(seed % 2**32)
        low, high = space.bounds
        idle = [-1.0] * (len(low) == 1), [1.0] * (len(low) == 1)  # cma needs two dimensions
        least = [WHOLE_SPREAD / s if p.whole else 0.0 for p, s in zip(space.params, space.spread, strict=True)]
        options: dict[str, Any] = {
            "popsize": CANDIDATES,
            "bounds": [[*low, *idle[0]], [*high, *idle[1]]],
            "minstd": [*least, *(0.0 for _ in idle[0])],
            "randn": lambda *shape: dice.standard_normal(shape),
            "seed": math.nan,  # leave the generator that all share alone
            "verbose": -9,
        }
        self._cma = CMAEvolutionStrategy([0.0] * len(options["minstd"]), 1.0, options)
        self._asked: list[Array] = []

    def ask(self) -> list[Values]:
        """Return the candidates of the next generation."""
        self._asked = self._cma.ask()
        return [self._values(point) for point in self._asked]

    def tell(self, shares: Sequence[float]) -> None:
        """Take the win share of each candidate."""
        self._cma.tell(self._asked, [-share for share in shares])

    @property
    def mean(self) -> Values:
        """The middle of the candidates to come."""
        return self._values(self._cma.result.xfavorite)

    def _values(self, point: Array) -> Values:
        return self.space.values(np.asarray(point)[: len(self.space.names)])

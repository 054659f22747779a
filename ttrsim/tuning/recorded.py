"""Read a tuning whose strategies have changed since, or are gone: what it recorded needs neither."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ttrsim.errors import UserError
from ttrsim.strategies import Param, Strategy
from ttrsim.tuning.inputs import one_strategy
from ttrsim.tuning.match import Values
from ttrsim.tuning.search import Space


def named_strategy(spec: str) -> Strategy:
    """Return a strategy as it is now; without its values if it has them no more, and as a name if it is gone."""
    name = spec.partition("(")[0]
    for each in (spec, name):
        try:
            return one_strategy(each)
        except UserError:
            continue
    return Strategy(Path(name).stem, Path(name), "", "", "", (), (), "")


def recorded_space(strategy: Strategy, names: Sequence[str], start: Values, arms: Sequence[Values]) -> Space:
    """Return the space that was searched, with the strategy as it started.

    names: of the tuned parameters, in their order; arms: all values of each variant that the search tried. Where the
    strategy has other parameters now, the tuned ones are those that the search changed. Raises UserError where that
    does not tell which they are.
    """
    now = {param.name: (place, param) for place, param in enumerate(strategy.params)}
    if len(strategy.params) == len(start) and all(name in now for name in names):
        return Space(replace(strategy, values=start), tuple(names))
    tried = np.array([start, *arms])
    changed = [int(place) for place in np.flatnonzero((tried != tried[0]).any(axis=0))]
    if len(changed) != len(names):
        raise UserError([f"{strategy.spec}: had other parameters then, and its tuning does not tell which were tuned"])
    params = [Param(f"parameter {place + 1}", value, value, value) for place, value in enumerate(start)]
    for name, place in zip(names, changed, strict=True):
        ends = tried[:, place].min(), tried[:, place].max()
        if name in now:
            known = now[name][1]
            ends = min(ends[0], known.low), max(ends[1], known.high)
        params[place] = Param(name, start[place], float(ends[0]), float(ends[1]))
    return Space(replace(strategy, params=tuple(params), values=start), tuple(names))

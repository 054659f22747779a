"""What the games of a run say: tidy frames with errors, from its aggregates.

>>> from ttrsim import stats
>>> from ttrsim.runs import Run
>>> stats.tickets(Run.open("runs/first"))[["strategy", "ticket", "score_effect", "win_effect"]]

There is a function for each table of `ttrsim.statistics`. `docs/statistics.md` says what each column is; so does
`frame.attrs["meanings"]`.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ttrsim.statistics import STATISTICS, TABLES
from ttrsim.stats.frames import Table
from ttrsim.stats.routes_cities import cities, routes
from ttrsim.stats.sanity import sanity
from ttrsim.stats.scores import games, scores
from ttrsim.stats.seats import seats
from ttrsim.stats.strategies import payoffs, strategies, versus
from ttrsim.stats.strength import strength
from ttrsim.stats.tickets import pairs, tickets

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd


def _loaded(name: str) -> "tuple[Table, Callable[..., pd.DataFrame]]":
    module = import_module(f"ttrsim.stats.{TABLES[name].module}")
    return getattr(module, name.upper()), getattr(module, name)


DEFINITIONS = {name: _loaded(name)[0] for name in TABLES}
"""The definition of each table."""
FRAMES = {name: _loaded(name) for name in STATISTICS}
"""Every kind of frame by name: its definition, and what makes it of a run."""

__all__ = [
    "DEFINITIONS",
    "FRAMES",
    "cities",
    "games",
    "pairs",
    "payoffs",
    "routes",
    "sanity",
    "scores",
    "seats",
    "strategies",
    "strength",
    "tickets",
    "versus",
]

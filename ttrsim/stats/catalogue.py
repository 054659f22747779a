"""The catalogue of statistics: the tables of `ttrsim stats`, with a line of help for each.

Help, commands, `run.stats` and the package read it. Nothing heavy is imported here, so that `ttrsim stats --help` is
quick.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.stats.frames import Table


@dataclass(frozen=True)
class Statistic:
    """A table of statistics."""

    help: str
    module: str  # of `ttrsim.stats`, with its function and, in capitals, its definition
    by: tuple[str, ...] = ()  # how rows can be split, the usual way first
    printed: int | None = None  # the most rows that are printed; --json and --csv have all
    of_ticket: bool = False  # it is of one ticket, and comes from games


TABLES = {
    "sanity": Statistic(
        "whether the run can be believed, and how often rare cases of the rules occurred", "sanity_checks"
    ),
    "strategies": Statistic(
        "wins, scores and what they are made of, tickets, trails, turns", "standings", by=("strategy", "seat")
    ),
    "versus": Statistic(
        "every strategy against every other: who finishes ahead, who wins more, how sure that is", "standings"
    ),
    "strength": Statistic("one scale from the orders of finishing, and the ranks each can have", "rating"),
    "seats": Statistic("wins by seat: balanced or not", "standings"),
    "tickets": Statistic(
        "what it is worth to be offered each ticket, and what becomes of it",
        "ticket_values",
        by=("strategy", "seat", "all"),
    ),
    "pairs": Statistic("pairs of tickets that are worth more, or less, together", "ticket_values", printed=40),
    "routes": Statistic("how often and when each is claimed", "routes_cities", by=("all", "strategy")),
    "cities": Statistic("how many players come there, and when", "routes_cities", by=("all", "strategy")),
    "scores": Statistic("how final scores are distributed", "distributions"),
    "games": Statistic("how long they are, how close, how they end", "distributions"),
    "paths": Statistic(
        "by which cities a ticket (--ticket) is completed, in some games of the run",
        "paths",
        printed=40,
        of_ticket=True,
    ),
}
"""All tables, in the order in which help lists them."""
STATISTICS = {name: statistic for name, statistic in TABLES.items() if not statistic.of_ticket}
"""The tables that the aggregates of a run give."""
OVERVIEW = ("sanity", "strategies", "seats")
"""The tables that are printed if none is named."""


def definition(name: str) -> "Table":
    """Return the definition of a table: its columns."""
    table: Table = resolve_name(f"ttrsim.stats.{TABLES[name].module}:{name.upper()}")
    return table


def function(name: str) -> "Callable[..., pd.DataFrame]":
    """Return the function that makes a table from a run."""
    make: Callable[..., Any] = resolve_name(f"ttrsim.stats.{TABLES[name].module}:{name}")
    return make

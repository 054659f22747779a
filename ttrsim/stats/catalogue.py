"""The catalogue of statistics: the tables of `ttrsim stats`, each with a line of help.

Help, commands, `run.stats` and the package read it. Nothing heavy is imported here, so that `ttrsim stats --help` is
quick.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.stats.frames import Definition


@dataclass(frozen=True)
class Statistic:
    """A table of statistics."""

    help: str
    module: str  # of `ttrsim.stats`, with its function and, in capitals, its definition
    by: tuple[str, ...] = ()  # how rows can be split, the default first
    printed: int | None = None  # the most rows that are printed; --json and --csv have all
    of_ticket: bool = False  # it is about one ticket, and comes from games


TABLES = {
    "sanity": Statistic(
        "whether the run can be trusted, and how often rare cases of the rules occurred", "sanity_checks"
    ),
    "strategies": Statistic(
        "wins, scores and their parts, tickets, longest paths, turns", "standings", by=("strategy", "seat")
    ),
    "versus": Statistic(
        "every strategy against every other: who finishes ahead, who wins more, and how sure this is", "standings"
    ),
    "strength": Statistic("strength on one scale, from finishing orders, and the ranks each can have", "rating"),
    "seats": Statistic("wins by seat: balanced or not", "standings"),
    "tickets": Statistic(
        "what being offered each ticket is worth, and how often it is kept and completed",
        "ticket_values",
        by=("strategy", "seat", "all"),
    ),
    "pairs": Statistic("pairs of tickets that are worth more, or less, together", "ticket_values", printed=40),
    "routes": Statistic("how often and when each is claimed", "routes_cities", by=("all", "strategy")),
    "cities": Statistic("how many players reach each, and when", "routes_cities", by=("all", "strategy")),
    "luck": Statistic("how much of scores and wins is strategy, seat, deal and the rest", "variance"),
    "scores": Statistic("how final scores are distributed", "distributions"),
    "games": Statistic("how long and how close they are, and how they end", "distributions"),
    "paths": Statistic(
        "the cities through which a ticket (--ticket) is completed, in some games of the run",
        "paths",
        printed=40,
        of_ticket=True,
    ),
}
"""All tables, in the order in which help lists them."""
STATISTICS = {name: statistic for name, statistic in TABLES.items() if not statistic.of_ticket}
"""The tables that come from the aggregates of a run."""
OVERVIEW = ("sanity", "strategies", "seats")
"""The tables printed if none is named."""


def definition(name: str) -> "Definition":
    """Return the definition of a table: its columns."""
    table: Definition = resolve_name(f"ttrsim.stats.{TABLES[name].module}:{name.upper()}")
    return table


def function(name: str) -> "Callable[..., pd.DataFrame]":
    """Return the function that makes a table from a run."""
    make: Callable[..., Any] = resolve_name(f"ttrsim.stats.{TABLES[name].module}:{name}")
    return make

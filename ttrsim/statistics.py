"""The catalogue of statistics: the tables of `ttrsim stats`, with a line of help for each.

Help, commands, `run.stats` and `ttrsim.stats` read it. Nothing heavy is imported here, so that `ttrsim stats --help` is
quick.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Statistic:
    """A table of statistics."""

    help: str
    module: str
    """The module of `ttrsim.stats` with its function, of the table's name, and its definition, the same in capitals."""
    by: tuple[str, ...] = ()  # how rows can be split, the usual way first
    printed: int | None = None  # the most rows that are printed; --json and --csv have all
    of_ticket: bool = False  # it is of one ticket, and comes from games


TABLES = {
    "sanity": Statistic("whether the run can be believed, and how often rare cases of the rules occurred", "sanity"),
    "strategies": Statistic(
        "wins, scores and what they are made of, tickets, trails, turns", "strategies", by=("strategy", "seat")
    ),
    "versus": Statistic(
        "every strategy against every other: who finishes ahead, who wins more, how sure that is", "strategies"
    ),
    "strength": Statistic("one scale from the orders of finishing, and the ranks each can have", "strength"),
    "seats": Statistic("wins by seat: balanced or not", "seats"),
    "tickets": Statistic(
        "what it is worth to be offered each ticket, and what becomes of it", "tickets", by=("strategy", "seat", "all")
    ),
    "pairs": Statistic("pairs of tickets that are worth more, or less, together", "tickets", printed=40),
    "routes": Statistic("how often and when each is claimed", "routes_cities", by=("all", "strategy")),
    "cities": Statistic("how many players come there, and when", "routes_cities", by=("all", "strategy")),
    "scores": Statistic("how final scores are distributed", "scores"),
    "games": Statistic("how long they are, how close, how they end", "scores"),
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

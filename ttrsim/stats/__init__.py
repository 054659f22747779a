"""Statistics of a run: tidy frames with errors, from its aggregates.

>>> from ttrsim import stats
>>> from ttrsim.runs import Run
>>> stats.tickets(Run.open("runs/first"))[["strategy", "ticket", "score_effect", "win_effect"]]

There is a function for each table of `catalogue`. `docs/statistics.md` says what each column is; so does
`frame.attrs["meanings"]`.
"""

from typing import Any

from ttrsim.stats.catalogue import STATISTICS, function

__all__ = [*STATISTICS, "payoffs"]


def __getattr__(name: str) -> Any:
    """Import the module of a table when it is asked for."""
    if name == "payoffs":
        from ttrsim.stats.rating import payoffs

        return payoffs
    if name in STATISTICS:
        return function(name)
    raise AttributeError(f"module 'ttrsim.stats' has no attribute {name!r}")

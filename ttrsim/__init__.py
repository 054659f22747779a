"""ttrsim: Monte Carlo strategy analysis for the board game Ticket to Ride.

>>> import ttrsim
>>> run = ttrsim.run(board="usa", players="planner,one_step", games=20_000, seed=1)
>>> run.stats("strategies")
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttrsim.boards import load_board
    from ttrsim.comparison import compare
    from ttrsim.errors import UserError
    from ttrsim.examination import balance
    from ttrsim.measurement import routes, tickets
    from ttrsim.runs.read import Run
    from ttrsim.runs.run import run
    from ttrsim.simulation import simulate
    from ttrsim.strategies import load_strategy

__all__ = [
    "Run",
    "UserError",
    "balance",
    "compare",
    "load_board",
    "load_strategy",
    "routes",
    "run",
    "simulate",
    "tickets",
]
__version__ = "0.1.0"

_HOMES = {
    "Run": "ttrsim.runs.read",
    "UserError": "ttrsim.errors",
    "balance": "ttrsim.examination",
    "compare": "ttrsim.comparison",
    "load_board": "ttrsim.boards",
    "load_strategy": "ttrsim.strategies",
    "routes": "ttrsim.measurement",
    "run": "ttrsim.runs.run",
    "simulate": "ttrsim.simulation",
    "tickets": "ttrsim.measurement",
}


def __getattr__(name: str) -> Any:
    """Import what is asked for only then, so that the command line answers at once."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ttrsim' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names of the front door."""
    return [*__all__, "__version__"]

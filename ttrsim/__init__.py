"""ttrsim: Monte Carlo strategy analysis for the board game Ticket to Ride.

>>> import ttrsim
>>> run = ttrsim.run(board="usa", players="planner,one_step", games=20_000, seed=1)
>>> run.stats("strategies")
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttrsim.boards import load_board as load_board
    from ttrsim.comparison import compare as compare
    from ttrsim.comparison import compare_balances as compare_balances
    from ttrsim.errors import UserError as UserError
    from ttrsim.examination import balance as balance
    from ttrsim.games import simulate as simulate
    from ttrsim.improver import Improvement as Improvement
    from ttrsim.improver import improve as improve
    from ttrsim.measurement import difficulty as difficulty
    from ttrsim.measurement import routes as routes
    from ttrsim.measurement import tickets as tickets
    from ttrsim.notebook import tidy as tidy
    from ttrsim.report.explorer import explore as explore
    from ttrsim.restricted import habits as habits
    from ttrsim.runs.read import Run as Run
    from ttrsim.runs.run import run as run
    from ttrsim.strategies import load_strategy as load_strategy
    from ttrsim.sweeper import sweep as sweep
    from ttrsim.tuner import Tuning as Tuning
    from ttrsim.tuner import tune as tune

__version__ = "0.1.0"

_HOMES = {
    "Improvement": "ttrsim.improver",
    "Run": "ttrsim.runs.read",
    "Tuning": "ttrsim.tuner",
    "UserError": "ttrsim.errors",
    "balance": "ttrsim.examination",
    "compare": "ttrsim.comparison",
    "compare_balances": "ttrsim.comparison",
    "difficulty": "ttrsim.measurement",
    "explore": "ttrsim.report.explorer",
    "habits": "ttrsim.restricted",
    "improve": "ttrsim.improver",
    "load_board": "ttrsim.boards",
    "load_strategy": "ttrsim.strategies",
    "routes": "ttrsim.measurement",
    "run": "ttrsim.runs.run",
    "simulate": "ttrsim.games",
    "sweep": "ttrsim.sweeper",
    "tickets": "ttrsim.measurement",
    "tidy": "ttrsim.notebook",
    "tune": "ttrsim.tuner",
}
"""The module of each name of the front door."""
__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> Any:
    """Import what is asked for only then, so that the command line answers at once."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ttrsim' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the names of the front door."""
    return __all__

"""ttrsim: Monte Carlo strategy analysis for the board game Ticket to Ride.

>>> import ttrsim
>>> results = ttrsim.simulate(board="usa", players="random,random", games=1000, seed=7)
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttrsim.boards import load_board
    from ttrsim.simulation import simulate

__all__ = ["load_board", "simulate"]
__version__ = "0.1.0"

_HOMES = {"load_board": "ttrsim.boards", "simulate": "ttrsim.simulation"}


def __getattr__(name: str) -> Any:
    """Import what is asked for only then, so that the command line answers at once."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'ttrsim' has no attribute {name!r}")

"""Pictures of boards and of statistics. Never through pyplot, so no window and no global state.

Each plot is a function of a frame of `ttrsim.stats` or `ttrsim.trials` and returns the axes that it drew on:

>>> from ttrsim import plots, stats
>>> from ttrsim.runs import Run
>>> run = Run.open("runs/first")
>>> plots.save(plots.seats(stats.seats(run), about="USA, 20,000 games"), "seats.svg")
>>> plots.routes(stats.routes(run), run.board, value="turn").figure

- `ax`: the axes to draw on; without it a figure 1200 pixels wide is made.
- `about`: which games these are, written beneath the title.

`catalogue` and `docs/plots.md` list the plots.
"""

from pkgutil import resolve_name
from typing import Any

from ttrsim.plots.catalogue import PLOTS

_OTHERS = {"across": "standings", "changes": "rows", "draw_board": "board", "save": "saving", "save_board": "board"}
_OTHERS |= {"path": "tuning", "sweep": "tuning"}
_MODULES = {name: plot.module for name, plot in PLOTS.items()} | _OTHERS
__all__ = [*_MODULES]


def __getattr__(name: str) -> Any:
    """Import the module of a plot when it is asked for: matplotlib takes a while."""
    if name in _MODULES:
        return resolve_name(f"ttrsim.plots.{_MODULES[name]}:{name}")
    raise AttributeError(f"module 'ttrsim.plots' has no attribute {name!r}")

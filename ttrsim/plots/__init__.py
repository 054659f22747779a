"""Pictures: the board, and what the statistics say. Never through pyplot, so no window and no global state.

Each kind of plot is a function of a frame of `ttrsim.stats` or `ttrsim.trials`, and returns the axes that it drew on:

>>> from ttrsim import plots, stats
>>> from ttrsim.runs import Run
>>> run = Run.open("runs/first")
>>> plots.save(plots.seats(stats.seats(run), about="USA, 20,000 games"), "seats.svg")
>>> plots.routes(stats.routes(run), run.board, value="turn").figure

- `ax`: the axes to draw on; without it a figure 1200 pixels wide is made.
- `about`: which games these are, written beneath the title.

`docs/plots.md` lists the kinds.
"""

from ttrsim.plots.board import draw_board, save_board
from ttrsim.plots.over_time import convergence, precision, race
from ttrsim.plots.routes_cities import cities, closed, gifts, paths, routes
from ttrsim.plots.rows import changes, seats
from ttrsim.plots.scores import lengths, scores
from ttrsim.plots.strategies import across, parts, strategies, strength, versus
from ttrsim.plots.style import save
from ttrsim.plots.tickets import difficulty, fair, tickets

__all__ = [
    "across",
    "changes",
    "cities",
    "closed",
    "convergence",
    "difficulty",
    "draw_board",
    "fair",
    "gifts",
    "lengths",
    "parts",
    "paths",
    "precision",
    "race",
    "routes",
    "save",
    "save_board",
    "scores",
    "seats",
    "strategies",
    "strength",
    "tickets",
    "versus",
]

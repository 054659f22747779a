"""What the games of a run say: tidy frames with errors, from its aggregates.

>>> from ttrsim import stats
>>> from ttrsim.runs import Run
>>> stats.tickets(Run.open("runs/first"))[["strategy", "ticket", "score_effect", "win_effect"]]

`docs/statistics.md` says what each column is; so does `frame.attrs["meanings"]`.
"""

from ttrsim.stats.routes_cities import CITIES, ROUTES, cities, routes
from ttrsim.stats.sanity import SANITY, sanity
from ttrsim.stats.scores import GAMES, SCORES, games, scores
from ttrsim.stats.seats import SEATS, seats
from ttrsim.stats.strategies import STRATEGIES, VERSUS, payoffs, strategies, versus
from ttrsim.stats.strength import STRENGTH, strength
from ttrsim.stats.tickets import PAIRS, TICKETS, pairs, tickets

FRAMES = {
    "sanity": (SANITY, sanity),
    "strategies": (STRATEGIES, strategies),
    "versus": (VERSUS, versus),
    "strength": (STRENGTH, strength),
    "seats": (SEATS, seats),
    "tickets": (TICKETS, tickets),
    "pairs": (PAIRS, pairs),
    "routes": (ROUTES, routes),
    "cities": (CITIES, cities),
    "scores": (SCORES, scores),
    "games": (GAMES, games),
}
"""Every kind of frame by name: its definition, and what makes it of a run."""

__all__ = [
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

"""The tables of aggregates: sums over games, each a record type whose fields are the columns.

All sums are integers and so exact. `win60` is a win share in 60ths, for 1/k of a win is a whole number of them with up
to six winners. Turns are the seat's own, from 1. `docs/runs.md` says what each column means.
"""

import numpy as np

from ttrsim.core.constants import COUNTS, PARTS, SEATS
from ttrsim.core.records import row

WHOLE_WIN = 60
LOWEST_SCORE, SCORE_BINS = -500, 1500  # of the histogram of scores; scores beyond it count in its first or last bin

ENDINGS = ("ended", "stalemate", "overlong")
"""Endings of games, in the order of their codes: from `ENDED` on."""
RANKS = tuple(f"rank_{rank}" for rank in range(1, SEATS + 1))
PART_COLUMNS = (
    "points_routes",
    "points_markers",
    "points_won",
    "points_lost",
    "points_trail",
    "points_most_tickets",
    "points_stations",
    "points_captures",
    "points_alvin",
    "points_tokens",
    "points_start",
)
"""The columns of `parts`, in their order."""
COUNT_COLUMNS = (
    "turns",
    "blind_draws",
    "face_up_draws",
    "wilds_taken",
    "ticket_draws",
    "claims",
    "withdrawn",
    "passes",
)
"""The columns of `counts`, in their order."""
COLUMNS_OF = {"endings": ENDINGS, "ranks": RANKS, "parts": PART_COLUMNS, "counts": COUNT_COLUMNS}
"""The columns of fields that are several numbers."""


def sums(*fields):
    """Return a record type of sums. fields: names, or names with how many numbers each has."""
    pairs = [(field, ()) if isinstance(field, str) else field for field in fields]
    return row(*((name, np.int64, shape) for name, shape in pairs))


def columns(table):
    """Return all columns of a record type of sums, in order."""
    return tuple(column for name in table.names for column in COLUMNS_OF.get(name, (name,)))


GAME_SUMS = sums(
    "games",
    "turns",
    "turns_squared",
    ("endings", len(ENDINGS)),
    "reshuffles",
    "refreshes",
    "dry_turns",
    "shared_wins",
    "winner_score",
    "margin",
    "spread",
)
SEAT_SUMS = sums(
    "games",
    "win60",
    "win60_squared",
    "score",
    "score_squared",
    "won_alone",
    "offered",
    "offered_kept",
    "offered_completed",
    "drawn",
    "drawn_kept",
    "drawn_completed",
    "trail",
    "trains_left",
    ("ranks", SEATS),
    ("parts", PARTS),
    ("counts", COUNTS),
)
DEAL_SUMS = sums("pairs", "win60", "score")
LINE_UP_SUMS = sums("seats", "win60", "score", "score_squared")
VERSUS_SUMS = sums("pairs", "ahead", "tied", "lead")
TICKET_SUMS = sums("offered", "offered_win60", "offered_score")
FATE_SUMS = sums(
    "kept",
    "completed",
    "completed_win60",
    "completed_score",
    "connected",
    "connected_turn",
    "blocked",
    "drawn",
    "drawn_kept",
    "drawn_completed",
)
PAIR_SUMS = sums("offered", "win60", "score", "score_squared")
ROUTE_SUMS = sums("claims", "win60", "score", "turn")
CITY_SUMS = sums("visits", "win60", "score", "turn")
SCORE_SUMS = sums("seats", "win60")
LENGTH_SUMS = sums("games")

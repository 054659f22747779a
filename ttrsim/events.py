"""The events of a recorded game: each decision with the states before and after it, and what changed between."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.boards import Board
from ttrsim.boards.board import Route
from ttrsim.core import constants as c
from ttrsim.core.records import HAND, TABLE, record

Array = npt.NDArray[Any]

STATE = record(("table", TABLE), ("hands", HAND, (c.SEATS,)))
"""The table and all hands."""

EVENT = record(
    ("turn", np.int16),  # turns ended before the decision, of all seats
    ("seat", np.int16),  # who decided
    ("phase", np.int16),  # what was to be decided
    ("action", np.int32),  # what was decided
    ("reshuffles", np.int16),  # how often the discards became the deck; the deal counts for the first event
    ("refreshes", np.int16),  # how often the display was dealt anew for too many wilds; likewise
    ("before", STATE),
    ("after", STATE),  # `table.score` without the final scoring
)
"""One decision, and the states before and after it."""


def points_scored(event: Any) -> Array:
    """Return the points that each seat scored, (SEATS, PARTS); in a game's last event with the final scoring."""
    scored: Array = event.after.table.parts - event.before.table.parts
    return scored


def cards_gained(event: Any) -> Array:
    """Return how the hand of the seat changed, (KINDS,); in OPENING, the cards it was dealt."""
    before, after = event.before.hands[event.seat].cards, event.after.hands[event.seat].cards
    gained: Array = before if event.phase == c.OPENING else after - before
    return gained


def tickets_offered(event: Any) -> dict[int, bool]:
    """Map the tickets that the seat could choose from, in order, to whether it kept them."""
    hand, chosen = event.before.hands[event.seat], int(event.action) - c.KEEP
    return {int(ticket): bool(chosen >> i & 1) for i, ticket in enumerate(hand.offer[: hand.offered])}


def route_claimed(event: Any) -> int:
    """Return the route that the seat claimed, or NOBODY."""
    route = int(event.after.table.route)
    claimed = route != c.NOBODY and event.before.table.owner[route] != event.after.table.owner[route]
    return route if claimed else c.NOBODY


def token_taken(event: Any) -> tuple[int, int] | None:
    """Return the symbol of the souvenir token that the seat took, and the city, if it took one."""
    before, after = event.before.table, event.after.table
    for city in np.flatnonzero(after.stack_tokens < before.stack_tokens).tolist():
        return int(before.stack_symbol[city]), city
    return None


def is_draw(event: Any) -> bool:
    """Return whether a card was drawn, blind or face up."""
    action = event.action
    return bool(action == c.DRAW_BLIND or c.TAKE <= action <= c.TAKE + c.WILD)


def tunnel_tried(board: Board, event: Any) -> Route | None:
    """Return the tunnel at which a payment was laid out or decided on, if any."""
    claim = event.phase == c.TURN and c.CLAIM <= event.action < c.STATION
    if not claim and event.phase != c.TUNNEL:
        return None
    route = board.routes[event.after.table.route]
    return route if route.tunnel else None


def is_withdrawn(event: Any) -> bool:
    """Return whether the payment laid out at a tunnel went back to the hand."""
    before, after = (int(state.table.counts[event.seat, c.WITHDRAWN]) for state in (event.before, event.after))
    return before != after

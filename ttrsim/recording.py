"""Record one game: every decision, the states before and after it, and what changed between.

The compiled core keeps no log, so runs pay nothing for this. A game to be recorded is played from here, decision by
decision, and the table and all hands are copied each time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.boards import Board
from ttrsim.boards.board import Route
from ttrsim.core import constants as c
from ttrsim.core.apply import apply, insist
from ttrsim.core.deal import deal, intervene
from ttrsim.core.play import ready_minds, write_results
from ttrsim.core.records import GAME, GAME_RESULT, HAND, MIND, ROOM, SEAT_RESULT, TABLE, record
from ttrsim.encode import UNCHANGED, Intervention

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

SCORED_AT_ONCE = [c.POINTS_START, c.POINTS_ROUTES, c.POINTS_MARKERS, c.POINTS_CAPTURES]
"""The parts of a score that count during the game; all others belong to the final scoring."""


@dataclass(frozen=True)
class Recording:
    """One game, and what happened in it."""

    events: Array  # (decisions,) EVENT
    game: Any  # GAME, as it stands after the last event and, if it ended, the final scoring
    result: Array  # (1,) GAME_RESULT; (0,) if the game was stopped
    seats: Array  # (1, players) SEAT_RESULT; (0, players) if the game was stopped
    seating: tuple[int, ...]  # by seat, the strategies' numbers in the results
    illegal: int | None = None  # the illegal action that stopped the game
    failure: Exception | None = None  # the exception that stopped it
    mind: Any = None  # MIND of the last strategy asked, as it was before


@np.errstate(over="ignore")  # 64-bit arithmetic wraps around: uncompiled too, on any thread
def record_game(
    board: Any,
    players: Sequence[Any],
    params: Array,
    seating: Sequence[int],
    seed: int,
    block: int,
    number: int,
    intervention: Intervention = UNCHANGED,
) -> Recording:
    """Play one game and record it.

    players, params: strategies and their parameters by seat; seating: their numbers in the results; number: the game's
    there; intervention: made in the deal; its `place` is a seat.
    """
    seats = np.arange(len(players), dtype=np.uint8)
    game, minds, rooms = np.zeros(1, GAME)[0], np.zeros(c.SEATS, MIND), np.zeros(c.SEATS, ROOM)
    deal(board, game, np.uint64(seed), block, len(players))
    intervene(board, game, intervention.record, seats)
    ready_minds(game, minds, params, seats)
    states, actions = [_bytes(game)], list[int]()
    illegal, failure = None, None
    mind_bytes, kept = minds.view(np.uint8).reshape(c.SEATS, -1), np.zeros(MIND.itemsize, np.uint8)
    while game.table.phase != c.OVER:
        seat = int(game.table.seat)
        kept[:] = mind_bytes[seat]
        try:
            action = int(players[seat](board, game.table, game.hands[seat], minds[seat], rooms[seat]))
        except Exception as e:  # the strategy's, of any kind
            failure = e
            break
        if game.table.phase == c.OPENING:  # a ticket that must be kept is kept in any case
            action = int(insist(board, game.hands[seat], action))
        if not apply(board, game, action):
            illegal = action
            break
        actions.append(action)
        states.append(_bytes(game))
    ended = int(game.table.phase == c.OVER)
    result, of_seats = np.zeros(ended, GAME_RESULT), np.zeros((ended, len(players)), SEAT_RESULT)
    if ended:
        write_results(board, game, number, np.array(seating, np.uint8), result[0], of_seats[0])
    events = _events(np.frombuffer(b"".join(states), STATE), actions)
    return Recording(events, game, result, of_seats, tuple(seating), illegal, failure, kept.view(MIND)[0])


def state_of(game: Any) -> Array:
    """Return the state of a game: (1,) STATE."""
    return np.frombuffer(_bytes(game), STATE)


def _bytes(game: Any) -> bytes:
    """Return the state as bytes, which are much faster to collect than records."""
    return bytes(game.table.tobytes() + game.hands.tobytes())


def _events(states: Array, actions: list[int]) -> Array:
    """Return the events, (decisions,) EVENT. states: (decisions + 1,) STATE."""
    events = np.zeros(len(actions), EVENT)
    events["action"], events["before"], events["after"] = actions, states[:-1], states[1:]
    before, after = events["before"]["table"], events["after"]["table"]
    for name in ("turn", "seat", "phase"):
        events[name] = before[name]
    for name in ("reshuffles", "refreshes"):
        events[name] = np.diff(after[name], prepend=0)
    after["score"] = after["parts"][:, :, SCORED_AT_ONCE].sum(axis=2)
    return events


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

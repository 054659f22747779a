"""The record of one game: what happened at each decision, as an array.

The compiled core keeps no log, so runs pay nothing for this. A game to be recorded is played from here, decision by
decision, and what happened is the difference between the records before and after each action.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.core import constants as c
from ttrsim.core.apply import apply, with_forced
from ttrsim.core.deal import deal
from ttrsim.core.intervene import intervene
from ttrsim.core.play import ready_minds, write_results
from ttrsim.core.records import GAME, GAME_RESULT, HAND, MIND, ROOM, SEAT_RESULT, TABLE
from ttrsim.intervention import UNCHANGED, Intervention

Array = npt.NDArray[Any]

EVENT = np.dtype(
    [
        # The decision.
        ("turn", np.int16),  # turns ended before it, of all seats
        ("seat", np.int16),  # who decided
        ("phase", np.int16),  # what was to be decided
        ("offer", np.int16, (c.OFFER,)),  # OPENING and KEEPING: the tickets to choose from; then NOBODY
        ("action", np.int32),  # what was decided
        # What came of it.
        ("cards", np.int16, (c.KINDS,)),  # change of the seat's hand; in OPENING the cards dealt to it
        ("tunnel", np.int16),  # where a payment was laid out at a tunnel, or in TUNNEL decided on; else NOBODY
        ("revealed", np.int16, (c.KINDS,)),  # cards turned up, where a payment was laid out
        ("extra", np.int16),  # how many more cards these ask for
        ("withdrawn", np.bool_),  # whether the payment laid out at the tunnel went back to the hand
        ("route", np.int16),  # the route that the seat came to own, or NOBODY
        ("token_city", np.int16),  # where the seat took a token, or NOWHERE
        ("symbol", np.int16),  # of the token taken, or of the stack placed; else NOBODY
        ("parts", np.int32, (c.SEATS, c.PARTS)),  # points scored, by seat and by what they are for
        ("reshuffles", np.int16),  # how often the discards became the deck
        ("refreshes", np.int16),  # how often the display was dealt anew for too many wilds
        # How things stood afterwards.
        ("score", np.int32, (c.SEATS,)),  # without the final scoring
        ("trains", np.int16, (c.SEATS,)),  # left
        ("display", np.int16, (c.KINDS,)),  # cards face up
        ("deck_cards", np.int16),
        ("tickets_left", np.int16),  # in the ticket deck
        ("turns_to_go", np.int16),  # in the last round: turns left, of all seats; else NOBODY
        ("ending", np.int16),  # RUNNING, ENDED, STALEMATE or OVERLONG
    ]
)
"""One decision. The events of a game and its board tell the whole game."""

SCORED_AT_ONCE = [c.POINTS_ROUTES, c.POINTS_MARKERS, c.POINTS_CAPTURES]
"""The parts of a score that are scored during the game; all others belong to the final scoring."""


@dataclass(frozen=True)
class Recording:
    """One game and what happened in it."""

    events: Array  # (decisions,) EVENT
    game: Any  # GAME, as it stands after the last event
    result: Array  # (1,) GAME_RESULT; (0,) if the game was stopped
    seats: Array  # (1, players) SEAT_RESULT; (0, players) if the game was stopped
    seating: tuple[int, ...]  # for each seat, which strategy of the line-up
    illegal: int | None = None  # the illegal action for which the game was stopped
    failure: Exception | None = None  # the exception for which it was stopped
    mind: Any = None  # MIND of the strategy that decided last, before it did


@np.errstate(over="ignore")  # 64-bit arithmetic wraps around: uncompiled too, on any thread
def record_game(
    board: Any,
    strategies: Sequence[Any],
    params: Array,
    seatings: Array,
    seed: int,
    index: int,
    intervention: Intervention = UNCHANGED,
) -> Recording:
    """Play one game of a run and record it. Arguments as in `ttrsim.core.play.play_games`."""
    seating = seatings[index % len(seatings)]
    game, minds, rooms = np.zeros(1, GAME)[0], np.zeros(c.SEATS, MIND), np.zeros(c.SEATS, ROOM)
    deal(board, game, np.uint64(seed), index // len(seatings), len(seating))
    intervene(board, game, intervention.record, seating)
    ready_minds(game, minds, params, seating)
    tables, hands = [game.table.tobytes()], [game.hands.tobytes()]
    actions: list[int] = []
    illegal, failure = None, None
    mind_bytes, kept = minds.view(np.uint8).reshape(c.SEATS, -1), np.zeros(MIND.itemsize, np.uint8)
    while game.table.phase != c.OVER:
        seat = int(game.table.seat)
        kept[:] = mind_bytes[seat]
        try:
            strategy = strategies[seating[seat]]
            action = int(strategy(board, game.table, game.hands[seat], minds[seat], rooms[seat]))
        except Exception as e:  # the strategy's, of any kind
            failure = e
            break
        opening = game.table.phase == c.OPENING
        if not apply(board, game, action):
            illegal = action
            break
        if opening:  # tickets that must be kept are kept in any case
            action = c.KEEP + int(with_forced(board, game.deck.forced[seat], np.uint64(action - c.KEEP)))
        actions.append(action)
        tables.append(game.table.tobytes())
        hands.append(game.hands.tobytes())
    all_tables, all_hands = _joined(tables, TABLE), _joined(hands, HAND).reshape(-1, c.SEATS)
    events = _events(board, all_tables, all_hands, np.array(actions, np.int32))
    ended = int(game.table.phase == c.OVER)
    result, seats = np.zeros(ended, GAME_RESULT), np.zeros((ended, len(seating)), SEAT_RESULT)
    if ended:
        write_results(board, game, index, seating, result[0], seats[0])
    return Recording(events, game, result, seats, tuple(seating.tolist()), illegal, failure, kept.view(MIND)[0])


def _joined(parts: list[bytes], dtype: np.dtype[Any]) -> Array:
    return np.frombuffer(b"".join(parts), dtype)


def _events(board: Any, tables: Array, hands: Array, actions: Array) -> Array:
    """The events between states: tables (decisions + 1,), hands (decisions + 1, SEATS), actions (decisions,)."""
    events = np.zeros(len(actions), EVENT)
    before, after = tables[:-1], tables[1:]
    rows, seats = np.arange(len(actions)), before["seat"].astype(int)
    mine, mine_after = hands[rows, seats], hands[rows + 1, seats]
    events["action"] = actions
    for name in ("turn", "seat", "phase"):
        events[name] = before[name]
    for name in ("trains", "display", "deck_cards", "tickets_left", "turns_to_go", "ending"):
        events[name] = after[name]
    for name in ("reshuffles", "refreshes"):  # the deal's own are those of the first event
        events[name] = np.diff(after[name], prepend=tables.dtype[name].type(0))
    offered = np.arange(c.OFFER) < mine["offered"][:, None]
    events["offer"] = np.where(offered, mine["offer"], c.NOBODY)
    opening = (before["phase"] == c.OPENING)[:, None]
    events["cards"] = np.where(opening, mine["cards"], mine_after["cards"] - mine["cards"])
    events["withdrawn"] = (after["counts"] - before["counts"])[rows, seats, c.WITHDRAWN]
    events["parts"] = after["parts"] - before["parts"]
    events["score"] = events["parts"][:, :, SCORED_AT_ONCE].sum(axis=2).cumsum(axis=0)
    _write_tunnels(board, events, before, after)
    _write_places(events, before, after)
    return events


def _write_tunnels(board: Any, events: Array, before: Array, after: Array) -> None:
    """Write at which tunnel a payment was laid out or decided on, and the cards turned up."""
    claims = (events["phase"] == c.TURN) & (events["action"] >= c.CLAIM) & (events["action"] < c.STATION)
    routes = np.where(claims, (events["action"] - c.CLAIM) // 100, 0)
    tunnels = claims & (board.route_tunnel[routes] != 0)
    events["tunnel"] = np.where(tunnels, routes, np.where(events["phase"] == c.TUNNEL, before["route"], c.NOBODY))
    events["revealed"] = np.where(tunnels[:, None], after["revealed"], 0)
    events["extra"] = np.where(tunnels, after["extra"], 0)


def _write_places(events: Array, before: Array, after: Array) -> None:
    """Write which route was claimed, which token taken and which stack placed, if any."""
    rows = np.arange(len(events))
    claimed = before["owner"] != after["owner"]
    events["route"] = np.where(claimed.any(axis=1), claimed.argmax(axis=1), c.NOBODY)
    tokens = after["stack_tokens"] - before["stack_tokens"]
    cities = tokens.argmin(axis=1)
    taken = tokens[rows, cities] < 0
    events["token_city"] = np.where(taken, cities, c.NOWHERE)
    events["symbol"] = np.where(taken, before["stack_symbol"][rows, cities], c.NOBODY)
    stacks = events["phase"] == c.STACK
    events["symbol"][stacks] = after["stack_symbol"][rows[stacks], events["action"][stacks] - c.CITY]

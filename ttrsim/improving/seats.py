"""Find hands and points at the start, by seat, that should even out the seats.

Giving a seat a card more, or a point, moves wins to it from the others. One board on which seats differ in that shows
how much, for each number of players; then all ways to give cards or points by seat are compared by arithmetic, and only
the best of them need to be played.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from ttrsim.batches import Array
from ttrsim.boards import Board
from ttrsim.improving.changes import Change, Locks

LEVERS = {"hand": 1, "start_points": 3}
"""The rule values by seat, and by how much they differ from seat to seat on the board that is played to see."""
HAND_REACH = 4
"""The most cards by which a hand may become larger or smaller."""
MOST_POINTS = 8
"""The most points at the start that are tried."""
CYCLE = 3
"""Seats this far apart are given the same on the board that is played to see, so that none is given very much."""


def levers(board: Board, locks: Locks) -> list[Change]:
    """Return the boards that show what a card and a point are worth, as changes."""
    return [_change(key, _tried(board, key)) for key in LEVERS if not locks.rule(f"rules.{key}")]


def _now(board: Board, key: str) -> Array:
    return np.array(getattr(board.rules, key)[: board.rules.players[1]])


def _tried(board: Board, key: str) -> Array:
    return np.asarray(_now(board, key) + LEVERS[key] * (np.arange(board.rules.players[1]) % CYCLE))


def _change(key: str, values: Array) -> Change:
    return Change(f"rules.{key}", f"rules.{key} = {values.tolist()}", "seats")


def best_seat_changes(board: Board, key: str, before: Sequence[Array], tried: Sequence[Array]) -> Iterator[Change]:
    """Yield the best values by seat with one seat changed, with two, and so on, by arithmetic.

    before, tried: effects of seats at each table, on the board and on that of `levers`.
    """
    now = _now(board, key)
    shift = _tried(board, key) - now
    vectors = _vectors(key, now, max(map(len, before)))
    squares = np.zeros(len(vectors))
    for old, new in zip(before, tried, strict=True):
        players = len(old)
        apart = shift[:players] - shift[:players].mean()
        worth = ((new - old) * apart).sum() / (apart**2).sum()
        more = (vectors - now)[:, :players]
        squares += ((old + worth * (more - more.mean(axis=1, keepdims=True))) ** 2).mean(axis=1)
    seats = (vectors != now).sum(axis=1)
    for number in range(1, len(now) + 1):
        here = np.flatnonzero(seats == number)
        if len(here) and squares[best := here[np.argmin(squares[here])]] < squares[seats == 0].min():
            yield _change(key, vectors[best])


def _vectors(key: str, now: Array, seats: int) -> Array:
    """Return all values by seat that are tried, those now among them; only of seats at the tables played."""
    if key == "hand":
        ranges = [range(max(0, value - HAND_REACH), value + HAND_REACH + 1) for value in now.tolist()]
    else:
        ranges = [range(max(MOST_POINTS, value) + 1) for value in now.tolist()]
    ranges = [of if seat < seats else range(now[seat], now[seat] + 1) for seat, of in enumerate(ranges)]
    found = np.array([*product(*ranges)])
    return found if key == "hand" else found[(found[:, :seats].min(axis=1) == 0) | (found == now).all(axis=1)]

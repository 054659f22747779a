"""The states of a recorded game after each turn, when each thing in them was there, and the race of the scores."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from matplotlib.ticker import MaxNLocator

from ttrsim.boards import Board
from ttrsim.encode import members
from ttrsim.recording import Array, Recording, state_of
from ttrsim.report.story import joined, turns

WIDTH, HEIGHT = 440.0, 180.0
LEFT, RIGHT, TOP, BOTTOM = 36.0, 22.0, 12.0, 22.0
"""Room about the lines, for the numbers beside them and the marks at their ends."""


def states(recording: Recording) -> Array:
    """Return the states after the opening (0), after each turn (its number) and, if the game ended, its scoring.

    >>> states(recording)[12].table.owner[40]  # the seat that had route 40 after the twelfth turn
    0
    """
    ends = np.cumsum([len(events) for _, events in turns(recording.events)], dtype=int) - 1
    found: Array = recording.events["after"][ends]
    return np.append(found, state_of(recording.game)) if len(recording.seats) or not len(found) else found


def connected_tickets(board: Board, state: Any, seat: int) -> list[int]:
    """Return the tickets of a seat whose cities its own routes connect."""
    groups = joined(board, members(state.table.owned[seat]), range(len(board.cities)))
    tickets = members(state.hands[seat].tickets)
    return [t for t in tickets if groups[board.tickets[t].a] == groups[board.tickets[t].b]]


def owners(cities: Array) -> dict[int, int]:
    """Map cities to seats, from `table.stations` or `table.markers`; the last seat first, as it is first to start."""
    return {city: seat for seat in reversed(range(len(cities))) for city in members(cities[[seat]])}


def stacks(table: Any) -> list[tuple[int, int, int]]:
    """Return the city, symbol and number of the souvenir tokens that are left, sorted by symbol."""
    left = [(city, int(table.stack_symbol[city]), n) for city, n in enumerate(table.stack_tokens.tolist()) if n]
    return sorted(left, key=lambda stack: stack[1])


class Span(NamedTuple):
    """A thing that was there from one step of the game until another, or until the end (None)."""

    thing: Any
    first: int
    end: int | None


def spans(steps: Iterable[Collection[Hashable]]) -> list[Span]:
    """Find when each thing was there, given what was there at each step; in the order in which they came.

    >>> spans([{"a"}, {"a", "b"}, {"b"}])
    [Span(thing='a', first=0, end=2), Span(thing='b', first=1, end=None)]
    """
    since: dict[Hashable, int] = {}
    found: list[Span] = []
    for step, there in enumerate(steps):
        for thing in [thing for thing in since if thing not in there]:
            found.append(Span(thing, since.pop(thing), step))
        for thing in there:
            since.setdefault(thing, step)
    found += [Span(thing, first, None) for thing, first in since.items()]
    return sorted(found, key=lambda span: span.first)


def changes(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the steps at which a number changes and its new values: `changes([4, 4, 7]) == [(0, 4), (2, 7)]`."""
    return [(i, n) for i, n in enumerate(numbers) if i == 0 or n != numbers[i - 1]]


@dataclass(frozen=True)
class ScoreRace:
    """Lines over the steps of a game; y goes down."""

    width: float
    height: float
    left: float
    across: float  # from the first step to the last
    lines: list[str]  # by seat, the `d` of a path
    ends: list[float]  # y of the last score of each seat
    marks: list[tuple[int, float]]  # scores, with their y


def score_race(scores: Sequence[Sequence[int]]) -> ScoreRace:
    """Return the race. scores: of each seat, at each step."""
    ticks = MaxNLocator(4, integer=True).tick_values(
        min(0, *(min(of) for of in scores)), max(1, *(max(of) for of in scores))
    )
    low, high = float(ticks[0]), float(ticks[-1])
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    last = max(1, len(scores[0]) - 1)

    def y(score: float) -> float:
        return round(TOP + down * (high - score) / (high - low), 1)

    def line(of: Sequence[int]) -> str:
        parts = [f"M{LEFT} {y(of[0])}"]
        for step, score in changes(of):
            parts.append(f"H{LEFT + across * step / last:.1f}V{y(score)}")
        return "".join([*parts, f"H{LEFT + across}"])

    marks = [(int(tick), y(tick)) for tick in ticks]
    return ScoreRace(WIDTH, HEIGHT, LEFT, across, [line(of) for of in scores], [y(of[-1]) for of in scores], marks)

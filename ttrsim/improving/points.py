"""Find points with which tickets are worth as much as those that keep theirs.

A round is a board on which the effects of being offered each ticket were measured. Lines through rounds with different
points say with which points an effect would be as wanted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ttrsim.batches import Array
from ttrsim.boards import Board
from ttrsim.boards.analysis import cheapest_trains
from ttrsim.improving.changes import Change, Locks, ticket_change
from ttrsim.improving.stored import Tickets
from ttrsim.stats.ticket_values import deal_classes
from ttrsim.trials.search import Limits, Round, crossings

FARTHEST = 6
"""The most points by which a round moves a ticket: slopes far away are guesses."""


@dataclass(frozen=True)
class TicketPoints:
    """The tickets of a board that may get other points, (tickets,) each."""

    board: Board
    locks: Locks
    tickets: Array  # their numbers
    printed: Array
    decks: Array
    least: Array
    most: Array

    @classmethod
    def of(cls, board: Board, locks: Locks) -> "TicketPoints":
        """Return the tickets that are dealt at random and not locked, with the points that each may have."""
        dealt = sorted(int(t) for tickets, deal in deal_classes(board).values() for t in tickets if deal)
        free = np.array([t for t in dealt if not locks.ticket(board, t)], int)
        printed = np.array([ticket.points for ticket in board.tickets])[free]
        decks = np.array([int(ticket.long) for ticket in board.tickets])[free]
        trains = np.array(cheapest_trains(board))
        usual = trains[free] * np.median([ticket.points for ticket in board.tickets] / trains)
        least = np.minimum(printed, np.ceil(usual / locks.stretch))
        most = np.maximum(printed, np.floor(usual * locks.stretch))
        return cls(board, locks, free, printed, decks, least, most)

    def farthest(self, rounds: Sequence[Tickets], number: int) -> Array:
        """Choose the tickets whose effects, with the printed points, are farthest from the middle of their deck."""
        off = self._as_printed(self._read(rounds))
        away = np.abs(off - self._by_deck(np.median, off))
        chosen = np.zeros(len(off), bool)
        chosen[np.argsort(-away)[:number]] = True
        return chosen

    def changes(self, rounds: Sequence[Tickets], chosen: Array) -> list[Change]:
        """Return the changes of the chosen tickets' points; if all are chosen, the points of a deck keep their sum."""
        if len(self.tickets) < 2:
            return []
        read = self._read(rounds)
        limits = Limits(self.locks.least, self.locks.most, hold_level=bool(chosen.all()))
        wanted = np.zeros(len(chosen))
        if not limits.hold_level:
            unchanged = np.all([r.points == self.printed for r in read], axis=0)
            read = [replace(r, effect=r.effect - self._by_deck(np.mean, r.effect, unchanged)) for r in read]
            wanted = self._by_deck(np.mean, self._as_printed(read), ~chosen)
        slope = np.mean([r.slope for r in read], axis=0)
        value = crossings(read, self.printed, self.decks, limits)[0] + wanted / slope
        last = read[-1].points
        value = np.clip(np.clip(value, self.least, self.most), last - FARTHEST, last + FARTHEST)
        points = limits.rounded(np.where(chosen, value, self.printed), self.printed, self.decks)
        return [
            ticket_change(self.board, int(ticket), int(new))
            for ticket, new, printed in zip(self.tickets, points, self.printed, strict=True)
            if new != printed
        ]

    def _read(self, rounds: Sequence[Tickets]) -> list[Round]:
        arrays = [{name: np.array(of)[self.tickets] for name, of in r.model_dump().items()} for r in rounds]
        return [Round(**of) for of in arrays]

    def _as_printed(self, rounds: Sequence[Round]) -> Array:
        """Return the mean effect of each ticket over the rounds in which it has the printed points."""
        printed = np.array([r.points == self.printed for r in rounds])
        effects = [r.effect for r in rounds]
        return np.asarray(np.average(effects, axis=0, weights=printed + 1e-9))  # an exchanged ticket never has them

    def _by_deck(self, mean: Callable[[Array], Array], values: Array, of: Array | None = None) -> Array:
        """Return for each ticket the mean over its deck. of: which tickets count; where none does, it is 0."""
        found = np.zeros(len(values))
        for deck in np.unique(self.decks):
            there = self.decks == deck
            if (counted := there if of is None else there & of).any():
                found[there] = mean(values[counted])
        return found

"""A change of every deal, to see what comes of it, and as the core reads it: see `ttrsim.core.intervene`."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ttrsim.core.constants import NOBODY, ROUTE_WORDS
from ttrsim.core.records import INTERVENTION
from ttrsim.encode import words


@dataclass(frozen=True)
class Intervention:
    """A change of every deal; tickets and routes by their index on the board.

    The focal seat is the one whose strategy has `place` in the line-up; no other place may have the same strategy. The
    seat is offered `ticket` in `slot` of its opening offer, and what was dealt there goes to where `ticket` was.
    """

    place: int | None = None
    slot: int | None = None
    ticket: int | None = None  # None leaves the one that is dealt in the slot
    forced: bool = False  # what lies in the slot must be kept
    closed: tuple[int, ...] = ()  # routes that nobody can claim
    gift: tuple[int, ...] = ()  # routes that the focal seat owns from the start: no cards, no trains, no points

    @cached_property
    def record(self) -> Any:
        """As the core reads it."""
        record = np.zeros(1, INTERVENTION)[0]
        record.closed[:], record.gift[:] = words(self.closed, ROUTE_WORDS), words(self.gift, ROUTE_WORDS)
        for name in ("place", "slot", "ticket"):
            value = getattr(self, name)
            setattr(record, name, NOBODY if value is None else value)
        record.forced = self.forced
        return record


UNCHANGED = Intervention()
"""The deal as it is."""

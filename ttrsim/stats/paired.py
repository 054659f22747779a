"""Differences of two runs, paired where both played the same blocks.

The deal of a block is the same whatever strategies do, and on boards with the same cards and tickets. So what two runs
made of the same blocks differs by less than what they made of different ones, and the difference of two estimates has
its error from leaving out the same batch of both. Nothing is assumed: where the deals have nothing in common the
error comes out as that of two unrelated runs.
"""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import FEWEST_BATCHES, Array, Estimate
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.errors import UsageError, UserError
from ttrsim.formatting import counted
from ttrsim.stats.frames import sums

if TYPE_CHECKING:
    from ttrsim.runs import Run
    from ttrsim.runs.plan import Sprt
    from ttrsim.runs.sprt import SprtState


@dataclass(frozen=True)
class Pair:
    """Two runs, and whether their batches are the same blocks."""

    a: "Run"
    b: "Run"
    unpaired: str | None  # why not, or None

    @classmethod
    def of(cls, a: "Run", b: "Run") -> "Pair":
        """Return two runs after checking that they can be compared."""
        if a.plan.seats != b.plan.seats:
            raise UsageError([f"tables of {a.plan.seats} players and tables of {b.plan.seats} cannot be compared"])
        why = why_unpaired(a, b)
        for run in (a, b) if why else ():
            if len(run.batches) < FEWEST_BATCHES:
                batches = counted(len(run.batches), "batch", "batches")
                told = f"{batches}, of which {FEWEST_BATCHES} are needed where runs are not paired"
                raise UserError([f"{run.folder.path}: {run.games_played:,} games are {told}; here {why}"])
        return cls(a, b, why)

    def change(self, a: Estimate, b: Estimate) -> Estimate:
        """Return by how much `b`, of the second run, exceeds `a`, of the first."""
        return difference(a, b) if self.unpaired is None else difference_of_strangers(a, b)


def why_unpaired(a: "Run", b: "Run") -> str | None:
    """Why the batches of two runs are not the same blocks; None if they are."""
    if a.plan.seed != b.plan.seed:
        return f"seeds are {a.plan.seed} and {b.plan.seed}"
    for what, one, other in (
        ("line-ups", len(a.plan.line_ups), len(b.plan.line_ups)),
        ("laps", a.plan.laps, b.plan.laps),
        ("finished batches", len(a.batches), len(b.batches)),
    ):
        if one != other:
            return f"there are {one:,} and {other:,} {what}"
    return None if a.batches == b.batches else "other batches are finished"


def dealt_otherwise(a: "Run", b: "Run") -> list[str]:
    """Say what the boards of two runs deal differently: tickets (another number, or mostly others) or cards."""
    tickets, cards = zip(*(_dealt(run) for run in (a, b)), strict=True)
    alike = sum(one == other for one, other in zip(*tickets, strict=False))
    others = len(tickets[0]) != len(tickets[1]) or 2 * alike < len(tickets[0])
    return [name for name, differ in (("tickets", others), ("cards", cards[0] != cards[1])) if differ]


def _dealt(run: "Run") -> tuple[list[tuple[bool, str]], tuple[int, ...]]:
    """Return the tickets by their cities, and how many cards there are of each kind."""
    board = run.board
    tickets = [(ticket.long, board.ticket_name(ticket)) for ticket in board.tickets]
    return tickets, (board.wilds, *(colour.cards for colour in board.colours))


def difference(a: Estimate, b: Estimate) -> Estimate:
    """`b` less `a`, of runs with the same batches."""
    return Estimate(np.asarray(b.value - a.value), b.replicates - a.replicates)


def difference_of_strangers(a: Estimate, b: Estimate) -> Estimate:
    """`b` less `a`, of runs that have nothing to do with each other: squares of errors add up.

    Degrees of freedom do not: those of the run with fewer batches make intervals that hold whichever has most of the
    error.
    """
    value = np.asarray(b.value - a.value)
    deviations = np.concatenate([-a.deviations, b.deviations])
    batches = len(deviations)
    fewer = min(len(a.replicates), len(b.replicates))
    return Estimate(value, value + deviations * np.sqrt(batches / (batches - 1)), fewer)


def wins_by_batch(run: "Run", strategy: str) -> tuple[Array, Array]:
    """(batches,): what a strategy of a run won in each batch, in 60ths, and its seats there."""
    s, place = sums(run, "seats"), run.strategies.index(strategy)
    return s["win60"][:, place].sum(axis=1), s["games"][:, place].sum(axis=1)


def sequential(test: "Sprt", a: tuple[Array, Array], b: tuple[Array, Array]) -> "SprtState":
    """Look at two runs batch by batch, until it is known whether `test.first` wins more in b than `test.second` in a.

    a, b: as `wins_by_batch` says of the same batches.
    """
    batches = len(a[0])
    for number in range(min(FEWEST_BATCHES, batches), batches + 1):
        state = tested(test, *((won[:number], seats[:number]) for won, seats in (a, b)))
        if state.accepted:
            break
    return state


def tested(test: "Sprt", a: tuple[Array, Array], b: tuple[Array, Array]) -> "SprtState":
    """Test these batches of two runs.

    What is tested is the normalised Elo of the change: its mean over its standard deviation, in one game, times 347.4;
    with a number a batch, as `ttrsim.runs.sprt` has it. A last batch of fewer games than the others does not count.
    """
    from ttrsim.runs.sprt import Blocks, SprtState

    whole = a[1] == a[1].max()
    change = b[0][whole] / b[1][whole] - a[0][whole] / a[1][whole]
    change, seats = change / WHOLE_WIN, np.minimum(a[1], b[1])[whole]
    blocks = Blocks(len(change), float(change.sum()), float((change**2).sum()), int(np.rint(seats.mean())))
    state = SprtState.after(test, blocks)
    return state if len(change) >= FEWEST_BATCHES else replace(state, ratio=0.0)

"""The value that each ticket should have: printed values, corrected by what holding the ticket does, and tried."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, Estimate, jackknife, ratio
from ttrsim.boards import Board
from ttrsim.boards.board import find_tickets
from ttrsim.boards.file import MOST
from ttrsim.choices import ROUNDS
from ttrsim.errors import UsageError
from ttrsim.stats.frames import Column, Table, build
from ttrsim.stats.strategies import PLAYERS
from ttrsim.stats.verdicts import verdicts
from ttrsim.trials.tickets import FOCAL_STRATEGY, GAMES, HELD, PRINTED, dealt, held, printed, share
from ttrsim.trials.trial import OnGames, Played, Trial, nobody_listens

if TYPE_CHECKING:
    import pandas as pd

MARGIN = 1.0
"""Points that a ticket may be better or worse than others: less does not matter."""
FEWEST_COMPLETED = 0.6
"""Of a ticket completed in fewer games a further point of value brings too little to tell a fair value."""

FAIR = Table(
    "fair",
    "A row is a ticket. It is fair if being made to hold it brings as many points as being made to hold the one that "
    "was dealt.",
    (
        PLAYERS,
        FOCAL_STRATEGY,
        *PRINTED,
        GAMES,
        Column("completed", "estimate", "share", "Share of the games in which the ticket, held, is completed."),
        Column("score_effect", "estimate", "points", f"Mean final score of the focal seat {HELD}.", "Score effect ±"),
        Column(
            "fair_value",
            "estimate",
            "points",
            "The value at which there would be no score effect if all else stayed: the value before the last round (at "
            "first the printed one) less the score effect with it divided by what a further point brings. None where "
            "it is completed in fewer than 60 of 100 games.",
            "Fair value ±",
        ),
        Column(
            "new_points",
            "number",
            "points",
            "The value in the last round: the fair one in whole points, at least 1; else the one before.",
            "New",
        ),
        Column(
            "left_effect",
            "estimate",
            "points",
            "The score effect in the last round, in which all tickets have their new values, of other deals.",
            "Effect left ±",
        ),
        Column(
            "verdict",
            "key",
            "",
            f"settled: the interval of the effect left lies within {MARGIN:g} point on both sides of 0; off: it lies "
            "outside; undecided: neither.",
            "Verdict",
        ),
        Column(
            "more_games", "count", "games", "About how many games more would decide an undecided verdict.", "More games"
        ),
    ),
    "score_effect",
    "The intervals of each column hold at once for all tickets; those of completed each for itself.",
)
WORDS = {"balanced": "settled", "imbalanced": "off", "undecided": "undecided"}


def fair(
    trial: Trial,
    tickets: Sequence[str] | None = None,
    *,
    rounds: int = ROUNDS,
    threads: int = 1,
    on_games: OnGames = nobody_listens,
) -> "pd.DataFrame":
    """The value that each ticket should have, corrected in so many rounds, and what holding it then still does."""
    if rounds < 1:
        raise UsageError([f"rounds = {rounds}: must be at least 1"])
    chosen = dealt(trial.board, find_tickets(trial.board, tickets))
    indices, now = [ticket for ticket, _ in chosen], trial
    played, mine, base = held(now, chosen, threads, on_games)
    done, games = played.of_tickets("completed", mine, indices), played.of("games", mine)
    effect = played.change("score", mine, base)
    for _ in range(rounds):
        points = np.array([now.board.tickets[ticket].points for ticket in indices])
        value = fair_values(played, indices, mine, base, points)
        corrected = np.clip(np.rint(value.value), 1, MOST)
        new = np.where(np.isnan(corrected), points, corrected).astype(int)
        now = now.after(repriced(now.board, dict(zip(indices, new.tolist(), strict=True))))
        played, _, _ = held(now, chosen, threads, on_games)
    left = played.change("score", mine, base).simultaneous()
    verdict, more = verdicts(left, MARGIN, trial.schedule.games)
    data = {
        **printed(trial, chosen),
        "completed": share(trial, ratio(done, games), done, games),
        "score_effect": effect.simultaneous(),
        "fair_value": value.simultaneous(),
        "new_points": new,
        "left_effect": left,
        "verdict": np.array([WORDS[word] for word in verdict.tolist()], object),
        "more_games": more,
    }
    return build(FAIR, data)


def fair_values(
    played: Played, tickets: Sequence[int], arms: Sequence[int], base: Sequence[int], points: Array
) -> Estimate:
    """(tickets,): values at which holding them would do nothing, if all else stayed as it is.

    A further point brings one where the ticket is completed and takes one where it fails, in the games compared with
    too, in some of which the seat holds it as well.
    """

    def corrected(score: Array, compared: Array, kept: Array, done: Array) -> Array:
        return np.asarray(points - (score - compared) / (2 * done - kept))

    score, compared, games = played.of("score", arms), played.of("score", base), played.of("games", arms)
    kept, done = (
        played.of_tickets(fate, arms, tickets) - played.of_tickets(fate, base, tickets)
        for fate in ("kept", "completed")
    )
    estimate = jackknife(corrected, score, compared, kept, done)
    often = played.of_tickets("completed", arms, tickets).sum(axis=0) >= FEWEST_COMPLETED * games.sum(axis=0)
    often &= np.isfinite(estimate.value)  # of few games: kept twice as often as completed
    replicates = np.where(often & np.isfinite(estimate.replicates), estimate.replicates, np.nan)
    return Estimate(np.where(often, estimate.value, np.nan), replicates)


def repriced(board: Board, points: dict[int, int]) -> Board:
    """The board with other values of some tickets."""
    tickets = (replace(t, points=points.get(t.index, t.points)) for t in board.tickets)
    return replace(board, tickets=tuple(tickets))

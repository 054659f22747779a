"""Tickets: what it does to be dealt one, what it takes to complete one, and what one should be worth.

The focal seat is dealt the ticket in place of the first one of its deck, and that one goes to wherever the ticket lay.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, Estimate, Interval, in_shares, jackknife, ratio
from ttrsim.boards import Board
from ttrsim.boards.board import find_tickets
from ttrsim.boards.file import MOST
from ttrsim.choices import ROUNDS
from ttrsim.encode import UNCHANGED, Intervention
from ttrsim.errors import UsageError
from ttrsim.stats.frames import Column, Table, build
from ttrsim.stats.strategies import PLAYERS
from ttrsim.stats.tickets import TICKETS, deal_classes
from ttrsim.stats.verdicts import share_interval, verdicts
from ttrsim.trials.trial import FATES, FOCAL, OnGames, Played, Trial, nobody_listens, play

if TYPE_CHECKING:
    import pandas as pd


FOCAL_STRATEGY = Column("strategy", "key", "", "The focal seat's strategy.")
GAMES = Column("games", "count", "games", "Games with this change, and as many that they are compared with.")
PRINTED = (TICKETS.column("ticket"), TICKETS.column("deck"), TICKETS.column("points"))
DEALT = "with the ticket in place of the first one that the focal seat was dealt of that deck"
HELD = "made to hold the ticket, less that of the focal seat made to hold the one it was dealt"

SWAPS = Table(
    "swaps",
    f"A row is a ticket. The same deals are played as they are, and {DEALT}; it is free to keep it or not.",
    (
        PLAYERS,
        FOCAL_STRATEGY,
        *PRINTED,
        GAMES,
        Column(
            "score_effect",
            "estimate",
            "points",
            "Mean final score of the focal seat with the ticket, less that in the deals as they are.",
            "Score effect ±",
        ),
        Column("win_effect", "estimate", "share difference", "The same of its mean win share.", "Win effect ±"),
        Column("keep_rate", "description", "share", "Share of the games in which it keeps the ticket.", "Kept"),
        Column("completed_kept", "description", "share", "Of those kept, the share completed.", "Completed"),
    ),
    "score_effect",
    "The intervals of an effect hold at once for all tickets; those of descriptions each for itself.",
)

FORCED = Table(
    "forced",
    f"A row is a ticket. The same deals are played {DEALT}, which must keep it, whatever else it keeps.",
    (
        PLAYERS,
        FOCAL_STRATEGY,
        *PRINTED,
        GAMES,
        Column(
            "difficulty",
            "estimate",
            "share",
            "One less the share of the games in which the ticket is completed.",
            "Difficulty ±",
        ),
        Column("score_effect", "estimate", "points", f"Mean final score of the focal seat {HELD}.", "Score effect ±"),
        Column("win_effect", "estimate", "share difference", "The same of its mean win share.", "Win effect ±"),
        Column(
            "score_change",
            "estimate",
            "points",
            "Mean final score of the focal seat made to hold the ticket, less that in the deals as they are, where it "
            "chooses.",
            "Score change",
        ),
        Column("win_change", "estimate", "share difference", "The same of its mean win share."),
    ),
    "difficulty",
    "The intervals of effects and changes hold at once for all tickets; those of difficulty each for itself.",
)


def swaps(
    trial: Trial, tickets: Sequence[str] | None = None, *, threads: int = 1, on_games: OnGames = nobody_listens
) -> "pd.DataFrame":
    """What it does to be dealt each ticket, free to keep it."""
    chosen = dealt(trial.board, find_tickets(trial.board, tickets))
    slots = _slots(trial.board)
    arms = [Intervention(FOCAL, slots[deck], ticket) for ticket, deck in chosen]
    played = play(trial, [UNCHANGED, *arms], threads, on_games)
    mine = range(1, len(arms) + 1)
    kept, completed = (played.of_tickets(fate, mine, [ticket for ticket, _ in chosen]) for fate in FATES)
    games = played.of("games", mine)
    data = {
        **printed(trial, chosen),
        **effects(played, mine, [0] * len(arms), "effect"),
        "keep_rate": share(trial, ratio(kept, games), kept, games),
        "completed_kept": share(trial, ratio(completed, kept), completed, kept),
    }
    return build(SWAPS, data)


def forced(
    trial: Trial, tickets: Sequence[str] | None = None, *, threads: int = 1, on_games: OnGames = nobody_listens
) -> "pd.DataFrame":
    """How hard each ticket is, and what it does to hold it."""
    chosen = dealt(trial.board, find_tickets(trial.board, tickets))
    played, mine, base = held(trial, chosen, threads, on_games)
    done, games = played.of_tickets("completed", mine, [ticket for ticket, _ in chosen]), played.of("games", mine)
    failed = jackknife(lambda d, n: 1 - d / n, done, games)
    data = {
        **printed(trial, chosen),
        "difficulty": share(trial, failed, games - done, games),
        **effects(played, mine, base, "effect"),
        **effects(played, mine, [0] * len(chosen), "change"),
    }
    return build(FORCED, data)


def held(
    trial: Trial, chosen: Sequence[tuple[int, str]], threads: int, on_games: OnGames
) -> tuple[Played, Sequence[int], list[int]]:
    """The focal seat made to hold each ticket: what came of it, the arms of the tickets, and those to compare with.

    The first arm is the deals as they are; what to compare with are the same deals, where the seat is made to hold
    what it was dealt of the deck. So chance alone tells the two apart, and over all tickets of a deck effects are 0.
    """
    slots = _slots(trial.board)
    decks = list(dict.fromkeys(deck for _, deck in chosen))
    bases = [Intervention(FOCAL, slots[deck], forced=True) for deck in decks]
    arms = [Intervention(FOCAL, slots[deck], ticket, forced=True) for ticket, deck in chosen]
    played = play(trial, [UNCHANGED, *bases, *arms], threads, on_games)
    mine = range(1 + len(bases), 1 + len(bases) + len(arms))
    return played, mine, [1 + decks.index(deck) for _, deck in chosen]


def effects(played: Played, arms: Sequence[int], base: Sequence[int], what: str) -> dict[str, Interval]:
    """What arms do to score and win share of the focal seat."""
    return {
        f"score_{what}": played.change("score", arms, base).simultaneous(),
        f"win_{what}": in_shares(played.change("win60", arms, base).simultaneous()),
    }


def share(trial: Trial, estimate: Estimate, events: Array, chances: Array) -> Interval:
    """The intervals of shares, of events (batches, tickets) among as many chances, each for itself."""
    chances = chances.sum(axis=0)
    blocks = np.minimum(chances, trial.schedule.laps)
    return share_interval(estimate, events.sum(axis=0), chances, blocks)


def _slots(board: Board) -> dict[str, int]:
    """Where the first ticket of each deck lies in an opening offer: long ones come first."""
    long = board.rules.long_tickets
    return {"long": 0, "regular": long.deal if long else 0}


def dealt(board: Board, tickets: Sequence[int]) -> list[tuple[int, str]]:
    """Those of the tickets that can be dealt at the opening, each with its deck."""
    deck = {int(t): name for name, (members, deal) in deal_classes(board).items() if deal for t in members}
    return [(ticket, deck[ticket]) for ticket in tickets if ticket in deck]


def printed(trial: Trial, chosen: Sequence[tuple[int, str]]) -> dict[str, Array]:
    """What tells the rows apart."""
    board = trial.board
    return {
        "players": np.full(len(chosen), len(trial.line_up)),
        "strategy": np.full(len(chosen), trial.line_up[FOCAL].spec, object),
        "ticket": np.array([board.ticket_name(ticket) for ticket, _ in chosen], object),
        "deck": np.array([deck for _, deck in chosen], object),
        "points": np.array([board.tickets[ticket].points for ticket, _ in chosen]),
        "games": np.full(len(chosen), trial.schedule.games),
    }


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

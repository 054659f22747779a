"""Measure what being dealt a ticket does, and how hard it is to complete one that must be kept.

The focal seat is dealt the ticket in place of the first one of its deck, and that one goes to wherever the ticket lay.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import FEWEST_BATCHES, Array, Estimate, Interval, in_shares, jackknife, ratio
from ttrsim.boards import Board
from ttrsim.boards.board import find_tickets
from ttrsim.encode import UNCHANGED, Intervention
from ttrsim.formatting import counted
from ttrsim.stats.frames import Column, Definition, build
from ttrsim.stats.standings import PLAYERS
from ttrsim.stats.ticket_values import TICKETS, deal_classes
from ttrsim.stats.verdicts import rare_share
from ttrsim.trials.trial import FATES, FOCAL, Measure, OnGames, Trial, TrialResults, nobody_listens, nothing_more, play

if TYPE_CHECKING:
    import pandas as pd


FOCAL_STRATEGY = Column("strategy", "key", "", "The focal seat's strategy.")
GAMES = Column("games", "count", "games", "Games with this change, and as many that they are compared with.")
PRINTED = (TICKETS.column("ticket"), TICKETS.column("deck"), TICKETS.column("points"))
DEALT = "with the ticket in place of the first one that the focal seat was dealt of that deck"
HELD = "made to hold the ticket, less that of the focal seat made to hold the one it was dealt"

FEWEST_ALIKE = 30
"""Fewest events from which the likeness of the games of a block is estimated."""

SWAPS = Definition(
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
            "Extra points ±",
        ),
        Column("win_effect", "estimate", "share difference", "The same of its mean win share.", "Extra wins ±"),
        Column("keep_rate", "description", "share", "Share of the games in which it keeps the ticket.", "Kept"),
        Column("completed_kept", "description", "share", "Of those kept, the share completed.", "Completed"),
    ),
    "score_effect",
    "The intervals of an effect hold at once for all tickets; those of descriptions each on its own.",
    at_once=("score_effect", "win_effect"),
)

FORCED = Definition(
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
        Column("score_effect", "estimate", "points", f"Mean final score of the focal seat {HELD}.", "Extra points ±"),
        Column("win_effect", "estimate", "share difference", "The same of its mean win share.", "Extra wins ±"),
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
    "The intervals of effects and changes hold at once for all tickets; those of difficulty each on its own.",
    at_once=("score_effect", "win_effect"),
)


def swaps(
    trial: Trial, tickets: Sequence[str] | None = None, *, threads: int = 1, on_games: OnGames = nobody_listens
) -> "pd.DataFrame":
    """Measure what being dealt each ticket does, free to keep it or not."""
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
    """Measure how hard each ticket is, and what holding it does."""
    chosen = dealt(trial.board, find_tickets(trial.board, tickets))
    played, mine, base = held(trial, chosen, threads, on_games)
    done, games = played.of_tickets("completed", mine, [ticket for ticket, _ in chosen]), played.of("games", mine)
    data = {
        **printed(trial, chosen),
        "difficulty": failing(trial, done, games),
        **effects(played, mine, base, "effect"),
        **effects(played, mine, [0] * len(chosen), "change"),
    }
    frame = build(FORCED, data)
    frame.attrs["overruled"] = played.overruled
    return frame


def held(
    trial: Trial,
    chosen: Sequence[tuple[int, str]],
    threads: int,
    on_games: OnGames,
    measure: Measure = nothing_more,
) -> tuple[TrialResults, Sequence[int], list[int]]:
    """Make the focal seat hold each ticket; return the results, the arms of the tickets, and those to compare with.

    The first arm is the deals as they are; what to compare with are the same deals, where the seat is made to hold
    what it was dealt of the deck. So the two differ by chance alone, and over all tickets of a deck effects are 0.
    """
    slots = _slots(trial.board)
    decks = list(dict.fromkeys(deck for _, deck in chosen))
    bases = [Intervention(FOCAL, slots[deck], forced=True) for deck in decks]
    arms = [Intervention(FOCAL, slots[deck], ticket, forced=True) for ticket, deck in chosen]
    played = play(trial, [UNCHANGED, *bases, *arms], threads, on_games, measure)
    mine = range(1 + len(bases), 1 + len(bases) + len(arms))
    return played, mine, [1 + decks.index(deck) for _, deck in chosen]


def overruled_words(games: int) -> str:
    """Say that strategies left out tickets that they had to keep."""
    return (
        f"In {counted(games, 'game')} the strategy left out the ticket that it had to keep, and kept it beside what it "
        "chose, which makes tickets seem harder than they are. `ttrsim strategies check` says how to mend it."
    )


def effects(played: TrialResults, arms: Sequence[int], base: Sequence[int], what: str) -> dict[str, Interval]:
    """Return the effects of arms on score and win share of the focal seat."""
    return {
        f"score_{what}": played.change("score", arms, base).simultaneous(),
        f"win_{what}": in_shares(played.change("win60", arms, base).simultaneous()),
    }


def failing(trial: Trial, done: Array, games: Array) -> Interval:
    """Return the share of games in which each ticket is not completed, from sums (batches, tickets)."""
    return share(trial, jackknife(lambda d, n: 1 - d / n, done, games), games - done, games)


def share(trial: Trial, estimate: Estimate, events: Array, chances: Array) -> Interval:
    """Return intervals of shares of events, (batches, tickets), among as many chances, each on its own.

    Where events, or chances without them, are rare, they are those of Clopper and Pearson for the fewer independent
    games that are worth as much.
    """
    total, of = events.sum(axis=0), chances.sum(axis=0)
    value, low, high = estimate.frequent(total, of).interval()
    alike = likeness(estimate, total, of, len(trial.line_up))
    rare = rare_share(total / alike, of / alike, of / alike)
    return Interval(value, np.where(np.isnan(low), rare.low, low), np.where(np.isnan(high), rare.high, high))


def likeness(estimate: Estimate, events: Array, chances: Array, most: int) -> float:
    """Return how many games are worth one independent game, at most all of a block, from all tickets together.

    That is the ratio of their variances: those of the batches, and those of as many independent games.
    """
    known = (events > 0) & (events < chances) & ~np.isnan(estimate.error)
    if len(estimate.replicates) < FEWEST_BATCHES or events[known].sum() < FEWEST_ALIKE:
        return float(most)
    shares = events[known] / chances[known]
    ratio = (estimate.error[known] ** 2).sum() / (shares * (1 - shares) / chances[known]).sum()
    return float(np.clip(ratio, 1, most))


def _slots(board: Board) -> dict[str, int]:
    """Return the slot of the first ticket of each deck in an opening offer: long ones come first."""
    long = board.rules.long_tickets
    return {"long": 0, "regular": long.deal if long else 0}


def dealt(board: Board, tickets: Sequence[int]) -> list[tuple[int, str]]:
    """Return the tickets that can be dealt at the opening, each with its deck."""
    deck = {int(t): name for name, (members, deal) in deal_classes(board).items() if deal for t in members}
    return [(ticket, deck[ticket]) for ticket in tickets if ticket in deck]


def printed(trial: Trial, chosen: Sequence[tuple[int, str]]) -> dict[str, Array]:
    """Return the columns that distinguish the rows."""
    board = trial.board
    return {
        "players": np.full(len(chosen), len(trial.line_up)),
        "strategy": np.full(len(chosen), trial.line_up[FOCAL].spec, object),
        "ticket": np.array([board.ticket_name(ticket) for ticket, _ in chosen], object),
        "deck": np.array([deck for _, deck in chosen], object),
        "points": np.array([board.tickets[ticket].points for ticket, _ in chosen]),
        "games": np.full(len(chosen), trial.schedule.games),
    }

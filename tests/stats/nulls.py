"""Count false claims on pages of games in which neither strategy nor seat nor ticket makes a difference."""

import re
from collections.abc import Callable, Iterator, Mapping
from copy import copy

import numpy as np

from ttrsim.encode import bits
from ttrsim.games import Results
from ttrsim.report.answers import disagreement, seat_for_whom, tickets_for_whom, which_seat, which_tickets, who_wins
from ttrsim.report.glance import answering
from ttrsim.report.of_balance import answering as examined
from ttrsim.report.of_balance import answers_of_effects
from ttrsim.report.size_words import fair_words
from ttrsim.runs import Run
from ttrsim.runs.playing import Player
from ttrsim.runs.tally import TABLES, Adder, Tally
from ttrsim.schedule import batch_laps
from ttrsim.stats.balance import LIKE_PUBLISHED, balance
from ttrsim.stats.sizes import sizes
from ttrsim.stats.standings import MARGIN, above_fair, differences_at_once, seat_shares, strategies
from ttrsim.stats.ticket_values import effects_at_once, pairs
from ttrsim.stats.ticket_values import tickets as tickets_by

from .coverage import Counted, arrays_of, excludes_0


def null_pages(player: Player, laps: int, pages: int, planted: tuple[int, int, int] | None = None) -> Iterator[Counted]:
    """Yield runs of the same games in which neither strategy nor seat nor ticket makes any difference.

    Block by block, real results are handed to strategies and seats by lot, and to the opening offers of another block.
    So they depend on each other and vary as in real games. planted: two tickets, and points for being offered both.
    """
    played, dice = player.play(range(laps)), np.random.default_rng(1)
    results = played.seats.reshape(laps, -1, player.recipe.seats)
    line_ups, batch = np.zeros(len(played.games), int), batch_laps(laps)
    names = len(player.strategies)
    for _ in range(pages):
        seats = results.copy()
        renamed = dice.permuted(np.tile(np.arange(names), (laps, 1)), axis=1)
        seats["strategy"] = renamed[np.arange(laps)[:, None, None], results["strategy"]]
        turned = (np.arange(seats.shape[2]) + dice.integers(0, seats.shape[2], (laps, 1))) % seats.shape[2]
        seats = np.take_along_axis(seats, turned[:, None], axis=2)
        seats["offered"] = results["offered"][dice.permutation(laps)]
        if planted:
            a, b, points = planted
            seats["score"] += points * (has(seats["offered"], a) & has(seats["offered"], b)).astype(np.int16)
        tally = Tally(player.sizes, batch)
        adder = Adder(player.record, tally)
        for first in range(0, laps, batch):
            part = slice(first * seats.shape[1], (first + batch) * seats.shape[1])
            adder.add(first, Results(played.games[part], seats.reshape(played.seats.shape)[part]), line_ups[part])
        yield Counted(player, list(range(-(-laps // batch))), arrays_of(tally))


def null_sums(player: Player, laps: int, pages: int) -> Iterator[Counted]:
    """Yield such runs with the sums of seats and of opening offers alone, for which no game is counted again."""
    played, dice, batch = player.play(range(laps)), np.random.default_rng(1), batch_laps(laps)
    shape = (laps, -1, player.recipe.seats)
    names, tickets = len(player.strategies), np.arange(len(player.board.tickets))
    sat = played.seats["strategy"].reshape(shape)[..., None] == np.arange(names)
    outcomes = {"games": np.ones_like(played.win60), "score": played.seats["score"], "win60": played.win60}
    of_blocks = {name: (of.reshape(shape)[..., None] * sat).sum(axis=1) for name, of in outcomes.items()}
    offered = has(played.seats.reshape(shape)["offered"][:, 0], tickets).astype(np.float32)
    starts = np.arange(0, laps, batch)
    for _ in range(pages):
        named = np.argsort(dice.permuted(np.tile(np.arange(names), (laps, 1)), axis=1))[:, None]
        turned = (np.arange(shape[2]) + dice.integers(0, shape[2], (laps, 1)))[..., None] % shape[2]
        offers = offered[dice.permutation(laps)]
        seats = np.zeros((len(starts), names, shape[2]), TABLES["seats"].dtype)
        of_tickets = np.zeros((*seats.shape, len(tickets)), TABLES["tickets"].dtype)
        for name, of in of_blocks.items():
            dealt = np.take_along_axis(np.take_along_axis(of, named, axis=2), turned, axis=1)
            seats[name] = np.add.reduceat(dealt, starts).swapaxes(1, 2)
            column = "offered" if name == "games" else f"offered_{name}"
            of_seats, to_seats = dealt.transpose(1, 2, 0).astype(np.float32), offers.swapaxes(0, 1)
            for place, first in enumerate(starts):  # sums of whole numbers, which are exact
                part = slice(first, first + batch)
                of_tickets[column][place] = np.matmul(of_seats[..., part], to_seats[:, part]).swapaxes(0, 1)
        yield Counted(player, list(range(len(starts))), {"seats": seats, "tickets": of_tickets})


def has(offered: np.ndarray, ticket: int) -> np.ndarray:
    """Return which seats were offered a ticket."""
    return bits(offered)[..., ticket] != 0


def false_pair(run: Run) -> float:
    frame = pairs(run)
    return float((frame[["score_q", "win_q"]] <= 0.05).any(axis=None))


CLAIM = re.compile(
    r"(?<!No ticket )clearly (behind|off|ahead|helps?) |Clearly off|Most (help|harm)|but not with|"
    r"[1-9]\d* of \d+ \w+ clearly matter"
)
"""Sentences of the answers of a page where something makes a difference."""


BEYOND = re.compile(
    r"Farther from fair than [^.]* in [^.]*(seats|tickets|strategies)|clearly help, |clearly hurt, |clearly dominant|"
    r"[1-9]\d* of \d+ \w+ clearly goe?s? beyond|another: [1-9]|but (a|[1-9]\d*) \w+ go|any strategy there"
)
"""Sentences of the answers of an examination where something makes a difference."""


def false_answer_of_balance(run: Run) -> float:
    """Return whether the page of an examination with this one table says what is not so."""
    table = copy(run)
    table.recipe = run.recipe.model_copy(update={"design": "mixed"})
    frame, level = examined([table], LIKE_PUBLISHED)
    judged = balance([table], LIKE_PUBLISHED)
    answers = answers_of_effects(frame, [table], LIKE_PUBLISHED, level)
    words = [
        fair_words(judged, sizes([table], judged), LIKE_PUBLISHED),
        *(line for each in answers for line in (each.words, *each.points)),
    ]
    return float(bool(BEYOND.search(" ".join(words))))


def false_answer(run: Run) -> float:
    frames = answering(run, MARGIN)
    tickets, seats = frames["tickets"], frames["seats"]
    words = [
        who_wins(run, strategies(run), frames["strength"], frames["versus"]),
        which_tickets(tickets, MARGIN, run.games_played),
        tickets_for_whom(tickets, tickets_by(run)),
        which_seat(seats, MARGIN),
        disagreement(tickets),
        seat_for_whom(seats, run.strategies),
    ]
    return float(bool(CLAIM.search(" ".join(words))))


CLAIMS = {
    "a pair of tickets": false_pair,
    "an answer in words": false_answer,
    "an answer on a balance": false_answer_of_balance,
    "tickets by seat, score": lambda run: excludes_0(effects_at_once(run, "score", "seat"), 2),
    "tickets by seat, wins": lambda run: excludes_0(effects_at_once(run, "win60", "seat"), 2),
}
"""Shares of `null_pages` with something false, or of the families of a page."""
FAMILIES = {
    "difference of win shares": lambda run: excludes_0(differences_at_once(run), 0),
    "seats": lambda run: excludes_0(above_fair(seat_shares(run), run).simultaneous(), 0),
    **{
        f"tickets by {by}, {what}": lambda run, by=by, outcome=outcome, keep=keep: excludes_0(
            effects_at_once(run, outcome, by), keep
        )
        for by, keep in (("all", 0), ("strategy", 1))
        for what, outcome in (("score", "score"), ("wins", "win60"))
    },
}
"""Shares of false families of `null_sums`."""


def falsehoods(claims: Mapping[str, Callable[[Counted], float]], pages: Iterator[Counted]) -> dict[str, float]:
    """Return how often each of some claims is false, over null pages."""
    found = [[of(run) for of in claims.values()] for run in pages]
    return dict(zip(claims, np.mean(found, axis=0).tolist(), strict=True))


def found_planted(player: Player, laps: int, pages: int, points: int = 10) -> float:
    """Return in what share of pages the only pair that is worth more together is found, the first that is dealt."""
    found = []
    for run in null_pages(player, laps, pages, (0, 1, points)):
        first = pairs(run).iloc[0]
        names = [player.board.ticket_name(ticket) for ticket in player.board.tickets[:2]]
        found.append([first["ticket"], first["other"]] == names and first["score_q"] <= 0.05)
    return float(np.mean(found))

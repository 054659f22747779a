"""Pairs of tickets: whether two together are worth more than each for itself."""

from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, Estimate, discoveries, in_shares, jackknife
from ttrsim.core.tally import WHOLE_WIN
from ttrsim.stats.frames import Column, Table, build
from ttrsim.stats.reading import sums, to_groups
from ttrsim.stats.strategies import PLAYERS

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

SYNERGY = (
    "of seats offered both, less that of seats offered the one only, less that of seats offered the other only, and "
    "that of seats offered neither: 0 if the offer effects of both simply add up."
)
PAIRS = Table(
    "pairs",
    "A row is a pair of tickets that can be in one opening offer, over all strategies and seats.",
    (
        PLAYERS,
        Column("ticket", "key", "", "A ticket.", "Ticket"),
        Column("other", "key", "", "A later one of the board.", "Other"),
        Column("offered", "count", "seats", "Seats that had both in the opening offer.", "Offered"),
        Column("score_synergy", "estimate", "points", f"Mean final score {SYNERGY}", "Score synergy ±"),
        Column(
            "score_q",
            "number",
            "share",
            "Of synergies in score with a q as small as this, at most such a share is chance.",
            "q",
        ),
        Column("win_synergy", "estimate", "share difference", f"Mean win share {SYNERGY}", "Win synergy ±"),
        Column("win_q", "number", "share", "The same for synergies in win share.", "q of wins"),
    ),
    "score_q",
    "Each interval holds for itself; which pairs to believe is told by q (Benjamini–Hochberg, over all pairs).",
    smallest_first=True,
)


def pairs(run: "Run") -> "pd.DataFrame":
    """The synergy of each pair of tickets."""
    together = sums(run, "ticket_pairs")
    both = together["offered"].sum(axis=0) > 0
    first, second = np.nonzero(both)
    names = np.array([run.board.ticket_name(ticket) for ticket in run.board.tickets], object)
    score, win = synergies(run, "score"), synergies(run, "win60")
    return build(
        PAIRS,
        {
            "players": np.full(len(first), run.plan.seats),
            "ticket": names[first],
            "other": names[second],
            "offered": together["offered"].sum(axis=0)[both],
            "score_synergy": score.interval(),
            "score_q": discoveries(score.p_values()),
            "win_synergy": in_shares(win.interval()),
            "win_q": discoveries(win.p_values()),
        },
    )


def synergies(run: "Run", outcome: str) -> Estimate:
    """(pairs that were offered together,): the synergy of each in `score` or `win60`."""
    together = sums(run, "ticket_pairs")
    first, second = np.nonzero(together["offered"].sum(axis=0))
    seats, offers = sums(run, "seats"), sums(run, "tickets")
    games, total = (to_groups(run, seats[name].sum(axis=(1, 2))) for name in ("games", outcome))
    offered, of_offered = (to_groups(run, offers[name].sum(axis=(1, 2))) for name in ("offered", f"offered_{outcome}"))
    both, of_both = (together[name][:, first, second] for name in ("offered", outcome))

    def contrast(games: Array, total: Array, *sums_of: Array) -> Array:
        one, of_one, other, of_other, both, of_both = sums_of
        games, total = games[:, None], total[:, None]
        neither, of_neither = games - one - other + both, total - of_one - of_other + of_both
        alone = (of_one - of_both) / (one - both) + (of_other - of_both) / (other - both)
        return np.asarray(of_both / both - alone + of_neither / neither)

    singles = (array[:, place] for place in (first, second) for array in (offered, of_offered))
    estimate = jackknife(contrast, games, total, *singles, both, of_both)
    return estimate.frequent(of_both.sum(axis=0) / WHOLE_WIN, both.sum(axis=0)) if outcome == "win60" else estimate

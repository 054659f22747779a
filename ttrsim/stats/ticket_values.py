"""Value tickets: what being offered one is worth, and whether two are worth more together than each on its own.

Being dealt a ticket is chance; keeping it and completing it are not, for strategies choose what suits them. So the
value of a ticket is its *offer effect*: what comes of seats that had it in the opening offer less what comes of those
that had not, compared within seat and strategy. All else is description.
"""

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from ttrsim.batches import LEVEL, Array, Estimate, Interval, discoveries, in_shares, jackknife, ratio, share
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.stats.frames import Column, Definition, block_games, build, sums, to_groups
from ttrsim.stats.over_strategies import columns, over_strategies, sign_column, signs
from ttrsim.stats.standings import PLAYERS, SEAT, STRATEGY

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.boards import Board
    from ttrsim.runs import Run


By = Literal["strategy", "seat", "all"]

EFFECT = (
    "of seats that had the ticket in the opening offer less that of seats that had not, compared within strategy and "
    "seat and averaged over those as a regression with a constant for each does."
)
TICKETS = Definition(
    "tickets",
    'A row is a ticket, for a strategy; with `by="seat"` for a strategy in a seat (offer effects only), with '
    '`by="all"` over all strategies, and only then with how the effects vary over them.',
    (
        PLAYERS,
        STRATEGY,
        SEAT,
        Column("ticket", "key", "", "The ticket.", "Ticket"),
        Column("deck", "key", "", "Its deal class: regular, or long where long tickets are dealt apart."),
        Column("points", "number", "points", "Its printed value.", "Points"),
        Column("trains", "number", "trains", "Trains of a cheapest path on the empty board."),
        Column("points_per_train", "number", "points per train", "Points for each of those trains."),
        Column("offered", "count", "seats", "Seats that had it in the opening offer.", "Offered"),
        Column("score_effect", "estimate", "points", f"Mean final score {EFFECT}", "Extra points ±"),
        *columns("score_effect", "points", "The score effect"),
        sign_column("score_effect", "the score effect"),
        Column("win_effect", "estimate", "share difference", f"Mean win share {EFFECT}", "Extra wins ±"),
        *columns("win_effect", "share difference", "The win effect", "New strategy"),
        sign_column("win_effect", "the win effect", "Sign"),
        Column("keep_rate", "description", "share", "Of those offers, the share kept.", "Kept"),
        Column("completed_offered", "description", "share", "Of those offers, the share kept and completed."),
        Column("completed_kept", "description", "share", "Of those kept, the share completed.", "Completed"),
        Column(
            "turns",
            "description",
            "turns",
            "Of those completed by own routes, the mean turn of the claim that completed it, the seat's own turns "
            "from 1.",
            "Turns",
        ),
        Column(
            "blocked",
            "description",
            "share",
            "Of those kept and failed, the share whose ends neither own nor free routes connect at the end of the "
            "game.",
            "Blocked",
        ),
        Column(
            "drawn_keep_rate",
            "description",
            "share",
            "Of seats offered it later and not at the opening, the share that kept it.",
        ),
    ),
    "score_effect",
    "The intervals of an effect hold at once for all tickets of a strategy (and seat); those of descriptions each "
    "on its own.",
    at_once=("score_effect", "win_effect"),
)


def tickets(run: "Run", by: By = "strategy", level: float = LEVEL) -> "pd.DataFrame":
    """Return the offer effect of each ticket, by intervals of a level, and what strategies did with it."""
    s = sums(run, "tickets")
    seated = _seated(run, by)
    shape = (*seated.shape, len(run.board.tickets))
    places = np.indices(shape)
    rows = np.broadcast_to(seated[..., None], shape)
    data = {
        "players": np.full(shape, run.recipe.seats),
        "offered": s["offered"].sum(axis=0).sum(axis=tuple(axis - 1 for axis in _pooled(by))),
        **{name: values[places[-1]] for name, values in _printed(run.board).items()},
        "score_effect": effects_at_once(run, "score", by, level),
        "win_effect": in_shares(effects_at_once(run, "win60", by, level)),
    }
    if by == "all":
        data |= _who_plays(run, level)
    else:
        data["strategy"] = np.array(run.strategies)[places[0]]
    if by == "seat":
        data["seat"] = places[1]
    else:
        data |= fate_intervals(run, by)
    return build(TICKETS, {name: _rows(value, rows) for name, value in data.items()})


def _who_plays(run: "Run", level: float) -> dict[str, Array | Interval]:
    """Return how the effects of each ticket vary over strategies."""
    found: dict[str, Array | Interval] = {}
    for name, outcome, unit in (("score_effect", "score", 1), ("win_effect", "win60", 1 / WHOLE_WIN)):
        found |= over_strategies(name, offer_effects(run, outcome, rare=True).scaled(unit))
        found[f"{name}_sign"] = signs(offer_effects(run, outcome).varied(), level)
    return found


def _rows(value: Array | Interval, rows: Array) -> Array | Interval:
    return Interval(*(end[rows] for end in value)) if isinstance(value, Interval) else value[rows]


def _pooled(by: By) -> tuple[int, ...]:
    """Return the axes of (batches, strategies, seats, tickets) that are summed over."""
    return {"strategy": (2,), "seat": (), "all": (1, 2)}[by]


def _seated(run: "Run", by: By) -> Array:
    """Return for which strategies and seats there are rows."""
    games = sums(run, "seats")["games"].sum(axis=0)
    return np.asarray(games.sum(axis=tuple(axis - 1 for axis in _pooled(by))) > 0)


def offer_effects(run: "Run", outcome: str, by: By = "strategy", *, rare: bool = False) -> Estimate:
    """Return offer effects on `score` or `win60`, (strategies, seats, tickets) without the axes summed over.

    rare: with errors also where wins or losses are few.
    """
    offers, seats = sums(run, "tickets"), sums(run, "seats")

    def effects(offered: Array, of_offered: Array, games: Array, total: Array) -> Array:
        games, total = np.maximum(games, 1)[..., None], total[..., None]  # where nobody sat all is 0
        surplus = of_offered - offered * (total / games)
        weight = offered * (1 - offered / games)
        pooled = _pooled(by)
        return np.asarray(surplus.sum(axis=pooled) / weight.sum(axis=pooled))

    offered, of_offered = offers["offered"], offers[f"offered_{outcome}"]
    estimate = jackknife(effects, offered, of_offered, seats["games"], seats[outcome])
    if by == "seat":
        having, all_ = offered.sum(axis=0), seats["games"].sum(axis=0)[..., None]
        with np.errstate(divide="ignore"):
            estimate = estimate.varied().pooled(1 / having + 1 / (all_ - having))
    if rare or outcome != "win60":
        return estimate
    pooled = _pooled(by)
    return estimate.frequent(*(array.sum(axis=(0, *pooled)) for array in (of_offered / WHOLE_WIN, offered)))


def effects_at_once(run: "Run", outcome: str, by: By, level: float = LEVEL) -> Interval:
    """Return offer effects with intervals that hold at once for all tickets, of each strategy (and seat).

    Few seats of a batch were offered a ticket, and few games can count much, as where a strategy draws tickets without
    end. Of a seat there are too few for this to be known.
    """
    estimate = offer_effects(run, outcome, by).varied()
    families = {"all": 0, "strategy": 1, "seat": 2}[by]
    return estimate.simultaneous(families, level, rare=by != "seat")


def deal_classes(board: "Board") -> dict[str, tuple[Array, int]]:
    """Return the tickets of each deck dealt at the opening, by index, and how many of them a seat is offered."""
    long = np.array([ticket.long for ticket in board.tickets])
    classes = {"regular": (np.flatnonzero(~long), board.rules.tickets.deal)}
    if board.rules.long_tickets:
        classes["long"] = (np.flatnonzero(long), board.rules.long_tickets.deal)
    return classes


def _printed(board: "Board") -> dict[str, Array]:
    """Return what is known about each ticket before a game."""
    from ttrsim.boards.analysis import cheapest_trains

    points, trains = np.array([ticket.points for ticket in board.tickets]), np.array(cheapest_trains(board))
    return {
        "ticket": np.array([board.ticket_name(ticket) for ticket in board.tickets], object),
        "deck": np.where([ticket.long for ticket in board.tickets], "long", "regular"),
        "points": points,
        "trains": trains,
        "points_per_train": points / trains,
    }


def fates(run: "Run", by: By) -> dict[str, Estimate]:
    """Return what strategies did with tickets, and the results."""
    return {name: ratio(above, below) for name, (above, below) in fate_counts(run, by).items()}


def fate_counts(run: "Run", by: By) -> dict[str, tuple[Array, Array]]:
    """Return the sums that `fates` divides, (groups, …, tickets)."""
    s, offered = sums(run, "ticket_fates"), sums(run, "tickets")["offered"].sum(axis=2)
    if by == "all":
        s = {name: array.sum(axis=1) for name, array in s.items()}
        offered = offered.sum(axis=1)
    kept, completed = s["kept"], s["completed"]
    in_groups = to_groups(run, offered)
    return {
        "keep_rate": (kept, in_groups),
        "completed_offered": (completed, in_groups),
        "completed_kept": (completed, kept),
        "turns": (s["connected_turn"], s["connected"]),
        "blocked": (s["blocked"], kept - completed),
        "drawn_keep_rate": (s["drawn_kept"], s["drawn"]),
    }


def fate_intervals(run: "Run", by: By) -> dict[str, Interval]:
    """Return the same with intervals, each on its own."""
    return {
        name: share(*counts) if TICKETS.column(name).unit == "share" else ratio(*counts).varied().interval()
        for name, counts in fate_counts(run, by).items()
    }


SYNERGY = (
    "of seats offered both, less that of seats offered the one only, less that of seats offered the other only, and "
    "that of seats offered neither: 0 if the offer effects of both simply add up."
)
BOTH = "of seats offered both, less that of seats offered neither."
PAIRS = Definition(
    "pairs",
    "A row is a pair of tickets that can be in one opening offer, over all strategies and seats.",
    (
        PLAYERS,
        Column("ticket", "key", "", "A ticket.", "Ticket"),
        Column("other", "key", "", "A later one of the board.", "Other"),
        Column("points", "number", "points", "The printed value of the ticket."),
        Column("other_points", "number", "points", "The printed value of the other one."),
        Column("offered", "count", "seats", "Seats that had both in the opening offer.", "Offered"),
        Column("score_synergy", "estimate", "points", f"Mean final score {SYNERGY}", "Score synergy ±"),
        Column(
            "score_q",
            "number",
            "share",
            "Of synergies with a q as small as that of the one in score, at most such a share is chance.",
            "q",
        ),
        Column("win_synergy", "estimate", "share difference", f"Mean win share {SYNERGY}", "Win synergy ±"),
        Column("win_q", "number", "share", "The same for the synergy in win share.", "q of wins"),
        Column("score_effect", "estimate", "points", f"Mean final score {BOTH}"),
        Column("win_effect", "estimate", "share difference", f"Mean win share {BOTH}"),
    ),
    "score_q",
    "Each interval holds on its own; q says which pairs to believe (Benjamini–Hochberg, over all pairs and both "
    "synergies). No error is taken to be smaller than that of all pairs together, and each has the degrees of freedom "
    "of the deals in which it comes up; so q of a run of a few thousand games is hardly ever small.",
    smallest_first=True,
)


def pairs(run: "Run") -> "pd.DataFrame":
    """Return the synergy of each pair of tickets."""
    together = sums(run, "ticket_pairs")
    both = together["offered"].sum(axis=0) > 0
    first, second = np.nonzero(both)
    names = np.array([run.board.ticket_name(ticket) for ticket in run.board.tickets], object)
    points = np.array([ticket.points for ticket in run.board.tickets])
    score, win = synergies(run, "score"), synergies(run, "win60")
    score_q, win_q = discoveries(np.stack([score.p_values(), win.p_values()]))
    return build(
        PAIRS,
        {
            "players": np.full(len(first), run.recipe.seats),
            "ticket": names[first],
            "other": names[second],
            "points": points[first],
            "other_points": points[second],
            "offered": together["offered"].sum(axis=0)[both],
            "score_synergy": score.interval(),
            "score_q": score_q,
            "win_synergy": in_shares(win.interval()),
            "win_q": win_q,
            "score_effect": effects_of_both(run, "score").interval(),
            "win_effect": in_shares(effects_of_both(run, "win60").interval()),
        },
    )


def synergies(run: "Run", outcome: str) -> Estimate:
    """Return the synergy in `score` or `win60` of each pair that was offered together, (pairs,)."""
    return _of_pairs(run, outcome, (1, -1, -1, 1))


def effects_of_both(run: "Run", outcome: str) -> Estimate:
    """Return the effect on `score` or `win60` of being offered both tickets of each such pair, (pairs,)."""
    return _of_pairs(run, outcome, (1, 0, 0, -1))


def _of_pairs(run: "Run", outcome: str, weights: tuple[int, ...]) -> Estimate:
    """Return a weighted sum of the means of seats offered both tickets, the one alone, the other alone, and neither.

    Both tickets are in few hands, too few for batches to tell of their error; see `Estimate.pooled`.
    """
    together = sums(run, "ticket_pairs")
    first, second = np.nonzero(together["offered"].sum(axis=0))
    seats, offers = sums(run, "seats"), sums(run, "tickets")
    games, total = (to_groups(run, seats[name].sum(axis=(1, 2))) for name in ("games", outcome))
    offered, of_offered = (to_groups(run, offers[name].sum(axis=(1, 2))) for name in ("offered", f"offered_{outcome}"))
    both, of_both = (together[name][:, first, second] for name in ("offered", outcome))

    def parted(all_: Array, one: Array, other: Array, both: Array) -> tuple[Array, ...]:
        """Return sums of seats offered both, the one alone, the other alone, neither."""
        return both, one - both, other - both, all_[..., None] - one - other + both

    def of_means(*of: Array) -> Array:
        parts = zip(weights, parted(*of[4:]), parted(*of[:4]), strict=True)
        return np.asarray(sum(weight * (total / seats) for weight, total, seats in parts if weight))

    counts = games, offered[:, first], offered[:, second], both
    estimate = jackknife(of_means, *counts, total, of_offered[:, first], of_offered[:, second], of_both)
    estimate = replace(estimate.varied(), fewest=both.sum(axis=0) / block_games(run))
    if outcome == "win60":
        estimate = estimate.frequent(of_both.sum(axis=0) / WHOLE_WIN, both.sum(axis=0))
    parts = zip(weights, parted(*(count.sum(axis=0) for count in counts)), strict=True)
    with np.errstate(divide="ignore"):
        unit = sum(weight**2 / seats for weight, seats in parts if weight)
    return estimate.pooled(np.asarray(unit))

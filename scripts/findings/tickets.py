"""Questions about tickets: long ones, what they should cost, and whether those of Europe are alike."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ttrsim.batches import Estimate, jackknife, sidak
from ttrsim.boards import Board, load_board
from ttrsim.boards.analysis import cheapest_trains
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.formatting import decimal
from ttrsim.runs import Run
from ttrsim.stats.ticket_values import offer_effects
from ttrsim.words import listed

from .lab import Lab
from .played import Row, mixed
from .statements import FREEDOM, Amount, Finding, Statement, amount, mean, own, span

LONG = 17
"""Points of the tickets of USA that count as long: six of the thirty."""
OFFER_GAMES = 20_000
FAIR_GAMES = 300
"""Games with each ticket in each round of a search for fair values."""
TRAIN_GAIN = "With each train of the shortest path"


def effects(run: Run) -> Estimate:
    """Return what being offered each ticket does to winning, over all strategies, in points: (tickets,)."""
    return offer_effects(run, "win60", "all", rare=True).scaled(100 / WHOLE_WIN)


def mean_effect(name: str, estimate: Estimate, tickets: Sequence[int]) -> Amount:
    """Return the mean effect of some tickets."""
    chosen = list(tickets)
    return amount(name, Estimate(estimate.value[chosen].mean(), estimate.replicates[:, chosen].mean(axis=1)))


def long_ticket(lab: Lab) -> Finding:
    """Must one keep a long ticket?"""
    runs = mixed(lab, "usa")
    lab.show("stats", "usa/4-mixed", "tickets", "--by", "all")
    board = next(iter(runs.values())).board
    long = [n for n, ticket in enumerate(board.tickets) if ticket.points >= LONG]
    short = [n for n, ticket in enumerate(board.tickets) if ticket.points <= 8]
    longs = [mean_effect(f"long tickets, {n} players", effects(run), long) for n, run in runs.items()]
    shorts = [mean_effect(f"short tickets, {n} players", effects(run), short) for n, run in runs.items()]
    none = [without_long(lab, n, board, long) for n in (2, 4)]
    fair = (50, 25)
    return Finding(
        "Must one keep a long ticket?",
        Statement(
            f"No, but it helps: being offered one of the six tickets of {LONG} points and more brings {span(longs)} "
            f"wins per 100 games, and who is offered none still wins {decimal(none[1].value)} % with four players, "
            "not 25 %.",
            all(f.low > 0 for f in longs)
            and all(share / 2 < f.value < share for f, share in zip(none, fair, strict=True)),
        ),
        [
            "Offered a long ticket: "
            + listed(f"{f.words(signed=True)} with {n}" for n, f in zip(runs, longs, strict=True))
            + " players; a short one (8 points or fewer): "
            + listed(f.words(signed=True) for f in shorts)
            + ".",
            f"Among planners, who is offered no long ticket wins {none[0].words()} % with two players and "
            f"{none[1].words()} % with four.",
        ],
        "Averages over five unlike strategies on USA; the deal is chance, so this is what the offer brings and not "
        "what who keeps long tickets has in common. Single long tickets differ: see the first finding.",
        lab.used,
        [*longs, *shorts, *none],
    )


def without_long(lab: Lab, seats: int, board: Board, long: Sequence[int]) -> Amount:
    """Return how often, in %, a planner wins among planners that was offered no long ticket."""
    games = max(400, round(OFFER_GAMES * lab.scale))
    played = lab.simulated(seats, games)
    word = np.uint64(sum(1 << ticket for ticket in long))
    none = (played.seats["offered"][..., 0] & word) == 0
    assert len(board.tickets) <= 64
    wins, number = ((of * none).sum(axis=1) for of in (played.win_share, np.ones_like(played.win_share)))
    batches = [np.array([part.sum() for part in np.array_split(of, 100)]) for of in (wins, number)]
    return amount(f"offered none, {seats} planners", jackknife(np.divide, *batches), 100)


def fair_rows(lab: Lab, seats: int) -> list[Row]:
    """Return what each ticket of USA should cost among planners."""
    players = ",".join(["planner"] * seats)
    return lab.table("fair", "tickets", "--map", "usa", "--players", players, "--fair", games=FAIR_GAMES)


def fair_amounts(lab: Lab, seats: int) -> dict[str, Amount]:
    """Return the fair values of tickets, where they are known, by ticket."""
    rows = sorted(fair_rows(lab, seats), key=lambda row: str(row["ticket"]))
    found = {row["ticket"]: own(f"{row['ticket']}, {seats} players", row, "fair_value") for row in rows}
    return {ticket: value for ticket, value in found.items() if value.error == value.error}


def mispriced(lab: Lab) -> Finding:
    """Which tickets are mispriced?"""
    printed = {row["ticket"]: row["points"] for row in fair_rows(lab, 2)}
    values = {seats: fair_amounts(lab, seats) for seats in (2, 4)}
    off = {
        ticket: mean(ticket, [values[seats][ticket] for seats in values])
        for ticket in printed
        if all(ticket in of for of in values.values())
    }
    bound = float(sidak(len(off), FREEDOM))
    clearly = [t for t, f in off.items() if abs(f.value - printed[t]) > bound * f.error]
    order = sorted(off, key=lambda ticket: off[ticket].value - printed[ticket])
    dear, cheap = order[0], order[-1]
    words = [f"{ticket} {decimal(off[ticket].value)} (printed {printed[ticket]:.0f})" for ticket in order]
    return Finding(
        "Which tickets are mispriced?",
        Statement(
            f"Most of them: {len(clearly)} of 30 are clearly worth more or less than printed. {dear} gives "
            f"{printed[dear]:.0f} points and should give {decimal(off[dear].value, 0)}; {cheap} gives "
            f"{printed[cheap]:.0f} and should give {decimal(off[cheap].value, 0)}.",
            dear in clearly and cheap in clearly and len(clearly) > len(printed) / 2,
        ),
        [
            f"Too good as printed, with what they should give: {listed(words[:5])}.",
            f"Too poor as printed: {listed(words[:-6:-1])}.",
        ],
        "The value at which having to hold the ticket makes no difference to the score, the sum of all points as "
        "printed; means of planners with two and with four players, each to about ± "
        f"{decimal(max(f.half for f in off.values()))}. Weaker players, who fail long tickets more often, would need "
        "other values.",
        lab.used,
        [f for of in values.values() for f in of.values()],
    )


def shortest_path(lab: Lab) -> Finding:
    """Is the shortest path the right price of a ticket?"""
    board = load_board("usa")
    trains = dict(zip([board.ticket_name(ticket) for ticket in board.tickets], cheapest_trains(board), strict=True))
    like = sum(abs(ticket.points - trains[board.ticket_name(ticket)]) <= 1 for ticket in board.tickets)
    slopes = {seats: slope(f"{seats} players", fair_amounts(lab, seats), trains) for seats in (2, 4)}
    return Finding(
        "Is the shortest path the right price of a ticket?",
        Statement(
            f"No: what a ticket should give hardly grows with its shortest path, by {span(list(slopes.values()), 2)} "
            "points for each train, and not by one.",
            all(f.high < 1 for f in slopes.values()),
        ),
        [
            f"{TRAIN_GAIN} a fair value grows by "
            + listed(f"{f.words(2)} points with {seats} players" for seats, f in slopes.items())
            + ". The printed points of USA are those trains, at "
            f"{like} of {len(trains)} tickets to within one.",
            "Routes score for themselves, and long ones more for each train; who holds a long ticket lays them anyway.",
        ],
        "Among planners on USA, with the sum of all points as printed.",
        lab.used,
        list(slopes.values()),
    )


def slope(name: str, values: dict[str, Amount], trains: dict[str, Any]) -> Amount:
    """Return by how much values grow with trains: a straight line through all tickets."""
    x = np.array([float(trains[ticket]) for ticket in values])
    weight = (x - x.mean()) / ((x - x.mean()) ** 2).sum()
    value = float(weight @ np.array([f.value for f in values.values()]))
    return Amount(name, value, float(np.sqrt(weight**2 @ np.array([f.error for f in values.values()]) ** 2)))


def europes_long(lab: Lab) -> Finding:
    """Are Europe's long tickets equal?"""
    runs = mixed(lab, "europe")
    lab.show("stats", "europe/4-mixed", "tickets", "--by", "all")
    board = next(iter(runs.values())).board
    long = {board.ticket_name(ticket): n for n, ticket in enumerate(board.tickets) if ticket.long}
    found = {
        name: [mean_effect(f"{name}, {seats} players", effects(run), [n]) for seats, run in runs.items()]
        for name, n in long.items()
    }
    order = sorted(found, key=lambda name: -mean("", found[name]).value)
    best, worst = order[0], order[-1]
    rows = [["", *(f"{seats} players" for seats in runs)]]
    rows += [
        [f"{name} ({board.tickets[long[name]].points})", *(f.words(signed=True) for f in found[name])] for name in order
    ]
    always = all(a.low > b.high for a, b in zip(found[best], found[worst], strict=True))
    return Finding(
        "Are Europe's long tickets equal?",
        Statement(
            f"No: {best} brings {span(found[best], signed=True)} wins per 100 games against the other five, {worst} "
            f"{span(found[worst], signed=True)}, and nobody can choose.",
            always and found[best][2].low > 0 > found[worst][2].high,
        ),
        [],
        "Everybody is dealt one of the six. Averages over five unlike strategies, in wins per 100 games.",
        lab.used,
        [f for of in found.values() for f in of],
        rows=rows,
    )

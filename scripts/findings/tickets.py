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
from .statements import FREEDOM, Amount, Finding, Statement, amount, does_span, mean, own, span

LONG = 17
"""Points of the tickets of USA that count as long: six of the thirty."""
OFFER_GAMES = 20_000
OFFER_LINES = """
import ttrsim

tickets = ttrsim.load_board("{board}").tickets
long = sum(1 << n for n, ticket in enumerate(tickets) if ticket.points >= 17)
for n in (2, 4):
    played = ttrsim.simulate(board="{board}", players=["planner"] * n, games={games}, seed={seed})
    none = played.seats["offered"][..., 0] & long == 0
    print(n, played.win_share[none].mean())
"""
"""The same share of wins, for a reader to type."""
FAIR_GAMES = 300
"""Games with each ticket in each round of a search for fair values."""


def effects(run: Run) -> Estimate:
    """Return the effect of being offered each ticket on winning, over all strategies, in points: (tickets,)."""
    return offer_effects(run, "win60", "all", rare=True).scaled(100 / WHOLE_WIN)


def mean_effect(name: str, estimate: Estimate, tickets: Sequence[int]) -> Amount:
    """Return the mean effect of some tickets."""
    chosen = list(tickets)
    return amount(name, Estimate(estimate.value[chosen].mean(), estimate.replicates[:, chosen].mean(axis=1)))


def long_ticket(lab: Lab) -> Finding:
    """Do you need a long ticket?"""
    runs = mixed(lab, "usa")
    lab.show("stats", "usa/4-mixed", "tickets", "--by", "all")
    board = next(iter(runs.values())).board
    long = [n for n, ticket in enumerate(board.tickets) if ticket.points >= LONG]
    short = [n for n, ticket in enumerate(board.tickets) if ticket.points <= 8]
    longs = [mean_effect(f"long tickets, {n} players", effects(run), long) for n, run in runs.items()]
    shorts = [mean_effect(f"short tickets, {n} players", effects(run), short) for n, run in runs.items()]
    games = max(400, round(OFFER_GAMES * lab.scale))
    none = [without_long(lab, n, games, board, long) for n in (2, 4)]
    lab.show_python(OFFER_LINES, games)
    fair = (50, 25)
    return Finding(
        "Do you need a long ticket?",
        Statement(
            f"Nearly: planners that are offered none of the six tickets of {LONG} points or more win "
            f"{decimal(none[1].value)} % of four-player games, not 25 %, and {decimal(none[0].value)} % of two-player "
            "games, not 50 %.",
            all(f.low > 0 for f in longs)
            and all(share / 2 < f.value < 0.9 * share for f, share in zip(none, fair, strict=True)),
        ),
        [
            "In wins per 100 games, over five unlike strategies, being offered a long ticket brings "
            + listed(f"{f.words()} with {n}" for n, f in zip(runs, longs, strict=True))
            + " players; being offered a short one (8 points or fewer) changes them by "
            + listed(f.words(signed=True) for f in shorts)
            + ".",
            f"Planners that are offered no long ticket: {none[0].words()} % with two players, {none[1].words()} % with "
            "four.",
        ],
        "USA. Which tickets are offered is chance, so this is the effect of the offer, and not of what players who "
        "keep long tickets have in common. The long tickets differ: see the first finding of the other page.",
        lab.used,
        [*longs, *shorts, *none],
    )


def without_long(lab: Lab, seats: int, games: int, board: Board, long: Sequence[int]) -> Amount:
    """Return how often, in %, a planner wins among planners that was offered no long ticket."""
    played = lab.simulated(seats, games)
    word = np.uint64(sum(1 << ticket for ticket in long))
    none = (played.seats["offered"][..., 0] & word) == 0
    assert len(board.tickets) <= 64
    wins, number = ((of * none).sum(axis=1) for of in (played.win_share, np.ones_like(played.win_share)))
    batches = [np.array([part.sum() for part in np.array_split(of, 100)]) for of in (wins, number)]
    return amount(f"offered none, {seats} planners", jackknife(np.divide, *batches), 100)


def fair_rows(lab: Lab, seats: int) -> list[Row]:
    """Return the fair values of the tickets of USA among planners."""
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
            f"Most of them: {len(clearly)} of 30 of USA are clearly worth more or less than printed. {dear} gives "
            f"{printed[dear]:.0f} points and should give {decimal(off[dear].value, 0)}; {cheap} gives "
            f"{printed[cheap]:.0f} and should give {decimal(off[cheap].value, 0)}.",
            dear in clearly and cheap in clearly and len(clearly) > len(printed) / 2,
        ),
        [
            f"These give too many points; they should give: {listed(words[:5])}.",
            f"These give too few; they should give: {listed(words[:-6:-1])}.",
        ],
        "A ticket should give the points at which having to hold it makes no difference to the score, while the points "
        "of all tickets add up to the same as printed. Means of planners with two and with four players, each ± "
        f"{decimal(max(f.half for f in off.values()))} or less. Weaker players, who fail long tickets more often, "
        "would need other values.",
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
            f"No: a ticket should give only {span(list(slopes.values()), 2)} points more for each train of its "
            "shortest path, not one.",
            all(f.high < 1 for f in slopes.values()),
        ),
        [
            "Its fair value grows by "
            + listed(f"{f.words(2)} points per train with {seats} players" for seats, f in slopes.items())
            + f". The printed points of USA equal the trains of the shortest path, for {like} of {len(trains)} tickets "
            "to within one.",
            "The routes score points themselves, long ones more per train.",
        ],
        "Among planners on USA, with the points of all tickets adding up to the same as printed.",
        lab.used,
        list(slopes.values()),
    )


def slope(name: str, values: dict[str, Amount], trains: dict[str, Any]) -> Amount:
    """Return the slope of values over trains: a straight line through all tickets."""
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
            f"No: compared with the other five, {best} {does_span(found[best])} wins per 100 games and {worst} "
            f"{does_span(found[worst])}. Each player is dealt one and cannot choose.",
            always and found[best][2].low > 0 > found[worst][2].high,
        ),
        [],
        "Averages over five unlike strategies; the table is in wins per 100 games.",
        lab.used,
        [f for of in found.values() for f in of],
        rows=rows,
    )

"""Questions about tables and boards: seats, variants, routes, luck, the number of players."""

from typing import Any

import numpy as np

from ttrsim.batches import Estimate, jackknife
from ttrsim.boards import load_board
from ttrsim.choices import BALANCE_PLAYERS
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.formatting import decimal
from ttrsim.runs import Run
from ttrsim.stats import games, luck, routes
from ttrsim.stats.effects import size_of
from ttrsim.stats.frames import sums
from ttrsim.words import listed

from .lab import Lab
from .played import GAMES, mixed
from .statements import Amount, Finding, Statement, amount, mean, own, share, span

BOARDS = ("usa", "europe", "old_west")
VARIANTS = ("usa:1910", "usa:mega", "usa:big-cities")
VARIANT_GAMES, START_GAMES, GIFT_GAMES = 8000, 15_000, 4000
START_POINTS = range(2, 9)
WEST = ("Seattle-Vancouver", "Portland-Seattle", "Portland-San Francisco", "Los Angeles-San Francisco")
EAST = ("Boston-Montréal", "Boston-New York", "New York-Washington", "Raleigh-Washington", "Charleston-Raleigh", "Charleston-Miami")  # fmt: skip  # noqa: E501
TRUNK = ("Helena-Seattle", "Helena-Omaha", "Denver-Salt Lake City", "Denver-Kansas City", "Chicago-Omaha", "Chicago-Pittsburgh")  # fmt: skip  # noqa: E501
COLOURED = ("Helena-Omaha", "Denver-Oklahoma City", "Chicago-Omaha", "Helena-Salt Lake City", "Duluth-Toronto", "Denver-Phoenix")  # fmt: skip  # noqa: E501
"""Single routes of 3 to 6 trains and different colours."""
KINDS, GRAY_GAMES = ("coloured", "gray"), 8000
SUSPECTS = ("Las Vegas", "Atlanta–Nashville", "Houston–New Orleans")
"""The places that players name as bottlenecks."""


def seat_effects(run: Run) -> Estimate:
    """Return the win share of each seat above a fair share, in wins per 100 games: (seats,)."""
    s = sums(run, "seats")
    wins, number = (s[name].sum(axis=1) for name in ("win60", "games"))
    return jackknife(lambda w, n: 100 * (w / n / WHOLE_WIN - 1 / w.shape[-1]), wins, number)


def seat_amount(run: Run, seat: int) -> Amount:
    """Return the win share of a seat above a fair share."""
    estimate = seat_effects(run)
    one = Estimate(estimate.value[seat], estimate.replicates[:, seat])
    return amount(f"{run.board.name}, {run.recipe.seats} players, seat {seat % run.recipe.seats + 1}", one)


def first_seat(lab: Lab) -> Finding:
    """Measure what going first is worth, and what would even it out."""
    runs = {board: mixed(lab, board) for board in BOARDS}
    first = {board: [seat_amount(run, 0) for run in of.values()] for board, of in runs.items()}
    last = {board: [seat_amount(run, -1) for run in of.values()] for board, of in runs.items()}
    points = [score_lead(run) for run in runs["usa"].values()]
    evened = {k: with_start_points(lab, k) for k in START_POINTS}
    best = min(evened, key=lambda k: abs(evened[k].value))
    rows = [["player", *(load_board(board).name for board in BOARDS)]]
    for seat, found in (("first", first), ("last", last)):
        for n in range(2, 6):
            by = {board: dict(zip(runs[board], found[board], strict=True)) for board in BOARDS}
            cells = [of[n].words(signed=True) if n in of else "–" for of in by.values()]
            rows.append([f"{seat} of {n}", *cells])
    lasts = [f for f, n in zip(last["old_west"], runs["old_west"], strict=True) if n > 2]
    return Finding(
        "How much is going first worth? What would even it out?",
        Statement(
            f"A little: going first brings {span(first['usa'])} wins per 100 games on USA and "
            f"{span(first['europe'])} on Europe. On Old West with four players it is the last who gains "
            f"({span(lasts, signed=True)}). On USA with two, {best} points for the second player even it out.",
            all(f.low > 0 and f.value < 10 for f in [*first["usa"], *first["europe"], *lasts])
            and abs(evened[best].value) < 1.5,
        ),
        [
            "On USA the first player scores more than the last: "
            + listed(f"{f.words(signed=True)} points with {n}" for n, f in zip(runs["usa"], points, strict=True))
            + " players.",
            "The first player's advantage on USA with two, in wins per 100 games, by the second's points at the start: "
            + listed(f"{f.words(signed=True)} with {k}" for k, f in evened.items())
            + ".",
        ],
        "Averages over five unlike strategies in every combination.",
        lab.used,
        [f for found in (first, last) for of in found.values() for f in of] + points + list(evened.values()),
        rows=rows,
    )


def score_lead(run: Run) -> Amount:
    """Return the mean lead of the first seat over the last, in points of score."""
    s = sums(run, "seats")
    score, number = (s[name].sum(axis=1) for name in ("score", "games"))
    estimate = jackknife(lambda p, n: (p / n)[:, 0] - (p / n)[:, -1], score, number)
    return amount(f"score of the first seat less the last, {run.recipe.seats} players", estimate)


def with_start_points(lab: Lab, points: int) -> Amount:
    """Return the first seat's advantage on USA with two if the second player starts with some points."""
    setting = f"rules.start_points = [0, {', '.join([str(points)] * 4)}]"
    words = ("--map", "usa", "--set", setting, "--players", BALANCE_PLAYERS, "--design", "mixed", "--seats", "2")
    found = seat_amount(lab.run(*words, games=START_GAMES, out=f"plus-{points}"), 0)
    return Amount(f"first seat, {points} points to the second", found.value, found.error)


def variants(lab: Lab) -> Finding:
    """Do 1910, Mega and Big Cities play more evenly?"""
    runs: dict[str, dict[int, Run]] = {"usa": mixed(lab, "usa")} | {
        board: lab.mixed(board, VARIANT_GAMES, (2, 4)) for board in VARIANTS
    }
    sizes = {
        (board, question): [size_amount(run, question) for n, run in of.items() if n in (2, 4)]
        for board, of in runs.items()
        for question in ("tickets", "seats")
    }
    names = {"usa:1910": "1910", "usa:mega": "Mega", "usa:big-cities": "Big Cities"}
    rows = [["", "tickets, 2 players", "tickets, 4 players", "order of play, 2 players", "order of play, 4 players"]]
    for board in runs:
        cells = [f.words() for question in ("tickets", "seats") for f in sizes[board, question]]
        rows.append([names.get(board, "base game"), *cells])
    even = [
        board
        for board in VARIANTS
        if all(a.high < b.low for a, b in zip(sizes[board, "tickets"], sizes["usa", "tickets"], strict=True))
    ]
    others = [names[board] for board in VARIANTS if board not in even]
    apart = {board: span(sizes[board, "tickets"]) for board in runs}
    return Finding(
        "Do 1910, Mega and Big Cities play more evenly? Better for two?",
        Statement(
            "Their tickets are more even, with two players and with four: they are worth "
            f"{listed(f'{apart[board]} ({names[board]})' for board in even)} wins per 100 games more or less than "
            f"the average ticket, those of the base game {apart['usa']}"
            f"{f'; those of {listed(others)} are not clearly more even' if others else ''}.",
            bool(even),
        ),
        [],
        "Root mean squares of the effects on the win share, after taking off the part of chance, over five unlike "
        "strategies. Whether a variant is better for two is a matter of taste.",
        lab.used,
        [f for of in sizes.values() for f in of],
        rows=rows,
    )


def size_amount(run: Run, question: str) -> Amount:
    """Return the spread of the tickets or seats of a table, in wins per 100 games."""
    value, low, high = (100 * float(np.squeeze(end)) for end in size_of(run, question).size)
    return Amount(f"{run.board.id}, {question}, {run.recipe.seats} players", value, (high - low) / 2 / 1.984)


def coasts(lab: Lab) -> Finding:
    """West coast or east coast? One trunk line?"""
    named = [word for route in (*WEST, *EAST, *TRUNK) for word in ("--gift", route)]
    players = ",".join(["planner"] * 4)
    rows = lab.table("gifts", "routes", "--map", "usa", "--players", players, *named, games=GIFT_GAMES)
    by = {frozenset(plain(row["route"]).split("–")): row for row in rows}
    groups = {"west coast": WEST, "east coast": EAST, "trunk lines": TRUNK}
    found = {}
    for name, of in groups.items():
        chosen = [by[frozenset(route.split("-"))] for route in of]
        trains = sum(row["length"] for row in chosen)
        value = 100 * sum(row["win_effect"] for row in chosen) / trains
        # The same games without a gift are in all of them; adding up widths is wide enough whatever their correlation.
        error = 100 * sum((row["win_effect_high"] - row["win_effect_low"]) / 2 for row in chosen) / trains / 2.9
        found[name] = Amount(name, value, error)
    order = sorted(found, key=lambda name: -found[name].value)
    return Finding(
        "West coast or east coast? One trunk line?",
        Statement(
            f"The {order[0]}: owning one of its routes from the start is worth {found[order[0]].words()} wins per 100 "
            f"games for each train of the route, one of the {order[1]} {found[order[1]].words()} and one of the "
            f"{order[2]} {found[order[2]].words()}.",
            found[order[0]].low > found[order[2]].high,
        ),
        [
            "The routes, each given away on its own: "
            + "; ".join(f"{name}: {listed(route.replace('-', '–') for route in of)}" for name, of in groups.items())
            + "."
        ],
        "Four planners on USA, one of whom owns a route from the start: it takes no trains or cards and gives no "
        "points. Routes of one train are worth most per train, because each saves a turn. A whole plan along a coast "
        "was not tested.",
        lab.used,
        list(found.values()),
    )


def plain(route: str) -> str:
    """Return the two cities of a route without its colour and track."""
    return route.partition(" (")[0]


def bottlenecks(lab: Lab) -> Finding:
    """Which bottlenecks first?"""
    runs = mixed(lab, "usa")
    lab.show("stats", "usa/4-mixed", "routes")
    rows = sorted(connections(runs[4]), key=lambda row: row["turn"])
    first = rows[:5]
    places = {name: next(n for n, row in enumerate(rows, 1) if name in row["name"]) for name in SUSPECTS}
    amounts = [own(row["name"], row, "turn") for row in sorted(rows, key=lambda row: row["name"])]
    return Finding(
        "Which bottlenecks first?",
        Statement(
            f"{first[0]['name']} goes first: on average it is claimed in a player's turn "
            f"{decimal(first[0]['turn'], 0)}, if at all. Next come {listed(row['name'] for row in first[1:4])}, in "
            f"turns {decimal(first[1]['turn'], 0)} to {decimal(first[3]['turn'], 0)}.",
            own("", first[0], "turn").high < own("", first[1], "turn").low,
        ),
        [
            "Claimed in % of games: " + listed(f"{row['name']} {100 * row['claim_rate']:.0f}" for row in first) + ".",
            "Of the places that players name as bottlenecks, "
            + listed(f"{name} is number {place}" for name, place in places.items())
            + f" of {len(rows)}.",
        ],
        "Four players on USA, over five unlike strategies, two of which gather cards first. The strategies chose when "
        "to claim, so this describes them; it does not say that claiming early wins.",
        lab.used,
        amounts,
    )


def connections(run: Run) -> list[dict[str, Any]]:
    """Return the routes of a run, of parallel ones the earlier, each with the name of its two cities."""
    found: dict[str, dict[str, Any]] = {}
    for row in routes(run, by="all").to_dict("records"):
        name = plain(row["route"])
        if name not in found or row["turn"] < found[name]["turn"]:
            found[name] = dict(row) | {"name": name}
    return list(found.values())


def luck_or_skill(lab: Lab) -> Finding:
    """Luck or skill?"""
    runs = {board: mixed(lab, board) for board in ("usa", "europe")}
    for board in runs:
        lab.show("stats", f"{board}/4-mixed", "luck")
    found = {(b, n): luck(run).set_index("outcome") for b, of in runs.items() for n, run in of.items()}
    parts = {"strategy": "strategy", "others": "who else plays", "deal": "deal", "seat": "seat", "rest": "the rest"}
    amounts = {
        (b, n, part): own(f"{b}, {n} players, {part}", dict(frame.loc["win"]), part, 100)
        for (b, n), frame in found.items()
        for part in parts
    }
    usa = {part: [amounts["usa", n, part] for n in runs["usa"]] for part in parts}
    rows = [["who wins, in %", *(f"{load_board(b).name}, {n} players" for b, n in found)]]
    rows += [[words, *(amounts[b, n, part].words() for b, n in found)] for part, words in parts.items()]
    return Finding(
        "Luck or skill?",
        Statement(
            f"One game says little about skill: on USA the strategy explains {span(usa['strategy'])} % of who wins, "
            f"who else plays {span(usa['others'])} %, the deal {span(usa['deal'])} %, the seat {span(usa['seat'])} %. "
            f"The remaining {span(usa['rest'])} % comes up during the game: the cards that turn up, and how well they "
            "suit a plan.",
            all(f.value > 50 for f in usa["rest"]) and all(f.high < 20 for f in usa["strategy"]),
        ),
        [],
        "Shares of the variance of wins over all combinations of five strategies, from weak to strong. Between equally "
        "strong players it would all be luck; with a beginner at the table skill would explain more.",
        lab.used,
        list(amounts.values()),
        rows=rows,
    )


def number_of_players(lab: Lab) -> Finding:
    """Best player count? What does the fourth player change?"""
    runs = {board: lab.mirror(board, GAMES[board]) for board in ("usa",)}["usa"]
    lab.show("stats", "usa/4-mirror", "games")
    of_planners = {n: planners(run) for n, run in runs.items()}
    columns = {"winner_score": "winning score", "margin": "lead of the winner", "dry_turns": "turns without cards, %", "turns": "turns per player"}  # fmt: skip  # noqa: E501
    scale = {"dry_turns": 100.0}
    amounts = {
        (column, n): own(f"{words}, {n} players", row, column, scale.get(column, 1.0) / (n if column == "turns" else 1))
        for column, words in columns.items()
        for n, row in of_planners.items()
    }
    rows = [["", *(f"{n} players" for n in runs)]]
    rows += [[words, *(amounts[column, n].words() for n in runs)] for column, words in columns.items()]
    score = [amounts["winner_score", n] for n in runs]
    dry = [amounts["dry_turns", n] for n in runs]
    return Finding(
        "Best player count? What does the fourth player change?",
        Statement(
            "A matter of taste, but with four the cards run out: the deck and the discard pile are empty in "
            f"{decimal(dry[2].value)} % of turns of four planners, in {decimal(dry[1].value)} % of three. The winner "
            f"scores {decimal(score[2].value, 0)} and {decimal(score[1].value, 0)} points.",
            dry[2].low > dry[1].high and score[1].low > score[2].high,
        ),
        [],
        "Tables of planners on USA, which gather cards for as long as they can; less patient players seldom empty the "
        "deck.",
        lab.used,
        list(amounts.values()),
        rows=rows,
    )


def planners(run: Run) -> dict[str, Any]:
    """Return the row of games in which all are planners."""
    frame = games(run)
    return dict(frame[frame["line_up"] == ", ".join(["planner"] * run.recipe.seats)].iloc[0])


def colours(lab: Lab) -> Finding:
    """Does the colour of a route matter?"""
    players = ("--players", ",".join(["planner"] * 4))
    painted = [word for route in COLOURED for word in ("--set", f"route {route} tracks = gray")]
    before = lab.run("--map", "usa", *players, games=GRAY_GAMES, out="coloured")
    after = lab.run("--map", "usa", *painted, *players, games=GRAY_GAMES, out="gray")
    lab.show("stats", "gray", "routes")
    rates = [{row["name"]: row for row in connections(run)} for run in (before, after)]
    names = [route.replace("-", "–") for route in COLOURED]
    found = {
        name: [
            share(f"{name}, {kind}", rate[name], "claim_rate", before.games_played)
            for kind, rate in zip(KINDS, rates, strict=True)
        ]
        for name in names
    }
    gains = [Amount(name, b.value - a.value, float(np.hypot(a.error, b.error))) for name, (a, b) in found.items()]
    table = [["route", "trains", *(f"{kind}, claimed in %" for kind in KINDS)]]
    table += [[name, f"{rates[0][name]['length']}", *(f.words() for f in of)] for name, of in found.items()]
    other = [f"{load_board('usa').colours[n].name} {amount.words()}" for n, amount in by_colour(lab).items()]
    return Finding(
        "Does the colour of a route matter?",
        Statement(
            f"Whether it has one does: made gray, the same six routes are claimed in {span(gains)} more games of 100.",
            all(gain.low > 0 for gain in gains),
        ),
        [
            f"Single routes of each colour, claimed in % of games: {listed(other)}. These routes are at "
            "different places, so this does not compare colours alone."
        ],
        "Four planners on USA, the same deals on both boards. The means by colour are over five unlike strategies.",
        lab.used,
        gains,
        rows=table,
    )


def by_colour(lab: Lab) -> dict[int, Amount]:
    """Return how often single routes of each colour are claimed, in %, over five unlike strategies."""
    run = mixed(lab, "usa")[4]
    by = {run.board.route_name(route): route for route in run.board.routes}
    rows = [dict(row) | {"colour": by[row["route"]].colour} for row in routes(run, by="all").to_dict("records")]
    single = [row for row in rows if row["colour"] is not None and "(" not in row["route"]]
    colours = sorted({row["colour"] for row in single})
    return {n: mean("", [own("", row, "claim_rate", 100) for row in single if row["colour"] == n]) for n in colours}

"""The findings of the first page: each a sentence, a picture, how sure it is, and a command."""

from dataclasses import replace

import numpy as np
import pandas as pd

from ttrsim import plots
from ttrsim.batches import Estimate, luck_of_first
from ttrsim.boards import Board
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.formatting import decimal
from ttrsim.plots.tuning import habits as draw_habits
from ttrsim.runs import Run
from ttrsim.stats import luck, pairs, routes, strategies
from ttrsim.stats.several_runs import seats_by_players, tickets_by_players
from ttrsim.stats.ticket_values import offer_effects, synergies

from . import how_to_play, tables, tickets
from .lab import Lab
from .played import GAMES, HABIT_GAMES, mixed
from .statements import Amount, Finding, Statement, own, span

EUROPE_DUEL = 10_000
OF_PEOPLE = {
    "points of routes": ((76.2, 79.1), 61.8),
    "points of tickets": ((29.4, 22.9), 42.9),
    "tickets completed": ((2.22, 1.92), 4.0),
    "routes": ((12.5, 11.7), 14.1),
    "trains of a route": ((3.53, 3.78), 2.96),
    "opening tickets kept": ((2.27, 2.11), 2.65),
}
"""Means a game on Europe at Board Game Arena, of the two best rated players and of all."""


def tickets_of_usa(lab: Lab) -> Finding:
    """Find the worth of each ticket of USA with each number of players."""
    runs = mixed(lab, "usa")
    board = runs[4].board
    names = [board.ticket_name(ticket) for ticket in board.tickets]
    found = {n: tickets.effects(run) for n, run in runs.items()}
    each = {
        name: [tickets.mean_effect(f"{name}, {n} players", found[n], [i]) for n in runs] for i, name in enumerate(names)
    }
    order = sorted(names, key=lambda name: -np.mean([f.value for f in each[name]]))
    best, worst = order[0], order[-1]
    lab.show("plot", "tickets_by_players", "usa", "-o", "tickets.svg")
    frame = tickets_by_players(list(runs.values()))
    tuned = {n: of_planners(run) for n, run in lab.mirror("usa", GAMES["usa"]).items()}
    of_tuned = [tickets.mean_effect("", tuned[n], [names.index(best)]) for n in runs]
    alike = [float(np.corrcoef(found[n].value, tuned[n].value)[0, 1]) for n in runs]
    return Finding(
        "Which tickets win on USA?",
        Statement(
            "On USA a long ticket in the opening offer wins games, and a short one loses them",
            all(a.low > 0 > b.high for a, b in zip(each[best], each[worst], strict=True))
            and _longer_is_better(each, board),
            f"{best} brings {span(each[best], signed=True, digits=0)} wins per 100 games, {worst} "
            f"{span(each[worst], signed=True, digits=0)}, by the number of players.",
        ),
        [],
        f"Means over five unlike strategies, {games_words(GAMES['usa'])} with each number of players; which tickets "
        "are offered is chance. Among planners alone, whose values were tuned at many tables, it is much the same: "
        f"{best} {span(of_tuned, signed=True, digits=0)}, and all thirty correlate at {decimal(min(alike), 2)} or "
        "more. `lookahead`, the strongest, is too slow to be asked.",
        lab.used,
        [f for of in each.values() for f in of],
        plots.tickets_by_players(frame, about=f"USA · {games_words(GAMES['usa'])} with each number of players"),
        "What being offered each ticket of USA does to winning, with two to five players",
    )


def _longer_is_better(each: dict[str, list[Amount]], board: Board) -> bool:
    """Return whether with any number of players tickets bring clearly more the more points they give."""
    points = [ticket.points for ticket in board.tickets]
    effects = np.array([[amount.value for amount in of] for of in each.values()])
    return all(np.corrcoef(points, of)[0, 1] > 0.5 for of in effects.T)


def of_planners(run: Run) -> Estimate:
    """Return the effects of offers among planners, in wins per 100 games."""
    estimate = offer_effects(run, "win60", rare=True).scaled(100 / WHOLE_WIN)
    place = run.strategies.index("planner")
    return Estimate(estimate.value[place], estimate.replicates[:, place])


def without_verdict(words: str) -> str:
    """Return a sentence without what stands before its colon."""
    rest = words.partition(": ")[2] or words
    return rest[:1].upper() + rest[1:]


def games_words(games: float) -> str:
    """Return a number of games in words."""
    return f"{games:,.0f} games"


def pairs_of_usa(lab: Lab) -> Finding:
    """Name the pairs of tickets that fit, and those that clash."""
    run = mixed(lab, "usa")[4]
    lab.show("plot", "pairs", "usa/4-mixed", "-o", "pairs.svg")
    frame = pairs(run)
    rows = [dict(row) for row in frame.sort_values("win_synergy").to_dict("records")]
    clash, fit = rows[0], rows[-1]
    one, two = (own(f"{row['ticket']} with {row['other']}", row, "win_synergy", 100) for row in (clash, fit))
    names = [f"{row['ticket']} and {row['other']}" for row in (fit, clash)]
    sure = [row for row in rows if row["win_q"] < 0.05]
    scores = [own("", row, "score_synergy").words(signed=True) for row in (fit, clash)]
    return Finding(
        "Which tickets fit together?",
        Statement(
            "Two good tickets can ruin each other, and two others make each other",
            bool(clash["win_q"] < 0.05 and fit["win_q"] < 0.05 and one.value < 0 < two.value),
            f"{names[1]} together are {two_words(one)} wins per 100 games worse than what each brings alone; "
            f"{names[0]} are {two_words(two)} better.",
        ),
        [],
        f"With four players on USA, {games_words(GAMES['usa'])} of five unlike strategies. {len(sure)} of {len(rows)} "
        "pairs are clearly worth more or less together, false ones among them at most one in 20. In points of score: "
        f"{scores[0]} and {scores[1]}. That a player was offered both is chance; that these two pairs come first of "
        f"{len(rows)} is partly luck, of about "
        f"{decimal(100 * luck_of_first(synergies(run, 'win60').scaled(1 / WHOLE_WIN)))} wins.",
        lab.used,
        [
            own(f"{row['ticket']} with {row['other']}", row, "win_synergy", 100)
            for row in sorted(rows, key=lambda row: (str(row["ticket"]), str(row["other"])))
        ],
        plots.pairs(frame, about=f"USA · 4 players · {games_words(GAMES['usa'])} of five strategies"),
        "For each pair of tickets of USA, what both together bring beyond the sum of what each brings",
    )


def two_words(amount: Amount) -> str:
    """Return the size of an amount, whatever its sign."""
    return f"{decimal(abs(amount.value))} ± {decimal(amount.half)}"


def seats_of_boards(lab: Lab) -> Finding:
    """Find the seat that gains on each board."""
    known = tables.first_seat(lab)
    runs = [run for board in tables.BOARDS for run in mixed(lab, board).values()]
    lab.show("plot", "seats_by_players", "usa", "europe", "old_west", "-o", "seats.svg")
    return replace(
        known,
        question="Who should go first?",
        statement=Statement(
            "Go first on USA and Europe, last on Old West with four",
            known.statement.holds,
            without_verdict(known.statement.words),
        ),
        points=[],
        rows=[],
        commands=lab.used,
        picture=plots.seats_by_players(seats_by_players(runs), about="Five unlike strategies in every combination"),
        alt="What each seat does to winning on USA, Europe and Old West, with each number of players",
    )


def long_of_europe(lab: Lab) -> Finding:
    """Find the worth of the long tickets of Europe."""
    known = tickets.europes_long(lab)
    runs = mixed(lab, "europe")
    frame = tickets_by_players(list(runs.values()))
    long = frame[frame["deck"] == "long"].reset_index(drop=True)
    lab.show("plot", "tickets_by_players", "europe", "-o", "europe.svg")
    return replace(
        known,
        statement=Statement(
            "Europe's long tickets are not equal, and nobody can choose",
            known.statement.holds,
            without_verdict(known.statement.words),
        ),
        rows=[],
        commands=lab.used,
        picture=plots.tickets_by_players(
            long, about=f"Europe · {games_words(GAMES['europe'])} with each number of players"
        ),
        alt="What each of the six long tickets of Europe does to winning, with two to five players",
    )


def first_routes(lab: Lab) -> Finding:
    """Name the routes that go first."""
    known = tables.bottlenecks(lab)
    run = mixed(lab, "usa")[4]
    lab.show("plot", "routes", "usa/4-mixed", "--value", "turn", "-o", "routes.svg")
    about = f"USA · 4 players · {games_words(GAMES['usa'])} of five strategies"
    return replace(
        known,
        statement=Statement(
            known.statement.words.partition(":")[0], known.statement.holds, without_verdict(known.statement.words)
        ),
        commands=lab.used,
        picture=plots.routes(routes(run, by="all"), run.board, value="turn", about=about),
        alt="When each route of USA is claimed, on the map",
    )


def patience(lab: Lab) -> Finding:
    """Find the costliest habit."""
    known, games = how_to_play.early_or_late(lab), HABIT_GAMES["usa"]
    rows = lab.table("habits", "habits", "usa", games=games)
    return replace(
        known,
        statement=Statement(
            "Gather first: impatience is the costliest habit",
            known.statement.holds,
            without_verdict(known.statement.words),
        ),
        points=[],
        picture=draw_habits(
            pd.DataFrame(rows),
            about=f"USA, each against copies of itself, {games_words(games)} with each habit at each table",
        ),
        alt="What each habit does to winning on USA, for three strategies and two to five players",
    )


def luck_and_skill(lab: Lab) -> Finding:
    """Find how much of winning is luck."""
    known = tables.luck_or_skill(lab)
    run = mixed(lab, "usa")[4]
    lab.show("plot", "luck", "usa/4-mixed", "-o", "luck.svg")
    return replace(
        known,
        statement=Statement(
            "Most of who wins is neither skill nor the deal",
            known.statement.holds,
            without_verdict(known.statement.words),
        ),
        points=[],
        rows=[],
        commands=lab.used,
        picture=plots.luck(luck(run), about=f"USA · 4 players · {games_words(GAMES['usa'])} of five strategies"),
        alt="How much of scores and wins on USA is strategy, seat, deal and the rest",
    )


def like_people(lab: Lab) -> Finding:
    """Do the bots play like people?"""
    run = lab.run("--map", "europe", "--players", "hoarder,planner", games=EUROPE_DUEL, out="europe-duel")
    lab.show("stats", "europe-duel", "strategies")
    row = dict(strategies(run).set_index("strategy").loc["hoarder"])
    bot = {
        "points of routes": own("points of routes", row, "points_routes"),
        "points of tickets": own("points of tickets", row, "points_won"),
        "tickets completed": own("tickets completed", row, "tickets_completed"),
        "routes": own("routes", row, "claims"),
        "trains of a route": trains_of_a_route(run.board.rules.trains, row),
        "opening tickets kept": own("opening tickets kept", row, "offered_kept"),
    }
    nearer = [name for name, (best, all_) in OF_PEOPLE.items() if abs(bot[name].value - np.mean(best)) < abs(bot[name].value - all_)]  # fmt: skip  # noqa: E501
    rows = [["a game on Europe", "hoarder", "best rated", "second", "all players"]]
    rows += [
        [name, bot[name].words(2), *(decimal(v, 2) for v in best), decimal(all_, 2)]
        for name, (best, all_) in OF_PEOPLE.items()
    ]
    return Finding(
        "Do the bots play like people?",
        Statement(
            "The bots play like the best-rated people, and not like the many",
            len(nearer) == len(OF_PEOPLE),
            f"In {len(nearer)} of {len(OF_PEOPLE)} ways `hoarder` is nearer to the two best rated on Board Game Arena "
            "than to all players: fewer tickets, longer routes.",
        ),
        [],
        "Europe with two, against `planner`. The figures of people are means over games of all table sizes as the "
        "site shows them, without errors, so this is a likeness and no measurement.",
        lab.used,
        list(bot.values()),
        rows=rows,
    )


def trains_of_a_route(trains: int, row: dict[str, float]) -> Amount:
    """Return the mean length of a route: trains laid by routes claimed."""
    laid, claims = (own("", row, name) for name in ("trains_left", "claims"))
    value = (trains - laid.value) / claims.value
    relative = np.hypot(laid.error / (trains - laid.value), claims.error / claims.value)
    return Amount("trains of a route", value, float(value * relative))


FINDINGS = (
    tickets_of_usa,
    pairs_of_usa,
    patience,
    seats_of_boards,
    long_of_europe,
    first_routes,
    luck_and_skill,
    like_people,
)

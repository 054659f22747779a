"""The findings of the first page: each a sentence, a picture, how sure it is, and a command."""

from dataclasses import replace

import numpy as np
import pandas as pd

from ttrsim import plots
from ttrsim.batches import Estimate, luck_of_first, sidak
from ttrsim.boards import Board
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.formatting import decimal
from ttrsim.plots.tuning import habits as draw_habits
from ttrsim.runs import Run
from ttrsim.stats import luck, pairs, routes, strategies
from ttrsim.stats.several_runs import seats_by_players, tickets_by_players
from ttrsim.stats.ticket_values import offer_effects, synergies
from ttrsim.words import listed

from . import how_to_play, tables, tickets
from .lab import Lab
from .played import GAMES, HABIT_GAMES, mixed
from .statements import FREEDOM, Amount, Finding, Statement, does_span, mean, own

STRONG = ("planner", "hoarder", "blocker")
OF_PEOPLE = {
    "points of routes": ((76.2, 79.1), 61.8),
    "points of tickets": ((29.4, 22.9), 42.9),
    "tickets completed": ((2.22, 1.92), 4.0),
    "routes": ((12.5, 11.7), 14.1),
    "trains per route": ((3.53, 3.78), 2.96),
    "opening tickets kept": ((2.27, 2.11), 2.65),
}
"""Means per game on Europe at Board Game Arena, of the two best rated players and of all."""


def tickets_of_usa(lab: Lab) -> Finding:
    """Measure the worth of each ticket of USA with each number of players."""
    runs = mixed(lab, "usa")
    board = runs[4].board
    names = [board.ticket_name(ticket) for ticket in board.tickets]
    found = {n: tickets.effects(run) for n, run in runs.items()}
    each = {
        name: [tickets.mean_effect(f"{name}, {n} players", found[n], [i]) for n in runs] for i, name in enumerate(names)
    }
    over_all = {name: mean(name, each[name]) for name in names}
    order = sorted(names, key=lambda name: -over_all[name].value)
    best, worst = order[0], order[-1]
    bound = float(sidak(len(names), FREEDOM))
    long = [name for name, ticket in zip(names, board.tickets, strict=True) if ticket.points >= tickets.LONG]
    others = [name for name in names if name not in long]
    losing = [name for name in others if over_all[name].value < -bound * over_all[name].error]
    lab.show("plot", "tickets_by_players", "usa", "-o", "tickets.svg")
    frame = tickets_by_players(list(runs.values()))
    tuned = {n: of_planners(run) for n, run in lab.mirror("usa", GAMES["usa"]).items()}
    of_tuned = [tickets.mean_effect("", tuned[n], [names.index(best)]) for n in runs]
    alike = [float(np.corrcoef(found[n].value, tuned[n].value)[0, 1]) for n in runs]
    return Finding(
        "Which tickets win on USA?",
        Statement(
            "On USA the six longest tickets win games, and most of the others lose them",
            all(a.low > 0 > b.high for a, b in zip(each[best], each[worst], strict=True))
            and all(over_all[name].value > bound * over_all[name].error for name in long)
            and len(losing) > len(others) / 2,
            f"Being offered {best} {does_span(each[best], 0)} wins per 100 games, depending on the number of players; "
            f"{worst} {does_span(each[worst], 0)}. The six tickets of {tickets.LONG} points or more all clearly help, "
            f"on average over the numbers of players; {len(losing)} of the other {len(others)} clearly hurt.",
        ),
        [],
        f"Means over five unlike strategies, {games_words(GAMES['usa'])} with each number of players; which tickets "
        f"are offered is chance. Among copies of planner it is much the same: {best} {does_span(of_tuned, 0)}, and "
        f"the two sets of thirty values correlate at {decimal(min(alike), 2)} or more.",
        lab.used,
        [f for of in each.values() for f in of],
        plots.tickets_by_players(frame, about=f"USA · {games_words(GAMES['usa'])} with each number of players"),
        "Wins that being offered each ticket of USA brings or costs, with two to five players",
    )


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
    """Name the pair of tickets that fits best, and the pair that clashes most."""
    run = mixed(lab, "usa")[4]
    lab.show("plot", "pairs", "usa/4-mixed", "-o", "pairs.svg")
    frame = pairs(run)
    rows = [dict(row) for row in frame.sort_values("win_synergy").to_dict("records")]
    clash, fit = rows[0], rows[-1]
    one, two = (own("", row, "win_synergy", 100) for row in (clash, fit))
    both = [own("", row, "win_effect", 100) for row in (clash, fit)]
    names = [f"{row['ticket']} and {row['other']}" for row in (clash, fit)]
    sure = [row for row in rows if row["win_q"] < 0.05]
    lucky = luck_of_first(synergies(run, "win60").scaled(1 / WHOLE_WIN))
    scores = [own("", row, "score_synergy").words(signed=True) for row in (clash, fit)]
    return Finding(
        "Which tickets fit together?",
        Statement(
            "Some good tickets spoil each other, and others boost each other",
            bool(clash["win_q"] < 0.05 and fit["win_q"] < 0.05 and one.value < 0 < two.value)
            and both[0].value > one.value,  # the two add up to a gain
            f"Offered both {names[0]}, a player wins {more_or_fewer(both[0])} of 100 games than one offered neither: "
            f"{more_or_fewer(one)} than the sum of the two effects. Offered both {names[1]}, a player wins "
            f"{more_or_fewer(both[1])}: {more_or_fewer(two)} than the sum.",
        ),
        [],
        f"Four players on USA, {games_words(GAMES['usa'])} of five unlike strategies. {len(sure)} of {len(rows)} pairs "
        "are clearly worth more or less together than the sum of the two; at most one in 20 of these is a false alarm. "
        f"In points of score the two pairs are {scores[0]} and {scores[1]} off the sum. That a player is offered both "
        f"tickets is chance. That these two pairs come first of {len(rows)} is partly luck, of about "
        f"{decimal(100 * lucky)} wins.",
        lab.used,
        [
            own(f"{row['ticket']} with {row['other']}", row, "win_synergy", 100)
            for row in sorted(rows, key=lambda row: (str(row["ticket"]), str(row["other"])))
        ],
        plots.pairs(frame, about=f"USA · 4 players · {games_words(GAMES['usa'])} of five strategies"),
        "Wins that each pair of tickets of USA brings or costs beyond the sum of the two",
    )


def more_or_fewer(amount: Amount) -> str:
    """Return an amount in words: `6.5 ± 2.2 fewer`."""
    size = f"{decimal(abs(amount.value))} ± {decimal(amount.half)}"
    return f"{size} {'fewer' if amount.value < 0 else 'more'}"


def seats_of_boards(lab: Lab) -> Finding:
    """Find who gains by the order of play on each board."""
    known = tables.first_seat(lab)
    runs = [run for board in tables.BOARDS for run in mixed(lab, board).values()]
    lab.show("plot", "seats_by_players", "usa", "europe", "old_west", "-o", "seats.svg")
    return replace(
        known,
        question="Who should go first?",
        statement=Statement(
            "Go first on USA and Europe, last on Old West with four players",
            known.statement.holds,
            without_verdict(known.statement.words),
        ),
        points=[],
        rows=[],
        commands=lab.used,
        picture=plots.seats_by_players(seats_by_players(runs), about="Five unlike strategies in every combination"),
        alt="How often the first, second and later players win on USA, Europe and Old West, above a fair share",
    )


def long_of_europe(lab: Lab) -> Finding:
    """Measure the worth of the long tickets of Europe."""
    known = tickets.europes_long(lab)
    runs = mixed(lab, "europe")
    frame = tickets_by_players(list(runs.values()))
    long = frame[frame["deck"] == "long"].reset_index(drop=True)
    lab.show("plot", "tickets_by_players", "europe", "-o", "europe.svg")
    return replace(
        known,
        statement=Statement(
            "Europe's long tickets are not equal, and you cannot choose yours",
            known.statement.holds,
            without_verdict(known.statement.words),
        ),
        sure="Averages over five unlike strategies. The command draws the short tickets, too.",
        rows=[],
        commands=lab.used,
        picture=plots.tickets_by_players(
            long, about=f"Europe · {games_words(GAMES['europe'])} with each number of players"
        ),
        alt="Wins that each of the six long tickets of Europe brings or costs, with two to five players",
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
            f"{known.statement.words.partition(':')[0]} on USA",
            known.statement.holds,
            without_verdict(known.statement.words),
        ),
        commands=lab.used,
        picture=plots.routes(routes(run, by="all"), run.board, value="turn", about=about),
        alt="Map of USA with the mean turn in which each route is claimed",
    )


def patience(lab: Lab) -> Finding:
    """Find the costliest habit."""
    known, games = how_to_play.early_or_late(lab), HABIT_GAMES["usa"]
    others = [command for command in lab.used if "habits usa " not in command]
    lab.used = []
    rows = lab.table("habits", "habits", "usa", games=games, picture="habits.svg")
    return replace(
        known,
        statement=Statement(
            "Gather cards first: for two of three strategies impatience is the costliest habit",
            known.statement.holds,
            without_verdict(known.statement.words),
        ),
        points=[],
        commands=[*lab.used, *others],
        picture=draw_habits(
            pd.DataFrame(rows),
            about=f"USA, each against copies of itself, {games_words(games)} with each habit at each table",
        ),
        alt="Wins that each habit brings or costs on USA, for three strategies and two to five players",
    )


def luck_and_skill(lab: Lab) -> Finding:
    """Divide winning into strategy, seat, deal and the rest."""
    known = tables.luck_or_skill(lab)
    run = mixed(lab, "usa")[4]
    lab.show("plot", "luck", "usa/4-mixed", "-o", "luck.svg")
    return replace(
        known,
        statement=Statement(
            "One game says little about skill",
            known.statement.holds,
            without_verdict(known.statement.words),
        ),
        points=[],
        rows=[],
        commands=lab.used,
        picture=plots.luck(luck(run), about=f"USA · 4 players · {games_words(GAMES['usa'])} of five strategies"),
        alt="Shares of strategy, who else plays, seat, deal and the rest in scores and wins on USA",
    )


def like_people(lab: Lab) -> Finding:
    """Compare strong bots with people."""
    run = lab.mirror("europe", GAMES["europe"])[2]
    lab.show("stats", "europe/2-mirror", "strategies")
    frame = strategies(run).set_index("strategy")
    bots = {name: per_game(run.board, name, dict(frame.loc[name])) for name in STRONG}
    nearer = [
        abs(bot[what].value - np.mean(best)) < abs(bot[what].value - all_)
        for bot in bots.values()
        for what, (best, all_) in OF_PEOPLE.items()
    ]
    rows = [["per game on Europe", *STRONG, "best rated", "second", "all players"]]
    rows += [
        [what, *(bot[what].words(2) for bot in bots.values()), *(decimal(v, 2) for v in best), decimal(all_, 2)]
        for what, (best, all_) in OF_PEOPLE.items()
    ]
    return Finding(
        "Do the bots play like people?",
        Statement(
            "The strong bots play like the best-rated people, not like the average player",
            all(nearer),
            f"In {sum(nearer)} of {len(nearer)} comparisons {listed(STRONG)} are nearer to the two best-rated players "
            "of Board Game Arena than to all its players: fewer tickets, longer routes.",
        ),
        [],
        "Europe with two players, each bot against a copy of itself. The figures of people are the site's means "
        "over tables of all sizes, without errors, so this shows a likeness and proves nothing.",
        lab.used,
        [amount for bot in bots.values() for amount in bot.values()],
        rows=rows,
    )


def per_game(board: Board, strategy: str, row: dict[str, float]) -> dict[str, Amount]:
    """Return the means of a strategy that are known of people."""
    columns = {
        "points of routes": "points_routes",
        "points of tickets": "points_won",
        "tickets completed": "tickets_completed",
        "routes": "claims",
        "opening tickets kept": "offered_kept",
    }
    found = {what: own(f"{strategy}, {what}", row, column) for what, column in columns.items()}
    left, claims = (own("", row, column) for column in ("trains_left", "claims"))
    laid = board.rules.trains - left.value
    error = laid / claims.value * float(np.hypot(left.error / laid, claims.error / claims.value))
    return found | {"trains per route": Amount(f"{strategy}, trains per route", laid / claims.value, error)}


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

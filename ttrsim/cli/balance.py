"""`ttrsim balance`: the standard examination of a board."""

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.choices import BALANCE_GAMES, BALANCE_PLAYERS
from ttrsim.cli.console import console
from ttrsim.cli.options import (
    Count,
    csv_option,
    games_option,
    json_option,
    out_option,
    players_option,
    quiet_option,
    seed_option,
    threads_option,
)
from ttrsim.cli.output import check_form, heading, note, paragraph, table, write, write_csv, write_json
from ttrsim.errors import UsageError
from ttrsim.formatting import counted, games_more
from ttrsim.report.tables import cell, frames_json, games_more_cell

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.examination import Balance
    from ttrsim.runs import Run
    from ttrsim.stats.deciding import Decided

LISTED = 12
"""Imbalances that are printed of a question; all with --json or --csv."""
TITLES = {
    "seats": "Seats",
    "tickets": "Tickets",
    "strategies": "Dominant strategy",
    "cities": "Dead cities",
    "routes": "Dead routes",
    "games": "Stalemates, overlong games",
}


@click.command()
@click.argument("board")
@players_option("The strategies that play.", default=BALANCE_PLAYERS, show_default=True)
@click.option(
    "--seats",
    metavar="NUMBERS",
    help="Numbers of players at a table, for example 2,4; all that the board is for if not given.",
)
@games_option(
    "Games at each table; 40,000 if not given, rounded up to whole laps; more than were begun in -o go on.",
    default=BALANCE_GAMES,
)
@click.option("--margin", metavar="BOUND", multiple=True, help="In points of a hundred, for example 2 (of win share), tickets=3 or routes=0.5; 1 if not given; may be repeated.")  # fmt: skip  # noqa: E501
@seed_option()
@threads_option
@out_option("A folder in which to keep the runs; what was begun there is continued.")
@click.option("--until-decided", is_flag=True, help="Play more at the tables of undecided verdicts: at most five looks, each time twice the games there.")  # fmt: skip  # noqa: E501
@click.option("--budget", type=Count(), help="Games in all with --until-decided; 1,000,000 if not given.")
@click.option("--fail-on", "fail_on", type=click.Choice(["imbalanced", "undecided"]), help="End with exit code 3 if anything is imbalanced, or if anything is not surely balanced.")  # fmt: skip  # noqa: E501
@json_option
@csv_option
@quiet_option
def balance(fail_on: str | None, as_json: bool, as_csv: bool, quiet: bool, **options: Any) -> int:
    """Judge whether a board is balanced: seats, tickets, strategies, cities, routes, and how games end.

    Several unlike strategies play at tables of every size, each among copies of itself (mirror) and in all
    compositions (mixed); with one strategy there are only mirror tables. Each verdict is balanced, imbalanced, or
    undecided, with about how many more games would decide.

    \b
    seats       no seat wins 1 point of win share more or less than its fair share
    tickets     being offered a ticket makes no difference of 1 point of win share: over par, under par
    strategies  none wins 1 point of win share more than every other: dominant
    cities      at least 1 % of players come there, at the table where most do; otherwise it is dead
    routes      claimed in at least 1 % of games, likewise
    games       no more than 1 % end with nobody able to move, or are stopped at 400 turns a player

    --until-decided plays on at the tables of undecided verdicts. The error is divided among at most five looks: the
    intervals of each are of 99 %, so that those of all looks hold in 95 of 100 examinations.
    """
    check_form(as_json=as_json, as_csv=as_csv)
    seats, options["margin"] = options["seats"], parse_margins(options["margin"])
    options["seats"] = parse_seats(seats) if seats else None
    with console(quiet=quiet, out=options["out"]) as shown:
        found = ttrsim.balance(**options, **shown.callbacks)
    if as_json:
        write_json(_json(found))
    elif as_csv:
        note(found.sanity)
        write_csv(found.frame)
    else:
        tell(found)
    failing = {"imbalanced": ("imbalanced",), "undecided": ("imbalanced", "undecided"), None: ()}[fail_on]
    return 3 if found.verdict in failing else 0


def parse_margins(given: Sequence[str]) -> dict[str, float]:
    """`2` holds for all that is about win shares, `tickets=3` for one question; as fractions."""
    from ttrsim.stats.balance import BOUNDS, MARGINS

    bounds: dict[str, float] = {}
    for text in given:
        match = re.fullmatch(r"(?:([a-z]+)=)?(\d+(?:\.\d+)?|\.\d+)", text.strip())
        if not match or (match[1] or "seats") not in BOUNDS or not float(match[2]) <= 100:
            told = f"write it as 2, or tickets=3; there are {', '.join(BOUNDS)}, in points of a hundred"
            raise UsageError([f"--margin {text}: {told}"])
        names = [match[1]] if match[1] else MARGINS
        bounds |= dict.fromkeys(names, float(match[2]) / 100)
    return bounds


def parse_seats(text: str) -> list[int]:
    """`2,4` as numbers."""
    if not re.fullmatch(r"[1-6](,[1-6])*", text.replace(" ", "")):
        raise UsageError([f"--seats {text}: write numbers of players, as 2,4"])
    return sorted({int(number) for number in text.split(",")})


def _json(found: "Balance") -> dict[str, Any]:
    runs, frame = found.runs, found.frame
    tables = [
        {"players": r.plan.seats, "table": r.plan.design, "games": r.games_played, "digest": r.digest} for r in runs
    ]
    return {
        "board": runs[0].plan.board.id,
        "strategies": runs[0].strategies,
        "seed": runs[0].plan.seed,
        "tables": tables,
        "sanity": found.sanity,
        "bounds": found.bounds,
        "level": found.level,
        **(_looks_json(found.decided, runs) if found.decided else {}),
        "verdict": found.verdict,
        "summary": [{**row, "more_games": _whole(row["more_games"])} for row in found.summary.to_dict("records")],
        **frames_json({"balance": frame})["balance"],
    }


def _looks_json(decided: "Decided", runs: "Sequence[Run]") -> dict[str, Any]:
    """Tell each look, why there were no more, and how many games more would decide half of what is left."""
    from ttrsim.stats.deciding import more_games

    lap_games = [run.plan.schedule.lap_games for run in runs]
    looks = [
        {
            "games": {name: laps * games for (name, laps), games in zip(look.laps.items(), lap_games, strict=True)},
            "wanted": look.wanted,
        }
        for look in decided.looks
    ]
    return {"looks": looks, "ended": decided.reason, "more_games": _whole(more_games(decided.frame))}


def _whole(number: float) -> int | None:
    return None if math.isnan(number) else int(number)


def tell(found: "Balance") -> None:
    """Print all of it, for people."""
    from ttrsim.stats.balance import BALANCE

    runs, frame = found.runs, found.frame
    board, games = runs[0].board, sum(run.games_played for run in runs)
    heading(f"{board.name} ({board.id}): {found.verdict}")
    paragraph(
        f"{games:,} games of {', '.join(runs[0].strategies)} at {counted(len(runs), 'table')}, seed {runs[0].plan.seed}"
    )
    paragraph(found.sanity)
    write()
    rows: list[list[str | int]] = [
        [
            TITLES[row["question"]],
            row["players"],
            row["table"],
            row["balanced"],
            row["imbalanced"],
            row["undecided"],
            games_more_cell(row["more_games"]),
        ]
        for row in found.summary.to_dict("records")
    ]
    table(["Question", "Players", "Table", "Balanced", "Imbalanced", "Undecided", "More games"], rows)
    paragraph("More games: about how many more at that table would decide half of what is undecided there.")
    _list(frame)
    if found.decided:
        _tell_looks(found.decided, runs)
    write()
    told = ", ".join(f"{name} {100 * bound:g}" for name, bound in found.bounds.items())
    half = f"± is half of the {100 * found.level:g} % interval."
    paragraph(f"Bounds, in points of a hundred: {told}. {half} {BALANCE.intervals}")
    bots = "; a strategy that dominates may also just be the better bot" if len(runs[0].strategies) > 1 else ""
    paragraph(f"It holds for {'these strategies' if bots else 'this strategy'}{bots}.")


def _tell_looks(decided: "Decided", runs: "Sequence[Run]") -> None:
    """Print what was played for what, why no more was, and what is left."""
    from ttrsim.examination import wanted_words
    from ttrsim.stats.deciding import LOOKS, games_of, more_games, undecided

    lap_games = {name: run.plan.schedule.lap_games for name, run in zip(decided.looks[0].laps, runs, strict=True)}
    write()
    heading("Looks")
    rows = [
        [str(number), f"{games_of(look.laps, lap_games):,}", wanted_words(look.wanted) or "all tables"]
        for number, look in enumerate(decided.looks, 1)
    ]
    table(["Look", "Games in all", "Played for what was undecided"], rows)
    ends = {
        "decided": "Nothing is undecided.",
        "budget": "The budget of games is spent.",
        "looks": f"All {LOOKS} looks were made.",
    }
    paragraph(ends[decided.reason])
    if left := undecided(decided.frame):
        more = more_games(decided.frame)
        wanted = f"; {games_more(more)} in all would decide half of that" if not math.isnan(more) else ""
        mend = "a larger --budget goes on" if decided.reason == "budget" else "begin anew with a larger -n"
        paragraph(f"Still undecided: {wanted_words(left)}{wanted} ({mend}).")
    paragraph(
        f"The error is divided among {LOOKS} looks: the intervals of each are so wide that those of all looks hold in "
        "95 of 100 examinations."
    )


def _list(frame: "pd.DataFrame") -> None:
    """Print the imbalanced rows, the largest deviations of each question first."""
    found = frame[frame["verdict"] == "imbalanced"]
    if not len(found):
        return
    order = found.assign(far=-found["value"].abs()).sort_values(["question", "far"], key=_by_question, kind="stable")
    listed = order.groupby("question", sort=False).head(LISTED)
    write()
    heading("Imbalanced")
    rows = [
        [
            TITLES[row["question"]],
            row["players"],
            row["table"],
            row["of"],
            row["finding"],
            cell(row["value"], "share"),
            cell((row["value_high"] - row["value_low"]) / 2, "share"),
        ]
        for row in listed.to_dict("records")
    ]
    table(["Question", "Players", "Table", "Of", "Finding", "Value, %", "±"], rows)
    if len(listed) < len(order):
        write(f"No more than {LISTED} of each question; --csv and --json have all {len(order)}.")


def _by_question(column: "pd.Series[Any]") -> "pd.Series[Any]":
    return column.map(list(TITLES).index) if column.name == "question" else column

"""`ttrsim balance`: the standard examination of a board."""

import contextlib
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttrsim.cli.frames import write_csv
from ttrsim.cli.keeping import kept_in, play_into
from ttrsim.cli.output import check_form, heading, note, paragraph, table, write, write_json
from ttrsim.cli.progress import doing
from ttrsim.cli.usual import (
    Count,
    chosen_seed,
    cores,
    csv_option,
    json_option,
    quiet_option,
    seed_option,
    tell_seed,
    threads_option,
)
from ttrsim.errors import UsageError
from ttrsim.numerals import counted
from ttrsim.report.tables import cell, frames_json, games_more_cell

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run
    from ttrsim.runs.design import Design
    from ttrsim.runs.playing import Player

STRATEGIES = "planner,blocker,hoarder,long_hauler,one_step"
"""Unlike each other, so that a board is not judged by one style."""
GAMES = 40_000
DESIGNS: "tuple[Design, ...]" = ("mirror", "mixed")
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
@click.option(
    "--players", metavar="STRATEGIES", default=STRATEGIES, show_default=True, help="The strategies that play."
)
@click.option(
    "--seats",
    metavar="NUMBERS",
    help="Numbers of players at a table, for example 2,4; all that the board is for if not given.",
)
@click.option(
    "-n",
    "games",
    type=Count(),
    default=GAMES,
    help="Games at each table; 40,000 if not given, rounded up to whole laps.",
)
@click.option("--margin", "margins", metavar="BOUND", multiple=True, help="In points of a hundred, for example 2 (of win share), tickets=3 or routes=0.5; 1 if not given; may be repeated.")  # fmt: skip  # noqa: E501
@seed_option()
@threads_option
@click.option("-o", "out", type=click.Path(path_type=Path), help="A folder in which to keep the runs; what was begun there is continued.")  # fmt: skip  # noqa: E501
@click.option("--fail-on", "fail_on", type=click.Choice(["imbalanced", "undecided"]), help="End with exit code 3 if anything is imbalanced, or if anything is not surely balanced.")  # fmt: skip  # noqa: E501
@json_option
@csv_option
@quiet_option
def balance(board: str, players: str, seats: str | None, games: int, margins: tuple[str, ...], seed: int | None, threads: int | None, out: Path | None, fail_on: str | None, as_json: bool, as_csv: bool, quiet: bool) -> int:  # fmt: skip  # noqa: E501
    """Judge whether a board is balanced: seats, tickets, strategies, cities, routes, and how games end.

    Several unlike strategies play at tables of every size, each among copies of itself (mirror) and in all
    compositions (mixed); with one strategy there are only mirror tables. Each verdict is balanced, imbalanced, or
    undecided; of the last it is told about how many more games would decide.

    \b
    seats       no seat wins 1 point of win share more or less than its fair share
    tickets     being offered a ticket makes no difference of 1 point of win share: over par, under par
    strategies  none wins 1 point of win share more than every other: dominant
    cities      at least 1 % of players come there, at the table where most do; otherwise it is dead
    routes      claimed in at least 1 % of games, likewise
    games       no more than 1 % end with nobody able to move, or are stopped at 400 turns a player
    """
    from ttrsim.stats.balance import balance as judge
    from ttrsim.stats.balance import overall
    from ttrsim.stats.sanity import panels

    check_form(as_json=as_json, as_csv=as_csv)
    bounds = parse_margins(margins)
    made = make_players(board, players, seats, games, chosen_seed(seed))
    with all_played(made, out, threads or cores(), drawn=seed is None, quiet=quiet) as runs:
        with doing("Judging the board ...", quiet=quiet):
            frame = judge(runs, bounds)
            panel = panels(runs)
        if as_json:
            write_json(_json(runs, panel, bounds, frame))
        elif as_csv:
            note(panel)
            write_csv(frame)
        else:
            tell(runs, panel, bounds, frame)
    failing = {"imbalanced": ("imbalanced",), "undecided": ("imbalanced", "undecided"), None: ()}[fail_on]
    return 3 if overall(frame) in failing else 0


def parse_margins(given: Sequence[str]) -> dict[str, float]:
    """`2` holds for all that is about win shares, `tickets=3` for one question; as fractions."""
    from ttrsim.stats.balance import BOUNDS, MARGINS

    bounds = dict(BOUNDS)
    for text in given:
        match = re.fullmatch(r"(?:([a-z]+)=)?(\d+(?:\.\d+)?|\.\d+)", text.strip())
        if not match or (match[1] or "seats") not in BOUNDS or not float(match[2]) <= 100:
            told = f"write it as 2, or tickets=3; there are {', '.join(BOUNDS)}, in points of a hundred"
            raise UsageError([f"--margin {text}: {told}"])
        names = [match[1]] if match[1] else MARGINS
        bounds |= dict.fromkeys(names, float(match[2]) / 100)
    return bounds


def make_players(board: str, strategies: str, seats: str | None, games: int, seed: int) -> "list[Player]":
    """What plays the runs of the examination: mirror and mixed tables of each size."""
    from ttrsim.boards import load_board
    from ttrsim.runs.plan import make_plan
    from ttrsim.runs.playing import Player

    fewest, most = load_board(board).rules.players
    shared: dict[str, Any] = {"board": board, "players": strategies, "games": games, "seed": seed, "record": ()}
    numbers = parse_seats(seats) if seats else range(fewest, most + 1)
    first = make_plan(**shared, design="mirror", seats=min(numbers))[0]
    designs = DESIGNS if len(first.names) > 1 else DESIGNS[:1]  # one strategy meets itself either way
    return [Player(*make_plan(**shared, design=design, seats=number)) for number in numbers for design in designs]


def parse_seats(text: str) -> list[int]:
    """`2,4` as numbers."""
    if not re.fullmatch(r"[1-6](,[1-6])*", text.replace(" ", "")):
        raise UsageError([f"--seats {text}: write numbers of players, as 2,4"])
    return sorted({int(number) for number in text.split(",")})


@contextlib.contextmanager
def all_played(
    players: "Sequence[Player]", out: Path | None, threads: int, *, drawn: bool, quiet: bool
) -> "Iterator[list[Run]]":
    """The runs, in folders as `2-mirror` of `out`, or of a temporary one. drawn: tell their seed."""
    from ttrsim.cli.compiling import compile_first
    from ttrsim.runs.local import local_engine

    compile_first([strategy for player in players for strategy in player.strategies], quiet=quiet)
    if drawn and not quiet:
        tell_seed(players[0].plan.seed)
    with kept_in(out) as folder:
        runs = []
        for number, player in enumerate(players, 1):
            plan = player.plan
            if not quiet:
                told = f"{plan.seats} players, {plan.design}, {counted(plan.schedule.games, 'game')}"
                note(f"Table {number} of {len(players)}: {told}")
            path = folder / f"{plan.seats}-{plan.design}"
            runs.append(play_into(path, player, local_engine(threads), quiet=quiet))
        yield runs


def _json(runs: "Sequence[Run]", panel: str, bounds: dict[str, float], frame: "pd.DataFrame") -> dict[str, Any]:
    from ttrsim.stats.balance import overall, summary

    tables = [
        {"players": r.plan.seats, "table": r.plan.design, "games": r.games_played, "digest": r.digest} for r in runs
    ]
    return {
        "board": runs[0].plan.board.id,
        "strategies": runs[0].strategies,
        "seed": runs[0].plan.seed,
        "tables": tables,
        "sanity": panel,
        "bounds": bounds,
        "verdict": overall(frame),
        "summary": [{**row, "more_games": _whole(row["more_games"])} for row in summary(frame).to_dict("records")],
        **frames_json({"balance": frame})["balance"],
    }


def _whole(number: float) -> int | None:
    return None if math.isnan(number) else int(number)


def tell(runs: "Sequence[Run]", panel: str, bounds: dict[str, float], frame: "pd.DataFrame") -> None:
    """All of it, for people."""
    from ttrsim.stats.balance import BALANCE, overall, summary

    board, games = runs[0].board, sum(run.games_played for run in runs)
    heading(f"{board.name} ({board.id}): {overall(frame)}")
    paragraph(
        f"{games:,} games of {', '.join(runs[0].strategies)} at {counted(len(runs), 'table')}, seed {runs[0].plan.seed}"
    )
    paragraph(panel)
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
        for row in summary(frame).to_dict("records")
    ]
    table(["Question", "Players", "Table", "Balanced", "Imbalanced", "Undecided", "More games"], rows)
    paragraph("More games: about how many more at that table would decide half of what is undecided there.")
    _list(frame)
    write()
    told = ", ".join(f"{name} {100 * bound:g}" for name, bound in bounds.items())
    paragraph(f"Bounds, in points of a hundred: {told}. ± is half of the 95 % interval. {BALANCE.intervals}")
    bots = "; a strategy that dominates may also just be the better bot" if len(runs[0].strategies) > 1 else ""
    paragraph(f"It holds for {'these strategies' if bots else 'this strategy'}{bots}.")


def _list(frame: "pd.DataFrame") -> None:
    """What is imbalanced, the farthest off of each question first."""
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

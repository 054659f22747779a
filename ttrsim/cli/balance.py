"""Judge whether a board is balanced (`ttrsim balance`)."""

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.choices import BALANCE_GAMES, BALANCE_PLAYERS
from ttrsim.cli.compare_balances import print_balances
from ttrsim.cli.console import console
from ttrsim.cli.options import (
    Count,
    board_argument,
    csv_option,
    games_option,
    json_option,
    out_option,
    players_option,
    quiet_option,
    seats_option,
    seed_option,
    threads_option,
)
from ttrsim.cli.output import check_form, fitted, heading, note, paragraph, table, write, write_csv, write_json
from ttrsim.errors import UsageError
from ttrsim.formatting import counted, settled_by
from ttrsim.report.tables import called, cell, frames_json, games_more_cell

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.comparison import BalanceComparison
    from ttrsim.examination import Balance
    from ttrsim.runs import Run
    from ttrsim.stats.balance import Margin
    from ttrsim.stats.deciding import Decided

LISTED = 12
"""The most seats, tickets and so on of each question that are printed; --json has all."""
TITLES = {
    "seats": "Seats",
    "tickets": "Tickets",
    "strategies": "Dominant strategy",
    "cities": "Dead cities",
    "routes": "Dead routes",
    "games": "Stalemates, overlong games",
}


@click.command()
@board_argument()
@players_option("The strategies that play.", default=BALANCE_PLAYERS, show_default=True)
@seats_option()
@games_option(
    "Games at each table, rounded up to whole laps; 40,000 by default. A larger number continues the runs in -o.",
    default=BALANCE_GAMES,
)
@click.option("--margin", metavar="BOUND", multiple=True, help="What counts as balanced: by default what is like the published boards; or strict (1 percentage point for everything), 2 (for win shares), tickets=3 or routes=0.5; may be repeated.")  # fmt: skip  # noqa: E501
@seed_option()
@threads_option
@out_option("A folder for the runs; runs already begun there are continued.")
@click.option("--until-decided", is_flag=True, help="Play on at the tables with undecided verdicts: at most five looks, doubling the games there each time.")  # fmt: skip  # noqa: E501
@click.option("--budget", type=Count(), help="The total number of games with --until-decided; 1,000,000 by default.")
@click.option("--fail-on", "fail_on", type=click.Choice(["imbalanced", "undecided"]), help="Exit with code 3 if anything is imbalanced or, with undecided, if anything is not clearly balanced.")  # fmt: skip  # noqa: E501
@click.option("--against", metavar="BOARD", help="Examine another board as well, on the same deals, and say in what BOARD is nearer to fair; with -o in its folders a and b.")  # fmt: skip  # noqa: E501
@json_option
@csv_option
@quiet_option
def balance(fail_on: str | None, against: str | None, as_json: bool, as_csv: bool, quiet: bool, **options: Any) -> int:
    """Say how far from fair a board is, beside the published boards: seats, tickets, strategies, cities, routes, ends.

    Several different strategies play at tables of every size, each against copies of itself (mirror) and in every
    combination (mixed); with one strategy there are only mirror tables. Each question has a size, with the noise of
    chance taken off:

    \b
    seats, tickets, strategies  root mean square of their effects on the win share, in percentage points
    cities, routes              how many are dead: used in fewer than 1 of 100 chances at every table
    games                       how many end with nobody able to move, or are stopped at 400 turns per player
    length                      turns of each player (not judged)

    A size is balanced if it is clearly at most a quarter larger than the largest of USA, Europe and Old West at the
    same numbers of players, imbalanced if it is clearly larger, and otherwise undecided. Single seats, tickets and
    leads of strategies are judged likewise, against the farthest of theirs. With --margin strict each must be within
    1 point of fair, and each city and route be used in 1 of 100 chances at the table where it is used most.

    --until-decided plays on at the tables with undecided verdicts. The error rate is split among at most five looks:
    each uses 99 % intervals, so that those of all looks hold in 95 of 100 examinations.
    """
    check_form(as_json=as_json, as_csv=as_csv)
    options["margin"] = parse_margins(options["margin"])
    if against is not None and (fail_on or options["until_decided"]):
        raise UsageError(["`against`: goes with neither --fail-on nor --until-decided"])
    with console(quiet=quiet, out=options["out"]) as shown:
        if against is not None:
            print_balances(_both(against, options, shown.callbacks), as_json=as_json, as_csv=as_csv)
            return 0
        found = ttrsim.balance(**options, **shown.callbacks)
    if as_json:
        write_json(_json(found))
    elif as_csv:
        note(found.sanity)
        write_csv(found.frame)
    else:
        print_balance(found)
    failing = {"imbalanced": ("imbalanced",), "undecided": ("imbalanced", "undecided"), None: ()}[fail_on]
    return 3 if found.verdict in failing else 0


def _both(against: str, options: dict[str, Any], callbacks: dict[str, Any]) -> "BalanceComparison":
    """Examine both boards on the same deals, and compare them."""
    folders = [options["out"] / side if options["out"] else None for side in "ab"]
    first = ttrsim.balance(**{**options, "board": against, "out": folders[0]}, **callbacks)
    seed = first.runs[0].recipe.seed
    second = ttrsim.balance(**{**options, "seed": seed, "out": folders[1]}, **callbacks)
    return ttrsim.compare_balances(first, second)


def parse_margins(given: Sequence[str]) -> "Margin":
    """Return the bounds given as fractions: `2` holds for every question about win shares, `tickets=3` for one."""
    from ttrsim.stats.balance import BOUNDS
    from ttrsim.stats.effects import EFFECTS

    bounds: dict[str, float] = {}
    for text in given:
        match = re.fullmatch(r"(?:([a-z]+)=)?(\d+(?:\.\d+)?|\.\d+)", text.strip())
        if text.strip() == "strict":
            bounds |= BOUNDS
        elif not match or (match[1] or "seats") not in BOUNDS or not float(match[2]) <= 100:
            rule = f"write it as strict, 2 or tickets=3, in percentage points; the questions are {', '.join(BOUNDS)}"
            raise UsageError([f"--margin {text}: {rule}"])
        elif match[1]:
            bounds |= {match[1]: float(match[2]) / 100}
        else:
            bounds = {**BOUNDS, **bounds, **dict.fromkeys(EFFECTS, float(match[2]) / 100)}
    return bounds or None


def _json(found: "Balance") -> dict[str, Any]:
    from ttrsim.report.remedies import remedies, to_act_on

    runs, frame = found.runs, found.frame
    tables = [
        {"players": r.recipe.seats, "table": r.recipe.design, "games": r.games_played, "digest": r.digest} for r in runs
    ]
    return {
        "board": runs[0].recipe.board.id,
        "strategies": runs[0].strategies,
        "seed": runs[0].recipe.seed,
        "tables": tables,
        "sanity": found.sanity,
        "bounds": {name: "published" if bound is None else bound for name, bound in found.bounds.items()},
        "unlike_published": found.unlike_published,
        "level": found.level,
        **(_looks_json(found.decided, runs) if found.decided else {}),
        "verdict": found.verdict,
        "answers": found.answers,
        "remedies": remedies(found),
        "act_on": to_act_on(frame),
        "sizes": frames_json({"sizes": found.sizes})["sizes"],
        "summary": [{**row, "more_games": _whole(row["more_games"])} for row in found.summary.to_dict("records")],
        **frames_json({"balance": frame})["balance"],
    }


def _looks_json(decided: "Decided", runs: "Sequence[Run]") -> dict[str, Any]:
    """Return each look, why there were no more, and how many more games would settle half of what is left."""
    from ttrsim.stats.deciding import more_games

    lap_games = [run.recipe.schedule.lap_games for run in runs]
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


def print_balance(found: "Balance") -> None:
    """Print the sizes, what lies beyond the bounds, and the looks for people."""
    from ttrsim.stats.balance import BALANCE

    runs, frame = found.runs, found.frame
    board, games = runs[0].board, sum(run.games_played for run in runs)
    heading(f"{board.name} ({board.id}): {found.verdict}")
    for answer in found.answers:
        paragraph(answer)
    tables, seed = counted(len(runs), "table"), runs[0].recipe.seed
    paragraph(f"{games:,} games of {', '.join(runs[0].strategies)} at {tables}, seed {seed}")
    paragraph(found.sanity)
    _print_remedies(found)
    _print_sizes(found)
    _print_to_act_on(frame)
    if set(found.bounds.values()) != {None}:
        _print_counts(found)
    if found.decided:
        _print_looks(found.decided, runs)
    write()
    paragraph(
        f"± is half of the {100 * found.level:g} % interval; for sizes, each interval holds on its own; all "
        f"others are widened: {BALANCE.intervals[0].lower()}{BALANCE.intervals[1:]}"
    )
    bots = "; a dominant strategy may simply be the better bot" if len(runs[0].strategies) > 1 else ""
    paragraph(f"The verdicts hold for {'these strategies' if bots else 'this strategy'}{bots}.")


def _print_sizes(found: "Balance") -> None:
    """Print the sizes over all tables, then those at some number of players that are not balanced."""
    from ttrsim.stats.sizes import ALL

    over_all = found.sizes["players"] == ALL
    write()
    _size_table(found.sizes[over_all].drop(columns="players"))
    if None in found.bounds.values():
        paragraph(
            "Bound: a quarter more than the largest of the published boards at the same numbers of players, and at "
            "least 1 pp; its own error counts. Seats, tickets, strategies: root mean square of effects on the win "
            "share, without the noise of chance."
        )
    if others := [f"{name} {100 * bound:g}" for name, bound in found.bounds.items() if bound is not None]:
        paragraph(f"Bounds that were set, in percentage points: {', '.join(others)}.")
    for sentence in filter(None, [found.sets_bounds, found.unlike_published]):
        paragraph(sentence)
    single = found.sizes[~over_all & found.sizes["verdict"].isin(["imbalanced", "undecided"])]
    if len(single) and found.sizes["players"].nunique() > 2:
        write()
        heading("At single numbers of players")
        _size_table(single)


def _size_table(sizes: "pd.DataFrame") -> None:
    """Print a row for each size; without columns that are empty."""
    from ttrsim.report.size_words import TITLES, in_unit, size_words, worst_words
    from ttrsim.stats.published_boards import NAMES

    columns = {
        "": [TITLES[question] for question in sizes["question"]],
        "Players": [*sizes.get("players", [])],
        "Size": [size_words(row) for row in sizes.to_dict("records")],
        **{name: [*map(in_unit, sizes[board], sizes["unit"])] for board, name in NAMES.items()},
        "Bound": [*map(in_unit, sizes["bound"], sizes["unit"])],
        "Verdict": [*sizes["verdict"]],
        "Worst": [called(name) for name in sizes["worst_of"]],
        "Value": [worst_words(row) for row in sizes.to_dict("records")],
        "More games": [games_more_cell(more) for more in sizes["more_games"]],
    }
    shown = {name: cells for name, cells in columns.items() if {*cells} - {"–", ""}}
    shown = fitted(shown, ("More games", "Bound", "Value", "Worst"))
    table([*shown], [*zip(*shown.values(), strict=True)])


def _print_counts(found: "Balance") -> None:
    """Print how many verdicts of each kind there are."""
    write()
    heading("All verdicts")
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
    paragraph("More games: how many more at that table would settle half of what is undecided there, at least.")


def _print_looks(decided: "Decided", runs: "Sequence[Run]") -> None:
    """Print what each look played, why there were no more looks, and what is left."""
    from ttrsim.examination import wanted_words
    from ttrsim.stats.deciding import LOOKS, games_of, more_games, undecided

    lap_games = {name: run.recipe.schedule.lap_games for name, run in zip(decided.looks[0].laps, runs, strict=True)}
    write()
    heading("Looks")
    rows = [
        [str(number), f"{games_of(look.laps, lap_games):,}", wanted_words(look.wanted) or "all tables"]
        for number, look in enumerate(decided.looks, 1)
    ]
    table(["Look", "Total games", "Played to settle"], rows)
    ends = {
        "decided": "Nothing is undecided.",
        "budget": "The budget of games is used up.",
        "looks": f"All {LOOKS} looks are used up.",
    }
    paragraph(ends[decided.reason])
    if left := undecided(decided.frame):
        words = settled_by(more_games(decided.frame), "half of that", "in total")
        wanted = f"; {words}" if words else ""
        remedy = "continue with a larger --budget" if decided.reason == "budget" else "start again with a larger -n"
        paragraph(f"Still undecided: {wanted_words(left)}{wanted} ({remedy}).")
    paragraph(
        f"The error rate is split among {LOOKS} looks: their intervals are widened so that those of all looks hold in "
        "95 of 100 examinations."
    )


def _print_remedies(found: "Balance") -> None:
    """Print what is off or undecided, the worst first, each with the command that helps."""
    from ttrsim.report.remedies import remedies

    rows = [
        [row["what"].capitalize(), row["verdict"], row["worst"], row["does"], row["command"]] for row in remedies(found)
    ]
    if rows:
        write()
        heading("What to do")
        for what, verdict, worst, does, command in rows:
            paragraph(f"{what} ({verdict}{f'; worst: {worst}' if worst else ''}): {does}{':' if command else '.'}")
            if command:
                write(f"  {command}")


def _print_to_act_on(frame: "pd.DataFrame") -> None:
    """Print what is imbalanced, each seat, ticket and so on once, with the value farthest from fair."""
    from ttrsim.report.remedies import to_act_on

    if not (found := to_act_on(frame)):
        return
    listed = [row for question in TITLES for row in [r for r in found if r["question"] == question][:LISTED]]
    write()
    heading("Beyond the bounds, and dead places")
    rows = [
        [
            TITLES[row["question"]],
            called(row["of"]),
            row["imbalance"],
            ", ".join(row["tables"]),
            f"{cell(row['value'], 'share')} ± {cell((row['value_high'] - row['value_low']) / 2, 'share')}",
            row["table"],
        ]
        for row in listed
    ]
    table(["Question", "Of", "Imbalance", "At tables", "Farthest, %", "At"], rows)
    if len(listed) < len(found):
        write(f"At most {LISTED} of each question are shown; --json has all {len(found)}.")

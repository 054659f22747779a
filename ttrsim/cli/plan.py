"""Estimate how many games a question needs (`ttrsim plan`)."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttrsim.choices import QUESTIONS
from ttrsim.cli.console import console
from ttrsim.cli.options import (
    NumberRange,
    PathName,
    board_option,
    design_options,
    games_option,
    json_option,
    players_option,
    quiet_option,
    seed_option,
    threads_option,
)
from ttrsim.cli.output import heading, paragraph, table, write, write_json
from ttrsim.errors import UsageError
from ttrsim.formatting import clock

if TYPE_CHECKING:
    from ttrsim.runs import Run
    from ttrsim.stats.precision import Need, OutcomeColumn


@click.command()
@click.option(
    "--precision", required=True, metavar="WIDTH", help="The ± you want, for example 0.5pp (win share) or 2pt (score)."
)
@board_option()
@players_option()
@design_options()
@games_option("Number of games to play for the estimate; 4000 by default.", "--pilot")
@seed_option("The seed of those games")
@click.option("--run", "stored", type=PathName(), help="Estimate from this run instead.")
@click.option(
    "--ask",
    multiple=True,
    type=click.Choice(QUESTIONS),
    help="What you want to know; everything by default; may be repeated.",
)
@click.option("--between", metavar="A,B", help="The two strategies to compare; all pairs by default.")
@click.option("--ticket", help="The ticket whose offer effect you want; by default the one that needs most games.")
@click.option(
    "--power",
    type=NumberRange(0.5, 1, min_open=True, max_open=True),
    help="Also estimate how many games show a difference of that size with this probability, for example 0.8.",
)
@threads_option
@json_option
@quiet_option
def plan(precision: str, stored: Path | None, ask: tuple[str, ...], between: str | None, ticket: str | None, power: float | None, threads: int | None, as_json: bool, quiet: bool, **options: Any) -> None:  # fmt: skip  # noqa: E501
    """Estimate how many games a question needs, and how long they take.

    The command plays some games, which it does not keep, to see how much results vary from block to block.
    """
    from ttrsim.runs.stopping import parse_pair
    from ttrsim.stats.precision import needs, pilot, stored_pilot

    outcome, width = parse_precision(precision)
    pair = parse_pair("between", between) if between else None
    asked = ask or (["differences"] if between else ["offers"] if ticket else QUESTIONS)
    given = {name: value for name, value in options.items() if value is not None}
    if stored and given:
        raise UsageError(["--run: decides which games are used; leave out --map, --players and the like"])
    with console(quiet=quiet) as shown:
        if stored:
            run, rate = stored_pilot(stored, threads, shown.listener)
        else:
            run, rate = pilot(threads=threads, listener=shown.listener, **given)
    found = needs(run, width, outcome, asked, pair=pair, ticket=ticket, power=power)  # type: ignore[arg-type]
    if as_json:
        write_json(plan_json(run, rate, width, outcome, power, found))
    else:
        print_plan(run, rate, precision, power, found)


def parse_precision(value: str) -> "tuple[OutcomeColumn, float]":
    """Return the outcome and the half-width: `0.5pp` is a win share of 0.005, `2pt` a score of 2."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)(pp|pt)", value.strip())
    number = float(match[1]) if match else 0
    if not match or not 0 < number <= (50 if match[2] == "pp" else 1000):
        raise UsageError([f"--precision {value}: write it as 0.5pp (wins per 100 games) or 2pt (points of score)"])
    return ("win60", number / 100) if match[2] == "pp" else ("score", number)


def plan_json(run: "Run", rate: float, width: float, outcome: str, power: float | None, found: "list[Need]") -> Any:
    """Return the estimates for JSON."""
    return {
        "board": run.recipe.board.id,
        "strategies": run.strategies,
        "outcome": {"win60": "win share", "score": "score"}[outcome],
        "half_width": width,
        "power": power,
        "games_looked_at": run.games_played,
        "games_a_second": rate,
        "questions": [{**vars(need), "seconds": need.games and need.games / rate} for need in found],
    }


def print_plan(run: "Run", rate: float, precision: str, power: float | None, found: "list[Need]") -> None:
    """Print the estimates for people."""
    heading(f"{run.board.name} ({run.recipe.board.id}): how many games give ± {precision}")
    write()
    headings = ["Question", "Games", "From", "To", "Time", *([f"Seen, power {power:g}"] if power else [])]
    rows: list[list[str | int]] = [
        [
            need.question,
            *("–" if games is None else games_words(games) for games in (need.games, need.fewest, need.most)),
            "–" if need.games is None else clock(need.games / rate),
            *(["–" if need.to_tell is None else games_words(need.to_tell)] if power else []),
        ]
        for need in found
    ]
    table(headings, rows)
    write()
    paragraph("± is half of the 95 % interval, for each question by itself.")
    rough = f"{run.games_played:,} games show only roughly how much results vary"
    paragraph(f"From, to: {rough}; in 95 of 100 cases the true number is between these.")
    if any(need.games is None for need in found):
        paragraph("–: not known, because nothing varied in these games, or there were too few wins or losses.")
    paragraph(f"Time: at {games_words(rate)} games per second, as measured just now.")
    if power:
        paragraph(f"Seen: with this many games, a difference of {precision} shows up in {100 * power:g} of 100 runs.")


def games_words(number: float) -> str:
    """Return a number rounded to two digits, because more would feign knowledge.

    >>> games_words(12345)
    '13,000'
    """
    from ttrsim.stats import verdicts

    return f"{float(verdicts.rounded(number)):,.0f}"

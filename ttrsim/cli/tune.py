"""Search for better parameters of a strategy (`ttrsim tune`), or try a grid of them (`ttrsim sweep`)."""

import math
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.choices import SWEEP_GAMES, TUNE_GAMES
from ttrsim.cli.console import resumable
from ttrsim.cli.options import (
    NumberRange,
    OutFile,
    board_option,
    csv_option,
    engine_options,
    games_option,
    json_option,
    out_option,
    quiet_option,
    replace_option,
    seed_option,
    threads_option,
    typed,
)
from ttrsim.cli.output import heading, paragraph, write, write_grid, write_json
from ttrsim.cli.trials import measure_and_print
from ttrsim.errors import UsageError

if TYPE_CHECKING:
    from ttrsim.sweeper import Sweep
    from ttrsim.tuner import Tuning

MOST_VALUES = 1000
"""The most values of one parameter of a sweep."""
seats_option = click.option("--seats", type=click.IntRange(1, 6), help="Players at the table.")
against_option = click.option("--against", metavar="STRATEGIES", help="The opponents, for example planner,hoarder: every combination of them plays; by default the strategy as it starts. `self` is the best found so far.")  # fmt: skip  # noqa: E501


@click.command()
@click.argument("strategy", required=False)
@board_option()
@seats_option
@click.option("--table", "tables", multiple=True, metavar="TABLE", help="A table, for example usa/4, in place of --map and --seats; may be repeated.")  # fmt: skip  # noqa: E501
@against_option
@click.option("--params", metavar="NAMES", help="The parameters to tune, for example thrift,tempo; all by default.")
@click.option("--worst", is_flag=True, default=None, help="With several tables: judge by the one with the smallest gain, not by the mean of all.")  # fmt: skip  # noqa: E501
@games_option(f"Number of games in all, for example 1e6; {TUNE_GAMES:,} by default.", "-n", "--games")
@click.option(
    "--minutes",
    type=NumberRange(0, min_open=True),
    help="About how many minutes to play, instead of --games.",
)
@click.option("--precision", type=NumberRange(0, 50, min_open=True), help="Continue the test until the gain is known to ± this many wins per 100 games.")  # fmt: skip  # noqa: E501
@seed_option()
@threads_option
@out_option("A folder to keep the tuning in; it must be new, unless --resume is given.")
@click.option("--resume", is_flag=True, help="Continue the tuning in the folder.")
@engine_options
@click.option("--profile", is_flag=True, help="Keep clearly better values beside STRATEGY, a file of your own; my_bot.py@best then plays with them at that table.")  # fmt: skip  # noqa: E501
@json_option
@quiet_option
def tune(as_json: bool, quiet: bool, **options: Any) -> None:
    """Search for parameters with which STRATEGY wins more, and test them on deals that the search did not see.

    STRATEGY is a name or a file, such as planner or my_bot.py; the search starts from its values and keeps within the
    bounds that PARAMS in its file gives. Nearly half of the games test the result: against the start, with each
    parameter alone put back, and at neighbouring tables. If nothing clearly better was found, it says so.
    """
    if options["precision"] is not None:
        options["precision"] /= 100
    options["engine"] = options["engine"] or "threads"
    if options["resume"]:  # all else was chosen when it began; options from files are for new ones
        options = {name: value for name, value in options.items() if name in AS_GIVEN or typed(name)}
    out = options["out"]

    def words() -> str:
        from ttrsim.tuner import how_to_continue

        return how_to_continue(out) if out else ""

    with resumable(words, quiet=quiet) as shown:
        found = ttrsim.tune(**options, **shown.callbacks)
    write_json(found.json()) if as_json else print_tuning(found)


AS_GIVEN = ("out", "resume", "profile", "threads", "engine", "scheduler")
"""Options of how a tuning is played, not what."""


def print_tuning(found: "Tuning") -> None:
    """Print what was found: in sentences, as the line to use, and in tables."""
    from ttrsim.formatting import command_line
    from ttrsim.tuning.frames import GAINS, PARAMETERS
    from ttrsim.tuning.inputs import against_words

    matches = found.state.matches
    at = "; ".join(match.title for match in matches)
    heading(f"{found.start.spec} at {at}, against {against_words(matches[0].against)}; {found.games:,} games, seed {matches[0].seed}")  # fmt: skip  # noqa: E501
    for sentence in found.answers:
        paragraph(sentence)
    use = found.strategy if found.verdict == "better" else None
    write()
    write(f"To use it: {command_line(['--players', use.spec])}" if use else f"Keep {found.start.spec}.")
    for definition, frame in ((GAINS, found.gains), (PARAMETERS, found.parameters)):
        write_grid(definition, frame, definition.name.capitalize())
    if found.path:
        write()
        write(f"For a page about it: {command_line(['ttrsim', 'report', str(found.path), '-o', 'tuned.html'])}")


@click.command()
@click.argument("strategy")
@click.argument("grid", nargs=-1, required=True, metavar="PARAMETER=LOW:HIGH:STEP...")
@board_option(required=True)
@click.option("--seats", type=click.IntRange(1, 6), required=True, help="Players at the table.")
@against_option
@games_option("Games with each value, or pair of values.", "-n", "--games", default=SWEEP_GAMES, show_default=True)
@seed_option()
@threads_option
@click.option("-o", "output", type=OutFile(), help="Also draw it: a .png, .svg or .pdf file.")
@replace_option
@json_option
@csv_option
@quiet_option
def sweep(grid: tuple[str, ...], output: Path | None, **given: Any) -> None:
    """Play STRATEGY with each value of one parameter, or each pair of values of two, all on the same deals.

    For example `ttrsim sweep planner risk=0:20:2 --map usa --seats 2 --against hoarder`. LOW and HIGH are
    included. Values can also be listed: risk=1,2,5.
    """
    measure_and_print(partial(ttrsim.sweep, grid=parse_grid(grid)), print_sweep, output, **given)


NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"


def parse_grid(given: tuple[str, ...]) -> dict[str, list[float]]:
    """Return the values of each parameter.

    >>> parse_grid(("risk=0:1:0.5", "full=1,2"))
    {'risk': [0.0, 0.5, 1.0], 'full': [1.0, 2.0]}
    """
    grid: dict[str, list[float]] = {}
    for text in given:
        name, _, values = text.partition("=")
        if name in grid:
            raise UsageError([f"{text}: {name} is given twice"])
        if found := re.fullmatch(rf"({NUMBER}):({NUMBER}):({NUMBER})", values):
            grid[name] = _steps(text, *map(float, found.groups()))
        elif re.fullmatch(rf"{NUMBER}(,{NUMBER})*", values):
            grid[name] = [float(value) for value in values.split(",")]
        else:
            raise UsageError([f"{text}: write it as {name or 'risk'}=0:20:2 (lowest, highest, step) or =1,2,5"])
    return grid


def _steps(text: str, low: float, high: float, step: float) -> list[float]:
    if not (low <= high < math.inf and step > 0):
        raise UsageError([f"{text}: the first number must be at most the second, and the step above 0"])
    if (count := (high - low) / step + 1 + 1e-9) >= MOST_VALUES + 1:
        raise UsageError([f"{text}: has {count:,.0f} values; at most {MOST_VALUES:,}"])
    return [round(low + number * step, 9) for number in range(int(count))]


def print_sweep(found: "Sweep") -> None:
    """Print what was found, in a sentence and as a table."""
    from ttrsim.tuning.frames import SWEEP

    heading(f"{found.strategy.spec} at {found.about}")
    for sentence in found.answers:
        paragraph(sentence)
    write_grid(SWEEP, found.frame, "Sweep")

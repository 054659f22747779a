"""Options that end a run before its last game, and messages about them."""

import math
import re
from typing import TYPE_CHECKING, Any

import click

from ttrsim.cli.output import paragraph
from ttrsim.cli.usual import Option, options
from ttrsim.errors import UsageError
from ttrsim.numerals import counted, decimal, games_more

if TYPE_CHECKING:
    from ttrsim.runs.make import Outcome
    from ttrsim.runs.plan import Plan, Sprt, UntilCi
    from ttrsim.runs.sprt import SprtState

HYPOTHESES = ("elo0", "elo1", "alpha", "beta")
"""Options of a sequential test: what its hypotheses say, and how often each may be accepted wrongly."""


def hypothesis_options(of: str) -> Option:
    """Add the options for the hypotheses of a sequential test and their errors."""
    return options(
        click.option(
            "--elo0", type=float, help=f"With --sprt: normalised Elo of {of} under hypothesis H0; 0 if not given."
        ),
        click.option("--elo1", type=float, help="With --sprt: the same under hypothesis H1; 2 if not given."),
        click.option(
            "--alpha", type=float, help="With --sprt: how often H1 may be accepted wrongly; 0.05 if not given."
        ),
        click.option(
            "--beta", type=float, help="With --sprt: how often H0 may be accepted wrongly; 0.05 if not given."
        ),
    )


stop_options = options(
    click.option(
        "--until-ci",
        metavar="WIDTH",
        help="Stop when every win share is known to ± WIDTH, for example 0.5pp; -n is the most.",
    ),
    click.option("--sprt", metavar="A,B", help="Stop when it is known whether A is better than B; -n is the most."),
    hypothesis_options("A over B"),
)


def parse_stop(options: dict[str, Any]) -> "UntilCi | Sprt | None":
    """Take these options out of `options`, and put together what they ask for."""
    from ttrsim.runs.plan import UntilCi

    until_ci, sprt = options.pop("until_ci"), options.pop("sprt")
    given = {name: value for name in HYPOTHESES if (value := options.pop(name)) is not None}
    if until_ci and sprt:
        raise UsageError(["--until-ci, --sprt: a run stops for one reason; give one of them"])
    if given and not sprt:
        raise UsageError([f"--{next(iter(given))}: needs --sprt"])
    if sprt:
        return make_sprt(parse_pair("--sprt", sprt), given)
    return UntilCi(half_width=parse_points("--until-ci", until_ci)) if until_ci else None


def make_sprt(names: tuple[str, str], given: dict[str, float]) -> "Sprt":
    """Return the test of two strategies, with those of its HYPOTHESES that are given."""
    from pydantic import ValidationError

    from ttrsim.runs.plan import Sprt

    try:
        return Sprt(first=names[0], second=names[1], **given)
    except ValidationError as e:
        error = e.errors()[0]
        which = f"--{error['loc'][0]} {error['input']:g}" if error["loc"] else "--sprt"
        raise UsageError([f"{which}: {error['msg'].lower().removeprefix('value error, ')}"]) from None


def parse_pair(option: str, value: str) -> tuple[str, str]:
    """Return two strategies as a run's tables call them: `planner,random`, also with parameters in parentheses."""
    from ttrsim.strategies.line_up import tidy

    names = [tidy(name) for name in re.split(r",(?![^(]*\))", value)]
    if len(names) != 2:
        raise UsageError([f"{option} {value}: write two strategies, for example planner,random"])
    return names[0], names[1]


def parse_points(option: str, value: str) -> float:
    """`0.5pp`, in points of win share, as 0.005."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)pp", value.strip())
    if not match or not 0 < float(match[1]) <= 50:
        raise UsageError([f"{option} {value}: write it as 0.5pp, half a percentage point of win share"])
    return float(match[1]) / 100


def announce_stop(plan: "Plan") -> str:
    """Announce a run that may stop."""
    most = counted(plan.schedule.games, "game")
    return f"Stops after {most}, or before by {plan.stop}; looked at again and again"


def stop_json(outcome: "Outcome") -> dict[str, Any]:
    """Return values for the JSON summary; `answered` is null if games are missing, `games_more` if it is not known."""
    watch, state = outcome.watch, outcome.watch.sprt
    return {
        "laps": watch.looked if outcome.digest else None,
        "planned_laps": watch.plan.laps,
        "stopped_early": watch.early,
        "answered": answered(outcome),
        "games_more": games_wanted(outcome),
        "sprt": sprt_json(state),
    }


def sprt_json(state: "SprtState | None") -> dict[str, Any] | None:
    """Return the sequential test, if there is one; its normalised Elo is null if it is not a finite number."""
    if state is None:
        return None
    elo = state.normalised_elo if math.isfinite(state.normalised_elo) else None
    return {**vars(state), "normalised_elo": elo, "accepted": state.accepted}


def tell_stop(outcome: "Outcome") -> None:
    """Print the end of the summary of a run that could stop."""
    from ttrsim.runs.plan import Sprt

    watch, stop = outcome.watch, outcome.watch.plan.stop
    if watch.sprt and isinstance(stop, Sprt):
        tell_sprt(f"{stop.first} against {stop.second}", watch.sprt, stop, "blocks")
    if told := _not_answered(outcome):
        paragraph(told)
    if watch.early and stop:
        games = f"{outcome.shares.games:,} of {watch.plan.schedule.games:,} games"
        paragraph(f"Stopped after {games}, as chosen by {stop}.")
        paragraph(stop.caution)


def answered(outcome: "Outcome") -> bool | None:
    """Return whether a run ended with an answer to its question; None if it has not ended."""
    watch = outcome.watch
    if outcome.digest is None or watch.early:
        return True if outcome.digest else None
    if watch.sprt:
        return watch.sprt.accepted is not None
    return games_wanted(outcome) is None and _widest(outcome) is not None


def games_wanted(outcome: "Outcome") -> int | None:
    """Return about how many more games an ended run would have needed for an answer; None if not known."""
    from ttrsim.runs.plan import UntilCi
    from ttrsim.stats.verdicts import rounded

    stop, state, games, more = outcome.watch.plan.stop, outcome.watch.sprt, outcome.shares.games, math.nan
    if outcome.digest and not outcome.watch.early:
        if state:
            more = games * state.more_blocks / state.blocks
        elif isinstance(stop, UntilCi) and (width := _widest(outcome)):
            more = games * ((width / stop.half_width) ** 2 - 1)
    return int(rounded(more)) if math.isfinite(more) and more > 0 else None


def _widest(outcome: "Outcome") -> float | None:
    """Return the largest half width of a win share; None if one is not known."""
    widths = [share.half_width for share in outcome.shares.estimates()]
    return max((width for width in widths if width is not None), default=None) if None not in widths else None


def _not_answered(outcome: "Outcome") -> str | None:
    """Say that a run ended with its last game before its question was answered; return None if it did not."""
    from ttrsim.runs.plan import UntilCi

    if answered(outcome) is not False:
        return None
    stop, games, more = outcome.watch.plan.stop, outcome.shares.games, games_wanted(outcome)
    if not isinstance(stop, UntilCi):
        needed = f"; it takes {games_more(more)} if they go on like this" if more else ""
        return f"Not decided after all {games:,} games{needed}."
    if more is None:
        return f"± of some win share is not known after all {games:,} games, so {stop} did not end the run."
    return f"± {100 * stop.half_width:g} not reached after all {games:,} games; it takes {games_more(more)}."


def tell_sprt(pair: str, state: "SprtState", test: "Sprt", looked_at: str) -> None:
    """Print the state of the sequential test of a pair. looked_at: what it counts, blocks or batches."""
    result = {
        "H0": f"accepted H0, normalised Elo {test.elo0:g} rather than {test.elo1:g}",
        "H1": f"accepted H1, normalised Elo {test.elo1:g} rather than {test.elo0:g}",
        None: "undecided",
    }[state.accepted]
    ratio, low, high = (decimal(number, 2) for number in (state.ratio, state.low, state.high))
    numbers = f"log-likelihood ratio {ratio}, bounds {low} and {high}"
    found = f"{state.blocks:,} {looked_at}, {_elo_words(state.normalised_elo)}"
    paragraph(f"{pair}: {result} ({numbers}; {found})")


def _elo_words(elo: float) -> str:
    if math.isnan(elo):
        return "in none of which they differ, so normalised Elo is not known"
    if math.isinf(elo):
        sign = "−" if elo < 0 else ""
        return f"which all came out the same, so normalised Elo is {sign}∞, beyond all measure"
    return f"in which normalised Elo is {decimal(elo)}"

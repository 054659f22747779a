"""Define the options that end a run early, and explain why it ended."""

import math
import re
from typing import TYPE_CHECKING, Any

import click

from ttrsim.cli.options import Option, options
from ttrsim.cli.output import paragraph
from ttrsim.errors import UsageError
from ttrsim.formatting import decimal, games_more

if TYPE_CHECKING:
    from ttrsim.runs.recipe import Sprt
    from ttrsim.runs.stopping import Outcome, SprtState


def hypothesis_options(of: str) -> Option:
    """`--elo0`, `--elo1`, `--alpha` and `--beta`: the hypotheses of a sequential test and their error rates."""
    return options(
        click.option(
            "--elo0", type=float, help=f"With --sprt: the normalised Elo of {of} under hypothesis H0; 0 by default."
        ),
        click.option("--elo1", type=float, help="With --sprt: the same under hypothesis H1; 2 by default."),
        click.option(
            "--alpha", type=float, help="With --sprt: the probability of wrongly accepting H1; 0.05 by default."
        ),
        click.option(
            "--beta", type=float, help="With --sprt: the probability of wrongly accepting H0; 0.05 by default."
        ),
    )


stop_options = options(
    click.option(
        "--until-ci",
        metavar="WIDTH",
        help="Stop once every win share is known to ± WIDTH, for example 0.5pp; at the latest after -n games.",
    ),
    click.option(
        "--sprt", metavar="A,B", help="Stop once it is known whether A is better than B; at the latest after -n games."
    ),
    hypothesis_options("A over B"),
)


def parse_points(option: str, value: str) -> float:
    """Return `0.5pp`, in wins per 100 games, as 0.005."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?|\.\d+)pp", value.strip())
    if not match or not 0 < float(match[1]) <= 50:
        raise UsageError([f"{option} {value}: write it as 0.5pp, for half a percentage point of win share"])
    return float(match[1]) / 100


def stop_json(outcome: "Outcome") -> dict[str, Any]:
    """Return values for the JSON summary: `answered` is null if games are missing, `games_more` if unknown."""
    watch, state = outcome.watch, outcome.watch.sprt
    return {
        "laps": watch.looked if outcome.digest else None,
        "planned_laps": watch.recipe.laps,
        "stopped_early": watch.early,
        "answered": outcome.answered,
        "games_more": _rounded(outcome.more_games),
        "sprt": sprt_json(state),
    }


def sprt_json(state: "SprtState | None") -> dict[str, Any] | None:
    """Return the sequential test, if there is one; its normalised Elo is null if it is not finite."""
    if state is None:
        return None
    elo = state.normalised_elo if math.isfinite(state.normalised_elo) else None
    return {**vars(state), "normalised_elo": elo, "accepted": state.accepted}


def print_stop(outcome: "Outcome") -> None:
    """Print why a run stopped early, or did not."""
    from ttrsim.runs.recipe import Sprt

    watch, stop = outcome.watch, outcome.watch.recipe.stop
    if watch.sprt and isinstance(stop, Sprt):
        print_sprt(f"{stop.first} against {stop.second}", watch.sprt, stop, "blocks")
    if words := _not_answered(outcome):
        paragraph(words)
    if watch.early and stop:
        games = f"{outcome.shares.games:,} of {watch.recipe.schedule.games:,} games"
        paragraph(f"Stopped after {games}, because of {stop}.")
        paragraph(stop.caution)


def _rounded(number: float | None) -> int | None:
    from ttrsim.stats.verdicts import rounded

    return None if number is None else int(rounded(number))


def _not_answered(outcome: "Outcome") -> str | None:
    """Say that a run played all its games and left its question open; return None if it did not."""
    from ttrsim.runs.recipe import UntilCi

    if outcome.answered is not False:
        return None
    stop, games, more = outcome.watch.recipe.stop, outcome.shares.games, _rounded(outcome.more_games)
    if not isinstance(stop, UntilCi):
        needed = f"; at this rate it would take {games_more(more, how='about')}" if more else ""
        return f"Not decided after all {games:,} games{needed}."
    if more is None:
        return f"The ± of some win share is not known after all {games:,} games, so {stop} did not end the run."
    needed = games_more(more, how="about")
    return f"± {100 * stop.half_width:g} was not reached after all {games:,} games; it would take {needed}."


def print_sprt(pair: str, state: "SprtState", test: "Sprt", unit: str) -> None:
    """Print the state of the sequential test of a pair. unit: what it counts, blocks or batches."""
    result = {
        "H0": f"accepted H0, normalised Elo {test.elo0:g} rather than {test.elo1:g}",
        "H1": f"accepted H1, normalised Elo {test.elo1:g} rather than {test.elo0:g}",
        None: "undecided",
    }[state.accepted]
    ratio, low, high = (decimal(number, 2) for number in (state.ratio, state.low, state.high))
    numbers = f"log-likelihood ratio {ratio}, bounds {low} and {high}"
    found = f"{state.blocks:,} {unit}, {_elo_words(state.normalised_elo)}"
    paragraph(f"{pair}: {result} ({numbers}; {found})")


def _elo_words(elo: float) -> str:
    if math.isnan(elo):
        return "in none of which they differ, so normalised Elo is unknown"
    if math.isinf(elo):
        sign = "−" if elo < 0 else ""
        return f"which all had the same result, so normalised Elo is {sign}∞"
    return f"in which normalised Elo is {decimal(elo)}"

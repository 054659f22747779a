"""Estimate how many games a question needs, from the errors of a run that was already played.

An error comes from the batches of the run, so it holds for blocks with their rotations as they are, and it shrinks
with the root of the number of games.
"""

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ttrsim.batches import FEWEST_BATCHES, Array, Estimate, ratio
from ttrsim.boards.board import find_tickets
from ttrsim.choices import QUESTIONS, Question, drawn_seed
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.errors import UsageError, UserError
from ttrsim.formatting import counted, seat_name
from ttrsim.progress import Listener
from ttrsim.stats.frames import sums
from ttrsim.stats.standings import differences, wins_known
from ttrsim.stats.ticket_values import offer_effects

if TYPE_CHECKING:
    from ttrsim.runs import Run
    from ttrsim.runs.playing import Player

OutcomeColumn = Literal["win60", "score"]
"""The column of sums that has the outcome which is to be known."""
PILOT_GAMES, MOST_PILOT_GAMES = 4000, 10_000_000
"""Games that show how much results vary, and how fast they are played."""


@dataclass(frozen=True)
class Need:
    """The games that a question needs."""

    question: str
    error: float | None  # standard error in the run that was played; None: nothing varied, or too little is known of it
    games: int | None  # until the half width of the 95 % interval is as wanted; None: the run cannot tell
    fewest: int | None  # the same, as the errors of that run are themselves uncertain: with the smallest that is likely
    most: int | None  # and with the largest
    to_tell: int | None  # until a difference from 0 of that size is seen with the power wanted


def pilot(
    *, games: int = PILOT_GAMES, threads: int | None = None, listener: Listener | None = None, **options: Any
) -> "tuple[Run, float]":
    """Play a run that is not kept; return it with the games per second it took. options: as for `ttrsim.run`."""
    from ttrsim.runs.arguments import NEEDED
    from ttrsim.runs.run import new_player

    for name in ("board", "players"):
        if name not in options:
            raise UsageError([f"Missing option '{NEEDED[name]}' (or --run)."])
    if not 1 <= games <= MOST_PILOT_GAMES:
        raise UsageError([f"`games` {games}: must be from 1 to {MOST_PILOT_GAMES:,}"])
    player = new_player(**{"seed": drawn_seed(), **options, "games": games, "record": ()})
    about = f"Playing {player.schedule.games:,} games for the estimate, with seed {player.recipe.seed}"
    return _timed(player, threads, listener or Listener(), [about])


def stored_pilot(path: Path, threads: int | None = None, listener: Listener | None = None) -> "tuple[Run, float]":
    """Return a stored run, and how many games of it are played in a second."""
    from ttrsim.runs.copies import check_replay
    from ttrsim.runs.read import Run

    run, listener = Run.open(path), listener or Listener()
    check_replay(run.folder, run.recipe)
    laps = -(-PILOT_GAMES // run.recipe.schedule.lap_games)
    listener.doing("Measuring how fast games are played ...")
    few, rate = _timed(run.player.changed(laps=laps, record=(), stop=None), threads, listener)
    few.close()
    return run, rate


def _timed(player: "Player", threads: int | None, listener: Listener, about: Sequence[str] = ()) -> "tuple[Run, float]":
    """Play a run that is not kept, and time it."""
    from ttrsim.compiling import compile_first, cores
    from ttrsim.runs.playing import local_engine
    from ttrsim.runs.run import play_unkept

    compile_first(player.strategies, listener)
    player.compile()
    start = time.perf_counter()
    run = play_unkept(player, local_engine(threads or cores()), listener, about)
    return run, run.outcome.shares.games / (time.perf_counter() - start)


def needs(
    run: "Run",
    precision: float,
    outcome: OutcomeColumn = "win60",
    asked: Sequence[Question] = QUESTIONS,
    *,
    pair: tuple[str, str] | None = None,
    ticket: str | None = None,
    power: float | None = None,
) -> list[Need]:
    """Return the number of games that each question needs.

    precision: half width of the 95 % interval, a win share or with outcome="score" points. pair: the strategies whose
    difference is asked for, instead of all pairs; ticket: the ticket whose offer effect is asked for, instead of the
    one that needs most games among those with an estimate; power: the probability with which a difference from 0 as
    large as `precision` is to be seen.
    """
    if len(run.batches) < FEWEST_BATCHES:
        batches = counted(len(run.batches), "batch", "batches")
        raise UserError([f"{run.games_played} games make {batches}; {FEWEST_BATCHES} are needed"])
    errors: dict[str, float] = {}
    for question in asked:
        if question == "offers":
            errors |= _offers(run, outcome, ticket)
        else:
            errors |= _means(run, outcome, question, pair)
    return [_need(run, question, error, precision, power) for question, error in errors.items()]


def _need(run: "Run", question: str, error: float, precision: float, power: float | None) -> Need:
    from scipy.special import chdtri, ndtri, stdtrit

    if not math.isfinite(error):
        return Need(question, None, None, None, None, None)
    freedom = len(run.batches) - 1
    one = run.games_played * (error / precision) ** 2  # games until the standard error is `precision`
    wide = stdtrit(freedom, 0.975)
    fewest, most = (freedom / chdtri(freedom, tail) for tail in (0.025, 0.975))
    return Need(
        question,
        error,
        games=_laps(run, one * wide**2),
        fewest=_laps(run, one * wide**2 * fewest),
        most=_laps(run, one * wide**2 * most),
        to_tell=None if power is None else _laps(run, one * (wide + ndtri(power)) ** 2),
    )


def _laps(run: "Run", games: float) -> int:
    """Round up to whole laps."""
    lap = run.recipe.schedule.lap_games
    return max(1, math.ceil(games / lap)) * lap


def _means(run: "Run", outcome: OutcomeColumn, question: Question, pair: tuple[str, str] | None) -> dict[str, float]:
    """Return errors of means of strategies or seats, or of their differences, by question; NaN where not known."""
    what = "Win share" if outcome == "win60" else "Mean score"
    known = np.full(len(run.strategies), True) if outcome == "score" else wins_known(run)
    if question == "seats":
        seats = np.where(known.any(), _mean(run, outcome, over="strategies").varied().error, np.nan)
        return {f"{what} of the {seat_name(seat)}": float(error) for seat, error in enumerate(seats)}
    means = _mean(run, outcome, over="seats")
    if question == "shares":
        errors = np.where(known, means.varied().error, np.nan)
        return {f"{what} of {name}": float(error) for name, error in zip(run.strategies, errors, strict=True)}
    names = run.strategies
    apart = np.where(known[:, None] | known, differences(means).varied().error, np.nan)
    places = [_places(run, pair)] if pair else [(i, j) for j in range(len(names)) for i in range(j)]
    return {f"{what}, {names[i]} less {names[j]}": float(apart[i, j]) for i, j in places}


def _mean(run: "Run", outcome: OutcomeColumn, over: Literal["strategies", "seats"]) -> Estimate:
    """Return means over the seats of each strategy, or over the strategies in each seat."""
    s, axis = sums(run, "seats"), {"strategies": 1, "seats": 2}[over]
    unit = WHOLE_WIN if outcome == "win60" else 1
    return ratio(s[outcome].sum(axis=axis) / unit, s["games"].sum(axis=axis))


def _places(run: "Run", pair: tuple[str, str]) -> tuple[int, int]:
    for name in pair:
        if name not in run.strategies:
            raise UsageError([f"no strategy {name!r} in the run; it has {', '.join(run.strategies)}"])
    return run.strategies.index(pair[0]), run.strategies.index(pair[1])


def _offers(run: "Run", outcome: OutcomeColumn, ticket: str | None) -> dict[str, float]:
    """Return errors of offer effects, by strategy and ticket."""
    names = [run.board.ticket_name(t) for t in run.board.tickets]
    asked = None if ticket is None else find_tickets(run.board, [ticket])[0]
    unit = WHOLE_WIN if outcome == "win60" else 1
    errors: Array = offer_effects(run, outcome).varied().error / unit
    found = {}
    for strategy, of_strategy in zip(run.strategies, errors, strict=True):
        if asked is None and np.isnan(of_strategy).all():
            found[f"Offer effect of any ticket, {strategy}"] = math.nan
            continue
        place = int(np.nanargmax(of_strategy)) if asked is None else asked
        found[f"Offer effect of {names[place]}, {strategy}"] = float(of_strategy[place])
    return found

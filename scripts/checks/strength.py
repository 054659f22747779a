"""Measure the strength of the shipped strategies: `python scripts/verify.py strength`.

Each line-up takes all seats and all orders at the table. Errors are 95 % half widths from the means of blocks.
"""

import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from time import monotonic
from typing import NamedTuple

import click
import numpy as np

from ttrsim.batches import Array
from ttrsim.games import Results
from ttrsim.runs.laps import pieces
from ttrsim.runs.playing import Player
from ttrsim.runs.run import new_player
from ttrsim.threads import on_threads

AGENTS = ("one_step", "long_route", "route_focused", "destination_hungry")
STYLES = ("planner", "blocker", "hoarder", "long_hauler")
THREADS = 2
LAPS = 100
"""That a thread plays in one go."""


class Expectation(NamedTuple):
    """An expectation of the first strategy of a line-up."""

    board: str
    players: tuple[str, ...]
    what: str  # a measure of `values`
    least: float


def expectations() -> list[Expectation]:
    """Return all that is expected; `verify.py looking` has what is expected of lookahead."""
    found = [Expectation("usa", ("planner", agent), "win share", 0.70) for agent in AGENTS]
    found.append(Expectation("usa", STYLES, "win share", 0.40))
    found += [Expectation(board, STYLES, "lead", 0.0) for board in ("europe", "old_west", "san_francisco")]
    found.append(Expectation("usa", ("planner", "planner"), "score", 115.0))
    found.append(Expectation("usa", ("planner", "planner"), "tickets completed", 0.85))
    return found


@click.command()
@click.option("--games", default=20_000, show_default=True, help="Games of each line-up.")
@click.option("--seed", default=1, show_default=True)
def strength(games: int, seed: int) -> None:
    """Let the strategies play each other, and compare with what is expected of them."""
    click.echo(f"{'board':14} {'line-up':45} {'measure':18} {'least':>6} {'found':>8} {'±':>6} {'games/s':>8}")
    kept = [check(expected, games, seed) for expected in expectations()]
    click.echo(f"\n{sum(kept)} of {len(kept)} claims hold.")
    sys.exit(not all(kept))


def check(expected: Expectation, games: int, seed: int) -> bool:
    """Play for an expectation, print the result, and return whether it is met."""
    started = monotonic()
    blocks = measures(expected, games, seed)
    found, error = blocks.mean(), 1.96 * blocks.std(ddof=1) / len(blocks) ** 0.5
    names = ",".join(expected.players)
    rate = games / (monotonic() - started)
    click.echo(
        f"{expected.board:14} {names:45} {expected.what:18} {expected.least:6.2f} {found:8.3f} {error:6.3f} "
        f"{rate:8,.0f}" + ("" if found >= expected.least else "  FAILS")
    )
    return bool(found >= expected.least)


def measures(expected: Expectation, games: int, seed: int) -> Array:
    """(blocks,): the measure of an expectation in each."""
    player = new_player(board=expected.board, players=expected.players, games=games, seed=seed)
    player.compile()
    with closing(on_threads(THREADS, partial(play, player), pieces(range(player.recipe.laps), LAPS))) as shards:
        results = list(shards)
    seats = np.concatenate([shard.seats for shard in results])
    shares = np.concatenate([shard.win_share for shard in results])
    mine = seats["strategy"] == 0
    value = values(expected, seats, shares, mine)
    return np.asarray(value.reshape(-1, player.schedule.lap_games).mean(axis=1))


def play(player: Player, laps: range, stopped: Callable[[], bool]) -> Results:
    """Play some laps."""
    return player.play(laps, stopped)


def values(expected: Expectation, seats: Array, shares: Array, mine: Array) -> Array:
    """(games,): the measure of an expectation in each game."""

    def of_mine(amounts: Array) -> Array:
        return np.asarray((amounts * mine).sum(axis=1) / mine.sum(axis=1))

    if expected.what == "win share":
        return of_mine(shares)
    if expected.what == "score":
        return of_mine(seats["score"])
    if expected.what == "tickets completed":
        kept = np.bitwise_count(seats["kept"]).sum(axis=2)
        completed = np.bitwise_count(seats["completed"]).sum(axis=2)
        return np.asarray(of_mine(completed) / of_mine(kept).mean())
    best_other = max(range(1, len(expected.players)), key=lambda s: (shares * (seats["strategy"] == s)).sum())
    return np.asarray(of_mine(shares) - (shares * (seats["strategy"] == best_other)).sum(axis=1))

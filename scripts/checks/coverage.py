"""Count how often intervals contain the truth: `python scripts/verify.py coverage`."""

import math
import sys
from itertools import product

import click
from stats.coverage import coverage as measure
from stats.coverage import (
    coverage_of_trials,
    drawn,
    hold_for_a_new_one,
    make_player,
    marked_falsely,
    overstatement,
    together,
)
from stats.coverage import runs as small_runs
from stats.nulls import CLAIMS, FAMILIES, falsehoods, found_planted, null_pages, null_sums

NULL_GAMES = (4000, 20_000, 100_000)
POINTS = 10
"""The worth of a planted pair together."""
MOST = {"synergy in the score": 0.99}
"""Intervals that may hold more often than 97 %: their errors are no smaller than that of all together."""
TRIAL_GAMES = 800
"""Games with each ticket in a trial whose coverage is measured."""


@click.command()
@click.option("--runs", default=3000, show_default=True, help="How many small runs, and trials.")
@click.option("--pool", default=100, show_default=True, help="How many are played; all are drawn from their batches.")
@click.option("--laps", default=20, show_default=True, help="Blocks in each of the 200 batches of a run.")
@click.option("--board", default="usa", show_default=True)
@click.option("--players", default="one_step,destination_hungry", show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--pages", default=300, show_default=True, help="How many pages on which nothing makes a difference.")
@click.option("--families", default=2000, show_default=True, help="How many pages with no more than seats and tickets.")
@click.option("--quick", is_flag=True, help="A tenth of the runs and families, and a sixth of the pages.")
def coverage(
    runs: int, pool: int, laps: int, board: str, players: str, seed: int, pages: int, families: int, quick: bool
) -> None:
    """Make many small runs and trials, and count how often 95 % intervals hold what all of them together say."""
    if quick:
        runs, pool, pages, families = max(2, runs // 10), max(2, pool // 5), max(1, pages // 6), max(1, families // 10)
    player = make_player(board, players, pool, 200, laps, seed)
    games = 200 * laps * player.schedule.lap_games
    click.echo(f"{runs:,} runs of {games:,} games, drawn by batches from {pool * games:,}: {board}, {players}\n")
    click.echo(f"{'intervals of':34} {'hold alone, %':>14} {'all of a family, %':>19}")
    failed, least = False, 0.94 - (_chance(runs) if quick else 0)
    trials = coverage_of_trials(board, players, runs, TRIAL_GAMES, pool, seed, every=5)
    played = list(small_runs(player, 200, laps))
    small, whole = drawn(played, runs, seed), together(player, played)
    for what, alone, family in [*measure(small, whole), *trials]:
        failed |= not (0.93 <= alone <= MOST.get(what, 0.97) or math.isnan(alone)) or family < least
        click.echo(f"{what:34} {100 * alone:14.1f} {100 * family:19.1f}".replace("nan", "  –"))
    click.echo(f"\n{'predictions for a new strategy':34} {'hold, %':>14}")
    for strategies, spread, shared in product((3, 4, 8), (0.0, 1.0, 3.0), (0.0, 0.6)):
        held = hold_for_a_new_one(strategies, spread, shared, 10_000)
        failed |= held < 0.94
        what = f"{strategies} strategies, τ {spread:g}, shared {shared:g}"
        click.echo(f"{what:34} {100 * held:14.1f}")
    marked = marked_falsely(4, 30, 400)
    failed |= marked > 0.05
    click.echo(f"{'tables with a false sign':34} {100 * marked:14.1f}")
    is_, said = overstatement(small, whole)
    click.echo(f"\nThe largest offer effect is overstated by {is_:.2f} pp on average; pages say about {said:.2f} pp.")
    failed |= _nulls(board, players, pages, families, seed)
    click.echo(
        "\nThey should: alone 93 to 97 % (synergies at most 99 %), families and predictions at least 94 %, false signs "
        "at most 5 %, false claims at most 6 % but for chance, planted pairs all be found."
        + (" They do not." if failed else " They do.")
    )
    sys.exit(bool(failed))  # numpy's False would be printed, and end with 1


def _nulls(board: str, players: str, pages: int, families: int, seed: int) -> bool:
    """Count false claims where nothing makes a difference, and planted pairs found; return whether that fails."""
    most = [make_player(board, players, 1, 1, games, seed) for games in NULL_GAMES]
    laps = [games // player.schedule.lap_games for player, games in zip(most, NULL_GAMES, strict=True)]
    failed = False
    for claims, make, number, of in ((CLAIMS, null_pages, pages, "pages"), (FAMILIES, null_sums, families, "families")):
        found = [falsehoods(claims, make(player, n, number)) for player, n in zip(most, laps, strict=True)]
        head = f"false on {number:,} null {of}, %"
        click.echo(f"\n{head:34}" + "".join(f" {f'{games:,} games':>15}" for games in NULL_GAMES))
        for what in claims:
            click.echo(f"{what:34}" + "".join(f" {100 * page[what]:15.1f}" for page in found))
        failed |= any(share > 0.06 + _chance(number) for page in found for share in page.values())
    planted = found_planted(most[-1], laps[-1], max(1, pages // 20), POINTS)
    click.echo(f"\n{f'a pair of +{POINTS} points is found':34} {'':15} {'':15} {100 * planted:15.1f}")
    return failed or planted < 1


def _chance(number: int) -> float:
    """Return by how much a share of 6 % of this number may be off by chance."""
    return 2 * math.sqrt(0.06 * 0.94 / number)

"""How often intervals hold the truth: `python scripts/verify.py coverage`."""

import math
import sys
from itertools import product

import click
from stats.coverage import coverage as measure
from stats.coverage import coverage_of_trials, hold_for_a_new_one, make_player, marked_falsely

TRIAL_GAMES = 800
"""Games with each ticket in a trial whose coverage is measured."""


@click.command()
@click.option("--runs", default=400, show_default=True, help="How many small runs.")
@click.option("--laps", default=20, show_default=True, help="Blocks in each of the 200 batches of a run.")
@click.option("--board", default="usa", show_default=True)
@click.option("--players", default="one_step,destination_hungry", show_default=True)
@click.option("--seed", default=1, show_default=True)
def coverage(runs: int, laps: int, board: str, players: str, seed: int) -> None:
    """Make many small runs and trials, and count how often 95 % intervals hold what all of them together say."""
    player = make_player(board, players, runs, 200, laps, seed)
    click.echo(f"{runs} runs of {200 * laps * player.schedule.lap_games:,} games: {board}, {players}\n")
    click.echo(f"{'intervals of':34} {'hold alone, %':>14} {'all of a family, %':>19}")
    failed = False
    trials = coverage_of_trials(board, players, runs, TRIAL_GAMES, seed, every=5)
    for what, alone, family in [*measure(player, 200, laps), *trials]:
        failed |= not (0.93 <= alone <= 0.97 or math.isnan(alone)) or family < 0.94
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
    click.echo(
        "\nThey should: alone 93 to 97 %, families and predictions at least 94 %, false signs at most 5 %."
        + (" They do not." if failed else " They do.")
    )
    sys.exit(failed)

"""Measure what looking ahead is worth: `python scripts/verify.py looking`.

The strategy `lookahead` plays one seat against `planner` with its parameters from before any were tuned, so that tuning
the shipped `planner` later does not move the yardstick. Errors are 95 % half widths.
"""

import resource
import sys

import click
from make_profiles import BEFORE

import ttrsim

EFFORTS = {1: None, 2: 0.68, 4: None, 6: 0.74, 12: None}
"""Playouts, and the win share that is claimed with two players on USA, if one is."""
UNCLAIMED = 4
"""The factor by which fewer games are played with numbers of playouts for which nothing is claimed."""
TABLES = (("usa", 3), ("usa", 4), ("usa", 5), ("europe", 4), ("old_west", 4), ("san_francisco", 4))
"""The tables where it must win more than an even share with `--at` playouts, against planners in all other seats."""


@click.command()
@click.option("--games", default=2_000, show_default=True, help="With two players, where a win share is claimed.")
@click.option("--at", default=6, show_default=True, help="Playouts at the larger tables.")
@click.option("--tables", "table_games", default=400, show_default=True, help="Games at each of the larger tables.")
@click.option("--seed", default=1, show_default=True)
def looking(games: int, at: int, table_games: int, seed: int) -> None:
    """Let `lookahead` play `planner`: its strength for the time it takes, and at tables of every size."""
    click.echo("Win share against planner; ms: processor time per turn\n")
    found = []
    click.echo(f"{'board':14} {'players':>7} {'playouts':>8} {'games':>6} {'ms':>6} {'least':>7} {'wins':>7} {'±':>6}")
    for effort, least in EFFORTS.items():
        found.append(measured("usa", 2, effort, games if least else games // UNCLAIMED, seed, least))
    found += [measured(board, seats, at, table_games, seed, 1 / seats) for board, seats in TABLES]
    held = [holds for holds in found if holds is not None]
    click.echo(f"\n{sum(held)} of {len(held)} claims hold.")
    sys.exit(not all(held))


def measured(board: str, seats: int, playouts: int, games: int, seed: int, least: float | None) -> bool | None:
    """Play at a table, print the result, and return whether the win share is as claimed; None if nothing is."""
    players = [f"lookahead(playouts={playouts})", *[BEFORE["planner"]] * (seats - 1)]
    ttrsim.simulate(board=board, players=players, games=1)  # compiles
    started = used()
    run = ttrsim.run(board=board, players=players, games=games, seed=seed)
    row = run.stats("strategies").set_index("strategy").loc[run.strategies[0]]
    wins, low, high = (row[name] for name in ("win_share", "win_share_low", "win_share_high"))
    turns = run.games_played * run.stats("games")["turns"].iloc[0] / seats
    holds = None if least is None else bool(wins > least)
    claimed = "–" if least is None else f"{100 * least:.1f}%"
    click.echo(
        f"{board:14} {seats:7} {playouts:8} {run.games_played:6,} {1000 * (used() - started) / turns:6.2f} "
        f"{claimed:>7} {100 * wins:6.1f}% {50 * (high - low):6.1f}" + ("  FAILS" if holds is False else "")
    )
    return holds


def used() -> float:
    """Return the seconds of processor time that this process has used."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime

"""Check the strategies that come with ttrsim: `python scripts/verify.py shipped`.

The tests check all of them but `lookahead` in short; this checks each as `ttrsim strategies check` does, with bounds
checks, on all boards with every number of players, and makes decisions again in plain Python.
"""

import sys

import click

from ttrsim.checking import Extent, check_strategy
from ttrsim.strategies import load_strategy, strategy_names

EXTENT = Extent(plain_seconds=60)
"""One decision of `lookahead` takes seconds in plain Python."""


@click.command()
@click.option("--strategy", "strategies", multiple=True, default=strategy_names(), show_default="all", help="Only this; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--board", "boards", multiple=True, help="Only on this board; may be repeated.")
def shipped(strategies: tuple[str, ...], boards: tuple[str, ...]) -> None:
    """Check each strategy as `ttrsim strategies check` does; a slow one plays as quickly as its parameters allow."""
    failed = 0
    for name in strategies:
        found = check_strategy(load_strategy(name), boards, EXTENT)
        games = sum(report.games for report in found.reports)
        words = f"with {found.quickened}, " * bool(found.quickened)
        click.echo(f"{name}: {words}{games:,} games, {found.compared:,} decisions made again in plain Python: {'; '.join(found.problems) or 'no problem'}")  # fmt: skip  # noqa: E501
        failed += not (found.passed and found.compared)
    click.echo(f"\n{len(strategies) - failed} of {len(strategies)} strategies pass.")
    sys.exit(failed > 0)

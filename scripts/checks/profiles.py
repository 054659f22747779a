"""Measure what tuning is worth: `python scripts/verify.py profiles`.

At each table a strategy sits in every seat in turn, with copies of one and the same opponent in all others, and plays
the same deals with each set of values: as it was before it was tuned, with the defaults of today, and with the values
of the table (`planner@best`). No search has seen these deals. Errors are 95 % half widths.
"""

import sys
from collections.abc import Sequence

import click
from make_profiles import BEFORE, STYLES, tables_of

from ttrsim.batches import Interval
from ttrsim.boards import board_names, load_board
from ttrsim.compiling import cores
from ttrsim.strategies import Strategy, load_line_up, load_strategy
from ttrsim.tuning.inputs import parse_table
from ttrsim.tuning.match import Match, local_engine, measure
from ttrsim.tuning.playing import BATCHES

COLUMNS = ("defaults − before", "best − before", "best − defaults")
MOSTLY = 0.9
"""The share of tables at which planner's values must clearly beat those before."""


@click.command()
@click.option("--strategy", "strategies", multiple=True, default=STYLES, show_default=True, help="Only this; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--board", "boards", multiple=True, default=board_names(), show_default="all", help="Only on this board; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--games", default=20_000, show_default=True, help="With each set of values at each table.")
@click.option("--seed", default=7, show_default=True, help="Not that of the tunings.")
def profiles(strategies: tuple[str, ...], boards: tuple[str, ...], games: int, seed: int) -> None:
    """Play the defaults and the profiles of each strategy against its defaults as they were, at all tables."""
    held = [judged(strategy, tables_of(boards), games, seed) for strategy in strategies]
    click.echo(f"\n{sum(held)} of {len(held)} strategies hold.")
    sys.exit(not all(held))


def judged(name: str, tables: Sequence[str], games: int, seed: int) -> bool:
    """Print what the values of a strategy gain at each table; return whether they hold."""
    click.echo(f"\n{name}, {games:,} games with each; wins per 100 games\n")
    click.echo(" ".join([f"{'table':20}", *(f"{column:>17}" for column in COLUMNS)]))
    before, now = load_line_up([BEFORE[name], name])
    found = []
    for table in tables:
        board, seats = parse_table(table)
        best = load_strategy(f"{name}@best", board=board, seats=seats)  # the defaults where there is no profile
        against_before = gains(table, before, [now, best], games, seed)
        found.append([*against_before, *gains(table, now, [best], games, seed)])
        click.echo(" ".join([f"{table:20}", *(f"{words(gain):>17}" for gain in found[-1])]))
    defaults, best, own = ([row[column] for row in found] for column in range(3))
    summary = [summed_up(what, of) for what, of in zip(COLUMNS, (defaults, best, own), strict=True)]
    click.echo("\n".join(["", *summary]))
    tuned_well = name != "planner" or sum(gain.low > 0 for gain in best) >= MOSTLY * len(tables)
    return tuned_well and not any(gain.high < 0 for gain in own)


def gains(table: str, start: Strategy, variants: Sequence[Strategy], games: int, seed: int) -> list[Interval]:
    """Return how much more often each variant wins than the strategy `start`, against which it plays."""
    board, seats = parse_table(table)
    match = Match(load_board(board), seats, start, (start,), seed)
    arms = [*(variant.values for variant in variants), start.values]
    found = measure([match], arms, start.values, [0], games, BATCHES, local_engine(cores()), lambda games: None)
    intervals = found.gains(0, range(len(variants)), len(variants)).interval()
    return [Interval(*(end[number] for end in intervals)) for number in range(len(variants))]


def summed_up(what: str, found: Sequence[Interval]) -> str:
    """Say at how many tables there is a gain, or a loss, and their mean."""
    better, worse = sum(gain.low > 0 for gain in found), sum(gain.high < 0 for gain in found)
    mean = 100 * sum(float(gain.value) for gain in found) / len(found)
    return f"{what}: {mean:+.2f} on average over {len(found)} tables; clearly above 0 at {better}, clearly below at {worse}"  # fmt: skip  # noqa: E501


def words(gain: Interval) -> str:
    """Return a gain in points, as `+3.6 ± 0.3`; a dash where the values are the same."""
    if not gain.low < gain.high:
        return "–"
    return f"{100 * gain.value:+.2f} ± {50 * (gain.high - gain.low):.2f}"

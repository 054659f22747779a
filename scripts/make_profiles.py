#!/usr/bin/env python
"""Tune strategies at the tables of all boards and write `strategies/*.profiles.toml`.

Each heuristic style plays each board and variant with its fewest, four and most players. Only clear gains on
fresh deals become profiles. The tunings are kept in a folder and continued, so the script can be interrupted; with
another number of games, or when a strategy has changed, choose another folder.
"""

from collections.abc import Iterable
from pathlib import Path

import click

import ttrsim
from ttrsim.boards import board_names, load_board
from ttrsim.files import TUNING_FILES
from ttrsim.strategies.loading import load_source
from ttrsim.strategies.profiles import Profile, changed_since, profiles_path, read_profiles, write_profiles

ROOT = Path(__file__).parents[1]
STYLES = ("planner", "hoarder", "blocker", "long_hauler")
COMMAND = "python scripts/make_profiles.py"


@click.command()
@click.option("--strategy", "strategies", multiple=True, default=STYLES, show_default=True, help="Tune only this; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--board", "boards", multiple=True, default=board_names(), show_default="all", help="Only on this board; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--seats", type=int, multiple=True, help="Only with this many players; may be repeated.")
@click.option("--games", default=1_000_000, show_default=True, help="Games of each tuning.")
@click.option("--seed", default=1, show_default=True, help="The seed of each tuning.")
@click.option("-o", "out", type=click.Path(path_type=Path), default=ROOT / "runs" / "profiles", show_default=True, help="The folder of the tunings.")  # fmt: skip  # noqa: E501
def main(strategies: tuple[str, ...], boards: tuple[str, ...], seats: tuple[int, ...], games: int, seed: int, out: Path) -> None:  # fmt: skip  # noqa: E501
    for strategy in strategies:
        for table in tables_of(boards, seats):
            tuning = tuned(strategy, table, games, seed, out / strategy / table.replace("/", "_").replace(":", "_"))
            replace_profile(strategy, table, tuning.profiles)
            print(f"{strategy} at {table}: {' '.join(tuning.answers[:1])}", flush=True)


def tables_of(boards: Iterable[str], seats: Iterable[int] = ()) -> list[str]:
    """Return the tables of boards with their fewest, four and most players, or those of them with these numbers.

    >>> tables_of(["usa"])
    ['usa/2', 'usa/4', 'usa/5']
    """
    tables = []
    for board in boards:
        fewest, most = load_board(board).rules.players
        numbers = sorted({fewest, min(max(4, fewest), most), most})
        tables += [f"{board}/{number}" for number in numbers if not seats or number in seats]
    return tables


def tuned(strategy: str, table: str, games: int, seed: int, out: Path) -> ttrsim.Tuning:
    """Return the tuning of a strategy against itself at a table, played or continued in a folder."""
    if (out / TUNING_FILES[0]).exists():
        return ttrsim.tune(out=out, resume=True)
    return ttrsim.tune(strategy, tables=[table], games=games, seed=seed, out=out)


def replace_profile(strategy: str, table: str, profiles: list[Profile]) -> None:
    """Write the file of a strategy's profiles with these in place of that of the table, without any out of date."""
    source = load_source(strategy)
    path = profiles_path(source.path)
    kept = [old for old in read_profiles(path) if old.table != table and not changed_since(old, source)]
    write_profiles(path, sorted([*kept, *profiles], key=lambda profile: profile.table), COMMAND)


if __name__ == "__main__":
    main()

#!/usr/bin/env python
"""Tune strategies at the tables of all boards and write `strategies/*.profiles.toml`.

Each heuristic style is tuned on each board and variant with its fewest, four and most players. Then all values found
anywhere are compared at every table: what is good at one is often good at others, and choosing among a few takes far
fewer games than a search. Those left over are tested on deals that no choice has seen, and only clear gains become
profiles.

Values that sweeps of few parameters found are compared, too.

The tunings are kept in a folder and continued, so the script can be interrupted; with another number of games, or when
a strategy has changed, choose another folder.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import click

import ttrsim
from ttrsim.boards import board_names, load_board
from ttrsim.compiling import cores
from ttrsim.files import TUNING_FILES
from ttrsim.strategies import load_line_up, load_strategy
from ttrsim.strategies.loading import load_source
from ttrsim.strategies.profiles import Profile, changed_since, new_profile, profiles_path, read_profiles, write_profiles
from ttrsim.tuning.inputs import parse_table
from ttrsim.tuning.match import ArmResults, Match, Values, local_engine, measure
from ttrsim.tuning.playing import BATCHES

ROOT = Path(__file__).parents[1]
STYLES = ("planner", "hoarder", "blocker", "long_hauler")
BEFORE = {
    "planner": "planner(thrift=0.75, risk=4, trains=3, tempo=20, hunger=20, full=0.86, share=1.25, alarm=12, nerve=3, "
    "patience=6, slow=0.5, weight=0.25, rival=10)",
    "hoarder": "hoarder(full=1, alarm=12, thrift=0.85)",
    "blocker": "blocker(thrift=0.9, short=4, harm=1, rival=10)",
    "long_hauler": "long_hauler(thrift=2, errand=11, late=12, slow=0.5, weight=0.25, rival=10)",
}
"""The defaults before any were tuned."""
SWEPT = {
    "planner": [
        "planner(wild=5)",
        "planner(wild=5, bonus=3)",
        "planner(wild=8, bonus=6)",
        "planner(wild=5, bonus=6, start=1, marker=16)",
        "planner(wild=4, bonus=8, start=1, marker=20)",
        "planner(wild=4, bonus=6, start=1, marker=26)",
        "planner(bonus=8, start=1, marker=36)",
        "planner(bonus=6, start=1, marker=50)",
        "planner(thrift=0.74, risk=7.3, trains=11.1, tempo=39.2, hunger=36.4, full=0.95, share=5.3, alarm=14, "
        "nerve=9.6, patience=4.7, slow=1.35, weight=0.24, rival=24.5, wild=3, bonus=6)",
        "planner(thrift=0.63, risk=5.9, trains=3.4, tempo=26, hunger=33.8, full=0.8, share=2.2, alarm=7, "
        "nerve=5.4, patience=5.04, slow=1.13, weight=0.35, rival=0.6, wild=5, bonus=6)",
    ],
}
"""Values that sweeps of few parameters (`ttrsim sweep`) found good at some tables, compared at all like the others."""
ROUNDS = ((1_000, 6), (4_000, 3), (12_000, 1))
"""Games with each of the values that are left at a table, and how many go on to the next round."""
TEST_GAMES = 40_000
"""Games with the values left over, and with the defaults, that decide whether there is a profile."""
COMMAND = "python scripts/make_profiles.py"


@click.command()
@click.option("--strategy", "strategies", multiple=True, default=STYLES, show_default=True, help="Tune only this; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--board", "boards", multiple=True, default=board_names(), show_default="all", help="Only on this board; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--seats", type=int, multiple=True, help="Only with this many players; may be repeated.")
@click.option("--games", default=1_000_000, show_default=True, help="Games of each tuning; 0: only compare known values.")  # fmt: skip  # noqa: E501
@click.option("--seed", default=1, show_default=True, help="The seed of each tuning.")
@click.option("-o", "out", type=click.Path(path_type=Path), default=ROOT / "runs" / "profiles", show_default=True, help="The folder of the tunings.")  # fmt: skip  # noqa: E501
def main(strategies: tuple[str, ...], boards: tuple[str, ...], seats: tuple[int, ...], games: int, seed: int, out: Path) -> None:  # fmt: skip  # noqa: E501
    for strategy in strategies:
        named = [BEFORE[strategy], *SWEPT.get(strategy, [])]
        known = [*(given.values for given in load_line_up(named)), *kept_values(strategy)]
        tables = tables_of(boards, seats)
        for table in tables if games else ():
            tuning = tuned(strategy, table, games, seed, out / strategy / table.replace("/", "_").replace(":", "_"))
            known.append(tuning.found.values)
            print(f"{strategy} at {table}: {' '.join(tuning.answers[:1])}", flush=True)
        for table in tables:
            profile = best_known(strategy, table, known, seed)
            replace_profile(strategy, table, profile)
            print(f"{strategy} at {table}: {profile.gain_words if profile else 'no clear gain'}", flush=True)


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


def kept_values(strategy: str) -> list[Values]:
    """Return the values of the profiles that a strategy has."""
    params = load_strategy(strategy).params
    profiles = read_profiles(profiles_path(load_source(strategy).path))
    return [tuple(profile.values.get(param.name, param.default) for param in params) for profile in profiles]


def best_known(strategy: str, table: str, known: Sequence[Values], seed: int) -> Profile | None:
    """Return a profile with those of the known values that win most at a table, if they clearly gain on fresh deals."""
    start, (board, seats) = load_strategy(strategy), parse_table(table)
    match = Match(load_board(board), seats, start, (start,), seed)
    left, lap, played = list(dict.fromkeys(known)), 0, 0

    def meet(games: int) -> ArmResults:
        nonlocal lap, played
        arms = [*left, start.values]
        found = measure([match], arms, start.values, [lap], games, BATCHES, local_engine(cores()), lambda games: None)
        lap += found.laps[0]
        played += len(arms) * found.laps[0] * match.lap_games
        return found

    for games, keep in ROUNDS:
        shares = meet(games).shares()[0, :-1]
        left = [left[place] for place in shares.argsort()[::-1][:keep]]
    gain = [float(end[0]) for end in meet(TEST_GAMES).gains(0, [0], 1).interval()]
    if not gain[1] > 0:
        return None
    return new_profile(
        replace(start, values=left[0]),
        gain,
        table=table,
        against=strategy,
        games=played,
        seed=seed,
        command=f"{COMMAND} --strategy {strategy}",
        strategy_sha256=start.content_sha256,
        board_sha256=match.board.sha256,
    )


def replace_profile(strategy: str, table: str, profile: Profile | None) -> None:
    """Write the file of a strategy's profiles with this in place of that of the table, without any out of date."""
    source = load_source(strategy)
    path = profiles_path(source.path)
    kept = [old for old in read_profiles(path) if old.table != table and not changed_since(old, source)]
    write_profiles(path, sorted([*kept, *filter(None, [profile])], key=lambda kept: kept.table), COMMAND)


if __name__ == "__main__":
    main()

"""Measure the speed of ttrsim on this machine: `python scripts/bench.py [--quick] [PART…]`.

Machines are noisy, so each figure is the best of several short runs, in thread CPU time if only one thread works.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
from checks.strength import AGENTS
from positions import hard_positions
from starting import bench_start, measured

from ttrsim.boards import load_board
from ttrsim.core.constants import ROUTE_WORDS
from ttrsim.core.jit import kernel
from ttrsim.core.records import GAME
from ttrsim.core.trail import longest_trail
from ttrsim.encode import encode_board, words
from ttrsim.games import Games, make_games
from ttrsim.runs import Run
from ttrsim.runs.laps import Gaps, aligned
from ttrsim.runs.make import carry_out, opened
from ttrsim.runs.playing import Player, play_shard
from ttrsim.runs.run import new_player
from ttrsim.runs.store import Folder
from ttrsim.runs.stored_files import ShardRecord
from ttrsim.strategies import strategy_names

TTRSIM = str(shutil.which("ttrsim", path=str(Path(sys.executable).parent)))
PLAYERS = ",".join(AGENTS)
BOARDS = {"usa": (2, 3, 4, 5), "europe": (2, 3, 4, 5), "old_west": (2, 3, 4, 5, 6), "san_francisco": (2, 3, 4)}


def best(action: Callable[[], object], repeats: int, clock: Callable[[], float] = time.thread_time) -> float:
    """Return the seconds of the fastest of several runs."""
    times = []
    for _ in range(repeats):
        start = clock()
        action()
        times.append(clock() - start)
    return min(times)


def play_on(games: Games, number: int, threads: int) -> None:
    """Play games and discard the results."""
    for _ in games.shards(range(number), threads):
        pass


def bench_games(games: int, repeats: int) -> None:
    """Measure games per second of uniformly random play, and ns per turn."""
    print("| board | players | games/s, one core | ns per turn |\n|---|--:|--:|--:|")
    for name, counts in BOARDS.items():
        for players in counts:
            table = make_games(name, ",".join(["random"] * players), 1)
            turns = table.play(range(games)).games["turns"].sum()
            seconds = best(partial(table.play, range(games)), repeats)
            print(f"| {name} | {players} | {games / seconds:,.0f} | {seconds / turns * 1e9:.0f} |", flush=True)


def bench_strategies(seconds: float, repeats: int) -> None:
    """Measure games per second of each strategy, four at one table on USA, and of the published agents together."""
    print("| four at a table on USA | games/s, one core | µs per turn |\n|---|--:|--:|")
    tables = {name: ",".join([name] * 4) for name in strategy_names()}
    for name, line_up in {**tables, "the four published agents": PLAYERS}.items():
        table = make_games("usa", line_up, 1)
        table.play(range(1))
        games = max(1, round(seconds / best(partial(table.play, range(1)), 3)))
        turns = table.play(range(games)).games["turns"].sum()
        fastest = best(partial(table.play, range(games)), repeats)
        rate = games / fastest
        print(f"| {name} | {rate:,.{0 if rate > 100 else 1}f} | {fastest / turns * 1e6:.2f} |", flush=True)


def bench_threads(games: int, repeats: int) -> None:
    """Measure how much faster more threads are, in wall time."""
    table = make_games("usa", "random,random", 1)
    rates = []
    for threads in range(1, (os.cpu_count() or 1) + 1):
        seconds = best(partial(play_on, table, games, threads), repeats, time.perf_counter)
        rates.append(games / seconds)
        print(f"USA, 2 players, {threads} thread(s): {rates[-1]:,.0f} games/s, {rates[-1] / rates[0]:.2f} times one")


@kernel
def trails(board, positions, scratch):  # type: ignore[no-untyped-def]
    """Find the longest trail of each position in turn; return the sum of their lengths."""
    total = 0
    for i in range(len(positions)):
        total += longest_trail(board, positions[i], scratch)
    return total


def bench_trails(games: int, repeats: int) -> None:
    """Time the search for the longest trail, at the end of random games and where it is hard to find."""
    for name in BOARDS:
        board = load_board(name)
        record, scratch = encode_board(board), np.zeros(1, GAME)[0].scratch
        ends = make_games(name, "random,random", 1).play(range(games)).seats["routes"].reshape(-1, ROUTE_WORDS)
        hard = np.array([words(routes, ROUTE_WORDS) for routes in hard_positions(board)])
        figures = []
        for positions in (np.ascontiguousarray(ends), hard):
            trails(record, positions, scratch)
            seconds = best(partial(trails, record, positions, scratch), repeats)
            figures.append(seconds / len(positions) * 1e6)
        print(
            f"longest trail, {name}: {figures[0]:.2f} µs at the end of random games, {figures[1]:.1f} µs on a hard set"
        )


def bench_runs(games: int) -> None:
    """Measure a run of the four published agents on two threads: time and memory, stored and not."""
    command = [TTRSIM, "run", "--map", "usa", "--players", PLAYERS]
    command += ["-n", str(games), "--seed", "1", "-j", "2", "--quiet"]
    with tempfile.TemporaryDirectory() as path:
        rows = ["--record", "games,players", "-o"]
        few = measured([*command, "-n", str(games // 4), *rows, f"{path}/few"])
        plain, stored = measured(command), measured([*command, *rows, f"{path}/run"])
        size, summary = (folder_size(Path(path, "run", part)) for part in ("", "summary"))
    print(f"{games:,} games of four on USA, two threads: {plain.seconds:.1f} s ({games / plain.seconds:,.0f} games/s)")
    more, more_work = stored.seconds / plain.seconds - 1, stored.cpu_seconds / plain.cpu_seconds - 1
    print(f"  stored: {stored.seconds:.1f} s, {100 * more:+.0f} %; in CPU time {100 * more_work:+.0f} %")
    print(f"  {size:.1f} MB, of which the summary {summary:.2f} MB")
    print(f"  peak memory {stored.megabytes:.0f} MB; with a quarter of the games {few.megabytes:.0f} MB")


def bench_cluster(games: int) -> None:
    """Time a run of the four published agents on this machine's Dask workers, and on as many threads."""
    command = [TTRSIM, "run", "--map", "usa", "--players", PLAYERS]
    command += ["-n", str(games), "--seed", "1", "-j", "2", "--quiet", "-o"]
    with tempfile.TemporaryDirectory() as path:
        local = measured([*command, f"{path}/local"])
        dask = measured([*command, f"{path}/dask", "--engine", "dask"])
    more = dask.seconds / local.seconds - 1
    print(f"{games:,} games: {local.seconds:.1f} s on two threads, {dask.seconds:.1f} s on Dask: {100 * more:+.0f} %")


def folder_size(path: Path) -> float:
    """Return the size of a folder's files in MB."""
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file()) / 1e6


def bench_shards(repeats: int, numbers: Sequence[int]) -> None:
    """Measure the overhead of a shard, and the cost of resuming, summing up and opening folders of many shards."""
    player = new_player(board="usa", players=PLAYERS, games=800, seed=1, record=("games", "players"))
    player.compile()
    with tempfile.TemporaryDirectory() as path:
        firsts = iter(range(0, player.recipe.laps, 4))
        play_shard(player, aligned(next(firsts), 4), Path(path))
        cost = best(lambda: play_shard(player, aligned(next(firsts), 4), Path(path)), repeats)
    games = best(lambda: player.play(range(50)), 3) / 200 * 20_000
    print(f"a shard: {1000 * cost:.1f} ms of overhead, {100 * cost / games:.2f} % of a shard of 20,000 (CPU time)")
    for number in numbers:
        bench_folder(number)


def bench_folder(shards: int) -> None:
    """Measure the cost of resuming, summing up and opening a finished run of this many shards, of one lap each."""
    player = new_player(board="usa", players="random,random_kind", games=2 * shards, seed=1, record=())
    player.compile()
    with tempfile.TemporaryDirectory() as path:
        folder = Folder(Path(path, "run"))
        with opened(folder, player, resume=False) as staging, without_waiting_for_the_disk():
            for lap in range(shards):
                folder.publish(staging, play_shard(player, range(lap, lap + 1), staging))
        start = time.process_time()
        with opened(folder, player, resume=True) as staging:
            carry_out(player, nothing_more, folder, staging)
        summed = time.process_time()
        Run.open(folder.path).array("seats")
        opened_again = time.process_time()
        size = folder_size(folder.shards)
    print(
        f"{shards:,} shards of {size:.0f} MB: {summed - start:.1f} s to resume and sum up, "
        f"{opened_again - summed:.2f} s to open (CPU time)"
    )


def nothing_more(player: Player, staging: Path | None, gaps: Gaps) -> Generator[ShardRecord, None, None]:
    """Play nothing: an engine for finished runs."""
    yield from ()


@contextmanager
def without_waiting_for_the_disk() -> Iterator[None]:
    """Write files without a sync, which would take most of the time of making many shards."""
    sync, os.fsync = os.fsync, lambda descriptor: None
    try:
        yield
    finally:
        os.fsync = sync


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", help="games, strategies, threads, trails, runs, shards, cluster, start")
    parser.add_argument("--quick", action="store_true", help="fewer games, for a rough look")
    arguments = parser.parse_args()
    quick = arguments.quick
    games, repeats = (500, 5) if quick else (3000, 20)
    parts: dict[str, Callable[[], None]] = {
        "games": lambda: bench_games(games, repeats),
        "strategies": lambda: bench_strategies(0.05 if quick else 0.2, repeats),
        "threads": lambda: bench_threads(20 * games, 3),
        "trails": lambda: bench_trails(games // 5, repeats),
        "runs": lambda: bench_runs(50_000 if quick else 1_000_000),
        "shards": lambda: bench_shards(repeats, (10_000,) if quick else (10_000, 100_000)),
        "cluster": lambda: bench_cluster(50_000 if quick else 1_000_000),
        "start": lambda: bench_start(3 if quick else 20),
    }
    if unknown := set(arguments.parts) - set(parts):
        parser.error(f"{', '.join(sorted(unknown))}: the parts are {', '.join(parts)}")
    for name in arguments.parts or parts:
        parts[name]()


if __name__ == "__main__":
    main()

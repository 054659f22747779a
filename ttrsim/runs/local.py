"""Shards on the threads of this machine.

An engine is a function that plays shards of a run and yields their records as they are finished, in any order:
`engine(player, folder, numbers)`. With a folder the shards are stored there before they are yielded. It is closed
when no more are wanted, and then stops what still plays.
"""

import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import islice
from typing import TypeVar

from ttrsim.runs.playing import Player
from ttrsim.runs.shard import play_shard
from ttrsim.runs.store import Folder, ShardRecord

HEARING = 0.5
"""Seconds that the main thread waits at a stretch: on Windows it hears Ctrl-C only in between."""

Item = TypeVar("Item")
Result = TypeVar("Result")

Engine = Callable[[Player, Folder | None, Sequence[int]], Generator[ShardRecord, None, None]]


def local_engine(threads: int) -> Engine:
    """An engine on so many threads."""
    return partial(_play, threads)


def _play(
    threads: int, player: Player, folder: Folder | None, numbers: Sequence[int]
) -> Generator[ShardRecord, None, None]:
    player.compile()
    yield from on_threads(threads, lambda number, stopped: play_shard(player, number, folder, stopped), numbers)


def on_threads(
    threads: int, work: Callable[[Item, Callable[[], bool]], Result], items: Iterable[Item]
) -> Generator[Result, None, None]:
    """What `work(item, stopped)` returns for each item, in the order in which they are done.

    `stopped()` is true as soon as nobody wants the rest.
    """
    stop = threading.Event()
    pool = ThreadPoolExecutor(threads)
    left = iter(items)
    running: set[Future[Result]] = set()
    try:
        while True:
            running |= {pool.submit(work, item, stop.is_set) for item in islice(left, threads + 1 - len(running))}
            if not running:
                return
            finished, running = wait(running, HEARING, FIRST_COMPLETED)
            for future in finished:
                yield future.result()
    finally:  # also when the one who asks has had enough, or Ctrl-C was pressed
        stop.set()
        pool.shutdown(cancel_futures=True)

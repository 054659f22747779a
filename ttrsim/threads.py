"""Work on the threads of this machine, which can be interrupted."""

import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

WAITING = 0.5
"""Seconds that the main thread waits at a time: on Windows it notices Ctrl-C only in between."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def on_threads(
    threads: int, work: Callable[[Item, Callable[[], bool]], Result], items: Iterable[Item]
) -> Generator[Result, None, None]:
    """Yield `work(item, stopped)` for each item, in the order in which the results come.

    An item is taken only when a thread will soon be free. `stopped()` becomes true when the generator is closed.
    """
    left = iter(items)
    return while_any(threads, work, lambda: next(left, None))


def while_any(
    threads: int, work: Callable[[Item, Callable[[], bool]], Result], take: Callable[[], Item | None]
) -> Generator[Result, None, None]:
    """Yield the same for the items that `take()` returns; None means that there is none at present."""
    stop = threading.Event()
    pool = ThreadPoolExecutor(threads)
    running: set[Future[Result]] = set()
    try:
        while True:
            while len(running) <= threads and (item := take()) is not None:
                running.add(pool.submit(work, item, stop.is_set))
            if not running:
                return
            finished, running = wait(running, WAITING, FIRST_COMPLETED)
            for future in finished:
                yield future.result()
    finally:  # also when the generator is closed, or Ctrl-C was pressed
        stop.set()
        pool.shutdown(cancel_futures=True)

"""Compile the game and strategies before they are needed, and say so, because the first time it takes a while."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from ttrsim.progress import Listener

if TYPE_CHECKING:
    from ttrsim.strategies import Strategy

YARDSTICKS = ("random", "random_kind")
"""Strategies that are compiled without a message, because they take only a second or two."""
GAME_SECONDS, FIRST_SECONDS, NEXT_SECONDS = 12, 10, 3
"""Roughly how long compiling takes: the game; a strategy with the kit functions it uses; each further one."""
GUARD_SECONDS = 15
"""The same for a user's own strategy: all it uses of core and kit is compiled again with bounds checks."""
PLAIN = 4
"""The factor by which it takes longer where numba compiles by itself (see `ttrsim.core.jit.PARTS`)."""
COMPILE_GAME = "from ttrsim.compiling import compile_game; compile_game()"


def compile_first(strategies: "Iterable[Strategy]" = (), listener: Listener | None = None) -> list[str]:
    """Compile the game and these strategies, unless the cache has them. Return what was compiled.

    The listener gets a message first, and hears which profiles the strategies play with. With two cores, the game is
    compiled in another process at the same time.
    """
    from ttrsim.core.jit import COMPILED
    from ttrsim.strategies.loading import tell_profiles

    strategies = list(strategies)
    if listener:
        tell_profiles(strategies, listener)
    if not COMPILED:
        return []
    new = {mark: strategy for strategy in strategies if not (mark := _mark(strategy)).exists()}
    game = not _game_mark().exists()
    if not game and not new:
        return []
    names = list(dict.fromkeys(s.name for s in new.values() if s.path.stem not in YARDSTICKS))
    guarded = any(strategy.guarded for strategy in new.values())
    apart = game and bool(names) and cores() > 1
    hears = listener if listener and (game or names) else Listener()
    for strategy in new.values():
        if strategy.notes:
            hears.message(f"{strategy.notes[0]} (`ttrsim strategies check {strategy.path}` lists all such lines)")
    with _announced(names, hears, game=game, guarded=guarded, apart=apart):
        with _game_compiled_apart() if apart else nullcontext():
            for mark, strategy in new.items():
                _ = strategy.compiled
                mark.touch()
        if not _game_mark().exists():
            compile_game()
    return ["the game"] * game + [strategy.name for strategy in new.values()]


def compile_game() -> None:
    """Compile the functions that play games and add them up, unless the cache has them."""
    from ttrsim.core.play import compiled_play_games
    from ttrsim.core.tally import compiled_tally_seats, compiled_tally_tickets

    compiled_play_games()
    compiled_tally_seats()
    compiled_tally_tickets()
    _game_mark().touch()


def compile_replaying() -> None:
    """Replay a game to compile what only replaying needs; otherwise the first replay takes a second longer."""
    from ttrsim.core.jit import COMPILED
    from ttrsim.games import make_games

    if COMPILED:
        make_games("usa", YARDSTICKS, 0).seated(0).replay()


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _game_compiled_apart() -> Iterator[None]:
    """Compile the game in another process, and wait for it; if that fails, the game is not marked as compiled."""
    none = subprocess.DEVNULL
    with subprocess.Popen([sys.executable, "-P", "-c", COMPILE_GAME], stdin=none, stdout=none, stderr=none) as child:
        try:
            yield
            child.wait()
        finally:
            child.kill()


@contextmanager
def _announced(names: Sequence[str], listener: Listener, *, game: bool, guarded: bool, apart: bool) -> Iterator[None]:
    """Report what is compiled, roughly how long it takes, and the time so far."""
    from ttrsim.core.jit import PARTS

    strategies = (FIRST_SECONDS + NEXT_SECONDS * (len(names) - 1) if names else 0) + GUARD_SECONDS * guarded
    both = max if apart else sum
    seconds = both((GAME_SECONDS * game, strategies)) * (1 if PARTS else PLAIN)
    named = f" with {', '.join(names)}" if names else ""
    again = f"{', '.join(names)} (only again if {'it changes' if len(names) == 1 else 'they change'})"
    what = f"the game{named} for this machine, once" if game else again
    listener.message(f"Compiling {what}: about {_rounded(seconds)} ...")
    done = threading.Event()
    watch = threading.Thread(target=_count_seconds, args=(listener, done, seconds), daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()
        watch.join()


def _count_seconds(listener: Listener, done: threading.Event, expected: int) -> None:
    started = time.monotonic()
    while not done.wait(0.5):
        listener.doing(f"{time.monotonic() - started:.0f} of about {expected} s")


def _rounded(seconds: int) -> str:
    """Return `15 seconds` or `2 minutes`.

    >>> _rounded(12), _rounded(100)
    ('15 seconds', '2 minutes')
    """
    return f"{-(-seconds // 5) * 5} seconds" if seconds <= 60 else f"{-(-seconds // 60)} minutes"


def _game_mark() -> Path:
    """Return the file that exists once the current version of the game is compiled."""
    from ttrsim.core import jit
    from ttrsim.core.code_key import content_key
    from ttrsim.core.play import play_games
    from ttrsim.core.tally import tally_seats, tally_tickets

    keys = "".join(content_key(function)[:8] for function in (play_games, tally_seats, tally_tickets))
    return jit.CACHE_FOLDER / f"compiled_{keys}"


def _mark(strategy: "Strategy") -> Path:
    """Return the file that exists once the current version of a strategy is compiled."""
    from ttrsim.core import jit

    return jit.CACHE_FOLDER / f"compiled_{strategy.code_key[:24]}"

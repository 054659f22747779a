"""Compiling: what the first run on a machine waits for, and `ttrsim warm`, which does it ahead."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttrsim.cli.output import note, write
from ttrsim.cli.usual import cores

if TYPE_CHECKING:
    from ttrsim.cli.progress import Line
    from ttrsim.runs import Run
    from ttrsim.runs.playing import Player
    from ttrsim.runs.store import Folder
    from ttrsim.strategies import Strategy

YARDSTICKS = ("random", "random_kind")
"""Strategies that are compiled without a word, for they take a second or two."""
GAME_SECONDS, FIRST_SECONDS, NEXT_SECONDS = 12, 10, 3
"""About what compiling takes: the game; a strategy, with what it uses of the kit; further ones."""
GUARD_SECONDS = 15
"""And a strategy of a user's own: what it uses of core and kit is compiled once more, with bounds checks."""
PLAIN = 4
"""How many times longer it takes where numba compiles alone (see `ttrsim.core.jit.PARTS`)."""
COMPILE_GAME = "from ttrsim.cli.compiling import compile_game; compile_game()"


@click.command()
@click.argument("strategies", nargs=-1)
def warm(strategies: tuple[str, ...]) -> None:
    """Compile the game and these STRATEGIES ahead, or all that come with ttrsim, which takes up to a minute.

    Later commands then start at once. What is compiled is kept in the user's cache folder, or in TTRSIM_CACHE_DIR.
    """
    from ttrsim.strategies import load_line_up, strategy_names

    named = [strategy for name in strategies or strategy_names() for strategy in load_line_up(name)]
    started = time.perf_counter()
    compiled = compile_first(named)
    compile_replaying()
    if compiled:
        write(f"Compiled {', '.join(compiled)} in {time.perf_counter() - started:.1f} s")
    else:
        names = ", ".join(dict.fromkeys(strategy.name for strategy in named))
        write(f"Nothing to compile: the game and {names} are compiled already")


def compile_first(strategies: "Iterable[Strategy]" = (), *, quiet: bool = False) -> list[str]:
    """Compile the game and these strategies if that was never done here, and say so beforehand: it takes a while.

    With two cores, the game is compiled in a process of its own meanwhile. Returns what was compiled.
    """
    from ttrsim.core.jit import COMPILED

    if not COMPILED:
        return []
    new = {mark: strategy for strategy in strategies if not (mark := _mark(strategy)).exists()}
    game = not _game_mark().exists()
    if not game and not new:
        return []
    names = list(dict.fromkeys(s.name for s in new.values() if s.path.stem not in YARDSTICKS))
    guarded = any(strategy.guarded for strategy in new.values())
    apart = game and bool(names) and cores() > 1
    with _announced(names, game=game, guarded=guarded, apart=apart, quiet=quiet or not (game or names)):
        with _game_compiled_apart() if apart else nullcontext():
            for mark, strategy in new.items():
                _ = strategy.compiled
                mark.touch()
        if not _game_mark().exists():
            compile_game()
    return ["the game"] * game + [strategy.name for strategy in new.values()]


def compile_game() -> None:
    """Compile what plays games and adds them up, so far as it is not in the cache."""
    from ttrsim.core.play import compiled_play_games
    from ttrsim.core.tally import compiled_tally_seats, compiled_tally_tickets

    compiled_play_games()
    compiled_tally_seats()
    compiled_tally_tickets()
    _game_mark().touch()


def compile_replaying() -> None:
    """Replay a game, which compiles what no run needs; the first command that replays one takes a second longer."""
    from ttrsim.core.jit import COMPILED
    from ttrsim.games import make_games

    if COMPILED:
        make_games("usa", YARDSTICKS, 0).seated(0).replay()


def ready_to_replay(path: Path, *, copies: bool = True, quiet: bool) -> "tuple[Folder, Player]":
    """The run in a folder, and what plays its games again, compiled; refused if they would come out otherwise.

    copies: refuse one, too, whose copies of board and strategies were altered.
    """
    from ttrsim.runs.read import check_replay, check_rules, load_player
    from ttrsim.runs.store import Folder

    folder = Folder(path)
    plan = folder.read().plan
    check_rules(folder, plan)
    player = load_player(folder, plan)
    if copies:
        check_replay(folder, plan)
    compile_first(player.strategies, quiet=quiet)
    return folder, player


def compile_to_replay(run: "Run", line: "Line") -> None:
    """Compile what plays games of a run again, and say on the line that they are played."""
    from ttrsim.runs.read import check_replay

    line.end()
    check_replay(run.folder, run.plan)
    compile_first(run.player.strategies)
    line.tell("Playing games of the run again ...")


@contextmanager
def _game_compiled_apart() -> Iterator[None]:
    """Compile the game in another process meanwhile, and wait for it; if it fails, the game is not marked."""
    none = subprocess.DEVNULL
    with subprocess.Popen([sys.executable, "-P", "-c", COMPILE_GAME], stdin=none, stdout=none, stderr=none) as child:
        try:
            yield
            child.wait()
        finally:
            child.kill()


@contextmanager
def _announced(names: Sequence[str], *, game: bool, guarded: bool, apart: bool, quiet: bool) -> Iterator[None]:
    """Say what is compiled and about how long it takes, and on a terminal how long it has taken."""
    from ttrsim.cli.progress import Line
    from ttrsim.core.jit import PARTS

    strategies = (FIRST_SECONDS + NEXT_SECONDS * (len(names) - 1) if names else 0) + GUARD_SECONDS * guarded
    both = max if apart else sum
    seconds = both((GAME_SECONDS * game, strategies)) * (1 if PARTS else PLAIN)
    line, done = Line(quiet=quiet), threading.Event()
    if not quiet:
        named = f" with {', '.join(names)}" if names else ""
        what = f"the game{named} for this machine, once" if game else f"{', '.join(names)}, once until changed"
        note(f"Compiling {what}: about {_rounded(seconds)} ...")
    watch = threading.Thread(target=_show_seconds, args=(line, done, seconds), daemon=True)
    watch.start()
    try:
        yield
    finally:
        done.set()
        watch.join()
        line.end()


def _show_seconds(line: "Line", done: threading.Event, expected: int) -> None:
    started = time.monotonic()
    while line.shown and not done.wait(0.5):
        line.tell(f"{time.monotonic() - started:.0f} of about {expected} s")


def _rounded(seconds: int) -> str:
    """As `15 seconds` or `2 minutes`.

    >>> _rounded(12), _rounded(100)
    ('15 seconds', '2 minutes')
    """
    return f"{-(-seconds // 5) * 5} seconds" if seconds <= 60 else f"{-(-seconds // 60)} minutes"


def _game_mark() -> Path:
    """Return a file that is there when the game was compiled as it is now."""
    from ttrsim.core import jit
    from ttrsim.core.code_key import content_key
    from ttrsim.core.play import play_games
    from ttrsim.core.tally import tally_seats, tally_tickets

    keys = "".join(content_key(function)[:8] for function in (play_games, tally_seats, tally_tickets))
    return jit.CACHE_FOLDER / f"compiled_{keys}"


def _mark(strategy: "Strategy") -> Path:
    """Return a file that is there when the strategy was compiled as it is now."""
    from ttrsim.core import jit

    return jit.CACHE_FOLDER / f"compiled_{strategy.code_key[:24]}"

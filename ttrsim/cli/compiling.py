"""Compiling: what the first run on a machine waits for, and `ttrsim warm`, which does it ahead."""

import hashlib
import math
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttrsim.cli.output import note, write

if TYPE_CHECKING:
    from ttrsim.cli.progress import Line
    from ttrsim.runs import Run
    from ttrsim.runs.playing import Player
    from ttrsim.runs.store import Folder
    from ttrsim.strategies import Strategy

YARDSTICKS = ("random", "random_kind")
"""Strategies that are compiled with the game, for they take next to no time."""
GAME_SECONDS, FIRST_SECONDS, NEXT_SECONDS = 60, 30, 10
"""What compiling takes at most, about: the game; a strategy, with what it uses of the kit; further ones."""


@click.command()
@click.argument("strategies", nargs=-1)
def warm(strategies: tuple[str, ...]) -> None:
    """Compile the game and these STRATEGIES ahead, or all that come with ttrsim, which takes minutes.

    Later commands then start at once. What is compiled is kept in the user's cache folder, or in TTRSIM_CACHE_DIR.
    """
    from ttrsim.strategies import load_line_up, strategy_names

    named = [strategy for name in strategies or strategy_names() for strategy in load_line_up(name)]
    started = time.perf_counter()
    if compiled := compile_first(named):
        write(f"Compiled {', '.join(compiled)} in {time.perf_counter() - started:.1f} s")
    else:
        names = ", ".join(dict.fromkeys(strategy.name for strategy in named))
        write(f"Nothing to compile: the game and {names} are compiled already")


def compile_first(strategies: "Iterable[Strategy]" = (), *, quiet: bool = False) -> list[str]:
    """Compile the game and these strategies if that was never done here, and say so beforehand: it takes a while.

    Returns what was compiled.
    """
    from ttrsim.core.jit import COMPILED

    if not COMPILED:
        return []
    new = {mark: strategy for strategy in strategies if not (mark := _mark(strategy)).exists()}
    game = not _game_mark().exists()
    if not quiet and (game or new):
        _announce(list(dict.fromkeys(s.name for s in new.values() if s.path.stem not in YARDSTICKS)), game=game)
    if game:
        _compile_game()
    for mark, strategy in new.items():
        _ = strategy.compiled
        mark.touch()
    return ["the game"] * game + [strategy.name for strategy in new.values()]


def ready_to_replay(path: Path, *, quiet: bool) -> "tuple[Folder, Player]":
    """The run in a folder, and what plays its games again, compiled; refused if they would come out otherwise."""
    from ttrsim.runs.read import check_rules, load_player
    from ttrsim.runs.store import Folder

    folder = Folder(path)
    plan = folder.read().plan
    check_rules(folder, plan)
    player = load_player(folder, plan)
    compile_first(player.strategies, quiet=quiet)
    return folder, player


def compile_to_replay(run: "Run", line: "Line") -> None:
    """Compile what plays games of a run again, and tell on the line that they are played."""
    line.end()
    compile_first(run.player.strategies)
    line.tell("Playing games of the run again ...")


def _announce(names: Sequence[str], *, game: bool) -> None:
    seconds = GAME_SECONDS * game + (FIRST_SECONDS + NEXT_SECONDS * (len(names) - 1) if names else 0)
    minutes = math.ceil(seconds / 60)
    how_long = f"about {minutes} minutes" if minutes > 1 else "about a minute"
    if seconds <= FIRST_SECONDS:
        how_long = "up to half a minute"
    if game:
        with_names = f" with {', '.join(names)}" if names else ""
        note(f"Compiling the game{with_names} for this machine, once: {how_long} ...")
    elif names:
        note(f"Compiling {', '.join(names)}, once until changed: {how_long} ...")


def _game_mark() -> Path:
    """A file that is there when the game was compiled."""
    from ttrsim.core.jit import CACHE_FOLDER

    return CACHE_FOLDER / "compiled"


def _mark(strategy: "Strategy") -> Path:
    """A file that is there when the strategy, of this text at this place, was compiled."""
    from ttrsim.core.jit import CACHE_FOLDER

    key = f"{strategy.path.resolve()} {strategy.sha256}"
    return CACHE_FOLDER / f"compiled_{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def _compile_game() -> None:
    """Play a small run and one of its games again, which compiles all of the game that is not in the cache."""
    from ttrsim.runs.local import local_engine
    from ttrsim.runs.make import carry_out
    from ttrsim.runs.plan import make_plan
    from ttrsim.runs.playing import Player

    player = Player(*make_plan(board="usa", players=",".join(YARDSTICKS), games=2, seed=0, record=()))
    carry_out(player, local_engine(1))
    player.replay(0)
    for strategy in player.strategies:
        _mark(strategy).touch()
    _game_mark().touch()

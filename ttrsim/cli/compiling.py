"""Compiling: what the first run on a machine waits for, and `ttrsim warm`, which does it ahead."""

import time
from collections.abc import Iterable

import click

from ttrsim.cli.output import note, write


@click.command()
@click.argument("strategies", nargs=-1)
def warm(strategies: tuple[str, ...]) -> None:
    """Compile ahead the game and these STRATEGIES, or all that come with ttrsim, which takes minutes.

    A later command then starts at once. What is compiled is kept in the user's cache folder, or in TTRSIM_CACHE_DIR.
    """
    from ttrsim.strategies import strategy_names

    names = list(strategies) or strategy_names()
    started = time.perf_counter()
    _announce()
    _compile(names)
    write(f"Compiled the game and {len(names)} strategies in {time.perf_counter() - started:.1f} s")


def compile_first(*, quiet: bool = False) -> None:
    """Compile the game if that was never done here, and say so beforehand, for it takes a while."""
    from ttrsim.core.jit import COMPILED

    if COMPILED and not _done():
        if not quiet:
            _announce()
        _compile(["random"])


def _announce() -> None:
    if not _done():
        note("Compiling the game for this machine, once: about a minute ...")


def _done() -> bool:
    from ttrsim.core.jit import CACHE_FOLDER

    return (CACHE_FOLDER / "compiled").exists()


def _compile(strategies: Iterable[str]) -> None:
    """Play a game with each strategy in both ways, which compiles all that is not in the cache."""
    from ttrsim.core.jit import CACHE_FOLDER
    from ttrsim.simulation import make_series

    for name in strategies:
        series = make_series("usa", f"{name},{name}", 0)
        series.play(0, 1)
        series.replay(0)
    (CACHE_FOLDER / "compiled").touch()

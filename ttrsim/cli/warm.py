"""`ttrsim warm`: compile ahead."""

import time

import click

from ttrsim.cli.output import write
from ttrsim.cli.progress import console


@click.command()
@click.argument("strategies", nargs=-1)
def warm(strategies: tuple[str, ...]) -> None:
    """Compile the game and these STRATEGIES ahead, or all that come with ttrsim, which takes up to a minute.

    Later commands then start at once. What is compiled is kept in the user's cache folder, or in TTRSIM_CACHE_DIR.
    """
    from ttrsim.compiling import compile_first, compile_replaying
    from ttrsim.strategies import load_line_up, strategy_names

    named = [strategy for name in strategies or strategy_names() for strategy in load_line_up(name)]
    started = time.perf_counter()
    with console() as shown:
        compiled = compile_first(named, shown.listener)
        compile_replaying()
    if compiled:
        write(f"Compiled {', '.join(compiled)} in {time.perf_counter() - started:.1f} s")
    else:
        names = ", ".join(dict.fromkeys(strategy.name for strategy in named))
        write(f"Nothing to compile: the game and {names} are compiled already")

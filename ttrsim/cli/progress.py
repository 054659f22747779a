"""What goes on: one line on stderr, written over and over and wiped at the end, if a person looks at it."""

import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ttrsim.cli.output import dumb, note, printable

if TYPE_CHECKING:
    from ttrsim.runs.shares import Share, Shares

SECONDS_BETWEEN = 0.2


class Line:
    """A line on stderr, of which nothing remains; none with --quiet or where stderr is no terminal that wipes lines."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.shown = not quiet and sys.stderr is not None and sys.stderr.isatty() and not dumb()
        self._written = False

    def tell(self, text: str) -> None:
        """Write it in place of what stood there."""
        if self.shown:
            room = shutil.get_terminal_size().columns - 1
            line = f"\r\x1b[K{printable(text)[:room]}"
            click.echo(line, err=True, nl=False, color=True)  # which also consoles of Windows understand
            self._written = bool(text)

    def end(self) -> None:
        """Leave the line to what is told next."""
        if self._written:
            self.tell("")


@contextmanager
def doing(what: str, *, quiet: bool = False) -> Iterator[Line]:
    """Say what takes a while, as long as it does; who tells something meanwhile ends the line before.

    >>> with doing("Comparing the runs ..."): ...
    """
    line = Line(quiet=quiet)
    line.tell(what)
    try:
        yield line
    finally:
        line.end()


class Progress(Line):
    """Tells games, games a second, time left, and each strategy's win share with its error so far."""

    def __init__(self, games: int = 0, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self.games = games
        self._started = time.monotonic()
        self._before: int | None = None  # games that were played earlier
        self._last = 0.0

    def update(self, shares: "Shares") -> None:
        """Some more games are played."""
        self.count(shares.games, self.games, shares.estimates)

    def count(self, done: int, games: int, estimates: "Callable[[], Sequence[Share]]" = list) -> None:
        """So many games are done, of so many; with 0 it begins anew."""
        now = time.monotonic()
        if self._before is None or not done:
            self._before, self._started, self._last = done, now, 0.0
        if self.shown and (now - self._last > SECONDS_BETWEEN or done == games):
            self._last = now
            self.tell(progress_words(done, games, done - self._before, now - self._started, estimates()))

    def note(self, message: str) -> None:
        """Tell a message in a line of its own."""
        self.end()
        note(message)


def progress_words(done: int, games: int, played: int, seconds: float, shares: "Sequence[Share]") -> str:
    """As `12,000 of 1,000,000 games · 14,950/s · 1:06 left · planner 31.2 ± 0.8 % · random 4.1 ± 0.3 %`."""
    words = [f"{done:,} of {games:,} games"]
    if played and seconds > 0:
        rate = played / seconds
        words += [f"{rate:,.0f}/s", f"{clock((games - done) / rate)} left"]
    for share in shares:
        error = f" ± {100 * share.half_width:.1f}" if share.half_width is not None else ""
        words.append(f"{share.strategy} {100 * share.win_share:.1f}{error} %")
    return " · ".join(words)


def clock(seconds: float) -> str:
    """As `1:06` or `2:03:11`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

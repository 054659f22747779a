"""Show progress: one line on a terminal's stderr, overwritten again and again and wiped at the end."""

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from ttrsim.cli.output import dumb, note, printable

if TYPE_CHECKING:
    from ttrsim.runs.playing import Player
    from ttrsim.runs.shares import Share, Shares

SECONDS_BETWEEN = 0.2
SECONDS_BETWEEN_LINES = 30.0
"""Where they stay, in a log."""


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
        """End the line, so that something else can be printed."""
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


class Counted(Line):
    """A line that tells how many games are played and how long the rest will take.

    Where nobody looks at a terminal it writes a line now and then instead, so that a log shows that it goes on.
    """

    def __init__(self, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self._logs = not quiet and not self.shown
        self._started = self._last = time.monotonic()
        self._before: int | None = None  # games that were played earlier
        self._lock = threading.Lock()

    def count(self, done: int, games: int, estimates: "Callable[[], Sequence[Share]]" = list) -> None:
        """Show that `done` of `games` games are played; 0 begins anew."""
        with self._lock:
            now = time.monotonic()
            if self._before is None or not done:
                self._before, self._started, self._last = done, now, now if self._logs else 0.0
            between = SECONDS_BETWEEN_LINES if self._logs else SECONDS_BETWEEN
            if (self.shown and done == games) or ((self.shown or self._logs) and now - self._last > between):
                self._last = now
                words = progress_words(done, games, done - self._before, now - self._started, estimates())
                note(words) if self._logs else self.tell(words)

    def note(self, message: str) -> None:
        """Print a message in a line of its own."""
        self.end()
        note(message)


class Progress(Counted):
    """Tells games, games a second, time left, and each strategy's win share with its error so far."""

    def __init__(self, player: "Player", *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self.games = player.schedule.games
        self._finished: Sequence[Share] = ()
        self._done = 0
        player.on_games = self._played

    def update(self, shares: "Shares") -> None:
        """Take what is known after a shard."""
        self._done = max(self._done, shares.games)
        if self.shown or self._logs:
            self._finished = shares.estimates()
            self.count(self._done, self.games, lambda: self._finished)

    def _played(self, games: int) -> None:
        """Count more games as played; those of a shard that is begun anew count twice until it is finished."""
        self._done = min(self._done + games, self.games)
        self.count(self._done, self.games, lambda: self._finished)


def progress_words(done: int, games: int, played: int, seconds: float, shares: "Sequence[Share]") -> str:
    """Return `12,000 of 1,000,000 games · 14,950/s · 1:06 left · planner 31.2 ± 0.8 % · random 4.1 ± 0.3 %`."""
    words = [f"{done:,} of {games:,} games"]
    if played and seconds > 0:
        rate = played / seconds
        words += [f"{rate:,.0f}/s", f"{clock((games - done) / rate)} left"]
    for share in shares:
        error = f" ± {100 * share.half_width:.1f}" if share.half_width is not None else ""
        words.append(f"{share.strategy} {100 * share.win_share:.1f}{error} %")
    return " · ".join(words)


def clock(seconds: float) -> str:
    """Return seconds as `1:06` or `2:03:11`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

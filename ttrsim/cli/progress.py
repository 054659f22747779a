"""How a run comes along: one line on stderr, written over and over, if a person looks at it."""

import shutil
import sys
import time
from typing import TYPE_CHECKING

from ttrsim.cli.output import note, printable

if TYPE_CHECKING:
    from ttrsim.runs.shares import Shares

SECONDS_BETWEEN = 0.2


class Progress:
    """Tells games, games a second, time left, and each strategy's win share with its error so far."""

    def __init__(self, games: int, *, quiet: bool) -> None:
        self.games = games
        self.shown = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._started = time.monotonic()
        self._before: int | None = None  # games that were played earlier
        self._last = 0.0

    def update(self, shares: "Shares") -> None:
        """Some more games are played."""
        now = time.monotonic()
        if self._before is None:
            self._before, self._started = shares.games, now
        if self.shown and (now - self._last > SECONDS_BETWEEN or shares.games == self.games):
            self._last = now
            self._write(progress_words(shares, self.games, shares.games - self._before, now - self._started))

    def _write(self, text: str) -> None:
        room = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"\r\x1b[K{printable(text)[:room]}")
        sys.stderr.flush()

    def end(self) -> None:
        """Leave the line to what is told next."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def note(self, message: str) -> None:
        """Tell a message in a line of its own."""
        self.end()
        note(message)


def progress_words(shares: "Shares", games: int, played: int, seconds: float) -> str:
    """As `12,000 of 1,000,000 games · 14,950/s · 1:06 left · planner 31.2 ± 0.8 % · random 4.1 ± 0.3 %`."""
    words = [f"{shares.games:,} of {games:,} games"]
    if played and seconds > 0:
        rate = played / seconds
        words += [f"{rate:,.0f}/s", f"{clock((games - shares.games) / rate)} left"]
    for share in shares.estimates():
        error = f" ± {100 * share.half_width:.1f}" if share.half_width is not None else ""
        words.append(f"{share.strategy} {100 * share.win_share:.1f}{error} %")
    return " · ".join(words)


def clock(seconds: float) -> str:
    """As `1:06` or `2:03:11`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

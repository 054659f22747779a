"""Show progress as one line on the terminal, overwritten again and again and wiped at the end."""

import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ttrsim.cli.interrupting import last_words
from ttrsim.cli.output import dumb, note, printable
from ttrsim.errors import Unfinished
from ttrsim.formatting import clock, command_line
from ttrsim.progress import Listener, Progress, RunWarning

SECONDS_BETWEEN = 0.2
SECONDS_BETWEEN_LINES = 30.0
"""The same in a log, where the lines stay."""


class StatusLine:
    """A line on stderr that is wiped in the end; not shown with --quiet, or where stderr cannot wipe lines."""

    def __init__(self, *, quiet: bool = False) -> None:
        self.shown = not quiet and sys.stderr is not None and sys.stderr.isatty() and not dumb()
        self._written = False

    def tell(self, text: str) -> None:
        """Replace the text of the line."""
        if self.shown:
            room = shutil.get_terminal_size().columns - 1
            line = f"\r\x1b[K{printable(text)[:room]}"
            click.echo(line, err=True, nl=False, color=True)  # Windows consoles understand this too
            self._written = bool(text)

    def end(self) -> None:
        """Wipe the line, so that something else can be printed."""
        if self._written:
            self.tell("")


@contextmanager
def doing(what: str, *, quiet: bool = False) -> Iterator[StatusLine]:
    """Show what is being done while it lasts. Before anything else is printed, end the line.

    >>> with doing("Comparing the runs ..."): ...
    """
    line = StatusLine(quiet=quiet)
    line.tell(what)
    try:
        yield line
    finally:
        line.end()


class Console(StatusLine):
    """Shows what the library reports: on a line how many games are played and how long the rest will take.

    Where there is no terminal it prints a line now and then instead, so that a log shows that work goes on.
    """

    def __init__(self, *, quiet: bool) -> None:
        super().__init__(quiet=quiet)
        self.callbacks: dict[str, Any] = {} if quiet else {"progress": self.progress, "message": self.note}
        self._logs = not quiet and not self.shown
        self._started = self._last = time.monotonic()
        self._before = self._done = self._of = 0  # games: played earlier, last shown, in total

    @property
    def listener(self) -> Listener:
        """The callbacks as the parts of the library behind its front door expect them."""
        return Listener(**self.callbacks)

    def progress(self, progress: Progress) -> None:
        """Show how far the work is; a count that falls, or has another total, starts afresh."""
        if not progress.of:
            self.tell(progress.doing)
            return
        now = time.monotonic()
        if progress.of != self._of or progress.games < self._done:
            self._before, self._started, self._last = progress.games, now, now if self._logs else 0.0
        self._done, self._of = progress.games, progress.of
        between = SECONDS_BETWEEN_LINES if self._logs else SECONDS_BETWEEN
        if (self.shown and self._done == self._of) or ((self.shown or self._logs) and now - self._last > between):
            self._last = now
            words = progress_words(progress, self._done - self._before, now - self._started)
            note(words) if self._logs else self.tell(words)

    def note(self, message: str) -> None:
        """Print a message on a line of its own."""
        self.end()
        note(message)


@contextmanager
def console(*, quiet: bool = False, out: Path | None = None) -> Iterator[Console]:
    """Show what the library reports; show its warnings even if quiet.

    out: the folder that the command continues from when it is run again; Ctrl-C names it.
    """
    shown = Console(quiet=quiet)
    with warnings.catch_warnings():
        warnings.simplefilter("always", RunWarning)
        otherwise = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
            if issubclass(category, RunWarning):
                shown.note(str(message))
            else:
                otherwise(message, category, *where, **more)

        warnings.showwarning = show
        try:
            yield shown
        except KeyboardInterrupt:
            if out and any(out.glob("*")):
                shown.note(
                    f"Finished games are kept in {command_line([str(out)])}; the same command continues from there"
                )
            elif out:
                shown.note(f"Nothing is in {command_line([str(out)])} yet; the same command starts again")
            raise
        finally:
            shown.end()


def progress_words(progress: Progress, played: int, seconds: float) -> str:
    """Return `12,000 of 1,000,000 games · 14,950/s · 1:06 left · planner 31.2 ± 0.8 % · random 4.1 ± 0.3 %`.

    played: games in these seconds.
    """
    words = [f"{progress.games:,} of {progress.of:,} games"]
    if played and seconds > 0:
        rate = played / seconds
        words += [f"{rate:,.0f}/s", f"{clock((progress.of - progress.games) / rate)} left"]
    for share in progress.shares:
        error = f" ± {100 * share.half_width:.1f}" if share.half_width is not None else ""
        words.append(f"{share.strategy} {100 * share.win_share:.1f}{error} %")
    return " · ".join(words)


@contextmanager
def resumable(how_to_continue: Callable[[], str], *, quiet: bool = False) -> Iterator[Console]:
    """Show what the library reports, and how to continue if it is interrupted or unfinished; "" if nothing is kept."""
    with console(quiet=quiet) as shown, last_words(how_to_continue):
        try:
            yield shown
        except (KeyboardInterrupt, Unfinished):
            if words := how_to_continue():
                shown.note(words)
            raise

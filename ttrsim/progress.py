"""Report progress and messages to the caller while the library works.

The caller may pass a function for each. Whatever nobody should miss is a Python warning.
"""

import threading
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ttrsim.runs.stopping import Share


@dataclass(frozen=True)
class Progress:
    """The progress of some work."""

    doing: str = ""  # what is being done, where no games are counted
    games: int = 0  # played so far
    of: int = 0  # games in total; 0 where none are counted
    shares: "Sequence[Share]" = ()  # the win shares in the shards finished so far


class RunWarning(UserWarning):
    """Damage in a run's folder that was repaired or left alone, or a portion of a run with nothing to play."""


OnGames = Callable[[int], None]
"""Called with the number of games just played."""
OnProgress = Callable[[Progress], None]
OnMessage = Callable[[str], None]


class Listener:
    """Calls the caller's functions. Threads may share a listener: only one at a time calls `progress`."""

    def __init__(self, progress: OnProgress | None = None, message: OnMessage | None = None) -> None:
        self._progress, self._message = progress, message
        self._lock = threading.Lock()

    @property
    def counts(self) -> bool:
        """Return whether the caller wants to know the progress."""
        return self._progress is not None

    def progress(self, progress: Progress) -> None:
        """Report progress."""
        if self._progress:
            with self._lock:
                self._progress(progress)

    def doing(self, what: str) -> None:
        """Report what is being done."""
        self.progress(Progress(what))

    def count(self, games: int, of: int) -> None:
        """Report how many games are played."""
        self.progress(Progress(games=games, of=of))

    def message(self, text: str) -> None:
        """Report something that deserves a line of its own."""
        if self._message:
            self._message(text)

    def warn(self, text: str) -> None:
        """Warn of something that is not as it should be."""
        warnings.warn(text, RunWarning, stacklevel=2)


class GameCounter:
    """Counts games as they are played, on several threads, and reports them."""

    def __init__(self, listener: Listener, of: int, *, done: int = 0, about: bool = False) -> None:
        """Begin to count. of: the games in all; about: there may be more, else some may be played and counted twice."""
        self._listener, self._of, self._about, self._done = listener, of, about, done
        self._shares: Sequence[Share] = ()
        self._lock = threading.Lock()

    def played(self, games: int) -> None:
        """Count more games."""
        with self._lock:
            self._done += games
            done = self._done if self._about else min(self._done, self._of)
            progress = Progress(games=done, of=max(self._of, done), shares=self._shares)
        self._listener.progress(progress)

    def finished(self, games: int, shares: "Sequence[Share]") -> None:
        """Take the number of all games that are finished for good, and what their win shares are."""
        with self._lock:
            self._done, self._shares = max(self._done, games), shares
        self.played(0)

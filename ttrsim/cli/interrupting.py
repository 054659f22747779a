"""End a command on Ctrl-C or SIGTERM: an exception in the main thread ends it tidily.

Compiled code, such as a bot's endless loop, does not notice it, so a separate thread listens too.
"""

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator

from ttrsim.files import Temporary

PATIENCE = 2.0
"""Seconds after the first Ctrl-C within which a command usually ends by itself, unless a bot holds it up."""
NOTICE = 10.0
"""The same after SIGTERM; then the process is ended at once, because the next signal would be SIGKILL."""
HINT = "Waiting for the strategies to finish their moves; press Ctrl-C again to end the command at once"

ENDINGS = {signal.SIGINT: ("Interrupted.", 130), signal.SIGTERM: ("Terminated.", 143)}

_last_words: list[Callable[[], str]] = []
"""Functions that return the last message of a command that is ended at once."""


class Terminated(KeyboardInterrupt):
    """SIGTERM, as `kill`, systemd and the schedulers of clusters send it."""


def ending_of(error: BaseException) -> tuple[str, int]:
    """Return how an interrupted command ended, in a word, and its exit code. Click wraps our error in its own."""
    terminated = isinstance(error, Terminated) or isinstance(error.__cause__, Terminated)
    return ENDINGS[signal.SIGTERM if terminated else signal.SIGINT]


@contextlib.contextmanager
def last_words(words: Callable[[], str]) -> Iterator[None]:
    """Print these words if a second Ctrl-C ends the command in the meantime."""
    _last_words.append(words)
    try:
        yield
    finally:
        _last_words.pop()


@contextlib.contextmanager
def heard_twice() -> Iterator[None]:
    """Let a second Ctrl-C end the process at once. The first is Python's KeyboardInterrupt, SIGTERM is Terminated."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    hears, wakes = socket.socketpair()
    wakes.setblocking(False)
    before = signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    listener = threading.Thread(target=_listen, args=(hears,), daemon=True)
    listener.start()
    unraised, sys.unraisablehook = sys.unraisablehook, _end_unraised
    default = signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    if default:
        signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        if default:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
        sys.unraisablehook = unraised
        signal.set_wakeup_fd(before)
        wakes.close()
        listener.join()
        hears.close()


def _terminate(number: int, frame: object) -> None:
    raise Terminated


def _end_unraised(unraisable: "sys.UnraisableHookArgs") -> None:
    """End a command that is interrupted where Python drops exceptions, such as in a callback of the compiler."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        _end(signal.SIGTERM if isinstance(unraisable.exc_value, Terminated) else signal.SIGINT)
    sys.__unraisablehook__(unraisable)


def _listen(hears: socket.socket) -> None:
    """Handle the signals, one byte each, until the other end is closed."""
    heard = b""
    while True:
        try:
            signals = hears.recv(64)
        except TimeoutError:
            if signal.SIGTERM in heard:
                _end(signal.SIGTERM)
            hears.settimeout(None)
            _say(HINT)
            continue
        if not signals:
            return
        heard += bytes(number for number in signals if number in ENDINGS)
        if len(heard) > 1:
            _end(signal.Signals(heard[-1]))
        elif heard:
            hears.settimeout(NOTICE if signal.SIGTERM in heard else PATIENCE)


def _end(number: signal.Signals) -> None:
    """End the process at once, but remove its temporary folders."""
    message, code = ENDINGS[number]
    for folder in list(Temporary.existing):
        folder.close()
    for words in _last_words:
        if last := words():
            _say(last)
    _say(message)
    os._exit(code)


def _say(text: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"\n{text}\n")
            sys.stderr.flush()

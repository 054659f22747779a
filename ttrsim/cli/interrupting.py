"""Interrupt a command by Ctrl-C or SIGTERM: an exception in the main thread ends it tidily.

Compiled code, such as a bot's endless loop, does not notice that, so a separate thread listens, too.
"""

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator

PATIENCE = 2.0
"""Seconds after the first Ctrl-C in which a command ends by itself, unless a bot does not let it."""
NOTICE = 10.0
"""Seconds after SIGTERM in which it does so; then it is ended at once, for nobody will ask again but by SIGKILL."""
HINT = "Waiting for the strategies to finish their moves; Ctrl-C again ends the command at once"

ENDINGS = {signal.SIGINT: ("Interrupted.", 130), signal.SIGTERM: ("Terminated.", 143)}

_last_words: list[Callable[[], str]] = []
"""Functions that return what to print when the command is ended at once."""


class Terminated(KeyboardInterrupt):
    """SIGTERM, as `kill`, systemd and the schedulers of clusters send it."""


def ending_of(error: BaseException) -> tuple[str, int]:
    """Return a word for how an interrupted command ended, and its exit code; click replaces our error by its own."""
    terminated = isinstance(error, Terminated) or isinstance(error.__cause__, Terminated)
    return ENDINGS[signal.SIGTERM if terminated else signal.SIGINT]


@contextlib.contextmanager
def last_words(words: Callable[[], str]) -> Iterator[None]:
    """Print these words if a second Ctrl-C ends the command meanwhile."""
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
    hears, told = socket.socketpair()
    told.setblocking(False)
    before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
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
        told.close()
        listener.join()
        hears.close()


def _terminate(number: int, frame: object) -> None:
    raise Terminated


def _end_unraised(unraisable: "sys.UnraisableHookArgs") -> None:
    """End a command that is interrupted where Python drops exceptions, as while the compiler calls back."""
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        _end(signal.SIGTERM if isinstance(unraisable.exc_value, Terminated) else signal.SIGINT)
    sys.__unraisablehook__(unraisable)


def _listen(hears: socket.socket) -> None:
    """Mind the signals, a byte each, until the other end is closed."""
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
    """End the process at once."""
    told, code = ENDINGS[number]
    for words in _last_words:
        if last := words():
            _say(last)
    _say(told)
    os._exit(code)


def _say(text: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"\n{text}\n")
            sys.stderr.flush()

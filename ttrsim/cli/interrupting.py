"""Ctrl-C while a bot's endless loop runs: compiled code does not hear it, so a thread of its own listens."""

import contextlib
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator

PATIENCE = 2.0
"""Seconds after the first Ctrl-C in which a command ends by itself, unless a bot does not let it."""
HINT = "Waiting for the strategies to finish their moves; Ctrl-C again ends the command at once"

_last_words: list[Callable[[], str]] = []
"""What is to be told when the command is ended at once."""


@contextlib.contextmanager
def last_words(words: Callable[[], str]) -> Iterator[None]:
    """Let a command that a second Ctrl-C ends meanwhile say this."""
    _last_words.append(words)
    try:
        yield
    finally:
        _last_words.pop()


@contextlib.contextmanager
def heard_twice() -> Iterator[None]:
    """Let a second Ctrl-C end the process at once. The first is Python's KeyboardInterrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    hears, told = socket.socketpair()
    told.setblocking(False)
    before = signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    listener = threading.Thread(target=_listen, args=(hears,), daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        told.close()
        listener.join()
        hears.close()


def _listen(hears: socket.socket) -> None:
    """Count the signals, a byte each, until the other end is closed."""
    count = 0
    while True:
        try:
            signals = hears.recv(64)
        except TimeoutError:
            hears.settimeout(None)
            _say(HINT)
            continue
        if not signals:
            return
        count += signals.count(signal.SIGINT)
        if count == 1:
            hears.settimeout(PATIENCE)
        elif count > 1:
            for words in _last_words:
                _say(words())
            _say("Interrupted.")
            os._exit(130)


def _say(text: str) -> None:
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(f"\n{text}\n")
            sys.stderr.flush()

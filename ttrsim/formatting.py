"""Format numbers, times and commands for people."""

import os
import shlex
from collections.abc import Sequence

REACH = 10**9
"""The most games that are practical: more take one core longer than a day, even with fast strategies."""
TOO_CLOSE = 10**7
"""Answers do not count more games than these: what would need them is too close to call."""


def counted(count: int, what: str, several: str = "") -> str:
    """Return a number of things: `1 game`, `20,000 games`, `no games`. several: the plural, if not with s."""
    return f"{f'{count:,}' if count else 'no'} {what if count == 1 else several or what + 's'}"


ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")
NUMBERS = ("one", "two", "three", "four", "five", "six")
GAMES_IN_100 = "games in 100"
"""Ends a sentence about a change in wins: wins 5.8 ± 2.0 more games in 100."""


def seat_name(seat: int) -> str:
    """Return how readers call a seat: `seat_name(0) == "1st player"`. Data count seats from 0."""
    return f"{ORDINALS[seat]} player"


def games_more(more: float, of: str = "", *, how: str = "at least") -> str:
    """Return in words how many more games an undecided question needs. of: of what, such as `of each`.

    >>> games_more(12_000.0), games_more(0.0, "of each"), games_more(1.8e10)
    ('at least 12,000 more games', 'more games of each, perhaps only a few,', 'more games than is practical')
    """
    of = f" {of}" if of else ""
    if not more:
        return f"more games{of}, perhaps only a few,"
    return f"{how} {more:,.0f} more games{of}" if more <= REACH else f"more games{of} than is practical"


def settled_by(more: float, what: str = "it", of: str = "") -> str:
    """Return what it takes to settle an undecided question; "" if that is not known. of: of what the games are.

    >>> settled_by(12_000.0), settled_by(1.8e7), settled_by(float("nan"))
    ('at least 12,000 more games would settle it', 'too close to call', '')
    """
    if more != more:
        return ""
    return f"{games_more(more, of)} would settle {what}" if more <= TOO_CLOSE else "too close to call"


def decimal(value: float, digits: int = 1, *, grouped: bool = False) -> str:
    """Return a number with this many decimals and a true minus sign, but none before 0. grouped: commas in thousands.

    >>> decimal(-12.34), decimal(-0.04), decimal(-12345, 0, grouped=True)
    ('−12.3', '0.0', '−12,345')
    """
    return f"{value:z{',' if grouped else ''}.{digits}f}".replace("-", "−")


def command_line(words: Sequence[str], *, windows: bool = os.name == "nt") -> str:
    """Join the words of a command, quoting those with spaces and the like for the system's shell.

    >>> command_line(["ttrsim", "verify", "my run"], windows=True)
    'ttrsim verify "my run"'
    """
    if windows:  # single quotes are ordinary characters there
        from subprocess import list2cmdline

        return list2cmdline(words)
    return shlex.join(words)


def clock(seconds: float) -> str:
    """Return seconds as `1:06` or `2:03:11`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

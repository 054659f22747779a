"""Numbers and commands as they are printed: with commas and signs, and quoted to be copied into a shell."""

import os
import shlex
from collections.abc import Sequence

REACH = 10**9
"""Games that are within reach: more take one core longer than a day, even with quick strategies."""


def counted(count: int, what: str, several: str = "") -> str:
    """A number of things: `1 game`, `20,000 games`, `no games`. several: the plural, if not with s."""
    return f"{f'{count:,}' if count else 'no'} {what if count == 1 else several or what + 's'}"


def games_more(more: float, of: str = "") -> str:
    """In words, how many more games an undecided question needs. of: of what, such as `of each`.

    >>> games_more(12_000.0), games_more(1.8e10, "of each")
    ('about 12,000 games more', 'more games of each than are within reach')
    """
    of = f" {of}" if of else ""
    return f"about {more:,.0f} games more{of}" if more <= REACH else f"more games{of} than are within reach"


def decimal(value: float, digits: int = 1, *, grouped: bool = False) -> str:
    """A number with so many digits after the point and a true minus sign, 0 without one. grouped: commas in thousands.

    >>> decimal(-12.34), decimal(-0.04), decimal(-12345, 0, grouped=True)
    ('−12.3', '0.0', '−12,345')
    """
    return f"{value:z{',' if grouped else ''}.{digits}f}".replace("-", "−")


def command_line(words: Sequence[str], *, windows: bool = os.name == "nt") -> str:
    """A command from its words, those with spaces and the like quoted as the system's shell wants it.

    >>> command_line(["ttrsim", "verify", "my run"], windows=True)
    'ttrsim verify "my run"'
    """
    if windows:  # where single quotes are ordinary characters
        from subprocess import list2cmdline

        return list2cmdline(words)
    return shlex.join(words)


def clock(seconds: float) -> str:
    """Return seconds as `1:06` or `2:03:11`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"

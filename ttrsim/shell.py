"""Commands as they are printed, to be copied into a shell."""

import os
import shlex
from collections.abc import Sequence


def command_line(words: Sequence[str], *, windows: bool = os.name == "nt") -> str:
    """The words of a command, those with spaces and the like in quotes that the system's shell takes.

    >>> command_line(["ttrsim", "verify", "my run"], windows=True)
    'ttrsim verify "my run"'
    """
    if windows:  # where single quotes are letters like others
        from subprocess import list2cmdline

        return list2cmdline(words)
    return shlex.join(words)

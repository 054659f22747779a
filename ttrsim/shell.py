"""Commands as they are printed, to be copied into a shell."""

import os
import shlex
from collections.abc import Sequence


def command_line(words: Sequence[str], *, windows: bool = os.name == "nt") -> str:
    """A command from its words, those with spaces and the like quoted as the system's shell wants it.

    >>> command_line(["ttrsim", "verify", "my run"], windows=True)
    'ttrsim verify "my run"'
    """
    if windows:  # where single quotes are ordinary characters
        from subprocess import list2cmdline

        return list2cmdline(words)
    return shlex.join(words)

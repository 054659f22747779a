"""Errors for users: each says what is wrong with the input, and what would be right."""

from collections.abc import Iterable, Sequence

from ttrsim.formatting import counted

CLOSE = 0.6
"""How alike two names must be for one to be suggested for the other, from 0, nothing in common, to 1, the same."""

LISTED, LONGEST = 20, 1000
"""How many problems of a file are listed, and how many letters of each."""


class UserError(Exception):
    """Something the user can mend; the command line prints `problems`, a line each, and no traceback."""

    exit_code = 1  # of the command that met it: 1 it failed, 2 it was used wrongly

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class UsageError(UserError):
    """The user asked for something that does not exist, or in a wrong way."""

    exit_code = 2


class Unfinished(UserError):
    """A run broke off; what is finished is kept, and `--resume` goes on with it."""


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the end of a message about an unknown name: similar known names, or `otherwise` if there are none.

    >>> did_you_mean("usaa", ["usa", "europe"])
    '; did you mean usa?'
    """
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), 3, CLOSE)
    hint = f"did you mean {', '.join(near)}?" if near else otherwise
    return f"; {hint}" if hint else ""


def first_of(problems: Sequence[str]) -> list[str]:
    """Return the first problems of a file, each cut to a readable length, and how many more there are."""
    first = [problem if len(problem) <= LONGEST else problem[: LONGEST - 1] + "…" for problem in problems[:LISTED]]
    more = len(problems) - LISTED
    return [*first, f"and {counted(more, 'further problem')}, which mending these may mend too"] if more > 0 else first

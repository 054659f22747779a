"""Define errors for users: each says what is wrong with the input, and what would be right."""

from collections.abc import Iterable, Sequence

from ttrsim.formatting import counted

CLOSE = 0.6
"""The similarity of two names at which one is suggested for the other, from 0 (nothing in common) to 1 (equal)."""

LISTED, LONGEST = 20, 1000
"""The most problems of a file that are listed, and the most characters of each."""


class UserError(Exception):
    """Something the user can fix; the command line prints `problems`, one per line, without a traceback."""

    exit_code = 1  # of the command: 1 if it failed, 2 if it was used wrongly

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class UsageError(UserError):
    """The user asked for something that does not exist, or asked in a wrong way."""

    exit_code = 2


class Unfinished(UserError):
    """A run stopped early; finished games are kept, and resuming continues from there."""


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
    """Return the first problems of a file, each cut to a readable length, and the number of the rest."""
    first = [problem if len(problem) <= LONGEST else problem[: LONGEST - 1] + "…" for problem in problems[:LISTED]]
    more = len(problems) - LISTED
    return [*first, f"and {counted(more, 'more problem')}, which fixing these may fix too"] if more > 0 else first

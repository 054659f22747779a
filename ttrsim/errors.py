"""Errors that are for people: each says what is wrong with what was given, and what would be right."""

from collections.abc import Iterable

CLOSE = 0.6
"""How alike two names must be for one to be suggested for the other, from 0, nothing in common, to 1, the same."""


class UserError(Exception):
    """Something the user can mend; the command line prints `problems`, a line each, and no traceback."""

    exit_code = 1  # of the command that met it: 1 it failed, 2 it was used wrongly

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class UsageError(UserError):
    """The user asked for something that is not there, or not in that way."""

    exit_code = 2


def did_you_mean(name: str, known: Iterable[str], otherwise: str = "") -> str:
    """The end of a message about an unknown name: the known names like it, or `otherwise` if there are none.

    >>> did_you_mean("usaa", ["usa", "europe"])
    '; did you mean usa?'
    """
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), 3, CLOSE)
    told = f"did you mean {', '.join(near)}?" if near else otherwise
    return f"; {told}" if told else ""

"""The errors that are for people: each says what is wrong with what was given, and what would be right."""


class UserError(Exception):
    """Something the user can mend; the command line prints `problems`, a line each, and no traceback."""

    exit_code = 1  # what a command that met it ends with: 1 failed, 2 wrong usage

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class UsageError(UserError):
    """The user asked for something that is not there, or not in that way."""

    exit_code = 2

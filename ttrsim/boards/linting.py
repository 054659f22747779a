"""Check a board file: errors and warnings with the lines where they are.

No TOML library that is maintained says where a value stands. So the value is exchanged for a mark and the document is
written again, as tomlkit does without changing anything else: the mark then stands where the value began.
"""

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, InlineTable

from ttrsim.boards.advice import advise
from ttrsim.boards.board import Board
from ttrsim.boards.codes import CODES, Problem, Where
from ttrsim.boards.parsing import parse
from ttrsim.boards.reading import BoardError, board_names, content_of, locate_board, read_boards
from ttrsim.errors import LONGEST, UsageError
from ttrsim.files import Unreadable, decoded

MOST_LISTED = 100
"""The most problems of a file that are listed."""
MARK = "\ue000 the value \ue000"
MOST_CHARACTERS = 200_000
"""tomlkit takes too long for larger files; ours have 25,000."""
AT = re.compile(r"\bline (\d+)(?:, column (\d+))?")
"""Pattern of the place in a message about bad TOML."""


@dataclass(frozen=True)
class LocatedProblem:
    """A problem of a board file, and where it is."""

    line: int  # from 1
    column: int  # from 1
    code: str
    warning: bool  # the board can be played all the same
    text: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.code} {self.text}"


@dataclass(frozen=True)
class Lint:
    """The result of checking a board file."""

    family: Mapping[str, Board]  # by variant; empty if the file has errors
    problems: Sequence[LocatedProblem]  # by line, the first 100
    more: int  # that are not among them

    @property
    def errors(self) -> int:
        return sum(not problem.warning for problem in self.problems)

    @property
    def warnings(self) -> int:
        return sum(problem.warning for problem in self.problems)


class Positions:
    """The lines of the values of a file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._document: Any = None
        if len(text) <= MOST_CHARACTERS:
            with contextlib.suppress(TOMLKitError, RecursionError, ValueError):
                self._document = tomlkit.parse(text)

    def of(self, where: Where) -> tuple[int, int]:
        """Return the line and the column of a value, from 1; of what surrounds it if it is not there."""
        while where:
            if (found := self._offset(where)) is not None:
                return self.text.count("\n", 0, found) + 1, found - self.text.rfind("\n", 0, found)
            where = where[:-1]
        return 1, 1

    def _offset(self, where: Where) -> int | None:
        """Return how many characters stand before a value; None if it is not there."""
        try:
            table = self._document
            for key in where[:-1]:
                table = table[key]
            if isinstance(table, AoT):  # a table under [[tickets]] has no text of its own
                return self._offset((*where, next(iter(table[int(where[-1])]))))
            kept = table[where[-1]]
            if isinstance(kept, AoT | Mapping) and not isinstance(kept, InlineTable):
                return self._offset((*where, 0 if isinstance(kept, AoT) else next(iter(kept))))
            table[where[-1]] = MARK
            written = tomlkit.dumps(self._document)
            table[where[-1]] = kept
        except (TOMLKitError, LookupError, TypeError, StopIteration, RecursionError):
            return None
        found = written.find(MARK)
        return found - 1 if found >= 0 else None  # the mark is in quotes


def position_in(message: str, text: str) -> tuple[int, int]:
    """Return the line and the column that a message about bad TOML names.

    >>> position_in("is not TOML: Invalid value (at line 2, column 8)", text)
    (2, 8)
    """
    if found := AT.search(message):
        return int(found[1]), int(found[2] or 1)
    return max(len(text.splitlines()), 1), 1  # at end of document


def lint(path: str | Path, *, select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Lint:
    """Check a board file, or a board that comes with ttrsim, such as "usa".

    select, ignore: the codes to report and to leave out, or how they begin ("B2").

    >>> lint("my.toml", ignore=["B206"]).problems
    """
    for code in (*select, *ignore):
        if not code or not any(known.startswith(code) for known in CODES):
            raise UsageError([f"{code!r}: no code begins so; give for example B203, or B2 for all warnings"])
    shipped = str(path) in board_names() and not Path(path).exists()
    problems, family, text = _examined(locate_board(path)[0] if shipped else Path(path))
    wanted = [p for p in problems if not select or p.code.startswith(tuple(select))]
    wanted = [p for p in wanted if not (ignore and p.code.startswith(tuple(ignore)))]
    positions = Positions(text)
    found = [_located(problem, positions) for problem in wanted[:MOST_LISTED]]
    return Lint(family, sorted(found, key=lambda f: (f.line, f.column, f.code)), len(wanted[MOST_LISTED:]))


def _examined(path: Path) -> tuple[Sequence[Problem], Mapping[str, Board], str]:
    """Return all problems of a file, its boards if it has no errors, and its text."""
    try:
        raw = content_of(path)
    except BoardError as e:
        return [Problem("B001", (), e.problems[0].removeprefix(f"{path}: "))], {}, ""
    try:
        text = decoded(raw)
    except Unreadable as e:
        return [Problem("B002", (), str(e))], {}, ""
    parsed = parse(raw)
    if parsed.problems or parsed.form is None:
        return parsed.problems, {}, text
    family = read_boards(path)
    return advise(parsed.form, family), family, text


def _located(problem: Problem, positions: Positions) -> LocatedProblem:
    line, column = position_in(problem.text, positions.text) if problem.code == "B002" else positions.of(problem.where)
    text = problem.text if len(problem.text) <= LONGEST else problem.text[: LONGEST - 1] + "…"
    return LocatedProblem(line, column, problem.code, problem.warning, text)

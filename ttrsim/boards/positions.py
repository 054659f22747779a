"""Find the line and the column of a value in a board file.

No TOML library that is maintained says where a value stands. So the value is exchanged for a mark and the document is
written again, as tomlkit does without changing anything else: the mark then stands where the value began.
"""

import contextlib
import re
from collections.abc import Mapping
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, InlineTable

from ttrsim.boards.codes import Where

MARK = "\ue000 the value \ue000"
MOST_CHARACTERS = 200_000
"""tomlkit takes too long for larger files; ours have 25,000."""
AT = re.compile(r"\bline (\d+)(?:, column (\d+))?")
"""Pattern of the place in a message about bad TOML."""


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

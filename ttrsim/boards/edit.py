"""Change the text of a board file and keep its comments and its layout."""

import difflib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeGuard

import tomlkit
from tomlkit.items import AoT, InlineTable

from ttrsim.boards.changes import change, split_name, toml_value
from ttrsim.boards.reading import BoardError, UnknownBoard, boards_in, content_of, locate_board
from ttrsim.errors import UsageError, UserError
from ttrsim.files import Unreadable, decoded, parse_toml, read_file

MOST_CHANGES = 1000
MOST_BYTES = 200_000
"""The most changes, and the most bytes of a file of changes."""


def apply(text: str, changes: Sequence[str], *, variant: str = "", name: str = "the board") -> str:
    """Return the text of a board file with changes applied one after the other.

    changes: as for `--set`, such as `"rules.trains = 40"` or `"drop ticket Boston–Miami"`; rules change for the
    variant. name: of the file, for messages. Raises UserError if a change is wrong or the result is no good board.

    >>> apply(text, ["ticket Ayr–Bern = 4", "add route Ayr–Dax length = 2 tracks = red, blue"])
    """
    if len(changes) > MOST_CHANGES:
        raise UsageError([f"{len(changes):,} changes: there is room for {MOST_CHANGES:,}"])
    raw = text.encode("utf-8", "surrogatepass")
    family = boards_in(raw, name, name)
    if variant not in family:
        raise UnknownBoard(
            [f"{name}: no variant {variant!r}; variants are: {', '.join(filter(None, family)) or 'none'}"]
        )
    if not changes:
        return text
    document = parse_toml(raw)
    change(document, changes, variant, name)
    new = rewrite(text, document)
    boards_in(new.encode("utf-8", "surrogatepass"), f"{name} with these changes", name)
    return new


def apply_to(board: str | Path, changes: Sequence[str]) -> tuple[str, str]:
    """Return the text of a board's file before and after changes; `board` is named as for `load_board`."""
    path, variant = locate_board(board)
    before = text_of(path)
    name, settings = split_name(str(board))
    return before, apply(before, [*settings, *changes], variant=variant, name=name)


def text_of(path: Path) -> str:
    """Return the text of a board file. Raises BoardError."""
    try:
        return decoded(content_of(path))
    except Unreadable as e:
        raise BoardError([f"{path}: {e}"]) from None


def read_changes(path: Path) -> list[str]:
    """Return the changes in a file, one in a line; empty lines and what follows a # at the start of a line are not."""
    try:
        lines = decoded(read_file(path, MOST_BYTES)).splitlines()
    except Unreadable as e:
        raise UserError([f"{path}: {e}"]) from None
    return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]


def difference(before: str, after: str, names: tuple[str, str]) -> Iterator[str]:
    """Yield the lines of a unified diff of two texts; none if they are equal."""
    return difflib.unified_diff(before.splitlines(), after.splitlines(), *names, n=0, lineterm="")


def rewrite(text: str, document: dict[str, Any]) -> str:
    """Return the text of a TOML file with the values of a document; what does not change stays as it is written."""
    written = tomlkit.parse(text)
    _transfer(written, parse_toml(text.encode("utf-8", "surrogatepass")), document)
    new = tomlkit.dumps(written)
    if not _same(parse_toml(new.encode("utf-8", "surrogatepass")), document):
        raise UserError(["the file is laid out in a way that cannot be kept; write each rule as rules.KEY = VALUE"])
    return new


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return whether documents have the same values; NaN is the same as NaN."""
    return one == other or json.dumps(one, sort_keys=True, default=str) == json.dumps(
        other, sort_keys=True, default=str
    )


def _transfer(written: Any, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Bring a table of a tomlkit document from the old to the new values."""
    for key in old.keys() - new.keys():
        del written[key]
    for key, value in new.items():
        before = old.get(key)
        if key in old and type(before) is type(value) and before == value:
            continue
        if isinstance(before, dict) and isinstance(value, dict) and not _needs_room(written[key], before, value):
            _transfer(written[key], before, value)
        elif _are_entries(before) and _are_entries(value):
            _transfer_entries(written[key], before, value)
        else:
            written[key] = _literal(value)


def _transfer_entries(written: Any, old: list[dict[str, Any]], new: list[dict[str, Any]]) -> None:
    """Bring a list of tables from the old to the new entries, from its end to its beginning."""
    matcher = difflib.SequenceMatcher(None, [_identity(e) for e in old], [_identity(e) for e in new], autojunk=False)
    for _, first, last, start, end in reversed(matcher.get_opcodes()):
        both = min(last - first, end - start)
        for i in reversed(range(both, end - start)):
            written.insert(first + both, _entry(written, new[start + i]))
        for i in reversed(range(first + both, last)):
            del written[i]
        for i in reversed(range(both)):
            before, after = old[first + i], new[start + i]
            if before == after:
                continue
            if _needs_room(written[first + i], before, after):
                written[first + i] = _entry(written, after)
            else:
                _transfer(written[first + i], before, after)


def _needs_room(written: Any, old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Return whether a table on one line gets other keys, so that it is better written anew."""
    return isinstance(written, InlineTable) and old.keys() != new.keys()


def _are_entries(value: Any) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, dict) for entry in value)


def _identity(entry: dict[str, Any]) -> str:
    return json.dumps([entry.get("name"), sorted(entry.get("between", ())), entry.get("decks")])


def _entry(section: Any, entry: dict[str, Any]) -> Any:
    if isinstance(section, AoT):  # written as [[tickets]]
        table = tomlkit.table()
        table.update(entry)
        return table
    return _literal(entry)


def _literal(value: Any) -> Any:
    """Return a value as tomlkit keeps it, written as in our own files."""
    return tomlkit.parse(f"value = {toml_value(value)}")["value"]

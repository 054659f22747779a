"""Change a board by settings, without a file of its own.

A setting is `rules.KEY = VALUE`, likewise with `wilds` and `colours`; `ticket CITY–CITY = POINTS`; or
`route CITY–CITY KEY = VALUE`. The name of a board can end in settings in brackets, with semicolons between them:
`usa[rules.trains = 40; ticket Boston–Miami = 14]`. Such a name stands for the changed board everywhere.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from ttrsim.boards.board import Board, find_connection, find_tickets
from ttrsim.errors import UsageError, did_you_mean
from ttrsim.files import MOST_PARTS, Unreadable, parse_toml

TABLES = ("rules", "wilds", "colours")
ROUTE_KEYS = ("length", "tracks", "tunnel", "ferry")
FORMS = "'rules.KEY = VALUE', 'ticket CITY–CITY = POINTS' or 'route CITY–CITY KEY = VALUE'"
MOST = 1000
"""The most characters of a setting."""
NAME = re.compile(r"(.*?\.toml(?::[^\[\]]*)?|[^\[\]]*)\[(.*)\]", re.DOTALL)
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
BARE_WORDS = re.compile(r"\w[\w ,-]*")


def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of a board without its settings, and the settings.

    >>> split_name("usa[rules.trains = 40; rules.hand = [4, 5, 5, 6, 6]]")
    ('usa', ('rules.trains = 40', 'rules.hand = [4, 5, 5, 6, 6]'))
    """
    found = NAME.fullmatch(name)
    return (found[1], tuple(s.strip() for s in found[2].split(";"))) if found else (name, ())


def with_settings(name: str, settings: Sequence[str]) -> str:
    """Return the name of a board with settings added.

    >>> with_settings("usa[rules.trains = 40]", ["rules.equal_turns = true"])
    'usa[rules.trains = 40; rules.equal_turns = true]'
    """
    plain, before = split_name(name)
    return f"{plain}[{'; '.join((*before, *settings))}]" if before or settings else plain


def changed(board: Board, variant: str, settings: Sequence[str]) -> bytes:
    """Return a board file with the settings applied to a variant of a board ("" for the board itself)."""
    document = parse_toml(board.source)
    others = document.get("variants", {})
    document["variants"] = {variant: others[variant]} if variant else {}
    for setting in settings:
        _change(document, board, setting)
    return as_toml(document).encode("utf-8", "surrogatepass")  # whose reader refuses what is not UTF-8


def _change(document: dict[str, Any], board: Board, setting: str) -> None:
    """Apply one setting to a document."""
    if len(setting) > MOST:
        raise UsageError([f"{setting[:50]!r}…: has {len(setting):,} characters; a setting has at most {MOST:,}"])
    place, _, text = (part.strip() for part in setting.partition("="))
    what, _, name = place.partition(" ")
    if not text:
        raise UsageError([f"{setting!r}: should be {FORMS}"])
    if what == "ticket":
        _change_ticket(document, board, name, _value(setting, text))
    elif what == "route":
        connection, _, key = name.rpartition(" ")
        if key not in ROUTE_KEYS:
            raise UsageError([f"{setting!r}: must have a key of a route before the =: {', '.join(ROUTE_KEYS)}"])
        value = _value(setting, text)
        tracks = [track.strip() for track in value.split(",")] if isinstance(value, str) and key == "tracks" else value
        document["connections"][find_connection(board, connection.strip())][key] = tracks
    else:
        keys = place.split(".")
        if keys[0] not in TABLES or not 1 < len(keys) <= MOST_PARTS:
            raise UsageError([f"{setting!r}: should be {FORMS}{did_you_mean(keys[0], TABLES)}"])
        _put(document, keys, setting, _value(setting, text))
        for other in document["variants"].values():  # the one that is played
            if keys[0] == "rules" and keys[1] in other.get("rules", {}):
                _put(other, keys, setting, _value(setting, text))


def _change_ticket(document: dict[str, Any], board: Board, name: str, points: Any) -> None:
    """Set the points of a ticket in the decks that the board plays with."""
    rules = board.rules
    played = {rules.tickets.deck, rules.long_tickets.deck if rules.long_tickets else rules.tickets.deck}
    for ticket in find_tickets(board, [name]):
        t = board.tickets[ticket]
        ends = {board.cities[t.a].name, board.cities[t.b].name}
        for entry in document["tickets"]:
            if set(entry["between"]) == ends and played & set(entry["decks"]):
                entry["points"] = points


def _put(table: dict[str, Any], keys: Sequence[str], setting: str, value: Any) -> None:
    """Set a value in nested tables."""
    for key in keys[:-1]:
        table = table.setdefault(key, {})
        if not isinstance(table, dict):
            raise UsageError([f"{setting!r}: {key} is a value, not a table"])
    table[keys[-1]] = value


def _value(setting: str, text: str) -> Any:
    """Parse a value as TOML; words need no quotes."""
    try:
        found = parse_toml(f"value = {text}".encode("utf-8", "surrogatepass"))
    except Unreadable:
        if BARE_WORDS.fullmatch(text):
            return text
        found = {}
    if set(found) != {"value"}:
        raise UsageError([f"{setting!r}: {text!r} is not a value; write for example 40, true, [4, 4, 5, 5], removed"])
    return found["value"]


def as_toml(document: Mapping[str, Any]) -> str:
    """Return a document as TOML: a line for each value of a table, and for each entry of a list of tables.

    >>> print(as_toml({"format": 1, "wilds": {"cards": 8, "name": "steamer"}}))
    format = 1
    wilds.cards = 8
    wilds.name = "steamer"
    """
    lines = []
    for key, value in document.items():
        if isinstance(value, dict) and value:
            lines += [f"{_key(key)}.{_key(inner)} = {_written(value[inner])}" for inner in value]
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            lines += [f"{_key(key)} = [", *(f"  {_written(entry)}," for entry in value), "]"]
        else:
            lines.append(f"{_key(key)} = {_written(value)}")
    return "\n".join(lines)


def _key(key: str) -> str:
    return key if BARE_KEY.fullmatch(key) else _written(key)


def _written(value: Any) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_written(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)

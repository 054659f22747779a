"""Change a board by settings, without a file of its own.

A setting is one of

* `rules.KEY = VALUE`, likewise with `wilds` and `colours`, and `name` or `title` alone;
* `ticket CITY–CITY = POINTS`, or with keys, as in `ticket Brest–Nantes between = Brest–Lyon points = 9`; if there is a
  long and a regular one, with the deck, as in `ticket Brest–Petrograd (long) = 20`;
* `route CITY–CITY KEY = VALUE …`, as in `route Brest–Morlaix length = 3 tracks = red, blue`;
* `add ticket …`, `add route …`, with the same keys; `drop ticket CITY–CITY`, `drop route CITY–CITY`.

The name of a board can end in settings in brackets, with semicolons between them:
`usa[rules.trains = 40; ticket Boston–Miami = 14]`. Such a name stands for the changed board everywhere.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ttrsim.boards.board import GRAY, Board, spelling, split_deck
from ttrsim.errors import UsageError, did_you_mean
from ttrsim.files import MOST_PARTS, Unreadable, parse_toml

TABLES = ("rules", "wilds", "colours")
TEXTS = ("name", "title")
KEYS = {"route": ("length", "tracks", "tunnel", "ferry", "bend"), "ticket": ("points", "between", "decks")}
LISTS = ("tracks", "decks")
WHOLE = ("route_points", "souvenirs")
"""The tables of rules that a variant replaces whole."""
FORMS = (
    "'rules.KEY = VALUE', 'ticket CITY–CITY = POINTS' or 'route CITY–CITY KEY = VALUE'; "
    "'add' or 'drop' before a ticket or route does that"
)
MOST = 1000
"""The most characters of a setting."""
NAME = re.compile(r"(.*?\.toml(?::[^\[\]]*)?|[^\[\]]*)\[(.*)\]", re.DOTALL)
ENTRY = re.compile(r"(?:(add|drop)\s+)?(ticket|route)\s+(.*)", re.DOTALL)
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
    change(document, settings, variant, board.id)
    return as_toml(document).encode("utf-8", "surrogatepass")  # whose reader refuses what is not UTF-8


def change(document: dict[str, Any], settings: Sequence[str], variant: str, board: str) -> None:
    """Apply settings to the values of a good board file, one after the other.

    Rules change in the variant ("" for the board itself), everything else in all variants, tickets in all their decks.
    board: its name, for messages.
    """
    for setting in settings:
        if len(setting) > MOST:
            raise UsageError([f"{setting[:50]!r}…: has {len(setting):,} characters; a setting has at most {MOST:,}"])
        if found := ENTRY.fullmatch(setting.strip()):
            verb, what, rest = found.groups()
            name, values = _values_of(setting, what, rest)
            entries = _tickets(document, variant) if what == "ticket" else dict(enumerate(document["connections"]))
            if what == "ticket" and verb != "add" and not _pair(document, name):
                name, deck = split_deck(name)
                entries = _of_deck(document, variant, board, name, deck, entries) if deck else entries
            if verb == "add":
                _add(document, variant, setting, what, name, values, entries)
            else:
                _change_entries(document, board, setting, what, name, values, entries, drop=verb == "drop")
        else:
            _change_value(document, variant, setting)


def _values_of(setting: str, what: str, rest: str) -> tuple[str, dict[str, str]]:
    """Return the cities of `CITY–CITY KEY = VALUE KEY = VALUE …` and the text of each value."""
    keys = KEYS[what]
    head, *pairs = re.split(rf"\s+({'|'.join(keys)})\s*=", rest)
    name, equals, points = (part.strip() for part in head.partition("="))
    values = {key: text.strip() for key, text in zip(pairs[::2], pairs[1::2], strict=True)}
    if equals and what == "route":
        hint = did_you_mean(name.rpartition(" ")[2], keys)
        raise UsageError([f"{setting!r}: must have a key of a route before the =: {', '.join(keys)}{hint}"])
    if equals:
        values = {"points": points, **values}
    if len(values) < len(pairs) // 2 + bool(equals):
        raise UsageError([f"{setting!r}: gives a key twice"])
    if empty := [key for key, text in values.items() if not text]:
        raise UsageError([f"{setting!r}: {empty[0]} has no value; should be {FORMS}"])
    return name, values


def _tickets(document: Mapping[str, Any], variant: str) -> dict[int, Any]:
    """Return the tickets in the decks that are played with, by their place in the file."""
    regular, long = (_rule(document, variant, table, "deck") for table in ("tickets", "long_tickets"))
    played = {regular, long if _rule(document, variant, "long_tickets", "deal") else regular}
    return {i: entry for i, entry in enumerate(document["tickets"]) if played & set(entry["decks"])}


def _of_deck(
    document: dict[str, Any], variant: str, board: str, name: str, deck: str, entries: Mapping[int, Any]
) -> dict[int, Any]:
    """Return the tickets of the long or the regular deck; one that is in both becomes two."""
    regular, long = (_rule(document, variant, table, "deck") for table in ("tickets", "long_tickets"))
    long = long if _rule(document, variant, "long_tickets", "deal") else None
    wanted, other = (long, regular) if deck == "long" else (regular, long)
    pair = set(_pair(document, name) or ())
    found = {i: entry for i, entry in entries.items() if set(entry["between"]) == pair and wanted in entry["decks"]}
    if pair and not found:
        raise UsageError([f"no {deck} ticket {name!r} on {board}; write {name!r} alone"])
    for i, entry in found.items():
        if other in entry["decks"]:
            document["tickets"].insert(i + 1, {**entry, "decks": [of for of in entry["decks"] if of != wanted]})
            document["tickets"][i] = {**entry, "decks": [wanted]}
    return {i: document["tickets"][i] for i in found}


def _rule(document: Mapping[str, Any], variant: str, table: str, key: str) -> Any:
    """Return a value of a table of rules, that of the variant before that of the board; None if neither has it."""
    own = document["variants"][variant].get("rules", {}) if variant else {}
    tables = [found for rules in (own, document["rules"]) if isinstance(found := rules.get(table), dict)]
    return next((found[key] for found in tables if key in found), None)


def _change_entries(
    document: dict[str, Any], board: str, setting: str, what: str, name: str, values: Mapping[str, str],
    entries: Mapping[int, Any], *, drop: bool,
) -> None:  # fmt: skip
    """Change or drop the tickets or the connection between two cities."""
    pair = _pair(document, name)
    found = [i for i, entry in entries.items() if pair and set(entry["between"]) == set(pair)]
    before, _, key = name.rpartition(" ")
    if not found and values and _pair(document, before):
        hint = did_you_mean(key, KEYS[what])
        raise UsageError([f"{setting!r}: {key!r} is no key of a {what}; keys are {', '.join(KEYS[what])}{hint}"])
    if not found:
        known = ["–".join(entry["between"]) for entry in entries.values()]
        called = "ticket" if what == "ticket" else "connection"
        apart = [e for e in document["tickets"] if what == "ticket" and pair and set(e["between"]) == set(pair)]
        if apart:
            raise UsageError(
                [f"no ticket {name!r} on {board}: it is only in {', '.join(apart[0]['decks'])}, not played"]
            )
        hint = did_you_mean(name, known, f"for example {known[0]}" if known else "")
        raise UsageError([f"no {called} {name!r} on {board}{hint}"])
    if what == "ticket" and len(found) > 1:
        named = "–".join(entries[found[0]]["between"])
        raise UsageError([f"{setting!r}: there are two; name one, as '{named} (long)' or '{named} (regular)'"])
    if drop == bool(values):
        rule = "to drop it, name its cities and nothing else" if drop else f"should be {FORMS}"
        raise UsageError([f"{setting!r}: {rule}"])
    section = document["tickets" if what == "ticket" else "connections"]
    new = _parsed(document, setting, values)
    for i in reversed(found):
        if drop:
            del section[i]
        else:
            section[i].update(new)


def _add(
    document: dict[str, Any], variant: str, setting: str, what: str, name: str, values: Mapping[str, str],
    entries: Mapping[int, Any],
) -> None:  # fmt: skip
    """Add a ticket, to the deck of the regular ones unless another is named, or a connection."""
    pair, needed = _pair(document, name), "points" if what == "ticket" else "length"
    if not pair:
        known = [city["name"] for city in document["cities"]]
        unknown = [part for part in re.split(r"\s*[–-]\s*", name) if part and part not in known]
        hint = did_you_mean(unknown[0], known, "cities are written as in Boston–Miami") if unknown else ""
        raise UsageError([f"{setting!r}: {name!r} does not name two cities of the board{hint}"])
    if needed not in values or "between" in values:
        form = "'add ticket CITY–CITY = POINTS'" if what == "ticket" else "'add route CITY–CITY length = NUMBER'"
        more = ", ".join(key for key in KEYS[what] if key not in (needed, "between"))
        raise UsageError([f"{setting!r}: should be {form}, perhaps with more keys: {more}"])
    if what == "route" and any(set(entry["between"]) == set(pair) for entry in entries.values()):
        joined = "–".join(pair)
        raise UsageError([f"{setting!r}: {joined} is already there; 'route {joined} tracks = …' changes its routes"])
    new = _parsed(document, setting, values)
    if what == "ticket":
        deck = _rule(document, variant, "tickets", "deck")
        document["tickets"].append({"between": pair, "points": new["points"], "decks": new.get("decks", [deck])})
    else:
        document["connections"].append({"between": pair, "length": new.pop("length"), "tracks": [GRAY], **new})


def _parsed(document: Mapping[str, Any], setting: str, values: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of an entry's keys."""
    found: dict[str, Any] = {}
    for key, text in values.items():
        if key == "between":
            found[key] = _pair(document, text.strip("\"'"))
            if not found[key]:
                raise UsageError([f"{setting!r}: {text!r} does not name two cities of the board"])
            continue
        value = _value(setting, text)
        if key in LISTS and isinstance(value, str):
            value = [word.strip() for word in value.split(",")]
        if key in LISTS and not (isinstance(value, list) and all(isinstance(word, str) for word in value)):
            raise UsageError(
                [f"{setting!r}: {key} are names, as in {key} = {'red, blue' if key == 'tracks' else text}"]
            )
        found[key] = value
    return found


def _pair(document: Mapping[str, Any], name: str) -> list[str] | None:
    """Return two cities by "CITY–CITY", spelled as people type them; None if there are no such cities."""
    cities = {spelling(alias): city["name"] for city in document["cities"] for alias in city.get("aliases", ())}
    cities |= {spelling(city["name"]): city["name"] for city in document["cities"]}
    plain = spelling(name)
    splits = ((plain[:i].strip(), plain[i + 1 :].strip()) for i, letter in enumerate(plain) if letter == "-")
    return next(([cities[a], cities[b]] for a, b in splits if a in cities and b in cities), None)


def _change_value(document: dict[str, Any], variant: str, setting: str) -> None:
    """Change a rule of the variant, or a value of the board."""
    place, _, text = (part.strip() for part in setting.partition("="))
    keys = place.split(".")
    if not text:
        raise UsageError([f"{setting!r}: should be {FORMS}"])
    if not (keys[0] in TABLES and 1 < len(keys) <= MOST_PARTS) and place not in TEXTS:
        raise UsageError([f"{setting!r}: should be {FORMS}{did_you_mean(keys[0], (*TABLES, *TEXTS))}"])
    table = document["variants"][variant] if variant and keys[0] in ("rules", "title") else document
    if variant and keys[0] == "rules" and keys[1] in WHOLE and keys[1] in document["rules"]:
        table.setdefault("rules", {}).setdefault(keys[1], dict(document["rules"][keys[1]]))
    for key in keys[:-1]:
        table = table.setdefault(key, {})
        if not isinstance(table, dict):
            raise UsageError([f"{setting!r}: {key} is a value, not a table"])
    table[keys[-1]] = _value(setting, text)


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
    return "\n".join(line for key, value in document.items() for line in toml_lines(key, value))


def toml_lines(key: str, value: Any) -> Iterator[str]:
    """Yield the lines of one key of a document."""
    if isinstance(value, dict) and value:
        yield from (f"{toml_key(key)}.{toml_key(inner)} = {toml_value(value[inner])}" for inner in value)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        yield f"{toml_key(key)} = ["
        yield from (f"  {toml_value(entry)}," for entry in value)
        yield "]"
    else:
        yield f"{toml_key(key)} = {toml_value(value)}"


def toml_key(key: str) -> str:
    """Return a key as TOML, in quotes if it needs them."""
    return key if BARE_KEY.fullmatch(key) else toml_value(key)


def toml_value(value: Any) -> str:
    """Return a value as TOML on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{toml_key(key)} = {toml_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)

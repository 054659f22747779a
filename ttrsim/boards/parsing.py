"""Turn the text of a board file into its form, and list everything that is wrong with it.

Of a file with broken entries the sound part is saved, so that all its problems are found at once: a broken entry gets a
stand-in that breaks no rule, and checks that depend on unknown values are named, to be left out.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import ValidationError

from ttrsim.boards import problems
from ttrsim.boards.board import GRAY
from ttrsim.boards.codes import Problem
from ttrsim.boards.file import (
    MAX_CARDS,
    MAX_VARIANTS,
    PATTERN_WORDS,
    BoardFile,
    CityEntry,
    ColourEntry,
    ConnectionEntry,
    Entry,
    PictureEntry,
    RulesEntry,
    TicketEntry,
    TicketRulesEntry,
    VariantEntry,
    WildsEntry,
    keys_at,
)
from ttrsim.errors import did_you_mean
from ttrsim.files import Unreadable, parse_toml

MOST_BYTES = 1_000_000
MOST_VALUES = 10_000
"""The most bytes, and the most numbers, texts, lists and tables, that a board file may have; USA has 1,300 of these."""


@dataclass(frozen=True)
class Parsed:
    """A board file as far as it can be read."""

    form: BoardFile | None = None  # None if a whole section is missing
    rules: Mapping[str, tuple[str, RulesEntry]] = field(default_factory=dict)  # by variant: the title and the rules
    problems: tuple[Problem, ...] = ()


def parse(raw: bytes) -> Parsed:
    """Return what can be read of a board file, and everything that is wrong with it."""
    try:
        document = parse_toml(raw)
    except Unreadable as e:
        return Parsed(problems=(Problem("B002", (), str(e)),))
    if (values := _values_in(document)) > MOST_VALUES:
        rule = f"{values:,} values and tables: there is room for {MOST_VALUES:,}"
        return Parsed(problems=(Problem("B001", (), rule),))
    form, found, skip = _form(document)
    rules, more = _rule_sets(form, skip) if form else ({}, [])
    found += [problem for problem in more if not (found and STAND_IN in problem.text)]
    return Parsed(form, rules, tuple(dict.fromkeys(found)))


def _values_in(document: dict[str, Any]) -> int:
    """Count the values, lists and tables."""
    found, left = 0, [document]
    while left:
        value: Any = left.pop()
        found += 1
        if isinstance(value, dict | list):
            left += value.values() if isinstance(value, dict) else value
    return found


def _form(document: dict[str, Any]) -> tuple[BoardFile | None, list[Problem], set[str]]:
    """Return the sound part of a file, the problems of its form, and the checks that these make pointless."""
    try:
        return BoardFile.model_validate(document), [], set()
    except ValidationError as e:
        found = [_problem(error, document) for error in e.errors()]
        form, skip = salvage(document) or (None, set())
        return form, found, skip


def _rule_sets(form: BoardFile, skip: set[str]) -> tuple[dict[str, tuple[str, RulesEntry]], list[Problem]]:
    """Return the title and rules of the board ("") and its variants, and the problems that involve several entries."""
    found = problems.find(form, skip)
    if "rules" in skip:
        return {}, found
    sets = {"": (form.title, form.rules)}
    found += problems.find_in_rules(form, form.rules, skip)
    of_all = set(found)
    for name, variant in form.variants.items():
        try:
            rules = RulesEntry.model_validate(overridden(form.rules.model_dump(exclude_none=True), variant.rules))
        except ValidationError as e:
            wrong = [_problem(error, {}, RulesEntry) for error in e.errors()]
            found += [_of_variant(name, Problem(p.code, ("rules", *p.where), f"rules.{p.text}")) for p in wrong]
            continue
        more = problems.find_in_rules(form, rules, skip)
        found += [_of_variant(name, problem) for problem in more if problem not in of_all]
        sets[name] = (variant.title, rules)
    return sets, found


def _of_variant(name: str, problem: Problem) -> Problem:
    """Return a problem of a variant's rules."""
    where = ("variants", name, *problem.where) if problem.where[0] == "rules" else problem.where
    return Problem(problem.code, where, f"variants.{name}: {problem.text}")


def overridden(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the base updated with the changes, table by table; `route_points` and `souvenirs` are replaced whole."""
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        whole = key in {"route_points", "souvenirs"}
        merged[key] = old | value if isinstance(old, dict) and isinstance(value, dict) and not whole else value
    return merged


def _problem(error: Any, document: Any, entry: type[Entry] = BoardFile) -> Problem:
    """Return a pydantic error as a problem. entry: the kind of table that was read."""
    name, place = "", []
    wrong_key = error["loc"][-2:] == (error["input"], "[key]")
    for key in error["loc"][:-2] if wrong_key else error["loc"]:
        if str(key).startswith("["):  # which of several types was tried
            continue
        place.append(key)
        name += f" {key + 1}" if isinstance(key, int) else f".{key}" if name else str(key)
        try:
            document = document[key]
        except (LookupError, TypeError):
            document = None
        name += _called(document) if isinstance(key, int) else ""
    kind = error["type"]
    if kind == "missing":
        rule = "is missing; maps/README.md says what belongs there"
        return Problem("B101", tuple(place[:-1]), f"{name}: {rule}")
    if kind == "extra_forbidden":
        *above, key = error["loc"]
        hint = did_you_mean(str(key), keys_at(tuple(above), entry), "maps/README.md lists the keys of this table")
        return Problem("B102", tuple(place), f"{name}: unknown key{hint}")
    return Problem("B103", tuple(place), f"{name}: {_shown(error['input'])}: {_rule(error)}")


def _rule(error: Any) -> str:
    """Describe what a value should be."""
    if error["type"] == "string_pattern_mismatch":
        return PATTERN_WORDS[error["ctx"]["pattern"]]
    rule: str = error["msg"].replace("valid dictionary", "table").replace(" after validation, not", ", not")
    return re.sub("^(Input|String|List|Dictionary) ", "", rule)


def _called(entry: Any) -> str:
    """Return the name of an entry of a list, if it has one, as `" (Boston–Miami)"`."""
    name = entry.get("name", entry.get("between")) if isinstance(entry, dict) else None
    if isinstance(name, list) and all(isinstance(city, str) for city in name):
        name = "–".join(name)
    return f" ({name})" if isinstance(name, str) else ""


def _shown(value: Any) -> str:
    """Return a value as text short enough for a sentence."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of too many digits, tables in tables
        return "(too long to show)"
    return text if len(text) < 60 else text[:57] + "…"


P = TypeVar("P", bound=Entry)

STAND_IN = "\ue000"
"""The first character of stand-in names, one for private use. Problems that mention it are not the file's."""


def salvage(document: Mapping[str, Any]) -> tuple[BoardFile, set[str]] | None:
    """Return the sound part of a document and the checks to leave out; None if a whole section is missing."""
    sections = {"cities": list, "connections": list, "tickets": list, "colours": dict}
    if not all(isinstance(document.get(key), kind) for key, kind in sections.items()):
        return None
    skip: set[str] = set()
    form = BoardFile.model_construct(
        format=1,
        name=STAND_IN,
        title=STAND_IN,
        picture=_mended(PictureEntry, document.get("picture"), {"width": 100_000.0, "height": 100_000.0})[0],
        colours={name: _card_entry(ColourEntry, raw, 1, skip) for name, raw in document["colours"].items()},
        wilds=_card_entry(WildsEntry, document.get("wilds"), MAX_CARDS, skip),
        rules=_rules(document.get("rules"), skip),
        cities=[_city(i, raw) for i, raw in enumerate(document["cities"])],
        connections=[_connection(i, raw, skip) for i, raw in enumerate(document["connections"])],
        tickets=[_ticket(i, raw, skip) for i, raw in enumerate(document["tickets"])],
        variants=_variants(document.get("variants")),
    )
    return form, skip


def _mended(entry: type[P], raw: Any, neutral: Mapping[str, Any]) -> tuple[P, set[str]]:
    """Return the entry with broken values replaced by neutral ones, and the keys of those."""
    values = raw if isinstance(raw, dict) else {}
    try:
        return entry.model_validate(values), set()
    except ValidationError as e:
        broken = {str(error["loc"][0]) for error in e.errors()}
    kept = {key: value for key, value in values.items() if key not in broken}
    return entry.model_validate(kept | {key: neutral[key] for key in broken & set(neutral)}), broken


def _card_entry(entry: type[P], raw: Any, cards: int, skip: set[str]) -> P:
    mended, broken = _mended(entry, raw, {"cards": cards})
    if "cards" in broken:
        skip |= {"colours", "cards"}
    if broken:  # the letter may be what is broken
        skip.add("letters")
    return mended


def _city(i: int, raw: Any) -> CityEntry:
    # Positions differ by a hair, because two cities at one place would be a problem.
    return _mended(CityEntry, raw, {"name": f"{STAND_IN}{i}", "x": (i + 1) * 1e-6, "y": 0.0})[0]


def _connection(i: int, raw: Any, skip: set[str]) -> ConnectionEntry:
    neutral = {"between": [f"{STAND_IN}{i}", f"{STAND_IN}{i} too"], "length": 1, "tracks": [GRAY]}
    mended, broken = _mended(ConnectionEntry, raw, neutral)
    if broken & {"between", "length"}:
        skip.add("graph")
        return mended.model_copy(update={"between": neutral["between"]})
    return mended


def _ticket(i: int, raw: Any, skip: set[str]) -> TicketEntry:
    neutral = {"between": [f"{STAND_IN}{i}", f"{STAND_IN}{i} too"], "points": 1, "decks": [f"{STAND_IN}{i}"]}
    mended, broken = _mended(TicketEntry, raw, neutral)
    if "decks" in broken:
        skip.add("decks")
    return mended


def _rules(raw: Any, skip: set[str]) -> RulesEntry:
    try:
        return RulesEntry.model_validate(raw)
    except ValidationError:
        skip.add("rules")
        tickets = TicketRulesEntry(deck=STAND_IN, deal=1, keep=1, draw=1)
        return RulesEntry(players=[2, 2], trains=1, tickets=tickets, route_points={"1": 1})


def _variants(raw: Any) -> dict[str, VariantEntry]:
    if not isinstance(raw, dict):
        return {}
    few = list(raw.items())[:MAX_VARIANTS]
    return {name: _mended(VariantEntry, entry, {"title": name, "rules": {}})[0] for name, entry in few}

"""Save the sound part of a board file with broken entries, so that all its problems can be found at once.

A broken entry gets a stand-in that breaks no rule, and checks that depend on unknown values are named, to be left out.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from ttrsim.boards.board import GRAY
from ttrsim.boards.file import (
    MAX_CARDS,
    MAX_VARIANTS,
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
)

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

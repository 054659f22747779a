"""Keep the sound part of a file with broken entries, so that all its problems can be listed at once.

A broken entry gets a stand-in that breaks no rule, and the checks whose answer hangs on what is unknown are left out.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from ttrsim.boards.board import GRAY
from ttrsim.boards.file import (
    MAX_CARDS,
    MAX_VARIANTS,
    BoardFile,
    CityPart,
    ColourPart,
    ConnectionPart,
    Part,
    Picture,
    RulesPart,
    TicketPart,
    TicketRulesPart,
    VariantPart,
    WildsPart,
)

P = TypeVar("P", bound=Part)

STAND_IN = "\ue000"
"""Begins every stand-in name: a character for private use. Problems that mention it are no problems of the file."""


def salvage(document: Mapping[str, Any]) -> tuple[BoardFile, set[str]] | None:
    """The sound rest of the document and the checks to leave out; None where a whole section is missing or no table."""
    sections = {"cities": list, "connections": list, "tickets": list, "colours": dict}
    if not all(isinstance(document.get(key), kind) for key, kind in sections.items()):
        return None
    skip: set[str] = set()
    form = BoardFile.model_construct(
        format=1,
        name=STAND_IN,
        title=STAND_IN,
        picture=_mended(Picture, document.get("picture"), {"width": 100_000.0, "height": 100_000.0})[0],
        colours={name: _card_part(ColourPart, raw, 1, skip) for name, raw in document["colours"].items()},
        wilds=_card_part(WildsPart, document.get("wilds"), MAX_CARDS, skip),
        rules=_rules(document.get("rules"), skip),
        cities=[_city(i, raw) for i, raw in enumerate(document["cities"])],
        connections=[_connection(i, raw, skip) for i, raw in enumerate(document["connections"])],
        tickets=[_ticket(i, raw, skip) for i, raw in enumerate(document["tickets"])],
        variants=_variants(document.get("variants")),
    )
    return form, skip


def _mended(part: type[P], raw: Any, neutral: Mapping[str, Any]) -> tuple[P, set[str]]:
    """Return the part with its broken values replaced by neutral ones, and which keys those were."""
    values = raw if isinstance(raw, dict) else {}
    try:
        return part.model_validate(values), set()
    except ValidationError as e:
        broken = {str(error["loc"][0]) for error in e.errors()}
    kept = {key: value for key, value in values.items() if key not in broken}
    return part.model_validate(kept | {key: neutral[key] for key in broken & set(neutral)}), broken


def _card_part(part: type[P], raw: Any, cards: int, skip: set[str]) -> P:
    mended, broken = _mended(part, raw, {"cards": cards})
    if "cards" in broken:
        skip |= {"colours", "cards"}
    if broken:  # the letter may be what is broken
        skip.add("letters")
    return mended


def _city(i: int, raw: Any) -> CityPart:
    # Positions are told apart by a hair, for two at one place are a problem.
    return _mended(CityPart, raw, {"name": f"{STAND_IN}{i}", "x": (i + 1) * 1e-6, "y": 0.0})[0]


def _connection(i: int, raw: Any, skip: set[str]) -> ConnectionPart:
    neutral = {"between": [f"{STAND_IN}{i}", f"{STAND_IN}{i} too"], "length": 1, "tracks": [GRAY]}
    mended, broken = _mended(ConnectionPart, raw, neutral)
    if broken & {"between", "length"}:
        skip.add("graph")
        return mended.model_copy(update={"between": neutral["between"]})
    return mended


def _ticket(i: int, raw: Any, skip: set[str]) -> TicketPart:
    neutral = {"between": [f"{STAND_IN}{i}", f"{STAND_IN}{i} too"], "points": 1, "decks": [f"{STAND_IN}{i}"]}
    mended, broken = _mended(TicketPart, raw, neutral)
    if "decks" in broken:
        skip.add("decks")
    return mended


def _rules(raw: Any, skip: set[str]) -> RulesPart:
    try:
        return RulesPart.model_validate(raw)
    except ValidationError:
        skip.add("rules")
        tickets = TicketRulesPart(deck=STAND_IN, deal=1, keep=1, draw=1)
        return RulesPart(players=[2, 2], trains=1, tickets=tickets, route_points={"1": 1})


def _variants(raw: Any) -> dict[str, VariantPart]:
    if not isinstance(raw, dict):
        return {}
    few = list(raw.items())[:MAX_VARIANTS]
    return {name: _mended(VariantPart, part, {"title": name, "rules": {}})[0] for name, part in few}

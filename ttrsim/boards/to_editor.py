"""Boards as files of the map editor (github.com/bjornhagstrom/ticket-to-ride-map-editor, docs/FILE-FORMAT.md).

Whoever reads such a file keeps the fields that it does not know. So all of the board stands in one of its own, and a
file that comes back from the editor can be read without a loss.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ttrsim.boards.board import GRAY

FORMAT, KEPT = "ticket-to-ride-map", "ttrsim"
"""The mark of the editor's files, and the field in them that has the whole board."""
LYING, STANDING = 3, 4
"""The versions of files whose board is wider than high, and higher than wide."""
FRAMES = {"board-2x3": (1100, 731), "board-2x4": (1100, 549)}
"""The box of positions of each shape of board, if it lies."""
NEUTRAL = "neutral"
COLOURS = ("red", "blue", "green", "yellow", "black", "white", "orange", "purple")
ANGLES = {"E": 0, "SE": 45, "S": 90, "SW": 135, "W": 180, "NW": 225, "N": 270, "NE": 315}
"""The side of a city on which its name stands, in degrees: 0 is to the right, 90 below."""
TYPES = {"city": ("Railway", "plain"), "tunnel": ("Tunnel", "serrated"), "boat": ("Boat", "oval")}
"""Kinds of routes that a new map of the editor has: what they are called, and how their spaces look."""

Document = Mapping[str, Any]


def to_editor(document: Document) -> tuple[dict[str, Any], list[str]]:
    """Return a board as a map file of the editor, and what the editor does not know of it, in words."""
    shape, frame = _shape(document["picture"])
    standing = frame[1] > frame[0]
    payload = {
        "name": document["name"],
        "format": shape,
        **({"orientation": "portrait"} if standing else {}),
        **_setup(document["rules"]),
        "stops": [stop for _, stop in stops_of(document)],
        "routes": [route for _, route in routes_of(document)],
        "tickets": [ticket for _, ticket in tickets_of(document)],
        "ticketSets": [{"id": name, "label": name} for name in sets_of(document).values()],
        "stopTypeStyles": [{"id": "city", "label": "Regular", "fill": "#ffffff", "stroke": "#444444"}],
        "routeTypeStyles": [_type_style(*kind) for kind in TYPES.items()],
        **{name: [] for name in ("background", "notes", "lineStyles", "wagonStyles")},
        KEPT: document,
    }
    payload["ticketSets"] = [dict(found) for found in dict.fromkeys(tuple(s.items()) for s in payload["ticketSets"])]
    file = {
        "format": FORMAT,
        "version": STANDING if standing else LYING,
        "kind": "map",
        "app": {"name": "ttrsim", "version": "1"},
        "board": dict(zip(("width", "height"), frame, strict=True)),
        "payload": payload,
    }
    return file, list(_unknown(document))


def _shape(picture: Mapping[str, float]) -> tuple[str, tuple[int, int]]:
    """Return the editor's shape of board that is most like a picture, and its box."""
    long, short = sorted((picture["width"], picture["height"]), reverse=True)
    shape = min(FRAMES, key=lambda name: abs(math.log(long / short * FRAMES[name][1] / FRAMES[name][0])))
    frame = FRAMES[shape]
    return shape, frame if picture["width"] >= picture["height"] else (frame[1], frame[0])


def placing(document: Document) -> tuple[float, float, float]:
    """Return the scale of positions in the editor's box, and how far they are moved to the right and down."""
    picture, (wide, high) = document["picture"], _shape(document["picture"])[1]
    scale = min(wide / picture["width"], high / picture["height"])
    return scale, (wide - picture["width"] * scale) / 2, (high - picture["height"] * scale) / 2


def _setup(rules: Mapping[str, Any]) -> dict[str, Any]:
    (fewest, most), opens = rules["players"], rules.get("parallel_open_from", 4)
    lanes: dict[str, Any] = {"2+": 1} if opens > 2 else {"2+": "all"}
    if 2 < opens <= most:
        lanes[f"{opens}+"] = "all"
    return {
        "players": {"min": fewest, "max": most},
        "wagonsPerPlayer": rules["trains"],
        "startingTickets": rules["tickets"]["deal"],
        "keptTickets": rules["tickets"]["keep"],
        "lanesUsableByPlayers": lanes,
    }


def _type_style(kind: str, looks: tuple[str, str]) -> dict[str, Any]:
    label, shape = looks
    line = {"stroke": "#444444", "dash": "", "strokeWidth": 3}
    return {"id": kind, "label": label, **line, "infrastructure": False, "shape": shape}


def stops_of(document: Document) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the position of each city in the document, and the city as a stop."""
    scale, right, down = placing(document)
    for i, city in enumerate(document["cities"]):
        x, y = round(right + city["x"] * scale, 2), round(down + city["y"] * scale, 2)
        angle = {"labelAngle": ANGLES[city["label"]]} if city.get("label") else {}
        yield i, {"id": f"city-{i}", "name": city["name"], "type": "city", "x": x, "y": y, **angle}


def routes_of(document: Document) -> Iterator[tuple[tuple[int, int], dict[str, Any]]]:
    """Yield the position of each track in the document, and the track as a route."""
    stops = {stop["name"]: stop for _, stop in stops_of(document)}
    colours = colours_of(document)
    for i, c in enumerate(document["connections"]):
        a, b = (stops[name] for name in c["between"])
        kind = "tunnel" if c.get("tunnel") else "boat" if c.get("ferry") else "city"
        more: dict[str, Any] = {"locomotiveSlots": list(range(c["ferry"]))} if c.get("ferry") else {}
        if bend := c.get("bend"):
            middle = (a["x"] + b["x"]) / 2 + bend * (b["y"] - a["y"]), (a["y"] + b["y"]) / 2 - bend * (b["x"] - a["x"])
            more["points"] = [{"x": round(middle[0], 2), "y": round(middle[1], 2)}]
        for k, track in enumerate(c["tracks"]):
            ends = {"id": f"route-{i}-{k}", "a": a["id"], "b": b["id"]}
            yield (i, k), {**ends, "length": c["length"], "type": kind, "color": colours[track], **more}


def colours_of(document: Document) -> dict[str, str]:
    """Return the editor's colour for each of a board's; those that it lacks get one that the board does not use."""
    names = list(document["colours"])
    free = [colour for colour in reversed(COLOURS) if colour not in names]
    others = [name for name in names if name not in COLOURS]
    lent = dict(zip(others, free, strict=False))
    return {GRAY: NEUTRAL, **{name: name if name in COLOURS else lent.get(name, NEUTRAL) for name in names}}


def tickets_of(document: Document) -> Iterator[tuple[tuple[int, str], dict[str, Any]]]:
    """Yield the position of each ticket with one of its decks, and this as a ticket of the editor."""
    ids, sets, long = (
        {c["name"]: f"city-{i}" for i, c in enumerate(document["cities"])},
        sets_of(document),
        long_decks(document),
    )
    for i, ticket in enumerate(document["tickets"]):
        a, b = (ids[name] for name in ticket["between"])
        for k, deck in enumerate(ticket["decks"]):
            far = {"long": True} if deck in long else {}
            yield (
                (i, deck),
                {"id": f"ticket-{i}-{k}", "a": a, "b": b, "points": ticket["points"], "set": sets[deck], **far},
            )


def long_decks(document: Document) -> dict[str, str]:
    """Return the decks of long tickets, each with the regular deck that it is first played with."""
    found: dict[str, str] = {}
    for rules in (document["rules"], *(v.get("rules", {}) for v in document.get("variants", {}).values())):
        regular = rules.get("tickets", {}).get("deck", document["rules"]["tickets"]["deck"])
        long = rules.get("long_tickets", {})
        if long.get("deck") and long.get("deal", 1):
            found.setdefault(long["deck"], regular)
    return found


def sets_of(document: Document) -> dict[str, str]:
    """Return the editor's deck for each deck; long tickets are in that of the regular ones they are played with."""
    long, first = long_decks(document), document["rules"]["tickets"]["deck"]
    decks = dict.fromkeys([first, *(deck for ticket in document["tickets"] for deck in ticket["decks"])])
    return {deck: long.get(deck, deck) for deck in decks}


def _unknown(document: Document) -> Iterator[str]:
    """Yield what the editor does not know of a board."""
    for name, colour in colours_of(document).items():
        if name not in (colour, GRAY):
            yield f"colour {name}: shown as {'grey' if colour == NEUTRAL else colour}"
    yield "cards: how many there are of each colour, and the wild ones"
    shown = ("players", "trains", "parallel_open_from")
    if rules := [key for key in document["rules"] if key not in shown]:
        yield f"rules, but for the tickets dealt and kept at the start: {', '.join(rules)}"
    if variants := document.get("variants"):
        yield f"variants: {', '.join(variants)}"
    if any(len(ticket["decks"]) > 1 for ticket in document["tickets"]):
        yield "tickets in several decks: they are there once for each"
    if any(city.get("aliases") for city in document["cities"]):
        yield "other spellings of cities"

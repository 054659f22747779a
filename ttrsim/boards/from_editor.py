"""Read the files of the map editor, of all their versions, and what ttrsim kept in them."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ttrsim.boards.board import GRAY
from ttrsim.boards.changes import as_toml
from ttrsim.boards.documents import Imported, usual_document, with_decks
from ttrsim.boards.merging import Things, connections_of, ends_of, merge_changes
from ttrsim.boards.parsing import parse
from ttrsim.boards.to_editor import (
    ANGLES,
    FORMAT,
    FRAMES,
    KEPT,
    NEUTRAL,
    STANDING,
    to_editor,
)
from ttrsim.errors import UserError
from ttrsim.files import Unreadable, decoded, read_file
from ttrsim.formatting import counted

MOST_BYTES = 40_000_000
MOST_THINGS = 2_000
"""The most bytes of a file, which may have a picture in it, and the most stops, routes and tickets."""
PAPER = {
    "a4": 778, "a3": 778, "us-letter": 850, "board-2x3-large": 733,
    "a4-3x2": 519, "a4-4x2": 389, "letter-3x2": 567, "letter-4x2": 425,
}  # fmt: skip
"""The heights of boards that old files name, which all are 1,100 wide."""
KNOWN = {
    "name", "format", "orientation", "kind", "stops", "routes", "tickets", "ticketSets", "players", "wagonsPerPlayer",
    "startingTickets", "keptTickets", "lanesUsableByPlayers", KEPT,
}  # fmt: skip
DRAWING = {"stopTypeStyles", "routeTypeStyles", "wagonStyles", "lineStyles", "endGapMm", "mapVersion"}
"""Styles, which are used only to tell tunnels and what nobody claims, and what goes with every map."""
OF_STOPS = {"size", "symbol", "letter", "hub"}
OF_ROUTES = {"contested", "lineStyle"}


class Reader:
    """The content of a file, with errors that say where in it something is wrong."""

    def __init__(self, path: str, payload: Mapping[str, Any], frame: tuple[float, float]) -> None:
        self.path = path
        self.payload = payload
        self.frame = frame

    def wrong(self, where: str, value: object, rule: str) -> UserError:
        """Return the error about a value."""
        return UserError([f"{self.path}: {where}: {json.dumps(value)[:60]}: {rule}"])

    def things(self, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the entries of a list, each with where it is."""
        found = self.payload.get(name, [])
        if not isinstance(found, list) or len(found) > MOST_THINGS:
            raise self.wrong(name, found, f"should be a list of at most {MOST_THINGS:,}")
        for i, thing in enumerate(found, 1):
            if not isinstance(thing, dict):
                raise self.wrong(f"{name} {i}", thing, "should be an object in braces")
            yield f"{name} {i}", thing

    def text(self, where: str, thing: Mapping[str, Any], key: str, default: str | None = None) -> str:
        """Return a text. default: what it is if it is missing; None if it must be there."""
        value = thing.get(key, default)
        if not isinstance(value, str) or any("\ud800" <= letter <= "\udfff" for letter in value):
            raise self.wrong(f"{where}.{key}", value, "should be text")
        return " ".join(value.split())

    def number(self, where: str, thing: Mapping[str, Any], key: str, default: float | None = None) -> float:
        """Return a number."""
        value = thing.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e9:  # nor nan
            raise self.wrong(f"{where}.{key}", value, "should be a number")
        return value

    def whole(self, where: str, thing: Mapping[str, Any], key: str, default: int | None = None) -> int:
        """Return a whole number."""
        value = self.number(where, thing, key, default)
        if value != int(value):
            raise self.wrong(f"{where}.{key}", value, "should be a whole number")
        return int(value)


def read_editor(path: Path) -> Imported:
    """Return the board in a map or network file of the editor. Raises UserError."""
    reader = _opened(path)
    new = _board(reader)
    kept = _kept(reader.payload.get(KEPT))
    notes = list(_left_out(reader))
    if kept:
        file, _ = to_editor(kept)
        frame = file["board"]["width"], file["board"]["height"]
        old = _board(Reader(str(path), json.loads(json.dumps(file["payload"])), frame))
        document = merge_changes(kept, old, new) | {
            "name": reader.text("map", reader.payload, "name", kept["name"])[:60]
        }
    else:
        document, more = _fresh(reader, new)
        notes += more
        if KEPT in reader.payload:
            notes.append(f"{KEPT}: what was kept there cannot be read, so rules and cards are the usual ones")
    return Imported(document, notes)


def _opened(path: Path) -> Reader:
    try:
        value = json.loads(decoded(read_file(path, MOST_BYTES)))
    except (Unreadable, ValueError, RecursionError) as e:
        reason = str(e) if isinstance(e, Unreadable) else f"is not JSON: {str(e)[:100]}"
        raise UserError([f"{path}: {reason}"]) from None
    if not isinstance(value, dict):
        raise UserError([f"{path}: is no file of the map editor, which is an object in braces"])
    payload: Any = value  # in version 1 the content is the file
    kind = value.get("kind", "map")
    if value.get("format") == FORMAT:
        version, payload = value.get("version"), value.get("payload")
        if not isinstance(version, int) or isinstance(version, bool) or not isinstance(payload, dict):
            raise UserError([f"{path}: should have a version, a whole number, and a payload in braces"])
        if not 1 <= version <= STANDING:
            raise UserError([f"{path}: has file version {version}; versions 1 to {STANDING} can be read"])
    if kind in ("background", "tickets") or not payload.get("stops"):
        what = f"a file of kind {kind!r}" if isinstance(kind, str) else "a file"
        raise UserError([f"{path}: {what} without stops; export the whole map from the editor"])
    return Reader(str(path), payload, _frame(str(path), value, payload))


def _frame(path: str, value: Mapping[str, Any], payload: Mapping[str, Any]) -> tuple[float, float]:
    """Return the box that positions refer to."""
    if isinstance(value.get("board"), dict):
        board: dict[str, Any] = value["board"]
        reader = Reader(path, payload, (0, 0))
        wide, high = (reader.number("board", board, key) for key in ("width", "height"))
        if wide > 0 < high:
            return wide, high
    shape = payload.get("format")
    wide, high = FRAMES.get(shape, (1100, PAPER.get(shape, 731))) if isinstance(shape, str) else (1100, 731)
    return (high, wide) if payload.get("orientation") == "portrait" else (wide, high)


def _board(reader: Reader) -> dict[str, Things]:
    """Return the cities, tracks and tickets of a file by their ids, and its rules."""
    stops: Things = {}
    for where, stop in reader.things("stops"):
        city: dict[str, Any] = {key: reader.number(where, stop, key) for key in ("x", "y")}
        city = {"name": reader.text(where, stop, "name", "") or f"Stop {len(stops) + 1}", **city}
        if "labelAngle" in stop:
            angle = reader.number(where, stop, "labelAngle") % 360
            city["label"] = min(
                ANGLES, key=lambda side: min(abs(ANGLES[side] - angle), 360 - abs(ANGLES[side] - angle))
            )
        if (key := reader.text(where, stop, "id")) in stops:
            raise reader.wrong(f"{where}.id", key, "is the id of another stop, too")
        stops[key] = city
    return {
        "stops": stops,
        "routes": _tracks(reader, stops),
        "tickets": _tickets(reader, stops),
        "setup": _setup(reader),
    }


def _tracks(reader: Reader, stops: Things) -> Things:
    tunnels, prebuilt = _kinds(reader)
    found: Things = {}
    for where, route in reader.things("routes"):
        a, b = (reader.text(where, route, key) for key in ("a", "b"))
        kind = reader.text(where, route, "type", "")
        if kind in prebuilt or not {a, b} <= stops.keys():
            continue
        colour = reader.text(where, route, "color", NEUTRAL).casefold()
        track: dict[str, Any] = {
            "a": a,
            "b": b,
            "length": reader.whole(where, route, "length"),
            "track": GRAY if colour in (NEUTRAL, "") else colour,
            "tunnel": route.get("tunnel") is True
            or kind in tunnels
            or reader.text(where, route, "wagonStyle", "") in tunnels,
            "ferry": len(slots) if isinstance(slots := route.get("locomotiveSlots"), list) else 0,
            "bend": _bend(reader, where, route, stops[a], stops[b]),
        }
        found[_free(reader.text(where, route, "id", where), found)] = track
    return found


def _free(key: str, taken: Things) -> str:
    """Return an id that nothing has yet."""
    return key if key not in taken else f"{key}, {len(taken)}"


def _kinds(reader: Reader) -> tuple[set[str], set[str]]:
    """Return the styles that mark tunnels, and the types of routes that nobody claims."""
    tunnels, prebuilt = {"tunnel"}, set()
    for name in ("routeTypeStyles", "wagonStyles"):
        for where, style in reader.things(name):
            key, label = reader.text(where, style, "id", ""), reader.text(where, style, "label", "")
            if style.get("shape") == "serrated" or "tunnel" in label.casefold():
                tunnels.add(key)
            elif key == "tunnel":
                tunnels.discard(key)
            if style.get("infrastructure") is True:
                prebuilt.add(key)
    return tunnels, prebuilt


def _bend(reader: Reader, where: str, route: Mapping[str, Any], a: Mapping[str, Any], b: Mapping[str, Any]) -> float:
    """Return how far a line bows out where it is farthest from straight, as a fraction of its length."""
    points = route.get("points") or []
    if not isinstance(points, list) or not all(isinstance(point, dict) for point in points):
        raise reader.wrong(f"{where}.points", points, "should be a list of points")
    dx, dy = b["x"] - a["x"], b["y"] - a["y"]
    square = dx * dx + dy * dy
    bows = [0.0]
    for point in points[:100]:
        x, y = (reader.number(f"{where}.points", point, key) for key in ("x", "y"))
        bows.append(((x - a["x"]) * dy - (y - a["y"]) * dx) / square if square else 0.0)
    return round(max(-1.0, min(1.0, max(bows, key=abs))), 3)


def _tickets(reader: Reader, stops: Things) -> Things:
    sets = [
        (reader.text(where, s, "id"), reader.text(where, s, "label", "")) for where, s in reader.things("ticketSets")
    ]
    labels = {key: (label or key)[:50] for key, label in sets}
    first = next(iter(labels.values()), "Main deck")
    found: Things = {}
    for where, ticket in reader.things("tickets"):
        a, b = (reader.text(where, ticket, key) for key in ("a", "b"))
        if {a, b} <= stops.keys():
            deck = labels.get(reader.text(where, ticket, "set", ""), first)
            points = reader.whole(where, ticket, "points")
            entry = {"a": a, "b": b, "points": points, "deck": deck, "long": ticket.get("long") is True}
            found[_free(reader.text(where, ticket, "id", where), found)] = entry
    return found


def _setup(reader: Reader) -> dict[str, Any]:
    """Return the editor's rules under the keys of a board file."""
    payload = reader.payload
    found = payload.get("players")
    players: dict[str, Any] = found if isinstance(found, dict) else {}
    fewest, most = reader.whole("players", players, "min", 2), reader.whole("players", players, "max", 5)
    return {
        "players": [max(2, min(6, fewest)), max(2, min(6, most))],
        "trains": reader.whole("map", payload, "wagonsPerPlayer", 45),
        "deal": reader.whole("map", payload, "startingTickets", 3),
        "keep": reader.whole("map", payload, "keptTickets", 2),
        "parallel_open_from": _lanes_open_from(payload.get("lanesUsableByPlayers")),
    }


def _lanes_open_from(lanes: object) -> int:
    """Return the number of players from which all lanes may be used; 7 if never."""
    if not isinstance(lanes, dict) or not lanes:
        return 4
    opens = 7
    for players in range(6, 1, -1):
        since = [
            (int(key[:-1]), lanes[key])
            for key in lanes
            if key.endswith("+") and key[:-1].isdecimal() and len(key) <= 3 and int(key[:-1]) <= players
        ]
        usable = lanes.get(
            str(players), max(since, key=lambda rule: rule[0])[1] if since else "all" if players >= 4 else 1
        )
        if usable != "all" and not (isinstance(usable, int) and usable > 1):
            break
        opens = players
    return opens


def _fresh(reader: Reader, new: Mapping[str, Things]) -> tuple[dict[str, Any], list[str]]:
    """Return a board known from this file alone, and what had to be assumed, in words."""
    connections = connections_of(new["routes"], new["stops"])
    tickets: list[dict[str, Any]] = []
    long: dict[str, str] = {}
    for ticket in new["tickets"].values():
        deck = ticket["deck"]
        if ticket["long"]:
            deck = long.setdefault(ticket["deck"], f"{ticket['deck']} long")
        tickets.append({"between": ends_of(ticket, new["stops"]), "points": ticket["points"], "decks": [deck]})
    regular = list(dict.fromkeys(t["deck"] for t in new["tickets"].values() if not t["long"])) or ["Main deck"]
    name = reader.text("map", reader.payload, "name", "")[:50] or "My board"
    document = usual_document(name, connections, sum(regular[0] in t["decks"] for t in tickets))
    setup = new["setup"]
    document["picture"] = dict(zip(("width", "height"), reader.frame, strict=True))
    document["rules"] |= {key: setup[key] for key in ("players", "trains", "parallel_open_from")}
    document["rules"]["tickets"] |= {"deal": setup["deal"], "keep": setup["keep"]}
    document |= {"cities": list(new["stops"].values()), "connections": connections, "tickets": tickets}
    each, wild = next(iter(document["colours"].values()))["cards"], document["wilds"]["cards"]
    notes = [f"cards: {each} of each colour and {wild} wild ones, as the map does not say"]
    return document, notes + with_decks(document, regular, long)


def _kept(value: object) -> dict[str, Any] | None:
    """Return the board that ttrsim kept in the file, if it is a good one."""
    try:
        text = as_toml(value) if isinstance(value, dict) else ""
        return None if not text or parse(text.encode()).problems else json.loads(json.dumps(value))
    except (AttributeError, RecursionError, TypeError, ValueError):
        return None


def _left_out(reader: Reader) -> Iterator[str]:
    """Yield, in words, what a file holds that ttrsim leaves out."""
    _, prebuilt = _kinds(reader)
    routes, stops = ([thing for _, thing in reader.things(name)] for name in ("routes", "stops"))
    ids = {stop.get("id") if isinstance(stop.get("id"), str) else "" for stop in stops}
    built = sum(route.get("type") in prebuilt for route in routes if isinstance(route.get("type"), str))
    lost = sum(not {str(route.get("a")), str(route.get("b"))} <= ids for route in routes)
    junctions = {str(style.get("id")) for _, style in reader.things("stopTypeStyles") if style.get("junction") is True}
    joined = sum(str(stop.get("type")) in junctions for stop in stops)
    lines = sum(isinstance(points := route.get("points"), list) and len(points) > 1 for route in routes)
    adjusted = sum("adjust" in ticket for _, ticket in reader.things("tickets"))
    drawn = {
        key
        for things, keys in ((stops, OF_STOPS), (routes, OF_ROUTES))
        for thing in things
        for key in keys & thing.keys()
    }
    others = sorted(str(key) for key, value in reader.payload.items() if value and key not in KNOWN | DRAWING)
    yield from (
        words
        for count, words in (
            (built, f"{counted(built, 'route')} of a type that nobody claims: left out"),
            (lost, f"{counted(lost, 'route')} to a stop that is not there: left out"),
            (joined, f"{counted(joined, 'junction')}: cities here, in which no ticket ends"),
            (lines, f"{counted(lines, 'line')} with several bends: one bow each"),
            (
                adjusted,
                f"{counted(adjusted, 'ticket')} with an adjustment of its own: worth the points that are printed",
            ),
            (drawn, f"how the map is drawn: {', '.join(sorted(drawn))}"),
            (others, f"not known here: {', '.join(others)[:200]}"),
        )
        if count
    )

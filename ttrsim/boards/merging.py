"""Join a board that ttrsim kept in a file of the map editor with what was changed there since."""

from collections.abc import Mapping
from typing import Any

from ttrsim.boards.to_editor import long_decks, placing, routes_of, stops_of, tickets_of

Things = dict[str, dict[str, Any]]
"""Cities, tracks or tickets by their ids in the editor."""


def merge_changes(kept: dict[str, Any], old: Mapping[str, Things], new: Mapping[str, Things]) -> dict[str, Any]:
    """Return the kept board with what was changed since in the editor; old: as the board was written for it."""
    cities = _merged_cities(kept, old["stops"], new["stops"])
    tracks: Things = {}
    for (i, k), route in routes_of(kept):
        c, key = kept["connections"][i], route["id"]
        if key in new["routes"]:
            own = {**old["routes"][key], "track": c["tracks"][k], "bend": c.get("bend", 0)}
            tracks[key] = own | _changed(old["routes"][key], new["routes"][key])
    tracks = {**tracks, **{key: track for key, track in new["routes"].items() if key not in old["routes"]}}
    return {
        **kept,
        "rules": _merged_rules(kept["rules"], _changed(old["setup"], new["setup"])),
        "cities": list(cities.values()),
        "connections": connections_of(tracks, cities),
        "tickets": _merged_tickets(kept, old["tickets"], new["tickets"], cities),
    }


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in new.items() if old.get(key) != value}


def _merged_cities(kept: dict[str, Any], old: Things, new: Things) -> Things:
    scale, right, down = placing(kept)
    own = {stop["id"]: kept["cities"][i] for i, stop in stops_of(kept)}
    found: Things = {}
    for key, city in new.items():
        more = _changed(old.get(key, {}), city)
        if "x" in more or "y" in more:
            back = {"x": (city["x"] - right) / scale, "y": (city["y"] - down) / scale}
            more |= {axis: round(max(back[axis], 0.0), 2) for axis in more.keys() & back.keys()}
        found[key] = own.get(key, {}) | more
        if "label" in old.get(key, {}) and "label" not in city:
            del found[key]["label"]
    return found


def _merged_tickets(kept: dict[str, Any], old: Things, new: Things, cities: Things) -> list[dict[str, Any]]:
    """Return the tickets; those of one entry that still are alike are one again."""
    own = {ticket["id"]: place for place, ticket in tickets_of(kept)}
    long = {regular: deck for deck, regular in long_decks(kept).items()}
    found: dict[tuple[object, ...], dict[str, Any]] = {}
    for key in [*(key for key in own if key in new), *(key for key in new if key not in own)]:
        ticket, (entry, deck) = new[key], own.get(key, (key, ""))
        if key not in own or not {"deck", "long"}.isdisjoint(_changed(old[key], ticket)):
            deck = long.get(ticket["deck"], f"{ticket['deck']} long") if ticket["long"] else ticket["deck"]
        alike = (entry, ticket["a"], ticket["b"], ticket["points"])
        fresh = {"between": ends_of(ticket, cities), "points": ticket["points"], "decks": []}
        decks = found.setdefault(alike, fresh)["decks"]
        decks += [] if deck in decks else [deck]
    return list(found.values())


def _merged_rules(kept: dict[str, Any], changed: Mapping[str, Any]) -> dict[str, Any]:
    of_tickets = {key: changed[key] for key in ("deal", "keep") if key in changed}
    others = {key: value for key, value in changed.items() if key not in of_tickets}
    return {**kept, **others, "tickets": kept["tickets"] | of_tickets}


def ends_of(thing: Mapping[str, Any], stops: Things) -> list[str]:
    """Return the names of the two cities of a track or a ticket."""
    return [stops[thing[key]]["name"] for key in ("a", "b")]


def connections_of(tracks: Things, stops: Things) -> list[dict[str, Any]]:
    """Return connections: tracks between the same cities, of one length, are parallel."""
    found: dict[tuple[frozenset[str], int], dict[str, Any]] = {}
    for track in tracks.values():
        more = {key: track[key] for key in ("tunnel", "ferry", "bend") if track[key]}
        entry = {"between": ends_of(track, stops), "length": track["length"], "tracks": [], **more}
        found.setdefault((frozenset((track["a"], track["b"])), track["length"]), entry)["tracks"].append(track["track"])
    return list(found.values())

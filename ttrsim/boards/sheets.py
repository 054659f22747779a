"""Boards as spreadsheets: three CSV files, with headings that the map editor knows as well, and the rules as TOML."""

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ttrsim.boards.board import GRAY, plain
from ttrsim.boards.changes import as_toml
from ttrsim.boards.documents import Imported, usual_document, with_decks
from ttrsim.boards.file import MAX_LENGTH
from ttrsim.errors import UserError
from ttrsim.files import Unreadable, parse_toml, read_file

MOST_BYTES = 1_000_000
MOST_ROWS = 2_000
"""The most bytes and rows of a sheet."""
HEADINGS = {
    "cities.csv": ("Name", "X", "Y", "Label", "Aliases"),
    "routes.csv": ("From", "To", "Length", "Colour", "Tunnel", "Locomotives", "Bend"),
    "tickets.csv": ("Deck", "From", "To", "Points", "Long deck"),
}
RULES = "rules.toml"
ALSO = {
    "a": "from", "b": "to", "color": "colour", "latitude": "lat", "longitude": "lon", "lng": "lon",
    "ferrylocomotives": "locomotives", "long": "long deck", "wagon style": "style",
}  # fmt: skip
"""Other headings, in small letters, and what they mean."""
READ_TOO = {"cities.csv": ("lat", "lon"), "routes.csv": ("style", "type"), "tickets.csv": ()}
"""More headings that are read, in small letters."""
YES = {"yes", "true", "1", "ja"}
GRAYS = {"", "gray", "grey", "neutral"}
SEPARATOR = " | "
"""Between several decks, and several aliases, in one cell."""
RISKY = ("=", "+", "-", "@")
"""Beginnings of what a spreadsheet would run as a formula; such cells get an apostrophe in front."""

Row = dict[str, str]


def to_sheets(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the content of each file of a board's spreadsheets, by name."""
    long = document["rules"].get("long_tickets", {}).get("deck")
    cities = [
        (c["name"], c["x"], c["y"], c.get("label", ""), SEPARATOR.join(c.get("aliases", ())))
        for c in document["cities"]
    ]
    routes = [
        (*c["between"], c["length"], track, "yes" if c.get("tunnel") else "", c.get("ferry", 0), c.get("bend", 0))
        for c in document["connections"]
        for track in c["tracks"]
    ]
    tickets = [
        (SEPARATOR.join(t["decks"]), *t["between"], t["points"], "yes" if long in t["decks"] else "")
        for t in document["tickets"]
    ]
    sheets = dict(zip(HEADINGS, map(_written, HEADINGS.values(), (cities, routes, tickets)), strict=True))
    rest = {key: value for key, value in document.items() if key not in ("cities", "connections", "tickets")}
    return {**sheets, RULES: as_toml(rest) + "\n"}


def _written(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(headings)
    for row in rows:
        writer.writerow([f"'{c}" if isinstance(c, str) and c.startswith((*RISKY, "'")) else c for c in row])
    return "\ufeff" + out.getvalue()


def read_sheets(paths: Sequence[Path], name: str = "My board") -> Imported:
    """Return the board in CSV files, and perhaps the rules in a TOML file; a folder stands for the files in it.

    name: what the board is called if no rules name it. Raises UserError.
    """
    files = [file for path in paths for file in (_files_in(path) if path.is_dir() else [path])]
    sheets: dict[str, tuple[Path, list[Row]]] = {}
    rules: dict[str, Any] | None = None
    for file in files:
        content = _content(file)
        if file.suffix.lower() == ".toml":
            rules = _rules(file, content)
            continue
        rows = _rows(file, content)
        kind = _kind(file, rows)
        if kind in sheets:
            raise UserError([f"{file}: a second sheet of {kind[:-4]}, after {sheets[kind][0]}; give one of each"])
        sheets[kind] = (file, rows)
    if missing := [kind for kind in ("routes.csv", "tickets.csv") if kind not in sheets]:
        columns = ", ".join(HEADINGS[missing[0]][:4])
        raise UserError([f"no sheet of {missing[0][:-4]}; it has a first row with the headings {columns}"])
    return _board(sheets, rules, name)


def _files_in(folder: Path) -> list[Path]:
    rules = folder / RULES
    return [*sorted(folder.glob("*.csv")), *([rules] if rules.exists() else [])]


def _content(file: Path) -> bytes:
    try:
        return read_file(file, MOST_BYTES)
    except Unreadable as e:
        raise UserError([f"{file}: {e}"]) from None


def _rules(file: Path, content: bytes) -> dict[str, Any]:
    try:
        rules = parse_toml(content)
    except Unreadable as e:
        raise UserError([f"{file}: {e}"]) from None
    if not isinstance(rules.get("rules"), dict) or not isinstance(rules.get("colours"), dict):
        raise UserError([f"{file}: should have all of a board file except cities, connections and tickets"])
    return rules


def _rows(file: Path, content: bytes) -> list[Row]:
    """Return the rows of a sheet by heading in small letters, each with its `line`."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")  # as Excel saves "CSV"
    first = text.partition("\n")[0]
    delimiter = max(",;\t", key=first.count)
    try:
        table = csv.reader(io.StringIO(text.replace("\0", ""), newline=""), delimiter=delimiter, strict=True)
        headings = [_heading(cell) for cell in next(table, [])]
        rows = []
        for cells in table:
            if any(cell.strip() for cell in cells):
                row = dict(zip(headings, map(_cell, cells), strict=False))
                rows.append({**dict.fromkeys(headings, ""), **row, "line": str(table.line_num)})
    except csv.Error as e:
        raise UserError([f"{file}: is not CSV: {e}"]) from None
    if len(rows) > MOST_ROWS:
        raise UserError([f"{file}: {len(rows):,} rows: there is room for {MOST_ROWS:,}"])
    return rows or [dict.fromkeys(headings, "") | {"line": "0"}]


def _heading(cell: str) -> str:
    name = " ".join(cell.casefold().split())
    return ALSO.get(name, name)


def _cell(cell: str) -> str:
    cell = cell.strip()
    return cell[1:] if cell.startswith("'") and cell[1:].startswith((*RISKY, "'")) else cell


def _kind(file: Path, rows: Sequence[Row]) -> str:
    """Tell from its headings what a sheet holds."""
    headings = rows[0].keys()
    if {"from", "to"} <= headings and {"points", "length"} & headings:
        return "tickets.csv" if "points" in headings else "routes.csv"
    if "name" in headings:
        return "cities.csv"
    known = "; ".join(", ".join(names[:4]) for names in HEADINGS.values())
    raise UserError([f"{file}: its first row has none of the headings of cities, routes or tickets: {known}"])


def _board(sheets: Mapping[str, tuple[Path, list[Row]]], rules: dict[str, Any] | None, name: str) -> Imported:
    file, rows = sheets["routes.csv"]
    colours = {plain(known): known for known in (rules or {}).get("colours", {})}
    connections, notes = _connections(file, _filled(rows), colours)
    cities, more = _cities(sheets.get("cities.csv"), connections)
    notes += more + _unused(sheets)
    names = {plain(city["name"]): city["name"] for city in cities}
    for connection in connections:
        connection["between"] = [names.get(plain(end), end) for end in connection["between"]]
    file, rows = sheets["tickets.csv"]
    tickets, regular, long = _tickets(file, _filled(rows), names, apart=rules is None)
    document: dict[str, Any] = {"cities": cities, "connections": connections, "tickets": tickets}
    if rules is not None:
        return Imported({**rules, **document}, notes)
    played = regular[0] if regular else "base"
    usual = usual_document(name, connections, sum(played in ticket["decks"] for ticket in tickets))
    document = {**usual, "picture": _picture(cities), **document}
    notes.append("rules and cards: the usual ones, as there is no rules.toml; look at them in the file")
    notes += with_decks(document, regular, long) if regular else []
    return Imported(document, notes)


def _unused(sheets: Mapping[str, tuple[Path, list[Row]]]) -> list[str]:
    """Name the columns of the sheets that mean nothing here."""
    notes = []
    for kind, (file, rows) in sheets.items():
        known = {heading.casefold() for heading in HEADINGS[kind]} | {"line", *READ_TOO[kind]}
        unused = [
            heading for heading in rows[0] if heading and heading not in known and any(r.get(heading) for r in rows)
        ]
        if unused:
            notes.append(f"{file.name}: columns that mean nothing here: {', '.join(unused)[:200]}")
    return notes


def _filled(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["line"] != "0"]


def _connections(file: Path, rows: Sequence[Row], colours: Mapping[str, str]) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the connections, of which each track is a row, and what was made alike among tracks."""
    found: dict[tuple[frozenset[str], int], dict[str, Any]] = {}
    notes = []
    for row in rows:
        ends = [_needed(file, row, "from"), _needed(file, row, "to")]
        length = _whole(file, row, "length")
        track = GRAY if row.get("colour", "").casefold() in GRAYS else row["colour"].casefold()
        more: dict[str, Any] = {}
        if row.get("tunnel", "").casefold() in YES or "tunnel" in f"{row.get('style')} {row.get('type')}".casefold():
            more["tunnel"] = True
        if ferry := _whole(file, row, "locomotives", least=0) if row.get("locomotives") else 0:
            more["ferry"] = ferry
        if bend := _number(file, row, "bend") if row.get("bend") else 0:
            more["bend"] = bend
        entry = {"between": ends, "length": length, "tracks": [], **more}
        known = found.setdefault((frozenset(map(plain, ends)), length), entry)
        if any(known.get(key) != more.get(key) for key in ("tunnel", "ferry")):
            notes.append(
                f"{'–'.join(ends)}: all its tracks are like the first in the sheet, tunnel or ferry or neither"
            )
        known["tracks"].append(colours.get(plain(track), track))
    return list(found.values()), notes


def _cities(
    sheet: tuple[Path, list[Row]] | None, connections: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the cities with their positions; without a sheet of cities, those that the routes name."""
    if sheet is None:
        names = dict.fromkeys(end for connection in connections for end in connection["between"])
        return _laid_out([{"name": name} for name in names], connections)
    file, rows = sheet
    cities, places = [], []
    for row in _filled(rows):
        city: dict[str, Any] = {"name": _needed(file, row, "name")}
        keys = ("lon", "lat") if row.get("lat") and row.get("lon") else ("x", "y")
        if any(row.get(key) for key in keys):
            places.append(tuple(_number(file, row, key) for key in keys))
            city |= dict(zip(("x", "y"), places[-1], strict=True))
        if row.get("aliases"):
            city["aliases"] = row["aliases"].split(SEPARATOR)
        if row.get("label"):
            city["label"] = row["label"].upper()
        cities.append(city)
    if not places:
        return _laid_out(cities, connections)
    if without := [city["name"] for city in cities if "x" not in city]:
        raise UserError([f"{file}: {without[0]}: has no X and Y, but other cities have"])
    if "lat" in rows[0] and not rows[0].get("x"):
        _project(cities)
    return cities, []


def _project(cities: Sequence[dict[str, Any]]) -> None:
    """Turn degrees into positions with north up, in a box of 1,000 in width."""
    narrowing = math.cos(math.radians(sum(city["y"] for city in cities) / len(cities)))
    for city in cities:
        city["x"], city["y"] = city["x"] * narrowing, -city["y"]
    _fit(cities)


def _fit(cities: Sequence[dict[str, Any]]) -> None:
    """Move and scale positions into a box of 1,100 by 731, with a margin, and keep their shape."""
    left, top = (min(city[key] for city in cities) for key in ("x", "y"))
    wide, high = (max(city[key] for city in cities) - low for key, low in (("x", left), ("y", top)))
    scale = min(1000 / (wide or 1), 631 / (high or 1))
    for city in cities:
        city["x"], city["y"] = (round(50 + (city[key] - low) * scale, 1) for key, low in (("x", left), ("y", top)))


def _laid_out(
    cities: list[dict[str, Any]], connections: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], list[str]]:
    """Place cities by the lengths of the routes alone."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(plain(city["name"]) for city in cities)
    graph.add_weighted_edges_from((*map(plain, c["between"]), c["length"]) for c in connections)
    if len(cities) < 2 or not nx.is_connected(graph):
        raise UserError(["cities without X and Y can be laid out only if routes join all of them"])
    places = nx.kamada_kawai_layout(graph, weight="weight")
    for city in cities:
        city["x"], city["y"] = (float(number) for number in places[plain(city["name"])])
    _fit(cities)
    return cities, ["cities: laid out from the lengths of the routes, as no sheet says where they are"]


def _tickets(
    file: Path, rows: Sequence[Row], names: Mapping[str, str], *, apart: bool
) -> tuple[list[dict[str, Any]], list[str], dict[str, str]]:
    """Return the tickets, the regular decks, and the long deck of each. apart: long ones get a deck of their own."""
    regular = list(dict.fromkeys(row.get("deck") or "base" for row in rows if not _is_long(row)))
    tickets: list[dict[str, Any]] = []
    long: dict[str, str] = {}
    for row in rows:
        deck = row.get("deck") or "base"
        decks = deck.split(SEPARATOR)
        if apart and _is_long(row):
            decks = [f"{deck} long" if deck in regular else deck]
            long.setdefault(deck if deck in regular else next(iter(regular), deck), decks[0])
        ends = [_needed(file, row, key) for key in ("from", "to")]
        points = _whole(file, row, "points")
        tickets.append({"between": [names.get(plain(end), end) for end in ends], "points": points, "decks": decks})
    if apart:
        regular = list(dict.fromkeys(part for deck in regular for part in deck.split(SEPARATOR)))
    return tickets, regular, long


def _is_long(row: Row) -> bool:
    return row.get("long deck", "").casefold() in YES


def _picture(cities: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return a picture large enough for the cities: that of the map editor, or a larger one."""
    wide, high = (max(city[key] for city in cities) for key in ("x", "y"))
    fits = wide <= 1100 and high <= 731
    return (
        {"width": 1100, "height": 731} if fits else {"width": math.ceil(wide * 1.05), "height": math.ceil(high * 1.05)}
    )


def _needed(file: Path, row: Row, key: str) -> str:
    if not row.get(key):
        raise UserError([f"{file}: line {row['line']}: {key.capitalize()} is missing"])
    return row[key]


def _whole(file: Path, row: Row, key: str, least: int = 1) -> int:
    number = _number(file, row, key)
    if number != int(number) or number < least or (key == "length" and number > MAX_LENGTH):
        most = f"{least} to {MAX_LENGTH}" if key == "length" else f"{least} or more"
        rule = f"should be a whole number, {most}"
        raise UserError([f"{file}: line {row['line']}: {key.capitalize()}: {row[key]!r}: {rule}"])
    return int(number)


def _number(file: Path, row: Row, key: str) -> float:
    text = row.get(key, "")
    try:
        number = (
            int(text) if text.lstrip("-").isascii() and text.lstrip("-").isdigit() else float(text.replace(",", "."))
        )
        if not abs(number) <= 1e9:  # nor nan
            raise ValueError
    except ValueError:  # also of too many digits
        raise UserError(
            [f"{file}: line {row['line']}: {key.capitalize()}: {text[:50]!r}: should be a number"]
        ) from None
    return number

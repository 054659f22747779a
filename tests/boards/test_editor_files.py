"""Files of the map editor: boards written for it come back whole, its own are read in all their versions."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ttrsim.boards import Board, board_names, load_board, read_boards
from ttrsim.boards.documents import document_of, document_text, new_board
from ttrsim.boards.from_editor import read_editor
from ttrsim.boards.to_editor import to_editor
from ttrsim.errors import UserError


class Ended(NamedTuple):
    """The outcome of a command."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]
SAME = ("name", "title", "status", "picture", "cities", "colours", "wilds", "wild_name", "routes", "connections", "tickets", "rules")  # fmt: skip  # noqa: E501
NAMES = [*board_names(), "small", "new"]
STOPS = [
    {"id": "w", "name": "West", "type": "city", "x": 100, "y": 200, "labelAngle": 190},
    {"id": "e", "name": "East", "type": "city", "x": 900, "y": 250, "size": "large"},
    {"id": "s", "name": "South", "type": "junction", "x": 500, "y": 600},
]
ROUTES: list[dict[str, Any]] = [
    {"id": "r1", "a": "w", "b": "e", "length": 6, "type": "city", "color": "red"},
    {"id": "r2", "a": "w", "b": "e", "length": 6, "type": "city", "color": "neutral"},
    {"id": "r3", "a": "e", "b": "s", "length": 3, "type": "boat", "color": "neutral", "locomotiveSlots": [0, 2]},
    {"id": "r4", "a": "s", "b": "w", "length": 4, "type": "city", "color": "purple", "points": [{"x": 250, "y": 450}]},
]
TICKETS = [
    {"id": f"{deck}-{i}", "a": a, "b": b, "points": points, "set": deck, **({"long": True} if points > 8 else {})}
    for deck in ("main", "try")
    for i, (a, b, points) in enumerate([("w", "e", 6), ("e", "s", 3), ("s", "w", 4), ("w", "e", 9), ("e", "s", 10)])
]
MAP: dict[str, Any] = {
    "name": "Test map",
    "format": "board-2x3",
    "stops": STOPS,
    "routes": ROUTES,
    "tickets": TICKETS,
    "ticketSets": [{"id": "main", "label": "Main deck"}, {"id": "try", "label": "Second, try"}],
    "stopTypeStyles": [{"id": "city", "label": "Regular"}, {"id": "junction", "label": "Junction", "junction": True}],
    "routeTypeStyles": [{"id": "city", "label": "Railway"}, {"id": "boat", "label": "Boat"}],
    "wagonsPerPlayer": 12,
    "startingTickets": 1,
    "keptTickets": 1,
    "players": {"min": 2, "max": 2},
}


def content(board: Board) -> list[Any]:
    """Return all of a board but where it comes from."""
    return [getattr(board, name) for name in SAME]


def imported(value: object, folder: Path) -> tuple[dict[str, Board], list[str]]:
    """Return the boards that a file of the editor is, and what is said of it."""
    path = folder / "map.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    found = read_editor(path)
    board = folder / "read.toml"
    board.write_text(document_text(found.document, "read"), "utf-8")
    return read_boards(board), found.notes


def changed(**changes: Any) -> dict[str, Any]:
    return {**deepcopy(MAP), **changes}


def enveloped(payload: dict[str, Any], version: int, frame: tuple[int, int] = (1100, 731)) -> dict[str, Any]:
    board = {"width": frame[0], "height": frame[1]}
    return {"format": "ticket-to-ride-map", "version": version, "kind": "map", "board": board, "payload": payload}


def of(names: str, small_board: str, folder: Path) -> str:
    """Return the name of one of NAMES, as boards are named."""
    if names not in ("small", "new"):
        return names
    path = folder / f"{names}.toml"
    path.write_text(small_board if names == "small" else new_board("Lakes"), "utf-8")
    return str(path)


@pytest.mark.parametrize("name", NAMES)
def test_a_board_comes_back_whole_from_the_editor(name: str, small_board: str, tmp_path: Path) -> None:
    board = of(name, small_board, tmp_path)
    file, _ = to_editor(document_of(board))
    family, notes = imported(file, tmp_path)
    assert content(family[""]) == content(load_board(board))
    assert notes == []


@pytest.mark.parametrize("name", ["usa", "europe", "old_west", "san_francisco"])
def test_the_network_and_the_tickets_come_back_without_what_ttrsim_kept(name: str, tmp_path: Path) -> None:
    file, _ = to_editor(document_of(name))
    del file["payload"]["ttrsim"]
    board, read = load_board(name), imported(file, tmp_path)[0][""]
    assert [city.name for city in read.cities] == [city.name for city in board.cities]
    of_routes = [
        [(r.a, r.b, r.length, r.ferry, r.tunnel, r.connection, r.bend) for r in b.routes] for b in (board, read)
    ]
    assert of_routes[0] == of_routes[1]
    of_tickets = [[(t.a, t.b, t.points, t.long) for t in b.tickets] for b in (board, read)]
    assert of_tickets[0] == of_tickets[1]
    assert (read.rules.trains, read.rules.players, read.rules.parallel_open_from) == (
        board.rules.trains, board.rules.players, board.rules.parallel_open_from,
    )  # fmt: skip


def test_what_was_changed_in_the_editor_is_changed_and_all_else_stays(tmp_path: Path) -> None:
    file, unknown = to_editor(document_of("usa"))
    assert "colour pink: shown as purple" in unknown
    payload = file["payload"]
    stops = {stop["name"]: stop for stop in payload["stops"]}
    stops["Denver"] |= {"name": "Mile High", "x": stops["Denver"]["x"] + 10}
    pink = [route for route in payload["routes"] if route["color"] == "purple"]
    pink[0]["color"], pink[1]["length"] = "red", 1
    payload["tickets"] = [t for t in payload["tickets"] if t["id"] != "ticket-0-0"]
    payload["tickets"][0]["points"] = 17
    payload["tickets"].append(
        {"id": "new", "a": stops["Boston"]["id"], "b": stops["Omaha"]["id"], "points": 7, "set": "base"}
    )
    payload["wagonsPerPlayer"] = 40
    read, board = imported(file, tmp_path)[0], load_board("usa")
    after = read[""]
    assert after.rules.trains == 40
    assert (after.wilds, after.rules.route_points, list(read)) == (board.wilds, board.rules.route_points, ["", "1910", "mega", "big-cities", "revised"])  # fmt: skip  # noqa: E501
    (moved,) = [city for city in after.cities if city.name == "Mile High"]
    assert moved.x - board.cities[board.city("Denver")].x == pytest.approx(10 / 0.6307, abs=0.1)
    (renamed,) = [city for city in after.cities if city.name not in {c.name for c in board.cities}]
    assert renamed == moved
    assert sum(after.colour_name(r.colour) == "pink" for r in after.routes) == len(pink) - 1
    assert {after.ticket_name(t): t.points for t in after.tickets}["Boston–Omaha"] == 7
    assert len(after.tickets) == len(board.tickets)


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_every_version_of_files_is_read(version: int, tmp_path: Path) -> None:
    payload, frame = changed(), (1100, 731)
    match version:
        case 1:
            payload["routes"][3]["tunnel"] = True
        case 2:
            payload["routes"][3]["wagonStyle"] = "odd"
            payload["wagonStyles"] = [{"id": "odd", "label": "Under the hill", "shape": "serrated"}]
        case _:
            payload["routes"][3]["type"] = "deep"
            payload["routeTypeStyles"].append({"id": "deep", "label": "Deep tunnel", "shape": "plain"})
    if version == 4:
        payload["orientation"], frame = "portrait", (731, 1100)
        for point in (*payload["stops"], payload["routes"][3]["points"][0]):
            point |= {"x": 731 - point["y"], "y": point["x"]}  # a quarter turn
    family, notes = imported(
        {"kind": "map", **payload} if version == 1 else enveloped(payload, version, frame), tmp_path
    )
    board = family[""]
    assert board.picture == frame
    assert [(board.route_name(r), r.length, r.ferry, r.tunnel) for r in board.routes] == [
        ("West–East (red)", 6, 0, False),
        ("West–East (gray)", 6, 0, False),
        ("East–South", 3, 2, False),
        ("South–West", 4, 0, True),
    ]
    assert [c.label for c in board.cities] == ["W", "", ""]  # the names do not turn with the board
    assert (board.rules.trains, board.rules.players, board.rules.tickets.deal, board.rules.tickets.keep) == (
        12,
        (2, 2),
        1,
        1,
    )
    assert board.routes[3].bend == 0.125  # 100 / √2 to the left of a way of 400 · √2
    assert [(board.ticket_name(t), t.points, t.long) for t in board.tickets[:3]] == [
        ("West–East (long)", 9, True), ("East–South (long)", 10, True), ("West–East (regular)", 6, False),
    ]  # fmt: skip
    assert list(family) == ["", "Second, try"]
    assert "1 junction: cities here, in which no ticket ends" in notes


@pytest.mark.parametrize("shape", ["a4", "board-2x4", "us-letter"])
def test_old_shapes_of_boards_have_their_boxes(shape: str, tmp_path: Path) -> None:
    heights = {"a4": 778, "board-2x4": 549, "us-letter": 850}
    stops = [{**stop, "y": 100 + 10 * i} for i, stop in enumerate(STOPS)]
    assert imported(changed(format=shape, stops=stops), tmp_path)[0][""].picture == (1100, heights[shape])


LANES = [
    (None, 4),
    ({"2+": "all"}, 2),
    ({"2+": 1}, 7),
    ({"2": 1, "3+": "all"}, 3),
    ({"2+": 1, "4+": 2}, 4),
    ({"9" * 5000 + "+": 1}, 4),
]


@pytest.mark.parametrize(("lanes", "opens"), LANES)
def test_from_how_many_players_on_parallel_routes_are_open(lanes: object, opens: int, tmp_path: Path) -> None:
    rules = imported(changed(lanesUsableByPlayers=lanes), tmp_path)[0][""].rules
    assert rules.parallel_open_from == opens


def test_what_ttrsim_does_not_know_is_listed(ttrsim: Command, tmp_path: Path) -> None:
    payload = changed(
        background=[{"type": "area"}], notes=[{"id": "n"}], rules="# Rules", weather={"rain": 1}, deckTension=50
    )
    payload["routeTypeStyles"].append({"id": "rail", "label": "Built", "infrastructure": True})
    payload["routes"].append({**ROUTES[0], "id": "r5", "type": "rail"})
    payload["routes"].append({**ROUTES[0], "id": "r6", "a": "gone"})
    payload["tickets"][0]["adjust"] = 1
    path = tmp_path / "map.json"
    path.write_text(json.dumps(enveloped(payload, 3)), "utf-8")
    ended = ttrsim("maps", "import", path, "-o", tmp_path / "my.toml")
    assert (ended.code, ended.err) == (0, f"Wrote {tmp_path / 'my.toml'}\n")
    lines = " ".join(ended.out.replace("\n  ", " ").splitlines())
    for words in (
        "1 route of a type that nobody claims: left out",
        "1 route to a stop that is not there: left out",
        "1 ticket with an adjustment of its own",
        "how the map is drawn: size",
        "not known here: background, deckTension, notes, rules, weather",
        "cards: 12 of each colour and 4 wild ones",
    ):
        assert f"* {words}" in lines


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("[", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "is no file of the map editor"),
        ('{"name": "x", "dependencies": {}}', "a file of kind 'map' without stops"),
        (enveloped(MAP, 5), "has file version 5; versions 1 to 4 can be read"),
        (enveloped(MAP, 0), "has file version 0"),
        ({**enveloped(MAP, 3), "version": "3"}, "should have a version, a whole number"),
        ({**enveloped(MAP, 3), "kind": "background"}, "a file of kind 'background' without stops"),
        (changed(stops=[{"id": "w", "name": "West", "x": "a", "y": 1}]), 'stops 1.x: "a": should be a number'),
        (changed(stops=[{"id": 5, "name": "West", "x": 1, "y": 1}]), "stops 1.id: 5: should be text"),
        (changed(stops=[7]), "stops 1: 7: should be an object in braces"),
        (changed(routes=[{**ROUTES[0], "length": 2.5}]), "routes 1.length: 2.5: should be a whole number"),
        (changed(routes={"a": 1}), "should be a list of at most 2,000"),
        (changed(tickets=[{**TICKETS[0], "points": None}]), "tickets 1.points: null: should be a number"),
        (changed(stops=[{**STOPS[0], "name": "\ud800"}]), "should be text"),
    ],
)  # fmt: skip
def test_a_file_that_is_none_is_refused_with_the_place(value: object, problem: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refusal:
        imported(value, tmp_path)
    assert problem in str(refusal.value)


@pytest.mark.parametrize("kept", [5, {}, {"cities": 3}, {"name": None}, {"rules": {"a": [[[[]]]]}}])
def test_what_ttrsim_kept_is_not_believed_unless_it_is_a_good_board(kept: object, tmp_path: Path) -> None:
    family, notes = imported(enveloped(changed(ttrsim=kept), 3), tmp_path)
    assert family[""].rules.trains == 12
    assert any(note.startswith("ttrsim: what was kept there cannot be read") for note in notes)


def test_decks_that_cannot_be_dealt_do_not_spoil_the_board(tmp_path: Path) -> None:
    wanted = {"main": (4, 9, 10), "try": (3,)}
    tickets = [ticket for ticket in TICKETS if ticket["points"] in wanted[str(ticket["set"])]]
    family, notes = imported(changed(tickets=tickets, players={"min": 2, "max": 3}), tmp_path)
    assert list(family) == [""]
    assert not family[""].rules.long_tickets
    assert "too small to be dealt, so nothing plays with them: Second, try" in notes
    assert any("2 long tickets cannot be dealt to 3 players, so they are regular ones" in note for note in notes)

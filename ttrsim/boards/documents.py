"""Boards as documents, that is with the keys and values of a board file, and as the text of such files."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttrsim.boards.board import GRAY
from ttrsim.boards.changes import toml_key, toml_lines
from ttrsim.boards.edit import apply_to, rewrite
from ttrsim.boards.file import PAINTS
from ttrsim.boards.parsing import overridden
from ttrsim.boards.reading import BoardError, boards_in, locate_board
from ttrsim.files import parse_toml
from ttrsim.formatting import counted

TEMPLATE = Path(__file__).with_name("template.toml")
COMMENTS = {
    "colours": "the cards",
    "rules": "maps/README.md explains every rule, and has more of them",
    "cities": "x from the left, y from the top; label is the side on which the name is drawn",
    "connections": "one line a connection, one colour a track; gray takes cards of any one colour",
    "tickets": "the decks that are played with are named in the rules",
}
"""Comments before the sections of a board file."""
USUAL_LOAD = 0.73
"""Trains of all players for each space, with the most players, as on USA."""
USUAL_CARDS, USUAL_WILDS = 12 / 27, 14 / 96
"""Cards of a colour for each of its spaces, and wild cards for each of the others, as on USA."""
USUAL_POINTS = {"1": 1, "2": 2, "3": 4, "4": 7, "5": 10, "6": 15, "7": 18, "8": 21}


def new_board(name: str) -> str:
    """Return the text of a small board to begin with."""
    return TEMPLATE.read_text("utf-8").replace("NAME", name)


def exported(board: str | Path) -> str:
    """Return the text of a board as a file of its own.

    A board ("usa") keeps its variants; a variant ("europe:mega") is resolved: the file has its rules and the tickets
    of its decks, and no variants. Comments are kept.
    """
    text = apply_to(board, [])[1]
    variant = locate_board(board)[1]
    return rewrite(text, resolved(parse_toml(text.encode()), variant)) if variant else text


def resolved(document: dict[str, Any], variant: str) -> dict[str, Any]:
    """Return the document of a variant as a board of its own."""
    chosen = document["variants"][variant]
    rules = overridden(document["rules"], chosen.get("rules", {}))
    long = rules.get("long_tickets", {})
    if not long.get("deal", 1):
        del rules["long_tickets"]
        long = {}
    played = {rules["tickets"]["deck"], long.get("deck")}
    tickets = [{**t, "decks": [deck for deck in t["decks"] if deck in played]} for t in document["tickets"]]
    whole = {key: value for key, value in document.items() if key != "variants"}
    return {**whole, "title": chosen["title"], "rules": rules, "tickets": [t for t in tickets if t["decks"]]}


def document_of(board: str | Path) -> dict[str, Any]:
    """Return a board as a document, with its variants unless it is one of them."""
    return parse_toml(exported(board).encode())


def document_text(document: Mapping[str, Any], head: str) -> str:
    """Return the text of a board file with a document's values. head: what its first line says, as a comment."""
    lines = [f"# {head}"]
    order = ("format", "name", "title", "status", "picture", "colours", "wilds", "rules", *COMMENTS)
    for key in dict.fromkeys(key for key in order if key in document):
        if key in COMMENTS:
            lines += ["", f"# {COMMENTS[key]}"]
        lines += toml_lines(key, document[key])
    for name, variant in document.get("variants", {}).items():
        lines += ["", f"[variants.{toml_key(name)}]"]
        lines += [line for key, value in variant.items() for line in toml_lines(key, value)]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Imported:
    """A board that was read from another format."""

    document: dict[str, Any]
    notes: list[str]  # what was left out, and what was chosen because nothing said it


def with_decks(document: dict[str, Any], regular: Sequence[str], long: Mapping[str, str]) -> list[str]:
    """Let the rules of a document play with its decks: the first regular one, and the others as variants.

    long: the deck of long tickets that belongs to a regular deck; where it is too small to be dealt, its tickets become
    regular ones. Returns what was chosen, in words.
    """
    rules, most, notes = document["rules"], document["rules"]["players"][1], []
    count = Counter(deck for ticket in document["tickets"] for deck in ticket["decks"])
    dealt = {deck: far for deck, far in long.items() if count[far] >= most}
    for deck, far in long.items():
        if deck not in dealt:
            for ticket in document["tickets"]:
                ticket["decks"] = [deck if name == far else name for name in ticket["decks"]]
            few = f"deck {deck!r}: its {counted(count[far], 'long ticket')} cannot be dealt to {most} players"
            notes.append(f"{few}, so they are regular ones")
    first, *others = regular
    rules["tickets"]["deck"] = first
    if first in dealt:
        rules["long_tickets"] = {"deck": dealt[first], "deal": 1, "keep_at_most": 1}
        notes.append(f"long tickets: each player is dealt one of deck {dealt[first]!r}")
    played = [deck for deck in others if count[deck] >= rules["tickets"]["deal"] * most]
    for deck in played:
        variant: dict[str, Any] = {"tickets": {"deck": deck}}
        if deck in dealt:
            variant["long_tickets"] = {"deck": dealt[deck], "deal": 1, "keep_at_most": 1}
        elif first in dealt:
            variant["long_tickets"] = {"deck": "", "deal": 0, "keep_at_most": 0}
        document.setdefault("variants", {})[deck] = {"title": f"with the tickets of {deck}", "rules": variant}
    if played:
        notes.append(f"decks: {first!r} is played with; each other one is a variant: {', '.join(played)}")
    if small := [deck for deck in others if deck not in played]:
        notes.append(f"too small to be dealt, so nothing plays with them: {', '.join(small)}")
    return notes


def problems_of(text: str, name: str) -> list[str]:
    """Return why a board with this text cannot be played; nothing if it can."""
    try:
        boards_in(text.encode("utf-8", "surrogatepass"), name, name)
    except BoardError as e:
        return e.problems
    return []


def usual_document(name: str, connections: Sequence[Mapping[str, Any]], tickets: int) -> dict[str, Any]:
    """Return what a board needs besides cities, connections and tickets, as most published boards have it.

    Players are as many as the tickets can be dealt to; trains and cards are as many for each space as on USA.
    tickets: how many of them are in the deck that is played with.
    """
    tracks = [track for c in connections for track in c["tracks"]]
    named = [colour for colour in dict.fromkeys(tracks) if colour != GRAY] or ["red"]
    lengths = {str(c["length"]) for c in connections} | set("123456")
    players = max(2, min(5, tickets // 4))
    spaces = sum(c["length"] * len(c["tracks"]) for c in connections)
    coloured = sum(c["length"] for c in connections for track in c["tracks"] if track != GRAY)
    needed = (8 * players + 8) // len(named)  # so that hands and the display leave a deck
    cards = min(12, max(6, needed, round(USUAL_CARDS * coloured / len(named))))
    return {
        "format": 1,
        "name": name,
        "title": f"{name}, a board of my own",
        "picture": {"width": 1100, "height": 731},
        "colours": _colours(named, cards),
        "wilds": {"cards": max(4, round(USUAL_WILDS * cards * len(named))), "name": "locomotive"},
        "rules": {
            "players": [2, players],
            "trains": max(8, min(45, round(USUAL_LOAD * spaces / players))),
            "tickets": {"deck": "base", "deal": 3, "keep": 2, "draw": 3},
            "route_points": {length: points for length, points in USUAL_POINTS.items() if length in lengths},
            "longest_trail_bonus": 10,
            "tie_breaks": ["tickets", "longest_trail"],
        },
    }


def _colours(names: Iterable[str], cards: int) -> dict[str, Any]:
    """Return the entries of colours, with a letter for those that have none by their names."""
    letters = {PAINTS[name][1] for name in names if name in PAINTS}
    entries: dict[str, Any] = {}
    for name in names:
        entries[name] = {"cards": cards}
        if name not in PAINTS:
            candidates = [*name.upper(), *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
            entries[name]["letter"] = next((c for c in candidates if c.isalnum() and c not in letters), "?")
            letters.add(entries[name]["letter"])
    return entries

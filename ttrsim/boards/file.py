"""Define the form of a board file: its keys, their types and their ranges.

Rules that involve several keys (a route to an unknown city, a deck that is too small) are checked in `problems`.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Discriminator, Field, StringConstraints, Tag

from ttrsim.boards.board import Rejected, Status, TieBreak

# The most that the compiled core has room for.
MAX_CITIES = 64
MAX_ROUTES = 192
MAX_TICKETS = 128
MAX_COLOURS = 9
MAX_LENGTH = 8
MAX_SEATS = 6
MAX_CARDS = 250
MAX_OFFER = 8
MAX_SYMBOLS = 8
MAX_DISPLAY = 8
MAX_STATIONS = 4

MAX_VARIANTS = 50
"""Variants do not affect one another, but all are read and checked together with their board."""

PAINTS = {
    "pink": ("#d77fb3", "P"),
    "white": ("#f4f1e8", "W"),
    "blue": ("#2f6fb7", "B"),
    "yellow": ("#f2d230", "Y"),
    "orange": ("#e8862a", "O"),
    "black": ("#33302e", "K"),
    "red": ("#c9302c", "R"),
    "green": ("#4f9a3d", "G"),
    "purple": ("#7d4ea1", "V"),
    "brown": ("#8a5a33", "N"),
}
"""The paint and the letter of colours, where a board file does not say."""

TEXT = r"^[^\x00-\x1f\x7f]*\S$"
PAINT = "^#[0-9a-fA-F]{6}$"
LETTER = r"^[^\s\x00-\x1f\x7f]$"
PATTERN_WORDS = {
    TEXT: "should be one line of text without tabs or other control characters and without a space at its end",
    PAINT: "should be # and six hexadecimal digits, such as #5b6b7a",
    LETTER: "should be one visible character",
}
"""The rule behind each pattern, in words."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=TEXT)]
Title = Annotated[str, StringConstraints(min_length=1, max_length=120, pattern=TEXT)]
MOST = 1000
"""The largest value of points and other counts."""
Count = Annotated[int, Field(ge=0, le=MOST)]
BySeat = Annotated[
    Annotated[Count, Tag("[all seats]")] | Annotated[list[Count], Field(max_length=MAX_SEATS), Tag("[by seat]")],
    Discriminator(lambda value: "[by seat]" if isinstance(value, list) else "[all seats]"),
]
"""One number for all seats, or one for each."""
Positive = Annotated[int, Field(ge=1, le=MOST)]
Tokens = Annotated[int, Field(ge=1, le=100)]
Coordinate = Annotated[float, Field(ge=0, le=100_000)]
Between = Annotated[list[str], Field(min_length=2, max_length=2)]


class Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class PictureEntry(Entry):
    width: Annotated[float, Field(gt=0, le=100_000)]
    height: Annotated[float, Field(gt=0, le=100_000)]


class ColourEntry(Entry):
    cards: Annotated[int, Field(ge=1, le=MAX_CARDS)]
    paint: Annotated[str, StringConstraints(pattern=PAINT)] | None = None
    letter: Annotated[str, StringConstraints(pattern=LETTER)] | None = None


class WildsEntry(Entry):
    cards: Annotated[int, Field(ge=0, le=MAX_CARDS)]
    name: Name = "wild"


class CityEntry(Entry):
    name: Name
    x: Coordinate
    y: Coordinate
    aliases: list[Name] = []
    label: Literal["", "N", "NE", "E", "SE", "S", "SW", "W", "NW"] = ""


class ConnectionEntry(Entry):
    between: Between
    length: Annotated[int, Field(ge=1, le=MAX_LENGTH)]
    tracks: Annotated[list[str], Field(min_length=1)]
    tunnel: bool = False
    ferry: Annotated[int, Field(ge=0, le=MAX_LENGTH)] = 0
    bend: Annotated[float, Field(ge=-1, le=1)] = 0.0


class TicketEntry(Entry):
    between: Between
    points: Positive
    decks: Annotated[list[Name], Field(min_length=1)]


class TicketRulesEntry(Entry):
    deck: str
    deal: Count
    keep: Count
    rejected: Rejected = "bottom"
    draw: Annotated[int, Field(ge=1, le=MAX_OFFER)]
    draw_keep: Positive = 1


class LongTicketsEntry(Entry):
    deck: str
    deal: Count
    keep_at_most: Count


class StationsEntry(Entry):
    each: Annotated[int, Field(ge=0, le=MAX_STATIONS)]
    unused_points: Count


class MarkersEntry(Entry):
    each: Annotated[int, Field(ge=0, le=MAX_LENGTH)]
    cards: Annotated[int, Field(ge=0, le=MAX_LENGTH)]
    count_at_once: bool = False


class AlvinEntry(Entry):
    city: str
    capture_points: Count
    holder_points: Count


class SouvenirTableEntry(Entry):
    height: Tokens
    placed_by: list[Annotated[int, Field(ge=0, lt=MAX_SEATS)]]
    placed_height: Tokens


class SouvenirsEntry(Entry):
    points: Annotated[list[Count], Field(min_length=2, max_length=MAX_SYMBOLS + 1)]
    fixed: list[str]
    players: dict[str, SouvenirTableEntry]


class RulesEntry(Entry):
    players: Annotated[list[Annotated[int, Field(ge=2, le=MAX_SEATS)]], Field(min_length=2, max_length=2)]
    trains: Annotated[int, Field(ge=1, le=200)]
    last_round_at: Count = 2
    equal_turns: bool = False
    hand: BySeat = 4
    start_points: BySeat = 0
    display: Annotated[int, Field(ge=0, le=MAX_DISPLAY)] = 5
    display_wild_limit: Positive = 3
    draw_when_dry: bool = True
    tickets: TicketRulesEntry
    long_tickets: LongTicketsEntry | None = None
    route_points: Annotated[dict[str, Count], Field(min_length=1)]
    parallel_open_from: Positive = 4
    own_network: bool = False
    tunnel_cards: Annotated[int, Field(ge=0, le=8)] = 3
    stations: StationsEntry | None = None
    markers: MarkersEntry | None = None
    alvin: AlvinEntry | None = None
    souvenirs: SouvenirsEntry | None = None
    longest_trail_bonus: Count = 0
    most_tickets_bonus: Count = 0
    tie_breaks: Annotated[list[TieBreak], Field(max_length=3)] = ["tickets"]


class VariantEntry(Entry):
    title: Title
    rules: dict[str, Any] = {}  # the keys of RulesEntry that differ


class BoardFile(Entry):
    format: Literal[1]
    name: Name
    title: Title
    status: Status = "published"
    picture: PictureEntry
    colours: Annotated[dict[Name, ColourEntry], Field(min_length=1, max_length=MAX_COLOURS)]
    wilds: WildsEntry
    rules: RulesEntry
    cities: Annotated[list[CityEntry], Field(min_length=2, max_length=MAX_CITIES)]
    connections: Annotated[list[ConnectionEntry], Field(min_length=1)]
    tickets: Annotated[list[TicketEntry], Field(min_length=1)]
    variants: Annotated[dict[Name, VariantEntry], Field(max_length=MAX_VARIANTS)] = {}


def paint_and_letter(name: str, colour: ColourEntry) -> tuple[str, str]:
    """Return the paint and the letter of a colour: `("#f2d230", "Y")`."""
    paint, letter = PAINTS.get(name, ("#9a9a9a", name[:1].upper()))
    return colour.paint or paint, colour.letter or letter


def keys_at(place: tuple[str | int, ...], entry: type[Entry] = BoardFile) -> list[str]:
    """Return the keys that a table may have, given its place in a board file or in another entry.

    >>> keys_at(("colours", "red"))
    ['cards', 'paint', 'letter']
    """
    for key in place:  # positions in lists and names that the author chose lead to no other kind of table
        if field := entry.model_fields.get(str(key)):
            entry = next(_entries_in(field.annotation), entry)
    return list(entry.model_fields)


def _entries_in(annotation: Any) -> Iterator[type[Entry]]:
    """Yield the kinds of tables in a type, such as `SouvenirTableEntry` in `dict[str, SouvenirTableEntry]`."""
    if isinstance(annotation, type) and issubclass(annotation, Entry):
        yield annotation
    for argument in get_args(annotation):
        yield from _entries_in(argument)

"""The form of a board file: which keys there are, of what type and in what range.

What only several keys together can break (a route to an unknown city, a deck too small) is in `problems`.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from ttrsim.boards.board import Rejected, Status, TieBreak

# What the compiled core has room for.
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
"""None plays with another, but all are read and checked with their board."""

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
"""How colours are drawn, and the letter that tells them apart, where a board file says nothing."""

TEXT = r"^[^\x00-\x1f\x7f]*\S$"
PAINT = "^#[0-9a-fA-F]{6}$"
LETTER = r"^[^\s\x00-\x1f\x7f]$"
PATTERN_WORDS = {
    TEXT: "should be one line of text without tabs or other control characters and without a space at its end",
    PAINT: "should be # and six hexadecimal digits, as #5b6b7a",
    LETTER: "should be one character that can be seen",
}
"""What a text that must match a pattern should be."""

Name = Annotated[str, StringConstraints(min_length=1, max_length=60, pattern=TEXT)]
Title = Annotated[str, StringConstraints(min_length=1, max_length=120, pattern=TEXT)]
MOST = 1000
"""The highest that points and other counts may be."""
Count = Annotated[int, Field(ge=0, le=MOST)]
Positive = Annotated[int, Field(ge=1, le=MOST)]
Tokens = Annotated[int, Field(ge=1, le=100)]
Coordinate = Annotated[float, Field(ge=0, le=100_000)]
Pair = Annotated[list[str], Field(min_length=2, max_length=2)]


class Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


class Picture(Part):
    width: Annotated[float, Field(gt=0, le=100_000)]
    height: Annotated[float, Field(gt=0, le=100_000)]


class ColourPart(Part):
    cards: Annotated[int, Field(ge=1, le=MAX_CARDS)]
    paint: Annotated[str, StringConstraints(pattern=PAINT)] | None = None
    letter: Annotated[str, StringConstraints(pattern=LETTER)] | None = None


class WildsPart(Part):
    cards: Annotated[int, Field(ge=0, le=MAX_CARDS)]
    name: Name = "wild"


class CityPart(Part):
    name: Name
    x: Coordinate
    y: Coordinate
    aliases: list[Name] = []
    label: Literal["", "N", "NE", "E", "SE", "S", "SW", "W", "NW"] = ""


class ConnectionPart(Part):
    between: Pair
    length: Annotated[int, Field(ge=1, le=MAX_LENGTH)]
    tracks: Annotated[list[str], Field(min_length=1)]
    tunnel: bool = False
    ferry: Annotated[int, Field(ge=0, le=MAX_LENGTH)] = 0
    bend: Annotated[float, Field(ge=-1, le=1)] = 0.0


class TicketPart(Part):
    between: Pair
    points: Positive
    decks: Annotated[list[Name], Field(min_length=1)]


class TicketRulesPart(Part):
    deck: str
    deal: Count
    keep: Count
    rejected: Rejected = "bottom"
    draw: Annotated[int, Field(ge=1, le=MAX_OFFER)]
    draw_keep: Positive = 1


class LongTicketsPart(Part):
    deck: str
    deal: Count
    keep_at_most: Count


class StationsPart(Part):
    each: Annotated[int, Field(ge=0, le=MAX_STATIONS)]
    unused_points: Count


class MarkersPart(Part):
    each: Annotated[int, Field(ge=0, le=MAX_LENGTH)]
    cards: Annotated[int, Field(ge=0, le=MAX_LENGTH)]


class AlvinPart(Part):
    city: str
    capture_points: Count
    holder_points: Count


class SouvenirTablePart(Part):
    height: Tokens
    placed_by: list[Annotated[int, Field(ge=0, lt=MAX_SEATS)]]
    placed_height: Tokens


class SouvenirsPart(Part):
    points: Annotated[list[Count], Field(min_length=2, max_length=MAX_SYMBOLS + 1)]
    fixed: list[str]
    players: dict[str, SouvenirTablePart]


class RulesPart(Part):
    players: Annotated[list[Annotated[int, Field(ge=2, le=MAX_SEATS)]], Field(min_length=2, max_length=2)]
    trains: Annotated[int, Field(ge=1, le=200)]
    last_round_at: Count = 2
    hand: Count = 4
    display: Annotated[int, Field(ge=0, le=MAX_DISPLAY)] = 5
    display_wild_limit: Positive = 3
    tickets: TicketRulesPart
    long_tickets: LongTicketsPart | None = None
    route_points: Annotated[dict[str, Count], Field(min_length=1)]
    parallel_open_from: Positive = 4
    own_network: bool = False
    tunnel_cards: Annotated[int, Field(ge=0, le=8)] = 3
    stations: StationsPart | None = None
    markers: MarkersPart | None = None
    alvin: AlvinPart | None = None
    souvenirs: SouvenirsPart | None = None
    longest_trail_bonus: Count = 0
    most_tickets_bonus: Count = 0
    tie_breaks: Annotated[list[TieBreak], Field(max_length=3)] = ["tickets"]


class VariantPart(Part):
    title: Title
    rules: dict[str, Any] = {}  # the keys of RulesPart that differ


class BoardFile(Part):
    format: Literal[1]
    name: Name
    title: Title
    status: Status = "published"
    picture: Picture
    colours: Annotated[dict[Name, ColourPart], Field(min_length=1, max_length=MAX_COLOURS)]
    wilds: WildsPart
    rules: RulesPart
    cities: Annotated[list[CityPart], Field(min_length=2, max_length=MAX_CITIES)]
    connections: Annotated[list[ConnectionPart], Field(min_length=1)]
    tickets: Annotated[list[TicketPart], Field(min_length=1)]
    variants: Annotated[dict[Name, VariantPart], Field(max_length=MAX_VARIANTS)] = {}


def paint_and_letter(name: str, colour: ColourPart) -> tuple[str, str]:
    """Return the colour and letter by which a colour is drawn: `("#f2d230", "Y")`."""
    paint, letter = PAINTS.get(name, ("#9a9a9a", name[:1].upper()))
    return colour.paint or paint, colour.letter or letter


def keys_at(place: tuple[str | int, ...], part: type[Part] = BoardFile) -> list[str]:
    """Return the keys that the table at this place in a board file, or in another part, may have.

    >>> keys_at(("colours", "red"))
    ['cards', 'paint', 'letter']
    """
    for key in place:  # a number in a list or a name of the author's own leads to no other kind of table
        if field := part.model_fields.get(str(key)):
            part = next(_parts_in(field.annotation), part)
    return list(part.model_fields)


def _parts_in(annotation: Any) -> Iterator[type[Part]]:
    """Yield the kinds of tables in a type, as `SouvenirTablePart` in `dict[str, SouvenirTablePart]`."""
    if isinstance(annotation, type) and issubclass(annotation, Part):
        yield annotation
    for argument in get_args(annotation):
        yield from _parts_in(argument)

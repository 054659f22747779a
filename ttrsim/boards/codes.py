"""Name every kind of problem that a board file can have by a code: B0 and B1 are errors, B2 warnings."""

from typing import NamedTuple

Where = tuple[str | int, ...]
"""A place in a board file: keys, and positions in lists from 0, such as `("tickets", 4, "points")`."""

CODES = {
    "B001": "the file cannot be read or is too large",
    "B002": "the file is not TOML",
    "B101": "a required key is missing",
    "B102": "an unknown key",
    "B103": "a value of the wrong kind or out of its range",
    "B111": "two cities have the same name or spelling",
    "B112": "two cities are in the same place",
    "B113": "a city lies outside the picture",
    "B121": "a colour of cards is called gray",
    "B122": "too many cards for the program, or too few to deal",
    "B123": "two colours have the same letter",
    "B131": "a city that is not on the board",
    "B132": "a route or a ticket from a city to itself",
    "B133": "a track of an unknown colour",
    "B134": "a ferry with more symbols than spaces or wild cards, or that is also a tunnel",
    "B135": "a connection is listed twice",
    "B136": "more routes, or tickets in play, than there is room for",
    "B137": "the board is in several pieces",
    "B138": "a length that scores nothing or cannot be",
    "B141": "a ticket is twice in a deck",
    "B142": "a deck that is missing or too small to deal from",
    "B143": "more tickets to keep than are dealt or drawn, or more dealt than there is room for",
    "B151": "the numbers of players, or numbers by seat, do not fit",
    "B152": "a limit of wild cards that the display cannot reach",
    "B153": "a rule lacks another that it needs",
    "B154": "the souvenirs do not fit the board",
    "B201": "two cities nearly in the same place",
    "B202": "two connections cross",
    "B203": "a ticket between neighbours",
    "B204": "a ticket whose points are far from its trains",
    "B205": "a city that no ticket wants",
    "B206": "a city with a single connection",
    "B207": "a connection that alone holds the board together",
    "B208": "a route that no hand can pay for",
    "B209": "a colour with few cards for its spaces",
    "B210": "a colour with many more spaces than another",
    "B211": "a colour that no route asks for",
    "B212": "trains and spaces out of proportion",
    "B213": "few tickets for so many players",
    "B214": "a ticket that takes more trains than a player has",
    "B215": "a route longer than a player has trains",
    "B216": "a ticket in no deck that is played",
    "B217": "a route drawn much shorter or longer than others of its length",
    "B218": "a longer route that scores no more than a shorter one",
}
"""The code of each kind of problem, with what it is about."""


class Problem(NamedTuple):
    """A problem of a board file."""

    code: str
    where: Where
    text: str  # the entry, its value, and the rule: "tickets 5 (Bern–Dax).points: 0: should be …"

    @property
    def warning(self) -> bool:
        """Return whether the board can be played all the same."""
        return self.code.startswith("B2")

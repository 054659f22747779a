"""The board as the rest of ttrsim sees it: frozen and typed, with everything found by index or by the user's names."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Literal, TypeVar

from ttrsim.errors import UsageError, did_you_mean

GRAY = "gray"
"""The colour of a route that takes cards of any one colour."""

LONG = " (long)"
"""The end of the name of a long ticket, where it is marked."""

TieBreak = Literal["tickets", "fewest_stations", "longest_trail"]
Rejected = Literal["bottom", "shuffled", "removed"]
Status = Literal["published", "reconstruction"]


@lru_cache(4096)
def plain(name: str) -> str:
    """Return a name without accents and capitals, as a user may type it: `plain("København") == "kobenhavn"`."""
    folded = unicodedata.normalize("NFKD", name.casefold().replace("ø", "o").replace("ł", "l"))
    return "".join(c for c in folded if not unicodedata.combining(c)).strip()


@dataclass(frozen=True, slots=True)
class City:
    """A place on the board."""

    index: int
    name: str
    x: float  # from the left edge, in the units of `Board.picture`
    y: float  # from the top edge, downwards
    aliases: tuple[str, ...]  # other spellings a user may type
    label: str  # the side of the city on which its name is drawn, such as "NE"; "" leaves it to the drawing


@dataclass(frozen=True, slots=True)
class Colour:
    """A kind of coloured card."""

    index: int
    name: str
    cards: int  # number in the deck
    paint: str  # the colour it is drawn in, as "#rrggbb"
    letter: str  # marks it for readers who cannot see colours


@dataclass(frozen=True, slots=True)
class Route:
    """One track between two cities."""

    index: int
    a: int  # index of one city
    b: int  # index of the other
    length: int  # in spaces, which is also in trains
    colour: int | None  # index of the colour it requires; None for gray
    ferry: int  # wild cards that the payment must contain
    tunnel: bool
    connection: int  # index of the connection; parallel routes share it
    bend: float  # how far the drawn track bows out, as a fraction of its length


@dataclass(frozen=True, slots=True)
class Ticket:
    """A destination ticket."""

    index: int
    a: int  # index of one city
    b: int  # index of the other
    points: int
    long: bool  # dealt from the deck of long tickets

    @property
    def deck(self) -> str:
        """`"long"` or `"regular"`."""
        return "long" if self.long else "regular"


@dataclass(frozen=True, slots=True)
class TicketRules:
    """The deal and the draws of tickets from one deck."""

    deck: str  # name of the deck
    deal: int  # regular tickets dealt to each player
    keep: int  # the fewest of all those dealt that must be kept
    rejected: Rejected  # where dealt ones not kept go: under the deck, shuffled together under it, out of the game
    draw: int  # drawn later, as an action
    draw_keep: int  # the fewest of those that must be kept


@dataclass(frozen=True, slots=True)
class LongTicketRules:
    """Long tickets: dealt only at the opening; the rest of their deck leaves the game."""

    deck: str
    deal: int  # dealt to each player besides the regular ones
    keep_at_most: int  # the most of them that a player may keep


@dataclass(frozen=True, slots=True)
class StationRules:
    each: int  # stations a player has; the n-th costs n cards of one colour
    unused_points: int  # for each one left at the end


@dataclass(frozen=True, slots=True)
class MarkerRules:
    each: int  # city markers a player has; the first marks the start city
    cards: int  # cards of one colour that a later one costs
    count_at_once: bool  # one placed after a claim already counts for the points of that claim


@dataclass(frozen=True, slots=True)
class AlvinRules:
    city: int  # index of the city he starts in, where no marker may stand
    capture_points: int  # at once, for each capture
    holder_points: int  # at the end, for whoever holds him


@dataclass(frozen=True, slots=True)
class SouvenirTable:
    """Souvenir stacks at one number of players."""

    height: int  # tokens in each fixed stack
    placed_by: tuple[int, ...]  # the seats that place the further stacks, in that order
    placed_height: int  # tokens in each of those


@dataclass(frozen=True, slots=True)
class SouvenirRules:
    points: tuple[int, ...]  # points[n] for n different symbols
    fixed: tuple[int, ...]  # cities with a stack from the start, one symbol each
    players: dict[int, SouvenirTable]  # by number of players

    @property
    def symbols(self) -> int:
        """The number of kinds of token."""
        return len(self.points) - 1


@dataclass(frozen=True, slots=True)
class Rules:
    """Every rule value of a board; None or 0 for whatever a board does not have."""

    players: tuple[int, int]  # fewest, most
    trains: int  # each
    last_round_at: int  # a turn that ends with this many trains or fewer starts the last round
    equal_turns: bool  # the round in which the last round starts is first played to its end
    hand: tuple[int, ...]  # cards dealt, by seat
    start_points: tuple[int, ...]  # points that a player has before the first turn, by seat
    display: int  # cards face up
    display_wild_limit: int  # with this many wilds face up, the display is discarded
    draw_when_dry: bool  # with neither deck nor discards, face-up cards may still be drawn
    tickets: TicketRules
    long_tickets: LongTicketRules | None
    route_points: dict[int, int]  # length -> points
    parallel_open_from: int  # with this many players or more, all routes of a connection are open
    own_network: bool  # a claim must touch the player's own network
    tunnel_cards: int  # cards turned up at a tunnel
    stations: StationRules | None
    markers: MarkerRules | None
    alvin: AlvinRules | None
    souvenirs: SouvenirRules | None
    longest_trail_bonus: int
    most_tickets_bonus: int
    tie_breaks: tuple[TieBreak, ...]  # in order


@dataclass(frozen=True)
class Board:
    """A board with one variant's decks and rules: everything that a game needs to know.

    >>> usa = load_board("usa")
    >>> usa.cities[usa.city("Montreal")].name
    'Montréal'
    """

    id: str  # as a user names it: "usa:mega"
    name: str  # as a person calls it: "USA"
    title: str  # the printed game, or the variant
    status: Status  # "reconstruction": the routes or tickets are not the published ones
    sha256: str  # of the board file
    picture: tuple[float, float]  # width and height of the box the cities lie in
    cities: tuple[City, ...]
    colours: tuple[Colour, ...]
    wilds: int  # wild cards in the deck
    wild_name: str  # what the board calls them
    routes: tuple[Route, ...]
    connections: tuple[tuple[int, ...], ...]  # the indices of the parallel routes of each
    tickets: tuple[Ticket, ...]  # those in play, long ones first
    rules: Rules
    source: bytes = field(repr=False)  # the board file as it was read

    @cached_property
    def _city_by_plain_name(self) -> dict[str, int]:
        spellings = [(name, c.index) for c in self.cities for name in (*c.aliases, c.name)]
        return {plain(name): index for name, index in spellings}

    @cached_property
    def _shared_ends(self) -> set[frozenset[int]]:
        """The two cities of tickets that both a long and a regular one join."""
        long, regular = ({frozenset((t.a, t.b)) for t in self.tickets if t.long == of} for of in (True, False))
        return long & regular

    def __repr__(self) -> str:
        fewest, most = self.rules.players
        counts = f"{len(self.cities)} cities, {len(self.routes)} routes, {len(self.tickets)} tickets"
        return f"<Board {self.id}: {self.name}, {counts}, {fewest} to {most} players>"

    def _repr_html_(self) -> str:
        from ttrsim.notebook import board_html

        return board_html(self)

    @property
    def full_name(self) -> str:
        """The name with that of the variant: `USA 1910`."""
        variant = self.id.partition("[")[0].partition(":")[2]
        return f"{self.name} {variant.replace('-', ' ')}".strip()

    def city(self, name: str) -> int:
        """Return the index of a city; accents and capitals are optional. Raises KeyError."""
        return self._city_by_plain_name[plain(name)]

    def route_name(self, route: Route | int) -> str:
        """Return `"Denver–Kansas City (black)"`, with the colour only where there are parallel routes."""
        r = self.routes[route] if isinstance(route, int) else route
        name = self.connection_name(r.connection)
        twins = self.connections[r.connection]
        if len(twins) == 1:
            return name
        colours = [self.colour_name(self.routes[t].colour) for t in twins]
        colour = self.colour_name(r.colour)
        number = f", track {twins.index(r.index) + 1}" if colours.count(colour) > 1 else ""
        return f"{name} ({colour}{number})"

    def connection_name(self, connection: int) -> str:
        """Return `"Denver–Kansas City"`, whatever the colours of its routes."""
        r = self.routes[self.connections[connection][0]]
        return f"{self.cities[r.a].name}–{self.cities[r.b].name}"

    def ticket_name(self, ticket: Ticket | int) -> str:
        """Return `"Denver–El Paso"`; no other ticket has the name.

        Only a long and a regular ticket may join the same cities: `"Roma–Kyiv (long)"`, `"Roma–Kyiv (regular)"`.
        """
        t = self.tickets[ticket] if isinstance(ticket, int) else ticket
        name = f"{self.cities[t.a].name}–{self.cities[t.b].name}"
        return f"{name} ({t.deck})" if frozenset((t.a, t.b)) in self._shared_ends else name

    def ticket_label(self, ticket: Ticket) -> str:
        """Return the name with every long ticket marked: `"Brest–Petrograd (long)"`."""
        name = self.ticket_name(ticket)
        return f"{name.removesuffix(LONG)}{LONG}" if ticket.long else name

    def colour_name(self, colour: int | None) -> str:
        """Return the name of a route's colour, which may be gray."""
        return GRAY if colour is None else self.colours[colour].name

    @property
    def cards(self) -> int:
        """The number of train cards, including wilds."""
        return self.wilds + sum(c.cards for c in self.colours)

    def check_players(self, number: int) -> None:
        """Refuse a number of players that the board does not allow."""
        fewest, most = self.rules.players
        if not fewest <= number <= most:
            raise UsageError([f"{self.id} is for {fewest} to {most} players, not {number}"])


T = TypeVar("T")


@dataclass(frozen=True)
class Place:
    """A place that can be closed: a route, all parallel routes of a connection, or all routes of a city."""

    name: str
    routes: tuple[int, ...]


def find_tickets(board: Board, names: Sequence[str] | None) -> list[int]:
    """Return tickets by name, such as "Denver–El Paso"; all if no names are given.

    Either city may come first; accents, capitals and long dashes are optional. A name without a deck stands for the
    long and the regular ticket between its cities; with one, as in "Roma–Kyiv (long)", for that alone.
    """
    if names is None:
        return list(range(len(board.tickets)))
    between: dict[frozenset[int], list[int]] = {}
    for ticket in board.tickets:
        between.setdefault(frozenset((ticket.a, ticket.b)), []).append(ticket.index)
    known = {split_deck(board.ticket_name(numbers[0]))[0]: numbers for numbers in between.values()}
    found: list[int] = []
    for name in names:
        cities, deck = split_deck(name)
        of_deck = [t for t in _find("ticket", board, cities, known) if deck in ("", board.tickets[t].deck)]
        if not of_deck:
            raise UsageError([f"no {deck} ticket {cities!r} on {board.id}; write {cities!r} alone"])
        found += of_deck
    return list(dict.fromkeys(found))


def split_deck(name: str) -> tuple[str, str]:
    """Return the name of a ticket without its deck, and the deck; "" if none is named.

    >>> split_deck("Brest–Petrograd (long)")
    ('Brest–Petrograd', 'long')
    """
    found = re.fullmatch(r"(.*\S)\s*\((long|regular)\)\s*", name, re.DOTALL)
    return (found[1], found[2]) if found else (name, "")


def find_connection(board: Board, name: str) -> int:
    """Return a connection by name, such as "Denver–Omaha"; spelled as `find_tickets` allows."""
    return _find("connection", board, name, {board.connection_name(c): c for c in range(len(board.connections))})


def find_places(board: Board, names: Sequence[str]) -> list[Place]:
    """Return routes, connections and cities by name: "Denver–Kansas City (black)", "Denver–Kansas City" or "Denver"."""
    return [_find("route, connection or city", board, name, places(board)) for name in names]


def places(board: Board) -> dict[str, Place]:
    """Return every place that can be closed, by name."""
    known: dict[str, Place] = {}
    for city in board.cities:
        known[city.name] = Place(city.name, tuple(r.index for r in board.routes if city.index in (r.a, r.b)))
    for connection, routes in enumerate(board.connections):
        name = board.connection_name(connection)
        known[name] = Place(name, routes)
    for route in board.routes:
        name = board.route_name(route)
        known.setdefault(name, Place(name, (route.index,)))
    return known


def _find(what: str, board: Board, name: str, known: Mapping[str, T]) -> T:
    spelled = {spelling(spell(key)): value for spell in (_turned, str) for key, value in known.items()}
    if spelling(name) in spelled:
        return spelled[spelling(name)]
    raise UsageError(
        [f"no {what} {name!r} on {board.id}{did_you_mean(name, known, f'for example {next(iter(known))}')}"]
    )


def spelling(name: str) -> str:
    """Return a name without accents, capitals and long dashes."""
    return plain(name.replace("–", "-").replace(" - ", "-"))


def _turned(name: str) -> str:
    """Return a name with its other city first."""
    first, dash, rest = name.partition("–")
    second, *colour = rest.split(" (", 1)
    return f"{second}–{' ('.join([first, *colour])}" if dash else name

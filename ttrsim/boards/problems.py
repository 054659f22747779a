"""Find mistakes in a board file that involve several entries.

Each check yields sentences `entry: value: rule`, to which the reader adds the file's name. If entries are broken, the
sound part of the file is still checked, so that all problems can be listed at once: a broken entry gets a stand-in
that breaks no rule, and checks that depend on unknown values are left out.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from ttrsim.boards.board import GRAY, plain
from ttrsim.boards.file import (
    MAX_CARDS,
    MAX_CITIES,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_ROUTES,
    MAX_TICKETS,
    MAX_VARIANTS,
    BoardFile,
    CityEntry,
    ColourEntry,
    ConnectionEntry,
    Entry,
    PictureEntry,
    RulesEntry,
    TicketEntry,
    TicketRulesEntry,
    VariantEntry,
    WildsEntry,
    paint_and_letter,
)
from ttrsim.errors import did_you_mean
from ttrsim.formatting import counted


def find(file: BoardFile, skip: Collection[str] = ()) -> list[str]:
    """Return the problems of the file itself, whatever the variant; `skip` names checks to leave out."""
    checks = {
        "cities": _city_problems,
        "colours": _colour_problems,
        "letters": _letter_problems,
        "connections": _connection_problems,
        "tickets": _ticket_problems,
        "graph": _graph_problems,
    }
    return [problem for name, check in checks.items() if name not in skip for problem in check(file)]


def find_in_rules(file: BoardFile, rules: RulesEntry, skip: Collection[str] = ()) -> list[str]:
    """Return the problems of one set of rules on this board: its own or a variant's."""
    checks = {
        "players": _player_problems,
        "seats": _seat_problems,
        "lengths": _length_problems,
        "decks": _deck_problems,
        "cards": _card_problems,
        "network": _network_problems,
        "souvenirs": _souvenir_problems,
    }
    return [problem for name, check in checks.items() if name not in skip for problem in check(file, rules)]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def _repeated(values: list[str]) -> list[str]:
    return [v for v, n in Counter(values).items() if n > 1]


def _entry(what: str, number: int, between: list[str]) -> str:
    return f"{what} {number} ({'–'.join(between)})"


def _no_city(file: BoardFile, name: str) -> str:
    if of := [c.name for c in file.cities if name in c.aliases]:
        return f"{name!r}: is only another spelling, for commands; here write {of[0]}"
    hint = did_you_mean(name, [c.name for c in file.cities[:MAX_CITIES]], "add it to cities or correct the name")
    return f"{name!r}: no such city{hint}"


def _known(file: BoardFile) -> set[str]:
    return {c.name for c in file.cities}


def _city_problems(file: BoardFile) -> Iterator[str]:
    for name in _repeated([plain(c.name) for c in file.cities]):
        yield f"cities: {name!r}: two cities have this name (accents and capitals do not count)"
    names = {plain(c.name) for c in file.cities}
    aliases = [plain(a) for c in file.cities for a in {plain(a) for a in c.aliases} - {plain(c.name)}]
    for alias in {*_repeated(aliases), *(names & set(aliases))}:
        yield f"cities: alias {alias!r}: it is also a name of another city"
    first: dict[tuple[float, float], str] = {}
    for c in file.cities:
        if (other := first.setdefault((c.x, c.y), c.name)) != c.name:
            yield f"cities: {other} and {c.name}: both at x = {c.x:g}, y = {c.y:g}; give each its own place"
    for c in file.cities:
        if c.x > file.picture.width or c.y > file.picture.height:
            size = f"{file.picture.width:g} × {file.picture.height:g}"
            yield f"cities: {c.name}: x = {c.x:g}, y = {c.y:g} is outside the picture of {size}"


def _colour_problems(file: BoardFile) -> Iterator[str]:
    if GRAY in file.colours:
        yield "colours: 'gray': gray is not a card colour; it marks routes that take any colour"
    cards = file.wilds.cards + sum(c.cards for c in file.colours.values())
    if cards > MAX_CARDS:
        yield f"colours: {cards} cards in total: there is room for {MAX_CARDS}"


def _letter_problems(file: BoardFile) -> Iterator[str]:
    letters = {name: paint_and_letter(name, entry)[1] for name, entry in file.colours.items()}
    for letter in _repeated(list(letters.values())):
        same = _listed(name for name in letters if letters[name] == letter)
        yield f"colours: {same}: all have the letter {letter!r}, which should distinguish them; give each its own"


def _connection_problems(file: BoardFile) -> Iterator[str]:
    known, colours = _known(file), set(file.colours) | {GRAY}
    first: dict[frozenset[str], int] = {}
    for i, c in enumerate(file.connections):
        where = _entry("connections", i + 1, c.between)
        for name in sorted(set(c.between) - known):
            yield f"{where}: {_no_city(file, name)}"
        if c.between[0] == c.between[1]:
            yield f"{where}: a route from a city to itself; it must join two cities"
        for colour in sorted(set(c.tracks) - colours):
            yield f"{where}: colour {colour!r}: unknown; known are {_listed(colours)}"
        if c.ferry > c.length:
            yield f"{where}: ferry = {c.ferry}: more ferry symbols than its length of {c.length}"
        if c.ferry > file.wilds.cards:
            yield f"{where}: ferry = {c.ferry}: the deck has {counted(file.wilds.cards, 'wild card')} to pay with"
        if c.ferry and c.tunnel:
            yield f"{where}: both ferry and tunnel; a route is at most one of them"
        other = first.setdefault(frozenset(c.between), i)
        if other != i and file.connections[other].length != c.length:
            lengths = f"{file.connections[other].length} and {c.length}"
            yield f"{where}: parallel routes of unequal length ({lengths}, see entry {other + 1})"
        elif other != i:
            yield f"{where}: already listed as entry {other + 1}; parallel routes are one entry with several tracks"
    routes = sum(len(c.tracks) for c in file.connections)
    if routes > MAX_ROUTES:
        yield f"connections: {routes} routes: there is room for {MAX_ROUTES}"


def _ticket_problems(file: BoardFile) -> Iterator[str]:
    known = _known(file)
    seen: dict[tuple[str, frozenset[str]], int] = {}
    for i, t in enumerate(file.tickets):
        where = _entry("tickets", i + 1, t.between)
        for name in sorted(set(t.between) - known):
            yield f"{where}: {_no_city(file, name)}"
        if t.between[0] == t.between[1]:
            yield f"{where}: a ticket between a city and itself; it must join two cities"
        for deck in _repeated(t.decks):
            yield f"{where}: deck {deck!r} is named twice"
        for deck in sorted(set(t.decks)):
            other = seen.setdefault((deck, frozenset(t.between)), i)
            if other != i:
                yield f"{where}: repeated in the deck {deck!r}, where it is already entry {other + 1}"


def _graph_problems(file: BoardFile) -> Iterator[str]:
    import networkx as nx  # takes a tenth of a second, which commands that read no board should not wait for

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(_known(file))
    graph.add_edges_from((c.between[0], c.between[1]) for c in file.connections if set(c.between) <= _known(file))
    pieces = sorted(nx.connected_components(graph), key=len)
    if len(pieces) > 1:
        small = ", ".join(sorted(pieces[0])[:4])
        yield f"connections: the board is in {len(pieces)} pieces ({small} cannot be reached); join them with a route"


def _player_problems(file: BoardFile, rules: RulesEntry) -> Iterator[str]:
    fewest, most = rules.players
    if fewest > most:
        yield f"rules.players: {rules.players}: give the fewest first, then the most"


def _seat_problems(file: BoardFile, rules: RulesEntry) -> Iterator[str]:
    for name in ("hand", "start_points"):
        value = getattr(rules, name)
        if isinstance(value, list) and len(value) < rules.players[1]:
            few = f"{counted(len(value), 'number')} for up to {rules.players[1]} players"
            yield f"rules.{name}: {value}: {few}; give one for each seat, or a single one without brackets"


def _length_problems(file: BoardFile, rules: RulesEntry) -> Iterator[str]:
    good = {str(n) for n in range(1, MAX_LENGTH + 1)}
    for length in sorted(set(rules.route_points) - good):
        yield f"rules.route_points: {length!r}: a length is a whole number from 1 to {MAX_LENGTH}"
    for i, c in enumerate(file.connections):
        if str(c.length) not in rules.route_points:
            where, scored = _entry("connections", i + 1, c.between), _listed(rules.route_points)
            yield f"{where}: length {c.length} scores nothing; rules.route_points has {scored}"


def _deck_problems(file: BoardFile, rules: RulesEntry) -> Iterator[str]:
    decks = Counter(d for t in file.tickets for d in set(t.decks))
    t, long, most = rules.tickets, rules.long_tickets, rules.players[1]
    used = [("rules.tickets", t.deck, t.deal)] + (
        [("rules.long_tickets", long.deck, long.deal)] if long and long.deal else []
    )
    for where, deck, deal in used:
        if deck not in decks:
            yield f"{where}: deck {deck!r}: no ticket is in it; decks are {_listed(decks)}"
        elif decks[deck] < deal * most:
            few = counted(decks[deck], "ticket")
            yield f"{where}: deck {deck!r} has {few}, too few to deal {deal} to each of {most} players"
    if sum(decks[deck] for _, deck, _ in used) > MAX_TICKETS:
        yield f"tickets: {sum(decks[deck] for _, deck, _ in used)} in play: there is room for {MAX_TICKETS}"
    if len(used) > 1 and used[0][1] == used[1][1]:
        yield f"rules.long_tickets: deck {t.deck!r} is also the deck of the regular tickets; they must differ"
    dealt = t.deal + (long.deal if long else 0)
    if dealt > MAX_OFFER:
        yield f"rules.tickets: {dealt} tickets dealt to a player: there is room for {MAX_OFFER}"
    keepable = t.deal + (min(long.deal, long.keep_at_most) if long else 0)
    if t.keep > keepable:
        yield f"rules.tickets: keep = {t.keep}: only {keepable} of the tickets dealt may be kept"
    if t.draw_keep > t.draw:
        yield f"rules.tickets: draw_keep = {t.draw_keep}: more than the {t.draw} drawn"


def _card_problems(file: BoardFile, rules: RulesEntry) -> Iterator[str]:
    cards = file.wilds.cards + sum(c.cards for c in file.colours.values())
    seats = rules.players[1]
    dealt = sum(rules.hand[:seats]) if isinstance(rules.hand, list) else rules.hand * seats
    need = dealt + rules.display
    if cards < need:
        hands = f"{seats} opening hands of {rules.hand}"
        yield f"colours: {cards} cards, too few for {hands} and a display of {rules.display} ({need})"
    if rules.display and rules.display_wild_limit > rules.display and file.wilds.cards:
        yield (
            f"rules.display_wild_limit: {rules.display_wild_limit}: "
            f"more than the display's {counted(rules.display, 'card')}; set it to {rules.display} at most"
        )


def _network_problems(file: BoardFile, rules: RulesEntry) -> Iterator[str]:
    markers = rules.markers.each if rules.markers else 0
    if rules.own_network and not markers:
        yield "rules.own_network: needs rules.markers, whose first marker is the start city"
    if rules.alvin and not markers:
        yield "rules.alvin: needs rules.markers, because he moves to cities with a marker"
    if rules.alvin and rules.alvin.city not in _known(file):
        yield f"rules.alvin: city {_no_city(file, rules.alvin.city)}"
    if markers and len(file.cities) < rules.players[1] + 1:
        yield f"rules.markers: {len(file.cities)} cities are too few for {rules.players[1]} start cities"


def _souvenir_problems(file: BoardFile, rules: RulesEntry) -> Iterator[str]:
    if not rules.souvenirs:
        return
    s, where = rules.souvenirs, "rules.souvenirs"
    for name in sorted(set(s.fixed) - _known(file)):
        yield f"{where}: fixed {_no_city(file, name)}"
    for name in _repeated(s.fixed):
        yield f"{where}: fixed {name!r} is named twice"
    for players in range(rules.players[0], rules.players[1] + 1):
        if str(players) not in s.players:
            yield f"{where}.players: no entry for {players} players"
    for players_key, table in s.players.items():
        entry = f"{where}.players.{players_key}"
        if (
            not players_key.isascii()
            or not players_key.isdigit()
            or not rules.players[0] <= int(players_key) <= rules.players[1]
        ):
            yield f"{entry}: the board is for {rules.players[0]} to {rules.players[1]} players"
            continue
        if any(seat >= int(players_key) for seat in table.placed_by):
            yield f"{entry}: placed_by = {table.placed_by}: seats go from 0 to {int(players_key) - 1}"
        stacks = len(s.fixed) + len(table.placed_by)
        if stacks > len(s.points) - 1:
            symbols = counted(len(s.points) - 1, "symbol")
            yield f"{entry}: {counted(stacks, 'stack')}, but points are given for {symbols}"
        if stacks > len(file.cities):
            yield f"{entry}: {stacks} stacks on {len(file.cities)} cities"


P = TypeVar("P", bound=Entry)

STAND_IN = "\ue000"
"""The first character of stand-in names, one for private use. Problems that mention it are not the file's."""


def salvage(document: Mapping[str, Any]) -> tuple[BoardFile, set[str]] | None:
    """Return the sound part of a document and the checks to leave out; None if a whole section is missing."""
    sections = {"cities": list, "connections": list, "tickets": list, "colours": dict}
    if not all(isinstance(document.get(key), kind) for key, kind in sections.items()):
        return None
    skip: set[str] = set()
    form = BoardFile.model_construct(
        format=1,
        name=STAND_IN,
        title=STAND_IN,
        picture=_mended(PictureEntry, document.get("picture"), {"width": 100_000.0, "height": 100_000.0})[0],
        colours={name: _card_entry(ColourEntry, raw, 1, skip) for name, raw in document["colours"].items()},
        wilds=_card_entry(WildsEntry, document.get("wilds"), MAX_CARDS, skip),
        rules=_rules(document.get("rules"), skip),
        cities=[_city(i, raw) for i, raw in enumerate(document["cities"])],
        connections=[_connection(i, raw, skip) for i, raw in enumerate(document["connections"])],
        tickets=[_ticket(i, raw, skip) for i, raw in enumerate(document["tickets"])],
        variants=_variants(document.get("variants")),
    )
    return form, skip


def _mended(entry: type[P], raw: Any, neutral: Mapping[str, Any]) -> tuple[P, set[str]]:
    """Return the entry with broken values replaced by neutral ones, and the keys of those."""
    values = raw if isinstance(raw, dict) else {}
    try:
        return entry.model_validate(values), set()
    except ValidationError as e:
        broken = {str(error["loc"][0]) for error in e.errors()}
    kept = {key: value for key, value in values.items() if key not in broken}
    return entry.model_validate(kept | {key: neutral[key] for key in broken & set(neutral)}), broken


def _card_entry(entry: type[P], raw: Any, cards: int, skip: set[str]) -> P:
    mended, broken = _mended(entry, raw, {"cards": cards})
    if "cards" in broken:
        skip |= {"colours", "cards"}
    if broken:  # the letter may be what is broken
        skip.add("letters")
    return mended


def _city(i: int, raw: Any) -> CityEntry:
    # Positions differ by a hair, because two cities at one place would be a problem.
    return _mended(CityEntry, raw, {"name": f"{STAND_IN}{i}", "x": (i + 1) * 1e-6, "y": 0.0})[0]


def _connection(i: int, raw: Any, skip: set[str]) -> ConnectionEntry:
    neutral = {"between": [f"{STAND_IN}{i}", f"{STAND_IN}{i} too"], "length": 1, "tracks": [GRAY]}
    mended, broken = _mended(ConnectionEntry, raw, neutral)
    if broken & {"between", "length"}:
        skip.add("graph")
        return mended.model_copy(update={"between": neutral["between"]})
    return mended


def _ticket(i: int, raw: Any, skip: set[str]) -> TicketEntry:
    neutral = {"between": [f"{STAND_IN}{i}", f"{STAND_IN}{i} too"], "points": 1, "decks": [f"{STAND_IN}{i}"]}
    mended, broken = _mended(TicketEntry, raw, neutral)
    if "decks" in broken:
        skip.add("decks")
    return mended


def _rules(raw: Any, skip: set[str]) -> RulesEntry:
    try:
        return RulesEntry.model_validate(raw)
    except ValidationError:
        skip.add("rules")
        tickets = TicketRulesEntry(deck=STAND_IN, deal=1, keep=1, draw=1)
        return RulesEntry(players=[2, 2], trains=1, tickets=tickets, route_points={"1": 1})


def _variants(raw: Any) -> dict[str, VariantEntry]:
    if not isinstance(raw, dict):
        return {}
    few = list(raw.items())[:MAX_VARIANTS]
    return {name: _mended(VariantEntry, entry, {"title": name, "rules": {}})[0] for name, entry in few}

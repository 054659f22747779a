"""Find mistakes in a board file that involve several entries.

Each check yields problems whose text is `entry: value: rule`, to which the reader adds the file's name. If entries are
broken, the sound part of the file (`salvage`) is still checked, so that all problems can be listed at once.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from ttrsim.boards.board import GRAY, plain
from ttrsim.boards.codes import Problem
from ttrsim.boards.file import (
    MAX_CARDS,
    MAX_CITIES,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_ROUTES,
    MAX_TICKETS,
    BoardFile,
    ConnectionEntry,
    RulesEntry,
    SouvenirTableEntry,
    paint_and_letter,
)
from ttrsim.errors import did_you_mean
from ttrsim.formatting import counted


def find(file: BoardFile, skip: Collection[str] = ()) -> list[Problem]:
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


def find_in_rules(file: BoardFile, rules: RulesEntry, skip: Collection[str] = ()) -> list[Problem]:
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


def _city_problems(file: BoardFile) -> Iterator[Problem]:
    for name in _repeated([plain(c.name) for c in file.cities]):
        rule = "two cities have this name (accents and capitals do not count)"
        last = max(i for i, c in enumerate(file.cities) if plain(c.name) == name)
        yield Problem("B111", ("cities", last, "name"), f"cities: {name!r}: {rule}")
    names = {plain(c.name) for c in file.cities}
    aliases = [plain(a) for c in file.cities for a in {plain(a) for a in c.aliases} - {plain(c.name)}]
    for alias in {*_repeated(aliases), *(names & set(aliases))}:
        last = max(i for i, c in enumerate(file.cities) if alias in map(plain, c.aliases))
        yield Problem(
            "B111", ("cities", last, "aliases"), f"cities: alias {alias!r}: it is also a name of another city"
        )
    first: dict[tuple[float, float], str] = {}
    for i, c in enumerate(file.cities):
        if (other := first.setdefault((c.x, c.y), c.name)) != c.name:
            both = f"{other} and {c.name}: both at x = {c.x:g}, y = {c.y:g}; give each its own place"
            yield Problem("B112", ("cities", i), f"cities: {both}")
    for i, c in enumerate(file.cities):
        if c.x > file.picture.width or c.y > file.picture.height:
            size = f"{file.picture.width:g} × {file.picture.height:g}"
            outside = f"{c.name}: x = {c.x:g}, y = {c.y:g} is outside the picture of {size}"
            yield Problem("B113", ("cities", i), f"cities: {outside}")


def _colour_problems(file: BoardFile) -> Iterator[Problem]:
    if GRAY in file.colours:
        rule = "gray is not a card colour; it marks routes that take any colour"
        yield Problem("B121", ("colours", GRAY), f"colours: 'gray': {rule}")
    cards = file.wilds.cards + sum(c.cards for c in file.colours.values())
    if cards > MAX_CARDS:
        yield Problem("B122", ("colours",), f"colours: {cards} cards in total: there is room for {MAX_CARDS}")


def _letter_problems(file: BoardFile) -> Iterator[Problem]:
    letters = {name: paint_and_letter(name, entry)[1] for name, entry in file.colours.items()}
    for letter in _repeated(list(letters.values())):
        same = [name for name in letters if letters[name] == letter]
        rule = f"all have the letter {letter!r}, which should distinguish them; give each its own"
        yield Problem("B123", ("colours", same[-1]), f"colours: {_listed(same)}: {rule}")


def _connection_problems(file: BoardFile) -> Iterator[Problem]:
    colours = set(file.colours) | {GRAY}
    first: dict[frozenset[str], int] = {}
    for i, c in enumerate(file.connections):
        entry, place = _entry("connections", i + 1, c.between), ("connections", i)
        for code, rule in _end_rules(file, c.between, "a route from a city to itself"):
            yield Problem(code, (*place, "between"), f"{entry}: {rule}")
        for colour in sorted(set(c.tracks) - colours):
            rule = f"colour {colour!r}: unknown; known are {_listed(colours)}"
            yield Problem("B133", (*place, "tracks"), f"{entry}: {rule}")
        for rule in _ferry_rules(file, c):
            yield Problem("B134", (*place, "ferry"), f"{entry}: {rule}")
        other = first.setdefault(frozenset(c.between), i)
        if other != i and file.connections[other].length != c.length:
            lengths = f"{file.connections[other].length} and {c.length}"
            yield Problem(
                "B135", place, f"{entry}: parallel routes of unequal length ({lengths}, see entry {other + 1})"
            )
        elif other != i:
            rule = f"already listed as entry {other + 1}; parallel routes are one entry with several tracks"
            yield Problem("B135", place, f"{entry}: {rule}")
    routes = sum(len(c.tracks) for c in file.connections)
    if routes > MAX_ROUTES:
        yield Problem("B136", ("connections",), f"connections: {routes} routes: there is room for {MAX_ROUTES}")


def _ferry_rules(file: BoardFile, c: ConnectionEntry) -> Iterator[str]:
    if c.ferry > c.length:
        yield f"ferry = {c.ferry}: more ferry symbols than its length of {c.length}"
    if c.ferry > file.wilds.cards:
        yield f"ferry = {c.ferry}: the deck has {counted(file.wilds.cards, 'wild card')} to pay with"
    if c.ferry and c.tunnel:
        yield "both ferry and tunnel; a route is at most one of them"


def _ticket_problems(file: BoardFile) -> Iterator[Problem]:
    seen: dict[tuple[str, frozenset[str]], int] = {}
    for i, t in enumerate(file.tickets):
        entry, place = _entry("tickets", i + 1, t.between), ("tickets", i)
        for code, rule in _end_rules(file, t.between, "a ticket between a city and itself"):
            yield Problem(code, (*place, "between"), f"{entry}: {rule}")
        for deck in _repeated(t.decks):
            yield Problem("B141", (*place, "decks"), f"{entry}: deck {deck!r} is named twice")
        for deck in sorted(set(t.decks)):
            other = seen.setdefault((deck, frozenset(t.between)), i)
            if other != i:
                rule = f"repeated in the deck {deck!r}, where it is already entry {other + 1}"
                yield Problem("B141", place, f"{entry}: {rule}")


def _end_rules(file: BoardFile, ends: Sequence[str], loop: str) -> Iterator[tuple[str, str]]:
    """Yield the code and the rule of each problem with the two cities of an entry. loop: what it is if they are one."""
    for name in sorted(set(ends) - _known(file)):
        yield "B131", _no_city(file, name)
    if ends[0] == ends[1]:
        yield "B132", f"{loop}; it must join two cities"


def _graph_problems(file: BoardFile) -> Iterator[Problem]:
    pieces = sorted(_pieces(file), key=len)
    if len(pieces) > 1:
        small = ", ".join(sorted(pieces[0])[:4])
        rule = f"the board is in {len(pieces)} pieces ({small} cannot be reached); join them with a route"
        lost = next(i for i, c in enumerate(file.cities) if c.name in pieces[0])
        yield Problem("B137", ("cities", lost), f"connections: {rule}")


def _pieces(file: BoardFile) -> list[set[str]]:
    """Return the cities that routes join, piece by piece."""
    # Without networkx, because importing it takes longer than reading the file.
    piece_of = {c.name: {c.name} for c in file.cities}
    for c in file.connections:
        if piece_of.keys() >= set(c.between):
            one, other = (piece_of[name] for name in c.between)
            if one is not other:
                one |= other
                piece_of.update(dict.fromkeys(other, one))
    return list({id(piece): piece for piece in piece_of.values()}.values())


def _player_problems(file: BoardFile, rules: RulesEntry) -> Iterator[Problem]:
    fewest, most = rules.players
    if fewest > most:
        rule = "give the fewest first, then the most"
        yield Problem("B151", ("rules", "players"), f"rules.players: {rules.players}: {rule}")


def _seat_problems(file: BoardFile, rules: RulesEntry) -> Iterator[Problem]:
    for name in ("hand", "start_points"):
        value = getattr(rules, name)
        if isinstance(value, list) and len(value) < rules.players[1]:
            few = f"{counted(len(value), 'number')} for up to {rules.players[1]} players"
            rule = f"{few}; give one for each seat, or a single one without brackets"
            yield Problem("B151", ("rules", name), f"rules.{name}: {value}: {rule}")


def _length_problems(file: BoardFile, rules: RulesEntry) -> Iterator[Problem]:
    good = {str(n) for n in range(1, MAX_LENGTH + 1)}
    for length in sorted(set(rules.route_points) - good):
        rule = f"{length!r}: a length is a whole number from 1 to {MAX_LENGTH}"
        yield Problem("B138", ("rules", "route_points"), f"rules.route_points: {rule}")
    for i, c in enumerate(file.connections):
        if str(c.length) not in rules.route_points:
            entry, scored = _entry("connections", i + 1, c.between), _listed(rules.route_points)
            rule = f"length {c.length} scores nothing; rules.route_points has {scored}"
            yield Problem("B138", ("connections", i, "length"), f"{entry}: {rule}")


def _deck_problems(file: BoardFile, rules: RulesEntry) -> Iterator[Problem]:
    decks = Counter(d for t in file.tickets for d in set(t.decks))
    t, long, most = rules.tickets, rules.long_tickets, rules.players[1]
    used = [("tickets", t.deck, t.deal)] + ([("long_tickets", long.deck, long.deal)] if long and long.deal else [])
    for table, deck, deal in used:
        if deck not in decks:
            rule = f"no ticket is in it; decks are {_listed(decks)}"
            yield Problem("B142", ("rules", table), f"rules.{table}: deck {deck!r}: {rule}")
        elif decks[deck] < deal * most:
            few = f"{counted(decks[deck], 'ticket')}, too few to deal {deal} to each of {most} players"
            yield Problem("B142", ("rules", table), f"rules.{table}: deck {deck!r} has {few}")
    if (played := sum(decks[deck] for _, deck, _ in used)) > MAX_TICKETS:
        yield Problem("B136", ("tickets",), f"tickets: {played} in play: there is room for {MAX_TICKETS}")
    if len(used) > 1 and used[0][1] == used[1][1]:
        rule = f"deck {t.deck!r} is also the deck of the regular tickets; they must differ"
        yield Problem("B142", ("rules", "long_tickets"), f"rules.long_tickets: {rule}")
    for rule in _offer_rules(rules):
        yield Problem("B143", ("rules", "tickets"), f"rules.tickets: {rule}")


def _offer_rules(rules: RulesEntry) -> Iterator[str]:
    t, long = rules.tickets, rules.long_tickets
    dealt = t.deal + (long.deal if long else 0)
    if dealt > MAX_OFFER:
        yield f"{dealt} tickets dealt to a player: there is room for {MAX_OFFER}"
    keepable = t.deal + (min(long.deal, long.keep_at_most) if long else 0)
    if t.keep > keepable:
        yield f"keep = {t.keep}: only {keepable} of the tickets dealt may be kept"
    if t.draw_keep > t.draw:
        yield f"draw_keep = {t.draw_keep}: more than the {t.draw} drawn"


def _card_problems(file: BoardFile, rules: RulesEntry) -> Iterator[Problem]:
    cards = file.wilds.cards + sum(c.cards for c in file.colours.values())
    seats = rules.players[1]
    dealt = sum(rules.hand[:seats]) if isinstance(rules.hand, list) else rules.hand * seats
    need = dealt + rules.display
    if cards < need:
        hands = f"{seats} opening hands of {rules.hand}"
        few = f"{cards} cards, too few for {hands} and a display of {rules.display} ({need})"
        yield Problem("B122", ("colours",), f"colours: {few}")
    if rules.display and rules.display_wild_limit > rules.display and file.wilds.cards:
        rule = f"more than the display's {counted(rules.display, 'card')}; set it to {rules.display} at most"
        limit = f"rules.display_wild_limit: {rules.display_wild_limit}: {rule}"
        yield Problem("B152", ("rules", "display_wild_limit"), limit)


def _network_problems(file: BoardFile, rules: RulesEntry) -> Iterator[Problem]:
    markers = rules.markers.each if rules.markers else 0
    if rules.own_network and not markers:
        rule = "needs rules.markers, whose first marker is the start city"
        yield Problem("B153", ("rules", "own_network"), f"rules.own_network: {rule}")
    if rules.alvin and not markers:
        rule = "needs rules.markers, because he moves to cities with a marker"
        yield Problem("B153", ("rules", "alvin"), f"rules.alvin: {rule}")
    if rules.alvin and rules.alvin.city not in _known(file):
        yield Problem("B131", ("rules", "alvin", "city"), f"rules.alvin: city {_no_city(file, rules.alvin.city)}")
    if markers and len(file.cities) < rules.players[1] + 1:
        rule = f"{len(file.cities)} cities are too few for {rules.players[1]} start cities"
        yield Problem("B153", ("rules", "markers"), f"rules.markers: {rule}")


def _souvenir_problems(file: BoardFile, rules: RulesEntry) -> Iterator[Problem]:
    if not rules.souvenirs:
        return
    s, fixed = rules.souvenirs, ("rules", "souvenirs", "fixed")
    for name in sorted(set(s.fixed) - _known(file)):
        yield Problem("B131", fixed, f"rules.souvenirs: fixed {_no_city(file, name)}")
    for name in _repeated(s.fixed):
        yield Problem("B154", fixed, f"rules.souvenirs: fixed {name!r} is named twice")
    for players in range(rules.players[0], rules.players[1] + 1):
        if str(players) not in s.players:
            text = f"rules.souvenirs.players: no entry for {players} players"
            yield Problem("B154", ("rules", "souvenirs", "players"), text)
    for key, table in s.players.items():
        for rule in _souvenir_rules(file, rules, key, table):
            yield Problem("B154", ("rules", "souvenirs", "players", key), f"rules.souvenirs.players.{key}: {rule}")


def _souvenir_rules(file: BoardFile, rules: RulesEntry, key: str, table: SouvenirTableEntry) -> Iterator[str]:
    """Yield what is wrong with the souvenir stacks at one number of players."""
    assert rules.souvenirs
    s = rules.souvenirs
    if not key.isascii() or not key.isdigit() or not rules.players[0] <= int(key) <= rules.players[1]:
        yield f"the board is for {rules.players[0]} to {rules.players[1]} players"
        return
    if any(seat >= int(key) for seat in table.placed_by):
        yield f"placed_by = {table.placed_by}: seats go from 0 to {int(key) - 1}"
    stacks = len(s.fixed) + len(table.placed_by)
    if stacks > len(s.points) - 1:
        symbols = counted(len(s.points) - 1, "symbol")
        yield f"{counted(stacks, 'stack')}, but points are given for {symbols}"
    if stacks > len(file.cities):
        yield f"{stacks} stacks on {len(file.cities)} cities"

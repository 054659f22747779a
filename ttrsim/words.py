"""Actions and events in words whose subject is the seat: `claims Denver–Kansas City with 3 black and a locomotive`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttrsim.boards import Board
from ttrsim.core import constants as c
from ttrsim.numerals import counted

PHASES = {
    c.OPENING: "opening tickets",
    c.START: "start city",
    c.STACK: "souvenir stack",
    c.TURN: "turn",
    c.SECOND: "second card",
    c.TUNNEL: "tunnel",
    c.ALVIN: "Alvin",
    c.MARKER: "city marker",
    c.TOKEN: "souvenir token",
    c.KEEPING: "drawn tickets",
}
"""What is to be decided in each phase."""

TIMES = {1: "", 2: " twice"}


@dataclass(frozen=True)
class _Asked:
    """A decision that is wanted: what is needed to put an answer to it into words."""

    phase: int
    offer: Sequence[int] = ()  # tickets to choose from
    cost: int = 0  # cards for a station, for a marker, or more for a tunnel
    kind: int = c.WILD  # of the cards laid out at a tunnel
    symbols: Mapping[int, int] = field(default_factory=dict)  # city -> symbol of its souvenirs


def action_words(board: Board, table: Any, hand: Any, action: int) -> str:
    """An action in words, before it is applied and whether or not it is legal.

    `table` and `hand` are records of the core, the hand that of the seat to decide. An action that says nothing in this
    decision is a ValueError.

    >>> action_words(board, table, hand, 1)
    'draws a blind card'
    """
    phase = int(table.phase)
    symbols = dict(enumerate(table.stack_symbol.tolist()))
    if phase == c.STACK and board.rules.souvenirs:
        symbols = dict.fromkeys(symbols, len(board.rules.souvenirs.fixed) + int(table.placed))
    offer = hand.offer[: int(hand.offered)].tolist()
    return _words(board, _Asked(phase, offer, _cost(board, table), int(table.laid_kind), symbols), int(action))


def _cost(board: Board, table: Any) -> int:
    rules = board.rules
    if table.phase == c.TURN and rules.stations:
        return rules.stations.each - int(table.stations_left[table.seat]) + 1
    if table.phase == c.MARKER and rules.markers:
        return rules.markers.cards
    return int(table.extra) if table.phase == c.TUNNEL else 0


def turn_words(board: Board, events: Sequence[Any], name: Callable[[int], str] = "seat {}".format) -> str:
    """What a seat decided, in one event or in all events of its turn, and what came of it.

    `name` tells what other seats are called.

    >>> turn_words(board, events[5:7])
    'takes red and draws a locomotive blind'
    """
    draws = [e for e in events if is_draw(e)]
    clauses = [_draw_words(board, draws)] if draws else []
    for event in events:
        if not is_draw(event) and (len(events) == 1 or not _is_idle(event)):
            clauses += _event_clauses(board, event, name)
    return "; ".join(clauses + _deck_clauses(board, events))


def is_draw(event: Any) -> bool:
    """Whether the event is a card drawn or taken."""
    action = event["action"]
    return bool(action == c.DRAW_BLIND or c.TAKE <= action <= c.TAKE + c.WILD)


def _is_idle(event: Any) -> bool:
    """Whether nothing is done that a reader of the whole turn would miss."""
    return bool(event["phase"] == c.MARKER and event["action"] == c.DECLINE and event["token_city"] == c.NOWHERE)


def _draw_words(board: Board, draws: Sequence[Any]) -> str:
    """`takes red and blue`, `takes red and draws a locomotive blind`."""
    clauses: list[tuple[bool, list[int]]] = []
    for event in draws:
        blind, kind = bool(event["action"] == c.DRAW_BLIND), int(event["cards"].argmax())
        if not clauses or clauses[-1][0] != blind:
            clauses.append((blind, []))
        clauses[-1][1].append(kind)
    return " and ".join(
        f"draws {_kinds_words(board, kinds)} blind" if blind else f"takes {_kinds_words(board, kinds)}"
        for blind, kinds in clauses
    )


def _kinds_words(board: Board, kinds: Sequence[int]) -> str:
    """`red and a locomotive`, in the order given; equal ones as `2 red`."""
    if len(kinds) > 1 and len(set(kinds)) == 1:
        return _amount(board, kinds[0], len(kinds))
    return listed(_one(board, kind) for kind in kinds)


def _event_clauses(board: Board, event: Any, name: Callable[[int], str]) -> list[str]:
    """Clauses about a decision that is not a draw: itself, and each thing that came of it."""
    seat, parts = int(event["seat"]), event["parts"]
    clauses = [_words(board, _answered(event), int(event["action"])), *_tunnel_clauses(board, event)]
    captured, total = int(parts[seat, c.POINTS_CAPTURES]), int(event["score"][seat])
    if routes := int(parts[seat, c.POINTS_ROUTES]):
        clauses[-1] += f": {counted(routes, 'point')}, {total - captured} in all"
    for other in range(c.SEATS):
        if points := int(parts[other, c.POINTS_MARKERS]):
            markers = "markers" if points > _route_points(board, event) else "marker"
            clauses.append(f"{name(other)} scores {points} by its {markers} there, {event['score'][other]} in all")
    if captured:
        clauses.append(f"captures Alvin: {counted(captured, 'point')}, {total} in all")
    if event["token_city"] != c.NOWHERE and event["phase"] != c.TOKEN:
        clauses.append(_token_words(board, int(event["symbol"]), int(event["token_city"])))
    return clauses


def _route_points(board: Board, event: Any) -> int:
    return board.rules.route_points[board.routes[int(event["route"])].length]


def _answered(event: Any) -> _Asked:
    """The decision that an event answers."""
    paid = [-int(change) for change in event["cards"]]
    kind = next((k for k in range(c.WILD) if paid[k] > 0), c.WILD)
    offer = [int(ticket) for ticket in event["offer"] if ticket != c.NOBODY]
    city = int(event["action"]) - c.CITY
    return _Asked(int(event["phase"]), offer, sum(paid), kind, {city: int(event["symbol"])})


def _tunnel_clauses(board: Board, event: Any) -> list[str]:
    """Clauses about the cards turned up at a tunnel and what they ask for."""
    if event["phase"] != c.TURN or event["tunnel"] == c.NOBODY:
        return []
    if not event["revealed"].any():
        return ["no card is left to be turned up, the tunnel is claimed"]
    clauses = [f"{cards_words(board, event['revealed'])} turned up"]
    extra = int(event["extra"])
    if extra == 0:
        return [*clauses, "no more is asked, the tunnel is claimed"]
    asked = f"{extra} more {'is' if extra == 1 else 'are'} asked"
    return [*clauses, f"{asked}, which the hand cannot pay: takes the cards back" if event["withdrawn"] else asked]


def _deck_clauses(board: Board, events: Sequence[Any]) -> list[str]:
    """Clauses about reshuffles and displays dealt anew."""
    shuffled, dealt = (sum(int(e[what]) for e in events) for what in ("reshuffles", "refreshes"))
    clauses = []
    if shuffled:
        clauses.append(f"the discards become the deck{TIMES.get(shuffled, f' {shuffled} times')}")
    if dealt:
        wilds = plural(board.wild_name)
        clauses.append(f"too many {wilds} face up: the display is dealt anew{TIMES.get(dealt, f' {dealt} times')}")
    return clauses


def loans_words(board: Board, loans: Mapping[int, int]) -> str:
    """Routes that stations borrowed, by city: `Budapest–Wien by the station in Wien`."""
    return listed(
        f"{board.route_name(route)} by the station in {board.cities[city].name}" for city, route in loans.items()
    )


def cards_words(board: Board, amounts: Iterable[int]) -> str:
    """Cards by kind: `cards_words(usa, [0, 0, 3, 0, 0, 0, 0, 0, 0, 1]) == "3 black and a locomotive"`."""
    return listed(_amount(board, kind, int(n)) for kind, n in enumerate(amounts) if n) or "no cards"


def kind_name(board: Board, kind: int) -> str:
    """A kind of card by name: a colour, or what the board calls its wilds."""
    return board.wild_name if kind == c.WILD else board.colours[kind].name


def _amount(board: Board, kind: int, n: int) -> str:
    """`3 black`, `a locomotive`, `2 locomotives`."""
    if kind != c.WILD:
        return f"{n} {kind_name(board, kind)}"
    return _one(board, kind) if n == 1 else f"{n} {plural(board.wild_name)}"


def _one(board: Board, kind: int) -> str:
    """`red`, `a locomotive`."""
    name = kind_name(board, kind)
    return name if kind != c.WILD else f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def plural(noun: str) -> str:
    """`plural("ferry") == "ferries"`."""
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def listed(things: Iterable[str], last: str = "and") -> str:
    """`listed("abc") == "a, b and c"`, `listed("ab", "or") == "a or b"`."""
    *others, end = [*things] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


def ticket_words(board: Board, tickets: Iterable[int]) -> str:
    """Tickets with their points: `Boston–Miami (12) and Dallas–New York (11)`."""
    return listed(f"{board.ticket_name(t)} ({board.tickets[t].points})" for t in tickets)


def symbol_name(symbol: int) -> str:
    """Souvenirs have letters: `symbol_name(0) == "A"`."""
    return chr(ord("A") + symbol)


# One function for each kind of decision; None for an action that says nothing there.


def _words(board: Board, asked: _Asked, action: int) -> str:
    phrase = _PHRASES.get(asked.phase)
    if phrase is None:
        raise ValueError("the game is over: no action means anything")
    text = phrase(board, asked, action)
    if text is None:
        raise ValueError(f"action {action} means nothing where {PHASES[asked.phase]!r} is to be decided")
    return text


def _turn(board: Board, asked: _Asked, action: int) -> str | None:
    if action == c.PASS:
        return "passes, for nothing else can be done"
    if action == c.DRAW_TICKETS:
        return "draws tickets"
    if c.CLAIM <= action < c.STATION:
        return _claim(board, *_split(action - c.CLAIM))
    if c.STATION <= action < c.PLACE_MARKER and asked.cost:
        city, kind, wilds = _split(action - c.STATION)
        return _build(board, "builds a station in", city, _paid(board, kind, asked.cost, wilds))
    return _draw(board, asked, action)


def _draw(board: Board, asked: _Asked, action: int) -> str | None:
    if action == c.DRAW_BLIND:
        return "draws a blind card"
    kind = action - c.TAKE
    return f"takes {_one(board, kind)}" if _is_kind(board, kind) else None


def _claim(board: Board, route: int, kind: int, wilds: int) -> str | None:
    if route >= len(board.routes):
        return None
    r = board.routes[route]
    paid = _paid(board, kind, r.length, wilds)
    if paid is None:
        return None
    name = _route(board, route, kind)
    return f"lays out {paid} at the tunnel {name}" if r.tunnel else f"claims {name} with {paid}"


def _route(board: Board, route: int, kind: int) -> str:
    """The route's name, without its colour if the payment tells that."""
    r = board.routes[route]
    twins = [board.routes[t].colour for t in board.connections[r.connection]]
    told = r.colour == kind and twins.count(kind) == 1
    return board.connection_name(r.connection) if told else board.route_name(r)


def _tunnel(board: Board, asked: _Asked, action: int) -> str | None:
    if action == c.DECLINE:
        return "takes the cards back"
    paid = _paid(board, asked.kind, asked.cost, action - c.PAY)
    return paid and f"pays {paid} more"


def _marker(board: Board, asked: _Asked, action: int) -> str | None:
    if action == c.DECLINE:
        return "places no marker"
    city, kind, wilds = _split(action - c.PLACE_MARKER)
    return _build(board, "places a marker in", city, _paid(board, kind, asked.cost, wilds))


def _keep(board: Board, asked: _Asked, action: int) -> str | None:
    chosen = action - c.KEEP
    if not 0 <= chosen < 1 << len(asked.offer):
        return None
    kept = [t for i, t in enumerate(asked.offer) if chosen >> i & 1]
    rest = [t for t in asked.offer if t not in kept]
    keeps = f"keeps {ticket_words(board, kept) or 'no ticket'}"
    return f"{keeps}, not {ticket_words(board, rest)}" if rest else keeps


def _to_city(text: str) -> Callable[[Board, _Asked, int], str | None]:
    """A decision for a city, `{}` in the text."""

    def words(board: Board, asked: _Asked, action: int) -> str | None:
        city = action - c.CITY
        return text.format(board.cities[city].name) if _is_city(board, city) else None

    return words


def _stack(board: Board, asked: _Asked, action: int) -> str | None:
    city = action - c.CITY
    if not _is_city(board, city):
        return None
    return f"places the stack of tokens {symbol_name(asked.symbols[city])} in {board.cities[city].name}"


def _token(board: Board, asked: _Asked, action: int) -> str | None:
    city = action - c.CITY
    if not _is_city(board, city) or asked.symbols[city] == c.NOBODY:
        return None
    return _token_words(board, asked.symbols[city], city)


def _token_words(board: Board, symbol: int, city: int) -> str:
    return f"takes token {symbol_name(symbol)} at {board.cities[city].name}"


def laid_out(board: Board, event: Any) -> list[int]:
    """The cards, by kind, that an event lays out at a tunnel, whether or not they come back."""
    route, kind, wilds = _split(int(event["action"]) - c.CLAIM)
    return _amounts(kind, board.routes[route].length, wilds)


def _split(value: int) -> tuple[int, int, int]:
    """Route or city, kind and wilds of an action less its base."""
    return value // 100, value // 10 % 10, value % 10


def _amounts(kind: int, cost: int, wilds: int) -> list[int]:
    """The cards of a payment, by kind."""
    amounts = [0] * c.KINDS
    amounts[kind] = cost - wilds
    amounts[c.WILD] += wilds
    return amounts


def _paid(board: Board, kind: int, cost: int, wilds: int) -> str | None:
    """`3 black and a locomotive`; None if there is no such payment."""
    coloured = cost - wilds
    if not _is_kind(board, kind) or wilds < 0 or coloured < 0 or (kind == c.WILD and coloured):
        return None
    return cards_words(board, _amounts(kind, cost, wilds))


def _build(board: Board, text: str, city: int, paid: str | None) -> str | None:
    return f"{text} {board.cities[city].name} with {paid}" if paid and _is_city(board, city) else None


def _is_kind(board: Board, kind: int) -> bool:
    return kind == c.WILD or 0 <= kind < len(board.colours)


def _is_city(board: Board, city: int) -> bool:
    return 0 <= city < len(board.cities)


_PHRASES: dict[int, Callable[[Board, _Asked, int], str | None]] = {
    c.OPENING: _keep,
    c.START: _to_city("starts in {}"),
    c.STACK: _stack,
    c.TURN: _turn,
    c.SECOND: _draw,
    c.TUNNEL: _tunnel,
    c.ALVIN: _to_city("moves Alvin to {}"),
    c.MARKER: _marker,
    c.TOKEN: _token,
    c.KEEPING: _keep,
}

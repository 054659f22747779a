"""Put actions and events into words with the seat as subject: `claims Denver–Kansas City with 3 black`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ttrsim.boards import Board
from ttrsim.core import constants as c
from ttrsim.formatting import counted, seat_name
from ttrsim.recording import cards_gained, is_draw, is_withdrawn, points_scored, token_taken, tunnel_tried

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
"""The decision asked for in each phase."""

TIMES = {1: "", 2: " twice"}


def action_words(board: Board, table: Any, hand: Any, action: int) -> str:
    """Describe what an action does, before it is applied and whether or not it is legal.

    `table` and `hand` are records of the core; the hand belongs to the seat that decides. Raises ValueError for an
    action that means nothing in this decision.

    >>> action_words(board, table, hand, 1)
    'draws a blind card'
    """
    phrase = _PHRASES.get(int(table.phase))
    if phrase is None:
        raise ValueError("the game is over: no action has a meaning")
    text = phrase(board, table, hand, int(action))
    if text is None:
        raise ValueError(f"action {action} means nothing when the decision is {PHASES[int(table.phase)]!r}")
    return text


def turn_words(board: Board, events: Sequence[Any]) -> str:
    """Describe what a seat decided in one event, or in all events of its turn, and the result.

    >>> turn_words(board, events[5:7])
    'takes red and draws a locomotive blind'
    """
    draws = [e for e in events if is_draw(e)]
    clauses = [_draw_words(board, draws)] if draws else []
    for event in events:
        if not is_draw(event) and (len(events) == 1 or not _is_idle(event)):
            clauses += event_clauses(board, event)
    return "; ".join(clauses + _deck_clauses(board, events))


def _is_idle(event: Any) -> bool:
    """Return whether a reader of the whole turn would miss nothing if this event were left out."""
    nothing = token_taken(event) is None and not points_scored(event).any()
    return bool(event.phase == c.MARKER and event.action == c.DECLINE and nothing)


def _draw_words(board: Board, draws: Sequence[Any]) -> str:
    """Describe draws: `takes red and blue`, `takes red and draws a locomotive blind`."""
    clauses: list[tuple[bool, list[int]]] = []
    for event in draws:
        blind, kind = bool(event.action == c.DRAW_BLIND), int(cards_gained(event).argmax())
        if not clauses or clauses[-1][0] != blind:
            clauses.append((blind, []))
        clauses[-1][1].append(kind)
    return " and ".join(
        f"draws {_kinds_words(board, kinds)} blind" if blind else f"takes {_kinds_words(board, kinds)}"
        for blind, kinds in clauses
    )


def _kinds_words(board: Board, kinds: Sequence[int]) -> str:
    """List kinds of cards in the order given: `red and a locomotive`; equal ones as `2 red`."""
    if len(kinds) > 1 and len(set(kinds)) == 1:
        return _amount(board, kinds[0], len(kinds))
    return listed(_one(board, kind) for kind in kinds)


def event_clauses(board: Board, event: Any) -> list[str]:
    """Describe a decision that is not a draw, and each of its results."""
    seat, scored, scores = int(event.seat), points_scored(event), event.after.table.score.tolist()
    words = action_words(board, event.before.table, event.before.hands[seat], event.action)
    clauses = [words, *_tunnel_clauses(board, event)]
    captured = int(scored[seat, c.POINTS_CAPTURES])
    if routes := int(scored[seat, c.POINTS_ROUTES]):
        clauses[-1] += f": {counted(routes, 'point')}, {scores[seat] - captured} in all"
    for other in range(c.SEATS):
        if points := int(scored[other, c.POINTS_MARKERS]):
            length = board.routes[event.after.table.route].length
            markers = "markers" if points > board.rules.route_points[length] else "marker"
            clauses.append(f"the {seat_name(other)} scores {points} by its {markers} there, {scores[other]} in all")
    if captured:
        clauses.append(f"captures Alvin: {counted(captured, 'point')}, {scores[seat]} in all")
    if event.phase != c.TOKEN and (token := token_taken(event)):
        clauses.append(_token_words(board, *token))
    return clauses


def _tunnel_clauses(board: Board, event: Any) -> list[str]:
    """Describe the cards turned up at a tunnel and the extra cards they cost."""
    if event.phase != c.TURN or not tunnel_tried(board, event):
        return []
    table = event.after.table
    if not table.revealed.any():
        return ["no card is left to turn up, the tunnel is claimed"]
    clauses = [f"{cards_words(board, table.revealed)} turned up"]
    if table.extra == 0:
        return [*clauses, "no extra cards needed, the tunnel is claimed"]
    asked = f"{counted(int(table.extra), 'extra card')} needed"
    return [*clauses, f"{asked}, which the hand cannot pay: takes the cards back" if is_withdrawn(event) else asked]


def _deck_clauses(board: Board, events: Sequence[Any]) -> list[str]:
    """Describe reshuffles, and displays dealt anew."""
    shuffled, dealt = (sum(int(e[what]) for e in events) for what in ("reshuffles", "refreshes"))
    clauses = []
    if shuffled:
        clauses.append(f"the discards become the deck{TIMES.get(shuffled, f' {shuffled} times')}")
    if dealt:
        wilds = plural(board.wild_name)
        clauses.append(f"too many {wilds} face up: the display is dealt anew{TIMES.get(dealt, f' {dealt} times')}")
    return clauses


def borrowed_words(board: Board, borrowed: Mapping[int, int]) -> str:
    """Describe the routes that stations borrowed: `Budapest–Wien by the station in Wien`."""
    return listed(
        f"{board.route_name(route)} by the station in {board.cities[city].name}" for city, route in borrowed.items()
    )


def cards_words(board: Board, amounts: Iterable[int]) -> str:
    """Describe cards by kind: `cards_words(usa, [0, 0, 3, 0, 0, 0, 0, 0, 0, 1]) == "3 black and a locomotive"`."""
    return listed(_amount(board, kind, int(n)) for kind, n in enumerate(amounts) if n) or "no cards"


def kind_name(board: Board, kind: int) -> str:
    """Return the name of a kind of card: a colour, or the board's name for its wilds."""
    return board.wild_name if kind == c.WILD else board.colours[kind].name


def _amount(board: Board, kind: int, n: int) -> str:
    """Describe some cards of a kind: `3 black`, `a locomotive`, `2 locomotives`."""
    if kind != c.WILD:
        return f"{n} {kind_name(board, kind)}"
    return _one(board, kind) if n == 1 else f"{n} {plural(board.wild_name)}"


def _one(board: Board, kind: int) -> str:
    """Describe one card of a kind: `red`, `a locomotive`."""
    name = kind_name(board, kind)
    return name if kind != c.WILD else f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def plural(noun: str) -> str:
    """Return the plural of a noun: `plural("ferry") == "ferries"`."""
    if noun.endswith("y") and noun[-2:-1] not in tuple("aeiou"):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def listed(things: Iterable[str], last: str = "and") -> str:
    """List things in words: `listed("abc") == "a, b and c"`, `listed("ab", "or") == "a or b"`."""
    *others, end = [*things] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


def ticket_words(board: Board, tickets: Iterable[int]) -> str:
    """Name tickets with their points: `Boston–Miami (12) and Dallas–New York (11)`."""
    return listed(f"{board.ticket_name(t)} ({board.tickets[t].points})" for t in tickets)


def symbol_name(symbol: int) -> str:
    """Return the letter of a souvenir: `symbol_name(0) == "A"`."""
    return chr(ord("A") + symbol)


# One function for each kind of decision; None for an action that means nothing there.


def _turn(board: Board, table: Any, hand: Any, action: int) -> str | None:
    if action == c.PASS:
        return "passes, as nothing else is possible"
    if action == c.DRAW_TICKETS:
        return "draws tickets"
    if c.CLAIM <= action < c.STATION:
        return _claim(board, *_split(action - c.CLAIM))
    if c.STATION <= action < c.PLACE_MARKER and board.rules.stations:
        city, kind, wilds = _split(action - c.STATION)
        cost = board.rules.stations.each - int(table.stations_left[table.seat]) + 1
        return _build(board, "builds a station in", city, _paid(board, kind, cost, wilds))
    return _draw(board, table, hand, action)


def _draw(board: Board, table: Any, hand: Any, action: int) -> str | None:
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
    """Return the route's name, without its colour if the payment shows it."""
    r = board.routes[route]
    twins = [board.routes[t].colour for t in board.connections[r.connection]]
    shown = r.colour == kind and twins.count(kind) == 1
    return board.connection_name(r.connection) if shown else board.route_name(r)


def _tunnel(board: Board, table: Any, hand: Any, action: int) -> str | None:
    if action == c.DECLINE:
        return "takes the cards back"
    paid = _paid(board, int(table.laid_kind), int(table.extra), action - c.PAY)
    return paid and f"pays {paid} more"


def _marker(board: Board, table: Any, hand: Any, action: int) -> str | None:
    if action == c.DECLINE:
        return "places no marker"
    city, kind, wilds = _split(action - c.PLACE_MARKER)
    cost = board.rules.markers.cards if board.rules.markers else 0
    return _build(board, "places a marker in", city, _paid(board, kind, cost, wilds))


def _keep(board: Board, table: Any, hand: Any, action: int) -> str | None:
    chosen = action - c.KEEP
    offer = hand.offer[: hand.offered].tolist()
    if not 0 <= chosen < 1 << len(offer):
        return None
    kept = [t for i, t in enumerate(offer) if chosen >> i & 1]
    rest = [t for t in offer if t not in kept]
    keeps = f"keeps {ticket_words(board, kept) or 'no ticket'}"
    return f"{keeps}, not {ticket_words(board, rest)}" if rest else keeps


def _to_city(text: str) -> Callable[[Board, Any, Any, int], str | None]:
    """Return the function that describes the choice of a city, `{}` in the text."""

    def words(board: Board, table: Any, hand: Any, action: int) -> str | None:
        city = action - c.CITY
        return text.format(board.cities[city].name) if _is_city(board, city) else None

    return words


def _stack(board: Board, table: Any, hand: Any, action: int) -> str | None:
    city = action - c.CITY
    if not _is_city(board, city) or not board.rules.souvenirs:
        return None
    symbol = len(board.rules.souvenirs.fixed) + int(table.placed)
    return f"places the stack of tokens {symbol_name(symbol)} in {board.cities[city].name}"


def _token(board: Board, table: Any, hand: Any, action: int) -> str | None:
    city = action - c.CITY
    if not _is_city(board, city) or table.stack_symbol[city] == c.NOBODY:
        return None
    return _token_words(board, int(table.stack_symbol[city]), city)


def _token_words(board: Board, symbol: int, city: int) -> str:
    return f"takes token {symbol_name(symbol)} at {board.cities[city].name}"


def laid_out(board: Board, event: Any) -> list[int]:
    """Return the cards, by kind, that an event lays out at a tunnel, whether or not they come back."""
    route, kind, wilds = _split(int(event.action) - c.CLAIM)
    return _amounts(kind, board.routes[route].length, wilds)


def _split(value: int) -> tuple[int, int, int]:
    """Return the route or city, the kind and the wilds of an action minus its base."""
    return value // 100, value // 10 % 10, value % 10


def _amounts(kind: int, cost: int, wilds: int) -> list[int]:
    """Return the cards of a payment, by kind."""
    amounts = [0] * c.KINDS
    amounts[kind] = cost - wilds
    amounts[c.WILD] += wilds
    return amounts


def _paid(board: Board, kind: int, cost: int, wilds: int) -> str | None:
    """Describe a payment, such as `3 black and a locomotive`; return None if there is no such payment."""
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


_PHRASES: dict[int, Callable[[Board, Any, Any, int], str | None]] = {
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

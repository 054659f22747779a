"""Actions and events in words, of which the seat is the subject: `claims Denver–Kansas City with 3 black`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ttrsim.boards import Board
from ttrsim.core import constants as c

PHASES = {
    c.OPENING: "opening tickets",
    c.START: "start city",
    c.STACK: "souvenir stack",
    c.TURN: "turn",
    c.SECOND: "second card",
    c.TUNNEL: "tunnel",
    c.ALVIN: "Alvin's move",
    c.MARKER: "city marker",
    c.TOKEN: "souvenir token",
    c.KEEPING: "drawn tickets",
}
"""What is to be decided in each phase."""

Amounts = Sequence[int]
"""How many cards of each kind."""


@dataclass(frozen=True)
class _Asked:
    """A decision that is wanted: all that is needed to put an answer to it into words."""

    phase: int
    offer: Sequence[int] = ()  # tickets to choose from
    cost: int = 0  # cards for a station, for a marker, or more for a tunnel
    kind: int = c.WILD  # of the cards laid out at a tunnel
    symbols: Mapping[int, int] = field(default_factory=dict)  # city -> symbol of its souvenirs


def action_words(board: Board, table: Any, hand: Any, action: int) -> str:
    """An action in words, before it is applied. `table` and `hand` are the records, the hand that of the seat to decide.

    >>> action_words(board, table, hand, 1)
    'draws a blind card'
    """
    phase = int(table.phase)
    symbols = dict(enumerate(table.stack_symbol.tolist()))
    if phase == c.STACK and board.rules.souvenirs:
        symbols = dict.fromkeys(symbols, len(board.rules.souvenirs.fixed) + int(table.placed))
    offer = hand.offer[: hand.offered].tolist()
    asked = _Asked(phase, offer, _cost(board, table), int(table.laid_kind), symbols)
    return _words(board, asked, int(action))


def _cost(board: Board, table: Any) -> int:
    rules = board.rules
    if table.phase == c.TURN and rules.stations:
        return rules.stations.each - int(table.stations_left[table.seat]) + 1
    if table.phase == c.MARKER and rules.markers:
        return rules.markers.cards
    return int(table.extra) if table.phase == c.TUNNEL else 0


def event_words(board: Board, event: Any, name: Callable[[int], str] = "seat {}".format) -> str:
    """What was decided and what came of it; `name` says how other seats are called."""
    seat, cards = int(event["seat"]), event["cards"].tolist()
    paid = [-change for change in cards]
    kind = next((k for k in range(c.WILD) if paid[k] > 0), c.WILD)
    offer = [ticket for ticket in event["offer"].tolist() if ticket != c.NOBODY]
    city = int(event["action"]) - c.CITY if event["phase"] == c.STACK else int(event["token_city"])
    asked = _Asked(int(event["phase"]), offer, sum(paid), kind, {city: int(event["symbol"])})
    words = [drawn_words(board, [event]) or _words(board, asked, int(event["action"]))]
    words += _tunnel_words(board, event)
    if scored := _scored_words(event, seat):
        words[-1] += scored
    words += [f"{name(s)} {text}" for s in range(c.SEATS) if s != seat and (text := _marker_words(event, s))]
    if event["parts"][seat, c.POINTS_CAPTURES]:
        words.append(f"captures Alvin: {_points(event['parts'][seat, c.POINTS_CAPTURES])}, {event['score'][seat]} in all")
    if event["token_city"] != c.NOWHERE and event["phase"] != c.TOKEN:
        words.append(_token_words(board, int(event["symbol"]), int(event["token_city"])))
    return "; ".join(words + _deck_words(board, [event]))

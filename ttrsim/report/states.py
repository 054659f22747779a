"""How a recorded game stands after each turn, and when each thing in it was there."""

from collections.abc import Collection, Hashable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

from ttrsim.boards import Board
from ttrsim.core import constants as c
from ttrsim.encode import members
from ttrsim.loans import joined
from ttrsim.record import Recording
from ttrsim.report.story import turns


@dataclass
class State:
    """How a game stands, all hands open. Seats, cities, routes, tickets and symbols by number."""

    owners: dict[int, int]  # route -> seat
    cards: list[list[int]]  # by seat and kind
    tickets: list[list[int]]  # by seat, in the order kept
    completed: list[set[int]]  # by seat: its tickets whose cities its own routes connect; at the end by stations too
    failed: list[set[int]]  # by seat; at the end
    scores: list[int]  # by seat; at the end with the final scoring
    trains: list[int]  # by seat, left
    display: list[int]  # by kind
    deck: int  # cards
    ticket_deck: int
    stations: dict[int, int]  # city -> seat
    markers: dict[int, int]  # city -> seat
    alvin: int  # city where he stands, or NOWHERE
    holder: int  # seat that captured him last, or NOBODY
    stacks: dict[int, list[int]]  # city -> symbol of its tokens, and how many are left
    tokens: list[set[int]]  # by seat: symbols


def states(board: Board, recording: Recording) -> list[State]:
    """The states at the end of the opening (0), of each turn (its number) and, if the game ended, of the scoring.

    >>> states(board, recording)[12].owners  # after the twelfth turn
    {40: 0, 12: 1}
    """
    state = _dealt(board, recording)
    found = []
    for _, events in turns(recording.events):
        for event in events:
            _follow(board, state, event)
        _complete(board, state)
        found.append(deepcopy(state))
    if len(recording.seats):
        _score(state, recording.seats[0])
        found.append(state)
    return found or [state]


def _dealt(board: Board, recording: Recording) -> State:
    """Before the first decision, but for what the first event says of the table."""
    table, events, players = recording.game.table, recording.events, range(len(recording.seating))
    hands = recording.game.hands["cards"][: len(players)].tolist()
    for event in events[events["phase"] != c.OPENING]:  # what a hand has at the end it was dealt or got
        for kind, change in enumerate(event["cards"].tolist()):
            hands[event["seat"]][kind] -= change
    claimed = set(events["route"].tolist())
    given = {r: s for r, s in enumerate(table.owner.tolist()) if s != c.NOBODY and r not in claimed}
    rules = board.rules
    stacks = {}
    if souvenirs := rules.souvenirs:
        height = souvenirs.players[len(players)].height
        stacks = {city: [symbol, height] for symbol, city in enumerate(souvenirs.fixed)}
    return State(
        owners=given,
        cards=hands,
        tickets=[[] for _ in players],
        completed=[set() for _ in players],
        failed=[set() for _ in players],
        scores=[0 for _ in players],
        trains=[rules.trains for _ in players],
        display=table.display.tolist(),
        deck=int(table.deck_cards),
        ticket_deck=int(table.tickets_left),
        stations={},
        markers={},
        alvin=rules.alvin.city if rules.alvin else c.NOWHERE,
        holder=c.NOBODY,
        stacks=stacks,
        tokens=[set() for _ in players],
    )


def _follow(board: Board, state: State, event: Any) -> None:
    """What an event changes."""
    seat, players = int(event["seat"]), len(state.scores)
    state.scores, state.trains = event["score"][:players].tolist(), event["trains"][:players].tolist()
    state.display, state.deck = event["display"].tolist(), int(event["deck_cards"])
    state.ticket_deck = int(event["tickets_left"])
    offer = [ticket for ticket in event["offer"].tolist() if ticket != c.NOBODY]
    state.tickets[seat] += [ticket for i, ticket in enumerate(offer) if int(event["action"]) - c.KEEP >> i & 1]
    if event["phase"] != c.OPENING:
        state.cards[seat] = [n + change for n, change in zip(state.cards[seat], event["cards"].tolist(), strict=True)]
    if event["route"] != c.NOBODY:
        state.owners[int(event["route"])] = seat
    _follow_pieces(board, state, event)


def _follow_pieces(board: Board, state: State, event: Any) -> None:
    """Stations, markers, Alvin and souvenirs."""
    seat, phase, action, symbol = (int(event[what]) for what in ("seat", "phase", "action", "symbol"))
    if c.STATION <= action < c.PLACE_MARKER:
        state.stations[(action - c.STATION) // 100] = seat
    if action >= c.PLACE_MARKER:
        state.markers[(action - c.PLACE_MARKER) // 100] = seat
    if phase == c.START:
        state.markers[action - c.CITY] = seat
    if event["parts"][seat, c.POINTS_CAPTURES]:
        state.holder = seat
    if phase == c.ALVIN:
        state.alvin = action - c.CITY
    if phase == c.STACK and board.rules.souvenirs:
        state.stacks[action - c.CITY] = [symbol, board.rules.souvenirs.players[len(state.scores)].placed_height]
    if event["token_city"] != c.NOWHERE:
        state.stacks[int(event["token_city"])][1] -= 1
        state.tokens[seat].add(symbol)


def _complete(board: Board, state: State) -> None:
    """Which tickets are completed by own routes."""
    for seat, tickets in enumerate(state.tickets):
        own = [route for route, owner in state.owners.items() if owner == seat]
        groups = joined(board, own, range(len(board.cities)))
        state.completed[seat] = {t for t in tickets if groups[board.tickets[t].a] == groups[board.tickets[t].b]}


def _score(state: State, seats: Any) -> None:
    """The final scoring."""
    state.scores = seats["score"].tolist()
    for seat, result in enumerate(seats):
        state.completed[seat] = set(members(result["completed"]))
        state.failed[seat] = set(members(result["kept"])) - state.completed[seat]


class Span(NamedTuple):
    """Something that was there from one step of the game on, until another or (None) to the end."""

    thing: Any
    first: int
    end: int | None


def spans(steps: Iterable[Collection[Hashable]]) -> list[Span]:
    """When each thing was there, given what was there at each step; in the order in which they came.

    >>> spans([{"a"}, {"a", "b"}, {"b"}])
    [Span(thing='a', first=0, end=2), Span(thing='b', first=1, end=None)]
    """
    since: dict[Hashable, int] = {}
    found: list[Span] = []
    for step, there in enumerate(steps):
        for thing in [thing for thing in since if thing not in there]:
            found.append(Span(thing, since.pop(thing), step))
        for thing in there:
            since.setdefault(thing, step)
    found += [Span(thing, first, None) for thing, first in since.items()]
    return sorted(found, key=lambda span: span.first)


def changes(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """The steps at which a number changes, with what it is from then on: `changes([4, 4, 7]) == [(0, 4), (2, 7)]`."""
    return [(i, n) for i, n in enumerate(numbers) if i == 0 or n != numbers[i - 1]]

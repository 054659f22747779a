"""A recorded game as a page: the board, hands and scores after each turn, to step through.

The page shows the end of the game. Whatever was not there all the time carries the step at which it came (`data-from`)
and the one at which it went (`data-to`); a number that changes lists its values (`data-values`, as `0:4 7:3`: 4 from
step 0 on, 3 from step 7 on). So the page's script only shows, hides and fills in.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.path import Path

from ttrsim.boards import Board
from ttrsim.boards.rules_in_words import status_words
from ttrsim.core import constants as c
from ttrsim.encode import members
from ttrsim.formatting import counted, seat_name
from ttrsim.games import SeatedGame
from ttrsim.plots.labels import Label
from ttrsim.plots.layout import lay_out
from ttrsim.plots.pen import IN_TUNNEL, marker, readable, unmarked
from ttrsim.plots.theme import PAGE_PAINTS, SEAT_MARKS, SEATS
from ttrsim.plots.track import Car
from ttrsim.recording import Array, Recording, tickets_offered
from ttrsim.report.page import render
from ttrsim.report.states import Span, changes, connected_tickets, owners, score_race, spans, stacks, states
from ttrsim.report.story import (
    ENDING_WORDS,
    borrowed_routes,
    opening_rows,
    score_rows,
    seat_names,
    turn_rows,
    winner_words,
)
from ttrsim.words import borrowed_words, kind_name, plural, symbol_name

MARK = 3.6  # radius of a seat's mark on a car


@dataclass(frozen=True)
class Track:
    """One route of the picture."""

    words: str  # its name and what it costs
    rail: list[tuple[float, float]]  # points of the line from city to city
    spaces: list[Car]  # of a tunnel the frames
    cars: list[Car]
    wheels: list[Car]  # the cars of a ferry that need a wild card
    paint: str  # of an unclaimed car; "" for gray
    letter: str  # of its colour; "" for gray


@dataclass(frozen=True)
class Drawing:
    """A board's picture; y goes down."""

    width: float
    height: float
    tracks: list[Track]  # by route
    cities: list[tuple[float, float]]  # by city
    labels: list[Label]  # by city


def draw(board: Board) -> Drawing:
    """Return the picture of a board."""
    layout = lay_out(board)
    tracks = []
    for route, spaces in zip(board.routes, layout.cars, strict=True):
        ends = layout.cities[route.a], layout.cities[route.b]
        inset = 2 * IN_TUNNEL if route.tunnel else 0
        cars = [car._replace(length=car.length - inset, width=car.width - inset) for car in spaces]
        bare = unmarked(cars, route.ferry)
        colour = None if route.colour is None else board.colours[route.colour]
        tracks.append(
            Track(
                words=_route_words(board, route.index),
                rail=[ends[0], *((car.x, car.y) for car in cars), ends[1]],
                spaces=[*spaces] if route.tunnel else [],
                cars=cars,
                wheels=[car for car in cars if car not in bare],
                paint=colour.paint if colour else "",
                letter=colour.letter if colour else "",
            )
        )
    return Drawing(layout.width, layout.height, tracks, list(layout.cities), list(layout.labels))


def _route_words(board: Board, route: int) -> str:
    """Describe a route: `Duluth–Omaha (gray, track 1), 2 trains` or `Denver–Phoenix, 5 trains, gray`."""
    r = board.routes[route]
    words = [board.route_name(route), counted(r.length, "train")]
    if len(board.connections[r.connection]) == 1:
        words.append(board.colour_name(r.colour))
    if r.tunnel:
        words.append("tunnel")
    if r.ferry:
        words.append(f"ferry: {r.ferry} {board.wild_name if r.ferry == 1 else plural(board.wild_name)}")
    return ", ".join(words)


def mark_path(kind: str) -> str:
    """Return one of matplotlib's markers, centred on (0, 0), as the `d` of an SVG path."""
    letters = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C", Path.CLOSEPOLY: "Z"}
    parts = []
    for points, code in marker(kind, 0, 0, MARK).iter_segments():
        parts.append(letters[code] + ("" if code == Path.CLOSEPOLY else " ".join(f"{v:.2f}" for v in points)))
    return "".join(parts)


@dataclass(frozen=True)
class Timeline:
    """The states of a game, and what changes, comes and goes in them."""

    states: Array  # (steps,) STATE

    @property
    def last(self) -> int:
        return len(self.states) - 1

    def number(self, value: Callable[[Any], int]) -> str:
        """Return the values of a number over the game, as `0:4 7:3`."""
        return _written([value(state) for state in self.states])

    def numbers(self, values: Callable[[Any], Array]) -> list[str]:
        """Return the same for each number of a list."""
        return [_written(column) for column in zip(*map(values, self.states), strict=True)]

    def spans(self, there: Callable[[Any], Any]) -> list[Span]:
        """Find when each of the things was there that `there` returns for a state."""
        return spans([there(state) for state in self.states])


def _written(numbers: Sequence[int]) -> str:
    return " ".join(f"{step}:{n}" for step, n in changes(numbers))


@dataclass(frozen=True)
class Move:
    """The events of one step, in words."""

    step: int
    title: str  # as "Turn 12"
    seat: int  # or NOBODY
    who: str
    words: str
    rows: list[tuple[str, str]]  # of the opening, or what follows the turn


def replay_page(game: SeatedGame, recording: Recording, index: int) -> str:
    """Return the page of a game. index: the game's number, which is printed on it.

    >>> Path("game.html").write_text(replay_page(game, game.replay(), 7))
    """
    board, names = game.board, seat_names(game)
    timeline = Timeline(states(recording))
    ended = len(recording.seats) > 0
    return render(
        "replay.html",
        board=board,
        warning=status_words(board),
        seed=game.seed,
        index=index,
        themes=PAGE_PAINTS,
        drawing=draw(board),
        kinds=_kinds(board),
        players=_players(game, recording, timeline),
        timeline=timeline,
        race=score_race([[int(state.table.score[seat]) for state in timeline.states] for seat in range(len(names))]),
        moves=_moves(board, recording, names, timeline.last),
        symbol_name=symbol_name,
        seat_name=seat_name,
        scores=score_rows(board, recording.seats[0]) if ended else [],
        ending=ENDING_WORDS[int(recording.result[0]["ending"])] if ended else _stopped_words(recording, names),
        winner=winner_words(board, recording.seats[0], names) if ended else "",
        **_pieces(timeline),
    )


def _kinds(board: Board) -> list[dict[str, Any]]:
    """Return the kinds of card: number, name, letter and paint."""
    colours = [
        {
            "kind": colour.index,
            "name": colour.name,
            "letter": colour.letter,
            "paint": colour.paint,
            "ink": readable(colour.paint),
        }
        for colour in board.colours
    ]
    return [*colours, {"kind": c.WILD, "name": kind_name(board, c.WILD), "letter": "✱", "paint": "", "ink": ""}]


@dataclass(frozen=True)
class SeatPanel:
    """A seat on the page. Numbers are written as by `Timeline.number`."""

    seat: int
    name: str
    spec: str
    colour: str
    mark: str  # path of the mark that identifies the seat without colour
    hand: list[str]  # by kind
    hand_cards: str
    score: str
    trains: str
    stations_left: str  # "" on a board without stations
    markers_left: str  # "" on a board without markers
    tickets: list[tuple[str, int, Span, Span | None, Span | None]]  # name, points; when kept, completed, failed
    tokens: list[Span]
    holds_alvin: list[Span]
    borrowed: str  # the routes that its stations borrowed, in words


def _players(game: SeatedGame, recording: Recording, timeline: Timeline) -> list[SeatPanel]:
    return [_player(game, recording, timeline, seat) for seat in range(len(game.line_up))]


def _player(game: SeatedGame, recording: Recording, timeline: Timeline, seat: int) -> SeatPanel:
    board, strategy = game.board, game.line_up[seat]
    rules, number = board.rules, timeline.number
    return SeatPanel(
        seat=seat,
        name=strategy.name,
        spec=strategy.spec,
        colour=SEATS[seat],
        mark=mark_path(SEAT_MARKS[seat]),
        hand=timeline.numbers(lambda state: state.hands[seat].cards),
        hand_cards=number(lambda state: state.table.hand_cards[seat]),
        score=number(lambda state: state.table.score[seat]),
        trains=number(lambda state: state.table.trains[seat]),
        stations_left=number(lambda state: state.table.stations_left[seat]) if rules.stations else "",
        markers_left=number(lambda state: state.table.markers_left[seat]) if rules.markers else "",
        tickets=_tickets(board, recording, timeline, seat),
        tokens=timeline.spans(lambda state: members(state.table.tokens[[seat]].astype(np.uint64))),
        holds_alvin=timeline.spans(lambda state: [seat] if state.table.alvin_holder == seat else []),
        borrowed=borrowed_words(board, borrowed_routes(board, recording, seat)) if len(recording.seats) else "",
    )


def _tickets(
    board: Board, recording: Recording, timeline: Timeline, seat: int
) -> list[tuple[str, int, Span, Span | None, Span | None]]:
    mine = recording.events[recording.events["seat"] == seat]
    kept = [ticket for event in mine for ticket, keeps in tickets_offered(event).items() if keeps]
    held = timeline.spans(lambda state: sorted(members(state.hands[seat].tickets), key=kept.index))
    connected = [connected_tickets(board, state, seat) for state in timeline.states]
    failed: dict[int, Span] = {}
    for result in recording.seats[:, seat]:  # one, if the game ended
        connected[-1] = members(result["completed"])
        failed = {t: Span(t, timeline.last, None) for t in members(result["kept"]) if t not in connected[-1]}
    completed = {span.thing: span for span in spans(connected)}
    return [
        (board.ticket_name(t), board.tickets[t].points, span, completed.get(t), failed.get(t))
        for span in held
        for t in [span.thing]
    ]


def _pieces(timeline: Timeline) -> dict[str, Any]:
    """Return the pieces on the board: when, where and whose."""
    number, when = timeline.number, timeline.spans
    owned = when(lambda state: [(r, o) for r, o in enumerate(state.table.owner.tolist()) if o != c.NOBODY])
    return {
        "claims": {route: (owner, span) for span in owned for route, owner in [span.thing]},
        "stations": when(lambda state: owners(state.table.stations).items()),
        "markers": when(lambda state: owners(state.table.markers).items()),
        "alvin": when(lambda state: [int(city) for city in [state.table.alvin_city] if city != c.NOWHERE]),
        "stacks": when(lambda state: stacks(state.table)),
        "display": timeline.numbers(lambda state: state.table.display),
        "deck": number(lambda state: state.table.deck_cards),
        "ticket_deck": number(lambda state: state.table.tickets_left),
    }


def _moves(board: Board, recording: Recording, names: list[str], last: int) -> list[Move]:
    """Describe what happened, step by step."""
    opening = [(str(who), str(words)) for who, words in opening_rows(board, recording.events, names)]
    moves = [Move(0, "Opening", c.NOBODY, "", "tickets are dealt and kept", opening)]
    for number, who, words in turn_rows(board, recording.events, names):
        if who:
            seat = names.index(str(who))
            moves.append(Move(int(number), f"Turn {number}", seat, str(who), str(words), []))
        else:
            moves[-1].rows.append(("", str(words)))
    if len(recording.seats):
        winner = winner_words(board, recording.seats[0], names)
        moves.append(Move(last, "Final scoring", c.NOBODY, "", winner, []))
    return moves


def _stopped_words(recording: Recording, names: list[str]) -> str:
    who = f"The {names[int(recording.game.table.seat)]}"
    why = "it failed" if recording.failure is not None else "it wanted something illegal"
    return f"{who} stopped the game here: {why}."

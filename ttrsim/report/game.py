"""One game, played and recorded: shown as a page, a picture, a film or JSON.

As JSON it has names in place of numbers.

The game has `kinds`, the number of each kind of card in the action codes, by name; `events`, the decisions in order;
`ending`, the same word as in the rows of a run (docs/runs.md), or `illegal action` or `exception` where a strategy
failed; and `result`, one entry for each seat. An event has

- `turn` (from 1; what comes before the first turn has 0), `seat`, `decision` (what was to be decided);
- `action`, the code of what was decided (ARCHITECTURE.md lists them), and `words`, the same for people;
- `then`, the state after it, with scores before the final scoring;

and, where they apply,

- `kind`: the kind of the card drawn, or the one that the code of a payment names;
- `cards`: the change of the seat's hand, by kind; in `opening tickets` the cards dealt to it;
- `offer`: the tickets offered, each with its points and whether it was kept;
- `city`: the one chosen;
- `route`: the one that the seat owns from now on;
- `tunnel`: an attempt at a tunnel, see `_tunnel`;
- `token`: the souvenir taken, and where;
- `points`: scored by any seat, and what for;
- `reshuffles`, `display_dealt_anew`: how often that happened.

In the result, `stations` lists the cities of the seat's stations and the route that each `borrowed`, if a ticket needed
it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttrsim.boards import Board
from ttrsim.core import constants as c
from ttrsim.core.sums import COUNT_COLUMNS, ENDINGS
from ttrsim.encode import members
from ttrsim.files import write_file
from ttrsim.games import SeatedGame
from ttrsim.recording import (
    Recording,
    cards_gained,
    is_draw,
    is_withdrawn,
    points_scored,
    route_claimed,
    tickets_offered,
    token_taken,
    tunnel_tried,
)
from ttrsim.report.story import borrowed_routes, part_names
from ttrsim.words import PHASES, kind_name, laid_out, symbol_name, turn_words


def game_json(game: SeatedGame, recording: Recording, index: int) -> dict[str, Any]:
    """Return the whole game as JSON."""
    board, events = game.board, recording.events
    strategies = [strategy.spec for strategy in game.line_up]
    ended = len(recording.result) > 0
    ender = int(recording.result[0]["ender"]) if ended else c.NOBODY
    stopped = "illegal action" if recording.failure is None else "exception"
    return {
        "rules_version": c.RULES_VERSION,
        "board": board.id,
        "status": board.status,
        "sha256": board.sha256,
        "seed": game.seed,
        "game": index,
        "line_up": strategies,
        "seats": [{"seat": seat, "strategy": strategy} for seat, strategy in enumerate(strategies)],
        "kinds": {kind_name(board, kind): kind for kind in (*range(len(board.colours)), c.WILD)},
        "events": [_event(board, event, len(strategies)) for event in events],
        "ending": ENDINGS[recording.result[0]["ending"] - c.ENDED] if ended else stopped,
        "last_round_started_by": None if ender == c.NOBODY else ender,
        "result": [_seat(board, recording, seat, strategies) for seat in range(len(strategies))] if ended else None,
    }


def _event(board: Board, event: Any, players: int) -> dict[str, Any]:
    """Return one decision and its results."""
    before, route = event.phase in c.BEFORE_THE_FIRST_TURN, route_claimed(event)
    optional: dict[str, Any] = {
        "kind": _kind(event),
        "offer": [{**_ticket(board, t), "kept": kept} for t, kept in tickets_offered(event).items()],
        "city": _city(board, event),
        "cards": _cards(board, cards_gained(event)),
        "route": None if route == c.NOBODY else board.route_name(route),
        "tunnel": _tunnel(board, event),
        "token": _token(board, event),
        "points": [
            {"seat": seat, "for": name, "points": points}
            for seat in range(players)
            for name, points in _parts(board, points_scored(event)[seat]).items()
        ],
        "reshuffles": int(event.reshuffles) or None,
        "display_dealt_anew": int(event.refreshes) or None,
    }
    return {
        "turn": 0 if before else int(event.turn) + 1,
        "seat": int(event.seat),
        "decision": PHASES[int(event.phase)],
        "action": int(event.action),
        "words": turn_words(board, [event]),
        **{key: value for key, value in optional.items() if value not in (None, {}, [])},
        "then": _state(board, event, players),
    }


def _kind(event: Any) -> int | None:
    """Return the kind of the card drawn, or the one that the code of a payment names."""
    action = int(event.action)
    if is_draw(event):
        return int(cards_gained(event).argmax())
    return action // 10 % 10 if action >= c.CLAIM else None


def _tunnel(board: Board, event: Any) -> dict[str, Any] | None:
    """Return an attempt at a tunnel: its route and the outcome, whether or not it was claimed.

    The event that lays out the payment has that payment, the cards turned up and the number of extra cards; its outcome
    is `claimed`, `withdrawn` (the hand cannot pay the extra cards) or `to be decided` in the next event. That one has
    the extra cards paid, if its outcome is `claimed`.
    """
    tunnel = tunnel_tried(board, event)
    if tunnel is None:
        return None
    route = {"route": board.route_name(tunnel)}
    claimed = route_claimed(event) != c.NOBODY
    outcome = {"outcome": "claimed" if claimed else "withdrawn" if is_withdrawn(event) else "to be decided"}
    if event.phase == c.TUNNEL:
        paid = {"paid": _cards(board, -cards_gained(event))} if claimed else {}
        return {**route, **paid, **outcome}
    return {
        **route,
        "laid_out": _cards(board, laid_out(board, event)),
        "turned_up": _cards(board, event.after.table.revealed),
        "asked": int(event.after.table.extra),
        **outcome,
    }


def _city(board: Board, event: Any) -> str | None:
    """Return the city that was chosen."""
    action = int(event.action)
    if c.CITY <= action < c.CLAIM:
        return board.cities[action - c.CITY].name
    if action < c.STATION:
        return None
    return board.cities[(action - (c.PLACE_MARKER if action >= c.PLACE_MARKER else c.STATION)) // 100].name


def _state(board: Board, event: Any, players: int) -> dict[str, Any]:
    """Return the state after a decision, with scores before the final scoring."""
    table = event.after.table
    return {
        "scores": table.score[:players].tolist(),
        "trains": table.trains[:players].tolist(),
        "display": _cards(board, table.display),
        "deck": int(table.deck_cards),
        "ticket_deck": int(table.tickets_left),
        "last_round": bool(table.turns_to_go != c.NOBODY),
    }


def _cards(board: Board, amounts: Iterable[int]) -> dict[str, int]:
    return {kind_name(board, kind): int(n) for kind, n in enumerate(amounts) if n}


def _parts(board: Board, parts: Any) -> dict[str, int]:
    return {name: int(parts[part]) for part, name in part_names(board).items() if parts[part]}


def _ticket(board: Board, ticket: int) -> dict[str, Any]:
    return {"ticket": board.ticket_name(ticket), "points": board.tickets[ticket].points}


def _token(board: Board, event: Any) -> dict[str, str] | None:
    token = token_taken(event)
    return token and {"symbol": symbol_name(token[0]), "city": board.cities[token[1]].name}


def _stations(board: Board, recording: Recording, seat: int) -> list[dict[str, str]]:
    """Return the cities with a station of the seat, and the routes borrowed there."""
    borrowed = borrowed_routes(board, recording, seat)
    cities = members(recording.game.table.stations[[seat]])
    routes = {city: {"borrowed": board.route_name(route)} for city, route in borrowed.items()}
    return [{"city": board.cities[city].name, **routes.get(city, {})} for city in cities]


def _seat(board: Board, recording: Recording, seat: int, strategies: list[str]) -> dict[str, Any]:
    """Return the result of a seat."""
    result = recording.seats[0][seat]
    done = members(result["completed"])
    return {
        "seat": seat,
        "strategy": strategies[seat],
        "score": int(result["score"]),
        "rank": int(result["rank"]),
        "points": {name: int(result["parts"][part]) for part, name in part_names(board).items()},
        "tickets": [{**_ticket(board, t), "completed": t in done} for t in members(result["kept"])],
        "routes": [board.route_name(route) for route in members(result["routes"])],
        **({"stations": _stations(board, recording, seat)} if board.rules.stations else {}),
        "longest_trail": int(result["trail"]),
        "trains_left": int(result["trains_left"]),
        "counts": dict(zip(COUNT_COLUMNS, result["counts"].tolist(), strict=True)),
    }


@dataclass(frozen=True)
class Game:
    """A game, with everything that happened in it."""

    seated: SeatedGame
    recording: Recording
    number: int  # what the user calls it

    def __repr__(self) -> str:
        from ttrsim.notebook import game_words

        return f"<{game_words(self)}>"

    def _repr_html_(self) -> str:
        from ttrsim.notebook import game_html

        return game_html(self)

    def html(self, path: str | Path) -> None:
        """Write a page that shows the game turn by turn."""
        from ttrsim.report.replay import replay_page

        write_file(Path(path), replay_page(self.seated, self.recording, self.number))

    def png(self, path: str | Path) -> None:
        """Draw the board at the end."""
        from ttrsim.report.pictures import draw_end

        draw_end(self.seated, self.recording, path)

    def gif(self, path: str | Path) -> None:
        """Draw the board turn by turn, as a moving picture."""
        from ttrsim.report.pictures import draw_film

        draw_film(self.seated, self.recording, path)

    def json(self) -> dict[str, Any]:
        """Return every decision and its results."""
        return game_json(self.seated, self.recording, self.number)

"""Recorded situations of the published program: each as a state of the game, and what an agent does in it.

A file of them has one JSON object a line, packed or not (.gz): who is to decide (agent, seat, players, phase), the
table (owned, display, trains, points, tickets_left, deck, discards), the seat's hand, tickets and offer, and what the
program remembers (memory, by its own names). `decisions` and `also` are what it does under several arbitrary orders;
`exact` says that all orders agree. In these games San Francisco-Salt Lake City has 4 spaces.
"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from conftest import load_script

from ttrsim.boards import Board, load_board
from ttrsim.core import constants as c
from ttrsim.core.deal import deal
from ttrsim.core.play import ready_minds
from ttrsim.core.records import GAME, MIND, ROOM
from ttrsim.encode import encode_board, words
from ttrsim.games import param_values
from ttrsim.kit import target
from ttrsim.kit.habits import CLAIM_ORDER
from ttrsim.kit.two_sides import NO_PLAN, WILD_NEEDS
from ttrsim.strategies import load_strategy

PHASES = {"opening": c.OPENING, "keep": c.KEEPING, "turn": c.TURN, "second": c.SECOND}
PLAN, NEEDS, THRESHOLD, COUNTER = 0, 3, 14, 15
"""Places in the memory of `destination_hungry`."""
KEEP_LEAST = {"opening": 2, "keep": 1}
AGENTS = ("one_step", "long_route", "route_focused", "destination_hungry")
Decision = tuple[str, ...]
agents_check = load_script("checks/agents.py")


def board() -> Board:
    """Return USA as the program has it."""
    return usa(False)


@cache
def usa(backwards: bool) -> Board:
    """Return USA as the program has it; backwards: its cities and connections listed from the last to the first."""
    text = load_board("usa").source.decode()
    line = 'between = ["Salt Lake City", "San Francisco"], length = '
    assert text.count(line + "5") == 1
    text = text.replace(line + "5", line + "4")
    for key in ("cities", "connections") if backwards else ():
        start = text.index(f"\n{key} = [\n") + len(f"\n{key} = [\n")
        lines = text[start : text.index("\n]", start)].split("\n")
        text = text[:start] + "\n".join(reversed(lines)) + text[start + len("\n".join(lines)) :]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "usa.toml"
        path.write_text(text, "utf-8")
        return load_board(str(path))


@dataclass(frozen=True)
class Situation:
    """A line of the file."""

    line: dict[str, Any]

    @property
    def agent(self) -> str:
        return str(self.line["agent"])

    @property
    def exact(self) -> bool:
        return bool(self.line["exact"])

    @cached_property
    def right(self) -> set[Decision]:
        """The legal actions of a situation."""
        return {canonical(decision) for decision in self.line["decisions"] + self.line["also"]}

    @property
    def remembered(self) -> tuple[str, ...]:
        """The connection that the program aims at here and would choose again; none if it would plan otherwise now."""
        told = self.line["memory"]
        stands = told.get("players_previous_points") == sum(self.line["points"])
        aims = told.get("current_objective_color") not in (None, "drawDestination")
        return tuple(sorted(told["current_objective_route"])) if stands and aims else ()

    def game(self) -> Any:
        """Return the GAME with the seat to decide."""
        game, line, record = np.zeros(1, GAME)[0], self.line, encode_board(board())
        deal(record, game, np.uint64(1), 0, line["players"])
        table, hand = game.table, game.hands[line["seat"]]
        table.phase, table.seat = PHASES[line["phase"]], line["seat"]
        table.trains[: line["players"]] = line["trains"]
        table.parts[: line["players"], c.POINTS_ROUTES] = table.score[: line["players"]] = line["points"]
        table.tickets_left, table.deck_cards, table.discard_cards = line["tickets_left"], line["deck"], line["discards"]
        table.display[:] = kinds(line["display"])
        table.display_cards = table.display.sum()
        table.face_up = sum(1 << kind for kind in range(c.KINDS) if table.display[kind])
        hand.cards[:] = kinds(line["hand"])
        hand.tickets[:] = words([ticket(t) for t in line["tickets"]], c.TICKET_WORDS)
        hand.offered, hand.keep_least = len(line["offered"]), KEEP_LEAST.get(line["phase"], 0)
        hand.offer[: hand.offered] = [ticket(t) for t in line["offered"]]
        for a, b, colour, seat in line["owned"]:
            self.own(table, track(a, b, colour, taken=table.owner), seat)
        return game

    def own(self, table: Any, route: int, seat: int) -> None:
        """Give the seat a route."""
        table.owner[route] = seat
        table.owned[seat] |= words([route], c.ROUTE_WORDS)
        twins = words(board().connections[board().routes[route].connection], c.ROUTE_WORDS)
        if self.line["players"] < board().rules.parallel_open_from:
            table.open[:] &= ~twins
        else:
            table.open[:] &= ~words([route], c.ROUTE_WORDS)
            table.barred[seat] |= twins
        table.network[seat] |= words([board().routes[route].a, board().routes[route].b], 1)[0]

    def remember(self, memory: Any) -> None:
        """Write what the program remembers into the memory of the strategy."""
        told = self.line["memory"]
        if self.agent in ("one_step", "long_route"):
            for i, held in enumerate(self.line["tickets"]):
                memory[target.GOT + i] = 1 + ticket(held)
            memory[target.MARK] = 1 + told["players_previous_points"]
            connection, kind = told["current_objective_route"], told["current_objective_color"]
            if connection and kind != "drawDestination":
                memory[target.TARGET] = 1 + track(*connection)
                memory[target.WANTED] = 1 + (target.ANY_COLOUR if kind.lower() == "gray" else kind_of(kind))
        elif self.agent == "destination_hungry":
            for colour, connections in (told["routes_by_color"] or {}).items():
                for a, b in connections:
                    memory[PLAN : PLAN + c.ROUTE_WORDS] |= words([track(a, b, colour)], c.ROUTE_WORDS).view(np.int64)
            for colour, trains in (told["colors_needed"] or {}).items():
                place = {"GRAY": c.GRAY, "WILD": WILD_NEEDS}.get(colour)
                memory[NEEDS + (kind_of(colour) if place is None else place)] = trains
            threshold = told["current_threshold"]
            memory[THRESHOLD] = NO_PLAN if threshold is None else threshold
            memory[COUNTER] = told["players_previous_points"]

    def decide(self, hash_seed: int | None = None, anew: bool = False) -> tuple[Decision, Any]:
        """Return the strategy's action, and its memory afterwards.

        hash_seed: that of Python 2.7's hashes of the cities' names, 0 for its usual ones; anew: choose the target anew.
        """
        strategy, game, record = load_strategy(self.agent), self.game(), encode_board(board())
        if hash_seed is not None:
            agents_check.rehash(record, board(), hash_seed)
        minds = np.zeros(c.SEATS, MIND)
        ready_minds(game, minds, param_values([strategy]), np.zeros(self.line["players"], np.uint8))
        mind, hand = minds[self.line["seat"]], game.hands[self.line["seat"]]
        self.remember(mind.memory)
        if anew:
            mind.memory[target.MARK] = 0
        action = strategy.compiled(record, game.table, hand, mind, np.zeros(1, ROOM)[0])
        return self.words(int(action)), mind.memory

    def words(self, action: int) -> Decision:
        """Return an action as the file has it; wilds alone pay in the first colour of which none is held."""
        if action >= c.CLAIM:
            route, kind = board().routes[(action - c.CLAIM) // 100], action // 10 % 10
            if kind == c.WILD:
                held = kinds(self.line["hand"])
                kind = next(k for k in CLAIM_ORDER if route.colour == k or (route.colour is None and not held[k]))
            return canonical(["claim", name(route.a), name(route.b), board().colours[kind].name])
        if action >= c.KEEP:
            offered = self.line["offered"]
            return canonical(["keep", *(f"{t[0]}-{t[1]}" for i, t in enumerate(offered) if action - c.KEEP >> i & 1)])
        if action >= c.TAKE:
            kind = action - c.TAKE
            return "take", "wild" if kind == c.WILD else board().colours[kind].name
        return ("tickets",) if action == c.DRAW_TICKETS else ("blind",)


def canonical(decision: list[str]) -> Decision:
    """Return a decision with its cities or tickets in alphabetical order."""
    if decision[0] == "claim":
        return ("claim", *sorted(decision[1:3]), decision[3].lower())
    return (decision[0], *sorted(decision[1:]))


def name(city: int) -> str:
    """Return the name of a city as the program has it."""
    spelt = board().cities[city]
    return (spelt.aliases[0] if spelt.name == "Montréal" else spelt.name).upper()


def kind_of(word: str) -> int:
    return c.WILD if word == "wild" else next(k.index for k in board().colours if k.name == word.lower())


def kinds(counts: dict[str, int]) -> list[int]:
    """Return cards by kind."""
    found = [0] * c.KINDS
    for word, many in counts.items():
        found[kind_of(word)] = many
    return found


def ticket(told: list[Any]) -> int:
    ends = {board().city(told[0]), board().city(told[1])}
    return next(t.index for t in board().tickets if {t.a, t.b} == ends)


def track(a: str, b: str, colour: str | None = None, taken: Any = None) -> int:
    """Return the first route between two cities of this colour that is not taken."""
    ends = {board().city(a), board().city(b)}
    wanted = None if colour is None or colour.lower() == "gray" else kind_of(colour)
    return next(
        r.index
        for r in board().routes
        if {r.a, r.b} == ends
        and (colour is None or r.colour == wanted)
        and (taken is None or taken[r.index] == c.NOBODY)
    )


def target_of(memory: Any) -> tuple[tuple[str, ...], str]:
    """Return the target in the memory of One Step Thinking or Long Route, by its cities, and the kind wanted for it."""
    route, kind = board().routes[memory[target.TARGET] - 1], int(memory[target.WANTED]) - 1
    words = {target.ANY_COLOUR: "gray", c.WILD: "wild"}
    return tuple(sorted((name(route.a), name(route.b)))), words.get(kind) or board().colours[kind].name


def situations(path: Path) -> Iterator[Situation]:
    """Yield all situations of a file."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        yield from (Situation(json.loads(line)) for line in lines)

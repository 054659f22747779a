"""Short ways to the situation that a test is about; every card and ticket stays accounted for."""

from collections import Counter
from random import Random

from ttrsim.boards import Board, load_board

from .actions import CITY, CLAIM, MARKER, STATION, WILD, decode, paid
from .game import ReferenceGame
from .random_play import random_orders
from .table import Points


def at_opening(name: str, players: int) -> ReferenceGame:
    board = load_board(name)
    return ReferenceGame(board, players, **random_orders(board, Random(f"{name} {players}")))


def at_first_turn(name: str, players: int, starts: dict[int, str] | None = None) -> ReferenceGame:
    """Let everybody keep all tickets that may be kept; start cities are as given, by seat."""
    game = at_opening(name, players)
    while game.phase != "TURN":
        actions = game.legal_actions()
        if game.phase == "START" and starts:
            game.apply(CITY + game.board.city(starts[game.seat]))
        else:
            game.apply(actions[-1] if game.phase == "OPENING" else actions[0])
    return game


def kind_of(board: Board, word: str) -> int:
    return WILD if word == "wild" else next(c.index for c in board.colours if c.name == word)


def cards(board: Board, text: str) -> Counter[int]:
    """`cards(board, "2 red, 1 wild")`."""
    pairs = [part.split() for part in text.split(",")] if text else []
    return Counter({kind_of(board, word): int(many) for many, word in pairs})


def give(game: ReferenceGame, seat: int, text: str) -> None:
    """Give the seat exactly these cards; what it held goes under the deck."""
    game.deck += game.hands[seat].elements()
    game.hands[seat] = Counter()
    for kind in cards(game.board, text).elements():
        game.deck.remove(kind)
        game.hands[seat][kind] += 1


def show(game: ReferenceGame, text: str) -> None:
    """Lay exactly these cards face up; what lay there goes under the deck."""
    game.deck += game.display.elements()
    game.display = Counter()
    for kind in cards(game.board, text).elements():
        game.deck.remove(kind)
        game.display[kind] += 1


def on_top(game: ReferenceGame, text: str) -> None:
    """Put these cards on the deck, in this order."""
    wanted = list(cards(game.board, text).elements())
    for kind in wanted:
        game.deck.remove(kind)
    game.deck[:0] = wanted


def bare_deck(game: ReferenceGame, keep: int = 0) -> None:
    """Move all but this many cards of the deck, and all discards, to the hand of the last seat."""
    hand = game.hands[-1]
    hand.update(game.deck[keep:])
    hand.update(game.discards)
    del game.deck[keep:]
    game.discards = Counter()


def find_route(board: Board, a: str, b: str, colour: str | None = None) -> int:
    """Return index of the route between two cities; of the first that wants this colour, if one is given."""
    ends = {board.city(a), board.city(b)}
    found = [r.index for r in board.routes if {r.a, r.b} == ends]
    return next(r for r in found if colour is None or board.colour_name(board.routes[r].colour) == colour)


def own(game: ReferenceGame, seat: int, a: str, b: str, colour: str | None = None) -> int:
    """Give the seat the route, claimed and scored in an earlier turn."""
    route = find_route(game.board, a, b, colour)
    length = game.board.routes[route].length
    game.owner[route] = seat
    game.claim_turn[route] = game.turns
    game.trains[seat] -= length
    game.points[seat].routes += game.board.rules.route_points[length]
    return route


def claim(game: ReferenceGame, a: str, b: str, colour: str, wilds: int = 0, track: str | None = None) -> None:
    """Claim the route (its track of that colour) with this many wilds and the rest in the colour."""
    route = find_route(game.board, a, b, track)
    game.apply(paid(CLAIM, route, (kind_of(game.board, colour), wilds)))


def claims_of(game: ReferenceGame, a: str, b: str, track: str | None = None) -> set[tuple[str, int]]:
    """Return the legal ways to pay for the route, as pairs of a colour's name and the number of wilds."""
    route = find_route(game.board, a, b, track)
    return {way for word, place, way in paid_actions(game) if (word, place) == ("CLAIM", route)}


def paid_actions(game: ReferenceGame) -> list[tuple[str, int, tuple[str, int]]]:
    """Return all legal actions that are paid with cards: the word, the route or city, the way to pay."""
    names = {c.index: c.name for c in game.board.colours} | {WILD: "wild"}
    decoded = [decode(a) for a in game.legal_actions() if a >= CLAIM]
    return [(word, numbers[0], (names[numbers[1]], numbers[2])) for word, numbers in decoded]


def station(game: ReferenceGame, city: str, colour: str, wilds: int = 0) -> None:
    game.apply(paid(STATION, game.board.city(city), (kind_of(game.board, colour), wilds)))


def place_marker(game: ReferenceGame, city: str, colour: str, wilds: int = 0) -> None:
    game.apply(paid(MARKER, game.board.city(city), (kind_of(game.board, colour), wilds)))


def go_to(game: ReferenceGame, city: str) -> None:
    game.apply(CITY + game.board.city(city))


def turn_of(game: ReferenceGame, seat: int) -> None:
    """Let the seat be the next to move."""
    assert game.phase == "TURN"
    game.seat = seat


def ticket_of(board: Board, a: str, b: str) -> int:
    ends = {board.city(a), board.city(b)}
    return next(t.index for t in board.tickets if {t.a, t.b} == ends)


def hold_tickets(game: ReferenceGame, seat: int, *pairs: tuple[str, str]) -> list[int]:
    """Give the seat exactly these tickets; they are out of everybody else's hands."""
    wanted = [ticket_of(game.board, a, b) for a, b in pairs]
    game.ticket_deck += game.tickets[seat]
    for place in (game.ticket_deck, game.removed, *game.tickets):
        place[:] = [t for t in place if t not in wanted]
    game.tickets[seat] = wanted
    return wanted


def finished(name: str, players: int) -> ReferenceGame:
    """Return a game just over in which nobody has a ticket, a route or a point."""
    game = at_first_turn(name, players)
    for seat in range(players):
        hold_tickets(game, seat)
    game.points = [Points() for _ in range(players)]
    game.phase = "OVER"
    return game

"""The records of the core, as they follow from the reference alone."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from reference.actions import PAY, TAKE, WILD
from reference.legal import network
from reference.scoring import SeatResult

from ttrsim.core import constants as c

from .stepping import WatchedGame

PHASES = ("OPENING", "START", "STACK", "TURN", "SECOND", "TUNNEL", "ALVIN", "MARKER", "TOKEN", "KEEP", "OVER")
Fields = dict[str, Any]


def words(members: Iterable[int], size: int) -> Any:
    """Return a set as `size` 64-bit words; one word is not in a list."""
    whole = 0
    for m in members:
        whole |= 1 << m
    return whole if size == 1 else [whole >> 64 * w & (1 << 64) - 1 for w in range(size)]


def by_kind(cards: Counter[int]) -> list[int]:
    return [cards[kind] for kind in range(c.KINDS)]


def none_as(number: int | None, otherwise: int) -> int:
    return otherwise if number is None else number


def places(owner: dict[int, int], players: int) -> list[int]:
    """Return for each seat the set of the cities that it owns."""
    return [words([city for city, seat in owner.items() if seat == s], 1) for s in range(players)]


def of_cards(game: WatchedGame) -> Fields:
    """Return fields about train cards."""
    return {
        "display": by_kind(game.display),
        "display_cards": game.display.total(),
        "discards": by_kind(game.discards),
        "discard_cards": game.discards.total(),
        "deck_cards": len(game.deck),
        "reshuffles": game.reshuffles,
        "refreshes": game.refreshes,
        "hand_cards": [hand.total() for hand in game.hands],
        "known": game.known,
    } | face_up(game)


def face_up(game: WatchedGame) -> Fields:
    """Return the kinds that lie face up. Where none may be taken in a dry turn it means something while cards are
    drawn.
    """
    if game.board.rules.draw_when_dry:
        return {"face_up": words(+game.display, 1)}
    if game.phase == "TURN":
        return {"face_up": words([a - TAKE for a in game.legal_actions() if TAKE <= a < PAY], 1)}
    return {"face_up": words(+game.display, 1)} if game.phase == "SECOND" else {}


def of_course(game: WatchedGame) -> Fields:
    """Return fields about the course of the game."""
    ending = c.STALEMATE if game.stalemate else c.OVERLONG if game.overlong else c.ENDED if game.over else c.RUNNING
    return {
        "phase": PHASES.index(game.phase),
        "seat": game.seat,
        "players": game.players,
        "turn": game.turns,
        "dry_turns": game.dry_turns,
        "turns_to_go": none_as(game.countdown, c.NOBODY),
        "ender": none_as(game.ender, c.NOBODY),
        "ending": ending,
        "counts": game.counts,
        "kept_tickets": [len(tickets) for tickets in game.tickets],
    } | ({"passes_in_a_row": game.passes} if game.phase in ("TURN", "OVER") else {})


def of_pieces(game: WatchedGame) -> Fields:
    """Return fields about stations, markers, Alvin and souvenirs."""
    rules, seats = game.board.rules, range(game.players)
    stations, markers = Counter(game.stations.values()), Counter(game.markers.values())
    symbols, tokens = [c.NOBODY] * c.CITIES, [0] * c.CITIES
    for city, stack in game.stacks.items():
        symbols[city], tokens[city] = stack.symbol, stack.tokens
    return {
        "trains": game.trains,
        "stations": places(game.stations, game.players),
        "stations_left": [(rules.stations.each if rules.stations else 0) - stations[s] for s in seats],
        "markers": places(game.markers, game.players),
        "markers_left": [(rules.markers.each if rules.markers else 0) - markers[s] for s in seats],
        "alvin_city": none_as(game.alvin_city, c.NOWHERE),
        "alvin_holder": none_as(game.alvin_holder, c.NOBODY),
        "stack_symbol": symbols,
        "stack_tokens": tokens,
        "stacks": words([city for city, stack in game.stacks.items() if stack.tokens], 1),
        "placed": len(game.stacks) - (len(rules.souvenirs.fixed) if rules.souvenirs else 0),
        "tokens": [words(held, 1) for held in game.tokens],
    }


def of_routes(game: WatchedGame) -> Fields:
    """Return fields about who owns what; they change only with a claim or a start city."""
    board, seats = game.board, range(game.players)
    owners = {
        r.index: {game.owner[t] for t in board.connections[r.connection] if t in game.owner} for r in board.routes
    }
    shared = game.players >= board.rules.parallel_open_from
    is_open = {r for r in owners if r not in game.owner and (shared or not owners[r])}
    networks = [network(game, s) for s in seats]
    within = networks if board.rules.own_network else []
    reach = [words([r.index for r in board.routes if r.a in net or r.b in net], c.ROUTE_WORDS) for net in within]
    return {
        "open": words(is_open, c.ROUTE_WORDS),
        "owned": [words([r for r, s in game.owner.items() if s == seat], c.ROUTE_WORDS) for seat in seats],
        "owner": [game.owner.get(r, c.NOBODY) for r in range(c.ROUTES)],
        "claimed": [game.claim_turn.get(r, c.NOBODY) for r in range(c.ROUTES)],
        "network": [words(net, 1) for net in networks],
        "open_and_barred": [words([r for r in is_open if s in owners[r]], c.ROUTE_WORDS) for s in seats],
    } | ({"reach": reach} if within else {})


def of_claim(game: WatchedGame) -> Fields:
    """Return fields that mean something while a claim is decided."""
    if tunnel := game.tunnel:
        return {
            "route": tunnel.route,
            "laid_kind": tunnel.kind,
            "laid_wilds": tunnel.laid[WILD],
            "revealed": by_kind(tunnel.revealed),
            "extra": tunnel.extra,
        }
    return {} if game.claimed is None else {"route": game.claimed}


def of_scores(game: WatchedGame) -> Fields:
    """Return points so far."""
    parts = [[0] * c.PARTS for _ in range(game.players)]
    for part, points in zip(parts, game.points, strict=True):
        part[c.POINTS_ROUTES], part[c.POINTS_MARKERS] = points.routes, points.markers
        part[c.POINTS_START], part[c.POINTS_CAPTURES] = points.start, points.captures
    return {"parts": parts, "score": game.scores}


def final_parts(r: SeatResult) -> list[int]:
    """Return the row of `parts` that a result comes to."""
    row = [0] * c.PARTS
    row[c.POINTS_START] = r["start_points"]
    row[c.POINTS_ROUTES], row[c.POINTS_MARKERS] = r["route_points"], r["marker_points"]
    row[c.POINTS_WON], row[c.POINTS_LOST] = r["tickets_won"], -r["tickets_lost"]
    row[c.POINTS_TRAIL], row[c.POINTS_MOST_TICKETS] = r["longest_trail_bonus"], r["most_tickets_bonus"]
    row[c.POINTS_STATIONS], row[c.POINTS_TOKENS] = r["unused_station_points"], r["token_points"]
    row[c.POINTS_CAPTURES], row[c.POINTS_ALVIN] = r["alvin_capture_points"], r["alvin_holder_points"]
    return row


def offers(game: WatchedGame) -> list[list[int]]:
    """Return the tickets offered to each seat."""
    if game.phase == "OPENING":
        return [offer if seat >= game.seat else [] for seat, offer in enumerate(game.dealt)]
    return [game.offered if seat == game.seat else [] for seat in range(game.players)]


def keep_least(game: WatchedGame, offer: list[int]) -> int:
    """Return the number of tickets of an offer that must be kept."""
    rules = game.board.rules.tickets
    return min(rules.keep if game.phase == "OPENING" else rules.draw_keep, len(offer))


def of_hands(game: WatchedGame) -> Fields:
    """Return fields of all hands."""
    return {
        "hands.cards": [by_kind(hand) for hand in game.hands],
        "hands.tickets": [words(tickets, c.TICKET_WORDS) for tickets in game.tickets],
        "hands.dealt": [words(tickets, c.TICKET_WORDS) for tickets in game.dealt],
        "hands.drawn": [words(tickets, c.TICKET_WORDS) for tickets in game.drawn],
        "hands.offered": [len(offer) for offer in offers(game)],
        "hands.seat": list(range(game.players)),
        "hands.must_keep": [0] * game.players,  # only an intervention makes a seat keep a ticket
        "hands.overruled": [0] * game.players,
    }


def of_decks(game: WatchedGame) -> Fields:
    """Return the hidden orders: cards and tickets from the top on, and opening tickets still to be shuffled
    together.
    """
    rejected = game.board.rules.tickets.rejected
    return {
        "cards": game.deck,
        "tickets": game.ticket_deck + (game.rejected if rejected == "bottom" else []),
        "rejects": game.rejected if rejected == "shuffled" else [],
    }

"""The actions that the rules allow, phase by phase."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations

from .actions import (
    CITY,
    CLAIM,
    DECLINE,
    DRAW_BLIND,
    DRAW_TICKETS,
    MARKER,
    PASS,
    PAY,
    STATION,
    TAKE,
    WILD,
    Way,
    keep,
    paid,
)
from .table import Table


def legal_actions(game: Table) -> list[int]:
    """Return all legal actions, in ascending order; none when the game is over."""
    by_phase: dict[str, Callable[[Table], list[int]]] = {
        "OPENING": opening,
        "START": starts,
        "STACK": stack_places,
        "TURN": turn,
        "SECOND": second,
        "TUNNEL": tunnel,
        "ALVIN": alvin,
        "MARKER": marker,
        "TOKEN": token,
        "KEEP": drawn,
        "OVER": lambda _: [],
    }
    return sorted(by_phase[game.phase](game))


def subsets(offer: list[int], at_least: int) -> list[tuple[int, ...]]:
    """Return all sets of at least this many positions of the offer; the whole offer if it is smaller."""
    fewest = min(at_least, len(offer))
    return [chosen for size in range(fewest, len(offer) + 1) for chosen in combinations(range(len(offer)), size)]


def opening(game: Table) -> list[int]:
    rules, offer = game.board.rules, game.offered
    most_long = rules.long_tickets.keep_at_most if rules.long_tickets else 0

    def long_ones(chosen: tuple[int, ...]) -> int:
        return sum(game.board.tickets[offer[p]].long for p in chosen)

    return [keep(chosen) for chosen in subsets(offer, rules.tickets.keep) if long_ones(chosen) <= most_long]


def drawn(game: Table) -> list[int]:
    return [keep(chosen) for chosen in subsets(game.offered, game.board.rules.tickets.draw_keep)]


def marker_cities(game: Table) -> set[int]:
    """Return cities where a marker may still be placed: those without one, but never where Alvin starts."""
    alvin = game.board.rules.alvin
    forbidden = {alvin.city} if alvin else set()
    return {c.index for c in game.board.cities} - set(game.markers) - forbidden


def starts(game: Table) -> list[int]:
    return [CITY + city for city in marker_cities(game)]


def stack_places(game: Table) -> list[int]:
    return [CITY + c.index for c in game.board.cities if c.index not in game.stacks]


def turn(game: Table) -> list[int]:
    actions = [*face_up(game, wilds=True), *blind(game), *claims(game), *stations(game)]
    if game.ticket_deck:
        actions.append(DRAW_TICKETS)
    return actions or [PASS]


def second(game: Table) -> list[int]:
    return [*face_up(game, wilds=False), *blind(game)]


def face_up(game: Table, wilds: bool) -> list[int]:
    if game.dry and not game.board.rules.draw_when_dry:
        return []
    return [TAKE + kind for kind in +game.display if wilds or kind != WILD]


def blind(game: Table) -> list[int]:
    return [DRAW_BLIND] if game.deck or game.discards.total() else []


def ways_to_pay(hand: Counter[int], cost: int, kinds: Iterable[int], least_wilds: int = 0) -> list[Way]:
    """Return all ways to pay this many cards of one of these kinds, wilds standing in, with at least `wilds` wilds."""
    ways = [
        (kind, wilds)
        for kind in kinds
        for wilds in range(max(least_wilds, cost - hand[kind]), min(cost, hand[WILD] + 1))
    ]
    return [*ways, (WILD, cost)] if cost <= hand[WILD] else ways


def any_colour(game: Table) -> list[int]:
    return [c.index for c in game.board.colours]


def claims(game: Table) -> list[int]:
    hand, closed = game.hands[game.seat], closed_routes(game)
    near = network(game, game.seat) if game.board.rules.own_network else {c.index for c in game.board.cities}

    @cache
    def ways(length: int, colour: int | None, ferry: int) -> list[Way]:
        return ways_to_pay(hand, length, any_colour(game) if colour is None else [colour], ferry)

    return [
        paid(CLAIM, route.index, way)
        for route in game.board.routes
        if route.index not in closed and route.length <= game.trains[game.seat] and (route.a in near or route.b in near)
        for way in ways(route.length, route.colour, route.ferry)
    ]


def closed_routes(game: Table) -> set[int]:
    """Return routes that have an owner, and parallel ones of those that are closed to the seat to move."""
    shared = game.players >= game.board.rules.parallel_open_from
    closed = set(game.owner)
    for route, owner in game.owner.items():
        if owner == game.seat or not shared:
            closed.update(game.board.connections[game.board.routes[route].connection])
    return closed


def network(game: Table, seat: int) -> set[int]:
    """Return the seat's start city, if there are such, and every city at an end of one of its routes."""
    own = [game.board.routes[r] for r, owner in game.owner.items() if owner == seat]
    start = {game.start_cities[seat]} if seat in game.start_cities else set()
    return start | {city for route in own for city in (route.a, route.b)}


def stations(game: Table) -> list[int]:
    rules = game.board.rules.stations
    built = list(game.stations.values()).count(game.seat)
    if not rules or built == rules.each:
        return []
    ways = ways_to_pay(game.hands[game.seat], built + 1, any_colour(game))
    free = [c.index for c in game.board.cities if c.index not in game.stations]
    return [paid(STATION, city, way) for city in free for way in ways]


def tunnel(game: Table) -> list[int]:
    return [DECLINE, *extra_payments(game)]


def extra_payments(game: Table) -> list[int]:
    """Return ways to pay the extra cards of the tunnel from what is left in the hand; none if that is too little."""
    assert game.tunnel
    hand, kind, extra = game.hands[game.seat], game.tunnel.kind, game.tunnel.extra
    colours = [] if kind == WILD else [kind]
    return [PAY + wilds for _, wilds in ways_to_pay(hand, extra, colours)]


def alvin(game: Table) -> list[int]:
    return [CITY + city for city, owner in game.markers.items() if owner == game.seat]


def marker(game: Table) -> list[int]:
    return [DECLINE, *marker_placements(game)]


def marker_placements(game: Table) -> list[int]:
    """Return ways to place a further marker at an end of the route just claimed."""
    rules = game.board.rules.markers
    placed = list(game.markers.values()).count(game.seat)
    if not rules or placed == rules.each:
        return []
    ways = ways_to_pay(game.hands[game.seat], rules.cards, any_colour(game))
    free = game.ends_of_claimed() & marker_cities(game)
    return [paid(MARKER, city, way) for city in free for way in ways]


def token(game: Table) -> list[int]:
    return [CITY + city for city in token_cities(game)]


def token_cities(game: Table) -> list[int]:
    """Return ends of the route just claimed that have a token whose symbol the seat lacks."""
    return [
        city
        for city in sorted(game.ends_of_claimed() & set(game.stacks))
        if game.stacks[city].tokens > 0 and game.stacks[city].symbol not in game.tokens[game.seat]
    ]

"""Invariants of a game at any moment, computed without regard to how the game got there."""

from collections import Counter

import networkx as nx

from .actions import WILD
from .table import Table


def check(game: Table) -> None:
    """Assert that nothing is lost, doubled or scored wrongly."""
    check_cards(game)
    check_display(game)
    check_tickets(game)
    check_trains(game)
    check_connections(game)
    check_points(game)
    check_alvin(game)
    check_networks(game)
    check_tokens(game)
    check_stations(game)
    check_turns(game)


def check_cards(game: Table) -> None:
    """Check that every card of the board is in exactly one place."""
    held = Counter(game.deck) + game.discards + game.display
    for hand in game.hands:
        assert min(hand.values(), default=0) >= 0
        held += hand
    if game.tunnel:
        held += game.tunnel.laid + game.tunnel.revealed
    assert held == +Counter({WILD: game.board.wilds} | {c.index: c.cards for c in game.board.colours})


def check_display(game: Table) -> None:
    """Check that places are empty only if no card can fill them, and hold too many wilds only if that must be."""
    rules, left = game.board.rules, len(game.deck) + game.discards.total()
    face_up = game.display.total()
    assert min(game.display.values(), default=0) >= 0
    assert face_up == rules.display or (face_up < rules.display and left == 0)
    if game.display[WILD] >= rules.display_wild_limit:
        cards = Counter(game.deck) + game.discards + game.display
        assert cards.total() - cards[WILD] <= min(rules.display, cards.total()) - rules.display_wild_limit


def check_tickets(game: Table) -> None:
    """Check that every ticket is in exactly one place."""
    kept = [t for tickets in game.tickets for t in tickets]
    waiting = game.offered + game.rejected
    if game.phase == "OPENING":
        waiting += [t for offer in game.dealt[game.seat + 1 :] for t in offer]
    everywhere = game.ticket_deck + kept + waiting + game.removed
    assert sorted(everywhere) == [t.index for t in game.board.tickets]


def check_trains(game: Table) -> None:
    """Check that trains are in the supply or on the board."""
    for seat in range(game.players):
        on_board = sum(game.board.routes[r].length for r, owner in game.owner.items() if owner == seat)
        assert game.trains[seat] >= 0
        assert game.trains[seat] + on_board == game.board.rules.trains


def check_connections(game: Table) -> None:
    """Nobody owns two parallel routes; with few players nobody shares a connection."""
    for twins in game.board.connections:
        owners = [game.owner[r] for r in twins if r in game.owner]
        assert len(owners) == len(set(owners))
        assert len(owners) <= 1 or game.players >= game.board.rules.parallel_open_from


def check_points(game: Table) -> None:
    """Route points follow from the owners, and from the markers placed in earlier turns, or up to the claim's own.

    If they count at once, a claim scores nothing before its marker is decided.
    """
    routes, markers = [0] * game.players, [0] * game.players
    for r, owner in game.owner.items():
        route = game.board.routes[r]
        if game.scores_after_marker and r == game.claimed and game.phase in ("ALVIN", "MARKER"):
            continue
        points, controls = game.board.rules.route_points[route.length], []
        for city in (route.a, route.b):
            if city in game.markers and game.marker_turn[city] < game.claim_turn[r] + game.scores_after_marker:
                controls.append(game.markers[city])
        for seat in controls or [owner]:
            (routes if seat == owner else markers)[seat] += points
    assert routes == [p.routes for p in game.points]
    assert markers == [p.markers for p in game.points]


def check_alvin(game: Table) -> None:
    """Replay all claims: each by another player into Alvin's city captures him."""
    alvin = game.board.rules.alvin
    if alvin is None:
        assert game.alvin_city is None
        assert game.alvin_holder is None
        return
    city, holder, captures = alvin.city, None, [0] * game.players
    for r, turn in sorted(game.claim_turn.items(), key=lambda item: item[1]):
        route, seat = game.board.routes[r], game.owner[r]
        if city in (route.a, route.b) and seat != holder:
            city, holder = game.alvin_moves.get(turn, city), seat
            captures[seat] += alvin.capture_points
    assert (city, holder) == (game.alvin_city, game.alvin_holder)
    assert captures == [p.captures for p in game.points]
    assert alvin.city not in game.markers
    if holder is not None and game.phase != "ALVIN":
        assert game.markers[city] == holder


def check_networks(game: Table) -> None:
    """Check that networks that claims must join are in one piece and contain the start city."""
    if game.board.rules.markers:
        placed = Counter(game.markers.values())
        assert max(placed.values(), default=0) <= game.board.rules.markers.each
    if not game.board.rules.own_network:
        return
    for seat, start in game.start_cities.items():
        graph: nx.Graph[int] = nx.Graph()
        graph.add_node(start)
        for r, owner in game.owner.items():
            if owner == seat:
                graph.add_edge(game.board.routes[r].a, game.board.routes[r].b)
        assert nx.is_connected(graph)
        assert {city for city, owner in game.markers.items() if owner == seat} <= set(graph)


def check_tokens(game: Table) -> None:
    """Check that tokens are on their stack or with a player."""
    souvenirs = game.board.rules.souvenirs
    if souvenirs is None:
        assert not game.stacks
        return
    table, fixed = souvenirs.players[game.players], len(souvenirs.fixed)
    for stack in game.stacks.values():
        height = table.height if stack.symbol < fixed else table.placed_height
        assert 0 <= stack.tokens == height - sum(stack.symbol in held for held in game.tokens)
    assert {stack.symbol for stack in game.stacks.values()} == set(range(len(game.stacks)))


def check_stations(game: Table) -> None:
    built = Counter(game.stations.values())
    rules = game.board.rules.stations
    assert max(built.values(), default=0) <= (rules.each if rules else 0)


def check_turns(game: Table) -> None:
    """Check that with equal turns all players have had as many when the game ends."""
    if game.over and game.ender is not None and game.board.rules.equal_turns and not game.stalemate:
        assert game.turns % game.players == 0
    assert 0 <= game.dry_turns <= game.turns + (not game.over)
    assert [p.start for p in game.points] == list(game.board.rules.start_points[: game.players])

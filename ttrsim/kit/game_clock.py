"""The course of a game: its end, its leader, and the routes that others seem to want."""

from ttrsim.core.constants import NOBODY, TURNS
from ttrsim.core.jit import count, inline_kernel, kernel
from ttrsim.core.sets import next_member
from ttrsim.kit.paths import begin, connected, look


@inline_kernel
def rounds_left(board, table, mind):
    """Estimate how many more turns each player has, at the pace of the player who runs out of trains first.

    Exact in the last round; early on, players are assumed to lay a train and a quarter per turn.

    >>> def take_turn(board, table, hand, mind):
    ...     hurry = rounds_left(board, table, mind) < 5
    """
    work = mind.work
    if work.fresh:
        begin(board, work)
    if work.rounds_at != table.turn:
        work.rounds, work.rounds_at = count_rounds(board, table), table.turn
    return work.rounds


@kernel
def count_rounds(board, table):
    """Return the same as `rounds_left`, counted afresh."""
    if table.turns_to_go != NOBODY:
        return float((table.turns_to_go + table.players - 1) // table.players)
    left = 1e9
    for seat in range(table.players):
        laid = board.trains - table.trains[seat]
        pace = (laid + 12.5) / (table.counts[seat, TURNS] + 10.0)
        left = min(left, (table.trains[seat] - board.last_round_at) / pace)
    return left + 1.0


@kernel
def lead(board, table, hand, mind, a_ticket):
    """Return by how many points the seat leads, counting its tickets, and `a_ticket` points for each of the others'.

    >>> def take_turn(board, table, hand, mind):
    ...     ahead = lead(board, table, hand, mind, 9.0) > 0
    """
    mine = float(table.score[hand.seat])
    if hand.tickets[0] | hand.tickets[1]:
        look(board, table, hand, mind)
    ticket = next_member(hand.tickets, NOBODY)
    while ticket != NOBODY:
        done = connected(board, table, hand, mind, board.ticket_ends[ticket])
        mine += board.ticket_points[ticket] if done else -board.ticket_points[ticket]
        ticket = next_member(hand.tickets, ticket)
    best = -1e9
    for other in range(table.players):
        if other != hand.seat:
            best = max(best, table.score[other] + a_ticket * table.kept_tickets[other])
    return mine - best


@inline_kernel
def contest(board, table, seat, route):
    """Return how much others seem to want a route: the sum of its ends that the network of each touches.

    >>> def take_turn(board, table, hand, mind):
    ...     hot = contest(board, table, hand.seat, mind.memory[0]) >= 2
    """
    ends = board.route_ends[route]
    interest = -count(table.network[seat] & ends)
    for player in range(table.players):
        interest += count(table.network[player] & ends)
    return interest

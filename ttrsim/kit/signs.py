"""Signs of how the game goes: how near the end is, and what others seem to be building."""

from ttrsim.core.constants import NOBODY, TURNS
from ttrsim.core.jit import count, kernel


@kernel
def rounds_left(board, table):
    """About how many more turns each player has, at the pace of the fastest so far.

    In the last round it is exact; early on each player is taken to lay a train and a quarter a turn.

    >>> def take_turn(board, table, hand, mind):
    ...     hurry = rounds_left(board, table) < 5
    """
    if table.turns_to_go != NOBODY:
        return (table.turns_to_go + table.players - 1) / table.players
    left = 1e9
    for seat in range(table.players):
        laid = board.trains - table.trains[seat]
        pace = (laid + 12.5) / (table.counts[seat, TURNS] + 10.0)
        left = min(left, (table.trains[seat] - board.last_round_at) / pace)
    return left + 1.0


@kernel
def contest(board, table, seat, route):
    """How much others seem to want a route: for each, 2 if it would join what they own at both ends, 1 at one end.

    >>> def take_turn(board, table, hand, mind):
    ...     hot = contest(board, table, hand.seat, mind.memory[0]) >= 2
    """
    interest = 0
    for other in range(table.players):
        if other != seat:
            interest += count(table.network[other] & board.route_ends[route])
    return interest

"""What a strategy does where its file says nothing: one function for each decision.

Each takes what a strategy sees (board, table, hand, mind) and returns a legal action.
"""

from ttrsim.core.jit import kernel
from ttrsim.kit.chance import any_action, any_kind


@kernel
def keep_opening(board, table, hand, mind):
    """OPENING: which of the dealt tickets to keep."""
    return any_action(board, table, hand, mind)


@kernel
def choose_start(board, table, hand, mind):
    """START: the start city."""
    return any_action(board, table, hand, mind)


@kernel
def place_stack(board, table, hand, mind):
    """STACK: a place for a further souvenir stack."""
    return any_action(board, table, hand, mind)


@kernel
def take_turn(board, table, hand, mind):
    """TURN: the turn's action."""
    return any_kind(board, table, hand, mind)


@kernel
def second_card(board, table, hand, mind):
    """SECOND: the second card."""
    return any_action(board, table, hand, mind)


@kernel
def pay_tunnel(board, table, hand, mind):
    """TUNNEL: pay the extra cards, or withdraw."""
    return any_action(board, table, hand, mind)


@kernel
def move_alvin(board, table, hand, mind):
    """ALVIN: the city to move him to."""
    return any_action(board, table, hand, mind)


@kernel
def place_marker(board, table, hand, mind):
    """MARKER: a further marker, or none."""
    return any_action(board, table, hand, mind)


@kernel
def choose_token(board, table, hand, mind):
    """TOKEN: the end of the route whose token to take."""
    return any_action(board, table, hand, mind)


@kernel
def keep_drawn(board, table, hand, mind):
    """KEEPING: which of the drawn tickets to keep."""
    return any_action(board, table, hand, mind)

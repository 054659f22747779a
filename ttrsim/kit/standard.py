"""The defaults for all decisions in one function.

>>> def take_turn(board, table, hand, mind, room):
...     return default_answer(board, table, hand, mind, room)
"""

from ttrsim.core.constants import ALVIN, KEEPING, MARKER, OPENING, SECOND, STACK, START, TUNNEL, TURN
from ttrsim.core.jit import kernel
from ttrsim.kit import defaults


@kernel
def default_answer(board, table, hand, mind, room):
    """The action of the defaults for the decision that is wanted."""
    phase = table.phase
    if phase == TURN:
        return defaults.take_turn(board, table, hand, mind)
    if phase == SECOND:
        return defaults.second_card(board, table, hand, mind)
    if phase == TUNNEL:
        return defaults.pay_tunnel(board, table, hand, mind)
    if phase == KEEPING:
        return defaults.keep_drawn(board, table, hand, mind)
    if phase == MARKER:
        return defaults.place_marker(board, table, hand, mind)
    if phase == ALVIN:
        return defaults.move_alvin(board, table, hand, mind)
    if phase == OPENING:
        return defaults.keep_opening(board, table, hand, mind)
    if phase == START:
        return defaults.choose_start(board, table, hand, mind)
    if phase == STACK:
        return defaults.place_stack(board, table, hand, mind)
    return defaults.choose_token(board, table, hand, mind)

"""The defaults for all decisions in one function, compiled apart: once for all strategies, which call it by name.

>>> def take_turn(board, table, hand, mind, room):
...     return default_answer(board, table, hand, mind, room)
"""

from ttrsim.core.constants import ALVIN, KEEPING, MARKER, OPENING, SECOND, STACK, START, TUNNEL, TURN
from ttrsim.core.jit import external
from ttrsim.core.play import STRATEGY_SIGNATURE
from ttrsim.kit import defaults


def answer(board, table, hand, mind, room):
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


default_answer = external("ttrsim_default_answer", STRATEGY_SIGNATURE, answer)

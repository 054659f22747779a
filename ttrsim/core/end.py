"""The end of a turn."""

from ttrsim.core.constants import ENDED, NOBODY, OVER, OVERLONG, RUNNING, STALEMATE, TURN, TURN_LIMIT, TURNS
from ttrsim.core.jit import inline_kernel


@inline_kernel
def end_turn(board, game):
    """End the turn of the seat: the next one's begins, or the game is OVER."""
    table = game.table
    seat = table.seat
    table.turn += 1
    table.counts[seat, TURNS] += 1
    if table.turns_to_go != NOBODY:
        table.turns_to_go -= 1
        if table.turns_to_go == 0:
            table.ending = ENDED
    elif table.trains[seat] <= board.last_round_at:
        table.turns_to_go, table.ender = table.players, seat
    if table.ending == RUNNING:
        if table.passes_in_a_row == table.players:
            table.ending = STALEMATE
        elif table.turn >= TURN_LIMIT * table.players:
            table.ending = OVERLONG
    if table.ending != RUNNING:
        table.phase = OVER
        return
    table.phase = TURN
    table.seat = seat + 1 if seat + 1 < table.players else 0

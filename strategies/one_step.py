"""One Step Thinking: goes for the next route on the way to the ticket worth most, and looks no further.

One of the four agents of F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen, "AI-based Playtesting of
Contemporary Board Games" (FDG 2017). It plays as their program really does, because their findings rest on that.

It keeps all tickets of the opening. Whenever somebody has claimed a route, and after drawing tickets, it takes the
ticket worth most among its unfinished ones that can still be finished, and for it the path with the fewest routes
(not the fewest trains; its own routes count one as well). Its target is the first route on that path, from the
ticket's first city, that it does not own. With no such ticket it draws tickets, as long as all players have 8 trains
and tickets are left; after that its target is the longest free route. It claims the target as soon as any colour
pays for it, and till then draws the colour of it that it holds most of, else a face-up wild, else blind.

With `slips` (the default) it repeats what were slips in the program: of tickets drawn later it keeps just the one of
fewest points, meant was the best one in points a train; and for a gray target that is the longest route it draws
wilds or blind only.

The description leaves some things open. Here a route longer than the trains left is not free; plans are made at the
start of its own turn; points a train are those of the cheapest path in trains; a ticket's first city is the first in
the board's order, and of equal tickets, paths and routes the first in that order is taken, too; the colour to draw
is chosen at each draw, of equal ones the first in the order in which colours are tried. Cards of the colour go
before wilds.

The paper knows the USA board only. Elsewhere the path begins at the network where claims must join it; of long
tickets as many are kept as may be; after a tunnel that came to nothing it draws first; stations are built only when
nothing else can be done; and all other decisions are the defaults.
"""

from ttrsim.bot import (
    DRAW_TICKETS,
    aim_at_longest,
    aim_at_ticket,
    claim_or_draw,
    draw_for_target,
    forget,
    keep_all,
    keep_best_value,
    keep_lowest,
    stale,
)

NAME = "one_step"
PARAMS = {"slips": (1, 0, 1)}

ANY_LENGTH = 1
ENOUGH_TRAINS = 8


def keep_opening(board, table, hand, mind):
    return keep_all(board, table, hand, mind)


def take_turn(board, table, hand, mind):
    if stale(table, mind) and not aim_at_ticket(board, table, hand, mind, ANY_LENGTH):
        if table.tickets_left > 0 and fewest_trains(board, table) >= ENOUGH_TRAINS:
            return DRAW_TICKETS
        aim_at_longest(board, table, hand, mind, False)
    return claim_or_draw(board, table, hand, mind, mind.params["slips"] != 0)


def fewest_trains(board, table):
    """Trains left to the player who has the fewest."""
    fewest = board.trains
    for seat in range(table.players):
        fewest = min(fewest, table.trains[seat])
    return fewest


def second_card(board, table, hand, mind):
    return draw_for_target(board, table, hand, mind, mind.params["slips"] != 0)


def keep_drawn(board, table, hand, mind):
    forget(mind)
    if mind.params["slips"] != 0:
        return keep_lowest(board, table, hand, mind, 1)
    return keep_best_value(board, table, hand, mind, 1)

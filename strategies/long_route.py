"""Long Route: as One Step Thinking, but on the way to a ticket it lays routes of three trains or more only.

One of the four agents of F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen, "AI-based Playtesting of
Contemporary Board Games" (FDG 2017). It plays as their program really does, because their findings rest on that.

It keeps two tickets and never draws more. As `one_step` it goes for the first missing route of a path with the
fewest routes for the ticket worth most among those that it can still finish; but all routes of such a path have
length 3 or more (once fewer than 3 trains are left: at least as many). With no such ticket its target is the longest
free route, where a gray one that can be paid in one colour ranks as one of length 15. It claims and draws as
`one_step` does.

With `slips` (the default) it repeats what were slips in the program: it keeps the two tickets of fewest points,
meant were the best two in points a train; and for a gray target that is the longest route it draws wilds or blind
only.

What the description leaves open is closed as in `one_step`. Besides, short routes of its own are no part of a path
either, and "in one colour" means without wilds. On boards where more than two tickets must be kept it keeps as many
as it must. Should nothing be left to do but draw tickets, it keeps one, by the same measure.
"""

from ttrsim.bot import (
    aim_at_longest,
    aim_at_ticket,
    claim_or_draw,
    draw_for_target,
    keep_best_value,
    keep_lowest,
    stale,
)

NAME = "long_route"
PARAMS = {"slips": (1, 0, 1)}

LONG = 3  # spaces that a route on the way to a ticket has at least
OPENING_TICKETS = 2


def keep_opening(board, table, hand, mind):
    return keep(board, table, hand, mind, OPENING_TICKETS)


def keep(board, table, hand, mind, many):
    """Keep so many tickets: those of fewest points; without slips the best in points a train."""
    if mind.params["slips"] != 0:
        return keep_lowest(board, table, hand, mind, many)
    return keep_best_value(board, table, hand, mind, many)


def take_turn(board, table, hand, mind):
    shortest = max(1, min(LONG, table.trains[hand.seat]))
    if stale(table, mind) and not aim_at_ticket(board, table, hand, mind, shortest):
        aim_at_longest(board, table, hand, mind, True)
    return claim_or_draw(board, table, hand, mind, mind.params["slips"] != 0)


def second_card(board, table, hand, mind):
    return draw_for_target(board, table, hand, mind, mind.params["slips"] != 0)


def keep_drawn(board, table, hand, mind):
    return keep(board, table, hand, mind, 1)

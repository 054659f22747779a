"""One Step Thinking: goes for the next route on the way to the ticket worth most, and looks no further.

One of the four agents of F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen, "AI-based Playtesting of
Contemporary Board Games" (FDG 2017). It decides as their program does (fernandomsilva/Ticket-to-Ride-Engine a24afc5,
and its fork by R. T. Witter and A. Lyford, rtealw/Ticket-to-Ride-Engine bdebb08), because their findings rest on that.

It keeps the first three tickets of the opening. Whenever somebody has scored for a route, and after drawing tickets, it
takes the ticket worth most among its unfinished ones that can still be finished, and for it the path with the fewest
routes (not the fewest trains; its own routes count one like any other). Its target is the first connection on that
path, from the ticket's first city, where it owns nothing, and it wants the colour of it that it holds most of; for a
gray one it may want wilds. With no such ticket it draws tickets, as long as all players have 8 trains and tickets are
left; after that its target is the longest route that its trains allow, of equally long ones one that it can pay or
nearly so. Target and colour stand until it plans again, whatever cards come. It claims the target as soon as any
colour pays for it, filled up by wilds; till then it draws the colour it wants, else a face-up wild, else blind. It does
not ask whether it has trains enough for the target on the way to a ticket, so it may wait for it to the end.

With `slips` (the default) it repeats what were slips in the program: of tickets drawn later it keeps just the one of
fewest points, meant was the best set in points per train; where it cannot pay a coloured route its cards of the colour
held most count for its rank, meant were those of the route's own colour; and for a gray target that is the longest
route it draws wilds or blind only, meant was the colour held most.

Of paths with equally few routes the program takes one that depends on the order of its dictionaries, and this takes
one in the same way, see `ttrsim.kit.dictionaries`. Otherwise it goes by the board's order of cities and tracks, and by
the order that the program has for kinds on USA. Decisions on boards that the program does not know: the path begins at
the network where claims must join it; no stations are built unless nothing else can be done; extra cards of a tunnel
are paid whenever the hand can; and all others are the defaults.
"""

from ttrsim.bot import (
    DRAW_TICKETS,
    aim_at_longest,
    aim_at_ticket,
    claim_or_draw,
    draw_for_target,
    forget,
    keep_best_ratio,
    keep_first,
    keep_lowest,
    note_kept,
    outdated,
)

NAME = "one_step"
PARAMS = {"slips": (1, 0, 1)}

OPENING_TICKETS = 3
ANY_LENGTH = 1
ENOUGH_TRAINS = 8
PAYABLE_GRAY = 10  # the rank, among the longest routes, of a gray one that needs no wilds: that of a coloured one


def keep_opening(board, table, hand, mind):
    action = keep_first(board, table, hand, OPENING_TICKETS)
    note_kept(hand, mind, action)
    return action


def take_turn(board, table, hand, mind):
    slips = mind.params["slips"] != 0
    if outdated(table, mind) and not aim_at_ticket(board, table, hand, mind, ANY_LENGTH):
        if table.tickets_left > 0 and fewest_trains(board, table) >= ENOUGH_TRAINS:
            return DRAW_TICKETS
        aim_at_longest(board, table, hand, mind, PAYABLE_GRAY, slips)
    return claim_or_draw(board, table, hand, mind, slips)


def fewest_trains(board, table):
    """Return the trains left to the player who has the fewest."""
    fewest = board.trains
    for seat in range(table.players):
        fewest = min(fewest, table.trains[seat])
    return fewest


def second_card(board, table, hand, mind):
    return draw_for_target(board, table, hand, mind, mind.params["slips"] != 0)


def keep_drawn(board, table, hand, mind):
    if mind.params["slips"] != 0:
        action = keep_lowest(board, table, hand)
    else:
        action = keep_best_ratio(board, table, hand, mind, 1, ANY_LENGTH)
    note_kept(hand, mind, action)
    forget(mind)
    return action

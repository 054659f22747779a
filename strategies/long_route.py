"""Long Route: as One Step Thinking, but on the way to a ticket it lays routes of three trains or more only.

One of the four agents of F. de Mesentier Silva, S. Lee, J. Togelius and A. Nealen, "AI-based Playtesting of
Contemporary Board Games" (FDG 2017). It decides as their program does (fernandomsilva/Ticket-to-Ride-Engine a24afc5,
and its fork by R. T. Witter and A. Lyford, rtealw/Ticket-to-Ride-Engine bdebb08), because their findings rest on that.

It keeps as few tickets as may be and never draws more. As `one_step` it goes for the first missing route of a path with
the fewest routes for the ticket worth most among those that it can still finish; but free routes shorter than 3 are no
part of such a path (once fewer than 3 trains are left: shorter than these), its own ones of any length are. With no
such ticket its target is the longest route that its trains allow, of any length. Of equally long ones a gray route that
one colour pays for without wilds goes first; it does not go before longer ones. It claims and draws as `one_step` does.

With `slips` (the default) it repeats what were slips in the program: it keeps the tickets of fewest points, meant was
the best set of two or more in points per train; and the two slips of `one_step` with the longest route.

What the program leaves to the order of a dictionary, and boards that it does not know, are as with `one_step`.
"""

from ttrsim.bot import (
    aim_at_longest,
    aim_at_ticket,
    claim_or_draw,
    draw_for_target,
    forget,
    keep_best_ratio,
    keep_lowest,
    note_kept,
    outdated,
)

NAME = "long_route"
PARAMS = {"slips": (1, 0, 1)}

LONG = 3  # spaces that a free route on the way to a ticket has at least
FEWEST_TICKETS = 2
PAYABLE_GRAY = 15  # the rank, among the longest routes, of a gray one that needs no wilds: before all others


def keep_opening(board, table, hand, mind):
    return keep(board, table, hand, mind, FEWEST_TICKETS)


def keep(board, table, hand, mind, fewest):
    """Keep the tickets of fewest points; without slips at least `fewest`, the best in points per train."""
    if mind.params["slips"] != 0:
        action = keep_lowest(board, table, hand)
    else:
        action = keep_best_ratio(board, table, hand, mind, fewest, shortest_on_path(table, hand))
    note_kept(hand, mind, action)
    forget(mind)
    return action


def shortest_on_path(table, hand):
    """Return the spaces that a free route must have to be part of a path."""
    return max(1, min(LONG, table.trains[hand.seat]))


def take_turn(board, table, hand, mind):
    slips = mind.params["slips"] != 0
    if outdated(table, mind) and not aim_at_ticket(board, table, hand, mind, shortest_on_path(table, hand)):
        aim_at_longest(board, table, hand, mind, PAYABLE_GRAY, slips)
    return claim_or_draw(board, table, hand, mind, slips)


def second_card(board, table, hand, mind):
    return draw_for_target(board, table, hand, mind, mind.params["slips"] != 0)


def keep_drawn(board, table, hand, mind):
    return keep(board, table, hand, mind, 1)

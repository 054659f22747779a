"""Cards: count those that routes take and lack, pay for routes, and draw.

`count_needs` looks at the routes one wants; `best_claim` and `best_draw` go by what it found.

>>> def take_turn(board, table, hand, mind):
...     plan_tree(board, table, hand, mind, hand.tickets[0], hand.tickets[1])
...     count_needs(board, table, hand, mind, mind.work.tree)
...     action = best_claim(board, table, hand, mind, route)
...     return action if action != PASS else best_draw(board, table, hand, mind)
"""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.cards import can_draw
from ttrsim.core.jit import inline_kernel, kernel, lowest
from ttrsim.core.legal import claimable_word
from ttrsim.core.sets import holds
from ttrsim.kit.actions import claim, take
from ttrsim.kit.paths import trains_for, usable_word

KIND_BITS = 4
"""Bits by which a number of cards is shifted to make room for the number of kinds after its own. The highest of such
numbers has the most cards, and the first kind among equals; it is found without a branch."""
NOTHING_LEFT = -(1 << 30)


@kernel
def count_needs(board, table, hand, mind, routes):
    """Find which cards are missing to claim a set of routes; return how many, less the wilds in hand.

    Writes by kind into `mind.work`: `wanted`, the cards that routes payable in one colour alone take; `need`, the cards
    missing (of wilds, what ferries ask for); `spare`, those left over. Where several colours can pay (a gray route,
    or one with a twin of another colour) the one of which most is left is counted.
    """
    work = mind.work
    if not holds_list(board, table, hand.seat, work, routes):
        list_payers(board, table, hand.seat, work, routes)
    for kind in range(c.WILD):
        work.wanted[kind] = work.fixed[kind]
        work.left_over[kind] = (hand.cards[kind] - work.fixed[kind] << KIND_BITS) + c.WILD - kind
    for i in range(work.flexible_count):
        kind = most_left(work, work.flexible_kinds[i])
        work.left_over[kind] -= work.flexible_cards[i] << KIND_BITS
    missing = np.int64(work.fixed[c.WILD])
    work.wanted[c.WILD] = work.need[c.WILD] = missing
    for kind in range(c.WILD):
        left = work.left_over[kind] >> KIND_BITS
        work.spare[kind], work.need[kind] = max(0, left), max(0, -left)
        missing += max(0, -left)
    work.spare[c.WILD] = max(0, hand.cards[c.WILD] - missing)
    return max(0, missing - hand.cards[c.WILD])


@inline_kernel
def holds_list(board, table, seat, work, routes):
    """Return whether `list_payers` was last called for these very routes, with the same twins usable."""
    if not work.listed:
        return False
    for w in range(c.ROUTE_WORDS):
        if routes[w] != work.counted[w]:
            return False
        if work.beside[w] and usable_word(board, table, seat, w) & work.beside[w] != work.beside_usable[w]:
            return False
    return True


@kernel
def list_payers(board, table, seat, work, routes):
    """List the routes of a set by what can pay for them, whatever cards are in hand.

    Writes `fixed`, `flexible` with its kinds, and `counted_trains` into `mind.work`, and what they hold for.
    """
    for kind in range(c.KINDS):
        work.fixed[kind] = 0
    for w in range(c.ROUTE_WORDS):
        work.beside[w] = c.NO_BITS
    work.flexible_count = 0
    for w in range(c.ROUTE_WORDS):
        word = work.counted[w] = routes[w]
        while word:
            list_route(board, table, seat, work, 64 * w + lowest(word))
            word &= word - c.ONE_BIT
    for w in range(c.ROUTE_WORDS):
        work.beside_usable[w] = usable_word(board, table, seat, w) & work.beside[w]
    work.counted_trains = trains_for(board, routes)
    work.listed = 1


@kernel
def list_route(board, table, seat, work, route):
    """Add a route to the lists."""
    for w in range(c.ROUTE_WORDS):
        work.beside[w] |= board.twins[route, w]
    kinds = kinds_for(board, table, seat, route)
    if kinds & (kinds - 1):
        work.flexible_kinds[work.flexible_count] = kinds
        work.flexible_cards[work.flexible_count] = board.route_length[route] - board.route_ferry[route]
        work.flexible_count += 1
    else:
        work.fixed[lowest(np.uint64(kinds))] += board.route_length[route] - board.route_ferry[route]
    work.fixed[c.WILD] += board.route_ferry[route]


@inline_kernel
def most_left(work, kinds):
    """Return the kind of a set (bits of a number) of which most is left over, the first of equals."""
    most = NOTHING_LEFT
    for kind in range(c.WILD):
        most = max(most, work.left_over[kind] if kinds >> kind & 1 else NOTHING_LEFT)
    return c.WILD - (most & (1 << KIND_BITS) - 1)


@inline_kernel
def kinds_for(board, table, seat, route):
    """Return the colours (bits of a number) that can pay for a route or a usable twin of the same length."""
    kinds = kinds_of(board, route)
    for w in range(c.ROUTE_WORDS):
        twins = board.twins[route, w]
        if twins:
            twins &= usable_word(board, table, seat, w)
            while twins:
                twin = 64 * w + lowest(twins)
                twins &= twins - c.ONE_BIT
                if board.route_grade[twin] == board.route_grade[route]:
                    kinds |= kinds_of(board, twin)
    return kinds


@inline_kernel
def kinds_of(board, route):
    """Return the colours (bits of a number) that can pay for a route."""
    colour = board.route_colour[route]
    return (1 << board.colours) - 1 if colour == c.GRAY else 1 << np.int64(colour)


@kernel
def best_claim(board, table, hand, mind, route):
    """Return the claim of a route, or a twin of the same length, with the cards missed least; else PASS.

    A wild counts as two cards that `count_needs` found wanted for other routes; cards that none of them wants are free.
    """
    best, lowest_cost = c.PASS, 0
    kinds = kinds_for(board, table, hand.seat, route)
    counted = kinds & (kinds - 1) == 0
    if holds(claimable_word(board, table, hand.seat, route >> 6), route & 63):
        best, lowest_cost = payment(board, hand, mind, route, counted)
    for w in range(c.ROUTE_WORDS):
        twins = board.twins[route, w]
        if twins:
            twins &= claimable_word(board, table, hand.seat, w)
            while twins:
                twin = 64 * w + lowest(twins)
                twins &= twins - c.ONE_BIT
                if board.route_grade[twin] == board.route_grade[route]:
                    action, cost = payment(board, hand, mind, twin, counted)
                    if action != c.PASS and (best == c.PASS or cost < lowest_cost):
                        best, lowest_cost = action, cost
    return best


@inline_kernel
def payment(board, hand, mind, route, counted):
    """Return the claim of this very route with the cards missed least, and what they cost; else PASS.

    counted: whether `mind.work.wanted` includes the route's own cards.
    """
    length, ferry, colour = board.route_length[route], board.route_ferry[route], board.route_colour[route]
    best, lowest_cost = c.PASS, 0
    first, end = (0, np.int64(board.colours)) if colour == c.GRAY else (np.int64(colour), np.int64(colour) + 1)
    for kind in range(first, end):
        wilds = max(ferry, length - hand.cards[kind])
        if wilds <= hand.cards[c.WILD] and wilds < length:
            coloured = length - wilds
            left = hand.cards[kind] - coloured
            wanted = mind.work.wanted[kind] - (coloured if counted else 0)
            cost = 4 * wilds + 2 * min(coloured, max(0, wanted - left)) + (left > 0)
            if best == c.PASS or cost < lowest_cost:
                best, lowest_cost = claim(route, kind, wilds), cost
    if best == c.PASS and hand.cards[c.WILD] >= length:
        return claim(route, c.WILD, length), 4 * length
    return best, lowest_cost


@kernel
def best_draw(board, table, hand, mind):
    """Return the card to draw by `mind.work.need`: a missing colour, else a wild, else blind; PASS if there is none.

    Of the colours face up it is the one missed most. A wild is drawn only if one colour alone or wilds are missing.
    """
    need = mind.work.need
    best = most_missed(table, mind)
    if best != c.NOBODY:
        return take(best)
    kinds = 0
    for kind in range(board.colours):
        kinds += need[kind] > 0
    wild_helps = kinds == 1 or need[c.WILD] > hand.cards[c.WILD]
    shown = table.phase == c.TURN and holds(table.face_up, c.WILD) and not spurns_wilds(mind)
    if shown and (wild_helps or not can_draw(table)):
        return take(c.WILD)
    if can_draw(table):
        return c.DRAW_BLIND
    return any_face_up(board, table)


@inline_kernel
def spurns_wilds(mind):
    """Return whether a switch keeps the seat from taking a wild that lies face up while it can draw another card."""
    return mind.params[c.NEVER_TAKES_WILDS] != 0.0 or mind.params[c.DRAWS_BLIND] != 0.0


@inline_kernel
def needed_card_shown(table, mind):
    """Return whether a coloured card that is missing by `mind.work.need` lies face up."""
    return most_missed(table, mind) != c.NOBODY


@inline_kernel
def most_missed(table, mind):
    """Return the colour face up of which most cards are missing, the first of equals; else NOBODY."""
    if mind.params[c.DRAWS_BLIND] and can_draw(table):
        return c.NOBODY
    most = 0
    for kind in range(c.WILD):
        missed = (mind.work.need[kind] << KIND_BITS) + c.WILD - kind
        most = max(most, missed if holds(table.face_up, kind) else 0)
    return c.WILD - (most & (1 << KIND_BITS) - 1) if most >> KIND_BITS else c.NOBODY


@kernel
def any_face_up(board, table):
    """Return the action that takes any coloured card that lies face up; else PASS."""
    for kind in range(board.colours):
        if holds(table.face_up, kind):
            return take(kind)
    return c.PASS


@kernel
def unseen(board, table, hand, kind):
    """Count the cards of a kind in the deck, in others' hands or at a tunnel, as far as this seat knows.

    >>> def take_turn(board, table, hand, mind):
    ...     reds = unseen(board, table, hand, 6)
    """
    cards = board.kind_cards[kind] - hand.cards[kind] - table.display[kind] - table.discards[kind]
    for seat in range(table.players):
        if seat != hand.seat:
            cards -= table.known[seat, kind]
    return cards

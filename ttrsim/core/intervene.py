"""Changes of a deal, to see what comes of it: another ticket offered, one that must be kept, routes closed or given."""

from ttrsim.core.claim import take_over
from ttrsim.core.constants import NOBODY, ONE_BIT, ROUTE_WORDS, TICKETS
from ttrsim.core.jit import kernel, lowest
from ttrsim.core.sets import bit


@kernel
def intervene(board, game, intervention, seating):
    """Change a game that has just been dealt. seating: which strategy of the line-up sits in each seat."""
    for w in range(ROUTE_WORDS):
        game.table.open[w] &= ~intervention.closed[w]
    for seat in range(game.table.players):
        if seating[seat] == intervention.place:
            favour(board, game, intervention, seat)


@kernel
def favour(board, game, intervention, seat):
    """Make the changes that concern the focal seat: the ticket in its slot, and the routes it is given."""
    slot = intervention.slot
    if slot != NOBODY:
        if intervention.ticket != NOBODY:
            swap_tickets(game, seat, slot, intervention.ticket)
        if intervention.forced:
            game.deck.forced[seat] = bit(slot)
    for w in range(ROUTE_WORDS):
        word = intervention.gift[w]
        while word:
            take_over(board, game.table, seat, 64 * w + lowest(word))
            word &= word - ONE_BIT


@kernel
def swap_tickets(game, seat, slot, ticket):
    """Put a ticket into a slot of a seat's opening offer; the one dealt there goes to where the other was."""
    table, deck, hand = game.table, game.deck, game.hands[seat]
    given = hand.offer[slot]
    for i in range(table.tickets_left):
        place = (deck.ticket_top + i) & (TICKETS - 1)
        if deck.tickets[place] == ticket:
            deck.tickets[place] = given
    for other in range(table.players):
        theirs = game.hands[other]
        for i in range(theirs.offered):
            if theirs.offer[i] == ticket:
                theirs.offer[i] = given
                exchange(theirs.dealt, ticket, given)
    hand.offer[slot] = ticket
    exchange(hand.dealt, given, ticket)


@kernel
def exchange(tickets, one, other):
    """Replace a ticket by another in a set that has just one of the two. Done twice, it leaves a set as it was."""
    tickets[one >> 6] ^= bit(one & 63)
    tickets[other >> 6] ^= bit(other & 63)

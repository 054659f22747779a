"""Deal a game from its board, the key of its block and the number of players, and change it by an intervention."""

from ttrsim.core import constants as c
from ttrsim.core.cards import draw, fill_display, give
from ttrsim.core.claim import take_over
from ttrsim.core.jit import clear_record, kernel
from ttrsim.core.sets import add, bit, next_member
from ttrsim.core.streams import block_key, shuffle, start_stream


@kernel
def deal(board, game, seed, block, players):
    """Set up a game: shuffled decks, hands, display, tickets offered, and the first decision."""
    clear_table(board, game, players)
    game.deck.key = block_key(seed, block)
    for seat in range(players):
        clear_record(game.hands[seat])
        game.hands[seat].seat = seat
    deal_cards(board, game)
    deal_tickets(board, game)
    place_fixed_stacks(board, game.table)


@kernel
def clear_table(board, game, players):
    """Set the table to the state before anything is dealt."""
    table, deck = game.table, game.deck
    clear_record(table)
    table.phase, table.players, table.ending = c.OPENING, players, c.RUNNING
    table.turns_to_go = table.ender = table.route = table.alvin_holder = c.NOBODY
    table.alvin_city = board.alvin_city
    for w in range(c.ROUTE_WORDS):
        table.open[w] = board.all_routes[w]
    for seat in range(c.SEATS):
        table.trains[seat] = board.trains
        table.stations_left[seat], table.markers_left[seat] = board.stations, board.markers
    for seat in range(players):
        table.score[seat] = table.parts[seat, c.POINTS_START] = board.start_points[seat]
    for route in range(c.ROUTES):
        table.owner[route] = table.claimed[route] = c.NOBODY
    for city in range(c.CITIES):
        table.stack_symbol[city] = c.NOBODY
    deck.ticket_top = deck.rejected = 0


@kernel
def deal_cards(board, game):
    """Shuffle the cards, deal each seat its hand and lay out the display."""
    table, deck = game.table, game.deck
    for i in range(board.cards):
        deck.cards[i] = board.card_list[i]
    start_stream(game.scratch.stream, deck.key, c.CARDS_STREAM, 0)
    shuffle(deck.cards, board.cards, game.scratch.stream)
    table.deck_cards = board.cards
    for seat in range(table.players):
        for _ in range(board.hand[seat]):
            give(game, seat, draw(game))
    fill_display(board, game)


@kernel
def deal_tickets(board, game):
    """Shuffle both ticket decks and offer each seat its opening tickets, long ones first."""
    table, deck = game.table, game.deck
    stream = game.scratch.stream
    start_stream(stream, deck.key, c.TICKETS_STREAM, 0)
    for i in range(board.long_tickets):
        deck.tickets[i] = i
    shuffle(deck.tickets, board.long_tickets, stream)
    for seat in range(table.players):
        for i in range(board.long_deal):
            offer_opening(game, seat, deck.tickets[seat * board.long_deal + i])
    regular = board.tickets - board.long_tickets
    for i in range(regular):
        deck.tickets[i] = board.long_tickets + i
    shuffle(deck.tickets, regular, stream)
    table.tickets_left = regular
    for seat in range(table.players):
        for _ in range(board.deal):
            offer_opening(game, seat, take_top_ticket(game))
        game.hands[seat].keep_least = board.keep


@kernel
def take_top_ticket(game):
    """Take the top ticket off the deck, which must not be empty."""
    deck = game.deck
    ticket = deck.tickets[deck.ticket_top]
    deck.ticket_top = (deck.ticket_top + 1) & (c.TICKETS - 1)
    game.table.tickets_left -= 1
    return ticket


@kernel
def put_under(game, ticket):
    """Put a ticket under the deck."""
    deck = game.deck
    deck.tickets[(deck.ticket_top + game.table.tickets_left) & (c.TICKETS - 1)] = ticket
    game.table.tickets_left += 1


@kernel
def offer_opening(game, seat, ticket):
    """Offer a ticket to a seat at the opening."""
    hand = game.hands[seat]
    hand.offer[hand.offered] = ticket
    hand.offered += 1
    add(hand.dealt, ticket)


@kernel
def place_fixed_stacks(board, table):
    """Put the souvenir stacks with fixed places on them."""
    for symbol in range(board.fixed_stacks):
        put_stack(table, symbol, board.fixed_places[symbol], board.stack_height[table.players])


@kernel
def put_stack(table, symbol, city, height):
    """Put a stack of one symbol on a city."""
    table.stack_symbol[city] = symbol
    table.stack_tokens[city] = height
    table.stacks |= bit(city)


@kernel
def intervene(board, game, intervention, seating):
    """Change a game that has just been dealt. seating: the strategy of the line-up in each seat."""
    for w in range(c.ROUTE_WORDS):
        game.table.open[w] &= ~intervention.closed[w]
    for seat in range(game.table.players):
        if seating[seat] == intervention.place:
            favour(board, game, intervention, seat)


@kernel
def favour(board, game, intervention, seat):
    """Make the changes for the focal seat: the ticket in its slot, and the routes it is given."""
    slot = intervention.slot
    if slot != c.NOBODY:
        if intervention.ticket != c.NOBODY:
            swap_tickets(game, seat, slot, intervention.ticket)
        if intervention.forced:
            game.hands[seat].must_keep = bit(slot)
    route = next_member(intervention.gift, c.NOBODY)
    while route != c.NOBODY:
        take_over(board, game.table, seat, route)
        route = next_member(intervention.gift, route)


@kernel
def swap_tickets(game, seat, slot, ticket):
    """Put a ticket into a slot of a seat's opening offer, and the one dealt there in the other's place."""
    table, deck, hand = game.table, game.deck, game.hands[seat]
    given = hand.offer[slot]
    for i in range(table.tickets_left):
        place = (deck.ticket_top + i) & (c.TICKETS - 1)
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
    """Replace a ticket by another in a set with just one of the two. Done twice, it leaves a set as it was."""
    tickets[one >> 6] ^= bit(one & 63)
    tickets[other >> 6] ^= bit(other & 63)

"""Draw, take and discard train cards, fill the display, and reshuffle."""

import numpy as np

from ttrsim.core.constants import KINDS, NO_BITS, RESHUFFLE_STREAM, WILD
from ttrsim.core.jit import inline_kernel, kernel
from ttrsim.core.sets import bit
from ttrsim.core.streams import shuffle, start_stream


@kernel
def reshuffle_order(key, number, counts, cards, stream):
    """Write into `cards` the order, top last, that reshuffle `number` gives these discards; return how many there are.

    counts: (KINDS,) the discards by kind; stream: working space for a random stream.
    """
    size = 0
    for kind in range(KINDS):
        for _ in range(counts[kind]):
            cards[size] = kind
            size += 1
    start_stream(stream, key, RESHUFFLE_STREAM, number)
    shuffle(cards, size, stream)
    return size


@kernel
def reshuffle(game):
    """Make the discards the new deck."""
    table = game.table
    table.deck_cards = reshuffle_order(
        game.deck.key, table.reshuffles, table.discards, game.deck.cards, game.scratch.stream
    )
    table.reshuffles += 1
    table.discard_cards = 0
    for kind in range(KINDS):
        table.discards[kind] = 0


@inline_kernel
def can_draw(table):
    """Return whether a blind card can be drawn: the deck or the discards have one."""
    return table.deck_cards + table.discard_cards > 0


@inline_kernel
def draw(game):
    """Draw the top card of the deck, after a reshuffle if it is empty. There must be a card, see `can_draw`."""
    table = game.table
    if table.deck_cards == 0:
        reshuffle(game)
    table.deck_cards -= 1
    return game.deck.cards[table.deck_cards]


@kernel
def display_can_calm(board, game):
    """Return whether deck, discards and display could together make a display with fewer wilds than the limit."""
    table = game.table
    cards = table.deck_cards + table.discard_cards + table.display_cards
    coloured = table.discard_cards - table.discards[WILD] + table.display_cards - table.display[WILD]
    for i in range(table.deck_cards):
        coloured += game.deck.cards[i] != WILD
    size = min(board.display, cards)
    return size - min(size, coloured) < board.display_wild_limit


@inline_kernel
def fill_display(board, game):
    """Fill empty places of the display, and deal it anew as long as there are too many wilds."""
    table = game.table
    while True:
        while table.display_cards < board.display and can_draw(table):
            kind = draw(game)
            table.display[kind] += 1
            table.face_up |= bit(kind)
            table.display_cards += 1
        if table.display[WILD] < board.display_wild_limit or not display_can_calm(board, game):
            return
        table.refreshes += 1
        for kind in range(KINDS):
            table.discards[kind] += table.display[kind]
            table.display[kind] = 0
        table.discard_cards += table.display_cards
        table.display_cards = 0
        table.face_up = NO_BITS


@inline_kernel
def give(game, seat, kind):
    """Put a card into a hand."""
    game.hands[seat].cards[kind] += 1
    game.table.hand_cards[seat] += 1


@inline_kernel
def take_face_up(board, game, seat, kind):
    """Move a card from the display into a hand, in sight of all, and fill its place."""
    table = game.table
    give(game, seat, kind)
    table.known[seat, kind] += 1
    table.display[kind] -= 1
    table.face_up &= ~(np.uint64(table.display[kind] == 0) << np.uint64(kind))
    table.display_cards -= 1
    fill_display(board, game)


@inline_kernel
def lay_out(game, seat, kind, coloured, wilds):
    """Move `coloured` cards of a kind and `wilds` wilds from a hand on to the table."""
    table = game.table
    hand = game.hands[seat]
    hand.cards[WILD] -= wilds
    table.known[seat, WILD] = max(0, table.known[seat, WILD] - wilds)
    if coloured:
        hand.cards[kind] -= coloured
        table.known[seat, kind] = max(0, table.known[seat, kind] - coloured)
    table.hand_cards[seat] -= coloured + wilds


@kernel
def take_back(game, seat, kind, coloured, wilds):
    """Return cards that were laid out to the hand, in sight of all."""
    table = game.table
    hand = game.hands[seat]
    hand.cards[WILD] += wilds
    table.known[seat, WILD] += wilds
    if coloured:
        hand.cards[kind] += coloured
        table.known[seat, kind] += coloured
    table.hand_cards[seat] += coloured + wilds


@inline_kernel
def discard(board, game, kind, coloured, wilds):
    """Move cards that were laid out to the discards."""
    table = game.table
    table.discards[WILD] += wilds
    if coloured:
        table.discards[kind] += coloured
    table.discard_cards += coloured + wilds
    fill_display(board, game)


@inline_kernel
def pay_cards(board, game, seat, kind, coloured, wilds):
    """Move cards from a hand to the discards."""
    lay_out(game, seat, kind, coloured, wilds)
    discard(board, game, kind, coloured, wilds)

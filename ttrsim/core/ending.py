"""The end of a turn and of the game: who plays next, tickets, bonuses, and who wins."""

import numpy as np

from ttrsim.core import constants as c
from ttrsim.core.jit import count, inline_kernel, kernel, lowest
from ttrsim.core.network import borrow_best, completed_tickets, find_groups
from ttrsim.core.sets import bit, holds
from ttrsim.core.trail import longest_trail


@kernel
def score_game(board, game):
    """Add all points that count at the end to each seat's score."""
    table, scratch = game.table, game.scratch
    for seat in range(table.players):
        score_tickets(board, game, seat)
        score_extras(board, table, seat)
        scratch.trail[seat] = longest_trail(board, table.owned[seat], scratch)
    award_most(table, scratch.trail, board.longest_trail_bonus, c.POINTS_TRAIL)
    award_most(table, scratch.completed_count, board.most_tickets_bonus, c.POINTS_MOST_TICKETS)


@kernel
def add_points(table, seat, part, points):
    """Give points to a seat, and record what they are for (one of POINTS_…)."""
    table.score[seat] += points
    table.parts[seat, part] += points


@kernel
def score_tickets(board, game, seat):
    """Score each ticket kept, completed or not."""
    table, scratch = game.table, game.scratch
    tickets = game.hands[seat].tickets
    size = find_groups(board, table.owned[seat], scratch)
    if table.stations[seat] == c.NO_BITS:
        for w in range(c.TICKET_WORDS):
            scratch.best_done[w] = completed_tickets(board, scratch.groups, size, tickets, w)
    else:
        borrow_best(board, table, seat, tickets, size, scratch)
    scratch.completed_count[seat] = 0
    for w in range(c.TICKET_WORDS):
        done, word = scratch.best_done[w], tickets[w]
        scratch.completed[seat, w] = done
        scratch.completed_count[seat] += count(done)
        while word:
            ticket = lowest(word)
            word &= word - c.ONE_BIT
            points = board.ticket_points[64 * w + ticket]
            if holds(done, ticket):
                add_points(table, seat, c.POINTS_WON, points)
            else:
                add_points(table, seat, c.POINTS_LOST, -points)


@kernel
def score_extras(board, table, seat):
    """Score unused stations, Alvin and souvenirs."""
    if board.stations:
        add_points(table, seat, c.POINTS_STATIONS, board.unused_station_points * table.stations_left[seat])
    if table.alvin_holder == seat:
        add_points(table, seat, c.POINTS_ALVIN, board.holder_points)
    if board.symbols:
        add_points(table, seat, c.POINTS_TOKENS, board.token_points[count(np.uint64(table.tokens[seat]))])


@kernel
def award_most(table, amounts, bonus, part):
    """Give a bonus to each seat that has the most of something, if anybody has any."""
    most = 1
    for seat in range(table.players):
        most = max(most, amounts[seat])
    for seat in range(table.players):
        if amounts[seat] == most:
            add_points(table, seat, part, bonus)


@kernel
def tie_break_value(game, seat, rule):
    """Return what a tie-break compares: the higher, the better."""
    if rule == c.MOST_TICKETS:
        return game.scratch.completed_count[seat]
    if rule == c.FEWEST_STATIONS:
        return game.table.stations_left[seat]
    if rule == c.HOLDS_TRAIL:
        return game.table.parts[seat, c.POINTS_TRAIL]
    return 0


@kernel
def is_ahead(board, game, one, other):
    """Return whether seat `one` finishes before seat `other`, after all tie-breaks."""
    if game.table.score[one] != game.table.score[other]:
        return game.table.score[one] > game.table.score[other]
    for i in range(c.TIE_BREAKS):
        a = tie_break_value(game, one, board.tie_breaks[i])
        b = tie_break_value(game, other, board.tie_breaks[i])
        if a != b:
            return a > b
    return False


@kernel
def rank(board, game, seat):
    """Return the rank of a seat, 1 the best; seats that are still tied share the better rank."""
    ahead = 0
    for other in range(game.table.players):
        ahead += is_ahead(board, game, other, seat)
    return ahead + 1


@inline_kernel
def end_turn(board, game):
    """End the seat's turn, and begin the next seat's or end the game."""
    table = game.table
    seat = table.seat
    table.turn += 1
    table.counts[seat, c.TURNS] += 1
    if table.turns_to_go != c.NOBODY:
        table.turns_to_go -= 1
        if table.turns_to_go == 0:
            table.ending = c.ENDED
    elif table.trains[seat] <= board.last_round_at:
        table.turns_to_go, table.ender = table.players, seat
        if board.equal_turns:
            table.turns_to_go += table.players - 1 - np.int64(seat)
    if table.ending == c.RUNNING:
        if table.passes_in_a_row == table.players:
            table.ending = c.STALEMATE
        elif table.turn >= c.TURN_LIMIT * table.players:
            table.ending = c.OVERLONG
    if table.ending != c.RUNNING:
        table.phase = c.OVER
        return
    begin_turn(board, table, seat + 1 if seat + 1 < table.players else 0)


@inline_kernel
def begin_turn(board, table, seat):
    """Begin a turn of a seat; if it is dry, that is with neither deck nor discards, count it."""
    table.phase, table.seat = c.TURN, seat
    if table.deck_cards + table.discard_cards == 0:
        table.dry_turns += 1
    if not board.draw_when_dry:
        table.face_up = drawable_kinds(table)


@kernel
def drawable_kinds(table):
    """Return the set of kinds that may be taken face up where that is forbidden in a dry turn."""
    kinds = c.NO_BITS
    if table.deck_cards + table.discard_cards > 0:
        for kind in range(c.KINDS):
            if table.display[kind] > 0:
                kinds |= bit(kind)
    return kinds

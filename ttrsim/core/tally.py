"""Sums over the results of games, in one pass: what the statistics of a run are computed from.

All sums are integers and so exact. A share of a win is counted in 60ths, for 1/k of a win is a whole number of them
with up to six winners. Turns are the seat's own, from 1. Callers zero the arrays; calls add to them.
"""

from functools import cache

import numba
import numpy as np

from ttrsim.core.constants import (
    COUNTS,
    ENDED,
    NO_BITS,
    NOBODY,
    ONE_BIT,
    PARTS,
    ROUTE_WORDS,
    SEATS,
    TICKET_WORDS,
)
from ttrsim.core.jit import COMPILED, compile_for, count, kernel, lowest
from ttrsim.core.network import connects, find_groups, join
from ttrsim.core.records import BOARD, GAME_RESULT, SCRATCH, SEAT_RESULT
from ttrsim.core.sets import bit

WHOLE_WIN = 60
LOWEST_SCORE, SCORE_BINS = -500, 1500  # of the histogram of scores; scores beyond it count in its first or last bin
TIED = 128  # in an order of finishing: added to a strategy that shares the rank of the one before

# Columns of the sums over games.
GAMES, TURNS, TURNS_SQUARED, ENDINGS = 0, 1, 2, 3
RESHUFFLES, REFRESHES, SHARED_WINS, WINNER_SCORE, MARGIN, SPREAD = range(6, 12)
GAME_SUMS = 12

# Columns of the sums over the seats of a strategy; then ranks, parts and counts.
PLAYED, WIN, WIN_SQUARED, SCORE, SCORE_SQUARED, WON_ALONE, DEALT, DEALT_KEPT, DEALT_COMPLETED = range(9)
DRAWN, DRAWN_KEPT, DRAWN_COMPLETED, TRAIL, TRAINS_LEFT = range(9, 14)
RANKS = 14
SEAT_PARTS = RANKS + SEATS
SEAT_COUNTS = SEAT_PARTS + PARTS
SEAT_SUMS = SEAT_COUNTS + COUNTS

# Columns of what one strategy did against another.
MET, AHEAD, TIES, LEAD = range(4)
VERSUS_SUMS = 4

# Columns of the sums over those who were offered a ticket.
OFFERED, OFFERED_WIN, OFFERED_SCORE, KEPT, KEPT_WIN, KEPT_SCORE, COMPLETED, COMPLETED_WIN, COMPLETED_SCORE = range(9)
TIMED, TIMED_TURNS, CUT, LATER, LATER_KEPT, LATER_COMPLETED = range(9, 15)
TICKET_SUMS = 15

# Columns of the sums of a pair of tickets, of a route, of a city, and of a strategy in a line-up.
SIMPLE_SUMS = 4  # how often, and three sums that the docstrings of the two tallies name

if COMPILED:
    _int = numba.int64
    _seats, _games = numba.from_dtype(SEAT_RESULT)[:, ::1], numba.from_dtype(GAME_RESULT)[::1]
    SEATS_SIGNATURE = numba.void(
        _seats, _games, _int[::1], _int[:, ::1], _int[:, :, ::1], _int[:, :, ::1], _int[:, :, ::1], _int[:, :, ::1],
        _int[::1], _int[::1],
    )  # fmt: skip
    TICKETS_SIGNATURE = numba.void(
        numba.from_dtype(BOARD), _seats, _games, _int[:, :, :, ::1], _int[:, :, ::1], _int[:, :, ::1], _int[:, :, ::1],
        numba.from_dtype(SCRATCH), _int[::1], numba.uint64[:, ::1],
    )  # fmt: skip
else:
    SEATS_SIGNATURE = TICKETS_SIGNATURE = None


@cache
def compiled_tally_seats():
    """`tally_seats` compiled, or from the cache."""
    return compile_for(SEATS_SIGNATURE, tally_seats)


@cache
def compiled_tally_tickets():
    """`tally_tickets` compiled, or from the cache."""
    return compile_for(TICKETS_SIGNATURE, tally_tickets)


def tally_seats(seats, games, line_ups, sums, by_seat, by_line_up, versus, scores, lengths, orders):
    """Add up who finished how.

    seats: (games, players) SEAT_RESULT; games: (games,) GAME_RESULT; line_ups: (games,) the line-up of each;
    sums: (line-ups, GAME_SUMS); by_seat: (strategies, players, SEAT_SUMS); by_line_up: (line-ups, strategies,
    SIMPLE_SUMS: seats, win, score, score squared); versus: (strategies, strategies, VERSUS_SUMS), the row's against
    the column's; scores: (strategies, SCORE_BINS, 2) seats and win; lengths: (turns,) games of so many turns;
    orders: (games,) gets the order of finishing, a byte for each place from the lowest on: the strategy, with TIED
    added if it shares the rank of the one before.
    """
    for i in range(len(games)):
        add_game(games[i], seats[i], sums[line_ups[i]])
        lengths[games[i].turns] += 1
        orders[i] = finishing_order(seats[i])
        for seat in range(seats.shape[1]):
            result = seats[i, seat]
            win = WHOLE_WIN // games[i].winners if result.rank == 1 else 0
            add_seat(result, win, games[i].winners, by_seat[result.strategy, seat])
            add_simple(by_line_up[line_ups[i], result.strategy], win, result.score, result.score * result.score)
            bin_ = min(max(result.score - LOWEST_SCORE, 0), SCORE_BINS - 1)
            scores[result.strategy, bin_, 0] += 1
            scores[result.strategy, bin_, 1] += win
            for other in range(seats.shape[1]):
                if seats[i, other].strategy != result.strategy:
                    add_duel(result, seats[i, other], versus[result.strategy, seats[i, other].strategy])


@kernel
def add_game(game, seats, sums):
    """Add what a game came to for the whole table."""
    best = second = lowest_score = np.int64(seats[0].score)
    for seat in range(1, len(seats)):
        score = np.int64(seats[seat].score)
        second = best if score > best else (score if seat == 1 else max(second, score))
        best, lowest_score = max(best, score), min(lowest_score, score)
    turns = np.int64(game.turns)
    sums[GAMES] += 1
    sums[TURNS] += turns
    sums[TURNS_SQUARED] += turns * turns
    sums[ENDINGS + game.ending - ENDED] += 1
    sums[RESHUFFLES] += game.reshuffles
    sums[REFRESHES] += game.refreshes
    sums[SHARED_WINS] += game.winners > 1
    sums[WINNER_SCORE] += best
    sums[MARGIN] += best - second
    sums[SPREAD] += best - lowest_score


@kernel
def finishing_order(seats):
    """The strategies from first to last, a byte for each place from the lowest on."""
    order, place = np.int64(0), 0
    for rank in range(1, len(seats) + 1):
        tied = 0
        for seat in range(len(seats)):
            if seats[seat].rank == rank:
                order |= (np.int64(seats[seat].strategy) + tied) << np.int64(8 * place)
                place += 1
                tied = TIED
    return order


@kernel
def add_seat(result, win, winners, sums):
    """Add what a game came to for a seat. win: its share of the win, in 60ths; winners: how many share it."""
    score = np.int64(result.score)
    sums[PLAYED] += 1
    sums[WIN] += win
    sums[WIN_SQUARED] += win * win
    sums[SCORE] += score
    sums[SCORE_SQUARED] += score * score
    sums[WON_ALONE] += result.rank == 1 and winners == 1
    for w in range(TICKET_WORDS):
        dealt, kept, completed = result.dealt[w], result.kept[w], result.completed[w]
        drawn = result.drawn[w] & ~dealt
        sums[DEALT] += count(dealt)
        sums[DEALT_KEPT] += count(dealt & kept)
        sums[DEALT_COMPLETED] += count(dealt & completed)
        sums[DRAWN] += count(drawn)
        sums[DRAWN_KEPT] += count(drawn & kept)
        sums[DRAWN_COMPLETED] += count(drawn & completed)
    sums[TRAIL] += result.trail
    sums[TRAINS_LEFT] += result.trains
    sums[RANKS + result.rank - 1] += 1
    for part in range(PARTS):
        sums[SEAT_PARTS + part] += result.parts[part]
    for what in range(COUNTS):
        sums[SEAT_COUNTS + what] += result.counts[what]


@kernel
def add_simple(sums, a, b, c):
    """Count one more in the first of four sums, and add to the others."""
    sums[0] += 1
    sums[1] += a
    sums[2] += b
    sums[3] += c


@kernel
def add_duel(one, other, sums):
    """Add how one seat did against another."""
    sums[MET] += 1
    sums[AHEAD] += one.rank < other.rank
    sums[TIES] += one.rank == other.rank
    sums[LEAD] += one.score - other.score


def tally_tickets(board, seats, games, tickets, pairs, routes, cities, scratch, sequence, room):
    """Add up what became of tickets, routes and cities.

    seats, games: as in `tally_seats`; tickets: (strategies, players, tickets, TICKET_SUMS); pairs: (tickets, tickets,
    SIMPLE_SUMS: offered together, win, score, score squared), the first the lower; routes: (strategies, routes,
    SIMPLE_SUMS: claims, win, score, turns); cities: (strategies, cities, SIMPLE_SUMS: games with a route there, win,
    score, turns until the first). Working space: scratch; sequence: (ROUTES,); room: (2, ROUTE_WORDS).
    """
    for i in range(len(games)):
        find_open(board, games[i], seats.shape[1], room[0])
        for seat in range(seats.shape[1]):
            result = seats[i, seat]
            win = WHOLE_WIN // games[i].winners if result.rank == 1 else 0
            of_seat = tickets[result.strategy, seat]
            add_offers(result, win, of_seat, pairs)
            size = order_routes(result, games[i].claimed, sequence)
            follow_routes(
                board, result, games[i].claimed, seats.shape[1], win, sequence[:size], of_seat,
                routes[result.strategy], cities[result.strategy], scratch,
            )  # fmt: skip
            add_cut(board, result, room, of_seat, scratch)


@kernel
def find_open(board, game, players, open_routes):
    """Write the routes that nobody has at the end and that are not closed."""
    for w in range(ROUTE_WORDS):
        open_routes[w] = board.all_routes[w]
    for route in range(board.routes):
        if game.claimed[route] != NOBODY:
            open_routes[route >> 6] &= ~bit(route & 63)
            if players < board.parallel_open_from:
                for w in range(ROUTE_WORDS):
                    open_routes[w] &= ~board.twins[route, w]


@kernel
def add_offers(result, win, tickets, pairs):
    """Add the tickets that a seat was offered, and what became of them."""
    for w in range(TICKET_WORDS):
        word = result.dealt[w]
        while word:
            ticket = 64 * w + lowest(word)
            add_offer(result, w, word & (~word + ONE_BIT), win, tickets[ticket])
            word &= word - ONE_BIT
            for other in range(w, TICKET_WORDS):
                rest = word if other == w else result.dealt[other]
                while rest:
                    add_simple(pairs[ticket, 64 * other + lowest(rest)], win, result.score, result.score * result.score)
                    rest &= rest - ONE_BIT
        word = result.drawn[w] & ~result.dealt[w]
        while word:
            one, sums = word & (~word + ONE_BIT), tickets[64 * w + lowest(word)]
            sums[LATER] += 1
            sums[LATER_KEPT] += result.kept[w] & one != NO_BITS
            sums[LATER_COMPLETED] += result.completed[w] & one != NO_BITS
            word ^= one


@kernel
def add_offer(result, w, one, win, sums):
    """Add a ticket of the opening offer: bit `one` of word `w`."""
    sums[OFFERED] += 1
    sums[OFFERED_WIN] += win
    sums[OFFERED_SCORE] += result.score
    if result.kept[w] & one:
        sums[KEPT] += 1
        sums[KEPT_WIN] += win
        sums[KEPT_SCORE] += result.score
    if result.completed[w] & one:
        sums[COMPLETED] += 1
        sums[COMPLETED_WIN] += win
        sums[COMPLETED_SCORE] += result.score


@kernel
def order_routes(result, claimed, sequence):
    """Write the seat's routes into `sequence`, in the order of their claims; return how many there are."""
    size = 0
    for w in range(ROUTE_WORDS):
        word = result.routes[w]
        while word:
            route = 64 * w + lowest(word)
            word &= word - ONE_BIT
            place = size
            while place > 0 and claimed[sequence[place - 1]] > claimed[route]:
                sequence[place] = sequence[place - 1]
                place -= 1
            sequence[place] = route
            size += 1
    return size


@kernel
def follow_routes(board, result, claimed, players, win, sequence, tickets, routes, cities, scratch):
    """Add, claim by claim, the routes, the cities that each is first to reach, and the opening tickets it completes."""
    size, seen = 0, NO_BITS
    for w in range(TICKET_WORDS):
        scratch.done[w] = result.completed[w] & result.dealt[w]
    for i in range(len(sequence)):
        route = sequence[i]
        turn = claimed[route] // players + 1
        ends = board.route_ends[route]
        add_simple(routes[route], win, result.score, turn)
        new = ends & ~seen
        seen |= ends
        while new:
            add_simple(cities[lowest(new)], win, result.score, turn)
            new &= new - ONE_BIT
        size = join(scratch.groups, size, ends)
        time_tickets(board, scratch.groups[size - 1], turn, scratch.done, tickets)


@kernel
def time_tickets(board, group, turn, waiting, tickets):
    """Take out of a set of tickets those that a group of cities completes, and add the turn in which it did."""
    for w in range(TICKET_WORDS):
        word = waiting[w]
        while word:
            ticket = 64 * w + lowest(word)
            if group & board.ticket_ends[ticket] == board.ticket_ends[ticket]:
                tickets[ticket, TIMED] += 1
                tickets[ticket, TIMED_TURNS] += turn
                waiting[w] &= ~(word & (~word + ONE_BIT))
            word &= word - ONE_BIT


@kernel
def add_cut(board, result, room, tickets, scratch):
    """Add the failed opening tickets whose ends not even open routes, with the seat's own, could connect any more."""
    failed = NO_BITS
    for w in range(TICKET_WORDS):
        failed |= result.dealt[w] & result.kept[w] & ~result.completed[w]
    if failed == NO_BITS:
        return
    for w in range(ROUTE_WORDS):
        room[1, w] = room[0, w] | result.routes[w]
    size = find_groups(board, room[1], scratch)
    for w in range(TICKET_WORDS):
        word = result.dealt[w] & result.kept[w] & ~result.completed[w]
        while word:
            ticket = 64 * w + lowest(word)
            word &= word - ONE_BIT
            if not connects(scratch.groups, size, board.ticket_ends[ticket]):
                tickets[ticket, CUT] += 1

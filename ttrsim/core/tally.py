"""Add the results of games to the aggregates, in one pass. Callers zero the sums; calls add to them."""

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
    TICKET_WORDS,
)
from ttrsim.core.jit import COMPILED, compile_for, count, kernel, lowest
from ttrsim.core.network import connects, find_groups, join
from ttrsim.core.records import BOARD, GAME_RESULT, SCRATCH, SEAT_RESULT
from ttrsim.core.sets import bit
from ttrsim.core.sums import (
    CITY_SUMS,
    DEAL_SUMS,
    FATE_SUMS,
    GAME_SUMS,
    LENGTH_SUMS,
    LINE_UP_SUMS,
    LOWEST_SCORE,
    PAIR_SUMS,
    ROUTE_SUMS,
    SCORE_BINS,
    SCORE_SUMS,
    SEAT_SUMS,
    TICKET_SUMS,
    VERSUS_SUMS,
    WHOLE_WIN,
)

TIED = 128  # in an order of finishing: added to a strategy that shares the rank of the one before

if COMPILED:
    _int, _of = numba.int64, numba.from_dtype
    _seats, _games = _of(SEAT_RESULT)[:, ::1], _of(GAME_RESULT)[::1]
    SEATS_SIGNATURE = numba.void(
        _seats, _games, _int[::1], _of(GAME_SUMS)[::1], _of(DEAL_SUMS)[::1], _of(SEAT_SUMS)[:, ::1],
        _of(LINE_UP_SUMS)[:, ::1], _of(VERSUS_SUMS)[:, ::1], _of(SCORE_SUMS)[:, ::1], _of(LENGTH_SUMS)[::1], _int[::1],
    )  # fmt: skip
    TICKETS_SIGNATURE = numba.void(
        _of(BOARD), _seats, _games, _of(TICKET_SUMS)[:, :, ::1], _of(FATE_SUMS)[:, ::1], _of(PAIR_SUMS)[:, ::1],
        _of(ROUTE_SUMS)[:, ::1], _of(CITY_SUMS)[:, ::1], _of(SCRATCH), _int[::1], numba.uint64[:, ::1],
    )  # fmt: skip
else:
    SEATS_SIGNATURE = TICKETS_SIGNATURE = None


@cache
def compiled_tally_seats():
    """Return `tally_seats` compiled, or from the cache."""
    return compile_for(SEATS_SIGNATURE, tally_seats)


@cache
def compiled_tally_tickets():
    """Return `tally_tickets` compiled, or from the cache."""
    return compile_for(TICKETS_SIGNATURE, tally_tickets)


def tally_seats(seats, games, blocks, sums, deals, by_seat, by_line_up, versus, scores, lengths, orders):
    """Add up who finished how.

    seats: (games, players) SEAT_RESULT; games: (games,) GAME_RESULT, those of a block one after the other; blocks:
    (games,) the block of each; sums: (line-ups,) GAME_SUMS; deals: (line-ups,) DEAL_SUMS; by_seat: (strategies,
    players) SEAT_SUMS; by_line_up: (line-ups, strategies) LINE_UP_SUMS; versus: (strategies, strategies) VERSUS_SUMS,
    the row's against the column's; scores: (strategies, SCORE_BINS) SCORE_SUMS; lengths: (turns,) LENGTH_SUMS of games
    with that many turns; orders: (games,) receives the order of finishing, a byte for each place from the lowest on:
    the strategy, with TIED added if it shares the rank of the one before.
    """
    first = 0  # game of the block
    for i in range(len(games)):
        played = blocks[i] % len(sums)  # the line-up
        if blocks[i] != blocks[first]:
            first = i
        for other in range(first, i):
            add_deal(games[i], seats[i], games[other], seats[other], deals[played])
        add_game(games[i], seats[i], sums[played])
        lengths[games[i].turns].games += 1
        orders[i] = finishing_order(seats[i])
        for seat in range(seats.shape[1]):
            result = seats[i, seat]
            win = win_of(games[i], result)
            add_seat(result, win, games[i].winners, by_seat[result.strategy, seat])
            line_up = by_line_up[played, result.strategy]
            line_up.seats += 1
            add_outcome(result, win, line_up)
            score = scores[result.strategy, min(max(result.score - LOWEST_SCORE, 0), SCORE_BINS - 1)]
            score.seats += 1
            score.win60 += win
            for other in range(seats.shape[1]):
                if seats[i, other].strategy != result.strategy:
                    add_pair(result, seats[i, other], versus[result.strategy, seats[i, other].strategy])


@kernel
def win_of(game, result):
    """Return a seat's share of the win, in 60ths."""
    return WHOLE_WIN // game.winners if result.rank == 1 else 0


@kernel
def add_deal(one, one_seats, other, other_seats, sums):
    """Add two games of one deal: the products of what different strategies came to in each seat."""
    for seat in range(len(one_seats)):
        first, second = one_seats[seat], other_seats[seat]
        if first.strategy != second.strategy:
            sums.pairs += 1
            sums.win60 += win_of(one, first) * win_of(other, second)
            sums.score += np.int64(first.score) * np.int64(second.score)


@kernel
def add_game(game, seats, sums):
    """Add the results of a game for the whole table."""
    best = second = lowest_score = np.int64(seats[0].score)
    for seat in range(1, len(seats)):
        score = np.int64(seats[seat].score)
        second = best if score > best else (score if seat == 1 else max(second, score))
        best, lowest_score = max(best, score), min(lowest_score, score)
    turns = np.int64(game.turns)
    sums.games += 1
    sums.turns += turns
    sums.turns_squared += turns * turns
    sums.endings[game.ending - ENDED] += 1
    sums.reshuffles += game.reshuffles
    sums.refreshes += game.refreshes
    sums.dry_turns += game.dry_turns
    sums.shared_wins += game.winners > 1
    sums.winner_score += best
    sums.margin += best - second
    sums.spread += best - lowest_score


@kernel
def finishing_order(seats):
    """Return the strategies from first to last, a byte for each place from the lowest on."""
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
    """Add the results of a game for a seat. win: its share of the win, in 60ths; winners: how many share it."""
    sums.games += 1
    sums.win60_squared += win * win
    add_outcome(result, win, sums)
    sums.won_alone += result.rank == 1 and winners == 1
    for w in range(TICKET_WORDS):
        offered, kept, completed = result.offered[w], result.kept[w], result.completed[w]
        drawn = result.drawn[w] & ~offered
        sums.offered += count(offered)
        sums.offered_kept += count(offered & kept)
        sums.offered_completed += count(offered & completed)
        sums.drawn += count(drawn)
        sums.drawn_kept += count(drawn & kept)
        sums.drawn_completed += count(drawn & completed)
    sums.trail += result.trail
    sums.trains_left += result.trains_left
    sums.ranks[result.rank - 1] += 1
    for part in range(PARTS):
        sums.parts[part] += result.parts[part]
    for what in range(COUNTS):
        sums.counts[what] += result.counts[what]


@kernel
def add_outcome(result, win, sums):
    """Add the win and the score of a seat, and the square of the score."""
    score = np.int64(result.score)
    sums.win60 += win
    sums.score += score
    sums.score_squared += score * score


@kernel
def add_pair(one, other, sums):
    """Add how one seat did against another."""
    sums.pairs += 1
    sums.ahead += one.rank < other.rank
    sums.tied += one.rank == other.rank
    sums.lead += one.score - other.score


def tally_tickets(board, seats, games, tickets, fates, pairs, routes, cities, scratch, sequence, room):
    """Add up what became of tickets, routes and cities.

    seats, games: as in `tally_seats`; tickets: (strategies, players, tickets) TICKET_SUMS; fates: (strategies, tickets)
    FATE_SUMS; pairs: (tickets, tickets) PAIR_SUMS, the first ticket the lower; routes: (strategies, routes) ROUTE_SUMS;
    cities: (strategies, cities) CITY_SUMS. Working space: scratch; sequence: (ROUTES,); room: (2, ROUTE_WORDS).
    """
    for i in range(len(games)):
        find_open(board, games[i], seats.shape[1], room[0])
        for seat in range(seats.shape[1]):
            result = seats[i, seat]
            win = win_of(games[i], result)
            add_offers(result, win, tickets[result.strategy, seat], fates[result.strategy], pairs)
            size = order_routes(result, games[i].claimed, sequence)
            follow_routes(
                board, result, games[i].claimed, seats.shape[1], win, sequence[:size], fates[result.strategy],
                routes[result.strategy], cities[result.strategy], scratch,
            )  # fmt: skip
            add_blocked(board, result, room, fates[result.strategy], scratch)


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
def add_offers(result, win, tickets, fates, pairs):
    """Add the tickets that a seat was offered, and what became of them."""
    for w in range(TICKET_WORDS):
        word = result.offered[w]
        while word:
            ticket = 64 * w + lowest(word)
            add_offer(result, win, tickets[ticket])
            add_fate(result, w, word & (~word + ONE_BIT), win, fates[ticket])
            word &= word - ONE_BIT
            for other in range(w, TICKET_WORDS):
                rest = word if other == w else result.offered[other]
                while rest:
                    pair = pairs[ticket, 64 * other + lowest(rest)]
                    pair.offered += 1
                    add_outcome(result, win, pair)
                    rest &= rest - ONE_BIT
        word = result.drawn[w] & ~result.offered[w]
        while word:
            one, sums = word & (~word + ONE_BIT), fates[64 * w + lowest(word)]
            sums.drawn += 1
            sums.drawn_kept += result.kept[w] & one != NO_BITS
            sums.drawn_completed += result.completed[w] & one != NO_BITS
            word ^= one


@kernel
def add_offer(result, win, sums):
    """Add a ticket of the opening offer."""
    sums.offered += 1
    sums.offered_win60 += win
    sums.offered_score += result.score


@kernel
def add_fate(result, w, one, win, sums):
    """Add what became of a ticket of the opening offer: bit `one` of word `w`."""
    if result.kept[w] & one:
        sums.kept += 1
    if result.completed[w] & one:
        sums.completed += 1
        sums.completed_win60 += win
        sums.completed_score += result.score


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
def follow_routes(board, result, claimed, players, win, sequence, fates, routes, cities, scratch):
    """Add, claim by claim, the routes, the cities that each is first to reach, and the opening tickets it completes."""
    size, seen = 0, NO_BITS
    for w in range(TICKET_WORDS):
        scratch.done[w] = result.completed[w] & result.offered[w]
    for i in range(len(sequence)):
        route = sequence[i]
        turn = claimed[route] // players + 1
        ends = board.route_ends[route]
        routes[route].claims += 1
        add_presence(result, win, turn, routes[route])
        new = ends & ~seen
        seen |= ends
        while new:
            city = lowest(new)
            cities[city].visits += 1
            add_presence(result, win, turn, cities[city])
            new &= new - ONE_BIT
        size = join(scratch.groups, size, ends)
        time_tickets(board, scratch.groups[size - 1], turn, scratch.done, fates)


@kernel
def add_presence(result, win, turn, sums):
    """Add the win and the score of a seat that claimed a route or reached a city, and the turn of that."""
    sums.win60 += win
    sums.score += result.score
    sums.turn += turn


@kernel
def time_tickets(board, group, turn, waiting, fates):
    """Take out of a set of tickets those that a group of cities completes, and add the turn in which it did."""
    for w in range(TICKET_WORDS):
        word = waiting[w]
        while word:
            ticket = 64 * w + lowest(word)
            if group & board.ticket_ends[ticket] == board.ticket_ends[ticket]:
                fates[ticket].connected += 1
                fates[ticket].connected_turn += turn
                waiting[w] &= ~(word & (~word + ONE_BIT))
            word &= word - ONE_BIT


@kernel
def add_blocked(board, result, room, fates, scratch):
    """Add the failed opening tickets whose ends not even open routes, with the seat's own, could connect any more."""
    failed = NO_BITS
    for w in range(TICKET_WORDS):
        failed |= result.offered[w] & result.kept[w] & ~result.completed[w]
    if failed == NO_BITS:
        return
    for w in range(ROUTE_WORDS):
        room[1, w] = room[0, w] | result.routes[w]
    size = find_groups(board, room[1], scratch)
    for w in range(TICKET_WORDS):
        word = result.offered[w] & result.kept[w] & ~result.completed[w]
        while word:
            ticket = 64 * w + lowest(word)
            word &= word - ONE_BIT
            if not connects(scratch.groups, size, board.ticket_ends[ticket]):
                fates[ticket].blocked += 1

"""Playing games with strategies, one after the other."""

from functools import cache

import numba

from ttrsim.core.apply import apply
from ttrsim.core.constants import OVER, ROUTE_WORDS, ROUTES, SEATS, TICKET_WORDS
from ttrsim.core.deal import deal
from ttrsim.core.jit import COMPILED, compile_for, kernel
from ttrsim.core.legal import is_legal
from ttrsim.core.records import BOARD, GAME, GAME_RESULT, HAND, SEAT_RESULT, TABLE
from ttrsim.core.scoring import rank

PLAYED = -1
"""What `play_games` returns when all went well."""

if COMPILED:
    _board, _game, _table, _hand = (numba.from_dtype(t) for t in (BOARD, GAME, TABLE, HAND))
    _numbers, _memory, _stream = numba.float64[::1], numba.int64[::1], numba.uint64[::1]
    STRATEGY_SIGNATURE = numba.int64(_board, _table, _hand, _numbers, _memory, _stream)
    _strategies = numba.types.UniTuple(numba.types.FunctionType(STRATEGY_SIGNATURE), SEATS)
    PLAY_SIGNATURE = numba.int64(
        _board,
        _strategies,
        numba.float64[:, ::1],
        numba.int8[:, ::1],
        numba.uint64,
        numba.int64,
        _game,
        numba.int64[:, ::1],
        numba.from_dtype(SEAT_RESULT)[:, ::1],
        numba.from_dtype(GAME_RESULT)[::1],
    )
else:
    STRATEGY_SIGNATURE = PLAY_SIGNATURE = None


@kernel
def decide(board, game, strategies, params, memory, seating):
    """The action of the seat to decide."""
    seat = game.table.seat
    who = seating[seat]
    hand, stream = game.hands[seat], game.deck.strategy[seat]
    return strategies[who](board, game.table, hand, params[who], memory[seat], stream)


def play_games(board, strategies, params, seatings, seed, first, game, memory, seat_results, game_results):
    """Play games `first`, `first + 1`, … of a run, one for each row of the results.

    strategies: six functions, the line-up padded; params: (6, n) their parameters; seatings: (rotations, seats) which of them sits
    where in each game of a block; game, memory: working space, memory (6, MEMORY).
    Returns PLAYED, or the row of a game in which a strategy wanted something illegal: `game` then stands just before that.
    """
    rotations, players = seatings.shape
    for row in range(len(game_results)):
        index = first + row
        seating = seatings[index % rotations]
        deal(board, game, seed, index // rotations, players)
        memory[:players] = 0
        while game.table.phase != OVER:
            action = decide(board, game, strategies, params, memory, seating)
            if not is_legal(board, game.table, game.hands[game.table.seat], action):
                return row
            apply(board, game, action)
        game_results[row].index = index
        write_game(board, game, game_results[row])
        for seat in range(players):
            seat_results[row, seat].strategy = seating[seat]
            write_seat(board, game, seat, seat_results[row, seat])
            game_results[row].winners += seat_results[row, seat].rank == 1
    return PLAYED


@cache
def compiled_play_games():
    """`play_games` compiled, or from the cache; the first call on a machine takes a while."""
    return compile_for(PLAY_SIGNATURE, play_games)


@kernel
def write_game(board, game, result):
    """What a finished game comes to."""
    table = game.table
    for route in range(ROUTES):
        result.claimed[route] = table.claimed[route]
    result.turns, result.winners, result.ender, result.ending = table.turn, 0, table.ender, table.ending
    result.reshuffles, result.refreshes = table.reshuffles, table.refreshes


@kernel
def write_seat(board, game, seat, result):
    """What a finished game comes to for a seat."""
    table, hand, scratch = game.table, game.hands[seat], game.scratch
    for w in range(TICKET_WORDS):
        result.dealt[w], result.drawn[w], result.kept[w] = hand.dealt[w], hand.drawn[w], hand.tickets[w]
        result.completed[w] = scratch.completed[seat, w]
    for w in range(ROUTE_WORDS):
        result.routes[w] = table.owned[seat, w]
    result.score, result.rank = table.score[seat], rank(board, game, seat)
    result.trail, result.trains = scratch.trail[seat], table.trains[seat]
    for part in range(len(result.parts)):
        result.parts[part] = table.parts[seat, part]
    for what in range(len(result.counts)):
        result.counts[what] = table.counts[seat, what]

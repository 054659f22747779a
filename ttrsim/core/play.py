"""Play games with strategies, one after the other."""

from functools import cache

import numba
from numba.extending import typeof_impl

from ttrsim.core import constants as c
from ttrsim.core.apply import apply
from ttrsim.core.deal import deal, intervene
from ttrsim.core.ending import rank
from ttrsim.core.jit import COMPILED, compile_for, kernel
from ttrsim.core.records import BOARD, GAME, GAME_RESULT, HAND, INTERVENTION, MIND, ROOM, SEAT_RESULT, TABLE
from ttrsim.core.streams import start_stream

ALL_PLAYED = -1
"""The result of `play_games` if all games came to their end."""


class SixStrategies(tuple):
    """Strategies as `play_games` takes them. Of any other tuple numba would find out the type anew at each call."""


if COMPILED:
    _board, _game, _mind, _room = (numba.from_dtype(t) for t in (BOARD, GAME, MIND, ROOM))
    STRATEGY_SIGNATURE = numba.int64(_board, numba.from_dtype(TABLE), numba.from_dtype(HAND), _mind, _room)
    STRATEGIES = numba.types.UniTuple(numba.types.FunctionType(STRATEGY_SIGNATURE), c.SEATS)
    PLAY_SIGNATURE = numba.int64(
        _board,
        STRATEGIES,
        numba.float64[:, ::1],
        numba.uint8[:, ::1],
        numba.int64[::1],
        numba.uint64,
        numba.int64,
        numba.from_dtype(INTERVENTION),
        _game,
        _mind[::1],
        _room[::1],
        numba.from_dtype(SEAT_RESULT)[:, ::1],
        numba.from_dtype(GAME_RESULT)[::1],
    )
    typeof_impl.register(SixStrategies)(lambda strategies, purpose: STRATEGIES)
else:
    STRATEGY_SIGNATURE = PLAY_SIGNATURE = None


@kernel
def ready_minds(game, minds, params, seating):
    """Set up the strategies' minds for the beginning of a game, by seat."""
    for seat in range(game.table.players):
        mind = minds[seat]
        start_stream(mind.rng, game.deck.key, c.STRATEGY_STREAM, seat)
        for i in range(c.PARAMS):
            mind.params[i] = params[seating[seat], i]
        for i in range(c.MEMORY):
            mind.memory[i] = 0
        mind.work.fresh = 1


@kernel
def clear_numbers(table, mind):
    """Clear the further room of a mind at its seat's first decision of a game, for a strategy that names it."""
    if table.phase == c.OPENING:
        for i in range(c.INTEGERS):
            mind.integers[i] = 0
        for i in range(c.FLOATS):
            mind.floats[i] = 0.0


def play_games(
    board,
    strategies,
    params,
    seatings,
    blocks,
    seed,
    first,
    intervention,
    game,
    minds,
    rooms,
    seat_results,
    game_results,
):
    """Play games `first`, `first + 1`, … of a run, one for each row of the results.

    strategies: six functions, padded; params: (6, PARAMS) their parameters; seatings: (games, seats) which of them sits
    where; blocks: (games,) whose deal each game has; intervention: the INTERVENTION made in each deal; game, minds,
    rooms: working space, with a mind and a room for each of six seats, so that no strategy sees what another imagined.
    Returns ALL_PLAYED, or the row of a game in which a strategy wanted something illegal; `game` is then left as it was
    just before that.
    """
    for row in range(len(game_results)):
        index, seating = first + row, seatings[row]
        deal(board, game, seed, blocks[row], seatings.shape[1])
        intervene(board, game, intervention, seating)
        ready_minds(game, minds, params, seating)
        table = game.table
        while table.phase != c.OVER:
            seat = table.seat
            action = strategies[seating[seat]](board, table, game.hands[seat], minds[seat], rooms[seat])
            if not apply(board, game, action):
                return row
        write_results(board, game, index, seating, game_results[row], seat_results[row])
    return ALL_PLAYED


@cache
def compiled_play_games():
    """Return `play_games` compiled, or from the cache; the first call on a machine takes a while."""
    return compile_for(PLAY_SIGNATURE, play_games)


@kernel
def write_results(board, game, index, seating, game_result, seat_results):
    """Write the results of a finished game, for the whole table and for each seat."""
    write_game(game.table, index, game_result)
    for seat in range(game.table.players):
        write_seat(board, game, seat, seating[seat], seat_results[seat])
        game_result.winners += seat_results[seat].rank == 1


@kernel
def write_game(table, index, result):
    """Write the results of a finished game for the whole table; the winners are counted later."""
    result.index = index
    for route in range(c.ROUTES):
        result.claimed[route] = table.claimed[route]
    result.turns, result.winners, result.ender, result.ending = table.turn, 0, table.ender, table.ending
    result.reshuffles, result.refreshes, result.dry_turns = table.reshuffles, table.refreshes, table.dry_turns


@kernel
def write_seat(board, game, seat, strategy, result):
    """Write the results of a finished game for one seat."""
    table, hand, scratch = game.table, game.hands[seat], game.scratch
    for w in range(c.TICKET_WORDS):
        result.offered[w], result.drawn[w], result.kept[w] = hand.dealt[w], hand.drawn[w], hand.tickets[w]
        result.completed[w] = scratch.completed[seat, w]
    for w in range(c.ROUTE_WORDS):
        result.routes[w] = table.owned[seat, w]
    result.strategy = strategy
    result.score, result.rank = table.score[seat], rank(board, game, seat)
    result.trail, result.trains_left, result.overruled = scratch.trail[seat], table.trains[seat], hand.overruled
    for part in range(c.PARTS):
        result.parts[part] = table.parts[seat, part]
    for what in range(c.COUNTS):
        result.counts[what] = table.counts[seat, what]

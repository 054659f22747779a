"""Tries its candidate moves in games as they might be, and leaves the defaults only for one that clearly does better.

Hidden cards and tickets are dealt again at random, consistent with everything it has seen, and each such game is played
to its end with ttrsim's defaults in every seat. In four rounds, each of twice as many games as the one before, the move
of the defaults and the candidates play the same games, and the better half of the candidates goes on. Single games
differ by far more than moves do, so most candidates that come out ahead owe it to luck: the last one is played only if
its mean gain over the defaults exceeds what chance explains. It decides its turns this way and, with more games, which
tickets to keep; the defaults make all other decisions.
"""

import numpy as np

from ttrsim.bot import (
    DRAW_BLIND,
    DRAW_TICKETS,
    KINDS,
    ONE_BIT,
    PASS,
    ROUTE_WORDS,
    best_claim,
    can_draw,
    claimable_word,
    default_answer,
    holds,
    imagine,
    keep,
    keeps_wrong_number,
    length_word,
    lowest,
    next_word,
    play_out,
    take,
)

NAME = "lookahead"
PARAMS = {
    "playouts": (6, 1, 200, int),  # games in which each candidate is tried in the first round
}

ROUNDS = 4
CLAIMS = 4
"""The most claims it considers, the longest routes first, beside those of its plan."""
CAUTION = 1.5
"""Standard errors by which another move must be better than that of the defaults."""
TICKETS = 4
"""How many times as many games it tries a choice of tickets in: there are few in a game, and they decide much of it."""
MANY, ACTIONS = 0, 1
"""Places in `mind.integers`: how many candidates there are; their actions, the first that of the defaults."""
SQUARES = 256
"""Place in `mind.floats` of the sums of squared gains; the sums of gains are at its beginning."""
MOST = 255  # candidates
EPSILON = 1e-9
"""Keeps from dividing by 0 where a candidate came to the same in every game."""


def take_turn(board, table, hand, mind, room):
    mind.integers[MANY] = 0
    propose(mind, default_answer(board, table, hand, mind, room))
    propose_planned(board, table, hand, mind)
    propose_longest(board, table, hand, mind)
    if can_draw(table):
        propose(mind, DRAW_BLIND)
    for kind in range(KINDS):
        if holds(table.face_up, kind):
            propose(mind, take(kind))
    if table.tickets_left > 0:
        propose(mind, DRAW_TICKETS)
    return best_candidate(board, table, hand, mind, room, int(mind.params["playouts"]))


def keep_opening(board, table, hand, mind, room):
    return keep_drawn(board, table, hand, mind, room)


def keep_drawn(board, table, hand, mind, room):
    mind.integers[MANY] = 0
    propose(mind, default_answer(board, table, hand, mind, room))
    for kept in range(1 << hand.offered):
        if not keeps_wrong_number(board, table, hand, np.uint64(kept)):
            propose(mind, keep(kept))
    return best_candidate(board, table, hand, mind, room, TICKETS * int(mind.params["playouts"]))


def propose(mind, action):
    """Make an action a candidate, unless it is one already."""
    many = mind.integers[MANY]
    for i in range(many):
        if mind.integers[ACTIONS + i] == action:
            return
    if many < MOST:
        mind.integers[ACTIONS + many] = action
        mind.floats[many] = mind.floats[SQUARES + many] = 0.0
        mind.integers[MANY] = many + 1


def propose_planned(board, table, hand, mind):
    """Propose claims of the routes that the defaults plan."""
    for w in range(ROUTE_WORDS):
        word = mind.work.plan[w] & ~table.owned[hand.seat, w]
        while word:
            action = best_claim(board, table, hand, mind, 64 * w + lowest(word))
            word &= word - ONE_BIT
            if action != PASS:
                propose(mind, action)


def propose_longest(board, table, hand, mind):
    """Propose claims of the longest routes that it can pay for."""
    left = CLAIMS
    for length in range(board.longest_route, 0, -1):
        for w in range(ROUTE_WORDS):
            word = claimable_word(board, table, hand.seat, w) & length_word(board, length, w)
            while word and left > 0:
                action = best_claim(board, table, hand, mind, 64 * w + lowest(word))
                word &= word - ONE_BIT
                if action != PASS:
                    propose(mind, action)
                    left -= 1


def best_candidate(board, table, hand, mind, room, games):
    """Try the candidates in four rounds, the first of `games` games; return the best, or the first in case of doubt."""
    many, played, base = mind.integers[MANY], 0, next_word(mind.rng)
    for _ in range(ROUNDS):
        if many > 1:
            for game in range(played, played + games):
                compare(board, table, hand, mind, room, many, base + np.uint64(game))
            played += games
            games *= 2
            many = keep_better(mind, many, played)
    surely = many > 1 and standard_score(mind, 1, played) > CAUTION
    return mind.integers[ACTIONS + 1] if surely else mind.integers[ACTIONS]


def compare(board, table, hand, mind, room, many, key):
    """Try the candidates in one imagined game, and add up what each gains over the first."""
    usual = try_out(board, table, hand, mind, room, 0, key)
    for i in range(1, many):
        gain = try_out(board, table, hand, mind, room, i, key) - usual
        mind.floats[i] += gain
        mind.floats[SQUARES + i] += gain * gain


def try_out(board, table, hand, mind, room, i, key):
    """Return a candidate's outcome in an imagined game, in which the seat continues with its plan."""
    imagine(board, table, hand, room, key)
    work = room.minds[hand.seat].work
    for w in range(ROUTE_WORDS):
        work.plan[w] = mind.work.plan[w]
    work.planned_for = mind.work.planned_for
    return play_out(board, room, mind.integers[ACTIONS + i], hand.seat)


def keep_better(mind, many, played):
    """Sort the candidates, leave out the worse half and those that clearly lose; return how many are left."""
    sort_candidates(mind, many)
    many = max(2, 1 + many // 2)
    while many > 1 and standard_score(mind, many - 1, played) < -1.0:
        many -= 1
    return many


def standard_score(mind, i, played):
    """Return a candidate's mean gain in its standard errors; 0 if it made no difference."""
    gain = mind.floats[i]
    spread = mind.floats[SQUARES + i] - gain * gain / played
    return gain / np.sqrt(spread + EPSILON)


def sort_candidates(mind, many):
    """Sort the candidates behind the first by what they gain, the best first."""
    actions, gains = mind.integers, mind.floats
    for i in range(2, many):
        j = i
        while j > 1 and gains[j - 1] < gains[j]:
            actions[ACTIONS + j - 1], actions[ACTIONS + j] = actions[ACTIONS + j], actions[ACTIONS + j - 1]
            gains[j - 1], gains[j] = gains[j], gains[j - 1]
            gains[SQUARES + j - 1], gains[SQUARES + j] = gains[SQUARES + j], gains[SQUARES + j - 1]
            j -= 1

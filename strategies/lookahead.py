"""Tries its candidate moves in games as they might be, and makes the one that does best there.

Hidden cards and tickets are dealt again at random, consistent with everything it has seen, and each such game is played
to its end with ttrsim's defaults in every seat. All candidates are tried in the same games, then the better half of
them in as many new ones, and so on until one is left. It decides its turns this way, and which tickets to keep; the
defaults make all other decisions.
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
    "playouts": (16, 1, 200),  # games in which each candidate is tried before half of them are given up
    "trust": (0.01, 0, 1),  # win chance by which another move must be better than that of the defaults
    "claims": (4, 0, 12),  # the most claims it considers, the longest routes first, beside those of its plan
}

MANY, ACTIONS, VALUES = 0, 1, 32
"""Places in the memory: how many candidates there are; their actions; what they came to, in millionths of a win."""
MOST = 30  # candidates: all must fit into the memory
MILLION = 1_000_000  # the memory holds whole numbers


def take_turn(board, table, hand, mind, room):
    mind.memory[MANY] = 0
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
    return best_candidate(board, table, hand, mind, room)


def keep_opening(board, table, hand, mind, room):
    return keep_drawn(board, table, hand, mind, room)


def keep_drawn(board, table, hand, mind, room):
    mind.memory[MANY] = 0
    propose(mind, default_answer(board, table, hand, mind, room))
    for kept in range(1 << hand.offered):
        if not keeps_wrong_number(board, table, hand, np.uint64(kept)):
            propose(mind, keep(kept))
    return best_candidate(board, table, hand, mind, room)


def propose(mind, action):
    """Make an action a candidate, unless it is one already."""
    many = mind.memory[MANY]
    for i in range(many):
        if mind.memory[ACTIONS + i] == action:
            return
    if many < MOST:
        mind.memory[ACTIONS + many] = action
        mind.memory[VALUES + many] = 0
        mind.memory[MANY] = many + 1


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
    left = mind.params["claims"]
    for length in range(board.longest_route, 0, -1):
        for w in range(ROUTE_WORDS):
            word = claimable_word(board, table, hand.seat, w) & length_word(board, length, w)
            while word and left > 0:
                action = best_claim(board, table, hand, mind, 64 * w + lowest(word))
                word &= word - ONE_BIT
                if action != PASS:
                    propose(mind, action)
                    left -= 1


def best_candidate(board, table, hand, mind, room):
    """Try the candidates in the same games, and go on with the better half of them until one is left."""
    many, usual = mind.memory[MANY], mind.memory[ACTIONS]
    while many > 1:
        base = next_word(mind.rng)
        for game in range(np.int64(mind.params["playouts"])):
            key = base + np.uint64(game)
            for i in range(many):
                imagine(board, table, hand, room, key)
                value = play_out(board, room, mind.memory[ACTIONS + i], hand.seat)
                if mind.memory[ACTIONS + i] == usual:
                    value += mind.params["trust"]
                mind.memory[VALUES + i] += np.int64(MILLION * value)
        sort_candidates(mind, many)
        many = (many + 1) // 2 if many > 2 else 1
    return mind.memory[ACTIONS]


def sort_candidates(mind, many):
    """Sort the candidates by what they came to, the best first."""
    memory = mind.memory
    for i in range(1, many):
        action, value = memory[ACTIONS + i], memory[VALUES + i]
        j = i
        while j > 0 and memory[VALUES + j - 1] < value:
            memory[ACTIONS + j], memory[VALUES + j] = memory[ACTIONS + j - 1], memory[VALUES + j - 1]
            j -= 1
        memory[ACTIONS + j], memory[VALUES + j] = action, value

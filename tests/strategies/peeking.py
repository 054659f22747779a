"""Strategies that try to see the deck: the defaults, but a card from the deck where the top one is wanted.

`HONEST` is the same without a look at the deck. Each of them looked into the deck when it was written: streams began
with an invertible mix of the block's key, and an index could lead out of a hand.
"""

HONEST = """
import numpy as np
from ttrsim.core.cards import can_draw
from ttrsim.core.constants import *
from ttrsim.core.deal import clear_table, deal_cards
from ttrsim.kit.defaults import default_answer

GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def top_card(table, hand, mind, room):
    return -1


def look(board, table, hand, mind, room):
    return 0


def decide(board, table, hand, mind, room):
    if table.phase == OPENING:
        look(board, table, hand, mind, room)
    action = default_answer(board, table, hand, mind, room)
    draws = action == DRAW_BLIND or TAKE <= action < TAKE + KINDS
    if draws and action != TAKE + WILD and table.deck_cards > 0:
        kind = top_card(table, hand, mind, room)
        if kind == WILD or kind >= 0 and mind.work.need[kind] > 0:
            return DRAW_BLIND
    return action
"""

BY_ITS_STREAM = HONEST.replace(
    "    return -1\n",
    """\
    if mind.memory[60] == 0 or table.reshuffles > 0:
        return -1
    return int(room.game.deck.cards[table.deck_cards - 1])
""",
).replace(
    "    return 0\n",
    """\
    word = undone(mind.rng[0]) - GOLDEN
    key = undone(word) - GOLDEN * (np.uint64(STRATEGY_STREAM) << np.uint64(16) | np.uint64(hand.seat))
    clear_table(board, room.game, table.players)
    for seat in range(table.players):
        for kind in range(KINDS):
            room.game.hands[seat].cards[kind] = 0
    room.game.deck.key = key
    deal_cards(board, room.game)
    mind.memory[60] = 1
    for kind in range(KINDS):
        if room.game.hands[hand.seat].cards[kind] != hand.cards[kind]:
            mind.memory[60] = 0
        if room.game.table.display[kind] != table.display[kind]:
            mind.memory[60] = 0
    return 0


def undone(x):
    x = (x ^ x >> np.uint64(31) ^ x >> np.uint64(62)) * np.uint64(0x319642B2D24D8EC3)
    x = (x ^ x >> np.uint64(27) ^ x >> np.uint64(54)) * np.uint64(0x96DE1B173F119089)
    return x ^ x >> np.uint64(30) ^ x >> np.uint64(60)
""",
)
"""Undoes the mix, and deals the game again."""

BEYOND_ITS_HAND = HONEST.replace(
    "    return -1\n",
    """\
    if table.reshuffles > 0:
        return -1
    place = (6 - hand.seat) * 136 + 8 - 48 + table.deck_cards - 1
    kind = hand.cards[place // 4] >> place % 4 * 8 & 255
    return kind if kind <= WILD else -1
""",
)
"""Reads on behind the end of its cards, where the deck lay."""

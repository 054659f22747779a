"""Chooses a kind of action first (a card, tickets, a claim, a station), each equally likely, then one of that kind.

The other yardstick: it draws tickets as often as it claims.
"""

from ttrsim.bot import any_kind

NAME = "random_kind"
PARAMS = {}


def decide(board, table, hand, mind):
    return any_kind(board, table, hand, mind)

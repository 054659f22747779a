"""Plays one of the legal actions, each equally likely.

The yardstick: what no strategy should lose to. Each way to pay for a route is an action of its own, so it
claims often and keeps few cards.
"""

from ttrsim.bot import any_action

NAME = "random"
PARAMS = {}


def decide(board, table, hand, mind):
    return any_action(board, table, hand, mind)

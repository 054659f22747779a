"""The whole game once more in plain Python: an oracle for the compiled core, written from the rules alone."""

from .game import ReferenceGame
from .random_play import Orders, play_random_game, random_action, random_orders

__all__ = ["Orders", "ReferenceGame", "play_random_game", "random_action", "random_orders"]

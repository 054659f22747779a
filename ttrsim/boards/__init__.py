"""Read boards from TOML files, check them and analyse them."""

from ttrsim.boards.board import Board, City, Colour, Route, Rules, Ticket
from ttrsim.boards.reading import BoardError, board_names, load_board, load_family, read_boards

__all__ = [
    "Board",
    "BoardError",
    "City",
    "Colour",
    "Route",
    "Rules",
    "Ticket",
    "board_names",
    "load_board",
    "load_family",
    "read_boards",
]

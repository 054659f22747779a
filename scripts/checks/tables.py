"""The tables that are checked, and where things are."""

from pathlib import Path

from ttrsim.boards import board_names, load_board

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"

Table = tuple[str, int]
"""A board's name and a number of players."""


def all_tables() -> list[Table]:
    """Every board and variant with every number of players."""
    ranges = {name: load_board(name).rules.players for name in board_names()}
    return [(name, players) for name, (fewest, most) in ranges.items() for players in range(fewest, most + 1)]

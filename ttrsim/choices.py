"""Choices and default values that commands share with the library.

Nothing heavy is imported here, so that `ttrsim --help` is fast.
"""

from typing import Literal, get_args

RowTable = Literal["games", "players", "tickets", "claims"]
"""A table of rows that a run may store."""
ROW_TABLES: tuple[RowTable, ...] = get_args(RowTable)

Question = Literal["shares", "differences", "seats", "offers"]
"""The questions that `ttrsim plan` answers."""
QUESTIONS: tuple[Question, ...] = get_args(Question)

PICTURES = (".png", ".svg", ".pdf")
"""Endings of a picture's name."""

BALANCE_PLAYERS = "planner,blocker,hoarder,long_hauler,one_step"
"""Different from each other, so that a board is not judged by one style of play."""
BALANCE_GAMES, BALANCE_BUDGET = 40_000, 1_000_000
"""Games at each table of an examination, and in total for one that continues until everything is decided."""

TRIAL_GAMES = 4000
"""Games with each change, and as many without."""
DIFFICULTY_PLAYERS = "one_step,long_hauler,planner"
"""A weak strategy, a middling one and a strong one."""
USUAL_SEATS = (2, 3, 4, 5)
"""Players at the tables of `ttrsim difficulty`, as far as the board allows."""
DIFFICULTY_GAMES = 1000
"""Games with each ticket at each of them."""
TRIAL_COMMANDS = {
    "swaps": "ttrsim tickets",
    "forced": "ttrsim tickets --force",
    "fair": "ttrsim tickets --fair",
    "gifts": "ttrsim routes --gift",
    "closed": "ttrsim routes --close",
    "changed": "ttrsim routes --change",
}
"""The command that makes each table of trials."""
TOP = 5
"""Connections that `ttrsim routes` looks at if none is named."""
ROUNDS = 6
"""Most rounds of `ttrsim tickets --fair`. Strategies play differently when values change, so one is not enough."""

HABITS_PLAYERS = "planner,hoarder,blocker"
"""Strong strategies of different styles, which have all switches."""
HABITS_GAMES = 4000
"""Games with each habit at each table."""

TUNE_GAMES = 300_000
"""Games of a tuning in all: its search and its tests."""
IMPROVE_GAMES = 1_000_000
"""Games of a search for a fairer board in all, with the judges' test."""
IMPROVE_PLAYERS, IMPROVE_JUDGES = "planner,blocker,route_focused", "hoarder,long_hauler,one_step"
"""The strategies of the search, and others that judge its result, so that it does not fit one style of play."""
IMPROVE_GOALS = "tickets,seats,routes"
MOST_CHANGES = 12
"""Changes that a search proposes at most."""
SWEEP_GAMES = 4000
"""Games with each value of a sweep."""


SEEDS = 2**64
"""Seeds are below this; fewer a strategy could try one by one."""


def drawn_seed() -> int:
    """Draw a random seed."""
    import secrets

    return secrets.randbelow(SEEDS)

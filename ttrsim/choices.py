"""Choices and defaults that both commands and the modules behind them use.

Nothing heavy is imported here, so that `ttrsim --help` is quick.
"""

from typing import Literal, get_args

RowTable = Literal["games", "players", "tickets", "claims"]
"""A table of rows that a run may store."""
ROW_TABLES: tuple[RowTable, ...] = get_args(RowTable)

Question = Literal["shares", "differences", "seats", "offers"]
"""The questions whose precision `ttrsim plan` can plan for."""
QUESTIONS: tuple[Question, ...] = get_args(Question)

PICTURES = (".png", ".svg", ".pdf")
"""How the name of a picture may end."""

ROUNDS = 3
"""How often `ttrsim tickets --fair` corrects the tickets' values. Strategies play differently for other values, so once
is not enough."""

"""What commands and the modules behind them both go by: it imports nothing, so that `ttrsim --help` is quick."""

from typing import Literal, get_args

RowTable = Literal["games", "players", "tickets", "claims"]
"""A table of rows that a run may store."""
ROW_TABLES: tuple[RowTable, ...] = get_args(RowTable)

Question = Literal["shares", "differences", "seats", "offers"]
"""What `ttrsim plan` may be asked to know the precision of."""
QUESTIONS: tuple[Question, ...] = get_args(Question)

ROUNDS = 3
"""How often values of tickets are corrected: strategies play otherwise for other values, so once is not enough."""

"""Checking a strategy: games on every board with every number of players, and what must hold in them."""

from ttrsim.checking.checks import Examination, Extent, check_strategy
from ttrsim.checking.examiner import TableReport

__all__ = ["Examination", "Extent", "TableReport", "check_strategy"]

"""Checking a strategy: games on every board with every number of players, and what must hold in them."""

from ttrsim.checking.checks import QUICK, Examination, Extent, check_strategy
from ttrsim.checking.examiner import TableReport

__all__ = ["QUICK", "Examination", "Extent", "TableReport", "check_strategy"]

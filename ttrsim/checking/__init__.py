"""Check a strategy in games on every board with every number of players."""

from ttrsim.checking.checks import QUICK, Examination, Extent, check_strategy
from ttrsim.checking.examiner import TableReport

__all__ = ["QUICK", "Examination", "Extent", "TableReport", "check_strategy"]

"""Strategies: found, read and compiled from one Python file each."""

from ttrsim.strategies.loading import Strategy, load_line_up, load_strategy, strategy_names
from ttrsim.strategies.source import Param, StrategyError

__all__ = ["Param", "Strategy", "StrategyError", "load_line_up", "load_strategy", "strategy_names"]

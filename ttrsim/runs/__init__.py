"""Runs: many games, played in shards, stored, and read again."""

from ttrsim.runs.read import Run

__all__ = ["Run"]

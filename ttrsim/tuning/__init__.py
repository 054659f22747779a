"""Tuning: the search for a strategy's best parameters, and the test of what it found on deals it never saw."""

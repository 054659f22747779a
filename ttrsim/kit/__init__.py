"""Compiled helpers that strategies share."""

"""Whatever a user types or has in files, ttrsim ends with a documented exit code and errors of a line each.

Every day a few examples are tried, always the same; `scripts/verify.py fuzz --minutes 30` tries new ones for as long.
"""

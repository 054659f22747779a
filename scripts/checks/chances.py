"""Frequencies of deals, decks and tunnels against exact probabilities: `python scripts/verify.py chances`."""

import os
import subprocess
import sys

import click

from .folders import TESTS


@click.command()
@click.option("--deals", default=1_000_000, show_default=True, help="Deals of each sort.")
def chances(deals: int) -> None:
    """Count what is dealt, drawn and turned up, and compare with exact probabilities (chi-square at 0.001 each)."""
    command = [sys.executable, "-m", "pytest", "-q", "-o", "addopts=", str(TESTS / "core" / "test_chance.py")]
    ended = subprocess.run(command, env={**os.environ, "TTRSIM_DEALS": str(deals)})
    if not ended.returncode:
        click.echo(f"All frequencies in {deals:,} deals are as they should be.")
    sys.exit(ended.returncode)

"""Anything a user may type or have in files: `python scripts/verify.py fuzz`."""

import os
import subprocess
import sys
from time import monotonic

import click

from ttrsim.formatting import clock

from .folders import TESTS


@click.command()
@click.option("--minutes", default=10.0, show_default=True, help="For how long.")
@click.option("--only", metavar="WORDS", help="Only these tests, as pytest's -k takes them.")
def fuzz(minutes: float, only: str | None) -> None:
    """Try anything a user may type or have in files, other things each time; stop at what is not as promised."""
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-x", str(TESTS / "fuzz")]
    started, rounds = monotonic(), 0
    while monotonic() - started < 60 * minutes:
        ended = subprocess.run([*command, *(["-k", only] if only else [])], env={**os.environ, "TTRSIM_FUZZ": "5"})
        if ended.returncode:
            sys.exit(ended.returncode)
        rounds += 1
    click.echo(f"{rounds} rounds in {clock(monotonic() - started)}: all was as promised.")

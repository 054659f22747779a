#!/usr/bin/env python
"""The long checks, for before a release: `python scripts/verify.py --help` lists them."""

import sys
from pathlib import Path

import click

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from checks.agents import agents
from checks.chances import chances
from checks.compiled import compiled
from checks.coverage import coverage
from checks.crashes import crashes
from checks.fair import fair
from checks.findings import findings
from checks.fuzz import fuzz
from checks.improve import improve
from checks.lines import lines
from checks.looking import looking
from checks.page import record
from checks.profiles import profiles
from checks.reference import reference
from checks.shipped import shipped
from checks.soak import soak
from checks.strength import strength
from checks.styles import styles
from checks.tuning import tuning


@click.group()
def main() -> None:
    """Run checks that take too long for every day. `record` puts what one says into reports/verification.md."""


for command in (
    agents,
    chances,
    compiled,
    coverage,
    crashes,
    fair,
    findings,
    fuzz,
    improve,
    lines,
    looking,
    profiles,
    record,
    reference,
    shipped,
    soak,
    strength,
    styles,
    tuning,
):
    main.add_command(command)


if __name__ == "__main__":
    main()

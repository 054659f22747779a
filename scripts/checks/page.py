"""The report of the long checks, `reports/verification.md`: what each printed, under a heading of its own."""

import os
import re
import subprocess
import sys
from pathlib import Path
from time import monotonic

import click

from ttrsim.formatting import clock, command_line

from .folders import ROOT

PAGE = ROOT / "reports" / "verification.md"
HEAD = """# Verification

The checks that take too long for every day, each as `python scripts/verify.py` printed it, some with a note added;
`record` writes this page. What CI checks each time is in `tests/`.
"""
ABOUT = {
    "reference": "The compiled core and a plain reference, written from the rules alone, play the same games; every "
    "list of legal actions, every record and every result is compared.",
    "chances": "What is dealt, drawn and turned up, against exact probabilities.",
    "soak": "Games of all strategies at all tables; each result is examined.",
    "shipped": "Each strategy that comes with ttrsim plays by its rules within bounds, and decides as in plain Python.",
    "coverage": "How often 95 % intervals hold the truth, over many small runs.",
    "strength": "How strong the strategies are that come with ttrsim.",
    "tuning": "A tuning undoes a handicap that was planted, and claims no gain from parameters without effect.",
    "profiles": "What tuning is worth: the defaults of each strategy, and its values of each table, against its "
    "defaults before, on deals that no search has seen.",
    "styles": "Which strategy wins: five strategies in all combinations, as they were before any was tuned, with their "
    "defaults, and with their values of each table; share of seats that win.",
    "looking": "How strong `lookahead` is for the time it takes, and that it leads at tables of every size.",
    "agents": "What the four agents after a published program do on average in games of two, three and four, against "
    "the figures of that program made to play by the rules.",
    "findings": "What de Mesentier Silva, Lee, Togelius and Nealen (FDG 2017) found with four agents, played again.",
    "fair": "Fair values of tickets, searched with some deals and judged on others.",
    "improve": "A sabotaged USA is mended at least to the sizes of the published one, two boards drawn by rule with at "
    "most 12 changes each, and a fair board is left alone; strategies judge that played no part in the search.",
    "fuzz": "Whatever a user may type or have in files: no traceback, exit codes as documented.",
    "crashes": "Real processes are killed at random moments, folders and files damaged, with files of a user's own "
    "between them; then each run goes on, and its digest, summary and rows are compared with an undisturbed run's.",
    "compile": "Kernels compiled as parts against kernels compiled by numba alone: the same bytes.",
    "lines": "Lines of the program that tests run, with the compiler off for what is compiled.",
}
"""The checks in the order of the page, and what each is about."""
ONLY_MEASURES = {"findings", "styles"}
"""Checks that have no bound to hold."""


@click.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--note", default="", help="A sentence about something that the check itself does not say.")
@click.argument("check", type=click.Choice(list(ABOUT)))
@click.argument("options", nargs=-1)
def record(note: str, check: str, options: tuple[str, ...]) -> None:
    """Run a CHECK with its OPTIONS, and put what it prints into reports/verification.md."""
    started = monotonic()
    command = [sys.executable, str(ROOT / "scripts" / "verify.py"), check, *options]
    printed = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, encoding="utf-8", env=os.environ | {"PYTHONUNBUFFERED": "1"}
    ) as running:
        for line in running.stdout or ():
            click.echo(line, nl=False)
            printed.append(line)
    ran = f"`python scripts/verify.py {command_line([check, *options])}`, {clock(monotonic() - started)} of time"
    sections = read(PAGE) | {check: section(check, ran, note, "".join(printed), running.returncode)}
    PAGE.write_text("\n".join([HEAD, *(sections[name] for name in ABOUT if name in sections)]), encoding="utf-8")
    sys.exit(running.returncode)


def section(check: str, ran: str, note: str, printed: str, code: int) -> str:
    """Return the output of a check under its heading, with its last line, the verdict, first."""
    *rest, verdict = printed.strip().splitlines() or ["it broke off before it said anything"]
    passed = ("Measured" if check in ONLY_MEASURES else "Passed") if code == 0 else f"**Failed**, exit {code}"
    transcript = "\n".join(rest).strip()
    words = [f"## {check}", ABOUT[check], f"{passed}: {verdict.strip()}", *([note] if note else []), f"({ran})"]
    return "\n\n".join([*words, f"```text\n{transcript}\n```"]) + "\n"


def read(page: Path) -> dict[str, str]:
    """Return the sections of the page as it is."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return {
        part.split("\n", 1)[0].removeprefix("## "): part.rstrip() + "\n" for part in re.split(r"(?m)^(?=## )", text)[1:]
    }

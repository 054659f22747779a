"""Find which lines tests run: `python scripts/verify.py lines`. It needs `pip install -e '.[lines]'`.

Compiled functions are not seen while they run, so whole games, and tests of the rules, are played once more with the
compiler off. Many tests start such processes themselves; these count as well.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from .folders import ROOT, TESTS

LEAST, LEAST_OF_FILE = 95.0, 90.0
"""Per cent of all lines that must be run, and of a file's lines below which it is listed."""
SOURCES = [ROOT / "ttrsim", ROOT / "strategies"]
LEFT_OUT = [
    f"--ignore={TESTS / 'browser'}",  # is about the scripts of pages
    f"--ignore={TESTS / 'fuzz'}",  # which `verify.py fuzz` is for
    "--deselect=tests/runs/test_store.py::test_a_full_disk_is_told_in_a_line_and_what_is_finished_stays",
]
"""Tests that are not run; on a full disk nothing can be measured."""
COVERAGE = [sys.executable, "-m", "coverage"]
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
NAME = "measured"
"""Begins the name of each file with what a process measured."""
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
"""The environment that turns the compiler off."""
PARTS: dict[str, tuple[list[str], dict[str, str]]] = {
    "tests": ([*PYTEST, str(TESTS), *LEFT_OUT], {}),
    "rules": ([*PYTEST, *map(str, sorted(TESTS.glob("core/test_rules*.py")))], PLAIN),
    "games": ([str(ROOT / "scripts" / "plain_games.py")], PLAIN),
}
"""The parts to run: arguments of Python, and the environment."""


@click.command()
@click.option("--part", "parts", multiple=True, type=click.Choice(list(PARTS)), help="Run only this part; may repeat.")
@click.option("--folder", type=click.Path(path_type=Path), help="Keep what is measured here, and add it to what is.")
@click.option("--processes", default=2, show_default=True)
def lines(parts: tuple[str, ...], folder: Path | None, processes: int) -> None:
    """Run the tests, and games with the compiler off, and count the lines of ttrsim and strategies that were run."""
    with tempfile.TemporaryDirectory() as scratch:
        kept = (folder or Path(scratch)).resolve()
        kept.mkdir(parents=True, exist_ok=True)
        failed = [part for part in parts or PARTS if not measure(part, kept, processes)]
        measured = total(kept, Path(scratch))
    for part in failed:
        click.echo(f"Some of the part '{part}' failed; what is measured is slow, for some tests too slow.")
    share = measured["totals"]["percent_covered"]
    verdict = f"{share:.1f} % of {measured['totals']['num_statements']:,} lines were run; {LEAST:.0f} % should be."
    click.echo(verdict)
    sys.exit(share < LEAST)


def measure(part: str, folder: Path, processes: int) -> bool:
    """Run a part, with a file in the folder for each process; return whether all went well."""
    arguments, environment = PARTS[part]
    if PYTEST[1] in arguments:
        arguments = [*arguments, "-n", str(processes)]
    run = ["run", "--source", ",".join(map(str, SOURCES))]
    environment = {**os.environ, **environment, "COVERAGE_FILE": str(folder / NAME)}
    ended = subprocess.run([*COVERAGE, *run, *arguments], cwd=ROOT, env=environment, stdout=sys.stderr)
    return ended.returncode == 0


def total(folder: Path, scratch: Path) -> Any:
    """Put together what all processes measured, list the files of which little was run, and return coverage's JSON."""
    environment = {**os.environ, "COVERAGE_FILE": str(scratch / NAME)}

    def coverage(*arguments: str) -> str:
        command = [*COVERAGE, *arguments]
        return subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout

    coverage("combine", "--quiet", "--keep", str(folder))
    measured = json.loads(coverage("json", "--quiet", "-o", "-"))
    low = [name for name, file in measured["files"].items() if file["summary"]["percent_covered"] < LEAST_OF_FILE]
    if low:
        click.echo(f"Less than {LEAST_OF_FILE:.0f} % was run of these files:\n")
        click.echo(coverage("report", "--show-missing", "--include", ",".join(low)))
    return measured

"""Fixtures that many tests share: a small valid board file to break, and the command line called in this process."""

import gc
import importlib.util
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from ttrsim.cli import main
from ttrsim.compiling import compile_first

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as commands do, but before tests import numpy

TTRSIM = [sys.executable, "-c", "import sys; from ttrsim.cli import main; sys.exit(main())"]
"""The command line as a process of its own; its words follow."""
COMPILE_GUARDED = """\
from dataclasses import replace
from ttrsim.strategies import load_strategy
replace(load_strategy("planner"), guarded=True).compiled
"""
"""Functions of the kit that many tests use, with the bounds checks that strategies of users have."""
SLOW_RUN = 7 * 60
"""Seconds after which a run of tests says where they went."""
STARTED = time.monotonic()
SMALL_BOARD = """\
format = 1
name = "Small"
title = "A small board"
picture = { width = 100, height = 100 }

colours.red = { cards = 12 }
colours.blue = { cards = 12 }
wilds = { cards = 6 }

rules.players = [2, 3]
rules.trains = 10
rules.hand = 4
rules.display = 5
rules.display_wild_limit = 3
rules.tickets = { deck = "base", deal = 2, keep = 1, draw = 2 }
rules.route_points = { 1 = 1, 2 = 2, 3 = 4 }

cities = [
  { name = "Ayr", x = 10, y = 10 },
  { name = "Bern", x = 90, y = 10 },
  { name = "Córdoba", x = 90, y = 90, aliases = ["Cordova"] },
  { name = "Dax", x = 10, y = 90 },
]

connections = [
  { between = ["Ayr", "Bern"], length = 2, tracks = ["red", "blue"] },
  { between = ["Bern", "Córdoba"], length = 3, tracks = ["gray"], ferry = 1 },
  { between = ["Córdoba", "Dax"], length = 1, tracks = ["blue"], tunnel = true },
  { between = ["Ayr", "Dax"], length = 2, tracks = ["red"] },
]

tickets = [
  { between = ["Ayr", "Bern"], points = 2, decks = ["base"] },
  { between = ["Ayr", "Córdoba"], points = 3, decks = ["base"] },
  { between = ["Ayr", "Dax"], points = 2, decks = ["base"] },
  { between = ["Bern", "Córdoba"], points = 3, decks = ["base"] },
  { between = ["Bern", "Dax"], points = 4, decks = ["base"] },
  { between = ["Córdoba", "Dax"], points = 1, decks = ["base", "short"] },
]

[variants.quick]
title = "Fewer trains"
rules.trains = 6
"""
TICKET = "Bern–Córdoba"


def with_dearer_ticket(points: int) -> str:
    """Return the small board with these points on TICKET, which is printed with 3."""
    printed = '{ between = ["Bern", "Córdoba"], points = 3, decks = ["base"] }'
    assert SMALL_BOARD.count(printed) == 1
    return SMALL_BOARD.replace(printed, printed.replace("3", str(points)))


def pytest_configure() -> None:
    """Let processes that tests start hear Ctrl-C, also where a shell began the tests in the background.

    And let no example of Hypothesis be too slow: how long one takes depends on what else the machine does. Nothing
    written here must survive a power failure, so nothing waits for the disk.
    """
    os.fsync = lambda descriptor: None
    settings.register_profile("patient", settings(deadline=None, suppress_health_check=[HealthCheck.too_slow]))
    settings.load_profile("patient")
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config, specs: list[object]) -> None:
    """Compile what most tests use before the processes that run all of them start, or each compiles it for itself.

    A part of the tests, such as one file, compiles only what it uses.
    """
    folders = [(config.invocation_params.dir / argument).resolve() for argument in config.args]
    if len(specs) < 2 or Path(__file__).parent not in folders or config.option.keyword or config.option.collectonly:
        return
    none = subprocess.DEVNULL
    commands = [*TTRSIM, "warm"], [sys.executable, "-c", COMPILE_GUARDED]
    compiling = [subprocess.Popen(command, stdin=none, stdout=none, stderr=none) for command in commands]
    for process in compiling:
        process.wait()  # what did not compile, the tests tell


def pytest_collection_finish() -> None:
    """Search for garbage less often, and not in what the imports made: it took an eighth of the time of reports."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print in which folders the time of a slow run went, summed over the processes that ran the tests."""
    if (took := time.monotonic() - STARTED) < SLOW_RUN:
        return
    reports = [r for rs in terminalreporter.stats.values() for r in rs if isinstance(r, pytest.TestReport)]
    terminalreporter.section(f"seconds of all processes, of a run that took {took / 60:.0f} minutes")
    for folder, seconds in seconds_by_folder(reports):
        terminalreporter.write_line(f"{seconds:7.0f} {folder}")


def seconds_by_folder(reports: Iterable[pytest.TestReport]) -> list[tuple[str, float]]:
    """Sum what tests took, their fixtures included, by the folder they are in; the slowest first."""
    seconds = Counter[str]()
    for report in reports:
        seconds[report.nodeid.partition("::")[0].rpartition("/")[0]] += report.duration
    return seconds.most_common()


@pytest.fixture
def small_board() -> str:
    """The text of a good board file."""
    return SMALL_BOARD


@pytest.fixture
def board_file(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a text to `my.toml` in a new folder and returns its path."""

    def write(text: str) -> Path:
        path = tmp_path / "my.toml"
        path.write_text(text, "utf-8", newline="\n")  # or its hash is another one on Windows
        return path

    return write


def load_script(name: str) -> ModuleType:
    """Import a file of the scripts, such as `checks/agents.py`."""
    path = Path(__file__).parents[1] / "scripts" / name
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def words_of(command: str) -> list[str]:
    """Split a command that ttrsim prints as the system's shell does; on Windows, one without spaces."""
    return command.split() if sys.platform == "win32" else shlex.split(command)


class Ended(NamedTuple):
    """The exit code and output of a command."""

    code: int
    out: str
    err: str


@pytest.fixture
def ttrsim(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ended]:
    """The command line: `ttrsim("maps", "list").out`."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: object) -> Ended:
        code = main([str(a) for a in arguments])
        return Ended(code, *capsys.readouterr())

    return call


@pytest.fixture(scope="module")
def not_the_first_run() -> None:
    """Compile beforehand, because the first command would announce that it compiles the game."""
    compile_first()

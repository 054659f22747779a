"""What many tests share: a small good board file to break, and the command line called in this process."""

import shlex
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from ttrsim.cli import main
from ttrsim.cli.compiling import compile_first

TTRSIM = [sys.executable, "-c", "import sys; from ttrsim.cli import main; sys.exit(main())"]
"""The command line as a process of its own; its words follow."""
BOUNDS_CHECKED = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "1"}
"""Environment in which everything is compiled with bounds checks; little optimised, or it would take three times as
long."""
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
    """The small board with so many points on TICKET, printed with 3."""
    printed = '{ between = ["Bern", "Córdoba"], points = 3, decks = ["base"] }'
    assert SMALL_BOARD.count(printed) == 1
    return SMALL_BOARD.replace(printed, printed.replace("3", str(points)))


def pytest_configure() -> None:
    """Let processes that tests start hear Ctrl-C, also where a shell began the tests in the background.

    And let no example of Hypothesis be too slow: how long one takes depends on what else the machine does.
    """
    settings.register_profile("patient", settings(deadline=None, suppress_health_check=[HealthCheck.too_slow]))
    settings.load_profile("patient")
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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


def words_of(command: str) -> list[str]:
    """The words of a command that ttrsim tells, as the system's shell takes them; on Windows of one without spaces."""
    return command.split() if sys.platform == "win32" else shlex.split(command)


class Ended(NamedTuple):
    """How a command ended and what it wrote."""

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
    """No command is the first one here, which would tell that it compiles the game."""
    compile_first(quiet=True)

"""The command line as a whole: fast help, exit codes, errors without tracebacks. Run as real processes."""

import gc
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import TTRSIM

from ttrsim import __version__
from ttrsim.cli import main

HEAVY = {"numpy", "numba", "pandas", "matplotlib", "networkx", "pydantic", "scipy"}

Command = Callable[..., Any]


def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*TTRSIM, *arguments], capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["maps", "--help"],
        ["maps", "stats", "--help"],
        ["stats", "--help"],
        ["plot", "--help"],
        ["nonsense"],
    ],
)
def test_help_and_mistakes_import_nothing_heavy(arguments: list[str]) -> None:
    code = f"import sys; from ttrsim.cli import main; main({arguments!r}); print(*sys.modules, file=sys.stderr)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY.isdisjoint(ended.stderr.split())
    assert "ttrsim.cli" in ended.stderr.split()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell how long other processes have worked")
def test_help_is_fast() -> None:
    def worked() -> float:
        return os.times().children_user + os.times().children_system

    def seconds() -> float:
        before = worked()
        run("--help")
        return worked() - before

    # Processor time, a guard against a heavy import; it takes about 0.05 s.
    assert min(seconds() for _ in range(5)) < 0.3


def test_help_names_the_commands() -> None:
    ended = run("--help")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "maps" in ended.stdout


def test_version_is_told() -> None:
    assert run("--version").stdout == f"ttrsim, version {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [["map"], ["maps", "shw"], ["maps", "show"], ["--no-such"], ["maps", "show", "usaa"]]
)
def test_wrong_usage_ends_with_2_and_says_so_on_stderr(ttrsim: Command, arguments: list[str]) -> None:
    ended = ttrsim(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert "Error: " in ended.err


@pytest.mark.parametrize(
    "words",
    [
        ("stats", "run", "--margin"),
        ("plot", "seats", "run", "-o", "x.svg", "--margin"),
        ("report", "run", "-o", "x.html", "--margin"),
        ("plan", "--run", "run", "--precision", "1pp", "--power"),
    ],
)
def test_what_is_not_a_number_lies_between_no_bounds(ttrsim: Command, words: tuple[str, ...]) -> None:
    ended = ttrsim(*words, "nan")
    assert ended.code == 2
    assert ended.err.endswith(f"Error: Invalid value for '{words[-1]}': 'nan' is not a number\n")


def test_what_click_tells_of_a_mistake_keeps_to_a_line(ttrsim: Command) -> None:
    ended = ttrsim("plot")
    assert ended.code == 2
    assert ended.err.splitlines()[-1].startswith("Error: Missing argument 'PLOT'. Choose from: tickets, ")
    assert ttrsim("maps", "list", "a\nb").err.endswith("Error: Got unexpected extra argument (a b)\n")


def test_mistyped_command_is_named(ttrsim: Command) -> None:
    assert ttrsim("stat", "first").err.endswith("Error: No such command 'stat'; did you mean stats?\n")


def test_option_is_suggested_only_if_it_is_near(ttrsim: Command) -> None:
    assert "json" not in ttrsim("stats", "first", "--sort", "wins").err
    assert re.search(r"Did you mean '?--wide'?\?\n$", ttrsim("stats", "first", "--widee").err)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("stats", "first", "ticket"), "Invalid value for '[TABLE]': there is no 'ticket'; did you mean tickets?"),
        (("plot", "seat", "first", "-o", "x.svg"), "Invalid value for 'PLOT': there is no 'seat'; did you mean seats?"),
    ],
)
def test_mistyped_table_or_plot_is_named(ttrsim: Command, words: tuple[str, ...], problem: str) -> None:
    assert ttrsim(*words).err.endswith(f"Error: {problem}\n")


def test_failure_ends_with_1_and_one_line_on_stderr(tmp_path: Path) -> None:
    ended = run("maps", "show", "none.toml", cwd=tmp_path)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert ended.stderr == "Error: none.toml: cannot be read: No such file or directory\n"


def test_problem_with_control_characters_stays_on_its_line(ttrsim: Command) -> None:
    ended = ttrsim("maps", "show", "a\n\x1b[31mb.toml")
    assert ended.err.startswith("Error: a\\n\\x1b[31mb.toml: cannot be read: ")
    assert ended.err.count("\n") == 1


def test_reader_that_leaves_early_makes_no_noise() -> None:
    process = subprocess.Popen(
        [*TTRSIM, "maps", "stats", "usa", "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), errors) == (1, b"")


@pytest.mark.parametrize("words", [("maps", "list"), ("maps", "draw", "usa", "-o", "folder.svg")])
def test_closed_stdout_makes_no_traceback(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "folder.svg").mkdir()
    closed = "import os, sys; os.close(1); sys.stdout = None; from ttrsim.cli import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", closed, *words]
    ended = subprocess.run(command, capture_output=True, check=False, cwd=tmp_path)
    assert b"Traceback" not in ended.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
def test_full_disk_is_told_without_a_traceback() -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ended = subprocess.run([*TTRSIM, "maps", "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (1, "Error: No space left on device\n")


def test_interrupt_ends_with_130(ttrsim: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr("ttrsim.boards.board_names", interrupted)
    ended = ttrsim("maps", "list")
    assert ended.code == 130
    assert "Traceback" not in ended.err


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)]
)
def test_terminal_gets_colour_unless_it_is_dumb_or_no_color_is_set(environment: dict[str, str], coloured: bool) -> None:
    clean = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm"}
    near, far = pytest.importorskip("pty").openpty()  # Windows has none
    subprocess.run([*TTRSIM, "maps", "show", "usaa"], stderr=far, env=clean | environment, check=False)
    written = os.read(near, 10_000)  # before the other end is closed, with which macOS drops it
    os.close(far)
    os.close(near)
    assert b"no board 'usaa'" in written
    assert (b"\x1b[" in written) == coloured


def test_letters_that_stdout_cannot_take_become_escapes(board_file: Callable[[str], Path], small_board: str) -> None:
    board = board_file(small_board.replace("A small board", "Mała plansza"))
    cp1252 = {"env": {**os.environ, "PYTHONIOENCODING": "cp1252"}, "encoding": "cp1252"}
    ended = run("maps", "show", str(board), **cp1252)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert r"Ma\u0142a plansza" in ended.stdout


@pytest.mark.parametrize("encoding", ["cp1252", "cp437"])  # of pipes and of consoles on Windows
def test_json_is_json_in_any_encoding(board_file: Callable[[str], Path], small_board: str, encoding: str) -> None:
    board = board_file(small_board.replace("Dax", "Ãłó💥"))
    options = {"env": {**os.environ, "PYTHONIOENCODING": encoding}, "encoding": encoding}
    ended = run("maps", "stats", str(board), "--json", **options)
    assert "Ãłó💥" in {city["city"] for city in json.loads(ended.stdout)["cities"]}


def test_file_gets_no_colour() -> None:
    assert "\x1b[" not in run("maps", "show", "usaa").stderr


def test_works_from_any_folder(tmp_path: Path) -> None:
    assert run("maps", "show", "usa", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ("balance", "BOARD", "--players", "WHO"),
        ("run", "--map", "BOARD", "--players", "WHO,random", "-n", "100"),
        ("compare", "usa", "BOARD", "--players", "WHO,random", "-n", "100"),
        ("tickets", "--map", "BOARD", "--players", "WHO,random"),
        ("routes", "--map", "BOARD", "--players", "WHO,random"),
        ("plan", "--map", "BOARD", "--players", "WHO,random", "--precision", "1pp"),
        ("play", "--map", "BOARD", "--players", "WHO,random"),
    ],
    ids=lambda words: words[0],
)
def test_no_seed_is_drawn_for_what_is_refused(ttrsim: Command, tmp_path: Path, words: tuple[str, ...]) -> None:
    nothing = tmp_path / "nothing.py"
    nothing.write_text("x = 1\n", "utf-8")
    for board, who in (("usaa", "random"), ("usa", "randomm"), ("usa", str(nothing))):
        ended = ttrsim(*(word.replace("BOARD", board).replace("WHO", who) for word in words))
        assert ended.code != 0
        assert all(line.startswith("Error: ") for line in ended.err.splitlines()), ended.err
        assert ended.err


def test_a_caller_from_python_keeps_its_settings_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS")
    before = gc.get_threshold()
    assert main(["--version"]) == 0
    assert (gc.get_threshold(), "OPENBLAS_NUM_THREADS" in os.environ) == (before, False)

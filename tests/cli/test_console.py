"""The line of progress: visible at a terminal while work goes on, and gone afterwards."""

import os
import subprocess
import sys

import pytest

from ttrsim.cli.console import doing

WIPED = "\r\x1b[K"


def at_a_terminal(*arguments: object, kind: str = "xterm") -> str:
    """Return what a command writes to stderr if that is a terminal of this kind."""
    main, side = pytest.importorskip("pty").openpty()  # Windows has none
    code = f"from ttrsim.cli import main; raise SystemExit(main({[str(a) for a in arguments]!r}))"
    own = {**os.environ, "TERM": kind}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=side, env=own) as process:
        os.close(side)
        told = b""
        try:
            while part := os.read(main, 4096):
                told += part
        except OSError:  # how Linux says that nobody writes any more
            pass
        finally:
            os.close(main)
    assert process.returncode == 0
    return told.decode().replace("\r\n", "\n")


def test_what_takes_a_while_is_told_and_wiped(tmp_path):
    told = at_a_terminal("maps", "draw", "san_francisco", "-o", tmp_path / "x.svg")
    doing, drew, _ = told.split(WIPED)[1], *told.split(WIPED)[2].split("\n", 1)
    assert doing == "Drawing san_francisco ..."
    assert drew.startswith("Drew san_francisco to ")
    assert told.count(WIPED) == 2


def test_a_terminal_that_wipes_no_lines_gets_no_escapes(tmp_path):
    told = at_a_terminal("maps", "draw", "san_francisco", "-o", tmp_path / "x.svg", kind="dumb")
    assert told.startswith("Drew san_francisco to ")
    assert "\x1b" not in told


def test_quiet_is_quiet_at_a_terminal(tmp_path):
    page = tmp_path / "x.html"
    assert at_a_terminal("play", "--map", "usa", "--players", "random,random", "--html", page, "--quiet") == ""
    assert page.exists()


def test_nothing_is_told_elsewhere(capsys):
    with doing("Comparing ..."):
        pass
    assert capsys.readouterr() == ("", "")


def test_the_line_is_wiped_where_something_fails(capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with pytest.raises(ValueError, match="no"), doing("Comparing ..."):
        raise ValueError("no")
    assert capsys.readouterr().err == f"{WIPED}Comparing ...{WIPED}"

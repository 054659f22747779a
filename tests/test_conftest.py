"""The summary at the end of a run of tests."""

import time
from types import SimpleNamespace

import conftest
import pytest


def report(test: str, seconds: float) -> pytest.TestReport:
    return pytest.TestReport(test, ("", 0, ""), {}, "passed", None, "call", duration=seconds)


def summary(monkeypatch, took: float) -> list[str]:
    """Return what a run of this many seconds prints at its end."""
    lines: list[str] = []
    stats = {"passed": [report("tests/cli/test_a.py::test_a[x::y/z]", 3), report("tests/test_b.py::test_b", 9)]}
    stats |= {"": [report("tests/cli/test_c.py::test_c", 8)], "warnings": [object()]}
    monkeypatch.setattr(conftest, "STARTED", time.monotonic() - took)
    conftest.pytest_terminal_summary(SimpleNamespace(stats=stats, section=lines.append, write_line=lines.append))
    return lines


def test_a_slow_run_says_in_which_folders_its_time_went(monkeypatch):
    assert summary(monkeypatch, 600) == [
        "seconds of all processes, of a run that took 10 minutes",
        "     11 tests/cli",
        "      9 tests",
    ]


def test_a_quick_run_says_nothing(monkeypatch):
    assert summary(monkeypatch, 60) == []
